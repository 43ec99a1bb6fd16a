//! Texts and keys as they are written.

use super::expressions::Writer;
use super::parse::Reader;
use super::tokens::{tokens, until_close};

/// A text between the quotes that it has fewer of.
pub(super) fn string(quoted: &str) -> String {
    let inner = inner(quoted);
    let count = |quote: char| inner.matches(quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::with_capacity(quoted.len());
    out.push(quote);
    let mut characters = inner.chars();
    while let Some(it) = characters.next() {
        match it {
            '\\' => match characters.next() {
                Some(other @ ('"' | '\'')) if other != quote => out.push(other),
                Some(other) => out.extend(['\\', other]),
                None => {}
            },
            _ if it == quote => out.extend(['\\', it]),
            _ => out.push(it),
        }
    }
    out.push(quote);
    out
}

fn inner(quoted: &str) -> &str {
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default()
}

/// What a character is to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// It may begin one.
    Letter,
    /// It may stand in one.
    Inner,
    /// It is none of a name.
    Foreign,
    /// What prettier says of it depends on its tables.
    Unsure,
}

/// A key, without quotes where prettier takes them away.
pub(super) fn key(quoted: &str) -> String {
    let inner = inner(quoted);
    let parts: Vec<Part> = inner.chars().map(part).collect();
    match parts.first() {
        None | Some(Part::Foreign | Part::Inner) => return string(quoted),
        _ if parts.contains(&Part::Foreign) => return string(quoted),
        _ => {}
    }
    let Some(unsure) = inner.chars().find(|it| part(*it) == Part::Unsure) else { return inner.to_owned() };
    // With an escape in it, it surely keeps its quotes.
    string(&quoted.replace(unsure, &format!("\\u{:04x}", u32::from(unsure))))
}

/// The scripts about whose letters all versions of Unicode agree that matter here.
const KNOWN: [(char, char); 14] = [
    ('\u{A0}', '\u{2FF}'),
    ('\u{370}', '\u{482}'),
    ('\u{48A}', '\u{52F}'),
    ('\u{5D0}', '\u{5EA}'),
    ('\u{620}', '\u{64A}'),
    ('\u{904}', '\u{939}'),
    ('\u{E01}', '\u{E30}'),
    ('\u{1E00}', '\u{1FFF}'),
    ('\u{2010}', '\u{2027}'),
    ('\u{3041}', '\u{3096}'),
    ('\u{30A1}', '\u{30FA}'),
    ('\u{30FC}', '\u{30FE}'),
    ('\u{4E00}', '\u{9FCC}'),
    ('\u{AC00}', '\u{D7A3}'),
];

fn part(it: char) -> Part {
    match it {
        'a'..='z' | 'A'..='Z' | '_' | '$' => Part::Letter,
        '0'..='9' | '\u{300}'..='\u{36F}' => Part::Inner,
        _ if it.is_ascii() || u32::from(it) > 0xFFFF => Part::Foreign,
        _ if KNOWN.iter().any(|(first, last)| (*first..=*last).contains(&it)) => {
            if it.is_alphabetic() {
                Part::Letter
            } else {
                Part::Foreign
            }
        }
        _ => Part::Unsure,
    }
}

/// A text between backticks: what is filled in stands in one line.
pub(super) fn template(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = filled(rest) {
        let (before, behind) = rest.split_at_checked(at + 2)?;
        let inner = until_close(behind)?;
        let (tokens, _) = tokens(inner)?;
        let mut reader = Reader::new(&tokens);
        let value = reader.expression()?;
        reader.token().is_none().then_some(())?;
        out.push_str(before);
        out.push_str(&Writer::default().expression(&value).flat());
        rest = behind.get(inner.len()..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// Where a value is filled in.
fn filled(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    while let Some((at, it)) = characters.next() {
        match it {
            '\\' => drop(characters.next()),
            '$' if text.get(at + 1..)?.starts_with('{') => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{key, string};

    #[test]
    fn texts_have_the_quotes_that_they_have_fewer_of() {
        assert_eq!(string(r#""a \"b\"""#), r#"'a "b"'"#);
        assert_eq!(string(r#""it's \"b\" 'c""#), r#""it's \"b\" 'c""#);
        assert_eq!(string(r#""\"\"'\n\\""#), r#"'""\'\n\\'"#);
    }

    #[test]
    fn keys_have_quotes_where_they_need_them() {
        let keys = ["\"a_1\"", "\"1a\"", "\"a-b\"", "\"größe\"", "\"e\u{301}\"", "\"\u{301}e\"", "\"日本\"", "\"𝒜\"", "\"\""];
        let expected = ["a_1", "\"1a\"", "\"a-b\"", "größe", "e\u{301}", "\"\u{301}e\"", "日本", "\"𝒜\"", "\"\""];
        assert_eq!(keys.map(key), expected);
        assert_eq!(key("\"ܐb\""), "\"\\u0710b\"");
    }
}
