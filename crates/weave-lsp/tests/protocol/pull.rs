//! Clients that ask for diagnostics, and those that are told to ask for something anew.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::client::{Client, Memory, uri};

const TYPES: &str = "type Order { id: string }\n";
const MAIN: &str = "import { Order } from \"./types.weave\"\n\n/// Finds.\ntool find(id: string) -> Order\n\nworkflow w(id: string) -> string {\n  step s { call find { id: .input.id } }\n  end e on s = .s.id\n}\n";

fn client(disk: &Memory, capabilities: Json) -> Client {
    Client::with(disk, &["/p"], capabilities)
}

fn pulling() -> Json {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

fn disk() -> Memory {
    Memory::of([("/p/types.weave", TYPES), ("/p/main.weave", MAIN)])
}

/// Waits until the client is told to ask for something anew, and says that it has heard it.
fn refreshed(client: &mut Client, method: &str) {
    let request = client.wait(|message| message["method"] == method);
    client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": null }));
}

fn ask(client: &mut Client, path: &str, known: &Json) -> Json {
    let params = json!({ "textDocument": { "uri": uri(path) }, "previousResultId": known });
    client.request("textDocument/diagnostic", params)
}

fn codes(report: &Json) -> Vec<&str> {
    report["items"].as_array().unwrap().iter().map(|item| item["code"].as_str().unwrap()).collect()
}

#[test]
fn a_client_that_asks_is_never_told_without() {
    let mut client = client(&disk(), pulling());
    assert_eq!(client.server_capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    client.open("/p/main.weave", &MAIN.replace(".s.id", ".s.idd"));
    let report = ask(&mut client, "/p/main.weave", &Json::Null);
    assert_eq!((report["kind"].as_str(), codes(&report)), (Some("full"), vec!["unknown-field"]));
    // What is known is not said again, and has the place that it has now.
    let same = ask(&mut client, "/p/main.weave", &report["resultId"]);
    assert_eq!(same, json!({ "kind": "unchanged", "resultId": report["resultId"] }));
    client.replace("/p/main.weave", &format!("\n{}", MAIN.replace(".s.id", ".s.idd")));
    let moved = ask(&mut client, "/p/main.weave", &report["resultId"]);
    assert_eq!(moved["items"][0]["range"]["start"]["line"], report["items"][0]["range"]["start"]["line"].as_u64().unwrap() + 1);
    // A change of another file changes what is said of this one: the client is told to ask.
    client.open("/p/types.weave", TYPES);
    client.replace("/p/types.weave", "type Order { idd: string }\n");
    refreshed(&mut client, "workspace/diagnostic/refresh");
    let report = ask(&mut client, "/p/main.weave", &moved["resultId"]);
    assert!(!codes(&report).contains(&"unknown-field"), "{report}");
    assert!(client.end_with(|message| assert_ne!(message["method"], "textDocument/publishDiagnostics")));
}

#[test]
fn what_rules_find_is_asked_for_when_it_is_known() {
    let mut client = client(&disk(), pulling());
    client.open("/p/types.weave", &format!("{TYPES}type Extra = string\n"));
    client.open("/p/main.weave", &MAIN.replace("{ Order }", "{ Order, Extra }"));
    let mut report = ask(&mut client, "/p/main.weave", &Json::Null);
    if codes(&report).is_empty() {
        refreshed(&mut client, "workspace/diagnostic/refresh");
        report = ask(&mut client, "/p/main.weave", &report["resultId"]);
    }
    assert!(codes(&report).contains(&"unused-import"), "{report}");
    let whole = client
        .request("workspace/diagnostic", json!({ "previousResultIds": [{ "uri": uri("/p/main.weave"), "value": report["resultId"] }] }));
    let items = whole["items"].as_array().unwrap();
    let main = items.iter().find(|item| item["uri"] == json!(uri("/p/main.weave"))).unwrap();
    assert_eq!((&main["kind"], &main["version"]), (&json!("unchanged"), &json!(1)));
    assert!(client.end());
}

#[test]
fn the_whole_project_is_told_with_its_configuration() {
    let disk = Memory::of([("/p/a.weave", "type A = strin\n"), ("/p/weave.toml", "[lint.rules]\nno-such-rule = \"off\"\n")]);
    let mut client = client(&disk, pulling());
    let whole = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let uris: Vec<&Json> = whole["items"].as_array().unwrap().iter().map(|item| &item["uri"]).collect();
    assert_eq!(uris, [&json!(uri("/p/a.weave")), &json!(uri("/p/weave.toml"))]);
    disk.write("/p/a.weave", Some("type A = string\n"));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri("/p/a.weave"), "type": 2 }] }));
    let known: Vec<Json> =
        whole["items"].as_array().unwrap().iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect();
    let whole = client.request("workspace/diagnostic", json!({ "previousResultIds": known }));
    assert_eq!(whole["items"][0]["items"], json!([]), "{whole}");
    assert_eq!(whole["items"][1]["kind"], "unchanged");
    assert!(client.end());
}

#[test]
fn settings_that_are_being_edited_are_asked_for_like_programs() {
    let disk = Memory::of([("/p/a.weave", "type A = string\n"), ("/p/weave.toml", "")]);
    let mut client = client(&disk, pulling());
    client.open("/p/weave.toml", "[lint.rules]\nno-such-rule = \"off\"\n");
    let report = ask(&mut client, "/p/weave.toml", &Json::Null);
    assert_eq!((report["kind"].as_str(), codes(&report)), (Some("full"), vec!["unknown-config-rule"]));
    let same = ask(&mut client, "/p/weave.toml", &report["resultId"]);
    assert_eq!(same["kind"], "unchanged");
    let version = client.replace("/p/weave.toml", "\n[lint.rules]\nmissing-docs = \"of\"\n");
    let other = ask(&mut client, "/p/weave.toml", &report["resultId"]);
    assert_eq!(codes(&other), ["config-value"]);
    assert_eq!(other["items"][0]["range"]["start"], json!({ "line": 2, "character": 15 }));
    // The whole project says the same of it, whatever lies on the disk.
    let whole = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert_eq!(whole["items"].as_array().unwrap().len(), 1, "{whole}");
    assert_eq!((&whole["items"][0]["uri"], &whole["items"][0]["version"]), (&json!(uri("/p/weave.toml")), &json!(version)));
    assert_eq!(whole["items"][0]["items"], other["items"]);
    client.replace("/p/weave.toml", "[lint.rules]\nmissing-docs = \"off\"\n");
    assert_eq!(codes(&ask(&mut client, "/p/weave.toml", &other["resultId"])), [""; 0]);
    assert!(client.end());
}

#[test]
fn a_client_that_cannot_be_told_to_ask_again_is_told_without() {
    for capabilities in
        [json!({}), json!({ "textDocument": { "diagnostic": {} } }), json!({ "workspace": { "diagnostics": { "refreshSupport": true } } })]
    {
        let mut client = client(&disk(), capabilities);
        assert!(client.server_capabilities.get("diagnosticProvider").is_none());
        client.open("/p/main.weave", &MAIN.replace(".s.id", ".s.idd"));
        assert_eq!(client.diagnostics("/p/main.weave")[0]["code"], "unknown-field");
        assert!(client.end());
    }
}

#[test]
fn what_means_something_else_since_another_file_has_changed_is_asked_for_anew() {
    let capabilities = json!({
        "workspace": { "semanticTokens": { "refreshSupport": true }, "inlayHint": { "refreshSupport": true }, "codeLens": { "refreshSupport": true } },
        "experimental": { "commands": { "commands": ["weave.showReferences"] } },
    });
    let mut client = client(&disk(), capabilities);
    client.open("/p/main.weave", MAIN);
    client.open("/p/types.weave", TYPES);
    let document = json!({ "uri": uri("/p/main.weave") });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 20, "character": 0 } });
    client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    client.request("textDocument/inlayHint", json!({ "textDocument": document, "range": whole }));
    let types = json!({ "uri": uri("/p/types.weave") });
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": types }));
    let lens = client.request("codeLens/resolve", lenses[0].clone());
    assert_eq!(lens["command"]["title"], "1 reference");
    // A record becomes an enum: another colour, and the hint behind the step says so.
    client.replace("/p/types.weave", "enum Order { a, b }\n");
    refreshed(&mut client, "workspace/semanticTokens/refresh");
    client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    let lens = lens_of(&mut client, &types);
    client.request("codeLens/resolve", lens);
    // One more mention in another file: the number above the declaration is another one.
    client.replace("/p/main.weave", &format!("{MAIN}\ntype More {{ of: Order }}\n"));
    refreshed(&mut client, "workspace/codeLens/refresh");
    // What does not change anything is not worth a word.
    let lens = lens_of(&mut client, &types);
    client.request("codeLens/resolve", lens);
    client.replace("/p/main.weave", &format!("{MAIN}\ntype More {{ of: Order }}\n\ntype Other = string\n"));
    client.request("textDocument/hover", json!({ "textDocument": document, "position": { "line": 0, "character": 10 } }));
    std::thread::sleep(Duration::from_millis(200));
    assert!(client.end_with(|message| assert!(!message["method"].as_str().unwrap_or_default().contains("codeLens"), "{message}")));
}

fn lens_of(client: &mut Client, document: &Json) -> Json {
    client.request("textDocument/codeLens", json!({ "textDocument": document }))[0].clone()
}

#[test]
fn diagnostics_link_to_their_pages_where_the_client_shows_links() {
    let wrong = MAIN.replace(".s.id", ".s.idd");
    let mut asking = client(&disk(), pulling());
    asking.open("/p/main.weave", &wrong);
    let report = ask(&mut asking, "/p/main.weave", &Json::Null);
    assert_eq!(report["items"][0]["codeDescription"], json!({ "href": "file:///pages/unknown-field.txt" }));
    for (support, link) in [(true, json!({ "href": "file:///pages/unknown-field.txt" })), (false, Json::Null)] {
        let mut told = client(&disk(), json!({ "textDocument": { "publishDiagnostics": { "codeDescriptionSupport": support } } }));
        told.open("/p/main.weave", &wrong);
        let about = uri("/p/main.weave");
        let said = told.wait(|it| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == json!(about));
        assert_eq!(said["params"]["diagnostics"][0]["codeDescription"], link, "{said}");
    }
}
