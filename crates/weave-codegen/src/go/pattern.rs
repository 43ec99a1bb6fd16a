//! Regular expressions as Go reads them.
//!
//! The language admits what all engines can say; they do not all write it alike. Go knows classes by name between `[:` and `:]`, and takes a
//! backslash before the punctuation of ASCII only.

use weave_pattern::{Piece, bracket, translated};

/// The same expression for Go.
pub(super) fn go(pattern: &str) -> String {
    translated(pattern, |piece, in_class, out| match piece {
        Piece::Open { .. } | Piece::Close => out.extend(bracket(piece)),
        Piece::Escaped(escaped) if escaped.is_ascii() => out.extend(['\\', escaped]),
        Piece::Escaped(escaped) => out.push(escaped),
        Piece::Plain(bracket @ ('[' | ']')) if in_class => out.extend(['\\', bracket]),
        Piece::Plain(character) => out.push(character),
    })
}

#[cfg(test)]
mod tests {
    use super::go;

    #[test]
    fn what_go_writes_otherwise_is_translated() {
        for (pattern, expected) in [
            ("^[A-Z]-[0-9]+$", "^[A-Z]-[0-9]+$"),
            (r"a.b\.c", r"a.b\.c"),
            (r"\s[\s\S]\S", r"\s[\s\S]\S"),
            (r"\-\#\é[\-.]", r"\-\#é[\-.]"),
            (r"[]a][^]a]", r"[\]a][^\]a]"),
            (r"[[:x]a{2,3}]", r"[\[:x]a{2,3}]"),
        ] {
            assert_eq!(go(pattern), expected, "{pattern}");
        }
    }
}
