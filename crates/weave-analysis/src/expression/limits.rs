//! Whether constants keep to the constraints of their types.

use std::cmp::Ordering;

use regex::bytes::Regex;
use serde_json::{Number, Value as Json};
use weave_syntax::text::quoted_string;

use super::formats;
use crate::model::types::{Bound, Limits, Scalar};

/// The constraint that a constant breaks, as it is written in the language, such as `min: 1`.
pub(crate) fn broken(scalar: Scalar, limits: &Limits, value: &Json) -> Option<String> {
    let outside = |bound: &Bound, wrong: Ordering| measure(scalar, value, bound) == Some(wrong);
    if let Some(min) = limits.min.as_ref().filter(|min| outside(min, Ordering::Less)) {
        return Some(format!("min: {}", bound_text(min)));
    }
    if let Some(max) = limits.max.as_ref().filter(|max| outside(max, Ordering::Greater)) {
        return Some(format!("max: {}", bound_text(max)));
    }
    let pattern = limits.pattern.as_deref()?;
    let text = value.as_str()?;
    // A pattern that is wrong has been reported where it is declared.
    let regex = Regex::new(&weave_pattern::rust(pattern)).ok()?;
    // Over octets, because an ASCII `\B` is true within a character too: such a place does not count.
    let is_match = regex.find_iter(text.as_bytes()).any(|found| text.is_char_boundary(found.start()));
    (!is_match).then(|| format!("pattern: {}", quoted_string(pattern)))
}

/// How a constant, or its length, compares with a bound.
fn measure(scalar: Scalar, value: &Json, bound: &Bound) -> Option<Ordering> {
    match (value, bound) {
        (Json::Number(value), Bound::Number(bound)) => compare_numbers(value, bound),
        (Json::String(text), Bound::Text(bound)) => formats::compare(scalar, text, bound),
        (Json::String(text), Bound::Number(bound)) => match scalar {
            Scalar::Int64 | Scalar::Decimal => formats::compare(Scalar::Decimal, text, &weave_scalars::plain_decimal(&bound.to_string())?),
            _ => compare_numbers(&Number::from(length(scalar, text)), bound),
        },
        _ => None,
    }
}

/// The length that constraints mean: characters of a text, bytes of bytes.
fn length(scalar: Scalar, text: &str) -> usize {
    match scalar {
        Scalar::Bytes => text.trim_end_matches('=').len() * 3 / 4,
        _ => text.chars().count(),
    }
}

/// How two numbers compare.
pub(crate) fn compare_numbers(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

fn bound_text(bound: &Bound) -> String {
    match bound {
        Bound::Number(number) => number.to_string(),
        Bound::Text(text) => quoted_string(text),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn limits(min: Option<Bound>, max: Option<Bound>) -> Limits {
        Limits { min, max, pattern: None }
    }

    #[test]
    fn numbers_texts_and_lengths_are_measured() {
        let number = |number: i64| Some(Bound::Number(number.into()));
        let text = |text: &str| Some(Bound::Text(text.into()));
        let range = limits(number(1), number(3));
        assert_eq!(broken(Scalar::Int, &range, &json!(0)).as_deref(), Some("min: 1"));
        assert_eq!(broken(Scalar::Float, &range, &json!(3.5)).as_deref(), Some("max: 3"));
        assert_eq!(broken(Scalar::Int, &range, &json!(3)), None);
        assert_eq!(broken(Scalar::String, &range, &json!("äöü")), None, "three characters, six bytes");
        assert_eq!(broken(Scalar::String, &range, &json!("abcd")).as_deref(), Some("max: 3"));
        assert_eq!(broken(Scalar::Bytes, &range, &json!("QUJD")), None);
        assert_eq!(broken(Scalar::Bytes, &range, &json!("QUJDRA==")).as_deref(), Some("max: 3"));
        assert_eq!(broken(Scalar::Decimal, &limits(text("0.5"), None), &json!("0.49")).as_deref(), Some("min: \"0.5\""));
        assert_eq!(broken(Scalar::Decimal, &range, &json!("3.0")), None);
        assert_eq!(broken(Scalar::Duration, &limits(None, text("PT1H")), &json!("PT61M")).as_deref(), Some("max: \"PT1H\""));
    }

    #[test]
    fn classes_in_patterns_are_ascii() {
        for (pattern, text, expected) in [
            (r"^\d$", "7", true),
            (r"^\d$", "\u{0667}", false),
            (r"^\w+$", "fine_1", true),
            (r"^\w+$", "größe", false),
            (r"^[^\w]$", "ö", true),
            (r"^a\sb$", "a\u{a0}b", false),
            (r"e\b", "größe", true),
            (r"\\d", "\\d", true),
        ] {
            let limits = Limits { min: None, max: None, pattern: Some(pattern.into()) };
            assert_eq!(broken(Scalar::String, &limits, &json!(text)).is_none(), expected, "{pattern} in {text}");
        }
    }

    #[test]
    fn patterns_match_anywhere() {
        let limits = Limits { min: None, max: None, pattern: Some("^A-".into()) };
        assert_eq!(broken(Scalar::String, &limits, &json!("A-17")), None);
        assert_eq!(broken(Scalar::String, &limits, &json!("B-17")).as_deref(), Some("pattern: \"^A-\""));
    }
}
