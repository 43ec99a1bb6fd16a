//! What all files declare when some items have become others: only those are looked at again, and what depends on them.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use weave_diagnostics::{Diagnostic, FileId, Label};
use weave_syntax::ast::ItemKind;

use super::scan::{excuse_headers, excuse_words};
use super::{Declaring, Known, Log, clashes, collect, declaring_of, signatures, suggest};
use crate::model::{Declaration, DeclarationId, DeclarationKind, Model, Unit};
use crate::{settings, types};

/// When so many items would have to be looked at again, a look at all of them is no worse.
const MOST: usize = 2000;

/// What all files declare after a change.
#[derive(Debug)]
pub struct Again {
    /// The model; the same one if every declaration is what it was.
    pub model: Arc<Model>,
    /// What is wrong now.
    pub known: Known,
    /// The declarations that are not what they were.
    pub changed: FxHashSet<DeclarationId>,
}

/// What [`declare`](super::declare) finds when some items have become others, up to what the scopes of their files excuse; nothing if only it
/// can say. The items have the same addresses as before, and the imports lead to the same files.
#[must_use]
pub fn declare_again(model: &Arc<Model>, known: &Known, before: &[Unit], after: &[Unit], items: &[(FileId, usize)]) -> Option<Again> {
    let mut edited = Vec::new();
    let mut changed = FxHashSet::default();
    for (file, item) in items {
        let (before, after) = (before.get(file.0 as usize)?, after.get(file.0 as usize)?);
        if known.others.iter().any(|diagnostic| is_about(diagnostic, after, *item)) {
            return None;
        }
        let Some((id, same_trust)) = declares_the_same(model, before, after, *item)? else { continue };
        // Where the parser had to guess, some things are not said about several declarations together.
        if !same_trust {
            if !known.sound || clashes::are_in(model, *file) {
                return None;
            }
            changed.insert(id);
        }
        edited.push(id);
    }
    let mut again = Again { model: Arc::clone(model), known: known.clone(), changed };
    if !edited.is_empty() {
        again.follow(after, edited)?;
    }
    if !again.changed.is_empty() && !again.is_sound(model, after) {
        return None;
    }
    Some(again)
}

/// Whether a diagnostic is about an item.
fn is_about(diagnostic: &Diagnostic, unit: &Unit, item: usize) -> bool {
    let room = unit.addresses.as_ref().and_then(|addresses| addresses.room(item));
    let is_there = |label: &Label| label.place.file == unit.file && room.is_none_or(|room| room.contains(label.place.span));
    is_there(&diagnostic.primary) || diagnostic.secondary.iter().any(is_there)
}

/// The declaration of an item that still declares the same name, and whether the parser had to guess as it had before; nothing within if it
/// declares no name, before and after; nothing at all if names have changed.
#[allow(clippy::option_option, reason = "that nothing is declared is an answer")]
fn declares_the_same(model: &Model, before: &Unit, after: &Unit, item: usize) -> Option<Option<(DeclarationId, bool)>> {
    let (old, new) = (before.syntax.items.get(item)?, after.syntax.items.get(item)?);
    let (was, is) = (&*old.parsed, &*new.parsed);
    if std::mem::discriminant(&was.item.kind) != std::mem::discriminant(&is.item.kind) || matches!(is.item.kind, ItemKind::Import(_)) {
        return None;
    }
    let now = collect::declaration(after.context(item, new), &is.item, item as u32);
    let known = model.declared_by(after.file, item as u32).and_then(|id| Some((id, model.get(id)?)));
    match (known, now) {
        (None, None) => Some(None),
        (Some((id, known)), Some(now)) if known.name == now.name => {
            let scope = model.scope(after.file)?;
            // About a name that is taken or reserved something is said only where the parser did not guess.
            let names = if matches!(now.kind, DeclarationKind::Event(_)) { &scope.topics } else { &scope.names };
            (names.get(&known.name) == Some(&id)).then_some(Some((id, was.repaired == is.repaired)))
        }
        _ => None,
    }
}

impl Again {
    /// Looks at declarations again, and then at those that depend on what has changed, until nothing changes any more.
    fn follow(&mut self, units: &[Unit], edited: Vec<DeclarationId>) -> Option<()> {
        let mut left = MOST;
        let mut round = edited;
        let mut news = self.changed.clone();
        loop {
            left = left.checked_sub(round.len())?;
            news.extend(self.look(units, &round)?);
            self.changed.extend(&news);
            if news.is_empty() {
                return Some(());
            }
            let all = self.known.own.iter().zip(0..).filter(|(own, _)| own.looks.at_any(&news));
            round = all.map(|(_, id)| DeclarationId(id)).collect();
            news.clear();
        }
    }

    /// Looks at some declarations again. The answer are those that are not what they were.
    fn look(&mut self, units: &[Unit], round: &[DeclarationId]) -> Option<Vec<DeclarationId>> {
        let before = Arc::clone(&self.model);
        let mut model = (*before).clone();
        let items: Vec<Declaring<'_>> = round.iter().filter_map(|id| declaring_of(units, &before, *id)).collect();
        for declaring in &items {
            let slot = model.declarations.get_mut(declaring.id.0 as usize)?;
            *slot = Arc::new(collect::declaration(declaring.context, declaring.item, slot.item)?);
        }
        let (mut diagnostics, mut log) = (Vec::new(), Log::on());
        let defaults = signatures::declare_items(&items, &mut model, &mut diagnostics, &mut log);
        if round.iter().any(|id| before.is_alias(*id) || model.is_alias(*id)) {
            // Nobody would come to the end of these.
            if round.iter().any(|id| types::is_alias_of_itself(&model, *id)) {
                return None;
            }
            model.shorten_aliases();
        }
        signatures::check_defaults(defaults, &mut model, &mut diagnostics, &mut log);
        settings::read_items(&items, &mut model, &mut diagnostics, &mut log);
        let (own, others) = log.divide(diagnostics);
        if !others.is_empty() {
            return None;
        }
        let known = Arc::make_mut(&mut self.known.own);
        for (id, own) in own {
            let slot = known.get_mut(id.0 as usize)?;
            self.known.count = self.known.count + own.diagnostics.len() - slot.diagnostics.len();
            *slot = Arc::new(own);
        }
        // Then what is suggested depends on how much was said before.
        if suggest::is_much(self.known.count) {
            return None;
        }
        let mut news: Vec<DeclarationId> = model.other_ends(&before).collect();
        for id in round {
            let (slot, old) = (model.declarations.get_mut(id.0 as usize)?, before.declarations.get(id.0 as usize)?);
            if slot == old {
                *slot = Arc::clone(old);
            } else {
                news.push(*id);
            }
        }
        if !news.is_empty() {
            self.model = Arc::new(model);
        }
        Some(news)
    }

    /// Whether nothing is to be said about several declarations together that was not said before.
    fn is_sound(&self, before: &Model, units: &[Unit]) -> bool {
        let mut changed: Vec<DeclarationId> = self.changed.iter().copied().collect();
        changed.sort_unstable();
        let others = &self.known.others;
        let of = |id: &DeclarationId| Some((before.get(*id)?, self.model.get(*id)?));
        let is_free = |(_, declaration): &(&Declaration, &Declaration)| {
            let unit = units.get(declaration.file.0 as usize);
            unit.is_some_and(|unit| !others.iter().any(|diagnostic| is_about(diagnostic, unit, declaration.item as usize)))
        };
        self.known.sound
            && changed.iter().filter_map(of).all(|pair| is_free(&pair))
            && types::are_sound(units, &self.model, &changed)
            && settings::are_sound(units, &self.model, &changed)
            && (!changed.iter().filter_map(of).any(|(old, new)| clashes::are_others(old, new)) || self.has_no_new_clash(units))
    }

    fn has_no_new_clash(&self, units: &[Unit]) -> bool {
        let mut found = Vec::new();
        clashes::declarations(&super::declaring(units, &self.model), &self.model, &mut found);
        found.iter().all(|diagnostic| self.known.others.contains(diagnostic))
    }
}

/// The names that an item excuses because the parser had to guess parts of it.
#[must_use]
pub fn excused_by(unit: &Unit, item: usize) -> FxHashSet<Arc<str>> {
    let mut excused = FxHashSet::default();
    let Some(slot) = unit.syntax.items.get(item) else { return excused };
    let text = unit.syntax.item_text(slot);
    match slot.parsed.item.kind {
        ItemKind::Broken => excuse_words(text, &mut excused),
        _ if slot.parsed.repaired => excuse_headers(text, &mut excused),
        _ => {}
    }
    excused
}
