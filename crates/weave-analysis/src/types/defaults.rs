//! Defaults that could not be checked when their types were read.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use crate::model::DeclarationKind;
use crate::model::types::{RecordType, Type};

/// Puts defaults into the fields of a declaration's types, by the offsets of the fields' names.
pub(crate) fn fill_defaults(kind: &mut DeclarationKind, mut defaults: FxHashMap<u32, Json>) {
    let defaults = &mut defaults;
    match kind {
        DeclarationKind::Type(ty) => fill(ty, defaults),
        DeclarationKind::Enum(_) | DeclarationKind::Toolkit(_) => {}
        DeclarationKind::Union(it) => it.variants.iter_mut().for_each(|variant| fill(&mut variant.ty, defaults)),
        DeclarationKind::Error(it) => fill_record(it, defaults),
        DeclarationKind::Event(it) => fill(&mut it.payload, defaults),
        DeclarationKind::Tool(it) => fill_signature(&mut it.input, it.output.as_mut(), defaults),
        DeclarationKind::Prompt(it) => {
            fill_record(&mut it.input, defaults);
            it.hydrates.iter_mut().for_each(|found| fill_record(found, defaults));
        }
        DeclarationKind::Agent(it) => fill_signature(&mut it.input, it.output.as_mut(), defaults),
        DeclarationKind::Workflow(it) => fill_signature(&mut it.input, it.output.as_mut(), defaults),
    }
}

fn fill_signature(input: &mut Arc<RecordType>, output: Option<&mut Type>, defaults: &mut FxHashMap<u32, Json>) {
    fill_record(input, defaults);
    if let Some(output) = output {
        fill(output, defaults);
    }
}

fn fill(ty: &mut Type, defaults: &mut FxHashMap<u32, Json>) {
    match ty {
        Type::List(list) => fill(&mut Arc::make_mut(list).item, defaults),
        Type::Map(map) => fill(&mut Arc::make_mut(map).value, defaults),
        Type::Record(record) => fill_record(record, defaults),
        Type::Union(alternatives) => Arc::make_mut(alternatives).iter_mut().for_each(|ty| fill(ty, defaults)),
        Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) | Type::Literal(_) | Type::Named(_) => {}
    }
}

fn fill_record(record: &mut Arc<RecordType>, defaults: &mut FxHashMap<u32, Json>) {
    for field in &mut Arc::make_mut(record).fields {
        if let Some(default) = defaults.remove(&field.place.span.start) {
            field.default = Some(Box::new(default));
        }
        fill(&mut field.ty, defaults);
    }
}
