//! Made-up values fit their schemas, as the runner holds values to them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use weave_ir::{Definition, Schema};
use weave_runner::validator;
use weave_sample::{Choice, Partial, Sampler};

fn definition(schema: Value, defs: Value) -> Definition {
    let defs = serde_json::from_value(defs).unwrap();
    Definition { defs, ..Definition::new("w", Schema(schema), Schema::anything()) }
}

/// The definition with guards on `.input`.
fn guarded(schema: Value, guards: Value) -> Definition {
    let nodes: Vec<_> = guards
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(index, expr)| json!({ "id": format!("n{index}"), "when": { "expr": expr }, "terminal": true }))
        .collect();
    Definition { nodes: serde_json::from_value(nodes.into()).unwrap(), ..definition(schema, json!({})) }
}

fn fits(definition: &Definition, value: &Value) -> bool {
    let mut schema = json!({ "$defs": definition.defs, "allOf": [definition.input.0] });
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    validator(&schema).unwrap().is_valid(value)
}

fn compare(op: &str, key: &str, kind: &str, value: Value) -> Value {
    json!({ "op": op, "type": kind, "args": [{ "path": ["input", key], "type": kind }, { "const": value, "type": kind }] })
}

fn input(definition: &Definition, choice: Choice) -> Value {
    let mut choice = choice;
    Sampler::new(definition).value(&definition.input, &mut choice).unwrap()
}

#[test]
fn fillings_are_on_both_sides_of_constants() {
    for (kind, schema, op, constant, low, high) in [
        ("decimal", json!({ "type": "string", "format": "decimal" }), ">", json!("100"), json!("100"), json!("101")),
        ("decimal", json!({ "type": "string", "format": "decimal" }), ">=", json!("100.5"), json!("99.5"), json!("100.5")),
        ("int", json!({ "type": "integer" }), "<", json!(3), json!(2), json!(3)),
        ("int", json!({ "type": "integer", "minimum": 1 }), "==", json!(3), json!(4), json!(3)),
        ("float", json!({ "type": "number", "minimum": 0, "maximum": 1 }), ">", json!(0.8), json!(0.8), json!(1.0)),
        ("string", json!({ "type": "string" }), "==", json!("x"), json!("n"), json!("x")),
        ("string", json!({ "enum": ["a", "b", "c"] }), "==", json!("c"), json!("a"), json!("c")),
        ("string", json!({ "enum": ["a", "b", "c"] }), "==", json!("a"), json!("a"), json!("b")),
        ("date", json!({ "type": "string", "format": "date" }), "<", json!("2026-01-31"), json!("2001-01-01"), json!("2026-01-31")),
    ] {
        let schema = json!({ "type": "object", "properties": { "n": schema }, "required": ["n"] });
        let definition = guarded(schema, json!([compare(op, "n", kind, constant)]));
        let found = [input(&definition, Choice::Filling(0)), input(&definition, Choice::Filling(1))];
        assert_eq!(found, [json!({ "n": low }), json!({ "n": high })], "{op} {kind}");
    }
}

#[test]
fn sizes_and_tags_and_null_have_two_sides_too() {
    let schema = json!({ "type": "object", "required": ["list", "pay", "none"], "properties": {
        "list": { "type": "array", "items": { "type": "integer" } },
        "pay": { "anyOf": [
            { "type": "object", "properties": { "by": { "const": "card" } }, "required": ["by"] },
            { "type": "object", "properties": { "by": { "const": "wire" } }, "required": ["by"] },
            { "type": "object", "properties": { "by": { "const": "cash" } }, "required": ["by"] } ] },
        "none": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } });
    let size = json!({ "op": "size", "type": "list", "args": [{ "path": ["input", "list"], "type": "list" }] });
    let more = json!({ "op": ">", "type": "int", "args": [size, { "const": 4, "type": "int" }] });
    let definition =
        guarded(schema, json!([more, compare("==", "by", "string", json!("cash")), compare("==", "none", "null", Value::Null)]));
    let (one, other) = (input(&definition, Choice::Filling(0)), input(&definition, Choice::Filling(1)));
    let seen = |value: &Value| (value["list"].as_array().unwrap().len(), value["pay"]["by"].clone(), value["none"].is_null());
    assert_eq!((seen(&one), seen(&other)), ((4, json!("card"), false), (5, json!("cash"), true)));
}

#[test]
fn what_is_given_stays_and_the_example_comes_first() {
    let line = json!({ "type": "object", "properties": { "sku": { "type": "string" }, "left": { "type": "integer" } }, "required": ["sku", "left"] });
    let schema = json!({ "type": "object", "required": ["id", "lines"], "properties": {
        "id": { "type": "string" }, "note": { "type": "string" }, "lines": { "type": "array", "items": line } } });
    let definition = definition(schema, json!({}));
    let sampler = Sampler::new(&definition);
    let given = Partial::Object {
        entries: vec![(
            "lines".to_owned(),
            Partial::List(vec![Partial::Object { entries: vec![("sku".to_owned(), Partial::Whole(json!("A")))], open: true }]),
        )],
        open: true,
    };
    let made =
        sampler.complete(&definition.input, Some(&given), Some(&json!({ "id": "A-17", "lines": [] })), &mut Choice::Filling(1)).unwrap();
    assert_eq!(made.value, json!({ "id": "A-17", "lines": [{ "sku": "A", "left": 2 }] }));
    assert_eq!(made.invented, ["/lines/0/left"]);
    let whole = sampler.complete(&definition.input, None, None, &mut Choice::Filling(0)).unwrap();
    assert_eq!(whole.invented, [""]);
    let closed = Partial::Object { entries: vec![("id".to_owned(), Partial::Whole(json!("x")))], open: false };
    assert_eq!(sampler.complete(&definition.input, Some(&closed), None, &mut Choice::Filling(0)).unwrap().value, json!({ "id": "x" }));
}

#[test]
fn types_that_contain_themselves_end() {
    let node = json!({ "type": "object", "properties": { "value": { "type": "integer" },
        "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] },
        "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } } }, "required": ["value", "next", "children"] });
    let endless = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Endless" } }, "required": ["next"] });
    let definition = definition(json!({ "$ref": "#/$defs/Node" }), json!({ "Node": node, "Endless": endless }));
    for filling in 0..8 {
        assert!(fits(&definition, &input(&definition, Choice::Filling(filling))));
    }
    assert_eq!(Sampler::new(&definition).value(&Schema::reference("Endless"), &mut Choice::Filling(0)), None);
    assert_eq!(Sampler::new(&definition).value(&Schema::reference("Gone"), &mut Choice::Filling(0)), None);
}

/// Any schema as the compiler writes them, of this depth at most.
fn schema() -> impl Strategy<Value = Value> {
    let bounds = (0i64..20, 0i64..20).prop_map(|(one, other)| (one.min(other), one.max(other)));
    let leaf = prop_oneof![
        bounds.clone().prop_map(|(least, most)| json!({ "type": "integer", "minimum": least, "maximum": most })),
        bounds.clone().prop_map(|(least, most)| json!({ "type": "number", "minimum": least, "maximum": most })),
        bounds.clone().prop_map(|(least, most)| json!({ "type": "string", "minLength": least, "maxLength": most })),
        bounds.clone().prop_map(|(least, most)| json!({ "type": "string", "format": "decimal", "pattern": "^-?[0-9]+(\\.[0-9]+)?$",
            "x-weave-min": least.to_string(), "x-weave-max": most.to_string() })),
        bounds.clone().prop_map(|(least, most)| json!({ "type": "string", "format": "int64",
            "x-weave-min": least.to_string(), "x-weave-max": most.to_string() })),
        bounds.prop_map(|(least, most)| json!({ "type": "string", "contentEncoding": "base64",
            "x-weave-min": least, "x-weave-max": most })),
        prop::sample::select(vec!["uuid", "uri", "email", "date", "date-time", "duration"])
            .prop_map(|format| json!({ "type": "string", "format": format })),
        prop::sample::select(vec!["^[A-Z]{2}-[0-9]+$", "^[a-z][a-z0-9-]*$", "^(a|b)+$"])
            .prop_map(|pattern| json!({ "type": "string", "pattern": pattern, "minLength": 4, "maxLength": 30 })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "null" })),
        Just(json!({})),
        Just(json!({ "enum": ["red", "green", 3, null] })),
        Just(json!({ "const": "only" })),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0u64..4, 0u64..4).prop_map(|(items, least, more)| {
                json!({ "type": "array", "items": items, "minItems": least, "maxItems": least + more })
            }),
            inner.clone().prop_map(|values| json!({ "type": "object", "additionalProperties": values, "minProperties": 2 })),
            inner.clone().prop_map(|some| json!({ "anyOf": [some, { "type": "null" }] })),
            prop::collection::btree_map("[a-d]", (inner, any::<bool>()), 0..4).prop_map(|entries| {
                let required: BTreeSet<_> = entries.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name.clone()).collect();
                let properties: serde_json::Map<_, _> = entries.into_iter().map(|(name, (schema, _))| (name, schema)).collect();
                json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn values_fit_their_schemas(schema in schema(), seed in any::<u64>(), filling in 0u32..6) {
        let definition = definition(schema, json!({}));
        for choice in [Choice::Filling(filling), Choice::Random(seed)] {
            let value = input(&definition, choice.clone());
            prop_assert!(fits(&definition, &value), "{value}");
            prop_assert_eq!(value, input(&definition, choice));
        }
    }
}
