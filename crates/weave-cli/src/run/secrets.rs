//! Values of `@secret` fields, which are not shown.
//!
//! A secret is recognized where its schema says so, and hidden wherever it appears afterwards: in texts made of it, in failures, in
//! what other steps pass on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use weave_ir::{Definition, Schema};
use weave_runner::{Body, Event};

/// What is shown instead.
const MASK: &str = "***";
/// A shorter secret is hidden only where it is a whole value: everything else would be unreadable.
const SHORTEST_PART: usize = 4;
/// How deep values are searched.
const DEEPEST: usize = 64;

/// The secrets that the events of runs contain.
#[derive(Default)]
pub(crate) struct Secrets {
    texts: BTreeSet<String>,
    /// What requests are about: the part of the definition and the name, by the run and the id of the request.
    requests: BTreeMap<(String, String), (Part, String)>,
}

#[derive(Clone, Copy)]
enum Part {
    Tool,
    Agent,
    Prompt,
    Workflow,
}

impl Secrets {
    /// Takes note of the secrets of an event.
    pub(crate) fn learn(&mut self, definition: &Definition, run: &str, event: &Event) {
        let Body::Data(data) = &event.body else { return };
        let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default();
        let about = |re: Option<&String>| re.and_then(|re| self.requests.get(&(run.to_owned(), re.clone()))).cloned();
        match event.topic.as_str() {
            "workflow.start" if event.kind == weave_runner::EventKind::External => {
                self.search(definition, &definition.input, data.get("input"));
            }
            "workflow.start" => self.request(run, event, Part::Workflow, text("workflow")),
            "workflow.done" if event.re.is_none() => {
                self.search(definition, &definition.output, data.get("output"));
            }
            "tool.dispatch" | "tool.approval.requested" => {
                self.request(run, event, Part::Tool, text("name"));
                if let Some(tool) = definition.tools.get(text("name")) {
                    self.search(definition, &tool.input, data.get("args"));
                }
            }
            "ai.request" => {
                self.request(run, event, Part::Agent, text("agent"));
                if let Some(agent) = definition.agents.get(text("agent")) {
                    self.search(definition, &agent.input, data.get("args"));
                }
            }
            "prompt.hydrate.request" => self.request(run, event, Part::Prompt, text("prompt")),
            "ai.turn" => {
                let said: Option<Value> = data.get("text").and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok());
                if let Some((Part::Agent, agent)) = about(event.within.as_ref())
                    && let Some(agent) = definition.agents.get(&agent)
                {
                    self.search(definition, &agent.output, said.as_ref());
                }
            }
            _ => match about(event.re.as_ref()) {
                Some((Part::Tool, name)) if event.topic == "tool.approval.decided" => {
                    if let Some(tool) = definition.tools.get(&name) {
                        self.search(definition, &tool.input, data.get("args"));
                    }
                }
                Some((Part::Tool, name)) => {
                    if let Some(tool) = definition.tools.get(&name) {
                        self.search(definition, &tool.output, Some(data));
                    }
                }
                Some((Part::Agent, name)) => {
                    if let Some(agent) = definition.agents.get(&name) {
                        self.search(definition, &agent.output, Some(data));
                    }
                }
                Some((Part::Prompt, name)) => {
                    if let Some(found) = definition.prompts.get(&name).and_then(|prompt| prompt.hydrates.as_ref()) {
                        self.search(definition, found, Some(data));
                    }
                }
                Some((Part::Workflow, _)) => {}
                None => {
                    if let Some(declared) = definition.events.get(&event.topic) {
                        self.search(definition, &declared.payload, Some(data));
                    }
                }
            },
        }
    }

    fn request(&mut self, run: &str, event: &Event, part: Part, name: &str) {
        self.requests.insert((run.to_owned(), event.id.clone()), (part, name.to_owned()));
    }

    /// Takes note of the secrets in a value of a schema.
    pub(crate) fn search(&mut self, definition: &Definition, schema: &Schema, value: Option<&Value>) {
        if let Some(value) = value {
            self.walk(definition, schema.as_value(), value, 0);
        }
    }

    fn walk(&mut self, definition: &Definition, schema: &Value, value: &Value, depth: usize) {
        if depth > DEEPEST {
            // What is too deep to be searched is hidden as a whole.
            return self.keep(value);
        }
        if schema.get("x-weave-secret").is_some_and(|secret| secret == true) {
            return self.keep(value);
        }
        if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix("#/$defs/")) {
            let name = name.replace("~1", "/").replace("~0", "~");
            if let Some(named) = definition.defs.get(&name) {
                self.walk(definition, named.as_value(), value, depth + 1);
            }
        }
        for branch in ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten() {
            self.walk(definition, branch, value, depth + 1);
        }
        match value {
            Value::Object(entries) => {
                let others = schema.get("additionalProperties");
                for (key, value) in entries {
                    let of_key = schema.get("properties").and_then(|known| known.get(key)).or(others);
                    if let Some(of_key) = of_key {
                        self.walk(definition, of_key, value, depth + 1);
                    }
                }
            }
            Value::Array(items) => {
                let first = schema.get("prefixItems").and_then(Value::as_array);
                for (place, item) in items.iter().enumerate() {
                    if let Some(of_item) = first.and_then(|first| first.get(place)).or_else(|| schema.get("items")) {
                        self.walk(definition, of_item, item, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Everything in a secret value is secret.
    fn keep(&mut self, value: &Value) {
        match value {
            Value::String(text) if !text.is_empty() => drop(self.texts.insert(text.clone())),
            Value::Number(number) => drop(self.texts.insert(number.to_string())),
            Value::Array(items) => items.iter().for_each(|item| self.keep(item)),
            Value::Object(entries) => entries.values().for_each(|value| self.keep(value)),
            _ => {}
        }
    }

    /// A text without the secrets.
    pub(crate) fn hide(&self, text: &str) -> String {
        if self.texts.contains(text) {
            return MASK.to_owned();
        }
        let mut shown = text.to_owned();
        // A longer secret may contain a shorter one.
        let mut parts: Vec<_> = self.texts.iter().filter(|secret| secret.chars().count() >= SHORTEST_PART).collect();
        parts.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        for secret in parts {
            if shown.contains(secret.as_str()) {
                shown = shown.replace(secret.as_str(), MASK);
            }
            // Inside a JSON text it has escapes.
            let escaped = Value::from(secret.as_str()).to_string();
            let escaped = escaped.trim_matches('"');
            if escaped != secret && shown.contains(escaped) {
                shown = shown.replace(escaped, MASK);
            }
        }
        shown
    }

    /// A value without the secrets.
    pub(crate) fn hidden(&self, value: &Value) -> Value {
        if self.texts.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.hide(text)),
            Value::Number(number) if self.texts.contains(&number.to_string()) => Value::from(MASK),
            Value::Array(items) => items.iter().map(|item| self.hidden(item)).collect(),
            Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), self.hidden(value))).collect(),
            other => other.clone(),
        }
    }
}

/// Whether a schema has secrets anywhere.
pub(crate) fn has_secrets(schema: &Value) -> bool {
    match schema {
        Value::Object(entries) => entries.iter().any(|(key, value)| key == "x-weave-secret" && *value == true || has_secrets(value)),
        Value::Array(items) => items.iter().any(has_secrets),
        _ => false,
    }
}

/// What does not fit in a value, in words: where it is, and why. Values of schemas with secrets are not repeated.
pub(crate) fn errors(definition: &Arc<Definition>, schema: &Schema, value: &Value, most: usize) -> Vec<String> {
    let bundle = weave_providers::bundle(schema, &definition.defs);
    let Some(validator) = weave_runner::validator(&bundle) else {
        return vec!["its schema cannot be used; this is a mistake in weave, please report it".to_owned()];
    };
    // The document of its own may lack what only hosts read.
    let masked = has_secrets(schema.as_value()) || definition.defs.values().any(|named| has_secrets(named.as_value()));
    let told = validator.iter_errors(value).take(most).map(|error| {
        let path = error.instance_path().as_str().trim_start_matches('/').replace('/', ".");
        let why = if masked { error.masked().to_string() } else { weave_runner::misfit(&error) };
        if path.is_empty() { why } else { format!("{path}: {why}") }
    });
    told.collect()
}
