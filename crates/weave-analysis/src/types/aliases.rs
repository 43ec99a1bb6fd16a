//! Aliases that stand for themselves.

use std::collections::BTreeSet;

use weave_diagnostics::Diagnostic;

use crate::declare::{self, cycles};
use crate::messages::declarations as message;
use crate::model::types::Type;
use crate::model::{DeclarationId, DeclarationKind, Model};

/// Reports aliases that lead back to themselves, and makes them unknown, so that whoever follows an alias comes to an end.
pub(super) fn break_cycles(model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut broken = BTreeSet::new();
    for cycle in cycles(model.declarations.len(), |id| targets(model, id)) {
        // Two cycles may share an alias; they are one mistake.
        if !cycle.iter().any(|id| broken.contains(id)) {
            diagnostics.extend(message::alias_cycle(model, &cycle));
        }
        broken.extend(cycle);
    }
    for id in broken {
        if let Some(declaration) = model.get_mut(id) {
            declaration.kind = DeclarationKind::Type(Type::Unknown);
        }
    }
}

/// Whether an alias stands for itself.
pub(super) fn leads_back(model: &Model, id: DeclarationId) -> bool {
    declare::leads_back(id, |id| targets(model, id))
}

fn alias(model: &Model, id: DeclarationId) -> Option<&Type> {
    match &model.get(id)?.kind {
        DeclarationKind::Type(ty @ (Type::Named(_) | Type::Union(_))) => Some(ty),
        _ => None,
    }
}

/// The aliases that an alias stands for directly.
fn targets(model: &Model, id: DeclarationId) -> Vec<DeclarationId> {
    let alternatives = match alias(model, id) {
        Some(Type::Union(alternatives)) => &**alternatives,
        Some(ty) => std::slice::from_ref(ty),
        None => &[],
    };
    let named = alternatives.iter().filter_map(|ty| if let Type::Named(id) = ty { Some(*id) } else { None });
    named.filter(|id| alias(model, *id).is_some()).collect()
}
