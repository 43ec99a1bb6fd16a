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
