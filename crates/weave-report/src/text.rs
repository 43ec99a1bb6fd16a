//! Texts of people in the formats of programs.

use weave_diagnostics::{Charset, Severity};

/// The word for a severity.
pub(crate) const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The text on one line, with nothing in it that a terminal or a log would obey.
pub(crate) fn one_line(text: &str) -> String {
    let visible = |character| if matches!(character, '\n' | '\r' | '\t') { ' ' } else { Charset::Unicode.visible(character) };
    commands_broken(text.trim_end().chars().map(visible).collect())
}

/// The text with its lines, and nothing else in it that a terminal or a log would obey.
pub(crate) fn lines(text: &str) -> String {
    let visible = |character| if matches!(character, '\n' | '\r') { character } else { Charset::Unicode.visible(character) };
    commands_broken(text.trim_end().chars().map(visible).collect())
}

/// The text without `##[`, with which a command to the runner of GitHub Actions begins, wherever it is in a line of a log.
fn commands_broken(text: String) -> String {
    let text = if text.contains("##[") { text.replace("##[", "##\u{fffd}") } else { text };
    // With a pair of colons at the start of a line, one begins, too.
    if text.trim_start().starts_with("::") { text.replacen(':', "\u{fffd}", 1) } else { text }
}
