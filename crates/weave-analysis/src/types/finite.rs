//! Types of which no value could ever end.

use weave_diagnostics::{Diagnostic, Place};

use crate::declare::leads_back;
use crate::messages::declarations as message;
use crate::model::types::{RecordType, Type};
use crate::model::{DeclarationId, DeclarationKind, Model};

/// What a type waits for before it can have a finite value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wait {
    /// The declared type that must have one first.
    on: DeclarationId,
    /// The field or variant that needs it.
    at: Option<Place>,
}

/// What is known of one declaration.
#[derive(Clone, Copy)]
struct State {
    /// What it waits for; nothing once it is known to be finite.
    wait: Option<Wait>,
    /// How many of its fields are known to be finite, so that none is looked at twice.
    fields: usize,
}

/// Reports declared types that need a value of themselves.
///
/// Each declaration waits for the first type in it that is not known to be finite, and is looked at again when that type is; what still
/// waits at the end has no finite value.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let count = model.declarations.len();
    let mut states = vec![State { wait: None, fields: 0 }; count];
    let mut finite = vec![false; count];
    let mut waiting: Vec<Vec<DeclarationId>> = vec![Vec::new(); count];
    for index in 0..count {
        let mut ready = vec![DeclarationId(index as u32)];
        while let Some(id) = ready.pop() {
            let (Some(state), Some(known)) = (states.get_mut(id.0 as usize), finite.get(id.0 as usize)) else { continue };
            if *known {
                continue;
            }
            let mut search = Search { finite: &finite, on: Vec::new() };
            state.wait = search.declaration(model, id, &mut state.fields);
            if state.wait.is_some() {
                for on in search.on {
                    if let Some(others) = waiting.get_mut(on.0 as usize) {
                        others.push(id);
                    }
                }
            } else {
                if let Some(known) = finite.get_mut(id.0 as usize) {
                    *known = true;
                }
                ready.extend(waiting.get_mut(id.0 as usize).map(std::mem::take).unwrap_or_default());
            }
        }
    }
    report_cycles(model, &states, &finite, diagnostics);
}

/// Whether a declared type may need a value of itself: some way leads from it back to it, past no list and nothing that may be absent.
pub(super) fn needs_itself(model: &Model, id: DeclarationId) -> bool {
    leads_back(id, |id| {
        let mut needed = Vec::new();
        match model.get(id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Type(ty)) => needs(ty, &mut needed),
            Some(DeclarationKind::Error(record)) => fields_need(record, &mut needed),
            Some(DeclarationKind::Union(union)) => union.variants.iter().for_each(|variant| needs(&variant.ty, &mut needed)),
            _ => {}
        }
        needed
    })
}

/// The declared types of which a type may need values.
fn needs(ty: &Type, needed: &mut Vec<DeclarationId>) {
    match ty {
        Type::Named(id) => needed.push(*id),
        Type::List(list) if list.min.is_some_and(|min| min > 0) => needs(&list.item, needed),
        Type::Map(map) if map.min.is_some_and(|min| min > 0) => needs(&map.value, needed),
        Type::Record(record) => fields_need(record, needed),
        Type::Union(alternatives) => alternatives.iter().for_each(|ty| needs(ty, needed)),
        _ => {}
    }
}

fn fields_need(record: &RecordType, needed: &mut Vec<DeclarationId>) {
    record.fields.iter().filter(|field| !field.optional && field.default.is_none()).for_each(|field| needs(&field.ty, needed));
}

/// Follows from each type without a finite value what it waits for; where that comes round is the mistake.
fn report_cycles(model: &Model, states: &[State], finite: &[bool], diagnostics: &mut Vec<Diagnostic>) {
    // The number of the walk that came by; 0 for none.
    let mut walked = vec![0_usize; states.len()];
    for start in 0..states.len() {
        let mut way: Vec<Wait> = Vec::new();
        let mut here = start;
        while finite.get(here) == Some(&false) && walked.get(here) == Some(&0) {
            let Some(wait) = states.get(here).and_then(|state| state.wait) else { break };
            if let Some(slot) = walked.get_mut(here) {
                *slot = start + 1;
            }
            way.push(wait);
            here = wait.on.0 as usize;
        }
        if walked.get(here) == Some(&(start + 1)) && finite.get(here) == Some(&false) {
            // The walk has met itself: the cycle is its end, from the step that came here first.
            let before = way.iter().take(way.len().saturating_sub(1)).position(|wait| wait.on.0 as usize == here);
            let cycle = way.split_off(if here == start { 0 } else { before.map_or(0, |index| index + 1) });
            let first = DeclarationId(here as u32);
            let steps = cycle.iter().map(|wait| (wait.on, wait.at)).collect::<Vec<_>>();
            diagnostics.extend(message::infinite_type(model, first, &steps));
        }
    }
}

/// A look at one declaration.
struct Search<'a> {
    /// What is known so far.
    finite: &'a [bool],
    /// The types of which any may make the declaration finite.
    on: Vec<DeclarationId>,
}

impl Search<'_> {
    /// What a declaration waits for. `fields` says how many of its fields need no second look.
    fn declaration(&mut self, model: &Model, id: DeclarationId, fields: &mut usize) -> Option<Wait> {
        match &model.get(id)?.kind {
            DeclarationKind::Type(Type::Record(record)) | DeclarationKind::Error(record) => self.record(record, fields),
            DeclarationKind::Type(ty) => self.ty(ty),
            DeclarationKind::Union(union) => {
                let mut first = None;
                for variant in &union.variants {
                    let found = self.ty(&variant.ty)?;
                    first = first.or(Some(Wait { on: found.on, at: Some(variant.place) }));
                }
                first
            }
            _ => None,
        }
    }

    fn record(&mut self, record: &RecordType, fields: &mut usize) -> Option<Wait> {
        for field in record.fields.iter().skip(*fields) {
            let found = if field.optional || field.default.is_some() { None } else { self.ty(&field.ty) };
            if let Some(found) = found {
                return Some(Wait { on: found.on, at: Some(field.place) });
            }
            *fields += 1;
        }
        None
    }

    fn ty(&mut self, ty: &Type) -> Option<Wait> {
        match ty {
            Type::Named(id) if self.finite.get(id.0 as usize) == Some(&false) => {
                self.on.push(*id);
                Some(Wait { on: *id, at: None })
            }
            Type::List(list) if list.min.is_some_and(|min| min > 0) => self.ty(&list.item),
            Type::Map(map) if map.min.is_some_and(|min| min > 0) => self.ty(&map.value),
            Type::Record(record) => self.record(record, &mut 0),
            // Each alternative that is not finite yet may become so.
            Type::Union(alternatives) => {
                let mut first = None;
                for alternative in alternatives.iter() {
                    let found = self.ty(alternative)?;
                    first = first.or(Some(found));
                }
                first
            }
            _ => None,
        }
    }
}
