//! What files take from each other.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, Place};
use weave_syntax::ast::{Import, ImportedName, ItemKind};

use super::collect::reserved;
use super::suggest::{similar_name, worth_a_suggestion};
use crate::messages::declarations as message;
use crate::model::{DeclarationId, ItemContext, Lookup, Model, Scope, Unit};

/// One name that an import binds.
struct Binding {
    file: FileId,
    name: Arc<str>,
    is_topic: bool,
    /// What it is bound to; nothing if that is wrong or missing.
    target: Option<DeclarationId>,
    place: Place,
    repaired: bool,
}

/// Adds to every scope what its file imports.
pub(super) fn link(units: &[Unit], model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    // Two rounds, because what a file can give away is what it declares itself, whatever the order of the files.
    let mut bindings = Vec::new();
    for unit in units {
        for (index, slot) in unit.syntax.items.iter().enumerate() {
            let ItemKind::Import(import) = &slot.parsed.item.kind else { continue };
            let item = unit.context(index, slot);
            let from = unit.imports.get(index).copied().flatten();
            let mut found = Vec::new();
            read_import(units, model, item, import, from, &mut bindings, &mut found, slot.parsed.repaired);
            if !slot.parsed.repaired {
                diagnostics.append(&mut found);
            }
        }
    }
    for binding in bindings {
        bind(model, binding, diagnostics);
    }
}

#[allow(clippy::too_many_arguments, reason = "one call")]
fn read_import(
    units: &[Unit],
    model: &Model,
    item: ItemContext<'_>,
    import: &Import,
    from: Option<FileId>,
    bindings: &mut Vec<Binding>,
    diagnostics: &mut Vec<Diagnostic>,
    repaired: bool,
) {
    let itself = from == Some(item.file);
    if itself && let Some(path) = import.path {
        diagnostics.push(message::self_import(item.place(path.span)));
    }
    for imported in &import.names {
        let text = imported.name.text(item.text);
        if imported.name.is_missing(item.text) {
            continue;
        }
        let alias = imported.alias.filter(|alias| !alias.is_missing());
        let is_topic = imported.name.is_topic;
        if let (true, Some(alias)) = (is_topic, alias) {
            diagnostics.push(message::topic_alias(text, item.place(alias.span)));
        }
        let name = alias.filter(|_| !is_topic).map_or(text, |alias| alias.text(item.text));
        let target = match from {
            Some(from) if !itself => find(units, model, item, imported, from, diagnostics),
            _ => Err(None),
        };
        // Whoever uses it has most likely written what was meant.
        if let (Err(Some(meant)), None) = (&target, alias) {
            bindings.push(Binding {
                file: item.file,
                name: Arc::clone(meant),
                is_topic,
                target: None,
                place: item.place(imported.span),
                repaired,
            });
        }
        let target = target.ok().filter(|id| {
            let kind = model.get(*id).map(|declaration| &declaration.kind);
            let reserved = alias.zip(kind).and_then(|(alias, kind)| reserved(kind, name, item.place(alias.span)));
            let free = reserved.is_none();
            diagnostics.extend(reserved);
            free
        });
        // What a file imports from itself it declares; there is nothing to bind.
        if !itself {
            let place = item.place(imported.span);
            bindings.push(Binding { file: item.file, name: Arc::from(name), is_topic, target, place, repaired });
        }
    }
}

/// What the other file declares under this name; if nothing, perhaps what was meant.
fn find(
    units: &[Unit],
    model: &Model,
    item: ItemContext<'_>,
    imported: &ImportedName,
    from: FileId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<DeclarationId, Option<Arc<str>>> {
    let Some(scope) = model.scope(from) else { return Err(None) };
    let name = imported.name.text(item.text);
    let place = item.place(imported.name.span);
    match scope.lookup(name, imported.name.is_topic) {
        Lookup::Found(id) if model.get(id).is_some_and(|declaration| declaration.file == from) => return Ok(id),
        Lookup::Found(_) => diagnostics.push(message::builtin_import(name, place)),
        Lookup::Excused => {}
        Lookup::Unknown => {
            let Some(unit) = units.get(from.0 as usize) else { return Err(None) };
            if let Some((path, at)) = imports_it_itself(unit, name) {
                diagnostics.push(message::indirect_import(name, place, &path, at));
            } else {
                let worth = worth_a_suggestion(diagnostics);
                let similar = worth.then(|| similar_name(model, from, name, imported.name.is_topic, |_| true)).flatten();
                diagnostics.push(message::unknown_import(name, place, similar.as_deref()));
                return Err(similar);
            }
        }
    }
    Err(None)
}

/// The import through which a file has a name that it does not declare: its path as it is written, and its place.
fn imports_it_itself(unit: &Unit, name: &str) -> Option<(String, Place)> {
    unit.syntax.items.iter().enumerate().find_map(|(index, slot)| {
        let ItemKind::Import(import) = &slot.parsed.item.kind else { return None };
        let item = unit.context(index, slot);
        let taken = import.names.iter().find(|it| match it.alias {
            Some(alias) => alias.text(item.text) == name,
            None => it.name.text(item.text) == name,
        })?;
        let path = import.path?;
        Some((path.span.text(item.text).to_owned(), item.place(taken.span)))
    })
}

fn bind(model: &mut Model, binding: Binding, diagnostics: &mut Vec<Diagnostic>) {
    let Some(scope) = model.scopes.get_mut(binding.file.0 as usize).and_then(Arc::get_mut) else { return };
    let Some(target) = binding.target else {
        scope.excused.insert(binding.name);
        return;
    };
    let original = model.declarations.get(target.0 as usize).map_or_else(|| Arc::clone(&binding.name), |it| Arc::clone(&it.name));
    let Scope { names, topics, imported, .. } = scope;
    let names = if binding.is_topic { topics } else { names };
    match names.entry(Arc::clone(&binding.name)) {
        Entry::Vacant(entry) => {
            entry.insert(target);
            imported.push(binding.name);
        }
        Entry::Occupied(entry) => {
            let first = model.declarations.get(entry.get().0 as usize);
            if let Some(first) = first.filter(|_| !binding.repaired) {
                diagnostics.push(message::import_name_taken(&binding.name, &original, binding.place, first));
            }
        }
    }
}
