//! The shared vectors, which evaluators in other languages use too.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};
use weave_expr::{Scope, evaluate, guard, render, render_payload, render_text};
use weave_ir::{Expr, Guard, Template};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<T> {
    #[serde(rename = "about")]
    _about: Vec<String>,
    vectors: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardVector {
    name: String,
    expr: Expr,
    #[serde(default)]
    scope: Map<String, Value>,
    #[serde(default)]
    answers: BTreeMap<String, Vec<Value>>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateVector {
    name: String,
    template: Option<String>,
    #[serde(default, deserialize_with = "present")]
    payload: Option<Value>,
    #[serde(default)]
    scope: Map<String, Value>,
    #[serde(default)]
    answers: BTreeMap<String, Vec<Value>>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    #[serde(default)]
    absent: bool,
    #[serde(default)]
    error: bool,
}

/// Keeps a result of `null` apart from none.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

struct Values<'v> {
    roots: &'v Map<String, Value>,
    answers: &'v BTreeMap<String, Vec<Value>>,
}

impl Scope for Values<'_> {
    fn value(&self, root: &str) -> Option<&Value> {
        self.roots.get(root)
    }

    fn answers(&self, root: &str) -> Option<Vec<&Value>> {
        self.answers.get(root).map(|answers| answers.iter().collect())
    }
}

/// JSON with each number as the double that it is everywhere, so that `3` and `3.0` are one.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

fn guards() -> Vec<GuardVector> {
    serde_json::from_str::<File<_>>(include_str!("../vectors/guards.json")).unwrap().vectors
}

fn templates() -> Vec<TemplateVector> {
    serde_json::from_str::<File<_>>(include_str!("../vectors/templates.json")).unwrap().vectors
}

#[test]
fn guards_mean_what_the_vectors_say() {
    let vectors = guards();
    assert!(vectors.len() >= 250, "{}", vectors.len());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let found = evaluate(&vector.expr, &Values { roots: &vector.scope, answers: &vector.answers });
        let agrees = match (&found, &vector.result, &vector.error) {
            (Ok(found), Some(expected), None) => plain(found) == plain(expected),
            (Err(found), None, Some(expected)) => found.kind() == expected,
            _ => false,
        };
        if !agrees {
            wrong.push(format!("{}: {found:?}, not {:?} {:?}", vector.name, vector.result, vector.error));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_guard_is_true_only_if_it_evaluates_to_true() {
    // To find out twice that something takes too long takes too long.
    for vector in guards().into_iter().filter(|vector| vector.error.as_deref() != Some("too_much_work")) {
        let values = Values { roots: &vector.scope, answers: &vector.answers };
        let is_true = guard(&Guard::new(vector.expr), &values);
        assert_eq!(is_true, vector.result == Some(Value::Bool(true)), "{}", vector.name);
    }
}

#[test]
fn templates_yield_what_the_vectors_say() {
    let vectors = templates();
    assert!(vectors.len() >= 80, "{}", vectors.len());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let values = Values { roots: &vector.scope, answers: &vector.answers };
        let found = match (&vector.template, &vector.payload) {
            (Some(template), None) => Template::parse(template).map(|template| render(&template, &values)).map_err(drop),
            (None, Some(payload)) => render_payload(payload, &values).map(Some).map_err(drop),
            _ => panic!("{}: either a template or a payload", vector.name),
        };
        let agrees = match &found {
            Ok(Some(found)) => vector.result.as_ref().is_some_and(|expected| plain(expected) == plain(found)),
            Ok(None) => vector.absent && vector.result.is_none(),
            Err(()) => vector.error && vector.result.is_none(),
        };
        if !agrees {
            wrong.push(format!("{}: {found:?}, not {:?}", vector.name, vector.result));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_unique() {
    let names: Vec<_> = guards().into_iter().map(|vector| vector.name).chain(templates().into_iter().map(|vector| vector.name)).collect();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
}

#[test]
fn one_placeholder_can_be_asked_for_as_text() {
    let roots = Map::from_iter([("a".to_owned(), serde_json::json!({ "n": 1.0 }))]);
    let text = |template: &str| render_text(&Template::parse(template).unwrap(), &roots);
    assert_eq!(text("{{.a}}"), r#"{"n":1}"#);
    assert_eq!(text("{{.a.n}}"), "1");
    assert_eq!(text("{{.b}}"), "");
    assert_eq!(text("{{.b ?? null}}"), "null");
}
