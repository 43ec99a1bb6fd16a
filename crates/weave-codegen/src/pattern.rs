//! Regular expressions in pieces, for languages that do not write all of them as ours does.

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The bracket that opens a class, with the `^` behind it if there is one.
    Open { negated: bool },
    /// The bracket that closes it.
    Close,
    /// What stands behind a backslash.
    Escaped(char),
    /// Any other character. A `]` right behind the bracket that opens a class is one too.
    Plain(char),
}

/// A pattern in the words of another language: `write` is told each piece, and whether it stands in a class.
pub(crate) fn translated(pattern: &str, mut write: impl FnMut(Piece, bool, &mut String)) -> String {
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
pub(crate) const fn bracket(piece: Piece) -> Option<&'static str> {
    match piece {
        Piece::Open { negated: false } => Some("["),
        Piece::Open { negated: true } => Some("[^"),
        Piece::Close => Some("]"),
        Piece::Escaped(_) | Piece::Plain(_) => None,
    }
}

/// `\s` and `\S`, for languages whose own are wider than the white space of ASCII without the vertical tab. `last` is how the last
/// character of Unicode is written.
pub(crate) fn white_space(escaped: char, in_class: bool, last: &str) -> Option<String> {
    match (escaped, in_class) {
        ('s', true) => Some("\\t\\n\\f\\r ".to_owned()),
        ('s', false) => Some("[\\t\\n\\f\\r ]".to_owned()),
        ('S', true) => Some(format!("\\0-\\x08\\x0b\\x0e-\\x1f!-{last}")),
        ('S', false) => Some("[^\\t\\n\\f\\r ]".to_owned()),
        _ => None,
    }
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
}
