//! Values of `@secret` fields: they are collected from the whole run, and hidden wherever they turn up.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;
use weave_ir::{Definition, Schema};
use weave_runner::Event;

/// What is shown instead.
const HIDDEN: &str = "***";
/// A shorter text is hidden only where it is the whole value: elsewhere it may be a part of any word.
const SHORTEST_PART: usize = 4;
/// References and values are followed so deep.
const DEEPEST: usize = 64;

/// The secret values of a run.
#[derive(Default)]
pub(super) struct Secrets {
    texts: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Secrets {
    /// The secrets in the events of a run.
    pub(super) fn of<'e>(definition: &Definition, events: impl Iterator<Item = &'e Event>) -> Self {
        let mut secrets = Self::default();
        let mut requests: HashMap<&str, &Event> = HashMap::new();
        for event in events {
            let Some(data) = event.data() else { continue };
            let name = |data: &Value, key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let asked = event.re.as_deref().and_then(|re| requests.get(re)).and_then(|event| event.data());
            let args = data.get("args").unwrap_or(&Value::Null);
            let tool = |data: &Value| definition.tools.get(&name(data, "name"));
            let agent = |data: &Value| definition.agents.get(&name(data, "agent"));
            let (schema, value) = match event.topic.as_str() {
                "workflow.start" => (Some(&definition.input), data.get("input").unwrap_or(&Value::Null)),
                "workflow.done" => (Some(&definition.output), data.get("output").unwrap_or(&Value::Null)),
                "tool.dispatch" | "tool.approval.requested" => (tool(data).map(|tool| &tool.input), args),
                "tool.result" => (asked.and_then(tool).map(|tool| &tool.output), data),
                "ai.request" => (agent(data).map(|agent| &agent.input), args),
                "ai.response" => (asked.and_then(agent).map(|agent| &agent.output), data),
                topic => (definition.events.get(topic).map(|event| &event.payload), data),
            };
            if let Some(schema) = schema {
                secrets.collect(schema.as_value(), value, definition, false, 0);
            }
            if event.re.is_none() {
                requests.insert(&event.id, event);
            }
        }
        secrets
    }

    fn collect(&mut self, schema: &Value, value: &Value, definition: &Definition, hidden: bool, depth: usize) {
        let hidden = hidden || schema.get("x-weave-secret").and_then(Value::as_bool) == Some(true);
        if depth > DEEPEST {
            return;
        }
        if hidden {
            self.add(value, depth);
        }
        let entry = |name: &str| definition.defs.get(&name.replace("~1", "/").replace("~0", "~")).map(Schema::as_value);
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|name| entry(name.strip_prefix("#/$defs/")?)) {
            self.collect(target, value, definition, hidden, depth + 1);
        }
        for part in ["anyOf", "oneOf", "allOf"] {
            for schema in schema.get(part).and_then(Value::as_array).into_iter().flatten() {
                self.collect(schema, value, definition, hidden, depth + 1);
            }
        }
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let own = schema.get("properties").and_then(|properties| properties.get(name));
                    if let Some(schema) = own.or_else(|| schema.get("additionalProperties")) {
                        self.collect(schema, value, definition, hidden, depth + 1);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    items.iter().for_each(|item| self.collect(schema, item, definition, hidden, depth + 1));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, value: &Value, depth: usize) {
        match value {
            Value::String(text) if !text.is_empty() => drop(self.texts.insert(text.clone())),
            Value::Number(number) => drop(self.numbers.insert(number.to_string())),
            Value::Array(items) if depth <= DEEPEST => items.iter().for_each(|item| self.add(item, depth + 1)),
            Value::Object(fields) if depth <= DEEPEST => fields.values().for_each(|field| self.add(field, depth + 1)),
            _ => {}
        }
    }

    /// The text without what is secret.
    pub(super) fn text(&self, text: &str) -> String {
        if self.texts.contains(text) {
            return HIDDEN.to_owned();
        }
        let parts = self.texts.iter().filter(|secret| secret.len() >= SHORTEST_PART);
        parts.fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), HIDDEN))
    }

    /// The value without what is secret.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Number(number) if self.numbers.contains(&number.to_string()) => Value::String(HIDDEN.to_owned()),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), self.value(field))).collect(),
            other => other.clone(),
        }
    }
}
