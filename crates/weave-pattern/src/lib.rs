//! The regular expressions of the language, in pieces, and as engines write them.
//!
//! The language admits what RE2, ECMAScript, Python and Rust can all say; they do not all write it alike. In the language `.` is all but a
//! line feed, `\d \w \s \b` mean ASCII, `\s` without the vertical tab, `$` is the very end, and whatever is no letter or digit may have a
//! backslash before it. What languages alone need of which code is generated stands with their generators.

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The bracket that opens a class, with the `^` behind it if there is one.
    Open {
        /// Whether it has the `^`.
        negated: bool,
    },
    /// The bracket that closes it.
    Close,
    /// What stands behind a backslash.
    Escaped(char),
    /// Any other character. A `]` right behind the bracket that opens a class is one too.
    Plain(char),
}

/// A pattern in the words of another language: `write` is told each piece, and whether it stands in a class.
pub fn translated(pattern: &str, mut write: impl FnMut(Piece, bool, &mut String)) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut at_class_start = false;
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        let starts_class = std::mem::take(&mut at_class_start);
        let piece = match character {
            '\\' => rest.next().map_or(Piece::Plain('\\'), Piece::Escaped),
            '[' if !in_class => Piece::Open { negated: rest.next_if_eq(&'^').is_some() },
            ']' if in_class && !starts_class => Piece::Close,
            _ => Piece::Plain(character),
        };
        write(piece, in_class, &mut out);
        match piece {
            Piece::Open { .. } => (in_class, at_class_start) = (true, true),
            Piece::Close => in_class = false,
            Piece::Escaped(_) | Piece::Plain(_) => {}
        }
    }
    out
}

/// Brackets of classes, which all languages write alike.
#[must_use]
pub const fn bracket(piece: Piece) -> Option<&'static str> {
    match piece {
        Piece::Open { negated: false } => Some("["),
        Piece::Open { negated: true } => Some("[^"),
        Piece::Close => Some("]"),
        Piece::Escaped(_) | Piece::Plain(_) => None,
    }
}

/// `\s` and `\S`, for languages whose own are wider than the white space of ASCII without the vertical tab. `last` is how the last
/// character of Unicode is written.
#[must_use]
pub fn white_space(escaped: char, in_class: bool, last: &str) -> Option<String> {
    match (escaped, in_class) {
        ('s', true) => Some("\\t\\n\\f\\r ".to_owned()),
        ('s', false) => Some("[\\t\\n\\f\\r ]".to_owned()),
        ('S', true) => Some(format!("\\x00-\\x08\\x0b\\x0e-\\x1f!-{last}")),
        ('S', false) => Some("[^\\t\\n\\f\\r ]".to_owned()),
        _ => None,
    }
}

/// The same expression as ECMAScript reads it with the flag `u`, as it stands in JSON Schemas and in JavaScript.
///
/// There `.` is no end of a line of whatever kind, `\s` is the white space of Unicode, and only some characters may have a backslash before
/// them.
#[must_use]
pub fn ecmascript(pattern: &str) -> String {
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
    white_space(escaped, in_class, "\u{10ffff}").unwrap_or_else(|| match (escaped, in_class) {
        ('a', _) => "\\x07".to_owned(),
        ('-', true) => "\\-".to_owned(),
        _ if escaped.is_ascii_alphanumeric() => format!("\\{escaped}"),
        _ if "^$\\.*+?()[]{}|/".contains(escaped) => format!("\\{escaped}"),
        _ => escaped.to_string(),
    })
}

/// The same expression for Rust's `regex`, which reads classes as Unicode: in the language they mean ASCII.
#[must_use]
pub fn rust(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            // A class may stand in a class.
            Some('d') => text.push_str("[0-9]"),
            Some('D') => text.push_str("[^0-9]"),
            Some('w') => text.push_str("[0-9A-Za-z_]"),
            Some('W') => text.push_str("[^0-9A-Za-z_]"),
            Some('s') => text.push_str(r"[\t\n\f\r ]"),
            Some('S') => text.push_str(r"[^\t\n\f\r ]"),
            Some('b') => text.push_str(r"(?-u:\b)"),
            Some('B') => text.push_str(r"(?-u:\B)"),
            other => {
                text.push('\\');
                text.extend(other);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_cut_into_its_pieces() {
        let mut pieces = Vec::new();
        translated(r"a[^]\s[]\]", |piece, in_class, _| pieces.push((piece, in_class)));
        let expected = [
            (Piece::Plain('a'), false),
            (Piece::Open { negated: true }, false),
            (Piece::Plain(']'), true),
            (Piece::Escaped('s'), true),
            (Piece::Plain('['), true),
            (Piece::Close, true),
            (Piece::Escaped(']'), false),
        ];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn what_ecmascript_writes_otherwise_is_translated() {
        for (pattern, expected) in [
            ("^[A-Z]-[0-9]+$", "^[A-Z]-[0-9]+$"),
            (r"a.b\.c", r"a[^\n]b\.c"),
            (r"\s[\s\S]\S", "[\\t\\n\\f\\r ][\\t\\n\\f\\r \\x00-\\x08\\x0b\\x0e-\\x1f!-\u{10ffff}][^\\t\\n\\f\\r ]"),
            (r"\-\#\ \%[\-.]", r"-# %[\-.]"),
            (r"a{2,3}}]", r"a{2,3}\}\]"),
            (r"[]a][^]a]", r"[\]a][^\]a]"),
            (r"[[]\a\x41\d\w\b", r"[\[]\x07\x41\d\w\b"),
        ] {
            assert_eq!(ecmascript(pattern), expected, "{pattern}");
        }
    }
}
