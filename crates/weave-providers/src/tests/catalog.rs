//! Tools in each form of a catalog.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use weave_ir::{Activation, Duration, Example, Hint, Reason, Retry, Schema, Tool, ToolKind};

use super::{defs, record};
use crate::{Callable, Catalog, CatalogEntry, CatalogFormat, LeftOut, catalog};

fn tool(input: Value, output: Value) -> Tool {
    Tool::new(ToolKind::Local, Schema(input), Schema(output))
}

fn entry(name: &str, tool: Tool) -> CatalogEntry {
    CatalogEntry { name: name.to_owned(), declared: Callable::Tool, declared_name: "declared".to_owned(), tool }
}

fn one(name: &str, tool: Tool, format: CatalogFormat) -> Value {
    let document = catalog(&Catalog { entries: vec![entry(name, tool)], defs: BTreeMap::new() }, format);
    assert_eq!(document.left_out, []);
    document.json
}

fn nothing() -> Value {
    json!({ "type": "null" })
}

#[test]
fn what_is_not_said_is_absent() {
    let input = record(json!({ "type": "string" }), true);
    let made = |format| one("t", tool(input.clone(), nothing()), format);
    assert_eq!(
        made(CatalogFormat::Mcp),
        json!({ "tools": [{ "name": "t", "inputSchema": input, "_meta": { "x-weave": { "kind": "local", "id": "declared" } } }] })
    );
    assert_eq!(made(CatalogFormat::OpenAi), json!([{ "type": "function", "name": "t", "parameters": input, "strict": true }]));
    assert_eq!(
        made(CatalogFormat::OpenAiChat),
        json!([{ "type": "function", "function": { "name": "t", "parameters": input, "strict": true } }])
    );
    assert_eq!(made(CatalogFormat::Anthropic), json!([{ "name": "t", "input_schema": input, "strict": true }]));
    assert_eq!(made(CatalogFormat::Gemini), json!([{ "functionDeclarations": [{ "name": "t", "parametersJsonSchema": input }] }]));
}

#[test]
fn hints_are_all_said_or_none() {
    let mut hinted = tool(record(json!({ "type": "string" }), true), nothing());
    hinted.hints = Some(BTreeSet::from([Hint::Idempotent]));
    assert_eq!(
        one("t", hinted, CatalogFormat::Mcp)["tools"][0]["annotations"],
        json!({ "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
    );
}

#[test]
fn what_strict_mode_refuses_goes_without_it() {
    let map = record(json!({ "type": "object", "additionalProperties": { "type": "string" } }), true);
    let openai = one("t", tool(map.clone(), nothing()), CatalogFormat::OpenAi);
    assert_eq!((&openai[0]["strict"], &openai[0]["parameters"]), (&json!(false), &map));
    let anthropic = one("t", tool(map.clone(), nothing()), CatalogFormat::Anthropic);
    assert_eq!((anthropic[0].get("strict"), &anthropic[0]["input_schema"]), (None, &map));
}

#[test]
fn an_optional_property_is_told_as_each_provider_wants_it() {
    let optional = record(json!({ "type": "integer", "minimum": 1 }), false);
    let openai = one("t", tool(optional.clone(), nothing()), CatalogFormat::OpenAi);
    assert_eq!(openai[0]["parameters"]["required"], json!(["x"]));
    let mut lax = tool(optional.clone(), nothing());
    lax.strict = false;
    assert_eq!(one("t", lax, CatalogFormat::OpenAi)[0]["parameters"], optional);
    let anthropic = one("t", tool(optional, nothing()), CatalogFormat::Anthropic);
    assert_eq!(anthropic[0]["input_schema"]["properties"]["x"], json!({ "type": "integer", "description": "At least 1." }));
}

#[test]
fn gemini_leaves_out_what_it_refuses() {
    let tree = json!({
        "type": "object",
        "properties": { "left": { "$ref": "#/$defs/Tree" } },
        "required": ["left"],
        "additionalProperties": false,
    });
    let entries = vec![entry("t", tool(record(json!({ "$ref": "#/$defs/Tree" }), true), nothing()))];
    let document = catalog(&Catalog { entries, defs: defs(&[("Tree", tree)]) }, CatalogFormat::Gemini);
    assert_eq!(document.json, json!([]));
    let [LeftOut { name, refusals }] = document.left_out.as_slice() else { panic!("{:?}", document.left_out) };
    assert_eq!((name.as_str(), refusals.iter().map(|it| it.why).collect::<Vec<_>>()), ("t", vec![Reason::Recursive]));
}

#[test]
fn a_name_that_is_refused_is_left_out() {
    let long = "n".repeat(65);
    let entries = vec![entry(&long, tool(record(json!({ "type": "string" }), true), nothing()))];
    let all = Catalog { entries, defs: BTreeMap::new() };
    let left_out = |format| catalog(&all, format).left_out.len();
    assert_eq!(CatalogFormat::ALL.map(left_out), [0, 1, 1, 1, 0, 0]);
}

#[test]
fn an_answer_is_written_out_or_wrapped() {
    let entries = vec![
        entry("named", tool(record(json!({ "type": "string" }), true), json!({ "$ref": "#/$defs/Alias" }))),
        entry("plain", tool(record(json!({ "type": "string" }), true), json!({ "type": "string" }))),
    ];
    let all =
        Catalog { entries, defs: defs(&[("Alias", json!({ "$ref": "#/$defs/A" })), ("A", record(json!({ "type": "string" }), true))]) };
    let mcp = catalog(&all, CatalogFormat::Mcp).json;
    assert_eq!(mcp["tools"][0]["outputSchema"], record(json!({ "type": "string" }), true));
    let gemini = catalog(&all, CatalogFormat::Gemini).json;
    let wrapped =
        json!({ "type": "object", "properties": { "value": { "type": "string" } }, "required": ["value"], "additionalProperties": false });
    assert_eq!(gemini[0]["functionDeclarations"][1]["responseJsonSchema"], wrapped);
}

#[test]
fn a_provider_has_its_own_tools_and_no_others() {
    let via = |provider: &str, options: Value| {
        let mut made = tool(record(json!({ "type": "string" }), true), nothing());
        made.kind = ToolKind::Provider;
        let options = options.as_object().expect("an object").iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        made.via = Some(weave_ir::Provider { provider: provider.to_owned(), options });
        let declared_name = "web_search".to_owned();
        CatalogEntry { name: format!("ns__{provider}"), declared: Callable::Tool, declared_name, tool: made }
    };
    let entries = vec![
        via("openai", json!({ "size": 1 })),
        via("openai", json!({ "size": 1 })),
        via("anthropic", json!({ "type": "web_search_20250305" })),
        via("google", json!({})),
    ];
    let all = Catalog { entries, defs: BTreeMap::new() };
    let made = |format| catalog(&all, format).json;
    assert_eq!(made(CatalogFormat::OpenAi), json!([{ "type": "web_search", "size": 1 }]));
    assert_eq!(made(CatalogFormat::Anthropic), json!([{ "type": "web_search_20250305", "name": "web_search" }]));
    assert_eq!(made(CatalogFormat::Gemini), json!([{ "webSearch": {} }]));
    assert_eq!(made(CatalogFormat::Mcp), json!({ "tools": [] }));
    assert_eq!(made(CatalogFormat::OpenAiChat), json!([]));
    assert_eq!(made(CatalogFormat::Lash), json!([]));
}

#[test]
fn deferred_tools_are_loaded_later_and_show_examples() {
    let mut deferred = tool(record(json!({ "type": "string" }), true), nothing());
    deferred.activation = Some(Activation::Deferred);
    deferred.examples = vec![Example { input: json!({ "x": "a" }), output: None }];
    let anthropic = one("t", deferred.clone(), CatalogFormat::Anthropic);
    assert_eq!((&anthropic[0]["defer_loading"], &anthropic[0]["input_examples"]), (&json!(true), &json!([{ "x": "a" }])));
    assert_eq!(one("t", deferred.clone(), CatalogFormat::OpenAi)[0]["defer_loading"], json!(true));
    assert_eq!(one("ns__t", deferred, CatalogFormat::Lash)[0]["examples"], json!(["await ns.t({\"x\":\"a\"})?"]));
}

#[test]
fn lash_is_told_where_a_tool_is_and_how_to_try_again() {
    let mut made = tool(record(json!({ "type": "string" }), true), json!({ "type": "string" }));
    made.id = Some("tool:w".to_owned());
    made.retry = Some(Retry { max: 2, backoff: None, base: Some(Duration::from_milliseconds(50)), cap: None, on: BTreeSet::new() });
    made.binding = BTreeMap::from([("lash".to_owned(), json!({ "module": "weather.now", "preserve_refs": "x" }))]);
    let all = Catalog { entries: vec![entry("a", made.clone()), entry("b__c", made)], defs: BTreeMap::new() };
    let json = catalog(&all, CatalogFormat::Lash).json;
    assert_eq!((&json[0]["id"], &json[1]["id"]), (&json!("tool:w:a"), &json!("tool:w:b__c")));
    assert_eq!(json[0]["retry_policy"], json!({ "type": "safe", "max_attempts": 3, "base_delay_ms": 50, "max_delay_ms": 0 }));
    assert_eq!(json[0]["argument_projection"], json!({ "kind": "preserve_projected_refs_in_field", "field": "x" }));
    assert_eq!(json[1]["bindings"]["lashlang.tool"], json!({ "module_path": ["weather", "now"], "operation": "c" }));
}
