//! What must be known of a JSON text before it is read: how deep it is and whether a number in it would be rounded.

use crate::json::{DEPTH_LIMIT, Error, GREATEST_NUMBER};

/// Refuses a text that is deeper than [`DEPTH_LIMIT`] or has a number beyond ±(2^53−1), which readers would round in silence.
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

/// A text that is no number, such as `1e`, is left to the reader.
fn is_unsafe(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|number| number.abs() > GREATEST_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_be_rounded_are_refused() {
        for number in [
            "9007199254740992",
            "-9007199254740992",
            "18446744073709551616",
            "123456789012345678901234567890",
            "[1, 9007199254740993]",
            "1e16",
            "-1e400",
            "9007199254740992.0",
        ] {
            assert!(matches!(check(number), Err(Error::UnsafeNumber { .. })), "{number}");
        }
        for number in [
            "9007199254740991",
            "-9007199254740991",
            "0",
            "1e-300",
            "0.12345678901234567890",
            "\"9007199254740993\"",
            r#""\"9007199254740993""#,
        ] {
            assert_eq!(check(number), Ok(()), "{number}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(check(&nested(DEPTH_LIMIT)), Ok(()));
        assert_eq!(check(&nested(DEPTH_LIMIT + 1)), Err(Error::TooDeep));
        assert_eq!(check(&"[".repeat(1_000_000)), Err(Error::TooDeep));
        assert_eq!(check(&format!("\"{}\"", "[".repeat(5_000))), Ok(()));
        assert_eq!(check(&"[],".repeat(5_000)), Ok(()));
    }

    #[test]
    fn texts_that_are_cut_off_do_not_hurt() {
        for text in ["\"", "\"\\", "\"abc\\\"", "-", "1e", "]]]"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }
}
