//! Texts: plain ones, and those of a format.

use serde_json::{Map, Value};
use weave_ir::{Operator, ValueType};

use crate::constants::Constant;
use crate::pattern;
use crate::scalar::{distinct, holds, numbers};

/// The longest text that is made where a schema asks for length, in characters.
const LONGEST: usize = 100_000;

/// The texts that are worth a try for a schema, the two sides of its constants first.
pub(crate) fn texts(schema: &Map<String, Value>, name: &str, constants: &[Constant]) -> Vec<Value> {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    match format {
        "int64" => return numbers(schema, ValueType::Int64, constants),
        "decimal" => return numbers(schema, ValueType::Decimal, constants),
        "date-time" => return timed(schema, ValueType::Timestamp, constants, &["2001-01-01T12:00:00Z", "2030-06-15T08:30:00Z"]),
        "date" => return timed(schema, ValueType::Date, constants, &["2001-01-01", "2030-06-15"]),
        "duration" => return timed(schema, ValueType::Duration, constants, &["PT1H", "PT48H", "PT0S"]),
        _ => {}
    }
    if schema.get("contentEncoding").is_some() {
        return octets(schema);
    }
    let (least, most) = lengths(schema, constants);
    let mut found = Vec::new();
    match format {
        "uuid" => found.extend(["123e4567-e89b-12d3-a456-426614174000", "9b2d7c1e-0f3a-4c58-8a41-5d6e7f809112"].map(Value::from)),
        "uri" => found.extend(["https://example.org/", "https://example.com/other"].map(Value::from)),
        "email" => found.extend(["ada@example.org", "grace@example.com"].map(Value::from)),
        _ => match schema.get("pattern").and_then(Value::as_str) {
            Some(pattern) => found.extend(pattern::texts(pattern, least.0, most, 2).into_iter().map(Value::from)),
            None => found.extend([sized(name, least.0, most), sized(&format!("another {name}"), least.1, most)]),
        },
    }
    let wanted = constants.iter().filter(|constant| !constant.of_size).filter_map(|constant| wanted(constant, least.0, most));
    let wanted: Vec<_> = wanted.flatten().collect();
    // The second side is what a guard asks for.
    let rest = found.split_off(found.len().min(1));
    found.extend(wanted);
    found.extend(rest);
    let fits = |value: &Value| {
        let length = value.as_str().map_or(0, |text| text.chars().count());
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
        let long_enough = bound("minLength").is_none_or(|least| length >= least) && bound("maxLength").is_none_or(|most| length <= most);
        let pattern = schema.get("pattern").and_then(Value::as_str).map(|pattern| regex::Regex::new(&weave_pattern::rust(pattern)));
        let matches = pattern.is_none_or(|regex| regex.is_ok_and(|regex| value.as_str().is_some_and(|text| regex.is_match(text))));
        long_enough && matches
    };
    found.retain(fits);
    distinct(found)
}

/// A text that makes a guard true, where the constant says how.
fn wanted(constant: &Constant, least: usize, most: usize) -> Option<Vec<Value>> {
    let text = constant.value.as_str()?;
    match constant.operator {
        Operator::Matches => Some(pattern::texts(text, least, most, 1).into_iter().map(Value::from).collect()),
        _ => Some(vec![Value::from(text)]),
    }
}

/// The least length on either side of what guards compare it with, and the greatest length, in characters.
fn lengths(schema: &Map<String, Value>, constants: &[Constant]) -> ((usize, usize), usize) {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let least = bound("minLength").unwrap_or(0);
    let most = bound("maxLength").unwrap_or(usize::MAX);
    let size = constants.iter().filter(|constant| constant.of_size).filter_map(|constant| constant.value.as_u64()).max();
    let above = size.and_then(|size| usize::try_from(size).ok()).map_or(least, |size| (size + 1).max(least));
    ((least.min(LONGEST), above.min(most).min(LONGEST)), most)
}

/// A text of words with at least and at most so many characters.
fn sized(name: &str, least: usize, most: usize) -> Value {
    let name = if name.is_empty() { "text" } else { name };
    let mut text: String = name.replace('_', " ").chars().take(most).collect();
    let mut length = text.chars().count();
    while length < least {
        text.push('x');
        length += 1;
    }
    Value::from(text)
}

/// Moments, days and lengths of time.
fn timed(schema: &Map<String, Value>, value_type: ValueType, constants: &[Constant], plain: &[&str]) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).filter(|bound| bound.is_string()).cloned();
    let (least, most) = (bound("x-weave-min"), bound("x-weave-max"));
    let compared = constants.iter().filter(|constant| !constant.of_size && constant.value.is_string());
    let mut found: Vec<Value> = plain.iter().take(1).map(|text| Value::from(*text)).collect();
    found.extend(compared.map(|constant| constant.value.clone()));
    found.extend(plain.iter().skip(1).map(|text| Value::from(*text)));
    found.extend(least.iter().chain(&most).cloned());
    found.retain(|value| {
        let within = |bound: &Option<Value>, operator| bound.as_ref().is_none_or(|bound| holds(value_type, operator, value, bound));
        within(&least, Operator::GreaterOrEqual) && within(&most, Operator::LessOrEqual)
    });
    distinct(found)
}

/// Base64 of as many octets as the schema asks for.
fn octets(schema: &Map<String, Value>) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let (least, most) = (bound("x-weave-min").unwrap_or(0).min(LONGEST), bound("x-weave-max").unwrap_or(usize::MAX));
    let text = |octets: usize| {
        let full = "AAAA".repeat(octets / 3);
        Value::from(full + ["", "AA==", "AAA="].get(octets % 3).copied().unwrap_or_default())
    };
    let sizes = [3.clamp(least, most.max(least)), 6.clamp(least, most.max(least))];
    distinct(sizes.into_iter().map(text).collect())
}
