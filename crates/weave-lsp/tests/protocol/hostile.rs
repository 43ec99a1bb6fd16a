//! Texts of any size, and files by any name.

use serde_json::json;

use crate::client::{Client, Memory, uri};

const MISTAKE: &str = "type A { b: Nope }\n";

#[test]
fn a_text_that_is_too_long_is_reported() {
    let mut client = Client::new(&Memory::of([("/p/b.weave", MISTAKE)]), &["/p"]);
    client.open("/p/a.weave", &" ".repeat((64 << 20) + 1));
    let found = client.diagnostics("/p/a.weave");
    let start = json!({ "line": 0, "character": 0 });
    assert_eq!((&found[0]["code"], &found[0]["range"]["start"]), (&json!("file-too-large"), &start));
    assert_eq!(
        found[0]["message"].as_str().unwrap().lines().next(),
        Some("this file has 67,108,865 bytes, and at most 67,108,864 bytes are read")
    );
    let hover = json!({ "textDocument": { "uri": uri("/p/a.weave") }, "position": { "line": 0, "character": 70_000 } });
    assert!(client.request("textDocument/hover", hover).is_null());
    // A change that makes it short enough is taken, and one that makes it too long again.
    client.change(
        "/p/a.weave",
        json!([{ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 9_999 } }, "text": "" }]),
    );
    assert!(client.diagnostics("/p/a.weave").is_empty());
    client.change("/p/a.weave", json!([{ "range": { "start": start, "end": start }, "text": " ".repeat(20_000) }]));
    assert_eq!(client.diagnostics("/p/a.weave")[0]["code"], "file-too-large");
    client.replace("/p/a.weave", MISTAKE);
    assert_eq!(client.diagnostics("/p/a.weave")[0]["code"], "unknown-name");
    assert!(client.end());
}

#[test]
fn diagnostics_come_under_the_uri_that_was_sent() {
    let mut client = Client::new(&Memory::default(), &["/p"]);
    for uri in [
        "file://host/x.weave",
        "FILE:///x.weave",
        "File:///p/%41.weave",
        "file://localhost/p/y.weave",
        "file:///p/./z.weave",
        "file:///p//w.weave",
        "file:///c%3A/x.weave",
        "file:///p/a%0Ab.weave",
        "untitled:Untitled-1.weave",
        "vscode-vfs://github/x/y.weave",
    ] {
        let document = json!({ "uri": uri, "languageId": "weave", "version": 7, "text": MISTAKE });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let said = client.wait(|message| message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == 7);
        assert_eq!(said["params"]["uri"], uri);
        assert_eq!(said["params"]["diagnostics"][0]["code"], "unknown-name", "{uri}");
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        // What is said when it is closed is said of the same name.
        let said = client.wait(|message| message["method"] == "textDocument/publishDiagnostics");
        assert_eq!(said["params"]["diagnostics"], json!([]), "{uri}");
    }
    assert!(client.end());
}
