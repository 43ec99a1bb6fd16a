//! Types as people write them.

use std::fmt::Write;

use super::Model;
use super::types::{Bound, Limits, Literal, RecordType, Scalar, Type};

/// How much of a type is shown before `…`.
#[derive(Clone, Copy)]
struct Detail {
    /// How many fields or alternatives.
    shown: usize,
    /// How deep; what lies deeper is only hinted at.
    depth: usize,
}

/// From much to little: the first with which the text is short enough to be read in a sentence is taken.
const DETAILS: [Detail; 4] =
    [Detail { shown: 8, depth: 4 }, Detail { shown: 4, depth: 3 }, Detail { shown: 3, depth: 2 }, Detail { shown: 2, depth: 2 }];

/// How many characters are short enough.
const SHORT: usize = 90;

impl Model {
    /// The type as it is written: `Order`, `string(min: 1)[]`, `"a" | "b"`. Long and deep types are cut short with `…`, the more the longer
    /// they are.
    #[must_use]
    pub fn display(&self, ty: &Type) -> String {
        let mut text = String::new();
        for detail in DETAILS {
            text.clear();
            self.write_type(&mut text, ty, 0, detail);
            if text.chars().count() <= SHORT {
                break;
            }
        }
        text
    }

    /// What a declared type is called.
    fn name_of(&self, ty: &Type) -> Option<&str> {
        match ty {
            Type::Named(id) => self.get(*id).map(|declaration| &*declaration.name),
            _ => None,
        }
    }

    fn write_type(&self, text: &mut String, ty: &Type, depth: usize, detail: Detail) {
        match ty {
            Type::Unknown => text.push('?'),
            Type::Json => text.push_str("json"),
            Type::Null => text.push_str("null"),
            Type::Scalar(scalar, limits) => {
                text.push_str(scalar.name());
                if let Some(limits) = limits {
                    write_limits(text, *scalar, limits);
                }
            }
            Type::Literal(literal) => write_literal(text, literal),
            Type::Named(_) => text.push_str(self.name_of(ty).unwrap_or("?")),
            Type::List(list) => {
                let grouped = matches!(list.item, Type::Union(_));
                text.push_str(if grouped { "(" } else { "" });
                self.write_type(text, &list.item, depth + 1, detail);
                text.push_str(if grouped { ")[]" } else { "[]" });
                write_counts(text, list.min, list.max, list.unique);
            }
            Type::Map(map) => {
                text.push_str("map<");
                self.write_type(text, &map.value, depth + 1, detail);
                text.push('>');
                write_counts(text, map.min, map.max, false);
            }
            Type::Record(_) if depth >= detail.depth => text.push_str("{ … }"),
            Type::Record(record) => self.write_record(text, record, depth, detail),
            Type::Union(alternatives) => {
                let shown = if depth >= detail.depth { 1 } else { detail.shown };
                for (index, alternative) in alternatives.iter().take(shown).enumerate() {
                    text.push_str(if index > 0 { " | " } else { "" });
                    self.write_type(text, alternative, depth + 1, detail);
                }
                if alternatives.len() > shown {
                    text.push_str(" | …");
                }
            }
        }
    }

    fn write_record(&self, text: &mut String, record: &RecordType, depth: usize, detail: Detail) {
        let mut parts = Vec::new();
        for field in record.fields.iter().take(detail.shown) {
            let mut part = format!("{}{}: ", field.name, if field.optional { "?" } else { "" });
            self.write_type(&mut part, &field.ty, depth + 1, detail);
            parts.push(part);
        }
        if record.fields.len() > detail.shown {
            parts.push("…".to_owned());
        }
        if record.open {
            parts.push("...".to_owned());
        }
        let _ = if parts.is_empty() { write!(text, "{{}}") } else { write!(text, "{{ {} }}", parts.join(", ")) };
    }
}

fn write_literal(text: &mut String, literal: &Literal) {
    let _ = match literal {
        Literal::String(value) => write!(text, "{}", serde_json::Value::from(&**value)),
        Literal::Number(number) => write!(text, "{number}"),
        Literal::Bool(value) => write!(text, "{value}"),
    };
}

fn write_limits(text: &mut String, scalar: Scalar, limits: &Limits) {
    let mut parts = Vec::new();
    match (&limits.min, &limits.max) {
        // The value of a number is a range, the length of a text is not.
        (Some(min), Some(max)) if !matches!(scalar, Scalar::String | Scalar::Bytes) => {
            parts.push(format!("{}..{}", bound(min), bound(max)));
        }
        (min, max) => {
            parts.extend(min.as_ref().map(|min| format!("min: {}", bound(min))));
            parts.extend(max.as_ref().map(|max| format!("max: {}", bound(max))));
        }
    }
    if let Some(pattern) = &limits.pattern {
        parts.push(format!("pattern: {}", serde_json::Value::from(&**pattern)));
    }
    write_parts(text, &parts);
}

fn write_counts(text: &mut String, min: Option<u64>, max: Option<u64>, unique: bool) {
    let mut parts = Vec::new();
    parts.extend(min.map(|min| format!("min: {min}")));
    parts.extend(max.map(|max| format!("max: {max}")));
    parts.extend(unique.then(|| "unique: true".to_owned()));
    write_parts(text, &parts);
}

fn write_parts(text: &mut String, parts: &[String]) {
    if !parts.is_empty() {
        let _ = write!(text, "({})", parts.join(", "));
    }
}

/// A bound as a person writes it: `30s` for `PT30S`, and no quotes around digits that JSON can carry.
pub(crate) fn bound(bound: &Bound) -> String {
    match bound {
        Bound::Number(number) => number.to_string(),
        Bound::Text(text) => weave_scalars::duration::words_of(text).unwrap_or_else(|| {
            let plain =
                text.len() < 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-')) && text.matches('-').count() < 2;
            if plain { text.to_string() } else { serde_json::Value::from(&**text).to_string() }
        }),
    }
}
