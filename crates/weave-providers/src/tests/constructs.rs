//! What a construct becomes.

use serde_json::{Value, json};
use weave_ir::Reason;

use super::{arguments, defs, property, reasons, record, said};
use crate::Provider::{Anthropic, Gemini, Mcp, OpenAi};
use crate::{Projection, Provider, Role, project};

/// A construct as each provider is told it; `None`: as it is.
fn each(schema: Value, openai: Option<Value>, anthropic: Option<Value>, gemini: Option<Value>) {
    for (provider, told) in [(OpenAi, openai), (Anthropic, anthropic), (Gemini, gemini), (Mcp, None)] {
        let (found, lost) = property(schema.clone(), provider);
        assert_eq!(found, told.clone().unwrap_or_else(|| schema.clone()), "{provider:?}");
        assert!(lost.is_empty() || told.is_some(), "{provider:?}: {lost:?}");
    }
}

#[test]
fn plain_scalars_are_told_as_they_are() {
    for ty in ["string", "number", "boolean"] {
        each(json!({ "type": ty }), None, None, None);
    }
    each(json!({ "type": "string", "enum": ["a", "b"] }), None, None, None);
    each(json!({ "type": "array", "items": { "type": "string" } }), None, None, None);
    each(json!({ "type": "string", "format": "date-time" }), None, None, None);
    each(json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), None, None, None);
}

#[test]
fn whole_numbers() {
    let greatest = (1_i64 << 53) - 1;
    let int = json!({ "type": "integer", "minimum": -greatest, "maximum": greatest });
    // Bounds that every reader of JSON has anyway are no loss.
    each(int.clone(), None, Some(json!({ "type": "integer" })), None);
    assert_eq!(property(int, Anthropic).1, Vec::<String>::new());
    let small = json!({ "description": "How many.", "type": "integer", "minimum": 1, "maximum": 9 });
    each(small.clone(), None, Some(json!({ "description": "How many.\n\nAt least 1. At most 9.", "type": "integer" })), None);
    assert_eq!(property(small, Anthropic).1, ["/properties/x/minimum: Description", "/properties/x/maximum: Description"]);
}

#[test]
fn text_with_constraints() {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[a-z]+$" });
    let all = "At least 1 character. At most 80 characters. Matches the regular expression `^[a-z]+$`.";
    each(
        text,
        Some(json!({ "description": "At least 1 character. At most 80 characters.", "type": "string", "pattern": "^[a-z]+$" })),
        Some(json!({ "description": all, "type": "string" })),
        Some(json!({ "description": all, "type": "string" })),
    );
}

#[test]
fn formats() {
    let uri = json!({ "type": "string", "format": "uri" });
    let words = json!({ "description": "A URI.", "type": "string" });
    each(uri, Some(words.clone()), None, Some(words));
    let uuid = json!({ "type": "string", "format": "uuid" });
    each(uuid, None, None, Some(json!({ "description": "A UUID.", "type": "string" })));
    let decimal = json!({ "type": "string", "format": "decimal", "pattern": "^-?[0-9]+(\\.[0-9]+)?$", "x-weave-min": "0" });
    let words = "A decimal number as a string, such as \"12.50\". At least 0.";
    each(
        decimal,
        Some(json!({ "description": words, "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" })),
        Some(json!({ "description": words, "type": "string" })),
        Some(json!({ "description": words, "type": "string" })),
    );
    let bytes = json!({ "type": "string", "contentEncoding": "base64", "maxLength": 8, "x-weave-max": 6 });
    let told = json!({ "description": "Bytes in base64. At most 6 bytes.", "type": "string" });
    each(bytes, Some(told.clone()), Some(told.clone()), Some(told));
}

#[test]
fn constants() {
    each(json!({ "type": "string", "const": "a" }), None, None, Some(json!({ "type": "string", "enum": ["a"] })));
    each(json!({ "type": "boolean", "const": true }), None, None, Some(json!({ "description": "Always true.", "type": "boolean" })));
    each(json!({ "type": "integer", "enum": [1, 2] }), None, None, None);
}

#[test]
fn lists_with_constraints() {
    let list = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 5, "uniqueItems": true });
    let items = json!({ "type": "string" });
    each(
        list,
        Some(json!({ "description": "No two items are equal.", "type": "array", "items": items, "minItems": 2, "maxItems": 5 })),
        Some(json!({ "description": "At least 2 items. At most 5 items. No two items are equal.", "type": "array", "items": items })),
        Some(json!({ "description": "No two items are equal.", "type": "array", "items": items, "minItems": 2, "maxItems": 5 })),
    );
    each(json!({ "type": "array", "items": items, "minItems": 1 }), None, None, None);
}

#[test]
fn annotations_are_no_loss() {
    let schema = json!({ "type": "string", "deprecated": true, "x-weave-deprecated": "Use y.", "writeOnly": true, "x-weave-secret": true });
    let told = json!({ "description": "Deprecated: Use y.", "type": "string" });
    each(schema.clone(), Some(told.clone()), Some(told.clone()), Some(told));
    assert!(property(schema, OpenAi).1.is_empty());
}

#[test]
fn what_may_be_left_out_may_be_null_for_openai() {
    let told = |schema: Value| arguments(record(schema, false), OpenAi);
    let cases = [
        (json!({ "type": "string" }), json!({ "type": ["string", "null"] })),
        (json!({ "type": "string", "enum": ["a"] }), json!({ "anyOf": [{ "type": "string", "enum": ["a"] }, { "type": "null" }] })),
        (
            json!({ "description": "Who.", "type": "array", "items": { "type": "string" } }),
            json!({ "description": "Who.", "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "null" }] }),
        ),
        (json!({ "type": "integer", "default": 10 }), json!({ "description": "Default: 10.", "type": ["integer", "null"] })),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "number" }, { "type": "null" }] }),
        ),
    ];
    for (schema, expected) in cases {
        let projection = told(schema);
        assert_eq!(projection.schema["properties"]["x"], expected);
        assert_eq!(projection.schema["required"], json!(["x"]));
    }
    // Where null means something already, nothing is left to say that there is none.
    let projection = told(json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }));
    assert_eq!(said(&projection), ["/properties/x: Rewritten"]);
    assert_eq!(arguments(record(json!({ "type": "string" }), false), Anthropic).schema.get("required"), None);
}

#[test]
fn no_parameters() {
    let none = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(arguments(none.clone(), OpenAi).schema["required"], json!([]));
    for provider in [Anthropic, Gemini, Mcp] {
        assert_eq!(arguments(none.clone(), provider).schema, none);
    }
}

#[test]
fn maps_and_open_records_and_anything() {
    let map = record(json!({ "type": "object", "additionalProperties": { "type": "string", "maxLength": 3 } }), true);
    let open = record(json!({ "type": "object", "properties": {}, "additionalProperties": true }), true);
    let any = record(json!({ "description": "Whatever." }), true);
    for provider in [OpenAi, Anthropic] {
        assert_eq!(reasons(&arguments(map.clone(), provider)), [Reason::Map]);
        assert_eq!(reasons(&arguments(open.clone(), provider)), [Reason::Open]);
        assert_eq!(reasons(&arguments(any.clone(), provider)), [Reason::Anything]);
        assert_eq!(arguments(map.clone(), provider).refusals[0].at, "/properties/x");
    }
    for provider in [Gemini, Mcp] {
        assert!(reasons(&arguments(open.clone(), provider)).is_empty());
        assert!(reasons(&arguments(any.clone(), provider)).is_empty());
    }
    let told = arguments(map, Gemini);
    assert_eq!(
        told.schema["properties"]["x"],
        json!({ "type": "object", "additionalProperties": { "description": "At most 3 characters.", "type": "string" } })
    );
    assert_eq!(said(&told), ["/properties/x/additionalProperties/maxLength: Description"]);
}

#[test]
fn tagged_unions_keep_their_tags_first() {
    let variant = |name: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "type": "string", "const": name }, "n": { "type": "number" } },
            "required": ["kind", "n"],
            "additionalProperties": false,
        })
    };
    let union = json!({ "anyOf": [variant("a"), variant("b")], "x-weave-tag": "kind" });
    let told = json!({ "anyOf": [variant("a"), variant("b")] });
    let (found, lost) = property(union.clone(), OpenAi);
    assert_eq!((found, lost.len()), (told.clone(), 0));
    assert_eq!(property(union.clone(), Anthropic).0, told);
    assert_eq!(property(union, Gemini).0["anyOf"][1]["properties"]["kind"], json!({ "type": "string", "enum": ["b"] }));
}

#[test]
fn records_that_begin_alike() {
    let named = |name: &str| record(json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": format!("#/$defs/{name}") }] }), true);
    let types = defs(&[
        ("A", record(json!({ "type": "string" }), true)),
        ("B", record(json!({ "type": "number" }), true)),
        ("C", json!({ "type": "object", "properties": { "y": { "type": "string" } }, "required": ["y"], "additionalProperties": false })),
    ]);
    let of = |name: &str, provider: Provider| reasons(&project(&named(name).into(), &types, provider, Role::Arguments));
    assert_eq!(of("B", OpenAi), [Reason::SameFirstKey]);
    assert_eq!(of("C", OpenAi), []);
    assert_eq!(of("B", Anthropic), []);
}

#[test]
fn one_of_becomes_any_of_and_a_lone_part_is_taken_out() {
    assert_eq!(property(json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }), OpenAi).0["anyOf"][1], json!({ "type": "null" }));
    assert_eq!(property(json!({ "allOf": [{ "type": "string" }] }), OpenAi).0, json!({ "type": "string" }));
    let two = record(json!({ "allOf": [{ "type": "string" }, { "enum": ["a"] }] }), true);
    assert_eq!(reasons(&arguments(two, OpenAi)), [Reason::Keyword]);
    assert_eq!(property(json!({ "type": "string", "not": { "const": "a" } }), OpenAi).1, ["/properties/x/not: Dropped"]);
}

#[test]
fn references_stand_alone() {
    let schema = record(json!({ "description": "The order.", "$ref": "#/$defs/Order" }), true);
    let types = defs(&[("Order", record(json!({ "type": "string", "maxLength": 9 }), true)), ("Unused", json!({}))]);
    let of = |provider| project(&schema.clone().into(), &types, provider, Role::Arguments);
    for provider in [OpenAi, Anthropic, Gemini] {
        let Projection { schema, losses, refusals, .. } = of(provider);
        assert_eq!(schema["properties"]["x"], json!({ "description": "The order.", "anyOf": [{ "$ref": "#/$defs/Order" }] }));
        assert_eq!(schema["$defs"].as_object().unwrap().len(), 1);
        assert_eq!(losses[0].at, "/$defs/Order/properties/x/maxLength");
        assert!(refusals.is_empty());
    }
    assert_eq!(of(Mcp).schema["properties"], schema["properties"]);
    assert_eq!(of(Mcp).schema["$defs"]["Order"], types["Order"].0);
    let lost = project(&record(json!({ "$ref": "#/$defs/None" }), true).into(), &types, OpenAi, Role::Arguments);
    assert_eq!(reasons(&lost), [Reason::Reference]);
}

#[test]
fn answers_that_are_no_objects_are_wrapped() {
    let types = defs(&[
        ("Order", record(json!({ "type": "string" }), true)),
        ("Orders", json!({ "type": "array", "items": { "$ref": "#/$defs/Order" } })),
    ]);
    let of = |schema: Value, provider| project(&schema.into(), &types, provider, Role::Answer);
    for provider in [OpenAi, Anthropic, Gemini] {
        let orders = of(json!({ "$ref": "#/$defs/Orders" }), provider);
        assert!(orders.wrapped);
        assert_eq!(orders.schema["properties"], json!({ "value": { "$ref": "#/$defs/Orders" } }));
        assert_eq!((&orders.schema["required"], &orders.schema["additionalProperties"]), (&json!(["value"]), &json!(false)));
        let order = of(json!({ "$ref": "#/$defs/Order" }), provider);
        assert_eq!((order.wrapped, &order.schema["type"]), (false, &json!("object")));
        let map = of(json!({ "type": "object", "additionalProperties": { "type": "string" } }), provider);
        assert!(map.wrapped);
    }
    assert!(!of(json!({ "type": "string" }), Mcp).wrapped);
    let text = of(json!({ "type": "string", "maxLength": 5 }), OpenAi);
    assert_eq!(said(&text), ["/maxLength: Description"]);
}
