//! A program at one moment of the mending, and what is said about it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weave_compiler::lint::Options;
use weave_compiler::{Input, Snapshot, Stage, stage};
use weave_diagnostics::{Applicability, Diagnostic, FileId, sort_and_dedup};

use crate::choice::Candidate;
use crate::outcome::{Harm, Request};

/// What a diagnostic is counted under: its rule, its file, and the declaration that it is in. What it says and where it stands may change
/// with each fix beside it.
type Key = (&'static str, String, String);

/// What a step is for, which decides on what it may not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    /// Errors of reading. Behind them there may be others, which nobody could see.
    Reading,
    /// Errors of meaning.
    Meaning,
    /// What is no error.
    Tidy,
    /// What is no error, by a fix that is not safe.
    Guess,
}

/// A program, and what is said about it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) texts: Vec<Arc<str>>,
    pub(crate) snapshot: Snapshot,
    pub(crate) diagnostics: Vec<Diagnostic>,
    keys: Vec<Key>,
    counts: BTreeMap<Key, usize>,
    errors_of_reading: usize,
    errors_of_meaning: usize,
    /// Which text each file is, if it is one of the inputs.
    inputs: Vec<Option<usize>>,
}

impl Seen {
    pub(crate) fn new(request: &Request<'_>, texts: Vec<Arc<str>>) -> Self {
        let with_text = |(input, text): (&Input, &Arc<str>)| Input { path: input.path.clone(), text: Arc::clone(text) };
        let snapshot = weave_compiler::check(request.inputs.iter().zip(&texts).map(with_text).collect(), request.loader);
        let settings = |file: FileId| (request.settings)(snapshot.sources().name(file));
        let found = snapshot.lint(&Options { settings: &settings, today: request.today.clone() });
        let mut diagnostics = snapshot.diagnostics().to_vec();
        diagnostics.extend(found);
        sort_and_dedup(&mut diagnostics);
        let name = |diagnostic: &Diagnostic| snapshot.sources().name(diagnostic.primary.place.file).to_owned();
        let identities = snapshot.identities(&diagnostics).into_iter().zip(&diagnostics);
        let keys: Vec<Key> = identities.map(|(identity, diagnostic)| (identity.rule, name(diagnostic), identity.item)).collect();
        let mut counts = BTreeMap::new();
        keys.iter().for_each(|key| *counts.entry(key.clone()).or_default() += 1);
        let errors = |wanted| diagnostics.iter().filter(|diagnostic| goal(diagnostic) == wanted).count();
        let (errors_of_reading, errors_of_meaning) = (errors(Goal::Reading), errors(Goal::Meaning));
        let mut by_name = BTreeMap::new();
        request.inputs.iter().enumerate().for_each(|(index, input)| _ = by_name.entry(input.path.as_str()).or_insert(index));
        let inputs = snapshot.sources().iter().map(|(_, file)| by_name.get(file.name()).copied()).collect();
        Self { texts, snapshot, diagnostics, keys, counts, errors_of_reading, errors_of_meaning, inputs }
    }

    /// The text that a file is; nothing if it is none of the inputs.
    pub(crate) fn input(&self, file: FileId) -> Option<usize> {
        self.inputs.get(file.0 as usize).copied().flatten()
    }

    fn has_errors(&self) -> bool {
        self.errors_of_reading + self.errors_of_meaning > 0
    }

    /// What a step from another program to this one brought that it may not bring, or the findings that it brought and that may still be mended,
    /// by their indices.
    pub(crate) fn against(&self, before: &Self, goal: Goal) -> Result<Vec<usize>, Harm> {
        let (reading, meaning) = (self.errors_of_reading, self.errors_of_meaning);
        let is_worse = match goal {
            // An error of reading may hide one of meaning, which may take its place. More of them are worse for whoever looks at them.
            Goal::Reading => reading > before.errors_of_reading || reading + meaning > before.errors_of_reading + before.errors_of_meaning,
            Goal::Meaning | Goal::Tidy | Goal::Guess => reading > before.errors_of_reading || meaning > before.errors_of_meaning,
        };
        if is_worse {
            let uncovers = goal == Goal::Reading && reading <= before.errors_of_reading;
            let harm = |error| if uncovers { Harm::Uncovered(error) } else { Harm::Error(error) };
            return Err(self.first_new_error(before).map_or(Harm::Useless, |error| harm(Box::new(error))));
        }
        if goal < Goal::Tidy {
            return Ok(Vec::new());
        }
        // The rules look at nothing that has errors: what they find in it afterwards was there before.
        let is_judged = |diagnostic: &Diagnostic| !before.has_errors() || stage(diagnostic.code) != Stage::Rules;
        let all = self.keys.iter().zip(&self.diagnostics).enumerate();
        Ok(all.filter(|(_, (key, diagnostic))| is_judged(diagnostic) && self.has_more_of(key, before)).map(|(index, _)| index).collect())
    }

    /// Whether the diagnostics that these fixes were for are gone, and with them errors.
    ///
    /// Safe fixes of errors must leave fewer errors than there were. Other fixes of errors may uncover as many as they take away, but each of
    /// them must be shown to take its own: a wrong guess could hide among right ones. Fixes of findings must leave fewer of their rule; what a
    /// safe one tidies may have the same to be tidied inside of it.
    pub(crate) fn is_rid_of(&self, fixed: &[Candidate], before: &Self) -> bool {
        let Some(goal) = fixed.first().map(|fix| fix.goal) else { return false };
        let errors = |seen: &Self| match goal {
            Goal::Reading => seen.errors_of_reading,
            _ => seen.errors_of_meaning,
        };
        let count = |seen: &Self, rule: &str| seen.diagnostics.iter().filter(|diagnostic| diagnostic.code.id == rule).count();
        let rules: BTreeSet<&str> = fixed.iter().map(|fix| fix.rule).collect();
        let of_rule = |rule: &str| fixed.iter().filter(|fix| fix.rule == rule).count();
        let are_gone = || rules.iter().all(|rule| count(self, rule) + of_rule(rule) <= count(before, rule));
        match goal {
            Goal::Tidy => true,
            Goal::Guess => are_gone(),
            Goal::Reading | Goal::Meaning if fixed.iter().all(|fix| fix.applicability == Applicability::Safe) => {
                self.errors() < before.errors() && are_gone()
            }
            Goal::Reading | Goal::Meaning => errors(self) + fixed.len() <= errors(before) || fixed.len() == 1 && are_gone(),
        }
    }

    /// What has taken the place of what fixes were for.
    pub(crate) fn in_its_place(&self, goal: Goal, before: &Self) -> Harm {
        let new = self.first_new_error(before).filter(|_| goal < Goal::Tidy);
        new.map_or(Harm::Useless, |error| Harm::Uncovered(Box::new(error)))
    }

    fn errors(&self) -> usize {
        self.errors_of_reading + self.errors_of_meaning
    }

    fn has_more_of(&self, key: &Key, before: &Self) -> bool {
        self.counts.get(key) > before.counts.get(key)
    }

    fn first_new_error(&self, before: &Self) -> Option<Diagnostic> {
        let mut errors = self.keys.iter().zip(&self.diagnostics).filter(|(_, diagnostic)| goal(diagnostic) != Goal::Tidy);
        let first = errors.clone().next();
        errors.find(|(key, _)| self.has_more_of(key, before)).or(first).map(|(_, diagnostic)| diagnostic.clone())
    }
}

/// What a safe fix of this diagnostic is for.
pub(crate) fn goal(diagnostic: &Diagnostic) -> Goal {
    match stage(diagnostic.code) {
        Stage::Reading if diagnostic.is_error() => Goal::Reading,
        Stage::Meaning if diagnostic.is_error() => Goal::Meaning,
        _ => Goal::Tidy,
    }
}
