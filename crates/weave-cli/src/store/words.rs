//! Times and texts for people.

use weave_diagnostics::Charset;
use weave_scroll::Time;

/// A length of time in its two greatest units.
pub(super) fn length(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1_000;
    let two = |great: i64, great_unit: &str, small: i64, small_unit: &str| {
        if small == 0 { format!("{great} {great_unit}") } else { format!("{great} {great_unit} {small} {small_unit}") }
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => two(seconds / 3_600, "h", seconds % 3_600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

/// How long a step took: with tenths below a minute.
pub(super) fn took(milliseconds: i64) -> String {
    let milliseconds = milliseconds.max(0);
    if milliseconds < 60_000 { format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100) } else { length(milliseconds) }
}

/// A moment, to the minute, in UTC.
pub(super) fn moment(at: Time) -> String {
    let text = weave_expr::timestamp(at);
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text,
    }
}

/// A text on one line, at most so long.
pub(super) fn cut(text: &str, most: usize) -> String {
    let line = Charset::Unicode.line(text);
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A text as a shell takes it for one word.
pub(super) fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:#@=+,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_units() {
        let texts = [0, 59_999, 60_000, 3_600_000, 74_880_000, 86_400_000, 180_000_000].map(length);
        assert_eq!(texts, ["0 s", "59 s", "1 min", "1 h", "20 h 48 min", "1 d", "2 d 2 h"]);
        assert_eq!([took(0), took(1_850), took(61_000)], ["0.0 s", "1.8 s", "1 min"]);
        assert_eq!(moment(0), "1970-01-01 00:00 UTC");
    }

    #[test]
    fn a_word_for_a_shell_is_one_word() {
        assert_eq!([quoted("a-1"), quoted("it's"), quoted("")], ["a-1", "'it'\\''s'", "''"]);
    }
}
