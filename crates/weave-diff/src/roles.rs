//! For whom it matters that a schema became narrower or wider.

use weave_diagnostics::Severity;

use crate::schema::{Comparison, Delta, Strength};
use crate::{Change, Party, Spot};

/// Somebody who sends values of a schema, or reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Duty {
    /// They come from outside.
    Producers,
    /// Models write them.
    Models,
    /// Only the program itself writes them.
    Own,
    /// They are events, which whoever listens may hold exactly to the schema, as other workflows do.
    Listeners,
    /// They go outside, to readers who skip fields that they do not know.
    Consumers,
    /// Only the program itself reads them.
    OwnReaders,
}

/// How many duties there are.
const DUTIES: usize = 6;

impl Duty {
    /// How bad a change is for them, and for whom it then breaks something.
    fn judge(self, delta: &Delta) -> (Severity, Option<Party>) {
        match self {
            Self::Producers => sent(delta, Party::Producers),
            Self::Models => sent(delta, Party::Models),
            Self::Listeners => read(delta, Severity::Warning),
            Self::Consumers => read(delta, Severity::Note),
            Self::Own => (inside(delta.narrows), None),
            Self::OwnReaders => (inside(delta.widens), None),
        }
    }
}

fn sent(delta: &Delta, party: Party) -> (Severity, Option<Party>) {
    match delta.narrows {
        Strength::Hard => (Severity::Error, Some(party)),
        Strength::Soft => (Severity::Warning, None),
        Strength::No => (Severity::Note, None),
    }
}

fn read(delta: &Delta, of_soft: Severity) -> (Severity, Option<Party>) {
    match delta.widens {
        Strength::Hard => (Severity::Error, Some(Party::Consumers)),
        Strength::Soft => (of_soft, None),
        Strength::No => (Severity::Note, None),
    }
}

/// What only the program itself sees was checked when it was compiled; it still is another thing than before.
fn inside(strength: Strength) -> Severity {
    if strength == Strength::Hard { Severity::Warning } else { Severity::Note }
}

/// A schema that stands somewhere in a definition.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// Its unit in the comparison.
    pub(crate) unit: usize,
    /// What it is, for people: the payload of `order.paid`.
    pub(crate) name: String,
    pub(crate) duties: Vec<Duty>,
}

/// The changes of the units of a comparison, for those who have to do with the roots that lead to them.
pub(crate) fn changes(comparison: &Comparison<'_>, roots: &[Root], old: &str, new: &str) -> Vec<Change> {
    // For each unit and duty, the first root that leads to it.
    let mut reached: Vec<[Option<usize>; DUTIES]> = vec![[None; DUTIES]; comparison.units.len()];
    for (index, root) in roots.iter().enumerate() {
        for duty in &root.duties {
            reach(comparison, &mut reached, root.unit, *duty as usize, index);
        }
    }
    let mut changes = Vec::new();
    for (unit, reached) in comparison.units.iter().zip(&reached) {
        let all = [Duty::Producers, Duty::Models, Duty::Own, Duty::Listeners, Duty::Consumers, Duty::OwnReaders];
        let duties: Vec<(Duty, &Root)> =
            all.into_iter().zip(reached).filter_map(|(duty, root)| Some((duty, roots.get((*root)?)?))).collect();
        for delta in &unit.deltas {
            changes.push(change(unit.owner.as_str(), delta, &duties, old, new));
        }
    }
    changes
}

/// Follows the references from a unit, as far as nobody did before.
fn reach(comparison: &Comparison<'_>, reached: &mut [[Option<usize>; DUTIES]], from: usize, duty: usize, root: usize) {
    let mut open = vec![from];
    while let Some(unit) = open.pop() {
        let Some(slot) = reached.get_mut(unit).and_then(|unit| unit.get_mut(duty)) else { continue };
        if slot.is_some() {
            continue;
        }
        *slot = Some(root);
        open.extend(comparison.units.get(unit).into_iter().flat_map(|unit| unit.references.iter().copied()));
    }
}

fn change(owner: &str, delta: &Delta, duties: &[(Duty, &Root)], old: &str, new: &str) -> Change {
    let item = format!("{owner}{}", delta.path);
    let mut change = Change::new(delta.kind, item.clone(), format!("`{item}` {}", delta.said)).level(delta.at_least);
    let mut part_of: Option<&str> = None;
    for (duty, root) in duties {
        let (level, party) = duty.judge(delta);
        // The smaller, the worse.
        if level < change.level || part_of.is_none() {
            part_of = Some(&root.name);
        }
        change.level = change.level.min(level);
        change.breaks.extend(party);
    }
    // A schema that is written out where it stands needs no more words.
    if let Some(root) = part_of.filter(|_| !owner.contains('.')) {
        change.notes.push(format!("`{owner}` is part of {root}"));
    }
    change.old = delta.old.as_ref().map(|(pointer, _)| Spot::new(old, pointer));
    change.old_label = delta.old.as_ref().map(|(_, label)| label.clone()).unwrap_or_default();
    change.new = delta.new.as_ref().map(|(pointer, _)| Spot::new(new, pointer));
    change.new_label = delta.new.as_ref().map(|(_, label)| label.clone()).unwrap_or_default();
    if change.level < Severity::Note {
        change.help.clone_from(&delta.help);
    }
    change
}

/// For each unit, whether something in it, or in what it refers to, admits fewer values than before.
pub(crate) fn narrowed(comparison: &Comparison<'_>) -> Vec<bool> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); comparison.units.len()];
    for (index, unit) in comparison.units.iter().enumerate() {
        for reference in &unit.references {
            if let Some(users) = users.get_mut(*reference) {
                users.push(index);
            }
        }
    }
    let mut narrowed = vec![false; comparison.units.len()];
    let is_narrow =
        |index: &usize| comparison.units.get(*index).is_some_and(|unit| unit.deltas.iter().any(|delta| delta.narrows == Strength::Hard));
    let mut open: Vec<usize> = (0..comparison.units.len()).filter(is_narrow).collect();
    while let Some(unit) = open.pop() {
        if let Some(known) = narrowed.get_mut(unit).filter(|known| !**known) {
            *known = true;
            open.extend(users.get(unit).into_iter().flatten());
        }
    }
    narrowed
}
