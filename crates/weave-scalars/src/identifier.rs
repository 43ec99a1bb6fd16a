//! UUIDs, URIs and addresses.

use std::net::Ipv6Addr;

pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 3986, with a scheme.
pub(crate) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    if !scheme_fits {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let Some(behind) = rest.strip_prefix("//") else { return has_only(rest, "/?:@") && has_only(fragment, "/?:@") };
    let end = behind.find(['/', '?']).unwrap_or(behind.len());
    let (authority, path) = behind.split_at(end);
    is_authority(authority) && has_only(path, "/?:@") && has_only(fragment, "/?:@")
}

/// `user@host:port`.
fn is_authority(text: &str) -> bool {
    let (user, place) = text.split_once('@').unwrap_or(("", text));
    let (host_fits, port) = match place.strip_prefix('[') {
        Some(inside) => match inside.split_once(']') {
            Some((address, port)) => (address.parse::<Ipv6Addr>().is_ok(), port),
            None => return false,
        },
        None => {
            let (host, port) = place.split_at(place.find(':').unwrap_or(place.len()));
            (has_only(host, ""), port)
        }
    };
    let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    host_fits && port_fits && has_only(user, ":")
}

/// Whether a part of a URI has only characters that stand for themselves in every part, percent-encoded ones, and these.
fn has_only(text: &str, others: &str) -> bool {
    let encoded = |index: usize| text.as_bytes().get(index + 1..index + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    text.bytes().enumerate().all(|(index, byte)| match byte {
        b'%' => encoded(index),
        _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || others.as_bytes().contains(&byte),
    })
}

/// `local@domain` as in RFC 5321, without quotes and comments.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let atom =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    local.len() <= 64 && domain.len() <= 253 && local.split('.').all(atom) && domain.split('.').all(label)
}
