//! Fields, values of enums and variants, by the places of their names.

use std::sync::Arc;

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::UnionType;
use weave_analysis::model::types::{Literal, RecordType, Type};
use weave_diagnostics::Place;
use weave_syntax::ast::ItemKind;
use weave_syntax::text::quoted_string;

use crate::Analysis;

/// What is said of a field, a value or a variant where it is declared.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Arc<str>,
    /// Its type; none for the value of an enum.
    pub(crate) ty: Option<Type>,
    pub(crate) optional: bool,
    /// Its default, or the string on the wire.
    pub(crate) value: Option<String>,
    pub(crate) docs: Option<Arc<str>>,
    pub(crate) deprecated: Option<Arc<str>>,
}

/// The member whose name stands at a place.
pub(crate) fn member_at(analysis: &Analysis, place: Place) -> Option<Member> {
    let item = analysis.item_at(place.file, place.span.start)?;
    let (_, declaration) = analysis.declared_by(&item)?;
    if let (DeclarationKind::Union(union), ItemKind::Union(syntax)) = (&declaration.kind, &item.slot.parsed.item.kind)
        && syntax.tag.is_some_and(|tag| item.place(tag.span) == place)
    {
        return Some(tag(union));
    }
    let place = analysis.in_model(&item, place);
    match &declaration.kind {
        DeclarationKind::Enum(it) => it.values.iter().find(|value| value.place == place).map(|value| Member {
            name: Arc::clone(&value.name),
            ty: None,
            optional: false,
            value: (value.wire != value.name).then(|| quoted_string(&value.wire)),
            docs: value.docs.clone(),
            deprecated: value.deprecated.clone(),
        }),
        DeclarationKind::Union(it) => {
            let variant = it.variants.iter().find(|variant| variant.place == place).map(|variant| Member {
                name: Arc::clone(&variant.name),
                ty: Some(variant.ty.clone()),
                optional: false,
                value: None,
                docs: variant.docs.clone(),
                deprecated: variant.deprecated.clone(),
            });
            variant.or_else(|| in_types(it.variants.iter().map(|variant| &variant.ty).collect(), place))
        }
        DeclarationKind::Type(ty) => in_types(vec![ty], place),
        DeclarationKind::Error(record) => in_record(record, place),
        DeclarationKind::Event(event) => in_types(vec![&event.payload], place),
        DeclarationKind::Tool(tool) => in_record(&tool.input, place)
            .or_else(|| in_types([&tool.output, &tool.progress, &tool.artifacts].into_iter().flatten().collect(), place)),
        DeclarationKind::Prompt(prompt) => {
            in_record(&prompt.input, place).or_else(|| prompt.hydrates.as_ref().and_then(|record| in_record(record, place)))
        }
        DeclarationKind::Agent(agent) => in_record(&agent.input, place).or_else(|| in_types(agent.output.iter().collect(), place)),
        DeclarationKind::Workflow(it) => in_record(&it.input, place).or_else(|| in_types(it.output.iter().collect(), place)),
        DeclarationKind::Toolkit(_) => None,
    }
}

/// The field that tells the variants of a union apart.
fn tag(union: &UnionType) -> Member {
    let names = union.variants.iter().map(|variant| Type::Literal(Literal::String(Arc::clone(&variant.name))));
    Member {
        name: Arc::clone(&union.tag),
        ty: Some(Type::Union(names.collect())),
        optional: false,
        value: None,
        docs: Some("Says which variant it is.".into()),
        deprecated: None,
    }
}

fn in_record(record: &RecordType, place: Place) -> Option<Member> {
    let own = record.fields.iter().find(|field| field.place == place).map(|field| Member {
        name: Arc::clone(&field.name),
        ty: Some(field.ty.clone()),
        optional: field.optional,
        value: field.default.as_ref().map(ToString::to_string),
        docs: field.docs.clone(),
        deprecated: field.deprecated.clone(),
    });
    own.or_else(|| in_types(record.fields.iter().map(|field| &field.ty).collect(), place))
}

/// A member of a record that was written in place.
fn in_types(mut open: Vec<&Type>, place: Place) -> Option<Member> {
    while let Some(ty) = open.pop() {
        match ty {
            // Records nest no deeper than brackets do.
            Type::Record(record) => {
                if let Some(found) = in_record(record, place) {
                    return Some(found);
                }
            }
            Type::List(list) => open.push(&list.item),
            Type::Map(map) => open.push(&map.value),
            Type::Union(alternatives) => open.extend(alternatives.iter()),
            _ => {}
        }
    }
    None
}
