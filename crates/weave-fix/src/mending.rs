//! Steps from a program to one with less to say about it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weave_diagnostics::{Applicability, Diagnostic, Span};

use crate::choice::{Candidate, Together, all_of, candidates, select};
use crate::edits::Edits;
use crate::outcome::{Applied, Dropped, Fixed, Harm, Request};
use crate::seen::{Goal, Seen};

/// After so many steps there is no end to be expected: each mends what the one before left.
const MOST_STEPS: usize = 20;

/// What follows from a step is mended in so many further ones.
const MOST_FOLLOWING: usize = 10;

/// Applies fixes until there is none left.
#[must_use]
pub fn fix(request: &Request<'_>) -> Fixed {
    let texts: Vec<Arc<str>> = request.inputs.iter().map(|input| Arc::clone(&input.text)).collect();
    let mut mending = Mending { request, seen: Seen::new(request, texts), applied: Vec::new(), dropped: Vec::new(), outside: 0 };
    let capped = mending.settle();
    mending.end(capped)
}

struct Mending<'a> {
    request: &'a Request<'a>,
    seen: Seen,
    applied: Vec<Applied>,
    dropped: Vec<DroppedAt>,
    outside: usize,
}

/// A fix that was left out, and where its finding stands now.
struct DroppedAt {
    rule: &'static str,
    message: String,
    applicability: Applicability,
    text: usize,
    span: Span,
    harm: Harm,
}

/// A step that brought no harm.
struct Step {
    seen: Seen,
    applied: Vec<Applied>,
    /// The edits that it made, one after the other.
    edits: Vec<BTreeMap<usize, Edits>>,
}

impl Mending<'_> {
    /// Whether it came to no end. A fix that did harm may do none in the program that the others have made of it: it is tried again there,
    /// or a second run would apply it.
    fn settle(&mut self) -> bool {
        let mut allowed = MOST_STEPS;
        loop {
            let steps = self.run(allowed);
            allowed -= steps.min(allowed);
            if allowed == 0 {
                return !self.open().is_empty();
            }
            if steps == 0 || self.dropped.is_empty() {
                return false;
            }
            self.dropped.clear();
        }
    }

    /// Takes at most so many steps, until nothing is left to do, and says how many it took.
    fn run(&mut self, most_steps: usize) -> usize {
        let (mut steps, mut allowed) = (0, most_steps);
        // How many fixes are tried at once: after harm half as many, after a step twice as many.
        let mut most = usize::MAX;
        loop {
            let open = self.open();
            if open.is_empty() || steps == allowed {
                return steps;
            }
            let (chosen, together) = select(open, most);
            match self.step(&chosen, together) {
                Ok(step) => {
                    self.take(step);
                    steps += 1;
                    most = most.saturating_mul(2);
                }
                Err(harm) => {
                    // Each time it is halved takes a step to be doubled again.
                    allowed += 1;
                    most = chosen.len() / 2;
                    if let ([culprit], true) = (chosen.as_slice(), most == 0) {
                        self.drop(culprit, harm);
                        most = 1;
                    }
                }
            }
        }
    }

    /// What may be applied now: mistakes of reading first, because everything else is guessed behind them, and then those of meaning.
    fn open(&mut self) -> Vec<Candidate> {
        let (mut open, outside) = candidates(&self.seen, &self.request.wanted);
        self.outside = outside;
        let dropped: BTreeSet<_> = self.dropped.iter().map(|it| (it.rule, it.message.as_str(), it.text, it.span)).collect();
        open.retain(|fix| !dropped.contains(&(fix.rule, fix.message.as_str(), fix.text, fix.span)));
        let (fitting, misfits): (Vec<_>, Vec<_>) = open.into_iter().partition(|fix| fix.fits(&self.seen));
        misfits.iter().for_each(|fix| self.drop(fix, Harm::Misfit));
        let first = fitting.iter().map(|fix| fix.goal).min();
        fitting.into_iter().filter(|fix| Some(fix.goal) == first).collect()
    }

    /// The program with these fixes, and with those of what follows from them.
    fn step(&self, chosen: &[Candidate], together: Together) -> Result<Step, Harm> {
        let Some(goal) = chosen.first().map(|fix| fix.goal) else { return Err(Harm::Misfit) };
        let mut applied = self.named(chosen);
        let mut seen = self.with(&self.seen, &together)?;
        let mut edits = vec![together.by_text];
        for _ in 0..=MOST_FOLLOWING {
            let brought = seen.against(&self.seen, goal)?;
            let (following, left) = all_of(&seen, &brought, &self.request.wanted);
            if let Some(first) = left.first().filter(|_| goal < Goal::Guess || !self.is_no_worse(&seen, &following, &left)) {
                return Err(Harm::Finding(Box::new((*first).clone())));
            }
            if following.is_empty() {
                return if seen.is_rid_of(chosen, &self.seen) {
                    Ok(Step { seen, applied, edits })
                } else {
                    Err(seen.in_its_place(goal, &self.seen))
                };
            }
            let (chosen, together) = select(following, usize::MAX);
            applied.extend(self.named(&chosen));
            seen = self.with(&seen, &together)?;
            edits.push(together.by_text);
        }
        let brought = seen.against(&self.seen, goal)?;
        let first = brought.first().and_then(|index| seen.diagnostics.get(*index));
        Err(first.map_or(Harm::Misfit, |finding| Harm::Finding(Box::new(finding.clone()))))
    }

    /// Whether what a guess leaves for a person to look at is not more than what was there, and nothing that fails.
    fn is_no_worse(&self, seen: &Seen, following: &[Candidate], left: &[&Diagnostic]) -> bool {
        seen.diagnostics.len() <= self.seen.diagnostics.len() + following.len() && !left.iter().any(|finding| finding.is_error())
    }

    fn with(&self, seen: &Seen, together: &Together) -> Result<Seen, Harm> {
        applied(&seen.texts, &together.by_text).map(|texts| Seen::new(self.request, texts)).ok_or(Harm::Misfit)
    }

    fn take(&mut self, step: Step) {
        let mut texts = self.seen.texts.clone();
        for edits in &step.edits {
            for dropped in &mut self.dropped {
                if let Some((edits, text)) = edits.get(&dropped.text).zip(texts.get(dropped.text)) {
                    dropped.span = Span::new(edits.moved(text, dropped.span.start), edits.moved(text, dropped.span.end));
                }
            }
            // A step was possible, so its edits fit.
            texts = applied(&texts, edits).unwrap_or(texts);
        }
        self.applied.extend(step.applied);
        self.seen = step.seen;
    }

    fn drop(&mut self, fix: &Candidate, harm: Harm) {
        let message = fix.message.clone();
        self.dropped.push(DroppedAt { rule: fix.rule, message, applicability: fix.applicability, text: fix.text, span: fix.span, harm });
    }

    fn named(&self, fixes: &[Candidate]) -> Vec<Applied> {
        let named = fixes.iter().map(|fix| Applied { rule: fix.rule, file: self.name(fix.text), message: fix.message.clone() });
        named.collect()
    }

    fn name(&self, text: usize) -> String {
        self.request.inputs.get(text).map(|input| input.path.clone()).unwrap_or_default()
    }

    fn end(self, capped: bool) -> Fixed {
        let line = |dropped: &DroppedAt| {
            let before = self.seen.texts.get(dropped.text).and_then(|text| text.get(..dropped.span.start as usize));
            before.unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count() as u32 + 1
        };
        let dropped = self.dropped.iter().map(|it| Dropped {
            rule: it.rule,
            file: self.name(it.text),
            line: line(it),
            message: it.message.clone(),
            applicability: it.applicability,
            harm: it.harm.clone(),
        });
        let dropped = dropped.collect();
        let Self { seen, applied, outside, .. } = self;
        Fixed { texts: seen.texts, snapshot: seen.snapshot, findings: seen.diagnostics, applied, dropped, outside, capped }
    }
}

/// Texts with these edits; nothing if one of them does not fit.
fn applied(texts: &[Arc<str>], edits: &BTreeMap<usize, Edits>) -> Option<Vec<Arc<str>>> {
    let mut texts = texts.to_vec();
    for (index, edits) in edits {
        let text = texts.get_mut(*index)?;
        *text = edits.apply(text)?.into();
    }
    Some(texts)
}
