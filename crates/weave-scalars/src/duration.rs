//! Lengths of time as programs, definitions and messages write them.

use std::fmt::Write;

/// The longest length of time, in milliseconds: some ten thousand years. It is the bound of CEL, so a guard can compute with every
/// length that a program names.
pub const LONGEST: u64 = 315_576_000_000_000;

/// The units of the language, the largest first, and their milliseconds.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Why a text is not a duration of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationFault {
    /// Longer than [`LONGEST`].
    TooLong,
    /// The units do not go from the larger to the smaller ones, each at most once.
    Order,
    /// Not a duration at all.
    Malformed,
}

/// The milliseconds of a duration of the language (`250ms`, `1h30m`), or why it is none.
pub fn read(text: &str) -> Result<u64, DurationFault> {
    let mut rest = text;
    let mut sum: u64 = 0;
    let mut last_unit = u64::MAX;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (count, behind) = rest.split_at(digits);
        let letters = behind.bytes().take_while(u8::is_ascii_lowercase).count();
        let (name, behind) = behind.split_at(letters);
        let unit = UNITS.iter().find(|(unit, _)| *unit == name).filter(|_| digits > 0);
        let unit = unit.map(|(_, length)| *length).ok_or(DurationFault::Malformed)?;
        if unit >= last_unit {
            return Err(DurationFault::Order);
        }
        let part = count.parse().ok().and_then(|count: u64| count.checked_mul(unit));
        sum = part.and_then(|part| sum.checked_add(part)).ok_or(DurationFault::TooLong)?;
        last_unit = unit;
        rest = behind;
        if rest.is_empty() {
            return if sum <= LONGEST { Ok(sum) } else { Err(DurationFault::TooLong) };
        }
    }
}

/// A length of time as the language writes it, and as all messages, pictures and reports print it: `2d`, `24h`, `1h30m`, `250ms`,
/// `0s`. Days stand for whole days alone, from two on: people say `24h` and `36h`, but `30d`.
#[must_use]
pub fn words(milliseconds: u64) -> String {
    let mut left = milliseconds;
    let mut text = String::new();
    for (unit, length) in UNITS {
        let has_unit = unit != "d" || (left >= 2 * length && left.is_multiple_of(length));
        if left >= length && has_unit {
            let _ = write!(text, "{}{unit}", left / length);
            left %= length;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// What [`words`] says of an ISO 8601 text; `None` if it is not a length of whole milliseconds.
#[must_use]
pub fn words_of(text: &str) -> Option<String> {
    whole_milliseconds(text).map(words)
}

/// The milliseconds of an ISO 8601 text; `None` if it is not a length, is below zero, or has a fraction of a millisecond.
#[must_use]
pub fn whole_milliseconds(text: &str) -> Option<u64> {
    const MILLISECOND: i128 = 1_000_000;
    let nanoseconds = crate::time::read_length(text).ok().filter(|nanoseconds| nanoseconds % MILLISECOND == 0)?;
    u64::try_from(nanoseconds / MILLISECOND).ok()
}

/// A length of time as the definition writes it, `PT#H#M#S`: each length has one text.
#[must_use]
pub fn iso(milliseconds: u64) -> String {
    crate::time::length_text(i128::from(milliseconds) * 1_000_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_milliseconds() {
        for (text, expected) in [
            ("250ms", Ok(250)),
            ("1d2h3m4s5ms", Ok(93_784_005)),
            ("7d", Ok(604_800_000)),
            ("3652500d", Ok(LONGEST)),
            ("30m1h", Err(DurationFault::Order)),
            ("1s1s", Err(DurationFault::Order)),
            ("3652500d1ms", Err(DurationFault::TooLong)),
            ("99999999999999999999d", Err(DurationFault::TooLong)),
            ("200000000d", Err(DurationFault::TooLong)),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(["", "5", "s", "1.5s", "5x", "5s!"].map(read), [Err(DurationFault::Malformed); 6]);
    }

    #[test]
    fn lengths_are_printed_in_the_largest_units() {
        for (milliseconds, printed, text) in [
            (0, "0s", "PT0S"),
            (250, "250ms", "PT0.25S"),
            (30_000, "30s", "PT30S"),
            (90_000, "1m30s", "PT1M30S"),
            (3_600_001, "1h1ms", "PT1H0.001S"),
            (86_400_000, "24h", "PT24H"),
            (129_600_000, "36h", "PT36H"),
            (172_800_000, "2d", "PT48H"),
            (176_461_001, "49h1m1s1ms", "PT49H1M1.001S"),
        ] {
            assert_eq!((words(milliseconds).as_str(), iso(milliseconds).as_str()), (printed, text));
        }
        assert_eq!([words_of("P2D"), words_of("PT48H")], ["2d", "2d"].map(|text| Some(text.to_owned())));
        assert_eq!([words_of("PT0.0001S"), words_of("-PT1S"), words_of("2d")], [None, None, None]);
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(milliseconds in 0..=LONGEST) {
            prop_assert_eq!(read(&words(milliseconds)), Ok(milliseconds));
            prop_assert_eq!(whole_milliseconds(&iso(milliseconds)), Some(milliseconds));
        }

        #[test]
        fn any_text_is_read_or_not(text in "[0-9smhdPT.]{0,20}|\\PC{0,20}") {
            let _ = (read(&text), words_of(&text));
        }
    }
}
