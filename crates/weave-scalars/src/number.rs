//! Numbers that are strings in JSON.

use std::cmp::Ordering;

/// The most digits of a whole number of 64 bits.
const INT64_DIGITS: usize = 19;

/// The number of a text of at most 19 digits.
pub(crate) fn int64(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (is_whole(text) && digits.len() <= INT64_DIGITS).then(|| text.parse().ok())?
}

/// Whether a text is digits, after a minus sign or not.
#[must_use]
pub fn is_whole(text: &str) -> bool {
    all_digits(text.strip_prefix('-').unwrap_or(text))
}

/// Whether a text is digits, with a sign and a fraction or without.
#[must_use]
pub fn is_decimal(text: &str) -> bool {
    match text.split_once('.') {
        Some((whole, fraction)) => is_whole(whole) && all_digits(fraction),
        None => is_whole(text),
    }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(crate) fn compare_decimals(one: &str, other: &str) -> Option<Ordering> {
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

/// Whether it is below zero, the digits before the point without leading zeros, and those after it without trailing ones.
fn decimal_parts(text: &str) -> (bool, &str, &str) {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    (negative && !(whole.is_empty() && fraction.is_empty()), whole, fraction)
}

/// The plain digits of a number as JSON writes it: `1e3` is `1000`, `2.50` stays as it is. `None` if it is not a number, or would be
/// absurdly long.
#[must_use]
pub fn plain_decimal(number: &str) -> Option<String> {
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
            let (whole, fraction) = digits.split_at_checked(point)?;
            format!("{whole}.{fraction}")
        }
        _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    };
    let trimmed = text.trim_start_matches('0');
    let text = if trimmed.is_empty() || trimmed.starts_with('.') { format!("0{trimmed}") } else { trimmed.to_owned() };
    let text = format!("{sign}{text}");
    is_decimal(&text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_decimals_digit_by_digit() {
        for (number, plain) in [
            ("12.50", Some("12.50")),
            ("-1e3", Some("-1000")),
            ("1.25e1", Some("12.5")),
            ("25e-3", Some("0.025")),
            ("0e5", Some("0")),
            ("123456789012345678901234567890.1", Some("123456789012345678901234567890.1")),
            ("1e999999", None),
            ("é.e1", None),
            ("x", None),
        ] {
            assert_eq!(plain_decimal(number).as_deref(), plain, "{number}");
        }
    }
}
