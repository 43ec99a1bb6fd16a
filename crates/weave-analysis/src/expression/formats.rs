//! The texts of scalars that are strings on the wire: which of them are correct, and how two of them compare.

use std::cmp::Ordering;

use crate::model::types::Scalar;

/// Whether a text is a value of a scalar that is a string on the wire.
#[must_use]
pub(crate) fn is_valid(scalar: Scalar, text: &str) -> bool {
    match scalar {
        Scalar::String => true,
        Scalar::Bool | Scalar::Int | Scalar::Float => false,
        Scalar::Int64 => is_int64(text),
        Scalar::Decimal => is_decimal(text),
        Scalar::Bytes => is_base64(text),
        Scalar::Timestamp => timestamp(text).is_some(),
        Scalar::Date => date(text).is_some(),
        Scalar::Duration => duration(text).is_some(),
        Scalar::Uuid => is_uuid(text),
        Scalar::Uri => is_uri(text),
        Scalar::Email => is_email(text),
    }
}

/// What a correct text of the scalar looks like.
#[must_use]
pub(crate) const fn example(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String => "\"text\"",
        Scalar::Bool => "true",
        Scalar::Int => "12",
        Scalar::Int64 => "\"9007199254740993\"",
        Scalar::Float => "0.5",
        Scalar::Decimal => "\"12.50\"",
        Scalar::Bytes => "\"aGVsbG8=\"",
        Scalar::Timestamp => "\"2027-01-31T12:00:00Z\"",
        Scalar::Date => "\"2027-01-31\"",
        Scalar::Duration => "24h",
        Scalar::Uuid => "\"123e4567-e89b-12d3-a456-426614174000\"",
        Scalar::Uri => "\"https://example.com/\"",
        Scalar::Email => "\"ada@example.com\"",
    }
}

/// How two correct texts of an ordered scalar compare; `None` if one is not correct or the scalar has no order.
#[must_use]
pub(crate) fn compare(scalar: Scalar, one: &str, other: &str) -> Option<Ordering> {
    match scalar {
        Scalar::String | Scalar::Uuid | Scalar::Uri | Scalar::Email => Some(one.cmp(other)),
        Scalar::Int64 => Some(one.parse::<i64>().ok()?.cmp(&other.parse::<i64>().ok()?)),
        Scalar::Decimal => compare_decimals(one, other),
        Scalar::Timestamp => Some(timestamp(one)?.cmp(&timestamp(other)?)),
        Scalar::Date => Some(date(one)?.cmp(&date(other)?)),
        Scalar::Duration => Some(duration(one)?.cmp(&duration(other)?)),
        Scalar::Bool | Scalar::Int | Scalar::Float | Scalar::Bytes => None,
    }
}

/// The plain digits of a number literal: `1e3` is `1000`, `2.50` stays as it is. `None` if it would be absurdly long.
#[must_use]
pub(crate) fn plain_decimal(number: &str) -> Option<String> {
    let (sign, magnitude) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let Some((mantissa, exponent)) = magnitude.split_once(['e', 'E']) else {
        return is_decimal(number).then(|| number.to_owned());
    };
    let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.unsigned_abs() <= 400)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let text = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => format!("{digits}{}", "0".repeat(point - digits.len())),
        Ok(point) if point > 0 => {
            let (whole, fraction) = digits.split_at(point);
            format!("{whole}.{fraction}")
        }
        _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    };
    let trimmed = text.trim_start_matches('0');
    let text = if trimmed.is_empty() || trimmed.starts_with('.') { format!("0{trimmed}") } else { trimmed.to_owned() };
    let text = format!("{sign}{text}");
    is_decimal(&text).then_some(text)
}

/// A length of time as the definition writes it, `PT#H#M#S`.
#[must_use]
pub(crate) fn iso_duration(milliseconds: u64) -> String {
    use std::fmt::Write;
    let (hours, minutes, rest) = (milliseconds / 3_600_000, milliseconds % 3_600_000 / 60_000, milliseconds % 60_000);
    let mut text = String::from("PT");
    if hours > 0 {
        let _ = write!(text, "{hours}H");
    }
    if minutes > 0 {
        let _ = write!(text, "{minutes}M");
    }
    let (seconds, fraction) = (rest / 1_000, rest % 1_000);
    if fraction > 0 {
        let fraction = format!("{fraction:03}");
        let _ = write!(text, "{seconds}.{}S", fraction.trim_end_matches('0'));
    } else if seconds > 0 || milliseconds == 0 {
        let _ = write!(text, "{seconds}S");
    }
    text
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_int64(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    all_digits(digits) && (digits == "0" || !digits.starts_with('0')) && text != "-0" && text.parse::<i64>().is_ok()
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    all_digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(all_digits)
}

fn compare_decimals(one: &str, other: &str) -> Option<Ordering> {
    if !is_decimal(one) || !is_decimal(other) {
        return None;
    }
    let (one_negative, one_whole, one_fraction) = decimal_parts(one);
    let (other_negative, other_whole, other_fraction) = decimal_parts(other);
    let magnitude = one_whole.len().cmp(&other_whole.len()).then_with(|| (one_whole, one_fraction).cmp(&(other_whole, other_fraction)));
    Some(match (one_negative, other_negative) {
        (false, false) => magnitude,
        (true, true) => magnitude.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Whether it is below zero, the digits before the point without leading zeros, and those behind it without trailing ones.
fn decimal_parts(text: &str) -> (bool, &str, &str) {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    (negative && !(whole.is_empty() && fraction.is_empty()), whole, fraction)
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !rest.is_empty()
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'))
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    !local.is_empty()
        && local
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte)))
        && domain.split('.').all(label)
}

/// Days since the first day of the year 0.
fn date(text: &str) -> Option<i64> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if !rest.is_empty() || day < 1 || day > length {
        return None;
    }
    // Counted from March, so that the odd day comes last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + day)
}

/// The milliseconds from one timestamp to another; `None` if one is not correct.
#[must_use]
pub(crate) fn millis_between(from: &str, to: &str) -> Option<i128> {
    Some((timestamp(to)? - timestamp(from)?) / 1_000_000)
}

const SECONDS_OF_A_DAY: i64 = 86_400;

/// The longest duration that guards compute with, in nanoseconds: some ten thousand years, as in CEL.
const LONGEST_DURATION: u128 = weave_syntax::text::LONGEST_DURATION as u128 * 1_000_000;

/// Nanoseconds since the start of the year 0.
fn timestamp(text: &str) -> Option<i128> {
    let (day, time) = text.split_once(['T', 't'])?;
    let day = date(day)?;
    let (hour, rest) = digits(time, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (nanoseconds, rest) = match rest.strip_prefix('.') {
        Some(rest) => fraction(rest)?,
        None => (0, rest),
    };
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            let (hours, rest) = digits(rest.strip_prefix(['+', '-'])?, 2)?;
            let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
            if hours > 23 || minutes > 59 || !rest.is_empty() {
                return None;
            }
            sign * (hours * 60 + minutes)
        }
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = ((day * 24 + hour) * 60 + minute - offset) * 60 + second;
    // What is compared at run time is within the years 1 to 9999 in UTC, as in CEL.
    let (first, last) = (date("0001-01-01")?, date("9999-12-31")?);
    (first * SECONDS_OF_A_DAY..(last + 1) * SECONDS_OF_A_DAY).contains(&seconds).then_some(())?;
    Some(i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds))
}

/// Nanoseconds; a year and a month have no fixed length, so they are left out of the language's durations.
fn duration(text: &str) -> Option<u128> {
    let rest = text.strip_prefix('P')?;
    let (days, time) = rest.split_once('T').map_or((rest, None), |(days, time)| (days, Some(time)));
    if days.is_empty() && time.is_none_or(str::is_empty) || time.is_some_and(str::is_empty) {
        return None;
    }
    let mut sum = 0u128;
    if !days.is_empty() {
        let (count, unit) = days.split_at(days.len() - 1);
        let length = match unit {
            "D" => 86_400,
            "W" if time.is_none() => 604_800,
            _ => return None,
        };
        sum += u128::from(count.parse::<u64>().ok().filter(|_| all_digits(count))?) * length * 1_000_000_000;
    }
    let mut rest = time.unwrap_or_default();
    for (unit, length) in [('H', 3_600), ('M', 60), ('S', 1)] {
        let end = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (count, behind) = rest.split_at(end);
        let (nanoseconds, behind) = match behind.strip_prefix('.') {
            Some(behind) if unit == 'S' && end > 0 => fraction(behind)?,
            _ => (0, behind),
        };
        let Some(behind) = behind.strip_prefix(unit) else { continue };
        let count: u64 = count.parse().ok()?;
        sum += u128::from(count) * length * 1_000_000_000 + nanoseconds.unsigned_abs() as u128;
        rest = behind;
    }
    (rest.is_empty() && sum <= LONGEST_DURATION).then_some(sum)
}

/// That many digits from the front, and what stands behind them.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    all_digits(number).then(|| Some((number.parse().ok()?, rest)))?
}

/// The nanoseconds of a fraction of a second, and what stands behind it.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(end);
    let nanoseconds = format!("{number:0<9}");
    (end > 0).then(|| Some((nanoseconds.get(..9)?.parse().ok()?, rest)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_takes_its_own_texts_and_no_others() {
        let cases: [(Scalar, &[&str], &[&str]); 9] = [
            (Scalar::Int64, &["0", "-5", "9223372036854775807"], &["", "01", "-0", "9223372036854775808", "1.0", "x"]),
            (Scalar::Decimal, &["0", "-12.50", "100", "0.001"], &["", "1.", ".5", "1e3", "+1", "01"]),
            (Scalar::Bytes, &["", "aGVsbG8=", "QUI="], &["aGVsbG8", "a===", "_-4="]),
            (
                Scalar::Timestamp,
                &["2027-01-31T12:00:00Z", "2024-02-29T23:59:60.5+01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"],
                &[
                    "0000-12-31T23:59:59Z",
                    "0001-01-01T00:00:00+00:01",
                    "9999-12-31T23:59:60Z",
                    "9999-12-31T23:59:59-00:01",
                    "2027-01-31",
                    "2027-02-29T12:00:00Z",
                    "2027-01-31T25:00:00Z",
                    "2027-01-31T12:00:00",
                    "2027-01-31T12:00:00Zx",
                ],
            ),
            (Scalar::Date, &["2024-02-29", "0000-01-01"], &["2023-02-29", "2024-13-01", "24-01-01", "2024-01-00"]),
            (
                Scalar::Duration,
                &["PT24H", "P1DT1M", "PT0.5S", "P2W", "PT315576000000S"],
                &["PT315576000000.1S", "P999999999W", "P", "PT", "24h", "P1Y", "PT1M2H", "P1DT"],
            ),
            (Scalar::Uuid, &["123e4567-e89b-12d3-a456-426614174000"], &["123e4567e89b12d3a456426614174000", "x"]),
            (Scalar::Uri, &["https://example.com/a?b#c", "urn:isbn:1"], &["example.com", ":x", "http:", "http://a b"]),
            (Scalar::Email, &["ada@example.com", "a.b+c@x"], &["ada", "@x", "a@", "a b@c.d", "a@-b.c"]),
        ];
        for (scalar, good, bad) in cases {
            for text in good {
                assert!(is_valid(scalar, text), "{} should take {text:?}", scalar.name());
            }
            for text in bad {
                assert!(!is_valid(scalar, text), "{} should refuse {text:?}", scalar.name());
            }
            let example = example(scalar).trim_matches('"');
            assert!(scalar == Scalar::Duration || is_valid(scalar, example), "{example}");
        }
    }

    #[test]
    fn texts_compare_by_what_they_mean() {
        assert_eq!(compare(Scalar::Decimal, "12.50", "12.5"), Some(Ordering::Equal));
        assert_eq!(compare(Scalar::Decimal, "-2", "-10"), Some(Ordering::Greater));
        assert_eq!(compare(Scalar::Decimal, "0.09", "0.1"), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Decimal, "-0", "0.0"), Some(Ordering::Equal));
        assert_eq!(compare(Scalar::Int64, "9", "10"), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Timestamp, "2027-01-01T00:00:00+01:00", "2026-12-31T23:00:00Z"), Some(Ordering::Equal));
        assert_eq!(compare(Scalar::Timestamp, "2027-03-01T00:00:00Z", "2027-02-28T23:59:59.9Z"), Some(Ordering::Greater));
        assert_eq!(compare(Scalar::Duration, "PT60M", "PT1H"), Some(Ordering::Equal));
        assert_eq!(compare(Scalar::Duration, "P1D", "PT23H"), Some(Ordering::Greater));
        assert_eq!(compare(Scalar::Date, "2024-12-31", "2025-01-01"), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Bytes, "QUI=", "QUI="), None);
    }

    #[test]
    fn numbers_become_decimals_digit_by_digit() {
        let plain = |text| plain_decimal(text).unwrap_or_default();
        assert_eq!(plain("12.50"), "12.50");
        assert_eq!(plain("-1e3"), "-1000");
        assert_eq!(plain("1.25e1"), "12.5");
        assert_eq!(plain("25e-3"), "0.025");
        assert_eq!(plain("0e5"), "0");
        assert_eq!(plain("123456789012345678901234567890.1"), "123456789012345678901234567890.1");
        assert_eq!(plain_decimal("1e999999"), None);
    }

    #[test]
    fn durations_have_one_text() {
        let texts =
            [(0, "PT0S"), (250, "PT0.25S"), (30_000, "PT30S"), (90_000, "PT1M30S"), (86_400_000, "PT24H"), (3_600_001, "PT1H0.001S")];
        for (milliseconds, text) in texts {
            assert_eq!(iso_duration(milliseconds), text);
            assert!(is_valid(Scalar::Duration, text));
        }
    }
}
