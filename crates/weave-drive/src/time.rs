//! When timers are due.

use serde_json::Value;
use weave_scroll::Time;

/// So many milliseconds after a moment.
pub(crate) fn later(now: Time, milliseconds: u64) -> Time {
    now.saturating_add_unsigned(milliseconds)
}

/// When a `timer.set` with this data is due, counted from `now`. A time that cannot be read is due at once: the runner has taken the
/// data as it is, and a run must not wait for ever.
pub(crate) fn due(data: &Value, now: Time) -> Time {
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    let length = text("after").and_then(weave_expr::read_duration);
    let at = || text("at").and_then(weave_expr::read_timestamp);
    length.map(|length| later(now, length)).or_else(at).unwrap_or(now)
}
