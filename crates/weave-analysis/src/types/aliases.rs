//! Aliases that stand for themselves.

use weave_diagnostics::Diagnostic;

use crate::messages::declarations as message;
use crate::model::types::Type;
use crate::model::{DeclarationId, DeclarationKind, Model};

/// How far the search has come with a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Reports aliases that lead back to themselves, and makes them unknown, so that whoever follows an alias comes to an end.
pub(super) fn break_circles(model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut marks = vec![Mark::New; model.declarations.len()];
    let mut broken = Vec::new();
    for index in 0..model.declarations.len() {
        let start = DeclarationId(index as u32);
        if mark(&marks, start) == Mark::New && alias(model, start).is_some() {
            search(model, start, &mut marks, &mut broken, diagnostics);
        }
    }
    for id in broken {
        if let Some(declaration) = model.declarations.get_mut(id.0 as usize) {
            declaration.kind = DeclarationKind::Type(Type::Unknown);
        }
    }
}

/// Goes down from one alias. The way is a stack of its own, because nothing bounds how many aliases follow each other.
fn search(model: &Model, start: DeclarationId, marks: &mut [Mark], broken: &mut Vec<DeclarationId>, diagnostics: &mut Vec<Diagnostic>) {
    let mut way: Vec<(DeclarationId, Vec<DeclarationId>)> = vec![(start, targets(model, start))];
    set(marks, start, Mark::Open);
    while let Some((here, left)) = way.last_mut() {
        let Some(next) = left.pop() else {
            set(marks, *here, Mark::Done);
            way.pop();
            continue;
        };
        match mark(marks, next) {
            Mark::Done => {}
            Mark::Open => {
                let circle = way.iter().map(|(id, _)| *id).skip_while(|id| *id != next).collect::<Vec<_>>();
                // Two circles may share an alias; it is reported once.
                if !circle.iter().any(|id| broken.contains(id)) {
                    diagnostics.extend(message::alias_circle(model, &circle));
                }
                broken.extend(circle);
            }
            Mark::New => {
                set(marks, next, Mark::Open);
                let further = targets(model, next);
                way.push((next, further));
            }
        }
    }
}

fn alias(model: &Model, id: DeclarationId) -> Option<&Type> {
    match &model.get(id)?.kind {
        DeclarationKind::Type(ty @ (Type::Named(_) | Type::Union(_))) => Some(ty),
        _ => None,
    }
}

/// The aliases that an alias stands for directly, the first one last.
fn targets(model: &Model, id: DeclarationId) -> Vec<DeclarationId> {
    let alternatives = match alias(model, id) {
        Some(Type::Union(alternatives)) => &**alternatives,
        Some(ty) => std::slice::from_ref(ty),
        None => &[],
    };
    let named = alternatives.iter().rev().filter_map(|ty| if let Type::Named(id) = ty { Some(*id) } else { None });
    named.filter(|id| alias(model, *id).is_some()).collect()
}

fn mark(marks: &[Mark], id: DeclarationId) -> Mark {
    marks.get(id.0 as usize).copied().unwrap_or(Mark::Done)
}

fn set(marks: &mut [Mark], id: DeclarationId, mark: Mark) {
    if let Some(slot) = marks.get_mut(id.0 as usize) {
        *slot = mark;
    }
}
