//! Regular expressions as JavaScript reads them with the flag `u`.
//!
//! The language admits what all engines can say; they do not all write it alike. In the language `.` is all but a line feed, `\s` is
//! the white space of ASCII without the vertical tab, and whatever is no letter or digit may have a backslash before it.

use crate::pattern::{Piece, bracket, translated, white_space};

/// The same expression for JavaScript.
pub(super) fn javascript(pattern: &str) -> String {
    let mut in_repetition = false;
    translated(pattern, |piece, in_class, out| match piece {
        Piece::Open { .. } | Piece::Close => out.extend(bracket(piece)),
        Piece::Escaped(escaped) => out.push_str(&escape(escaped, in_class)),
        Piece::Plain(bracket @ ('[' | ']')) => out.extend(['\\', bracket]),
        Piece::Plain(character) if in_class => out.push(character),
        Piece::Plain('.') => out.push_str("[^\\n]"),
        Piece::Plain('{') => {
            in_repetition = true;
            out.push('{');
        }
        Piece::Plain('}') if !std::mem::take(&mut in_repetition) => out.push_str("\\}"),
        Piece::Plain(character) => out.push(character),
    })
}

fn escape(escaped: char, in_class: bool) -> String {
    white_space(escaped, in_class, "\\u{10ffff}").unwrap_or_else(|| match (escaped, in_class) {
        ('a', _) => "\\x07".to_owned(),
        ('-', true) => "\\-".to_owned(),
        _ if escaped.is_ascii_alphanumeric() => format!("\\{escaped}"),
        _ if "^$\\.*+?()[]{}|/".contains(escaped) => format!("\\{escaped}"),
        _ => escaped.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::javascript;

    #[test]
    fn what_javascript_writes_otherwise_is_translated() {
        for (pattern, expected) in [
            ("^[A-Z]-[0-9]+$", "^[A-Z]-[0-9]+$"),
            (r"a.b\.c", r"a[^\n]b\.c"),
            (r"\s[\s\S]\S", r"[\t\n\f\r ][\t\n\f\r \0-\x08\x0b\x0e-\x1f!-\u{10ffff}][^\t\n\f\r ]"),
            (r"\-\#\ \%[\-.]", r"-# %[\-.]"),
            (r"a{2,3}}]", r"a{2,3}\}\]"),
            (r"[]a][^]a]", r"[\]a][^\]a]"),
            (r"[[]\a\x41\d\w\b", r"[\[]\x07\x41\d\w\b"),
        ] {
            assert_eq!(javascript(pattern), expected, "{pattern}");
        }
    }
}
