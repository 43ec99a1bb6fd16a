//! What templates yield.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write;
use std::slice;

use serde_json::{Map, Value, map};
use weave_ir::{Placeholder, Template, TemplateError, TemplatePart};

use crate::{Scope, read};

/// What a template yields; `None` if that is absent.
///
/// A template that is one placeholder and nothing else yields the value itself, every other one text.
#[must_use]
pub fn render(template: &Template, scope: &dyn Scope) -> Option<Value> {
    match template.whole() {
        Some(placeholder) => value(placeholder, scope).map(Cow::into_owned),
        None => Some(Value::String(render_text(template, scope))),
    }
}

/// What a template says as text, also if it is one placeholder; what is absent is the empty text.
#[must_use]
pub fn render_text(template: &Template, scope: &dyn Scope) -> String {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(part) => text.push_str(part),
            TemplatePart::Value(placeholder) => {
                if let Some(value) = value(placeholder, scope) {
                    push(&mut text, &value);
                }
            }
        }
    }
    text
}

/// What stands in the place of a placeholder.
fn value<'v>(placeholder: &'v Placeholder, scope: &'v dyn Scope) -> Option<Cow<'v, Value>> {
    let found = read(&placeholder.path, scope);
    match &placeholder.default {
        Some(default) if found.as_deref().is_none_or(Value::is_null) => Some(Cow::Borrowed(default)),
        _ => found,
    }
}

/// Strings stand as they are, everything else as its RFC 8785 JSON.
fn push(text: &mut String, value: &Value) {
    match value {
        Value::String(value) => text.push_str(value),
        value => match serde_json_canonicalizer::to_string(value) {
            Ok(json) => text.push_str(&json),
            // Every value that can be made has a canonical form; should one not, its plain JSON says the same.
            Err(_) => {
                let _ = write!(text, "{value}");
            }
        },
    }
}

/// Why a payload could not be filled in: a string in it is not a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadError {
    /// The string.
    pub text: String,
    /// What is wrong with it.
    pub error: TemplateError,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} is not a template: {}", self.text, self.error)
    }
}

impl std::error::Error for PayloadError {}

/// A payload or output with every string in it filled in, at any depth; keys stay as they are.
///
/// Where a template yields nothing, the entry of an object is left out, and an element of a list or the whole is null.
///
/// # Errors
///
/// If a string in it is not a template; in a definition that was validated each is.
pub fn render_payload(payload: &Value, scope: &dyn Scope) -> Result<Value, PayloadError> {
    let mut open = Vec::new();
    let mut step = Step::Enter(payload);
    loop {
        step = match step {
            Step::Enter(Value::String(text)) => match Template::parse(text) {
                Ok(template) => Step::Leave(render(&template, scope)),
                Err(error) => return Err(PayloadError { text: text.clone(), error }),
            },
            Step::Enter(Value::Array(items)) => go_on(Open::List { rest: items.iter(), done: Vec::new() }, &mut open),
            Step::Enter(Value::Object(entries)) => go_on(Open::Object { rest: entries.iter(), key: "", done: Map::new() }, &mut open),
            Step::Enter(other) => Step::Leave(Some(other.clone())),
            Step::Leave(value) => match open.pop() {
                Some(mut container) => {
                    container.take(value);
                    go_on(container, &mut open)
                }
                None => return Ok(value.unwrap_or_default()),
            },
        };
    }
}

/// What is to be done next.
enum Step<'p> {
    /// Fill this in.
    Enter(&'p Value),
    /// Put this, if it is anything, where it belongs.
    Leave(Option<Value>),
}

/// A list or object of which a part has been filled in.
enum Open<'p> {
    List { rest: slice::Iter<'p, Value>, done: Vec<Value> },
    Object { rest: map::Iter<'p>, key: &'p str, done: Map<String, Value> },
}

impl Open<'_> {
    fn take(&mut self, value: Option<Value>) {
        match self {
            Self::List { done, .. } => done.push(value.unwrap_or_default()),
            Self::Object { key, done, .. } => {
                if let Some(value) = value {
                    done.insert((*key).to_owned(), value);
                }
            }
        }
    }
}

/// Fills in the next part of a list or object, or closes it.
fn go_on<'p>(mut container: Open<'p>, open: &mut Vec<Open<'p>>) -> Step<'p> {
    let next = match &mut container {
        Open::List { rest, .. } => rest.next(),
        Open::Object { rest, key, .. } => rest.next().map(|(name, value)| {
            *key = name;
            value
        }),
    };
    match (next, container) {
        (Some(value), container) => {
            open.push(container);
            Step::Enter(value)
        }
        (None, Open::List { done, .. }) => Step::Leave(Some(Value::Array(done))),
        (None, Open::Object { done, .. }) => Step::Leave(Some(Value::Object(done))),
    }
}
