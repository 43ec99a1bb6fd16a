//! Which declarations somebody looks at while something is found out.
//!
//! What was found out about an item holds as long as the item is what it was, and each declaration that was looked at on the way. All looks
//! go through [`Model::get`](super::Model::get), deep inside of questions such as whether one type fits another; so they are written down
//! there, for the thread that is being watched, and nobody has to hand a list through all of them. The command line watches nobody.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::DeclarationId;

/// The declarations that were looked at.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// In their order, each once.
    ids: Box<[DeclarationId]>,
    /// Whether somebody has looked for the name that is most like another one, and so at all of them.
    at_all: bool,
}

impl Looks {
    /// Whether one of these declarations was looked at.
    #[must_use]
    pub fn at_any(&self, changed: &FxHashSet<DeclarationId>) -> bool {
        self.at_all || !changed.is_empty() && self.ids.iter().any(|id| changed.contains(id))
    }

    /// These looks without those at one declaration.
    pub(crate) fn without(self, id: DeclarationId) -> Self {
        if !self.ids.contains(&id) {
            return self;
        }
        Self { ids: self.ids.iter().copied().filter(|other| *other != id).collect(), ..self }
    }

    /// These looks and others.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.ids.is_empty() {
            return Self { at_all: self.at_all || other.at_all, ..self };
        }
        let mut ids: Vec<DeclarationId> = self.ids.iter().chain(&other.ids).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        Self { ids: ids.into(), at_all: self.at_all || other.at_all }
    }
}

#[derive(Default)]
struct Watched {
    /// Whether somebody watches. Nobody watches within another watch.
    on: bool,
    /// A bit for each declaration.
    seen: Vec<u64>,
    ids: Vec<DeclarationId>,
    at_all: bool,
}

thread_local! {
    static WATCHED: RefCell<Watched> = RefCell::default();
}

/// Does something and writes down what is looked at, in this thread. Nothing in it may watch, too.
pub fn watch<R>(work: impl FnOnce() -> R) -> (R, Looks) {
    // What a panic has left behind is thrown away.
    take();
    WATCHED.with_borrow_mut(|watched| watched.on = true);
    let result = work();
    (result, take())
}

/// Ends the watch.
fn take() -> Looks {
    WATCHED.with_borrow_mut(|watched| {
        let mut ids = std::mem::take(&mut watched.ids);
        for id in &ids {
            if let Some(bits) = watched.seen.get_mut(id.0 as usize / 64) {
                *bits = 0;
            }
        }
        ids.sort_unstable();
        watched.on = false;
        Looks { ids: ids.into(), at_all: std::mem::take(&mut watched.at_all) }
    })
}

/// Takes note of a look.
pub(super) fn note(id: DeclarationId) {
    WATCHED.with_borrow_mut(|watched| {
        if !watched.on {
            return;
        }
        let (place, bit) = (id.0 as usize / 64, 1 << (id.0 % 64));
        if watched.seen.len() <= place {
            watched.seen.resize(place + 1, 0);
        }
        if let Some(bits) = watched.seen.get_mut(place)
            && *bits & bit == 0
        {
            *bits |= bit;
            watched.ids.push(id);
        }
    });
}

/// Takes note of a look at all declarations.
pub(crate) fn note_all() {
    WATCHED.with_borrow_mut(|watched| watched.at_all |= watched.on);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_those_of_the_watched_work() {
        note(DeclarationId(1));
        let ((), looks) = watch(|| [70, 3, 70].into_iter().for_each(|id| note(DeclarationId(id))));
        assert_eq!(&*looks.ids, [DeclarationId(3), DeclarationId(70)]);
        let ((), other) = watch(|| note(DeclarationId(3)));
        assert_eq!(&*other.ids, [DeclarationId(3)]);
        assert!(!other.at_any(&FxHashSet::from_iter([DeclarationId(70)])));
        assert!(other.and(looks).at_any(&FxHashSet::from_iter([DeclarationId(70)])));
        let ((), all) = watch(note_all);
        assert!(all.at_any(&FxHashSet::default()));
    }
}
