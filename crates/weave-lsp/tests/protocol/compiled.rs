//! What a workflow is compiled to, of texts that are not saved.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use weave_compiler::{Input, LoadError, Loader, check};

use crate::client::{Client, Memory, uri};

const TYPES: &str = "type Order { id: string }\n";

const SHIP: &str = r#"import { Order } from "./types.weave"

workflow ship(order: Order) -> string {
  step pack { emit ai.request { prompt: "{{.input.order.id}}" } }
  end done on pack = .input.order.id
}

workflow shop(order: Order) {
  step look { run ship { order: .input.order } }
  end done on look
}
"#;

/// The run may hang, which is a warning.
const SIZES: &str = r#"tool find(key: string) -> int

workflow sizes(key: string, size: int) -> int {
  step audit on start when .input.size > 3 { call find { key: "audit" } }
  step skip on start else = 0
  step work on audit | skip { call find { key: .input.key } }
  step more on work when .input.size > 5 { call find { key: "more" } }
  step less on work else { call find { key: "less" } }
  end big on all(audit, more) = .more
  end small on all(skip, less) = .less
}
"#;

struct Files;

impl Loader for Files {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        if path == "types.weave" { Ok(TYPES.into()) } else { Err(LoadError::NotFound) }
    }
}

/// What the compiler makes of the texts.
fn compiled(workflow: &str) -> Json {
    let all = check(vec![Input { path: "main.weave".to_owned(), text: SHIP.into() }], &Files).compile().unwrap();
    all.iter().find(|found| found.name == workflow).unwrap().definition.to_json_value().unwrap()
}

fn params(workflow: &str, format: &str) -> Json {
    json!({ "textDocument": { "uri": uri("/case/main.weave") }, "workflow": workflow, "format": format })
}

/// A client that has written both files and saved none, beside one with an error that neither imports.
fn client() -> Client {
    let disk = Memory::of([("/case/main.weave", ""), ("/case/types.weave", ""), ("/case/wrong.weave", "type Wrong { a: Unknown }\n")]);
    let mut client = Client::new(&disk, &["/case"]);
    client.open("/case/main.weave", SHIP);
    client.open("/case/types.weave", TYPES);
    client
}

fn refusal(client: &mut Client, method: &str, params: Json) -> String {
    let id = client.ask(method, params);
    let error = client.answer(id)["error"].clone();
    assert_eq!(error["code"], -32803, "the extension of VS Code shows what is refused with this code only");
    error["message"].as_str().unwrap().to_owned()
}

#[test]
fn the_definition_is_that_of_the_compiler_whatever_is_wrong_elsewhere() {
    let mut client = client();
    for workflow in ["ship", "shop"] {
        let answer = client.request("weave/definition", params(workflow, ""));
        assert_eq!(answer, json!({ "definition": compiled(workflow) }));
        // The keys stand in the order in which `weave compile` writes them.
        assert_eq!(answer["definition"].to_string(), compiled(workflow).to_string());
    }
    assert!(client.end());
}

#[test]
fn the_graph_comes_in_four_forms() {
    let mut client = client();
    for (format, start) in [("svg", "<svg "), ("mermaid", "flowchart "), ("dot", "digraph "), ("json", "{\n")] {
        let answer = client.request("weave/graph", params("ship", format));
        let text = answer[format].as_str().unwrap();
        assert!(text.starts_with(start) && text.contains("pack"), "{text}");
        assert_eq!(answer.as_object().unwrap().len(), 1);
    }
    let id = client.ask("weave/graph", params("ship", "png"));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    assert!(client.end());
}

#[test]
fn a_node_with_a_warning_is_marked() {
    let mut client = client();
    client.replace("/case/main.weave", SIZES);
    let answer = client.request("weave/graph", params("sizes", "json"));
    let graph: Json = serde_json::from_str(answer["json"].as_str().unwrap()).unwrap();
    let marked: Vec<_> = graph["workflows"][0]["nodes"].as_array().unwrap().iter().filter(|node| node.get("problems").is_some()).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!((&marked[0]["id"], &marked[0]["problems"][0]), (&json!("more"), &json!("the run deadlocks when `more` answers")));
    assert!(client.end());
}

#[test]
fn an_error_of_the_graph_is_shown_in_the_picture() {
    let mut client = client();
    let hanging = "tool find(key: string) -> int\n\nworkflow hang(key: string) {\n  step look { call find { key: .input.key } }\n}\n";
    client.replace("/case/main.weave", hanging);
    let answer = client.request("weave/graph", params("hang", "json"));
    let graph: Json = serde_json::from_str(answer["json"].as_str().unwrap()).unwrap();
    let nodes = graph["workflows"][0]["nodes"].as_array().unwrap();
    assert!(nodes.len() == 2 && nodes.iter().any(|node| node.get("problems").is_some()), "{graph}");
    assert!(refusal(&mut client, "weave/definition", params("hang", "")).contains("main.weave, line "));
    assert!(client.end());
}

#[test]
fn what_cannot_be_compiled_is_refused_with_the_reason() {
    let mut client = client();
    assert_eq!(
        refusal(&mut client, "weave/graph", params("shipp", "svg")),
        "main.weave declares no workflow `shipp`; did you mean `ship`?"
    );
    assert_eq!(
        refusal(&mut client, "weave/definition", params("pay", "")),
        "main.weave declares no workflow `pay`; it declares `ship`, `shop`"
    );
    client.replace("/case/types.weave", "type Order { id: strin }\n");
    let wrong = refusal(&mut client, "weave/graph", params("ship", "svg"));
    assert!(wrong.starts_with("types.weave, line 1: "), "{wrong}");
    client.replace("/case/main.weave", &SHIP.replace(".input.order.id\n", ".input.order.it\n"));
    client.replace("/case/types.weave", TYPES);
    let wrong = refusal(&mut client, "weave/definition", params("shop", ""));
    assert!(wrong.starts_with("main.weave, line 5: "), "{wrong}");
    let nowhere = json!({ "textDocument": { "uri": uri("/case/none.weave") }, "workflow": "ship", "format": "svg" });
    assert!(refusal(&mut client, "weave/graph", nowhere).contains("/case/none.weave"));
    assert!(client.end());
}

#[test]
fn the_tree_of_a_text_with_mistakes_is_shown() {
    let mut client = client();
    client.replace("/case/main.weave", "type A { b: int }\ntype {");
    let answer = client.request("weave/syntaxTree", json!({ "textDocument": { "uri": uri("/case/main.weave") } }));
    let tree = answer["tree"].as_str().unwrap();
    assert!(tree.contains("TypeDeclaration") && tree.contains("repaired"), "{tree}");
    assert!(client.end());
}
