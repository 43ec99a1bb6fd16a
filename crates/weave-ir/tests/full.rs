//! A definition that uses every key of the format: it is read, checked, written back byte for byte, and fits the published schema.

use serde_json::Value;
use weave_ir::{Definition, Error, Problem, json_schema};

const FULL: &str = include_str!("data/full.json");

#[test]
fn a_definition_comes_back_byte_for_byte() {
    let definition = Definition::from_json(FULL).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(definition.to_json_pretty().unwrap(), FULL);
    let compact = definition.to_json_compact().unwrap();
    assert_eq!(Definition::from_json(&compact).as_ref(), Ok(&definition));
    let canonical = definition.canonical().unwrap();
    let again = Definition::from_json(&canonical).unwrap();
    assert_eq!(again, definition);
    assert_eq!(again.digest(), definition.digest());
    assert_eq!(weave_ir::sha256(canonical.as_bytes()), definition.digest().unwrap());
}

#[test]
fn it_fits_the_published_schema() {
    let validator = jsonschema::draft202012::new(&json_schema()).unwrap();
    let full: Value = serde_json::from_str(FULL).unwrap();
    let errors: Vec<_> = validator.iter_errors(&full).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// Each key of the schema is used by the sample, so that a new key cannot come without a case.
#[test]
fn it_uses_every_key_of_the_schema() {
    let full: Value = serde_json::from_str(FULL).unwrap();
    let mut used = std::collections::BTreeSet::new();
    collect_keys(&full, &mut used);
    let schema = json_schema();
    let mut missing = Vec::new();
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => {
                if let Some(Value::Object(properties)) = entries.get("properties") {
                    missing.extend(properties.keys().filter(|key| !used.contains(key.as_str())));
                }
                open.extend(entries.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    assert_eq!(missing, Vec::<&String>::new());
}

fn collect_keys<'v>(value: &'v Value, keys: &mut std::collections::BTreeSet<&'v str>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                keys.insert(key);
                collect_keys(value, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

/// The sample with the value at `pointer` replaced, and the validation's opinion of it.
fn changed(pointer: &str, value: Value) -> Result<Definition, Error> {
    let mut full: Value = serde_json::from_str(FULL).unwrap_or_default();
    if let Some(place) = full.pointer_mut(pointer) {
        *place = value;
    } else if let Some((parent, key)) = pointer.rsplit_once('/')
        && let Some(Value::Object(entries)) = full.pointer_mut(parent)
    {
        entries.insert(key.to_owned(), value);
    }
    Definition::from_json(&full.to_string())
}

#[test]
fn what_does_not_hold_together_is_refused_at_its_place() {
    let cases = serde_json::json!([
        ["/nodes/13/id", "triage", "/nodes/13/id", "`triage` is the name of two nodes"],
        ["/nodes/13/id", "event", "/nodes/13/id", "`event` is reserved and cannot be the name of a node that answers"],
        ["/nodes/4/id", "result", "", ""],
        ["/nodes/1/on", "nobody", "/nodes/1/on", "`nobody` is not a node of this workflow"],
        ["/nodes/1/on", "no.topic", "/nodes/1/on", "`no.topic` is not a topic in `events`"],
        ["/nodes/1/on", "start", "/nodes/1/on", "`start` alone is left out: a node without `on` fires at the start"],
        ["/nodes/1/limit", 0, "/nodes/1/limit", "a limit is 1 at least"],
        ["/nodes/0/terminal", true, "/nodes/0", "a node has one action: `emit`, `await`, `cancel`, `output`, or `terminal` (with `outcome` or `output` at most)"],
        ["/nodes/0/match", {"expr": {"const": true, "type": "bool"}}, "/nodes/0/match", "`match` only goes with `await`"],
        ["/nodes/1/history", ["triage"], "/nodes/1/history", "`history` only goes with `emit` of `ai.request`"],
        ["/nodes/1/also", true, "", ""],
        ["/nodes/0/also", true, "/nodes/0/also", "`also` goes with `when`"],
        ["/nodes/1/else", true, "/nodes/1/else", "`else` stands alone"],
        ["/nodes/6/else", true, "/nodes/6/on", "with several triggers, a condition belongs to its trigger"],
        ["/nodes/0/payload/args/ticket", "{{.nobody}}", "/nodes/0/payload/args/ticket", "`nobody` is not a value that can be read here"],
        ["/nodes/0/payload/args/ticket", "{{ticket}}", "/nodes/0/payload/args/ticket", "`{{` opens no placeholder; a path begins with a dot, and a literal `{{` is written `{{\"{{\"}}` (at byte 0 of the template)"],
        ["/nodes/7/payload/digest", "sha256:0", "/nodes/7/payload/digest", "this is not the digest of `billing` in `workflows`"],
        ["/nodes/14/each/in", "x{{.plan.urls}}", "/nodes/14/each/in", "the list is one placeholder and nothing else"],
        ["/nodes/14/each/as", "plan", "/nodes/14/each/as", "`plan` cannot be the name of an element"],
        ["/nodes/16/on/count", 4, "/nodes/16/on/count", "4 of 3 steps cannot be"],
        ["/nodes/16/on/of/1", "fetch", "/nodes/16/on/of/1", "`fetch` is named twice"],
        ["/nodes/16/on/per", "nobody", "/nodes/16/on/per", "`nobody` is not a node of this workflow"],
        ["/nodes/5/when/expr/type", "json", "/nodes/5/when/expr/type", "the operator has no meaning for this type"],
        ["/nodes/5/when/expr/args/1/const", "1e2", "/nodes/5/when/expr/args/1/const", "the constant is not of its type"],
        ["/nodes/15/when/expr/args/9/body/body/args/0/var", "x", "/nodes/15/when/expr/args/9/body/body/args/0/var", "`x` is not a variable of an enclosing `exists` or `all`"],
        ["/nodes/15/when/expr/args/4/args", [{"const": "a", "type": "string"}], "/nodes/15/when/expr/args/4/args", "the operator takes another number of operands"],
        ["/nodes/15/when/expr/args/7/args/1", {"path": ["event", "a"], "type": "string"}, "/nodes/15/when/expr/args/7/args", "the pattern of `matches` is a constant string"],
        ["/tools/refund/fails", ["lost"], "/tools/refund/fails/0", "`lost` is not an error in `errors`, nor a built-in kind of failure"],
        ["/tools/refund/kind", "remote", "/tools/refund/kind", "a tool is `remote` if and only if `at` or `from` sets its location"],
        ["/tools/refund/retry", {"max": 1, "cap": "PT1S"}, "/tools/refund/retry/cap", "`cap` needs a `base`"],
        ["/tools/refund/output", {"$ref": "#/$defs/Nothing"}, "/tools/refund/output/$ref", "`#/$defs/Nothing` is not a schema in `$defs`"],
        ["/agents/writer/prompt", "nobody", "/agents/writer/prompt", "`nobody` is not a prompt in `prompts`"],
        ["/agents/writer/tools/0/tool", "nobody", "/agents/writer/tools/0/tool", "`nobody` is not declared under `tools`"],
        ["/toolkits/desk/tools/0/tool", "nobody", "/toolkits/desk/tools/0/tool", "`nobody` is not declared under `tools`"],
        ["/toolkits/everything/tools/0/toolkit", "nobody", "/toolkits/everything/tools/0/toolkit", "`nobody` is not declared under `toolkits`"],
        ["/toolkits/desk/tools", [{"toolkit": "everything"}], "/toolkits/everything", "`desk` contains itself"],
        ["/agents/writer/tools/1/name", "desk__find_order", "/agents/writer/tools/1", "`desk__find_order` is offered twice"],
        ["/prompts/hello/text", "{{.a}}", "/prompts/hello/tier", "a `static` prompt has no placeholder"],
        ["/prompts/hello/tier", "dynamic", "/prompts/hello/tier", "a prompt is `dynamic` if it has `hydrates`, and only then"],
        ["/events/ai.request/answers", ["ai.nothing"], "/events/ai.request/answers/0", "`ai.nothing` is not a topic in `events`"],
    ]);
    for case in cases.as_array().unwrap() {
        let [pointer, value, place, message] = case.as_array().unwrap().as_slice() else { panic!("{case}") };
        let found = match changed(pointer.as_str().unwrap(), value.clone()) {
            Ok(_) => Problem::new("", ""),
            Err(Error::Invalid { problems }) => problems[0].clone(),
            Err(error) => panic!("{case}: {error}"),
        };
        assert_eq!(found, Problem::new(place.as_str().unwrap(), message.as_str().unwrap()), "{case}");
    }
}

#[test]
fn a_wrong_shape_names_its_place() {
    for (pointer, value, message) in [
        ("/nodes/0/emitt", Value::from("x"), "nodes[0].emitt: unknown field `emitt`, expected one of"),
        ("/nodes/0/timeout", Value::from("2m"), "nodes[0].timeout: `2m` is not a duration in the form PT#H#M#S"),
        ("/nodes/1/on", serde_json::json!({ "all": [] , "x": 1 }), "nodes[1].on: `on` is the name of a step, a topic, a trigger object"),
        ("/nodes/5/when/expr/args/0/type", Value::Null, "nodes[5].when.expr.args[0]: an expression is one of const + type"),
        ("/nodes/5/when/expr/op", Value::from("~"), "nodes[5].when.expr: unknown variant `~`, expected one of `&&`"),
        ("/tools/refund/mode", Value::from("loud"), "tools.refund.mode: unknown variant `loud`"),
        ("/weave", Value::from("2"), "the file is of format 2, and this program reads format 1"),
        ("/weave", Value::from(1), "the file is of format 1, and"),
        ("/meta/big", Value::from(9_007_199_254_740_992u64), "the number 9007199254740992 is beyond"),
    ] {
        let error = changed(pointer, value).unwrap_err().to_string();
        assert!(error.starts_with(message), "{pointer}: {error}");
    }
}

#[test]
fn a_definition_has_one_form() {
    for (pointer, value) in [
        ("/nodes/0/terminal", Value::Bool(false)),
        ("/nodes/0/cancel", Value::Array(Vec::new())),
        ("/events/ai.request/answers", Value::Array(Vec::new())),
        ("/events/ai.request/description", Value::Null),
        ("/events/approval.requested/answers", serde_json::json!(["approval.granted", "approval.denied"])),
    ] {
        assert_eq!(changed(pointer, value).map(|_| ()), Err(Error::NotNormal { pointer: first_difference_of(pointer) }), "{pointer}");
    }
    // The order of keys is no part of the meaning.
    let sorted: std::collections::BTreeMap<String, Value> = serde_json::from_str(FULL).unwrap();
    let sorted = serde_json::to_string(&sorted).unwrap();
    let read = Definition::from_json(&sorted).unwrap();
    assert_eq!(read.to_json_pretty().unwrap(), FULL);
}

fn first_difference_of(pointer: &str) -> String {
    if pointer == "/events/approval.requested/answers" { format!("{pointer}/0") } else { pointer.to_owned() }
}

#[test]
fn a_changed_guard_or_payload_changes_the_digest() {
    let digest = Definition::from_json(FULL).unwrap().digest().unwrap();
    for (pointer, value) in [
        ("/nodes/5/when/expr/args/1/const", Value::from("101")),
        ("/nodes/0/payload/args/ticket", Value::from("{{.input}}")),
        ("/tools/refund/description", Value::from("Other.")),
    ] {
        assert_ne!(changed(pointer, value).unwrap().digest().unwrap(), digest, "{pointer}");
    }
}

#[test]
fn each_schema_of_the_sample_is_one_and_none_is_forgotten() {
    let definition = Definition::from_json(FULL).unwrap();
    let schemas = definition.schemas();
    let full: Value = serde_json::from_str(FULL).unwrap();
    for (pointer, schema) in &schemas {
        assert_eq!(full.pointer(pointer), Some(schema.as_value()), "{pointer}");
        assert!(jsonschema::draft202012::meta::is_valid(schema.as_value()), "{pointer}");
    }
    assert_eq!(schemas.len(), 2 + 8 * 2 + 2 + 2 * 2 + 3 + 1 + 14 + 1 + 2 + 5 + 4);
}
