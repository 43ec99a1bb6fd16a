//! Base64 with the standard alphabet and padding (RFC 4648).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether a text is base64.
#[must_use]
pub fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4) && text.len() - body.len() <= 2 && body.bytes().all(|byte| sextet(byte).is_some())
}

/// The octets behind a text, if it is base64.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    if !is_base64(text) {
        return None;
    }
    let mut octets = Vec::with_capacity(body.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in body.bytes() {
        bits = bits << 6 | sextet(byte)?;
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.push((bits >> count & 0xff) as u8);
        }
    }
    Some(octets)
}

const fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value as u32)
}

/// The text of these octets.
#[must_use]
pub fn encode(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for chunk in octets.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, octet| bits << 8 | u32::from(*octet)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let sextet = (bits >> (18 - 6 * place) & 0x3f) as usize;
            let letter = ALPHABET.get(sextet).copied().unwrap_or(b'=');
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_of_the_standard() {
        for (octets, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(encode(octets.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(octets.as_bytes()));
        }
        assert_eq!(decode("+/8="), Some(vec![0xfb, 0xff]));
    }

    #[test]
    fn other_texts_are_none() {
        for text in ["Z", "Zg", "Zg=", "Zm9v=", "Z===", "====", "Zm9-", "Zm9_", "Zg==Zg==", "Zm 9", "é==="] {
            assert_eq!((decode(text), is_base64(text)), (None, false), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(octets: Vec<u8>) {
            prop_assert_eq!(decode(&encode(&octets)), Some(octets));
        }
    }
}
