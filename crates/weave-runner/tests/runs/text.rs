//! Payloads and text: rule 32.

use serde_json::{Value, json};

use crate::world::{World, flow};

fn rendered(output: Value, input: Value) -> Value {
    let world = World::start(&flow(json!([{ "id": "done", "output": output, "terminal": true }])), input);
    world.data("@done")["output"].clone()
}

#[test]
fn placeholders_keep_types_and_text_mixes() {
    let input = json!({ "s": "x", "n": 1.5, "b": true, "l": [1, { "b": 1, "a": 2 }], "z": null });
    for (output, expected) in [
        (json!("{{.input.n}}"), json!(1.5)),
        (json!("n is {{.input.n}}"), json!("n is 1.5")),
        (json!("{{.input.s}}{{.input.b}}{{.input.z}}"), json!("xtruenull")),
        (json!("{{.input.l}}!"), json!("[1,{\"a\":2,\"b\":1}]!")),
        (json!({ "a": "{{.input.no}}", "b": ["{{.input.no}}"], "c": "{{.input.no ?? 3}}" }), json!({ "b": [null], "c": 3 })),
        (json!("{{.input.no}}"), Value::Null),
        (json!("{{.input.z ?? \"d\"}}"), json!("d")),
        (json!({ "{{.input.s}}": 1 }), json!({ "{{.input.s}}": 1 })),
        (json!("{{\"{{\"}}.input.s}}"), json!("{{.input.s}}")),
    ] {
        assert_eq!(rendered(output.clone(), input.clone()), expected, "{output}");
    }
}

#[test]
fn values_are_never_templates() {
    assert_eq!(rendered(json!("<{{.input.s}}>"), json!({ "s": "{{.input.secret}}", "secret": "no" })), json!("<{{.input.secret}}>"));
}
