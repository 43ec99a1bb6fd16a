//! Virtual time: milliseconds after the start of the run, which begins at 2001-01-01T00:00:00Z.

use serde_json::Value;
use weave_expr::{read_duration, read_timestamp, timestamp};

/// When a run begins: 2001-01-01T00:00:00Z, in milliseconds since 1970.
const BEGINNING: i64 = 978_307_200_000;

/// A moment, as RFC 3339; `None` after the year 9999.
pub(crate) fn moment(milliseconds: u64) -> Option<String> {
    const END: i64 = 253_402_300_800_000;
    let moment = BEGINNING.checked_add_unsigned(milliseconds).filter(|moment| *moment < END)?;
    Some(timestamp(moment))
}

/// When a timer is due that is set now: `after` a duration, or `at` a moment. A moment that is past is now, and so is a time that
/// cannot be read: a host does not wait for it either.
pub(crate) fn due(data: &Value, now: u64) -> u64 {
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    if let Some(length) = text("after").and_then(read_duration) {
        return now.saturating_add(length);
    }
    let at = text("at").and_then(read_timestamp).and_then(|at| u64::try_from(at.saturating_sub(BEGINNING)).ok());
    at.map_or(now, |at| at.max(now))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn moments_are_counted_from_the_start() {
        assert_eq!(moment(0).as_deref(), Some("2001-01-01T00:00:00Z"));
        assert_eq!(moment(90_061_500).as_deref(), Some("2001-01-02T01:01:01.5Z"));
        assert_eq!(moment(u64::MAX), None);
    }

    #[test]
    fn timers_are_due_after_or_at() {
        for (data, expected) in [
            (json!({ "after": "PT1M" }), 60_005),
            (json!({ "after": "P1W" }), 604_800_005),
            (json!({ "after": "PT0.0015S" }), 7),
            (json!({ "at": "2001-01-01T01:00:00Z" }), 3_600_000),
            (json!({ "at": "1999-01-01T01:00:00Z" }), 5),
            (json!({ "after": "PT1Y" }), 5),
            (json!({}), 5),
        ] {
            assert_eq!(due(&data, 5), expected, "{data}");
        }
    }
}
