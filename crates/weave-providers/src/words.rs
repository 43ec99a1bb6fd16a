//! What a keyword says, in plain words: for the description of a schema whose reader does not know the keyword.

use serde_json::{Map, Value};

/// The greatest integer that all readers of JSON keep; who leaves out a bound that says no more than this loses nothing.
const GREATEST: i64 = (1 << 53) - 1;

/// What a keyword of this schema says; nothing where another keyword says it better, or where there is nothing to say.
pub(crate) fn words(keyword: &str, value: &Value, schema: &Map<String, Value>) -> Option<String> {
    let bytes = schema.contains_key("contentEncoding");
    let sentence = match keyword {
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        // Characters of base64 mean nothing to anybody; the bytes are counted beside them.
        "minLength" | "maxLength" if bytes => return None,
        "minLength" => format!("At least {}.", counted(value, "character")),
        "maxLength" => format!("At most {}.", counted(value, "character")),
        "x-weave-min" if bytes => format!("At least {}.", counted(value, "byte")),
        "x-weave-max" if bytes => format!("At most {}.", counted(value, "byte")),
        "x-weave-min" => format!("At least {}.", plain(value)),
        "x-weave-max" => format!("At most {}.", plain(value)),
        "pattern" if schema.get("format").is_some_and(|format| format == "int64" || format == "decimal") => return None,
        "pattern" => format!("Matches the regular expression `{}`.", plain(value)),
        "format" => format_words(value.as_str()?),
        "contentEncoding" => "Bytes in base64.".to_owned(),
        "minItems" => format!("At least {}.", counted(value, "item")),
        "maxItems" => format!("At most {}.", counted(value, "item")),
        "uniqueItems" => "No two items are equal.".to_owned(),
        "minProperties" => format!("At least {}.", counted(value, "entry")),
        "maxProperties" => format!("At most {}.", counted(value, "entry")),
        "const" => format!("Always {value}."),
        "enum" => format!("One of {}.", value.as_array()?.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        "default" => format!("Default: {value}."),
        _ => return None,
    };
    Some(sentence)
}

fn format_words(format: &str) -> String {
    let what = match format {
        "int64" => "A whole number of 64 bits, as a string of digits.",
        "decimal" => "A decimal number as a string, such as \"12.50\".",
        "date-time" => "A point in time as in RFC 3339, such as 2026-01-31T09:30:00Z.",
        "date" => "A date such as 2026-01-31.",
        "time" => "A time of day such as 09:30:00Z.",
        "duration" => "A length of time as in ISO 8601, such as PT1H30M.",
        "uuid" => "A UUID.",
        "uri" => "A URI.",
        "email" => "An e-mail address.",
        other => return format!("Format: {other}."),
    };
    what.to_owned()
}

/// A string without its quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn counted(value: &Value, what: &str) -> String {
    match (value.as_u64(), what) {
        (Some(1), _) => format!("1 {what}"),
        (_, "entry") => format!("{value} entries"),
        _ => format!("{value} {what}s"),
    }
}

/// Whether a bound says nothing that JSON does not say already.
pub(crate) fn says_nothing(keyword: &str, value: &Value) -> bool {
    match keyword {
        "minimum" => value.as_i64() == Some(-GREATEST),
        "maximum" => value.as_i64() == Some(GREATEST),
        _ => false,
    }
}

/// Why something is deprecated, for the description; an annotation, so nothing is lost with it.
pub(crate) fn deprecation(schema: &Map<String, Value>) -> Option<String> {
    schema.get("deprecated").filter(|deprecated| **deprecated == Value::Bool(true))?;
    match schema.get("x-weave-deprecated").and_then(Value::as_str) {
        Some(reason) => Some(format!("Deprecated: {reason}")),
        None => Some("Deprecated.".to_owned()),
    }
}
