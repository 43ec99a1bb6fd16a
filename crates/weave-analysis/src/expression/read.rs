//! Reading a part of a value.

use std::sync::Arc;

use weave_diagnostics::Place;

use super::shape::{Shape, join, members, single};
use crate::model::Model;
use crate::model::types::{RecordType, Type};

/// Why what was read may be absent.
#[derive(Clone, Debug)]
pub(crate) enum Absence {
    /// A field or a parameter that is declared with `?`.
    Optional(Place),
    /// A field that only some of the alternatives of a type have.
    Alternatives,
    /// What only declared errors have, and no built-in failure.
    Failure,
    /// A field that an open record does not declare.
    Undeclared,
    /// A key of a map, or anything in `json`.
    Key,
    /// An element of a list that may be shorter.
    Index,
}

/// What reading a field gives.
#[derive(Debug)]
pub(crate) enum FieldRead {
    /// A value.
    Found {
        /// Its name on the wire.
        wire: Arc<str>,
        /// Its type.
        ty: Type,
        /// Why it may be absent.
        absence: Option<Absence>,
    },
    /// No field has this name; these are the names that there are.
    Unknown(Vec<Arc<str>>),
    /// The value has no fields.
    NoFields,
    /// The value is wrong, which has been reported.
    Silent,
}

/// Reads a field from a value of a type; `null` among its alternatives is left out of account.
pub(crate) fn read_field(model: &Model, ty: &Type, name: &str) -> FieldRead {
    if let Some(shape) = single(model, ty) {
        return read_from(model, shape, name);
    }
    let mut found: Vec<Type> = Vec::new();
    let mut first_wire: Option<Arc<str>> = None;
    let mut why: Option<Absence> = None;
    let mut names: Vec<Arc<str>> = Vec::new();
    let (mut lacking, mut has_fields) = (false, false);
    for member in members(model, ty) {
        if matches!(member.shape, Shape::Null) {
            continue;
        }
        match read_from(model, member.shape, name) {
            FieldRead::Found { wire, ty, absence } => {
                first_wire.get_or_insert(wire);
                found.push(ty);
                why = why.or(absence);
            }
            FieldRead::Unknown(known) => {
                (lacking, has_fields) = (true, true);
                names.extend(known);
            }
            FieldRead::NoFields => lacking = true,
            FieldRead::Silent => return FieldRead::Silent,
        }
    }
    match first_wire {
        Some(wire) => {
            let absence = if lacking { why.or(Some(Absence::Alternatives)) } else { why };
            FieldRead::Found { wire, ty: join(found), absence }
        }
        None if has_fields => FieldRead::Unknown(names),
        None => FieldRead::NoFields,
    }
}

fn read_from(model: &Model, shape: Shape<'_>, name: &str) -> FieldRead {
    match shape {
        Shape::Unknown => FieldRead::Silent,
        Shape::Json => FieldRead::Found { wire: Arc::from(name), ty: Type::Json, absence: Some(Absence::Key) },
        Shape::Map(map) => FieldRead::Found { wire: Arc::from(name), ty: map.value.clone(), absence: Some(Absence::Key) },
        Shape::Record(record) => read_record(record, name),
        Shape::Tagged(union) if *union.tag == *name => {
            FieldRead::Found { wire: Arc::clone(&union.tag), ty: union.tag_type().clone(), absence: None }
        }
        Shape::Tagged(union) => {
            let variants = union.variants.iter().map(|variant| variant.ty.clone());
            let read = read_field(model, &join(variants), name);
            match read {
                FieldRead::Unknown(mut names) => {
                    names.insert(0, Arc::clone(&union.tag));
                    FieldRead::Unknown(names)
                }
                read => read,
            }
        }
        Shape::Null | Shape::Scalar(..) | Shape::Literal(_) | Shape::List(_) | Shape::Enum(_) => FieldRead::NoFields,
    }
}

fn read_record(record: &RecordType, name: &str) -> FieldRead {
    match record.field(name) {
        Some(field) => FieldRead::Found {
            wire: Arc::clone(field.wire.as_ref().unwrap_or(&field.name)),
            ty: field.ty.clone(),
            // Of what is not known nobody knows whether it may be absent.
            absence: (field.optional && !matches!(field.ty, Type::Unknown)).then_some(Absence::Optional(field.place)),
        },
        // The name on the wire of a declared field would be the same value under another name.
        None if record.open && record.field_on_wire(name).is_none() => {
            FieldRead::Found { wire: Arc::from(name), ty: Type::Json, absence: Some(Absence::Undeclared) }
        }
        None => FieldRead::Unknown(record.fields.iter().map(|field| Arc::clone(&field.name)).collect()),
    }
}

/// What reading an element gives.
#[derive(Debug)]
pub(crate) enum ItemRead {
    /// A value, and whether the list is long enough for sure.
    Found(Type, bool),
    /// The value has no elements.
    NoItems,
    /// The value is wrong, which has been reported.
    Silent,
}

/// Reads an element from a value of a type; `null` among its alternatives is left out of account.
pub(crate) fn read_item(model: &Model, ty: &Type, index: u64) -> ItemRead {
    let mut found = Vec::new();
    let mut sure = true;
    for member in members(model, ty) {
        match member.shape {
            Shape::Unknown => return ItemRead::Silent,
            Shape::Null => {}
            Shape::Json => {
                found.push(Type::Json);
                sure = false;
            }
            Shape::List(list) => {
                found.push(list.item.clone());
                sure &= list.min.is_some_and(|min| min > index);
            }
            _ => return ItemRead::NoItems,
        }
    }
    if found.is_empty() { ItemRead::NoItems } else { ItemRead::Found(join(found), sure) }
}
