//! Recorded runs of the examples through the examples with a small mistake: is it found, and where?

use std::sync::Arc;

use weave_compiler::Compiled;
use weave_diagnostics::Place;
use weave_diff::{Places as _, SourcePlaces};
use weave_replay::{Places, Replay, Verdict, diagnostic};
use weave_runner::{Event, Prepared};
use weave_scenario::play;

use super::{Tested, subject};
use crate::mutations::{Mutation, chosen};
use crate::program::{Checked, Program};
use crate::root;

/// The scrolls of the tests of an example, with the place of their workflow.
#[must_use]
pub fn scrolls(tested: &Tested) -> Vec<(usize, Vec<Event>)> {
    let mut found = Vec::new();
    for test in &tested.tests.tests {
        let subject = subject(tested, test.workflow, None);
        let leaves = play(&subject, &test.script).leaves;
        found.extend(leaves.into_iter().map(|leaf| (test.workflow, leaf.scroll)));
    }
    found
}

/// What replaying says about a mistake.
#[derive(Debug, PartialEq, Eq)]
pub enum Noticed {
    /// The program does not compile, or says the same.
    NoChange,
    /// All recorded runs are the same.
    No,
    /// A run is another, and this line was named; whether the mistake is on it.
    Yes {
        /// The verdict's word.
        word: &'static str,
        /// The line that the first of them names.
        line: String,
        /// Whether most of the runs that are other ones name a line that the mistake changed.
        is_changed: bool,
    },
}

/// The mistakes of `docs/mutations.md` in an example: `seed` is its place there.
#[must_use]
pub fn mistakes(name: &str, seed: u64) -> Vec<Mutation> {
    let program = Program::in_folder(&root().join("examples"));
    chosen(&program.files[&format!("{name}.weave")], 20, seed)
}

struct Version<'v> {
    checked: &'v Checked,
    places: SourcePlaces,
}

impl<'v> Version<'v> {
    fn new(checked: &'v Checked, compiled: &[Compiled]) -> Self {
        Self { checked, places: weave_compiler::places(&checked.snapshot, compiled, 0) }
    }

    fn place(&self, workflow: &str, pointer: &str) -> Option<Place> {
        let mut pointer = pointer;
        while !pointer.is_empty() {
            if let Some(place) = self.places.exact(workflow, pointer) {
                return Some(place);
            }
            pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above);
        }
        None
    }

    fn line(&self, place: Place) -> Option<(String, u32, u32)> {
        let file = self.checked.snapshot.sources().get(place.file)?;
        let (first, last) = (file.line_column(place.span.start).line + 1, file.line_column(place.span.end).line + 1);
        Some((file.name().to_owned(), first, last))
    }
}

struct Both<'v> {
    workflow: &'v str,
    then: &'v Version<'v>,
    now: &'v Version<'v>,
}

/// Places of then are kept apart from those of now by a number that no file has.
const OF_THEN: u32 = 1 << 20;

impl Places for Both<'_> {
    fn now(&self, pointer: &str) -> Option<Place> {
        self.now.place(self.workflow, pointer)
    }

    fn then(&self, pointer: &str) -> Option<Place> {
        let mut place = self.then.place(self.workflow, pointer)?;
        place.file.0 += OF_THEN;
        Some(place)
    }

    fn text(&self, _: Place) -> String {
        String::new()
    }
}

/// Replays the scrolls of an example through it with a mistake.
#[must_use]
pub fn noticed(tested: &Tested, scrolls: &[(usize, Vec<Event>)], mutation: &Mutation) -> Noticed {
    let mut program = Program::in_folder(&root().join("examples"));
    let name = format!("{}.weave", tested.name);
    let before = program.files[&name].clone();
    let after = mutation.apply(&before);
    program.files.insert(name.clone(), after.clone());
    program.roots = vec![name.clone()];
    let changed = program.check();
    if changed.snapshot.has_errors() {
        return Noticed::NoChange;
    }
    let Ok(compiled) = changed.snapshot.compile() else { return Noticed::NoChange };
    let (then, now) = (Version::new(&tested.checked, &tested.tests.workflows), Version::new(&changed, &compiled));
    let (old_lines, new_lines) = changed_lines(&before, &after);
    let mut first = None;
    let (mut runs, mut right) = (0, 0);
    let mut is_other = false;
    for (place, scroll) in scrolls {
        let old = &tested.tests.workflows[*place];
        let Some(new) = compiled.iter().find(|new| new.definition.workflow == old.definition.workflow) else { continue };
        if new.definition == old.definition {
            continue;
        }
        is_other = true;
        let prepared = |compiled: &Compiled| Prepared::new(compiled.definition.clone());
        let mut replay = Replay::new(Some(prepared(old)), prepared(new));
        scroll.iter().for_each(|event| replay.push(event));
        let verdict = replay.finish();
        let both = Both { workflow: &old.definition.workflow, then: &then, now: &now };
        let nowhere = Place::new(weave_diagnostics::FileId(u32::MAX), weave_diagnostics::Span::at(0));
        let Some(found) = diagnostic(&verdict, "run.jsonl", nowhere, &both) else { continue };
        let named = std::iter::once(&found.primary).chain(&found.secondary).map(|label| label.place);
        let lines: Vec<(bool, (String, u32, u32))> = named
            .filter_map(|place| match place.file.0 {
                u32::MAX => None,
                file if file >= OF_THEN => {
                    let place = Place { file: weave_diagnostics::FileId(file - OF_THEN), ..place };
                    Some((true, then.line(place)?))
                }
                _ => Some((false, now.line(place)?)),
            })
            .collect();
        let touches = |(is_old, (file, from, to)): &(bool, (String, u32, u32))| {
            let (first, last) = if *is_old { old_lines } else { new_lines };
            file.ends_with(&name) && *from <= last && *to >= first
        };
        let is_changed = lines.iter().any(touches);
        let line = lines.first().map_or_else(|| "no line".to_owned(), |(_, (file, line, _))| format!("{file}:{line}"));
        runs += 1;
        right += usize::from(is_changed);
        first.get_or_insert((verdict.word(), line));
    }
    match first {
        Some((word, line)) => Noticed::Yes { word, line, is_changed: right * 2 > runs },
        None if is_other => Noticed::No,
        None => Noticed::NoChange,
    }
}

/// The first and the last line that differ, in the old text and in the new one.
fn changed_lines(before: &str, after: &str) -> ((u32, u32), (u32, u32)) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(one, other)| one == other).count();
    let lines = |count: usize| (same as u32 + 1, ((count - rest) as u32).max(same as u32 + 1));
    (lines(old.len()), lines(new.len()))
}

/// Whether the scrolls of an example replay exactly through it.
#[must_use]
pub fn not_exact(tested: &Tested) -> Vec<String> {
    let mut found = Vec::new();
    for (place, scroll) in scrolls(tested) {
        let compiled = &tested.tests.workflows[place];
        let prepared = Prepared::new(compiled.definition.clone());
        for then in [None, Some(Arc::clone(&prepared))] {
            let mut replay = Replay::new(then, Arc::clone(&prepared));
            scroll.iter().for_each(|event| replay.push(event));
            let verdict = replay.finish();
            if verdict != Verdict::Same {
                found.push(format!("{}: {verdict:?}", compiled.name));
            }
        }
    }
    found
}
