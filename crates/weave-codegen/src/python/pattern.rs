//! Regular expressions as Python reads them, with the flag `re.ASCII`.
//!
//! The language admits what all engines can say; they do not all write it alike. In the language `$` is the very end, `\s` is
//! the white space of ASCII without the vertical tab, and whatever is no letter or digit may have a backslash before it.

/// The same expression for Python.
pub(super) fn python(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut at_class_start = false;
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
            // Python may give them a meaning in classes some day.
            '[' | '&' | '~' | '|' if in_class => {
                out.push('\\');
                out.push(character);
            }
            // Python's own `$` also stands before a line feed at the end.
            '$' if !in_class => out.push_str("\\Z"),
            _ => out.push(character),
        }
    }
    out
}

fn escape(escaped: char, in_class: bool) -> String {
    match (escaped, in_class) {
        ('s', true) => "\\t\\n\\f\\r ".to_owned(),
        ('s', false) => "[\\t\\n\\f\\r ]".to_owned(),
        ('S', true) => "\\0-\\x08\\x0b\\x0e-\\x1f!-\\U0010ffff".to_owned(),
        ('S', false) => "[^\\t\\n\\f\\r ]".to_owned(),
        _ if escaped.is_ascii_alphanumeric() || escaped.is_ascii_punctuation() => format!("\\{escaped}"),
        _ => escaped.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::python;

    #[test]
    fn what_python_writes_otherwise_is_translated() {
        for (pattern, expected) in [
            ("^[A-Z]-[0-9]+$", r"^[A-Z]-[0-9]+\Z"),
            (r"a.b\.c", r"a.b\.c"),
            (r"\s[\s\S]\S", r"[\t\n\f\r ][\t\n\f\r \0-\x08\x0b\x0e-\x1f!-\U0010ffff][^\t\n\f\r ]"),
            (r"\-\#\ \%[\-.$]", r"\-\# \%[\-.$]"),
            (r"a{2,3}}]", r"a{2,3}}]"),
            (r"[]a][^]a]", r"[\]a][^\]a]"),
            (r"[[&]\a\x41\d\w\b", r"[\[\&]\a\x41\d\w\b"),
        ] {
            assert_eq!(python(pattern), expected, "{pattern}");
        }
    }
}
