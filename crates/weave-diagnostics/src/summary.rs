//! The line that counts what was found.

use std::collections::BTreeSet;

use crate::{Diagnostic, Severity};

/// How many errors, warnings and notes there are, in how many files: "3 errors and 1 warning in 2 files". Nothing without diagnostics.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let parts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
        .into_iter()
        .map(|(severity, word)| (count(severity), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| counted(count, word))
        .collect::<Vec<_>>();
    let (last, others) = parts.split_last()?;
    let files = diagnostics.iter().map(|diagnostic| diagnostic.primary.place.file).collect::<BTreeSet<_>>().len();
    let found = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    Some(format!("{found} in {}", counted(files, "file")))
}

/// A number with its word in the right form: "1 file", "3 files", "12,000 files".
#[must_use]
pub fn counted(count: usize, word: &str) -> String {
    let digits = count.to_string();
    let mut number = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            number.push(',');
        }
        number.push(digit);
    }
    let plural = if word.ends_with('x') { "es" } else { "s" };
    format!("{number} {word}{}", if count == 1 { "" } else { plural })
}
