//! A program while somebody edits it: from one state to the next, without looking again at what has not changed.
//!
//! What is known is what somebody would find out who saw the files for the first time. Three things make that cheap: items whose text
//! is the same are not parsed again; the places of the model count from the addresses of items, so that what is known of an item
//! does not change when it moves; and of each declaration and each body it is known at which declarations it has looked, so that only those
//! are looked at again that have changed or have looked at one that has. Where names have changed everything is analysed as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::Bodies;
use weave_analysis::model::{Addresses, DeclarationId};
use weave_analysis::{Again, Known, check_bodies_again, check_bodies_to_edit, declare_again, declare_to_edit, excused_by};
use weave_diagnostics::{Diagnostic, FileId, Place, bounded, sort_and_dedup};
use weave_syntax::ItemSlot;

use crate::load::{Earlier, Loaded, load, load_texts, map_all};
use crate::snapshot::check_tests;
use crate::{Input, Loader, Snapshot};

/// What is needed to go on from a state.
#[derive(Debug)]
pub(crate) struct Editing {
    /// What is wrong with the imports.
    imports: Vec<Diagnostic>,
    /// What is wrong with the declarations; the places are those of the model.
    declared: Known,
    /// The names of which the model does not know any more whether they are excused, by file.
    doubtful: FxHashMap<usize, FxHashSet<Arc<str>>>,
    /// The declarations that are not what they were in the earlier state; nothing if everything was looked at.
    changed: Option<FxHashSet<DeclarationId>>,
}

/// The next state of a program that is being edited, or its first one.
///
/// The diagnostics are those of the texts and of their meaning: what keeps a program without errors from having its definitions is left to
/// [`Snapshot::refusals`]. The places of the model are to be read through [`Snapshot::in_text`].
#[must_use]
pub fn check_edited(earlier: Option<&Snapshot>, inputs: Vec<Input>, loader: &dyn Loader) -> Snapshot {
    let known = earlier.map(|earlier| Earlier { sources: &earlier.sources, units: &earlier.units });
    let loaded = load(inputs, loader, known);
    let (loaded, go_on) = match earlier {
        Some(earlier) => match next(earlier, loaded) {
            Ok(snapshot) => return snapshot,
            Err(loaded) => (loaded, Some(earlier)),
        },
        None => (loaded, None),
    };
    anew(go_on, loaded)
}

/// The next state of a program of which nothing has changed but some texts: what [`check_edited`] says, without a look at the names and the texts of
/// all other files. Nothing if another file may be imported than before, or an import is wrong: then only [`check_edited`] can say.
#[must_use]
pub fn check_texts(earlier: &Snapshot, texts: &[(FileId, Arc<str>)]) -> Option<Snapshot> {
    let loaded = load_texts(earlier, &earlier.editing.as_ref()?.imports, texts)?;
    Some(next(earlier, loaded).unwrap_or_else(|loaded| anew(Some(earlier), loaded)))
}

impl Snapshot {
    /// The declarations that are not what they were in the state from which this one was made with [`check_edited`]. Items, names and what imports
    /// lead to are known by the same numbers as there. Nothing if nothing can be said.
    #[must_use]
    pub fn changed(&self) -> Option<&FxHashSet<DeclarationId>> {
        self.editing.as_ref()?.changed.as_ref()
    }

    /// Where a place of the model stands in the text of its file. A place in a text stays what it is.
    #[must_use]
    pub fn in_text(&self, place: Place) -> Place {
        self.units.get(place.file.0 as usize).map_or(place, |unit| unit.in_text(place))
    }

    /// What keeps a program without errors from having definitions, as far as [`Snapshot::diagnostics`] do not say it.
    #[must_use]
    pub fn refusals(&self) -> Vec<Diagnostic> {
        if self.editing.is_none() || self.has_errors() {
            return Vec::new();
        }
        self.refused().into_iter().map(|diagnostic| diagnostic.with_places(|place| self.in_text(place))).collect()
    }

    /// Gathers what is said about all files.
    fn tell(&mut self) {
        let Some(editing) = &self.editing else { return };
        let syntax = self.units.iter().flat_map(|unit| unit.syntax.diagnostics(unit.file));
        let meaning = editing.declared.diagnostics().chain(self.bodies.iter().flat_map(|bodies| &bodies.diagnostics));
        let meaning = meaning.chain(self.scripts.iter().flat_map(|scripts| &scripts.diagnostics));
        let mut all: Vec<Diagnostic> = editing.imports.iter().cloned().chain(syntax).collect();
        all.extend(meaning.map(|diagnostic| diagnostic.clone().with_places(|place| self.in_text(place))));
        sort_and_dedup(&mut all);
        self.diagnostics = bounded(all);
    }
}

/// Looks at all files.
fn anew(earlier: Option<&Snapshot>, loaded: Loaded) -> Snapshot {
    let Loaded { sources, mut units, roots, diagnostics: imports } = loaded;
    for unit in &mut units {
        let before = earlier.and_then(|earlier| earlier.units.get(unit.file.0 as usize));
        let same = before.filter(|before| Arc::ptr_eq(&before.syntax, &unit.syntax)).and_then(|before| before.addresses.clone());
        unit.addresses = same.or_else(|| Addresses::new(&unit.syntax).map(Arc::new));
    }
    let bytes = units.iter().map(|unit| unit.syntax.text.len()).sum();
    let (model, declared) = declare_to_edit(&units);
    let model = Arc::new(model);
    let bodies = map_all(&units, bytes, |unit| Arc::new(check_bodies_to_edit(&model, unit)));
    let editing = Editing { imports, declared, doubtful: FxHashMap::default(), changed: None };
    let scripts = check_tests(&model, &units, &bodies);
    let mut snapshot = Snapshot { sources, roots, units, model, bodies, scripts, diagnostics: Vec::new(), editing: Some(editing) };
    snapshot.tell();
    snapshot
}

/// Goes on from an earlier state with the same names; if there are others, what was loaded comes back.
fn next(earlier: &Snapshot, mut loaded: Loaded) -> Result<Snapshot, Loaded> {
    let Some(editing) = &earlier.editing else { return Err(loaded) };
    let Some(changes) = changes(earlier, &mut loaded) else { return Err(loaded) };
    let items: Vec<(FileId, usize)> = changes.iter().flat_map(|(file, items)| items.iter().map(|item| (*file, *item))).collect();
    let again = declare_again(&earlier.model, &editing.declared, &earlier.units, &loaded.units, &items);
    let Some(Again { model, known, changed }) = again else { return Err(loaded) };
    let mut doubtful = editing.doubtful.clone();
    for (file, item) in items {
        let (Some(unit), Some(before)) = (loaded.units.get(file.0 as usize), earlier.units.get(file.0 as usize)) else { continue };
        let excused = excused_by(before, item).into_iter().chain(excused_by(unit, item));
        doubtful.entry(file.0 as usize).or_insert_with(FxHashSet::default).extend(excused);
    }
    let concerned = |(file, bodies): (usize, &Arc<Bodies>)| {
        let items = changes.get(&FileId(file as u32));
        (items.is_some() || bodies.depend_on(&changed)).then(|| (file, items.map(Vec::as_slice).unwrap_or_default()))
    };
    let concerned: Vec<(usize, &[usize])> = earlier.bodies.iter().enumerate().filter_map(concerned).collect();
    let bytes = concerned.iter().filter_map(|(file, _)| loaded.units.get(*file)).map(|unit| unit.syntax.text.len()).sum();
    let found = map_all(&concerned, bytes, |(file, items)| {
        let (unit, known) = (loaded.units.get(*file)?, earlier.bodies.get(*file)?);
        Some((*file, Arc::new(check_bodies_again(&model, unit, known, |item| items.contains(&item), &changed))))
    });
    let mut bodies = earlier.bodies.clone();
    for (file, found) in found.into_iter().flatten() {
        if let Some(known) = bodies.get_mut(file) {
            *known = found;
        }
    }
    let in_doubt =
        |(file, names): (&usize, &FxHashSet<Arc<str>>)| model.scope(FileId(*file as u32)).is_none_or(|scope| scope.missed.has_any(names));
    if doubtful.iter().any(in_doubt) {
        return Err(loaded);
    }
    let Loaded { sources, units, roots, diagnostics: imports } = loaded;
    let scripts = check_tests(&model, &units, &bodies);
    let editing = Editing { imports, declared: known, doubtful, changed: Some(changed) };
    let mut snapshot = Snapshot { sources, roots, units, model, bodies, scripts, diagnostics: Vec::new(), editing: Some(editing) };
    snapshot.tell();
    Ok(snapshot)
}

/// The items that have changed, by file, and for the files their addresses; nothing if there are other items than before.
fn changes(earlier: &Snapshot, loaded: &mut Loaded) -> Option<BTreeMap<FileId, Vec<usize>>> {
    let Loaded { sources, units, roots, .. } = loaded;
    if (units.len(), *roots) != (earlier.units.len(), earlier.roots) {
        return None;
    }
    let mut changes = BTreeMap::new();
    for (unit, before) in units.iter_mut().zip(&earlier.units) {
        let addresses = before.addresses.as_ref()?;
        unit.addresses = Some(Arc::clone(addresses));
        if unit.imports != before.imports || sources.name(unit.file) != earlier.sources.name(unit.file) {
            return None;
        }
        if Arc::ptr_eq(&unit.syntax, &before.syntax) {
            continue;
        }
        if !addresses.fit(&unit.syntax) {
            return None;
        }
        let slots = unit.syntax.items.iter().zip(&before.syntax.items).enumerate();
        // Now and then an item is parsed again although it is what it was.
        let is_same = |slot: &ItemSlot, old: &ItemSlot| {
            let same_text = || unit.syntax.item_text(slot) == before.syntax.item_text(old);
            Arc::ptr_eq(&slot.parsed, &old.parsed) || (slot.parsed == old.parsed && same_text())
        };
        let items = slots.filter(|(_, (slot, before))| !is_same(slot, before)).map(|(item, _)| item).collect();
        changes.insert(unit.file, items);
    }
    Some(changes)
}
