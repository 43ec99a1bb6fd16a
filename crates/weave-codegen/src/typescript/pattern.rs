//! Regular expressions as JavaScript reads them with the flag `u`.
//!
//! The language admits what all engines can say; they do not all write it alike. In the language `.` is all but a line feed, `\s` is
//! the white space of ASCII without the vertical tab, and whatever is no letter or digit may have a backslash before it.

/// The same expression for JavaScript.
pub(super) fn javascript(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut at_class_start = false;
    let mut repetition = false;
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        let starts_class = std::mem::take(&mut at_class_start);
        match character {
            '\\' => match rest.next() {
                Some(escaped) => out.push_str(&escape(escaped, in_class)),
                None => out.push('\\'),
            },
            '[' if !in_class => {
                in_class = true;
                at_class_start = true;
                out.push('[');
                if rest.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
            }
            // Right behind the bracket it is a character like any other.
            ']' if in_class && starts_class => out.push_str("\\]"),
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '[' => out.push_str("\\["),
            _ if in_class => out.push(character),
            '.' => out.push_str("[^\\n]"),
            '{' => {
                repetition = true;
                out.push('{');
            }
            '}' if repetition => {
                repetition = false;
                out.push('}');
            }
            ']' | '}' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

fn escape(escaped: char, in_class: bool) -> String {
    match (escaped, in_class) {
        ('s', true) => "\\t\\n\\f\\r ".to_owned(),
        ('s', false) => "[\\t\\n\\f\\r ]".to_owned(),
        ('S', true) => "\\0-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}".to_owned(),
        ('S', false) => "[^\\t\\n\\f\\r ]".to_owned(),
        ('a', _) => "\\x07".to_owned(),
        ('-', true) => "\\-".to_owned(),
        _ if escaped.is_ascii_alphanumeric() => format!("\\{escaped}"),
        _ if "^$\\.*+?()[]{}|/".contains(escaped) => format!("\\{escaped}"),
        _ => escaped.to_string(),
    }
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
