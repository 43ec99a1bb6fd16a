//! A client in this process, over a pipe in memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use weave_compiler::LoadError;
use weave_compiler::lint::Day;
use weave_diagnostics::Code;
use weave_lsp::{Host, Log, serve};

/// Longer than anything takes on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A disk in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(pub(crate) Arc<Mutex<BTreeMap<String, String>>>);

impl Memory {
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
        Self(Arc::new(Mutex::new(files.collect())))
    }

    pub(crate) fn write(&self, path: &str, text: Option<&str>) {
        let mut files = self.0.lock().unwrap();
        match text {
            Some(text) => drop(files.insert(path.to_owned(), text.to_owned())),
            None => drop(files.remove(path)),
        }
    }
}

impl Host for Memory {
    fn read(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.0.lock().unwrap().get(path).map(|text| text.as_str().into()).ok_or(LoadError::NotFound)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let files = self.0.lock().unwrap();
        files.keys().filter(|path| path.starts_with(folder) && path.ends_with(".weave")).cloned().collect()
    }

    fn is_repository(&self, _: &str) -> bool {
        false
    }

    fn today(&self) -> Option<Day> {
        Day::new("2026-11-22")
    }

    fn page(&self, code: &'static Code) -> Option<String> {
        Some(format!("/pages/{}.txt", code.id))
    }
}

/// What the server has written into its log.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogText(pub(crate) Arc<Mutex<Vec<u8>>>);

impl std::io::Write for LogText {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl LogText {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// A client that waits for each answer.
pub(crate) struct Client {
    runtime: Runtime,
    input: BufReader<ReadHalf<DuplexStream>>,
    output: Option<WriteHalf<DuplexStream>>,
    server: Option<std::thread::JoinHandle<bool>>,
    next: i64,
    versions: BTreeMap<String, i32>,
    /// Messages that nobody has waited for yet.
    waiting: VecDeque<Json>,
    /// What the server says that it can do.
    pub(crate) server_capabilities: Json,
    pub(crate) log: LogText,
}

pub(crate) fn uri(path: &str) -> String {
    format!("file://{path}")
}

impl Client {
    /// A client that has not said anything yet.
    pub(crate) fn silent(host: &Memory) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let log = LogText::default();
        let (host, server_log) = (Arc::new(host.clone()), Log::new(Box::new(log.clone())));
        let server = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let (input, output) = tokio::io::split(theirs);
            runtime.block_on(serve(input, output, host, server_log))
        });
        let (input, output) = tokio::io::split(ours);
        let (input, output, server) = (BufReader::new(input), Some(output), Some(server));
        let (versions, waiting, server_capabilities) = (BTreeMap::new(), VecDeque::new(), Json::Null);
        Self { runtime, input, output, server, next: 0, versions, waiting, server_capabilities, log }
    }

    /// A client that has opened these folders and says these capabilities.
    pub(crate) fn with(host: &Memory, folders: &[&str], capabilities: Json) -> Self {
        let mut client = Self::silent(host);
        let folders: Vec<_> = folders.iter().map(|path| json!({ "uri": uri(path), "name": path })).collect();
        let params = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders });
        client.server_capabilities = client.request("initialize", params)["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    /// A client that can do what most can.
    pub(crate) fn new(host: &Memory, folders: &[&str]) -> Self {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "textDocument": {
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                "codeAction": { "dataSupport": true, "resolveSupport": { "properties": ["edit"] } },
                "completion": { "completionItem": { "snippetSupport": true, "labelDetailsSupport": true } },
                "signatureHelp": { "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } },
            },
            "experimental": { "commands": { "commands": ["weave.showGraph", "weave.showDefinition", "weave.showReferences"] } },
        });
        Self::with(host, folders, capabilities)
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let Some(output) = &mut self.output else { return };
        self.runtime.block_on(async {
            output.write_all(bytes).await.unwrap();
            output.flush().await.unwrap();
        });
    }

    pub(crate) fn send(&mut self, message: &Json) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and does not wait. The answer is its id.
    pub(crate) fn ask(&mut self, method: &str, params: Json) -> i64 {
        self.next += 1;
        let message = match params {
            Json::Null => json!({ "jsonrpc": "2.0", "id": self.next, "method": method }),
            params => json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }),
        };
        self.send(&message);
        self.next
    }

    /// Waits for the answer to a request: the whole message.
    pub(crate) fn answer(&mut self, id: i64) -> Json {
        self.wait(|message| message["id"] == json!(id) && message.get("method").is_none())
    }

    /// Sends a request and waits for its result.
    pub(crate) fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The first message that is wanted, of those that came and of those that come.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        if let Some(index) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(index).unwrap();
        }
        loop {
            let message = self.receive().expect("the server goes on");
            if wanted(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    /// The next message; nothing if the server has ended.
    pub(crate) fn receive(&mut self) -> Option<Json> {
        let input = &mut self.input;
        let read = async {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if input.read_line(&mut line).await.unwrap() == 0 {
                    return None;
                }
                match line.trim().split_once(": ") {
                    Some((_, value)) if line.starts_with("Content-Length") => length = value.parse().unwrap(),
                    Some(_) => {}
                    None => break,
                }
            }
            let mut body = vec![0; length];
            input.read_exact(&mut body).await.unwrap();
            Some(serde_json::from_slice(&body).unwrap())
        };
        self.runtime.block_on(async { tokio::time::timeout(PATIENCE, read).await }).expect("the server answers")
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) {
        self.versions.insert(path.to_owned(), 1);
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri(path), "languageId": "weave", "version": 1, "text": text } }),
        );
    }

    /// Changes a document. The answer is its new version.
    pub(crate) fn change(&mut self, path: &str, changes: Json) -> i32 {
        let version = self.versions.get_mut(path).unwrap();
        *version += 1;
        let version = *version;
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri(path), "version": version }, "contentChanges": changes }),
        );
        version
    }

    pub(crate) fn replace(&mut self, path: &str, text: &str) -> i32 {
        self.change(path, json!([{ "text": text }]))
    }

    /// The diagnostics of a document in its newest version, or of a file that is not open the next ones.
    pub(crate) fn diagnostics(&mut self, path: &str) -> Vec<Json> {
        let version = self.versions.get(path).copied();
        let found = self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == json!(uri(path))
                && version.is_none_or(|version| params["version"] == json!(version))
        });
        found["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Says good-bye. The answer is whether the server thinks that it was done properly.
    pub(crate) fn end(mut self) -> bool {
        self.request("shutdown", Json::Null);
        self.notify("exit", Json::Null);
        self.server.take().unwrap().join().unwrap()
    }

    /// Says good-bye, and looks at all messages that nobody has waited for.
    pub(crate) fn end_with(mut self, look: impl Fn(&Json)) -> bool {
        self.request("shutdown", Json::Null);
        self.waiting.iter().for_each(look);
        self.notify("exit", Json::Null);
        self.server.take().unwrap().join().unwrap()
    }

    /// Goes without a word. The answer is whether the server thinks that this was done properly.
    pub(crate) fn vanish(mut self) -> bool {
        drop(self.output.take());
        let server = self.server.take().unwrap();
        drop(self);
        server.join().unwrap()
    }
}
