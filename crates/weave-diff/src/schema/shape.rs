//! What a schema admits, alternative by alternative.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weave_ir::Schema;

use super::Side;

/// A schema without `anyOf`: its alternatives beside null.
#[derive(Debug)]
pub(super) struct Shape<'d> {
    pub(super) nullable: bool,
    pub(super) alternatives: Vec<Alternative<'d>>,
}

/// One of the alternatives, with references followed.
#[derive(Clone, Debug)]
pub(super) struct Alternative<'d> {
    pub(super) side: Side<'d>,
    /// The named type that it is.
    pub(super) reference: Option<String>,
}

impl<'d> Shape<'d> {
    pub(super) fn of(side: &Side<'d>, types: &'d BTreeMap<String, Schema>) -> Self {
        let mut shape = Self { nullable: false, alternatives: Vec::new() };
        let mut seen = BTreeSet::new();
        let mut open = vec![Alternative { side: side.clone(), reference: None }];
        while let Some(next) = open.pop() {
            let found = next.side.get("anyOf").and_then(Value::as_array);
            if let Some(members) = found {
                let pointer = format!("{}/anyOf", next.side.pointer);
                // The last is taken out first, so they are laid down from behind.
                let members = members.iter().enumerate().rev();
                open.extend(members.map(|(index, value)| {
                    let side = Side { pointer: format!("{pointer}/{index}"), value };
                    Alternative { side, reference: None }
                }));
            } else if let Some(name) = reference(next.side.value) {
                // A type that is nothing but itself admits nothing more.
                let target = types.get(&name).filter(|_| seen.insert(name.clone()));
                if let Some(schema) = target {
                    open.push(Alternative { side: Side::new(super::child("/$defs", &name), schema), reference: Some(name) });
                }
            } else if next.side.get("type").and_then(Value::as_str) == Some("null") {
                shape.nullable = true;
            } else {
                shape.alternatives.push(next);
            }
        }
        shape
    }
}

/// The name of the type that a schema is a reference to.
pub(super) fn reference(schema: &Value) -> Option<String> {
    let target = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    Some(target.replace("~1", "/").replace("~0", "~"))
}

/// The name of a type without the piece of a digest that tells types of one name apart.
pub(super) fn display_name(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((name, digest)) if digest.len() == 8 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) => name,
        _ => name,
    }
}

/// What kind of values an alternative has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Anything,
    Null,
    Boolean,
    Integer,
    Number,
    /// Text, and its format.
    Text(String),
    List,
    Map,
    Record,
    /// What no compiler of weave writes.
    Other(String),
}

impl Base {
    pub(super) fn of(schema: &Value) -> Self {
        let literal = || literals(schema).and_then(|values| values.first().copied()).map(kind_of);
        let kind = schema.get("type").map(|kind| kind.as_str().map_or_else(|| kind.to_string(), str::to_owned));
        let Some(kind) = kind.or_else(|| literal().map(str::to_owned)) else { return Self::Anything };
        match kind.as_str() {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => {
                let format = schema.get("format").or_else(|| schema.get("contentEncoding")).and_then(Value::as_str);
                Self::Text(format.unwrap_or_default().to_owned())
            }
            "array" => Self::List,
            "object" if schema.get("additionalProperties").is_some_and(Value::is_object) && schema.get("properties").is_none() => Self::Map,
            "object" => Self::Record,
            _ => Self::Other(kind),
        }
    }
}

/// The values of an `enum` or a `const`.
pub(super) fn literals(schema: &Value) -> Option<Vec<&Value>> {
    match schema.get("enum").and_then(Value::as_array) {
        Some(values) => Some(values.iter().collect()),
        None => schema.get("const").map(|value| vec![value]),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The value that tells a variant of a tagged union from the others: that of its first property with a `const`.
pub(super) fn tag(schema: &Value) -> Option<&str> {
    let properties = schema.get("properties")?.as_object()?;
    properties.values().find_map(|property| property.get("const")?.as_str())
}

/// A type as one would write it, as far as a message can bear.
pub(super) fn type_text(schema: &Value) -> String {
    const DEEPEST: usize = 3;
    text(schema, DEEPEST)
}

fn text(schema: &Value, depth: usize) -> String {
    const MOST: usize = 4;
    if let Some(name) = reference(schema) {
        return display_name(&name).to_owned();
    }
    let several = |texts: Vec<String>| match texts.len() {
        0..=MOST => texts.join(" | "),
        more => format!("{} | … {} more", texts.iter().take(MOST - 1).cloned().collect::<Vec<_>>().join(" | "), more - (MOST - 1)),
    };
    if let Some(members) = schema.get("anyOf").and_then(Value::as_array) {
        return match depth {
            0 => "…".to_owned(),
            _ => several(members.iter().map(|member| text(member, depth - 1)).collect()),
        };
    }
    if let Some(values) = literals(schema) {
        return several(values.into_iter().map(Value::to_string).collect());
    }
    match Base::of(schema) {
        Base::Anything => "json".to_owned(),
        Base::Null => "null".to_owned(),
        Base::Boolean => "bool".to_owned(),
        Base::Integer => "int".to_owned(),
        Base::Number => "float".to_owned(),
        Base::Text(format) => match format.as_str() {
            "" => "string".to_owned(),
            "base64" => "bytes".to_owned(),
            "date-time" => "timestamp".to_owned(),
            _ => format,
        },
        Base::List | Base::Map if depth == 0 => "…".to_owned(),
        Base::List => {
            let item = schema.get("items").map_or_else(|| "json".to_owned(), |item| text(item, depth - 1));
            if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") }
        }
        Base::Map => format!("map<{}>", schema.get("additionalProperties").map_or_else(String::new, |value| text(value, depth - 1))),
        Base::Record => "a record".to_owned(),
        Base::Other(kind) => kind,
    }
}
