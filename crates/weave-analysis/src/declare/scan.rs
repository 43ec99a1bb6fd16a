//! Names in text that has no tree.
//!
//! When an item cannot be parsed, whatever it would have declared is missing, and each use of it would be reported although the one
//! mistake has been. So the words of such text are excused.

use std::sync::Arc;

use rustc_hash::FxHashSet;

/// Words that start an item.
const INTRODUCERS: [&str; 15] = [
    "type",
    "enum",
    "union",
    "error",
    "event",
    "external",
    "tool",
    "signal",
    "interaction",
    "provider",
    "toolkit",
    "prompt",
    "agent",
    "workflow",
    "import",
];

/// Excuses every name and topic in text that is no item.
pub(super) fn excuse_words(text: &str, excused: &mut FxHashSet<Arc<str>>) {
    for word in words(text) {
        if !excused.contains(word) {
            excused.insert(Arc::from(word));
        }
    }
}

/// Excuses what may be declared in an item of which the parser had to guess parts: the words of the lines that start like an item.
pub(super) fn excuse_headers(text: &str, excused: &mut FxHashSet<Arc<str>>) {
    for line in text.lines() {
        if words(line).next().is_some_and(|first| INTRODUCERS.contains(&first)) {
            excuse_words(line, excused);
        }
    }
}

/// Identifiers, with the dots between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')));
    runs.map(|run| run.trim_matches('.')).filter(|run| run.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_and_topics() {
        assert_eq!(words("typ Order { .id: a.b, 3x } ..").collect::<Vec<_>>(), ["typ", "Order", "id", "a.b"]);
    }

    #[test]
    fn headers_are_lines_that_start_like_an_item() {
        let mut excused = FxHashSet::default();
        excuse_headers("type A {\n  b: C\n  signal tool d(", &mut excused);
        assert!(["A", "d"].iter().all(|word| excused.contains(*word)));
        assert!(["b", "C"].iter().all(|word| !excused.contains(*word)));
    }
}
