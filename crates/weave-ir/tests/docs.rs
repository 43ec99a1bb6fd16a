//! Every example of `docs/definition.md` is read, and is in the one form that the page demands.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use weave_ir::{
    Agent, ChildWorkflow, Definition, ErrorType, Event, Expr, Guard, Manifest, Node, On, Operator, Placeholder, Prompt,
    ProviderProjections, Retry, SourceMap, Template, TemplatePart, Tool, Toolkit,
};

const PAGE: &str = include_str!("../../../docs/definition.md");

/// The fenced examples that say what they are: the word behind `json`, and the text.
fn examples() -> Vec<(&'static str, &'static str)> {
    let mut fences = PAGE.split("\n```");
    let mut examples = Vec::new();
    fences.next();
    while let (Some(block), Some(_)) = (fences.next(), fences.next()) {
        let (label, text) = block.split_once('\n').unwrap();
        if let Some(kind) = label.strip_prefix("json ") {
            examples.push((kind, text));
        } else {
            assert_ne!(label, "json", "an example must say what it is:\n{text}");
        }
    }
    examples
}

fn same<T: DeserializeOwned + Serialize>(text: &str) {
    let found: Value = serde_json::from_str(text).unwrap();
    let read: T = serde_json::from_value(found.clone()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(serde_json::to_value(&read).unwrap(), found);
    // The order of keys is that of the types, as the page says.
    assert_eq!(serde_json::to_string(&read).unwrap(), found.to_string());
}

#[test]
fn each_example_is_what_it_says() {
    let examples = examples();
    assert!(examples.len() >= 24, "{}", examples.len());
    for (kind, text) in examples {
        match kind {
            "nodes" => same::<Vec<Node>>(text),
            "node" => same::<Node>(text),
            "on" => same::<On>(text),
            "guard" => same::<Guard>(text),
            "expr" => same::<Expr>(text),
            "retry" => same::<Retry>(text),
            "tool" => same::<Tool>(text),
            "agent" => same::<Agent>(text),
            "toolkit" => same::<Toolkit>(text),
            "prompt" => same::<Prompt>(text),
            "event" => same::<Event>(text),
            "error" => same::<ErrorType>(text),
            "workflow" => same::<ChildWorkflow>(text),
            "projections" => same::<std::collections::BTreeMap<String, ProviderProjections>>(text),
            "source-map" => same::<SourceMap>(text),
            "manifest" => same::<Manifest>(text),
            "definition" => assert_eq!(Definition::from_json(text).map(|_| ()), Ok(())),
            other => panic!("what is `{other}`?\n{text}"),
        }
    }
}

#[test]
fn each_key_of_the_format_has_its_place_on_the_page() {
    let schema = weave_ir::json_schema();
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => {
                if let Some(Value::Object(properties)) = entries.get("properties") {
                    for key in properties.keys() {
                        assert!(PAGE.contains(&format!("`{key}`")) || PAGE.contains(&format!("\"{key}\"")), "`{key}` is not described");
                    }
                }
                open.extend(entries.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}

#[test]
fn each_operator_and_built_in_kind_is_described() {
    let schema = serde_json::to_value(schemars::schema_for!(Operator)).unwrap();
    let names: Vec<_> = schema["oneOf"].as_array().unwrap().iter().map(|one| one["const"].as_str().unwrap().replace('|', "\\|")).collect();
    assert!(names.len() > 20);
    for name in names {
        assert!(PAGE.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn the_rules_of_the_runner_are_all_there() {
    for rule in 1..=32 {
        assert!(PAGE.contains(&format!("\n{rule}. ")), "rule {rule}");
    }
}

#[test]
fn links_within_the_page_lead_somewhere() {
    let anchor = |title: &str| {
        title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-')).collect::<String>().to_lowercase().replace(' ', "-")
    };
    let mut anchors: Vec<String> =
        PAGE.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#').trim())).collect();
    anchors.extend(PAGE.split("<a id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
    for link in PAGE.split("](#").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(anchors.iter().any(|anchor| anchor == link), "#{link}");
    }
}

/// The table of templates on the page, filled in as the page says; a runtime's own filling follows these lines.
#[test]
fn the_templates_of_the_page_are_templates() {
    for (text, parts) in [("{{.a}}", 1), ("a is {{.a}}", 2), (r#"{{.a ?? "none"}}!"#, 2), (r#"{{"{{"}}.a}}"#, 1)] {
        assert!(PAGE.contains(&format!("| `{text}` |")), "{text}");
        assert_eq!(Template::parse(text).unwrap().parts.len(), parts, "{text}");
    }
    let whole = Template::parse("{{.a}}").unwrap();
    assert!(matches!(whole.parts.as_slice(), [TemplatePart::Value(Placeholder { default: None, .. })]));
}
