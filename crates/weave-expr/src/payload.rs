//! Payloads, parsed once and filled in often.

use serde_json::{Map, Value};
use weave_ir::{Placeholder, Template};

use crate::Scope;
use crate::template::{PayloadError, render};

/// A payload or output of a definition whose templates are parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload(Part);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// Nothing in it is filled in.
    Constant(Value),
    Template(Template),
    List(Vec<Part>),
    Object(Vec<(String, Part)>),
}

impl Payload {
    /// Parses each string of a payload as a template.
    ///
    /// # Errors
    ///
    /// If a string is not a template; in a validated definition each one is.
    pub fn parse(payload: &Value) -> Result<Self, PayloadError> {
        Part::parse(payload).map(Self)
    }

    /// The payload `null`.
    #[must_use]
    pub const fn null() -> Self {
        Self(Part::Constant(Value::Null))
    }

    /// The payload with every template filled in.
    ///
    /// Where a template yields nothing, the entry of an object is left out, and an element of a list or the whole payload is null.
    #[must_use]
    pub fn render(&self, scope: &dyn Scope) -> Value {
        self.0.render(scope).unwrap_or_default()
    }

    /// Visits each placeholder, in the order in which they are filled in.
    pub fn placeholders<'p>(&'p self, visit: &mut dyn FnMut(&'p Placeholder)) {
        self.0.placeholders(visit);
    }
}

impl Part {
    fn parse(payload: &Value) -> Result<Self, PayloadError> {
        match payload {
            Value::String(text) => {
                let template = Template::parse(text).map_err(|error| PayloadError { text: text.clone(), error })?;
                if template.placeholders().next().is_some() {
                    return Ok(Self::Template(template));
                }
                Ok(Self::Constant(Value::String(crate::render_text(&template, &Map::new()))))
            }
            Value::Array(items) => {
                let parts = items.iter().map(Self::parse).collect::<Result<Vec<_>, _>>()?;
                if let Some(constants) = parts.iter().map(Self::constant).collect() {
                    return Ok(Self::Constant(Value::Array(constants)));
                }
                Ok(Self::List(parts))
            }
            Value::Object(entries) => {
                let parts = entries.iter().map(|(key, entry)| Ok((key.clone(), Self::parse(entry)?))).collect::<Result<Vec<_>, _>>()?;
                if let Some(constants) = parts.iter().map(|(key, part)| Some((key.clone(), part.constant()?))).collect() {
                    return Ok(Self::Constant(Value::Object(constants)));
                }
                Ok(Self::Object(parts))
            }
            constant => Ok(Self::Constant(constant.clone())),
        }
    }

    fn constant(&self) -> Option<Value> {
        match self {
            Self::Constant(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn render(&self, scope: &dyn Scope) -> Option<Value> {
        match self {
            Self::Constant(value) => Some(value.clone()),
            Self::Template(template) => render(template, scope),
            Self::List(parts) => Some(parts.iter().map(|part| part.render(scope).unwrap_or_default()).collect()),
            Self::Object(parts) => {
                let entries = parts.iter().filter_map(|(key, part)| Some((key.clone(), part.render(scope)?)));
                Some(Value::Object(entries.collect()))
            }
        }
    }

    fn placeholders<'p>(&'p self, visit: &mut dyn FnMut(&'p Placeholder)) {
        match self {
            Self::Constant(_) => {}
            Self::Template(template) => template.placeholders().for_each(visit),
            Self::List(parts) => parts.iter().for_each(|part| part.placeholders(visit)),
            Self::Object(parts) => parts.iter().for_each(|(_, part)| part.placeholders(visit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::render_payload;

    #[test]
    fn parsed_payloads_yield_what_the_text_does() {
        let scope = json!({ "a": { "b": 1, "list": [1, "x"] }, "n": null, "t": "{{.a}}" });
        let scope = scope.as_object().unwrap();
        for payload in [
            json!("{{.a}}"),
            json!("{{.absent}}"),
            json!(null),
            json!([1, "{{.absent}}", "x {{.a.b}}", { "k": "{{.t}}", "gone": "{{.a.c}}", "null": "{{.n}}" }]),
            json!({ "deep": { "deeper": ["plain", { "x": "{{\"{{\"}}.a}}" }] }, "list": "{{.a.list}}" }),
            json!({ "d": "{{.a.c ?? [2]}}", "e": [] , "f": {} }),
        ] {
            assert_eq!(Payload::parse(&payload).unwrap().render(scope), render_payload(&payload, scope).unwrap(), "{payload}");
        }
        let wrong = json!([{ "x": "{{ no }}" }]);
        assert_eq!(Payload::parse(&wrong).err(), Some(render_payload(&wrong, scope).unwrap_err()));
    }

    #[test]
    fn placeholders_are_visited_in_order() {
        let payload = Payload::parse(&json!(["{{.a}} {{.b}}", { "x": "{{.c ?? 1}}" }, "plain"])).unwrap();
        let mut seen = Vec::new();
        payload.placeholders(&mut |placeholder| seen.push(placeholder.to_string()));
        assert_eq!(seen, ["{{.a}}", "{{.b}}", "{{.c ?? 1}}"]);
    }
}
