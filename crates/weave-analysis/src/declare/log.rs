//! What is found out about each declaration by itself, for whoever goes on from it.

use std::collections::BTreeMap;
use std::ops::Range;

use weave_diagnostics::Diagnostic;

use super::Declaring;
use crate::model::DeclarationId;
use crate::model::watch::{Looks, watch};

/// What was found out about a declaration by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    /// What is wrong with it.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The declarations that it depends on.
    pub(super) looks: Looks,
}

/// Writes down what is found out about each declaration by itself, if somebody wants to go on from it.
pub(crate) struct Log {
    own: Option<BTreeMap<DeclarationId, Own>>,
    /// Which of the diagnostics are about which declaration.
    said: Vec<(DeclarationId, Range<usize>)>,
}

impl Log {
    /// A log that nobody reads.
    pub(super) const fn off() -> Self {
        Self { own: None, said: Vec::new() }
    }

    /// A log that is read.
    pub(super) fn on() -> Self {
        Self { own: Some(BTreeMap::new()), said: Vec::new() }
    }

    /// Does something for one declaration. Where the parser had to guess, what follows from its guess is not reported.
    pub(crate) fn of<R>(
        &mut self,
        declaring: &Declaring<'_>,
        diagnostics: &mut Vec<Diagnostic>,
        work: impl FnOnce(&mut Vec<Diagnostic>) -> R,
    ) -> R {
        let mut ignored = Vec::new();
        let diagnostics = if declaring.repaired { &mut ignored } else { diagnostics };
        let Some(own) = &mut self.own else { return work(diagnostics) };
        let before = diagnostics.len();
        let (result, looks) = watch(|| work(diagnostics));
        let own = own.entry(declaring.id).or_default();
        own.looks = std::mem::take(&mut own.looks).and(looks.without(declaring.id));
        if diagnostics.len() > before && !declaring.repaired {
            self.said.push((declaring.id, before..diagnostics.len()));
        }
        result
    }

    /// What is about each declaration by itself, and what is not.
    pub(super) fn divide(self, diagnostics: Vec<Diagnostic>) -> (BTreeMap<DeclarationId, Own>, Vec<Diagnostic>) {
        let mut own = self.own.unwrap_or_default();
        let mut others = Vec::new();
        let mut said = self.said.into_iter().peekable();
        for (index, diagnostic) in diagnostics.into_iter().enumerate() {
            while said.next_if(|(_, range)| range.end <= index).is_some() {}
            let about = said.peek().filter(|(_, range)| range.contains(&index)).and_then(|(id, _)| own.get_mut(id));
            match about {
                Some(own) => own.diagnostics.push(diagnostic),
                None => others.push(diagnostic),
            }
        }
        (own, others)
    }
}
