//! What must be known of a JSON text before it is read: how deep it is and whether a number in it would be rounded.

use crate::json::{DEPTH_LIMIT, Error, GREATEST_INTEGER};

/// Refuses a text that is deeper than [`DEPTH_LIMIT`] or has an integer beyond 2^53−1, which readers would round in silence.
///
/// It takes the text for JSON; what is not is refused by the reader behind it.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'"' => behind_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let end = behind_number(bytes, at + 1);
                let number = text.get(at..end).unwrap_or_default();
                if is_unsafe(number) {
                    return Err(Error::UnsafeNumber { pointer: None, number: number.to_owned() });
                }
                end
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > DEPTH_LIMIT {
                    return Err(Error::TooDeep);
                }
                at + 1
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            _ => at + 1,
        };
    }
    Ok(())
}

fn behind_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

fn behind_number(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) {
        at += 1;
    }
    at
}

fn is_unsafe(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.len() > 15
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.parse::<u64>().map_or(true, |value| value > GREATEST_INTEGER)
}
