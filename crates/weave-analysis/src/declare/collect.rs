//! Which file declares which names.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use weave_diagnostics::{Diagnostic, Place, Span};
use weave_syntax::ItemSlot;
use weave_syntax::ast::{Item, ItemKind};

use super::blank::blank;
use super::scan::{excuse_headers, excuse_words};
use crate::messages::declarations as message;
use crate::model::declarations::{FAILURE_KINDS, TargetNames};
use crate::model::types::Scalar;
use crate::model::{Declaration, DeclarationId, DeclarationKind, ItemContext, Model, Scope, Unit};

/// A model in which every declaration has its name, place and kind, and nothing else; its scopes know the file's own names and the prelude's.
pub(super) fn collect(units: &[Unit], diagnostics: &mut Vec<Diagnostic>) -> Model {
    let mut model = Model::default();
    for unit in units {
        let mut scope = Scope::default();
        if let Some(prelude) = model.scopes.first() {
            scope.topics = prelude.topics.clone();
        }
        for (index, slot) in unit.syntax.items.iter().enumerate() {
            let item = unit.context(index, slot);
            collect_item(&mut model, &mut scope, item, slot, index as u32, diagnostics);
        }
        model.scopes.push(Arc::new(scope));
    }
    model
}

fn collect_item(
    model: &mut Model,
    scope: &mut Scope,
    item: ItemContext<'_>,
    slot: &ItemSlot,
    index: u32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let parsed = &*slot.parsed;
    match &parsed.item.kind {
        ItemKind::Broken => return excuse_words(item.text, &mut scope.excused),
        _ if parsed.repaired => excuse_headers(item.text, &mut scope.excused),
        _ => {}
    }
    let Some(declaration) = declaration(item, &parsed.item, index) else { return };
    let Declaration { name, place, kind, .. } = &declaration;
    let (place, is_topic) = (*place, matches!(kind, DeclarationKind::Event(_)));
    if matches!(&parsed.item.kind, ItemKind::Event(event) if !event.topic.is_topic) {
        // That it has no dot has been reported, so nobody finds it under its name.
        scope.excused.insert(Arc::clone(name));
        scope.excused.extend(weave_syntax::topic_of(name).map(Arc::from));
    }
    let reserved = if is_topic { None } else { reserved(kind, name, place) };
    if let Some(reserved) = reserved {
        // The name goes on meaning what it always means, or nothing.
        scope.excused.insert(Arc::clone(name));
        diagnostics.extend((!parsed.repaired).then_some(reserved));
    } else {
        let names = if is_topic { &mut scope.topics } else { &mut scope.names };
        if let Some(duplicate) = take_name(names, model, kind, name, place) {
            diagnostics.extend((!parsed.repaired).then_some(duplicate));
        }
    }
    model.declarations.push(Arc::new(declaration));
}

/// What an item declares, with nothing in it.
pub(super) fn declaration(item: ItemContext<'_>, tree: &Item, index: u32) -> Option<Declaration> {
    let (span, is_topic) = name_of(&tree.kind, item.text)?;
    let place = item.place(span);
    let written = span.text(item.text);
    // Blanks in a topic have been reported; what it is called is clear all the same.
    let name = if is_topic && written.contains(char::is_whitespace) {
        written.split_whitespace().collect::<String>().into()
    } else {
        Arc::from(written)
    };
    Some(Declaration {
        file: item.file,
        item: index,
        name,
        place,
        docs: tree.meta.docs_text(item.text).map(Arc::from),
        deprecated: None,
        target_names: TargetNames::default(),
        category: None,
        status: None,
        kind: blank(&tree.kind, place)?,
    })
}

/// The name that an item declares, and whether it is a topic.
fn name_of(kind: &ItemKind, text: &str) -> Option<(Span, bool)> {
    if let ItemKind::Event(event) = kind {
        return (!event.topic.is_missing(text)).then_some((event.topic.span, true));
    }
    kind.name().filter(|name| !name.is_missing()).map(|name| (name.span, false))
}

/// Binds the name to the declaration that is about to be added, unless it is taken.
fn take_name(
    names: &mut FxHashMap<Arc<str>, DeclarationId>,
    model: &Model,
    kind: &DeclarationKind,
    name: &Arc<str>,
    place: Place,
) -> Option<Diagnostic> {
    match names.entry(Arc::clone(name)) {
        Entry::Vacant(entry) => {
            entry.insert(DeclarationId(model.declarations.len() as u32));
            None
        }
        Entry::Occupied(entry) => {
            let first = model.get(*entry.get())?;
            Some(if first.file == place.file {
                message::duplicate_declaration(name, kind, place, first)
            } else {
                message::builtin_topic(name, place)
            })
        }
    }
}

/// What is wrong with a name that has a meaning already.
pub(super) fn reserved(kind: &DeclarationKind, name: &str, place: Place) -> Option<Diagnostic> {
    match kind {
        _ if matches!(name, "true" | "false" | "null") => Some(message::literal_as_name(name, place)),
        DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_)
            if Scalar::from_name(name).is_some() || matches!(name, "json" | "map") =>
        {
            Some(message::builtin_type_name(name, place))
        }
        DeclarationKind::Error(_) if FAILURE_KINDS.contains(&name) => Some(message::builtin_failure_name(name, place)),
        _ => None,
    }
}
