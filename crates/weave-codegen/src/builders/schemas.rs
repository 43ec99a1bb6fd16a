//! Types as programs write them.

use serde_json::{Map, Value, json};

use super::code::Code;
use super::program::Named;

/// What a builder calls the scalars, with their schemas.
fn scalars() -> [(&'static str, Value); 14] {
    let greatest = (1_i64 << 53) - 1;
    let text = |format: &str| json!({ "type": "string", "format": format });
    [
        ("int64", json!({ "type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$" })),
        ("decimal", json!({ "type": "string", "format": "decimal", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" })),
        ("bytes", json!({ "type": "string", "contentEncoding": "base64" })),
        ("timestamp", text("date-time")),
        ("date", text("date")),
        ("duration", text("duration")),
        ("uuid", text("uuid")),
        ("uri", text("uri")),
        ("email", text("email")),
        ("int", json!({ "type": "integer", "minimum": -greatest, "maximum": greatest })),
        ("bool", json!({ "type": "boolean" })),
        ("float", json!({ "type": "number" })),
        ("string", json!({ "type": "string" })),
        ("nothing", json!({ "type": "null" })),
    ]
}

fn of_types(function: &'static str, arguments: Vec<Code>) -> Code {
    Code::Shared("t").then(function, arguments)
}

/// A type with what else is said about it.
fn noted(code: Code, rest: Map<String, Value>) -> Code {
    if rest.is_empty() { code } else { of_types("noted", vec![code, Code::json(&Value::Object(rest))]) }
}

/// A type.
pub(super) fn type_code(schema: &Value, named: &Named<'_>) -> Code {
    let Value::Object(entries) = schema else { return of_types("schema", vec![Code::json(schema)]) };
    let mut rest = entries.clone();
    let code = known(&mut rest, named);
    match code {
        Some(code) => noted(code, rest),
        None => of_types("schema", vec![Code::json(schema)]),
    }
}

/// What the keywords say that builders have a word for; these keywords are taken out.
fn known(rest: &mut Map<String, Value>, named: &Named<'_>) -> Option<Code> {
    if let Some(name) = rest.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix("#/$defs/")) {
        let code = Code::Part(named.type_called(name)?);
        rest.shift_remove("$ref");
        return Some(code);
    }
    if let Some(Value::Array(members)) = rest.get("anyOf").cloned() {
        rest.shift_remove("anyOf");
        return Some(union(&members, named));
    }
    if let Some(values) = values(rest) {
        return Some(of_types("one_of", values.iter().map(Code::json).collect()));
    }
    match rest.get("type").and_then(Value::as_str) {
        None => Some(of_types("json", Vec::new())),
        Some("array") => {
            let item = rest.shift_remove("items")?;
            rest.shift_remove("type");
            Some(of_types("list", vec![type_code(&item, named)]))
        }
        Some("object") => {
            rest.shift_remove("type");
            match rest.shift_remove("properties") {
                Some(Value::Object(properties)) => {
                    let required = rest.shift_remove("required").unwrap_or_default();
                    let mut arguments = vec![Code::Fields(fields(&properties, &required, named))];
                    if rest.shift_remove("additionalProperties")?.as_bool()? {
                        arguments.push(Code::Bool(true));
                    }
                    Some(of_types("record", arguments))
                }
                _ => Some(of_types("map", vec![type_code(&rest.shift_remove("additionalProperties")?, named)])),
            }
        }
        Some(_) => scalar(rest),
    }
}

/// The fields of a record.
pub(super) fn fields(properties: &Map<String, Value>, required: &Value, named: &Named<'_>) -> Vec<(String, Code)> {
    let required: Vec<&str> = required.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let field = |(name, schema): (&String, &Value)| {
        let code = type_code(schema, named);
        // What has a default may be left out anyway.
        let said = required.contains(&name.as_str()) || schema.get("default").is_some();
        (name.clone(), if said { code } else { of_types("optional", vec![code]) })
    };
    properties.iter().map(field).collect()
}

fn union(members: &[Value], named: &Named<'_>) -> Code {
    let null = json!({ "type": "null" });
    let either = |members: &[Value]| of_types("either", members.iter().map(|member| type_code(member, named)).collect());
    match members {
        // What is a union itself would be taken apart.
        [one, last] if *last == null && one.get("anyOf").is_none() => of_types("nullable", vec![type_code(one, named)]),
        [first @ .., last] if *last == null && first.len() > 1 => of_types("nullable", vec![either(first)]),
        all => either(all),
    }
}

/// Literals of one type.
fn values(rest: &mut Map<String, Value>) -> Option<Vec<Value>> {
    let values = match (rest.get("const"), rest.get("enum")) {
        (Some(value), None) => vec![value.clone()],
        (None, Some(Value::Array(values))) if values.len() > 1 => values.clone(),
        _ => return None,
    };
    let of = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        _ => "",
    };
    if rest.get("type")?.as_str()? != values.first().map(of)? {
        return None;
    }
    for key in ["type", "const", "enum"] {
        rest.shift_remove(key);
    }
    Some(values)
}

fn scalar(rest: &mut Map<String, Value>) -> Option<Code> {
    let (name, plain) = scalars().into_iter().find(|(_, plain)| {
        let mut entries = plain.as_object().into_iter().flatten();
        // Bounds and patterns of one's own stand in the place of these.
        entries.all(|(key, value)| match key.as_str() {
            "minimum" | "maximum" | "pattern" => rest.contains_key(key),
            _ => rest.get(key) == Some(value),
        })
    })?;
    for (key, value) in plain.as_object().into_iter().flatten() {
        if rest.get(key) == Some(value) {
            rest.shift_remove(key);
        }
    }
    Some(of_types(name, Vec::new()))
}
