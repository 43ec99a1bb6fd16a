//! Virtual time: milliseconds after the start of the run, which begins at 2001-01-01T00:00:00Z.

use serde_json::{Map, Value};
use weave_expr::evaluate;
use weave_ir::{Expr, Operator, ValueType};

/// When a run begins.
const BEGINNING: &str = "2001-01-01T00:00:00Z";

/// A moment, as RFC 3339.
pub(crate) fn moment(milliseconds: u64) -> Option<String> {
    let length = format!("PT{}.{:03}S", milliseconds / 1000, milliseconds % 1000);
    let sum = compute(Operator::Add, ValueType::Timestamp, BEGINNING, ValueType::Timestamp, &length, ValueType::Duration)?;
    sum.as_str().map(str::to_owned)
}

/// When a timer is due that is set now: `after` a duration, or `at` a moment. A moment that is past is now.
pub(crate) fn due(data: &Value, now: u64) -> Option<u64> {
    if let Some(after) = data.get("after").and_then(Value::as_str) {
        return Some(now.saturating_add(length(after)?));
    }
    let at = data.get("at").and_then(Value::as_str)?;
    let after = compute(Operator::Subtract, ValueType::Timestamp, at, ValueType::Timestamp, BEGINNING, ValueType::Timestamp)?;
    let text = after.as_str()?;
    Some(if text.starts_with('-') { now } else { length(text)?.max(now) })
}

fn compute(operator: Operator, operands: ValueType, left: &str, left_type: ValueType, right: &str, right_type: ValueType) -> Option<Value> {
    let args = vec![Expr::constant(Value::from(left), left_type), Expr::constant(Value::from(right), right_type)];
    evaluate(&Expr::typed(operator, operands, args), &Map::new()).ok()
}

/// An ISO 8601 duration of weeks, days, hours, minutes and seconds, in milliseconds. A fraction below is dropped.
pub(crate) fn length(text: &str) -> Option<u64> {
    let mut sum = 0_u64;
    let mut in_time = false;
    let mut number = String::new();
    for character in text.strip_prefix('P')?.chars() {
        match character {
            'T' => in_time = true,
            '0'..='9' | '.' => number.push(character),
            unit => {
                let factor = match (unit, in_time) {
                    ('W', false) => 604_800_000,
                    ('D', false) => 86_400_000,
                    ('H', true) => 3_600_000,
                    ('M', true) => 60_000,
                    ('S', true) => 1000,
                    _ => return None,
                };
                sum = sum.saturating_add(scaled(&std::mem::take(&mut number), factor)?);
            }
        }
    }
    number.is_empty().then_some(sum)
}

/// A decimal number times a factor, without its fraction.
fn scaled(number: &str, factor: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(factor);
    let digits: String = fraction.chars().take(9).collect();
    let scale = 10_u64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let part = if digits.is_empty() { 0 } else { digits.parse::<u64>().ok()?.saturating_mul(factor) / scale };
    Some(whole.saturating_add(part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn durations_are_milliseconds() {
        for (text, expected) in
            [("PT0S", 0), ("PT20S", 20_000), ("PT1H2M3.5S", 3_723_500), ("P1W", 604_800_000), ("P2DT1S", 172_801_000), ("PT0.0015S", 1)]
        {
            assert_eq!(length(text), Some(expected), "{text}");
        }
        assert_eq!([length("1H"), length("PT1Y"), length("PT5")], [None, None, None]);
    }

    #[test]
    fn timers_are_due_after_or_at() {
        assert_eq!(moment(90_061_500).as_deref(), Some("2001-01-02T01:01:01.5Z"));
        assert_eq!(due(&json!({ "after": "PT1M" }), 5), Some(60_005));
        assert_eq!(due(&json!({ "at": "2001-01-01T01:00:00Z" }), 5), Some(3_600_000));
        assert_eq!(due(&json!({ "at": "1999-01-01T01:00:00Z" }), 5), Some(5));
        assert_eq!(due(&json!({}), 5), None);
    }
}
