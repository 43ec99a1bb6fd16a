//! How a conversation goes, whatever it is about.

use serde_json::{Value as Json, json};

use crate::client::{Client, Memory, uri};

const GREET: &str =
    "workflow greet(name: string) {\n  step ask { emit ai.request { prompt: \"hi {{.input.name}}\" } }\n  end done on ask\n}\n";

fn codes(diagnostics: &[Json]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap()).collect()
}

#[test]
fn a_client_that_says_good_bye_is_served_well_and_one_that_vanishes_takes_the_server_with_it() {
    let disk = Memory::default();
    assert!(Client::new(&disk, &[]).end());
    assert!(!Client::new(&disk, &[]).vanish());
    assert!(!Client::silent(&disk).vanish());
}

#[test]
#[cfg(unix)]
fn the_server_goes_with_the_process_that_it_works_for_though_the_pipe_stays_open() {
    let mut editor = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let start = |id: u32| {
        let mut client = Client::silent(&Memory::default());
        client.request("initialize", json!({ "processId": id, "rootUri": null, "capabilities": {} }));
        client.notify("initialized", json!({}));
        client
    };
    let mut client = start(editor.id());
    client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    editor.kill().unwrap();
    editor.wait().unwrap();
    while client.receive().is_some() {}
    assert!(client.log.text().contains("is gone"));
    // A process that was never there is one of another machine or container.
    let mut client = start(editor.id());
    std::thread::sleep(std::time::Duration::from_millis(1500));
    client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    assert!(client.end());
}

#[test]
fn nothing_is_answered_before_the_greeting() {
    let mut client = Client::silent(&Memory::default());
    client.open("/a.weave", "");
    let id = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    assert_eq!(client.answer(id)["error"]["code"], -32002);
    assert!(!client.vanish());
}

#[test]
fn a_thousand_changes_that_nobody_waits_for_arrive_in_order() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", "//\n");
    for number in 0..1000 {
        let at = json!({ "line": 0, "character": 2 + number });
        client.change("/a.weave", json!([{ "range": { "start": at, "end": at }, "text": "x" }]));
    }
    client.replace("/a.weave", GREET);
    assert_eq!(client.diagnostics("/a.weave"), Vec::<Json>::new());
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", "");
    for number in 0..1000 {
        let at = json!({ "line": number, "character": 0 });
        client.change("/a.weave", json!([{ "range": { "start": at, "end": at }, "text": format!("type T{number} = string\n") }]));
    }
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    let names: Vec<_> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, (0..1000).map(|number| format!("T{number}")).collect::<Vec<_>>());
    assert!(client.end());
}

#[test]
fn a_question_between_changes_that_come_at_once_sees_those_before_it() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", "");
    client.open("/b.weave", "");
    let mut bytes = Vec::new();
    let mut send = |header: &str, body: &str| bytes.extend(format!("Content-Length: {}\r\n{header}\r\n{body}", body.len()).into_bytes());
    let change = |path: &str, version: i32, text: &str| {
        let document = json!({ "uri": uri(path), "version": version });
        let at = json!({ "line": 0, "character": 0 });
        let changes = format!(r#"[{{"range":{},"text":{text}}}]"#, json!({ "start": at, "end": at }));
        format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{document},"contentChanges":{changes}}}}}"#
        )
    };
    let ask = |id: i32, path: &str| {
        let params = json!({ "textDocument": { "uri": uri(path) } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/documentSymbol", "params": params }).to_string()
    };
    send("", &change("/a.weave", 2, r#""type A = string\n""#));
    send("", &change("/a.weave", 3, r#""type B = string\n""#));
    send("", &ask(1001, "/a.weave"));
    send("", &change("/a.weave", 4, r#""type C = string\n""#));
    send("", &change("/b.weave", 2, r#""type X = string\n""#));
    send("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", &change("/b.weave", 3, r#""type Y = string\n""#));
    send("", &change("/b.weave", 4, "1"));
    send("", "{");
    send("", &change("/b.weave", 5, r#""// \ud83d\n""#));
    send("", &change("/b.weave", 6, r#""// \ud83d\n""#));
    send("", &ask(1002, "/b.weave"));
    send("", &change("/a.weave", 5, r#""type D = string\n""#));
    client.send_raw(&bytes);
    let mut names = |id: i64| {
        let symbols = client.answer(id)["result"].clone();
        symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((names(1001), names(1002)), ("B A".to_owned(), "Y X".to_owned()));
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    assert_eq!(symbols.as_array().unwrap().len(), 4);
    let colours = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri("/b.weave") } }));
    // Two comments of one line each in front of the types.
    assert_eq!((&colours["data"][0], &colours["data"][5]), (&json!(0), &json!(1)));
    assert_eq!(client.log.text().lines().filter(|line| line.contains("skipped")).count(), 2);
    assert!(client.end());
}

#[test]
fn eight_hundred_questions_at_once_are_answered() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", GREET);
    let ids: Vec<i64> =
        (0..800).map(|_| client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri("/a.weave") } }))).collect();
    for id in ids {
        assert_eq!(client.answer(id)["result"][0]["name"], "greet");
    }
    assert!(client.end());
}

#[test]
fn a_question_that_is_taken_back_is_answered_at_once() {
    let mut client = Client::new(&Memory::default(), &[]);
    let many: String = (0..20_000).map(|number| format!("type T{number} {{ a: int, b: string[] }}\n")).collect();
    client.open("/a.weave", &many);
    let id = client.ask("workspace/symbol", json!({ "query": "T" }));
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    assert!(client.end());
}

#[test]
fn a_question_that_is_taken_back_does_not_wait_for_the_one_before() {
    let mut client = Client::new(&Memory::default(), &[]);
    let many: String = (0..20_000).map(|number| format!("type T{number} {{ a: int, b: string[] }}\n")).collect();
    client.open("/a.weave", &many);
    let slow = client.ask("workspace/symbol", json!({ "query": "T" }));
    let id = client.ask("workspace/symbol", json!({ "query": "T" }));
    client.notify("$/cancelRequest", json!({ "id": id }));
    let first = client.wait(|message| message.get("method").is_none());
    assert_eq!((&first["id"], &first["error"]["code"]), (&json!(id), &json!(-32800)));
    assert!(client.answer(slow).get("result").is_some());
    assert!(client.end());
}

#[test]
fn a_message_that_cannot_be_read_is_skipped_and_noted() {
    let mut client = Client::new(&Memory::default(), &[]);
    for body in [
        "{",
        "[]",
        "{\"jsonrpc\":\"1.0\",\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"x\"}",
        "\u{1f600}",
        "{\"jsonrpc\":\"2.0\",\"method\":null}",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]",
        "[\"2.0\",\"x\",null,1]",
        "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":1e999}",
        &format!("{{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{}{}}}", "[".repeat(200), "]".repeat(200)),
    ] {
        client.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }
    client.send_raw(b"Content-Length: 32\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\xfd\"}");
    client.send_raw(b"hello?\r\nContent-Length: many\r\n\r\n\r\n");
    client.send_raw(b"Content-Length: 3\r\n\r\n\xff\xfe\xfd");
    // A body that nobody knows the length of takes the next message along no more than it must.
    client.send_raw(b"Content-Length: many\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
    client.notify("textDocument/didOpen", json!({ "nonsense": true }));
    client.open("/a.weave", "typ A = string\n");
    assert_eq!(codes(&client.diagnostics("/a.weave")), ["unknown-item"]);
    let log = client.log.text();
    assert_eq!(log.lines().filter(|line| line.contains("skipped")).count(), 18, "{log}");
    let id = client.ask("textDocument/documentSymbol", json!({ "nonsense": true }));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    let id = client.ask("textDocument/nonsense", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    assert!(client.end());
}

#[test]
fn what_other_readers_stumble_over_is_read() {
    let mut client = Client::new(&Memory::default(), &[]);
    let mut send = |body: &str| client.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    // A half of a character in the text, and parameters that are there twice.
    let params = |text: &str| format!(r#"{{"textDocument":{{"uri":"file:///a.weave","languageId":"weave","version":1,"text":"{text}"}}}}"#);
    let (first, second) = (params("type A = string"), params(r#"type A { \"\ud83d\": strin }\n"#));
    send(&format!(r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{first},"params":{second}}}"#));
    send(r#"{"jsonrpc":"2.0","id":"numbers","method":"textDocument/hover","params":[1e999]}"#);
    let refused = client.wait(|message| message["id"] == "numbers");
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    let found = client.diagnostics("/a.weave");
    assert_eq!(codes(&found), ["unknown-name"]);
    // The half has become a whole one, of three bytes.
    assert_eq!(found[0]["range"]["start"]["character"], 16);
    assert!(client.end());
}

#[test]
fn columns_are_counted_as_it_was_agreed() {
    let text = "type A {\n  \"\u{1f600}\u{e4}\": Strin\n}\n";
    for (encodings, agreed, column) in
        [(json!(["utf-16", "utf-8"]), "utf-8", 12), (json!(["utf-16"]), "utf-16", 9), (Json::Null, "utf-16", 9)]
    {
        let mut client = Client::silent(&Memory::default());
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let capabilities = if encodings.is_null() { json!({}) } else { capabilities };
        let answer = client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        assert_eq!(answer["capabilities"]["positionEncoding"], agreed);
        client.notify("initialized", json!({}));
        client.open("/a.weave", text);
        let found = client.diagnostics("/a.weave");
        assert_eq!((codes(&found), &found[0]["range"]["start"]["character"]), (vec!["unknown-name"], &json!(column)));
        let at = |column: u32| json!({ "line": 1, "character": column });
        client.change("/a.weave", json!([{ "range": { "start": at(column), "end": at(column + 5) }, "text": "string" }]));
        assert_eq!(client.diagnostics("/a.weave"), Vec::<Json>::new());
        assert!(client.end());
    }
}

#[test]
fn what_is_not_saved_counts_for_those_that_import_it() {
    let disk = Memory::of([
        ("/p/types.weave", "type Order { id: string }\n"),
        ("/p/main.weave", "import { Order } from \"./types.weave\"\nevent order.placed = Order\n"),
    ]);
    let mut client = Client::new(&disk, &["/p"]);
    client.open("/p/main.weave", "import { Order } from \"./types.weave\"\nevent order.placed = Order\n");
    let quiet = codes(&client.diagnostics("/p/main.weave")).join(" ");
    client.open("/p/types.weave", "type Order { id: string }\n");
    client.diagnostics("/p/types.weave");
    client.replace("/p/types.weave", "type Orders { id: string }\n");
    let found = client.wait(|message| {
        message["params"]["uri"] == json!(uri("/p/main.weave")) && message["params"]["diagnostics"].to_string().contains("unknown-import")
    });
    assert_eq!(found["params"]["version"], 1);
    // What is closed without being saved is forgotten.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri("/p/types.weave") } }));
    let found = client.wait(|message| {
        message["params"]["uri"] == json!(uri("/p/main.weave")) && !message["params"]["diagnostics"].to_string().contains("unknown-import")
    });
    assert_eq!(codes(found["params"]["diagnostics"].as_array().unwrap()).join(" "), quiet);
    assert!(client.end());
}

#[test]
fn files_that_change_outside_are_read_again() {
    let disk = Memory::of([("/p/main.weave", "import { Order } from \"./types.weave\"\nevent order.placed = Order\n")]);
    let mut client = Client::new(&disk, &["/p"]);
    assert_eq!(codes(&client.diagnostics("/p/main.weave")), ["import-not-found"]);
    disk.write("/p/types.weave", Some("type Order { id: strin }\n"));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri("/p/types.weave"), "type": 1 }] }));
    assert_eq!(codes(&client.diagnostics("/p/types.weave")), ["unknown-name"]);
    assert_eq!(codes(&client.diagnostics("/p/main.weave")), Vec::<&str>::new());
    disk.write("/p/types.weave", None);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri("/p/types.weave"), "type": 3 }] }));
    assert_eq!(codes(&client.diagnostics("/p/main.weave")), ["import-not-found"]);
    assert_eq!(codes(&client.diagnostics("/p/types.weave")), Vec::<&str>::new());
    assert!(client.end());
}

#[test]
fn the_nearest_configuration_counts_and_its_mistakes_are_said() {
    let text = "/// A tool.\ntool a(x: string) -> string\n";
    let disk = Memory::of([("/p/weave.toml", "[lint.rules]\nmissing-description = \"of\"\n"), ("/p/main.weave", text)]);
    let mut client = Client::new(&disk, &["/p"]);
    assert!(!client.diagnostics("/p/weave.toml").is_empty());
    disk.write("/p/weave.toml", Some("[lint.groups]\nstyle = \"off\"\nsuspicious = \"off\"\ncorrectness = \"off\"\nsecurity = \"off\"\n"));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri("/p/weave.toml"), "type": 2 }] }));
    assert_eq!(client.diagnostics("/p/weave.toml"), Vec::<Json>::new());
    client.open("/p/main.weave", text);
    assert_eq!(client.diagnostics("/p/main.weave"), Vec::<Json>::new());
    assert!(client.end());
}
