//! Where rules put what they find.

use weave_diagnostics::{Diagnostic, Place};

use crate::rule::Rule;

/// What one rule has found.
#[derive(Debug)]
pub struct Findings {
    rule: &'static Rule,
    found: Vec<Diagnostic>,
}

impl Findings {
    pub(crate) const fn new(rule: &'static Rule) -> Self {
        Self { rule, found: Vec::new() }
    }

    /// A finding about a place, to be told more of and then reported.
    #[must_use]
    pub fn at(&self, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.rule.code, place, message)
    }

    /// Reports a finding.
    pub fn report(&mut self, finding: Diagnostic) {
        self.found.push(finding);
    }

    pub(crate) fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }
}
