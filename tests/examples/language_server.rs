//! How fast the language server is, through its real binary over standard streams:
//! `cargo build --release && cargo run --release -p weave-tests --example language_server`.
//!
//! It edits a file of 10,000 lines, and then one in a folder of 1,000 files that 50 others import, as somebody types who waits for what
//! is said; and prints medians and 95th percentiles in milliseconds. An argument is the path of another binary.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value as Json, json};
use weave_tests::generator::program;

/// How often each thing is done.
const ROUNDS: usize = 100;

struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: i64,
    next: i64,
    /// When the last message had arrived.
    arrived: Instant,
}

impl Server {
    fn start(binary: &Path, folder: &Path) -> Self {
        let mut process = Command::new(binary)
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}; `cargo build --release` makes it", binary.display()));
        let (input, output) = (process.stdin.take().expect("piped"), BufReader::new(process.stdout.take().expect("piped")));
        let mut server = Self { process, input, output, version: 1, next: 0, arrived: Instant::now() };
        let capabilities = json!({ "general": { "positionEncodings": ["utf-8"] } });
        let folders = json!([{ "uri": uri(folder), "name": "project" }]);
        server.request("initialize", &json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders }));
        server.notify("initialized", &json!({}));
        server
    }

    fn send(&mut self, message: &Json) {
        let body = message.to_string();
        // Written piece by piece it would be as many messages for the system.
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.input.write_all(frame.as_bytes()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn notify(&mut self, method: &str, params: &Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("the server writes") > 0, "the server has ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().expect("a length is a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("the server writes");
        self.arrived = Instant::now();
        serde_json::from_slice(&body).expect("a message is JSON")
    }

    fn request(&mut self, method: &str, params: &Json) -> Json {
        let id = self.ask(method, params);
        loop {
            let mut message = self.receive();
            if message["id"] == json!(id) && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{message}");
                return message.get_mut("result").map(Json::take).unwrap_or_default();
            }
        }
    }

    /// Asks and does not wait. The answer is the id.
    fn ask(&mut self, method: &str, params: &Json) -> i64 {
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "weave", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Replaces a few characters of a line.
    fn change(&mut self, path: &Path, (line, from, to): (usize, usize, usize), text: &str) {
        self.version += 1;
        let range = json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
        let document = json!({ "uri": uri(path), "version": self.version });
        self.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": text }] }));
    }

    /// Waits for diagnostics of a file: those of this version, if one is given, and with errors or without.
    fn diagnostics(&mut self, path: &Path, version: Option<i64>, errors: bool) {
        let wanted = json!(uri(path));
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == wanted
                && version.is_none_or(|version| params["version"] == json!(version))
            {
                let all = params["diagnostics"].as_array().expect("a list");
                if all.iter().any(|it| it["severity"] == 1) == errors {
                    return;
                }
            }
        }
    }

    /// The memory of the server, in megabytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    fn end(mut self) {
        self.request("shutdown", &Json::Null);
        self.notify("exit", &Json::Null);
        self.process.wait().expect("the server ends");
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Server {
    /// Milliseconds until the last message has arrived that something waits for.
    fn time(&mut self, work: impl FnOnce(&mut Self)) -> f64 {
        let start = Instant::now();
        work(self);
        self.arrived.duration_since(start).as_secs_f64() * 1e3
    }
}

fn show(what: &str, mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!("| {what} | {:.1} | {:.1} |", at(50), at(95));
    at(50)
}

/// The line and the columns of a text that occurs from a line on.
fn find(text: &str, from: usize, wanted: &str) -> (usize, usize, usize) {
    let found = text.lines().enumerate().skip(from).find_map(|(number, line)| Some((number, line.find(wanted)?)));
    let (line, column) = found.unwrap_or_else(|| panic!("`{wanted}` is in the program"));
    (line, column, column + wanted.len())
}

/// Puts a mistake there and takes it away again, each time until it is said.
fn toggle(server: &mut Server, path: &Path, place: (usize, usize, usize), right: &str, wrong: &str, seen: &Path) -> Vec<f64> {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let errors = round % 2 == 0;
        let (line, from, _) = place;
        let (old, new) = if errors { (right, wrong) } else { (wrong, right) };
        times.push(server.time(|server| {
            server.change(path, (line, from, from + old.len()), new);
            let version = (path == seen).then_some(server.version);
            server.diagnostics(seen, version, errors);
        }));
    }
    times
}

/// Asks something directly behind a change.
fn ask(server: &mut Server, path: &Path, place: (usize, usize, usize), method: &str) -> Vec<f64> {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let (line, from, _) = place;
        let (to, text) = if round % 2 == 0 { (from, " ") } else { (from + 1, "") };
        let at = json!({ "line": line, "character": from + 2 });
        times.push(server.time(|server| {
            server.change(path, (line, from, to), text);
            server.request(method, &json!({ "textDocument": { "uri": uri(path) }, "position": at }));
        }));
    }
    times
}

/// Asks for the tokens of the file anew, and for what has changed of them directly behind a change.
fn tokens(server: &mut Server, path: &Path, place: (usize, usize, usize)) {
    let document = json!({ "textDocument": { "uri": uri(path) } });
    let mut times = Vec::new();
    let mut id = Json::Null;
    let first = server.time(|server| id = server.request("textDocument/semanticTokens/full", &document)["resultId"].clone());
    for _ in 0..ROUNDS {
        times.push(server.time(|server| id = server.request("textDocument/semanticTokens/full", &document)["resultId"].clone()));
    }
    println!("| semantic tokens of the file, for the first time | {first:.1} | |");
    show("the same once more", times);
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let (line, from, _) = place;
        let (to, text) = if round % 2 == 0 { (from, " ") } else { (from + 1, "") };
        times.push(server.time(|server| {
            server.change(path, (line, from, to), text);
            let params = json!({ "textDocument": { "uri": uri(path) }, "previousResultId": id });
            id = server.request("textDocument/semanticTokens/full/delta", &params)["resultId"].clone();
        }));
    }
    show("what has changed of the tokens, directly behind a change", times);
}

/// Makes very many changes one by one, each wrong one with a name that was never there before, and says what that has left in memory.
fn lasting(server: &mut Server, path: &Path, (line, from, _): (usize, usize, usize)) {
    let mut memory = Vec::new();
    for number in 0..10_000 {
        if number == 500 {
            memory.push(server.memory());
        }
        let wrong = format!("x{number}{}", if number % 3 == 0 { "{" } else { "" });
        for (to, text) in [(from, wrong.as_str()), (from + wrong.len(), "")] {
            server.change(path, (line, from, to), text);
            let version = server.version;
            server.diagnostics(path, Some(version), !text.is_empty());
        }
    }
    println!("\nMemory after the first 1,000 changes of another session: {} MB; after 20,000: {} MB", memory[0], server.memory());
}

/// Sends very many requests without waiting, and takes one back while others are being answered.
fn crowd(server: &mut Server, path: &Path, (line, from, _): (usize, usize, usize)) {
    let document = json!({ "textDocument": { "uri": uri(path) } });
    let mut references = document.clone();
    references["position"] = json!({ "line": line, "character": from + 2 });
    references["context"] = json!({ "includeDeclaration": true });
    let all = server.time(|server| {
        let first = server.next + 1;
        for _ in 0..800 {
            server.ask("textDocument/hover", &references);
        }
        let mut open: BTreeSet<i64> = (first..=server.next).collect();
        while !open.is_empty() {
            let message = server.receive();
            open.remove(&message["id"].as_i64().unwrap_or_default());
        }
    });
    println!("| 800 requests at once, until all are answered | {all:.1} | |");
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        server.ask("textDocument/references", &references);
        let unwanted = server.ask("textDocument/references", &references);
        times.push(server.time(|server| {
            server.notify("$/cancelRequest", &json!({ "id": unwanted }));
            while server.receive()["id"] != json!(unwanted) {}
        }));
        // Whatever was still on its way has been read when this is answered.
        server.request("textDocument/foldingRange", &document);
    }
    show("a request is taken back while another one is being answered: until that is said", times);
}

fn one_file(binary: &Path, folder: &Path) {
    let path = folder.join("big.weave");
    let text = program(10_000, 1);
    std::fs::write(&path, &text).expect("the folder can be written");
    println!("\nOne file of {} lines\n\n| what | median | 95 % |\n|---|---|---|", text.lines().count());
    let mut server = Server::start(binary, folder);
    let opening = server.time(|server| {
        server.open(&path, &text);
        server.diagnostics(&path, Some(1), false);
    });
    println!("| from opening to all diagnostics | {opening:.1} | |");
    let body = find(&text, 5_000, "call ");
    let body = (body.0, body.2, body.2);
    let single = show("a mistake in a step, until it is said", toggle(&mut server, &path, body, "", "x", &path));
    show("a syntax error in a step", toggle(&mut server, &path, body, "", "{", &path));
    let field = find(&text, 5_000, ": string");
    show("a mistake in a type", toggle(&mut server, &path, (field.0, field.1 + 2, field.2), "string", "strin", &path));
    for method in ["textDocument/completion", "textDocument/hover", "textDocument/definition"] {
        show(&format!("`{method}` directly behind a change"), ask(&mut server, &path, (body.0, body.1 - 1, 0), method));
    }
    tokens(&mut server, &path, body);
    let bursts = (0..ROUNDS).map(|_| {
        let burst = server.time(|server| {
            for _ in 0..100 {
                server.change(&path, (body.0, body.1, body.1), "x");
            }
            let version = server.version;
            server.diagnostics(&path, Some(version), true);
        });
        server.change(&path, (body.0, body.1, body.1 + 100), "");
        let version = server.version;
        server.diagnostics(&path, Some(version), false);
        burst
    });
    let burst = show("100 changes without a pause, until the last one's mistakes are said", bursts.collect());
    println!("| the same in single ones | {:.1} | |", burst / single);
    crowd(&mut server, &path, body);
    println!("\nMemory: {} MB", server.memory());
    server.end();
    let mut server = Server::start(binary, folder);
    server.open(&path, &text);
    server.diagnostics(&path, Some(1), false);
    lasting(&mut server, &path, body);
    server.end();
}

/// A file of some 100 lines.
fn module(number: usize, imports: &str) -> String {
    let mut text = format!("{imports}\n");
    for part in 0..5 {
        let name = format!("{number}_{part}");
        let _ = write!(
            text,
            "/// A record of module {number}.\ntype Record{name} {{\n  /// Its id.\n  id: string\n  amount: decimal\n  state: \"new\" | \"done\"\n}}\n\n\
             /// Finds a record.\ntool find_{name}(id: string) -> Record{name} {{\n  timeout 5s\n  fails [unavailable]\n}}\n\n\
             /// Does what is to be done.\nworkflow work_{name}(id: string) -> Record{name} {{\n  step found {{ call find_{name} {{ id: .input.id }} }}\n  \
             end done on found = .found\n  fail broken on failure(found) = \"no record\"\n}}\n"
        );
    }
    text
}

fn many_files(binary: &Path, folder: &Path) {
    const SHARED: &str =
        "/// What all know.\ntype Shared {\n  id: string\n  title: string\n}\n\n/// Shows it.\ntool show(it: Shared) -> string\n\n";
    let shared = folder.join("shared.weave");
    let text = format!("{SHARED}{}", module(0, ""));
    std::fs::write(&shared, &text).expect("the folder can be written");
    for number in 1..1_000 {
        let uses = "import { Shared, show } from \"./shared.weave\"\n\nworkflow uses(it: Shared) -> string {\n  step shown { call show { it: .input.it } }\n  \
                    step title on shown = .input.it.title\n  end done on title = .title\n}\n";
        let text = module(number, if number <= 50 { uses } else { "" });
        std::fs::write(folder.join(format!("module_{number}.weave")), text).expect("the folder can be written");
    }
    println!("\n1,000 files of about {} lines\n\n| what | median | 95 % |\n|---|---|---|", text.lines().count());
    let start = Instant::now();
    let mut server = Server::start(binary, folder);
    server.open(&shared, &text);
    server.request("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri(&shared) } }));
    println!("| from the start to the first answer | {:.1} | |", start.elapsed().as_secs_f64() * 1e3);
    let other = folder.join("module_7.weave");
    let other_text = std::fs::read_to_string(&other).expect("it was written");
    server.open(&other, &other_text);
    server.request("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri(&other) } }));
    let body = find(&text, 0, "call ");
    let body = (body.0, body.2, body.2);
    show("a mistake in a step", toggle(&mut server, &shared, body, "", "x", &shared));
    let field = find(&text, 0, "title: ");
    show(
        "a field that 50 files use gets another name: what is said about another file",
        toggle(&mut server, &shared, field, "title", "titel", &other),
    );
    show(
        "`textDocument/completion` directly behind a change",
        ask(&mut server, &shared, (body.0, body.1 - 1, 0), "textDocument/completion"),
    );
    println!("\nMemory: {} MB", server.memory());
    server.end();
}

fn main() {
    let default = || std::env::current_exe().expect("this program has a path").with_file_name("../weave");
    let binary = std::env::args().nth(1).map_or_else(default, PathBuf::from);
    for work in [one_file, many_files] {
        let folder = tempfile::tempdir().expect("there is room for files");
        work(&binary, &folder.path().canonicalize().expect("the folder is there"));
    }
}
