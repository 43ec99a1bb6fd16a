//! The published JSON Schema is current, valid, and refuses what the types refuse.

#![allow(clippy::disallowed_methods, reason = "a test may touch files")]

use serde_json::{Value, json};
use weave_ir::{json_schema, json_schema_text};

#[test]
fn the_checked_in_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/definition.schema.json");
    let current = json_schema_text();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &current).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == current, "definition.schema.json is stale; run `BLESS=1 cargo test -p weave-ir` and review the difference");
}

#[test]
fn it_is_a_schema_of_draft_2020_12() {
    let schema = json_schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
}

#[test]
fn it_refuses_what_is_no_definition() {
    let validator = jsonschema::draft202012::new(&json_schema()).unwrap();
    let full: Value = serde_json::from_str(include_str!("data/full.json")).unwrap();
    for (pointer, value) in [
        ("/weave", json!("2")),
        ("/workflow", json!("not a name")),
        ("/nodes/0/id", json!("a.b")),
        ("/nodes/0/emit", json!("topic")),
        ("/nodes/0/timeout", json!("P1D")),
        ("/nodes/0/timeout", json!("PT")),
        ("/nodes/0/timeout", json!("PT60S")),
        ("/nodes/1/on", json!({ "nothing": 1 })),
        ("/nodes/1/when/expr/op", json!("~")),
        ("/nodes/4/else", json!(false)),
        ("/nodes/1/retry/on", json!(["timeout", "timeout"])),
        ("/tools/refund/kind", json!("other")),
        ("/tools/refund/input", json!("schema")),
        ("/workflows/billing/digest", json!("md5:0")),
    ] {
        let mut changed = full.clone();
        *changed.pointer_mut(pointer).unwrap() = value.clone();
        assert!(!validator.is_valid(&changed), "{pointer} = {value}");
    }
    assert!(!validator.is_valid(&json!({})) && !validator.is_valid(&json!([])));
}

#[test]
fn durations_of_the_schema_are_those_of_the_type() {
    let pattern = json_schema()["$defs"]["Duration"].clone();
    let validator = jsonschema::draft202012::new(&pattern).unwrap();
    let parts = ["", "0", "1", "5", "9", "10", "59", "60", "061", "100"];
    for hours in parts {
        for minutes in parts {
            for seconds in ["", "0", "7", "59", "60", "0.2", "0.20", "0.02", "1.234", "1.2345", "0.0"] {
                let part = |number: &str, unit: &str| if number.is_empty() { String::new() } else { format!("{number}{unit}") };
                let text = format!("PT{}{}{}", part(hours, "H"), part(minutes, "M"), part(seconds, "S"));
                let read = text.parse::<weave_ir::Duration>().is_ok();
                assert_eq!(validator.is_valid(&Value::from(text.as_str())), read, "{text}");
            }
        }
    }
}
