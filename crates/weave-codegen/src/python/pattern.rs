//! Regular expressions as Python reads them, with the flag `re.ASCII`.
//!
//! The language admits what all engines can say; they do not all write it alike. In the language `$` is the very end, `\s` is
//! the white space of ASCII without the vertical tab, and whatever is no letter or digit may have a backslash before it.

use weave_pattern::{Piece, bracket, translated, white_space};

/// The same expression for Python.
pub(super) fn python(pattern: &str) -> String {
    translated(pattern, |piece, in_class, out| match piece {
        Piece::Open { .. } | Piece::Close => out.extend(bracket(piece)),
        Piece::Escaped(escaped) => out.push_str(&escape(escaped, in_class)),
        // Python may give them a meaning in classes some day.
        Piece::Plain(character @ ('[' | ']' | '&' | '~' | '|')) if in_class => out.extend(['\\', character]),
        // Python's own `$` also stands before a line feed at the end.
        Piece::Plain('$') if !in_class => out.push_str("\\Z"),
        Piece::Plain(character) => out.push(character),
    })
}

fn escape(escaped: char, in_class: bool) -> String {
    white_space(escaped, in_class, "\\U0010ffff").unwrap_or_else(|| match escaped {
        _ if escaped.is_ascii_alphanumeric() || escaped.is_ascii_punctuation() => format!("\\{escaped}"),
        _ => escaped.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::python;

    #[test]
    fn what_python_writes_otherwise_is_translated() {
        for (pattern, expected) in [
            ("^[A-Z]-[0-9]+$", r"^[A-Z]-[0-9]+\Z"),
            (r"a.b\.c", r"a.b\.c"),
            (r"\s[\s\S]\S", r"[\t\n\f\r ][\t\n\f\r \x00-\x08\x0b\x0e-\x1f!-\U0010ffff][^\t\n\f\r ]"),
            (r"\-\#\ \%[\-.$]", r"\-\# \%[\-.$]"),
            (r"a{2,3}}]", r"a{2,3}}]"),
            (r"[]a][^]a]", r"[\]a][^\]a]"),
            (r"[[&]\a\x41\d\w\b", r"[\[\&]\a\x41\d\w\b"),
        ] {
            assert_eq!(python(pattern), expected, "{pattern}");
        }
    }
}
