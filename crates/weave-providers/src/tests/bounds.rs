//! Circles, sizes, names, and schemas that nobody would write.

use serde_json::{Map, Value, json};
use weave_ir::{Definition, OfferedTool, Reason, Schema, Tool, ToolKind};

use super::{arguments, defs, reasons, record, said};
use crate::Provider::{Anthropic, Gemini, Mcp, OpenAi};
use crate::{Projection, Provider, Role, project, projections};

fn tree(required: bool) -> (Value, std::collections::BTreeMap<String, Schema>) {
    let node = record(json!({ "type": "array", "items": { "$ref": "#/$defs/Node" } }), required);
    (record(json!({ "$ref": "#/$defs/Node" }), true), defs(&[("Node", node)]))
}

#[test]
fn types_that_hold_themselves() {
    let of = |required, provider| {
        let (schema, types) = tree(required);
        project(&schema.into(), &types, provider, Role::Arguments)
    };
    assert_eq!(reasons(&of(true, OpenAi)), []);
    assert_eq!(reasons(&of(true, Anthropic)), [Reason::Recursive]);
    assert_eq!(reasons(&of(true, Gemini)), [Reason::Recursive]);
    assert_eq!(reasons(&of(true, Mcp)), []);
    assert_eq!(reasons(&of(false, Anthropic)), [Reason::Recursive]);
    let optional = of(false, Gemini);
    assert_eq!((reasons(&optional), said(&optional)), (vec![], vec!["/$defs/Node/properties/x/items/$ref: Limited".to_owned()]));
}

fn with_properties(count: usize, schema: &Value, required: bool) -> Value {
    let properties: Map<String, Value> = (0..count).map(|index| (format!("p{index}"), schema.clone())).collect();
    let names: Vec<&String> = properties.keys().collect();
    let required: &[&String] = if required { &names } else { &[] };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

#[test]
fn sizes() {
    let text = json!({ "type": "string" });
    let of = |schema: Value, provider: Provider| reasons(&arguments(schema, provider));
    assert_eq!(of(with_properties(5_000, &text, true), OpenAi), []);
    assert_eq!(of(with_properties(5_001, &text, true), OpenAi), [Reason::TooManyProperties]);
    assert_eq!(of(with_properties(5_001, &text, true), Anthropic), []);
    assert_eq!(of(with_properties(24, &text, false), Anthropic), []);
    assert_eq!(of(with_properties(25, &text, false), Anthropic), [Reason::TooManyOptional]);
    assert_eq!(of(with_properties(25, &text, false), OpenAi), []);
    let union = json!({ "anyOf": [text, { "type": "null" }] });
    assert_eq!(of(with_properties(17, &union, true), Anthropic), [Reason::TooManyUnions]);
    let values = |count: usize, length: usize| json!((0..count).map(|index| format!("{index:0length$}")).collect::<Vec<_>>());
    let of_enum = |values: Value| of(record(json!({ "type": "string", "enum": values }), true), OpenAi);
    assert_eq!(of_enum(values(1_000, 4)), []);
    assert_eq!(of_enum(values(1_001, 4)), [Reason::TooManyValues]);
    assert_eq!(of_enum(values(251, 60)), [Reason::LongEnum]);
    assert_eq!(of_enum(values(250, 61)), []);
    assert_eq!(of_enum(values(250, 500)), [Reason::TooLong]);
    let nested = |depth: usize| (1..depth).fold(record(text.clone(), true), |inner, _| record(inner, true));
    assert_eq!(of(nested(10), OpenAi), []);
    assert_eq!(of(nested(11), OpenAi), [Reason::TooDeep]);
    assert_eq!(of(nested(11), Anthropic), []);
}

#[test]
fn names_of_properties() {
    let of = |name: &str, provider: Provider| {
        let schema =
            json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name], "additionalProperties": false });
        reasons(&arguments(schema, provider))
    };
    for provider in Provider::ALL {
        assert_eq!(of("order_id", provider), []);
    }
    assert_eq!((of("order-id", Gemini), of("order-id", Anthropic)), (vec![Reason::PropertyName], vec![]));
    assert_eq!((of("order id", Anthropic), of("order id", OpenAi)), (vec![Reason::PropertyName], vec![]));
}

#[test]
fn names_of_tools() {
    let long = "a".repeat(65);
    let allowed = |name: &str| Provider::ALL.map(|provider| provider.limits().tool_names.allow(name));
    assert_eq!(allowed("find__order"), [true; 4]);
    assert_eq!(allowed(&long), [false, false, true, true]);
    assert_eq!(allowed("2fast"), [true, true, false, true]);
    assert_eq!(allowed(""), [false; 4]);
}

#[test]
fn nothing_recurses_without_end() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..300 {
        deep = json!({ "type": "array", "items": deep });
    }
    for provider in [OpenAi, Anthropic, Gemini] {
        assert_eq!(reasons(&arguments(record(deep.clone(), true), provider)), [Reason::TooDeep]);
    }
    assert!(reasons(&arguments(record(deep, true), Mcp)).is_empty());
    let names = defs(&[("A", json!({ "$ref": "#/$defs/B" })), ("B", json!({ "$ref": "#/$defs/A" }))]);
    let endless: Projection = project(&Schema::reference("A"), &names, Gemini, Role::Answer);
    assert_eq!(reasons(&endless), [Reason::Recursive]);
}

#[test]
fn a_type_that_many_tools_take_is_told_once() {
    let large = with_properties(2_000, &json!({ "type": "string", "maxLength": 3 }), true);
    let mut definition = Definition::new("w", Schema::anything(), Schema::anything());
    definition.defs = defs(&[("Large", large)]);
    let mut agent = weave_ir::Agent::new(Schema(record(json!({ "type": "string" }), true)), Schema::reference("Large"));
    for index in 0..500 {
        let name = format!("t{index}");
        let tool = Tool::new(ToolKind::Local, Schema(record(json!({ "$ref": "#/$defs/Large" }), true)), Schema::anything());
        definition.tools.insert(name.clone(), tool);
        agent.tools.push(OfferedTool::Tool { name: name.clone(), tool: name, middleware: Vec::new() });
    }
    let unused = Tool::new(ToolKind::Local, Schema(record(json!({}), true)), Schema::anything());
    definition.tools.insert("unused".to_owned(), unused);
    definition.agents.insert("a".to_owned(), agent);
    definition.projections = projections(&definition, &|_| true);
    let openai = &definition.projections["openai"];
    assert!(openai.tools.is_empty() && openai.agents.is_empty(), "references are told as they are");
    assert_eq!(openai.defs["Large"].lost.len(), 2_000);
    assert_eq!(definition.projections.keys().collect::<Vec<_>>(), ["anthropic", "gemini", "openai"]);
    let problems = definition.validate();
    assert!(problems.iter().all(|problem| problem.pointer == "/nodes"), "{problems:?}");
}

#[test]
fn who_is_not_strict_is_held_to_nothing() {
    let mut definition = Definition::new("w", Schema::anything(), Schema::anything());
    let mut agent = weave_ir::Agent::new(Schema(record(json!({ "type": "string" }), true)), Schema(json!({})));
    let map = record(json!({ "type": "object", "additionalProperties": { "type": "string", "maxLength": 3 } }), true);
    for (name, strict) in [("loose", false), ("strict", true)] {
        let mut tool = Tool::new(ToolKind::Local, Schema(map.clone()), Schema::anything());
        tool.strict = strict;
        definition.tools.insert(name.to_owned(), tool);
        agent.tools.push(OfferedTool::Tool { name: name.to_owned(), tool: name.to_owned(), middleware: Vec::new() });
    }
    definition.agents.insert("a".to_owned(), agent);
    let found = projections(&definition, &|_| false);
    for provider in ["openai", "anthropic"] {
        assert_eq!(found[provider].tools.keys().collect::<Vec<_>>(), ["strict"]);
        assert_eq!(found[provider].tools["strict"].refused[0].why, Reason::Map);
        assert_eq!(found[provider].tools["strict"].schema, None);
    }
    assert_eq!(found["gemini"].tools.len(), 2);
    assert!(found.values().all(|it| it.agents.is_empty()), "who answers with text is told nothing");
}
