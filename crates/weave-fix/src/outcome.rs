//! What is asked for, and what became of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use weave_compiler::lint::{Day, Settings};
use weave_compiler::{Input, Loader, Snapshot};
use weave_diagnostics::{Applicability, Diagnostic, Fix};

/// Which fixes are applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Safe ones, or those too that a person should look at.
    pub applicability: Applicability,
    /// The ids of the diagnostics and rules whose fixes are applied; all of them if nothing is said. What only follows from such a fix is
    /// mended whatever its rule is.
    pub only: Option<BTreeSet<String>>,
}

impl Wanted {
    /// All fixes up to this kind.
    #[must_use]
    pub const fn all(applicability: Applicability) -> Self {
        Self { applicability, only: None }
    }

    /// The fix that would be taken for a diagnostic: the first that is safe, or else the first that may be applied.
    pub(crate) fn of<'d>(&self, diagnostic: &'d Diagnostic) -> Option<&'d Fix> {
        diagnostic.fixes.iter().filter(|fix| fix.applicability <= self.applicability).min_by_key(|fix| fix.applicability)
    }

    pub(crate) fn names(&self, diagnostic: &Diagnostic) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(diagnostic.code.id))
    }
}

/// A program, and what is to be fixed in it.
pub struct Request<'a> {
    /// The files that may be changed. What they import is read, and never changed.
    pub inputs: Vec<Input>,
    /// Where the texts of imports come from.
    pub loader: &'a dyn Loader,
    /// The levels and options of the rules, by the names of files.
    pub settings: &'a (dyn Fn(&str) -> Settings + Sync),
    /// Which day it is, for what is allowed until a day.
    pub today: Option<Day>,
    /// Which fixes.
    pub wanted: Wanted,
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Request").field("inputs", &self.inputs).field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The id of the diagnostic or rule.
    pub rule: &'static str,
    /// The file of its finding.
    pub file: String,
    /// What it did, as an order.
    pub message: String,
}

/// Why a fix was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Harm {
    /// The program would have this error.
    Error(Box<Diagnostic>),
    /// The program would have this finding, which no fix mends.
    Finding(Box<Diagnostic>),
    /// The mistake hides errors, of which this is the first: without it the program would have as many errors, or more.
    Uncovered(Box<Diagnostic>),
    /// What it fixes would still be there.
    Useless,
    /// Its edits lie outside of the text, or overlap.
    Misfit,
}

/// A fix that was left out because it does harm. If it was called safe, that is a mistake of its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The id of the diagnostic or rule.
    pub rule: &'static str,
    /// The file of its finding.
    pub file: String,
    /// The line of its finding in the fixed text, from 1.
    pub line: u32,
    /// What it would have done.
    pub message: String,
    /// What was said of it; harm that an unsafe fix does may lie in the program.
    pub applicability: Applicability,
    /// What would have come of it.
    pub harm: Harm,
}

/// What became of a program.
#[derive(Debug)]
pub struct Fixed {
    /// The texts of the inputs, in their order.
    pub texts: Vec<Arc<str>>,
    /// The fixed program.
    pub snapshot: Snapshot,
    /// What is left to say about it: diagnostics and findings, in their order.
    pub findings: Vec<Diagnostic>,
    /// What was done, in the order in which it was.
    pub applied: Vec<Applied>,
    /// What was left out because it does harm.
    pub dropped: Vec<Dropped>,
    /// How many fixes are left because they change a file that is none of the inputs.
    pub outside: usize,
    /// Whether there was more to do, and no end to it.
    pub capped: bool,
}
