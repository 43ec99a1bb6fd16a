//! Which fixes are applied in one step.

use std::collections::BTreeMap;

use weave_diagnostics::{Applicability, Diagnostic, Fix, Span};

use crate::edits::Edits;
use crate::outcome::Wanted;
use crate::seen::{Goal, Seen, goal};

/// A fix that may be applied.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    pub(crate) applicability: Applicability,
    /// The text of its finding, and the place in it.
    pub(crate) text: usize,
    pub(crate) span: Span,
    pub(crate) goal: Goal,
    edits: Vec<(usize, Span, String)>,
}

impl Candidate {
    /// A fix of a diagnostic; nothing if it changes another file than the inputs.
    fn new(seen: &Seen, diagnostic: &Diagnostic, fix: &Fix) -> Option<Self> {
        let edit = |edit: &weave_diagnostics::Edit| Some((seen.input(edit.place.file)?, edit.place.span, edit.text.clone()));
        let edits: Vec<_> = fix.edits.iter().map(edit).collect::<Option<_>>()?;
        let place = diagnostic.primary.place;
        let (first, ..) = edits.first()?;
        Some(Self {
            rule: diagnostic.code.id,
            message: fix.message.clone(),
            applicability: fix.applicability,
            text: seen.input(place.file).unwrap_or(*first),
            span: place.span,
            goal: match (goal(diagnostic), fix.applicability) {
                (Goal::Tidy, Applicability::Unsafe) => Goal::Guess,
                (goal, _) => goal,
            },
            edits,
        })
    }

    /// Whether its edits lie in the texts and do not overlap.
    pub(crate) fn fits(&self, seen: &Seen) -> bool {
        let is_inside = |(text, span, _): &(usize, Span, String)| seen.texts.get(*text).is_some_and(|text| is_part(text, *span));
        self.edits.iter().all(is_inside) && Together::default().add(self)
    }

    /// Whether it changes anything.
    fn does_something(&self, seen: &Seen) -> bool {
        let stands_there = |(text, span, with): &(usize, Span, String)| seen.texts.get(*text).is_some_and(|text| span.text(text) == with);
        !self.edits.iter().all(stands_there)
    }
}

fn is_part(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// The edits of several fixes, by text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Together {
    pub(crate) by_text: BTreeMap<usize, Edits>,
}

impl Together {
    fn has_room(&self, (text, span, with): &(usize, Span, String)) -> bool {
        self.by_text.get(text).is_none_or(|edits| edits.has_room(*span, with))
    }

    fn insert(&mut self, (text, span, with): &(usize, Span, String)) {
        self.by_text.entry(*text).or_default().add(*span, with);
    }

    /// Adds all edits of a fix, or none of them.
    fn add(&mut self, fix: &Candidate) -> bool {
        // Those of one fix might be in each other's way too.
        let mut own = Self::default();
        for edit in &fix.edits {
            if !self.has_room(edit) || !own.has_room(edit) {
                return false;
            }
            own.insert(edit);
        }
        fix.edits.iter().for_each(|edit| self.insert(edit));
        true
    }
}

/// The fixes that may be applied, in the order of their diagnostics, and how many of them change other files than the inputs.
pub(crate) fn candidates(seen: &Seen, wanted: &Wanted) -> (Vec<Candidate>, usize) {
    let mut outside = 0;
    let mut found = Vec::new();
    for diagnostic in seen.diagnostics.iter().filter(|diagnostic| wanted.names(diagnostic)) {
        let Some(fix) = wanted.of(diagnostic) else { continue };
        match Candidate::new(seen, diagnostic, fix) {
            Some(candidate) if candidate.does_something(seen) => found.push(candidate),
            Some(_) => {}
            None => outside += 1,
        }
    }
    (found, outside)
}

/// The fixes of these diagnostics, and those of them that have none.
pub(crate) fn all_of<'s>(seen: &'s Seen, diagnostics: &[usize], wanted: &Wanted) -> (Vec<Candidate>, Vec<&'s Diagnostic>) {
    let (mut fixes, mut left) = (Vec::new(), Vec::new());
    for diagnostic in diagnostics.iter().filter_map(|index| seen.diagnostics.get(*index)) {
        let fix = wanted.of(diagnostic).and_then(|fix| Candidate::new(seen, diagnostic, fix));
        match fix.filter(|fix| fix.does_something(seen) && fix.fits(seen)) {
            Some(fix) => fixes.push(fix),
            None => left.push(diagnostic),
        }
    }
    (fixes, left)
}

/// The first fixes that do not get into each other's way, at most so many, and all their edits.
pub(crate) fn select(candidates: Vec<Candidate>, most: usize) -> (Vec<Candidate>, Together) {
    let mut together = Together::default();
    let mut chosen = Vec::new();
    for candidate in candidates {
        if chosen.len() == most {
            break;
        }
        if together.add(&candidate) {
            chosen.push(candidate);
        }
    }
    (chosen, together)
}
