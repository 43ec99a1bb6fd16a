//! What lists of completions leave for later, and where they end.

use serde_json::{Value as Json, json};

use crate::client::{Client, Memory, uri};

fn list(client: &mut Client, path: &str, line: usize, character: usize) -> Json {
    let position = json!({ "line": line, "character": character });
    client.request("textDocument/completion", json!({ "textDocument": { "uri": uri(path) }, "position": position }))
}

fn item(list: &Json, label: &str) -> Json {
    let items = list["items"].as_array().unwrap();
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label} is in {list}")).clone()
}

#[test]
fn docs_are_told_when_an_item_is_looked_at_whatever_was_typed_meanwhile() {
    const SHOP: &str = "/// Who pays.\ntype Customer { id: string }\n\n/// Where it is sent.\ntype Address { city: string }\n";
    let mut client = Client::new(&Memory::of([("/w/shop.weave", SHOP)]), &["/w"]);
    let text = "import { Customer as Buyer,  } from \"./shop.weave\"\n\ntype Order { by:  }\n";
    client.open("/w/order.weave", text);
    let type_list = list(&mut client, "/w/order.weave", 2, 17);
    assert_eq!(type_list["isIncomplete"], false);
    let buyer = item(&type_list, "Buyer");
    assert_eq!(buyer.get("documentation"), None);
    let scalar = item(&type_list, "string");
    let address = item(&list(&mut client, "/w/order.weave", 0, 27), "Address");
    client.replace("/w/order.weave", &format!("// more\n{text}"));
    let docs = |client: &mut Client, item: Json| client.request("completionItem/resolve", item)["documentation"]["value"].clone();
    assert_eq!(docs(&mut client, buyer), "```weave\ntype Customer { id: string }\n```\n\nWho pays.");
    assert_eq!(docs(&mut client, address), "```weave\ntype Address { city: string }\n```\n\nWhere it is sent.");
    assert_eq!(docs(&mut client, scalar), Json::Null);
    assert!(client.end());
}

#[test]
fn a_list_that_nobody_would_read_gets_shorter_while_it_is_typed() {
    let mut client = Client::new(&Memory::default(), &[]);
    let types: String = (0..2000).map(|number| format!("type Record{number} {{ id: string }}\n")).collect();
    let text = |typed: &str| format!("type Other {{ it: {typed} }}\n{types}");
    client.open("/a.weave", &text(""));
    let all = list(&mut client, "/a.weave", 0, 17);
    assert_eq!((all["isIncomplete"].clone(), all["items"].as_array().unwrap().len()), (json!(true), 250));
    client.replace("/a.weave", &text("rd199"));
    let some = list(&mut client, "/a.weave", 0, 22);
    let labels: Vec<_> = some["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(labels.len(), 29, "{labels:?}");
    assert!(labels.contains(&"Record199") && labels.contains(&"Record1999"), "{labels:?}");
    assert_eq!(some["isIncomplete"], true);
    assert!(client.end());
}

#[test]
fn an_editor_without_places_to_fill_in_gets_plain_text() {
    let disk = Memory::of([("/w/other.weave", "type Zone = string\n")]);
    let text = "workflow w() -> string {\n  s\n}\ntype T = Z\n";
    let modes = json!({ "textDocument": { "completion": { "completionItem": { "insertTextModeSupport": { "valueSet": [1, 2] } } } } });
    for (capabilities, mode) in [(json!({}), Json::Null), (modes, json!(1))] {
        let mut client = Client::with(&disk, &["/w"], capabilities);
        client.open("/w/a.weave", text);
        let choice = item(&list(&mut client, "/w/a.weave", 1, 3), "choice");
        // Each line has the indent of the one that the word is on.
        let expected = "step yes on step when .step.ok == true {\n    call tool { id: .step.id }\n  }\n  end no on step else = null";
        assert_eq!((&choice["textEdit"]["newText"], &choice["insertTextFormat"]), (&json!(expected), &Json::Null));
        assert_eq!(choice["insertTextMode"], mode);
        let zone = item(&list(&mut client, "/w/a.weave", 3, 10), "Zone");
        assert_eq!((&zone["detail"], &zone["labelDetails"]), (&json!("type from ./other.weave"), &Json::Null));
        assert_eq!(zone["additionalTextEdits"][0]["newText"], "import { Zone } from \"./other.weave\"\n\n");
        assert!(client.end());
    }
}
