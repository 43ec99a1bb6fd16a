//! Alternatives that cannot be told apart by their first properties.

use std::collections::{BTreeMap, BTreeSet};

use weave_analysis::model::types::{Literal, RecordType, Type};
use weave_analysis::model::{DeclarationKind, Model};

/// How many alternatives are looked at; more than a provider would take.
const MOST: usize = 1_000;

/// The name of a property with which two records among the alternatives begin, so that a provider that reads the alternatives by their
/// first properties cannot tell them apart.
pub(super) fn shared_first_key(model: &Model, members: &[Type]) -> Option<String> {
    let mut seen: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    let mut open: Vec<&Type> = members.iter().rev().collect();
    let mut budget = MOST;
    while let Some(ty) = open.pop() {
        budget = budget.checked_sub(1)?;
        let keys = match ty {
            Type::Record(record) => first(record).into_iter().collect(),
            Type::Union(members) => {
                open.extend(members.iter().rev());
                Vec::new()
            }
            Type::Named(id) => match &model.get(*id)?.kind {
                DeclarationKind::Type(ty) => {
                    open.push(ty);
                    Vec::new()
                }
                DeclarationKind::Error(record) => first(record).into_iter().collect(),
                DeclarationKind::Union(union) => {
                    let tag = union.tag.to_string();
                    union.variants.iter().map(|variant| (tag.clone(), Some(format!("\"{}\"", variant.name)))).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        for (key, constant) in keys {
            let known = seen.entry(key.clone()).or_default();
            if known.contains(&None) || (constant.is_none() && !known.is_empty()) || !known.insert(constant) {
                return Some(key);
            }
        }
    }
    None
}

/// The first property of a record, with its value if there is only one.
fn first(record: &RecordType) -> Option<(String, Option<String>)> {
    let field = record.fields.first()?;
    let constant = match &field.ty {
        Type::Literal(Literal::String(text)) => Some(format!("\"{text}\"")),
        Type::Literal(Literal::Number(number)) => Some(number.to_string()),
        Type::Literal(Literal::Bool(value)) => Some(value.to_string()),
        _ => None,
    };
    Some((field.wire_name().to_owned(), constant))
}
