//! Where rules put what they find.

use weave_diagnostics::{Diagnostic, Place};

use crate::levels::Settings;
use crate::rule::Rule;

/// What one rule has found.
#[derive(Debug)]
pub struct Findings<'s> {
    rule: &'static Rule,
    settings: &'s Settings,
    found: Vec<Diagnostic>,
}

impl<'s> Findings<'s> {
    pub(crate) const fn new(rule: &'static Rule, settings: &'s Settings) -> Self {
        Self { rule, settings, found: Vec::new() }
    }

    /// The value of an option of the rule.
    #[must_use]
    pub fn option(&self, name: &'static str) -> u64 {
        self.settings.option(self.rule, name)
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
