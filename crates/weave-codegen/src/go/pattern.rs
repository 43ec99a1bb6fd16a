//! Regular expressions as Go reads them.
//!
//! The language admits what all engines can say; they do not all write it alike. Go knows classes by name between `[:` and `:]`, and takes a
//! backslash before the punctuation of ASCII only.

/// The same expression for Go.
pub(super) fn go(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next() {
                Some(escaped) if escaped.is_ascii() => out.extend(['\\', escaped]),
                Some(escaped) => out.push(escaped),
                None => out.push('\\'),
            },
            '[' if !in_class => {
                in_class = true;
                out.push('[');
                out.extend(rest.next_if_eq(&'^'));
                // Right behind the bracket it is a character like any other.
                if rest.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
            }
            '[' => out.push_str("\\["),
            ']' => {
                in_class = false;
                out.push(']');
            }
            _ => out.push(character),
        }
    }
    out
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
