//! Why a value does not fit, in words of our own.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;
use weave_scalars::Form;

/// A value is quoted up to so many characters.
const QUOTED: usize = 60;

/// Why a value does not fit its schema, without the place.
#[must_use]
pub fn misfit(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let value = shown(error.instance());
    match error.kind() {
        Kind::Type { kind } => format!("{value} is not {}", types(kind)),
        Kind::Required { property } => format!("there must be a field `{}`", property.as_str().unwrap_or_default()),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names: Vec<_> = unexpected.iter().map(|name| format!("`{name}`")).collect();
            format!("there is no field {}", names.join(", "))
        }
        Kind::Enum { options } => {
            let options: Vec<_> = options.as_array().into_iter().flatten().map(shown).collect();
            format!("{value} is not one of {}", options.join(", "))
        }
        Kind::Constant { expected_value } => format!("{value} is not {}", shown(expected_value)),
        Kind::Format { format } => match Form::ALL.into_iter().find(|form| form.schema_format() == Some(format)) {
            Some(form) => format!("{value} is not a text like \"{}\"", form.example()),
            None => format!("{value} does not have the format `{format}`"),
        },
        Kind::Pattern { pattern } => format!("{value} does not match `{pattern}`"),
        Kind::Minimum { limit } => format!("{value} is less than {limit}"),
        Kind::Maximum { limit } => format!("{value} is greater than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("{value} is not greater than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("{value} is not less than {limit}"),
        Kind::MinLength { limit } => format!("the length of {value} is less than {limit}"),
        Kind::MaxLength { limit } => format!("the length of {value} is greater than {limit}"),
        Kind::MinItems { limit } => format!("the list has fewer elements than {limit}"),
        Kind::MaxItems { limit } => format!("the list has more elements than {limit}"),
        Kind::MinProperties { limit } => format!("there are fewer entries than {limit}"),
        Kind::MaxProperties { limit } => format!("there are more entries than {limit}"),
        Kind::FalseSchema => "nothing may be here".to_owned(),
        Kind::UniqueItems => "two elements of the list are equal".to_owned(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => format!("{value} has none of the forms that are allowed"),
        Kind::OneOfMultipleValid { .. } => format!("{value} has several of the forms of which one is allowed"),
        Kind::PropertyNames { error } => format!("the key {}", misfit(error)),
        _ => error.to_string(),
    }
}

/// A value in a message.
pub(super) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Object(_) => return "the object".to_owned(),
        Value::Array(_) => return "the list".to_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn types(kind: &TypeKind) -> String {
    let word = |of: JsonType| match of {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    };
    match kind {
        TypeKind::Single(of) => word(*of).to_owned(),
        TypeKind::Multiple(several) => several.iter().map(word).collect::<Vec<_>>().join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn misfits_are_explained_in_words() {
        for (schema, value, expected) in [
            (json!({ "type": "integer" }), json!("x"), "\"x\" is not a whole number"),
            (json!({ "type": ["string", "null"] }), json!([1]), "the list is not null or a string"),
            (json!({ "required": ["a"] }), json!({}), "there must be a field `a`"),
            (json!({ "properties": { "c": {} }, "additionalProperties": false }), json!({ "a": 1, "b": 2 }), "there is no field `a`, `b`"),
            (json!({ "additionalProperties": false }), json!({ "a": 1 }), "nothing may be here"),
            (json!({ "enum": ["a", 3] }), json!("c"), "\"c\" is not one of \"a\", 3"),
            (json!({ "const": "a" }), json!("c"), "\"c\" is not \"a\""),
            (json!({ "format": "date" }), json!("soon"), "\"soon\" is not a text like \"2027-01-31\""),
            (json!({ "pattern": "^a$" }), json!("b"), "\"b\" does not match `^a$`"),
            (json!({ "minimum": 3 }), json!(2), "2 is less than 3"),
            (json!({ "maximum": 3 }), json!(4), "4 is greater than 3"),
            (json!({ "maxLength": 3 }), json!("abcd"), "the length of \"abcd\" is greater than 3"),
            (json!({ "minItems": 1 }), json!([]), "the list has fewer elements than 1"),
            (json!({ "uniqueItems": true }), json!([1, 1]), "two elements of the list are equal"),
            (json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }), json!(3), "3 has none of the forms that are allowed"),
            (json!({ "format": "int64", "x-weave-max": "5" }), json!("7"), "\"7\" is greater than \"5\""),
            (json!({ "type": "null" }), json!("x".repeat(100)), &format!("\"{}… is not null", "x".repeat(59))),
        ] {
            let validator = crate::validator(&schema).unwrap();
            let found: Vec<_> = validator.iter_errors(&value).map(|error| misfit(&error)).collect();
            assert_eq!(found, [expected], "{schema}");
        }
    }
}
