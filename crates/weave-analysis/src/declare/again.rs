//! Whether what is known of all declarations still holds when an item has become another one.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use weave_syntax::ast::{ItemKind, Workflow};

use super::scan::{excuse_headers, excuse_words};
use super::{Context, Target, attributes, clashes, signatures};
use crate::model::{DeclarationKind, Model, Unit};
use crate::settings;
use crate::types::Types;

/// Whether [`declare`](super::declare) would find the same model and say the same, up to what the scope of the file excuses, if this item of
/// a file were what it is after a change. An item that declares a workflow with the same header and the same settings does so, whatever
/// its nodes are. Both states of the file have the same addresses, and nothing was said about the item.
///
/// `hidden` is [`Declared::hidden`](super::Declared::hidden).
#[must_use]
pub fn still_holds(model: &Model, hidden: bool, before: &Unit, after: &Unit, item: usize) -> bool {
    let (Some(old), Some(new)) = (before.syntax.items.get(item), after.syntax.items.get(item)) else { return false };
    let (was, is) = (&*old.parsed, &*new.parsed);
    let (ItemKind::Workflow(old_tree), ItemKind::Workflow(tree)) = (&was.item.kind, &is.item.kind) else { return false };
    let (context, old_text) = (after.context(item, new), before.syntax.item_text(old));
    if was.item.meta != is.item.meta || !same_header((old_tree, old_text), (tree, context.text)) {
        return false;
    }
    let known = model.declared_by(after.file, item as u32).and_then(|id| Some((id, model.get(id)?)));
    let (Some((id, declaration)), Some(scope)) = (known, model.scope(after.file)) else { return false };
    let DeclarationKind::Workflow(signature) = &declaration.kind else { return false };
    // About a name that is taken or reserved something is said only where the parser did not guess; and about one that becomes
    // another's in generated code.
    let same_trust = was.repaired == is.repaired;
    if scope.names.get(&declaration.name) != Some(&id) || (!same_trust && (hidden || clashes::are_in(model, after.file))) {
        return false;
    }
    let mut found = Vec::new();
    let mut context = Context { model, scope, item: context, diagnostics: &mut found, recorder: None };
    attributes(&mut context, &is.item.meta, Target::Declaration);
    let Some(read) = signatures::signature(&mut Types::late(&mut context), &is.item.kind) else { return false };
    signatures::check_other_attributes(&mut context, &is.item.kind);
    let read = settings::read(&mut context, &is.item.kind, &read).unwrap_or(read);
    let same = matches!(&read, DeclarationKind::Workflow(read) if read == signature);
    same && (is.repaired || found.is_empty())
}

/// Whether two workflows are written alike up to their bodies.
fn same_header((old, old_text): (&Workflow, &str), (new, new_text): (&Workflow, &str)) -> bool {
    let end = new.body.start as usize;
    old.body.start == new.body.start
        && (old.name, &old.parameters, &old.output) == (new.name, &new.parameters, &new.output)
        && old_text.get(..end).is_some_and(|header| Some(header) == new_text.get(..end))
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
