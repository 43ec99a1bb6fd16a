//! The declaration of a diagnostic: said once, read by the terminal, `weave explain`, the docs and the editor.

use std::collections::BTreeMap;

use crate::Severity;

/// What a diagnostic id means.
///
/// Every id is declared once as a `static` of the crate that reports it, with the texts of its page.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The id, in kebab-case.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// Why it is reported and how to mend it, in a few sentences of Markdown.
    pub explanation: &'static str,
    /// A whole file that gets this diagnostic and no other.
    pub bad: &'static str,
    /// The same file, mended: it gets no diagnostic.
    pub good: &'static str,
}

/// All codes of a program, by id.
#[derive(Debug, Default)]
pub struct Registry {
    codes: BTreeMap<&'static str, &'static Code>,
}

impl Registry {
    /// The codes of several crates; of two with the same id the first one stays.
    #[must_use]
    pub fn new(groups: &[&[&'static Code]]) -> Self {
        let mut codes = BTreeMap::new();
        for code in groups.iter().flat_map(|group| group.iter()) {
            codes.entry(code.id).or_insert(*code);
        }
        Self { codes }
    }

    /// The code with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&'static Code> {
        self.codes.get(id).copied()
    }

    /// All codes, by id.
    pub fn iter(&self) -> impl Iterator<Item = &'static Code> {
        self.codes.values().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: Code = Code { id: "a", severity: Severity::Error, summary: "one", explanation: "", bad: "", good: "" };
    static B: Code = Code { id: "b", severity: Severity::Error, summary: "", explanation: "", bad: "", good: "" };
    static A_AGAIN: Code = Code { id: "a", severity: Severity::Note, summary: "two", explanation: "", bad: "", good: "" };

    #[test]
    fn codes_are_found_by_their_id_and_listed_in_its_order() {
        let registry = Registry::new(&[&[&B], &[&A, &A_AGAIN]]);
        assert_eq!(registry.iter().map(|code| code.id).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(registry.get("a").map(|code| code.summary), Some("one"));
        assert_eq!(registry.get("c"), None);
    }
}
