//! Values and texts as they stand in Python.

use serde_json::Value;

use crate::text::{is_unseen, visible_json};

/// A string, in the quotes that it needs fewer backslashes in.
pub(super) fn text(value: &str) -> String {
    let count = |quote: char| value.chars().filter(|it| *it == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::with_capacity(value.len() + 2);
    out.push(quote);
    for character in value.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if is_unseen(character) => out.push_str(&escape(character)),
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}

/// JSON as a raw string of several lines.
pub(super) fn json(value: &Value) -> String {
    let mut out = String::from("r\"\"\"");
    out.push_str(&visible_json(&format!("{value:#}")));
    // A bare text ends with a quote, as what is around it does.
    out.push_str(if out.ends_with('"') { " \"\"\"" } else { "\"\"\"" });
    out
}

fn escape(character: char) -> String {
    match u32::from(character) {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code @ 0x100..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// What is said about something, as a string of its own behind it; nothing if nothing is said.
pub(super) fn docstring(description: Option<&str>, deprecated: Option<&str>, indent: usize) -> String {
    let mut said: Vec<String> = description.unwrap_or_default().trim().lines().map(line).collect();
    if let Some(reason) = deprecated {
        if !said.is_empty() {
            said.push(String::new());
        }
        let reason = reason.lines().collect::<Vec<_>>().join(" ");
        said.push(line(format!("Deprecated: {reason}").trim_end_matches([':', ' '])));
    }
    // All but the first line are moved to the margin together.
    let blanks = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let extra = said.iter().skip(1).filter(|line| !line.is_empty()).map(blanks).min().unwrap_or(0);
    let margin = " ".repeat(indent);
    let mut lines = said.iter().enumerate().map(|(index, line)| match index {
        0 => line.trim_start(),
        _ => line.get(extra..).unwrap_or_default(),
    });
    let Some(mut out) = lines.next().map(|first| format!("{margin}\"\"\"{}", opened(first))) else { return String::new() };
    let mut more = false;
    for line in lines {
        more = true;
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&margin);
            out.push_str(line);
        }
    }
    if more {
        out.push('\n');
        out.push_str(&margin);
    } else if out.ends_with('"') {
        out.pop();
        out.push_str("\\\"");
    }
    out.push_str("\"\"\"\n");
    out
}

/// A line of a docstring, which ends none.
fn line(text: &str) -> String {
    let text = text.replace('\t', "    ").replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let text: String = text.chars().map(|it| if is_unseen(it) { ' ' } else { it }).collect();
    text.trim_end().to_owned()
}

/// A first line, whose quote would be taken for one of the three before it.
fn opened(first: &str) -> String {
    first.strip_prefix('"').map_or_else(|| first.to_owned(), |rest| format!("\\\"{rest}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{docstring, json, text};

    #[test]
    fn strings_mean_what_they_are() {
        for (value, expected) in [
            ("a", r#""a""#),
            ("it's", r#""it's""#),
            (r#"say "no""#, r#"'say "no"'"#),
            (r#"'"""#, r#"'\'""'"#),
            ("\\d\n\u{0}\u{2028}𝒳", r#""\\d\n\x00\u2028𝒳""#),
        ] {
            assert_eq!(text(value), expected);
        }
        assert_eq!(json(&json!({ "a": "\u{202e}\u{e0001}\\\"" })), "r\"\"\"{\n  \"a\": \"\\u202e\\udb40\\udc01\\\\\\\"\"\n}\"\"\"");
        assert_eq!(json(&json!("a")), "r\"\"\"\"a\" \"\"\"");
    }

    #[test]
    fn what_is_said_ends_no_docstring() {
        assert_eq!(docstring(None, None, 4), "");
        assert_eq!(docstring(Some("One line."), None, 4), "    \"\"\"One line.\"\"\"\n");
        assert_eq!(docstring(Some("\"a\" \"\"\" \\ \"b\""), None, 0), "\"\"\"\\\"a\" \\\"\\\"\\\" \\\\ \"b\\\"\"\"\"\n");
        assert_eq!(docstring(Some("One.\n\n  two  \n    three"), Some(""), 0), "\"\"\"One.\n\n  two\n    three\n\nDeprecated\n\"\"\"\n");
        assert_eq!(docstring(Some("One.\n\u{a0}two\n three"), None, 0), "\"\"\"One.\n\u{a0}two\n three\n\"\"\"\n");
        assert_eq!(docstring(Some("One.\n  two\n    three"), None, 4), "    \"\"\"One.\n    two\n      three\n    \"\"\"\n");
    }
}
