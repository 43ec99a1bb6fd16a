//! The language server over folders that are made to hang it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use common::{Project, workflow};
use serde_json::{Value, json};

/// Longer than anything takes on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and the messages that it has sent.
struct Server {
    child: Child,
    messages: Receiver<Value>,
}

impl Server {
    fn new(project: &Project) -> Self {
        let mut child = project.command(&["lsp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or_default() == 0 {
                        return;
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                    if let Some(value) = line.strip_prefix("Content-Length: ") {
                        length = value.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; length];
                if output.read_exact(&mut body).is_err() || sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
                    return;
                }
            }
        });
        let mut server = Self { child, messages };
        let folder = project.path("").to_str().unwrap().trim_end_matches('/').to_owned();
        server.send(json!({ "id": 1, "method": "initialize", "params": {
            "processId": null, "capabilities": {}, "workspaceFolders": [{ "uri": format!("file://{folder}"), "name": "p" }],
        } }));
        server.wait(|message| message["id"] == 1);
        server.send(json!({ "method": "initialized", "params": {} }));
        server
    }

    fn send(&mut self, mut message: Value) {
        message.as_object_mut().unwrap().insert("jsonrpc".to_owned(), json!("2.0"));
        let body = message.to_string();
        write!(self.child.stdin.as_mut().unwrap(), "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }

    fn wait(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn files_that_are_no_regular_files_do_not_hang_the_server() {
    for target in ["/dev/zero", "/dev/stdin", "pipe", "loop"] {
        let text = format!("import {{ A }} from \"./shared.weave\"\n{}", workflow("greet"));
        let project = Project::new(&[("flows/a.weave", &text), ("flows/b.weave", "type B { c: Nope }\n")]);
        assert!(Command::new("mkfifo").arg(project.path("pipe")).status().unwrap().success());
        symlink("loop", project.path("loop")).unwrap();
        let place = if target.starts_with('/') { target.into() } else { project.path(target) };
        for name in ["flows/shared.weave", "weave.toml", "flows/weave.toml", ".gitignore", ".weaveignore", "flows/c.weave", "known.json"] {
            symlink(&place, project.path(name)).unwrap();
        }
        let mut server = Server::new(&project);
        let uri = format!("file://{}", project.path("flows/a.weave").display());
        server.send(json!({ "method": "textDocument/didOpen", "params": {
            "textDocument": { "uri": uri, "languageId": "weave", "version": 1, "text": text },
        } }));
        let said = server.wait(|message| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == json!(uri));
        let codes: Vec<&str> =
            said["params"]["diagnostics"].as_array().unwrap().iter().filter_map(|diagnostic| diagnostic["code"].as_str()).collect();
        assert!(codes.contains(&"import-unreadable") || codes.contains(&"import-not-found"), "{target}: {said}");
        // The settings in an editor are as hostile as those on the disk.
        let config = format!("file://{}", project.path("weave.toml").display());
        server.send(json!({ "method": "textDocument/didOpen", "params": {
            "textDocument": { "uri": config, "languageId": "toml", "version": 1, "text": "[lint]\nbaseline = \"known.json\"\n" },
        } }));
        server.send(json!({ "id": 2, "method": "shutdown" }));
        server.wait(|message| message["id"] == 2);
    }
}

#[test]
fn the_log_is_no_source_and_no_pipe_that_nobody_reads() {
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    assert!(Command::new("mkfifo").arg(project.path("pipe")).status().unwrap().success());
    for (name, reason) in [("a.weave", "a file of this name is a source"), ("weave.toml", "is a configuration"), ("pipe", "no such device")]
    {
        project.run(&["lsp", "--log-file", name]).exits(2).says(reason);
    }
    assert_eq!(project.read("a.weave"), workflow("greet"));
}
