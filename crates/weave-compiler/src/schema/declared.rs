//! The schema of one declaration, for readers.

use serde_json::Value;
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};

use super::{Schemas, TypeNames};

/// The JSON Schema of a declared type, of the payload of an event, or of the parameters of what can be called; nothing for what has none.
///
/// References are called like the declarations, whose own schemas are not part of it.
#[must_use]
pub fn schema_of(model: &Model, id: DeclarationId) -> Option<Value> {
    let declaration = model.get(id)?;
    let mut open: Vec<&Type> = Vec::new();
    let of_record = |record: &'_ RecordType| Type::Record(record.clone().into());
    let parameters = match &declaration.kind {
        DeclarationKind::Tool(it) => Some(of_record(&it.input)),
        DeclarationKind::Agent(it) => Some(of_record(&it.input)),
        DeclarationKind::Workflow(it) => Some(of_record(&it.input)),
        DeclarationKind::Event(it) => Some(it.payload.clone()),
        DeclarationKind::Error(it) => Some(of_record(it)),
        _ => None,
    };
    match &declaration.kind {
        DeclarationKind::Type(ty) => open.push(ty),
        DeclarationKind::Union(union) => open.extend(union.variants.iter().map(|variant| &variant.ty)),
        DeclarationKind::Enum(_) => {}
        _ => open.push(parameters.as_ref()?),
    }
    let names = names(model, open);
    let schemas = Schemas { model, names: &names };
    let is_type = matches!(
        declaration.kind,
        DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_)
    );
    if is_type { Some(schemas.declaration(declaration)) } else { parameters.map(|ty| schemas.of(&ty)) }
}

/// The names of the declarations that types mention. Records nest no deeper than brackets do, and what is declared elsewhere is not gone into.
fn names(model: &Model, mut open: Vec<&Type>) -> TypeNames {
    let mut names = TypeNames::default();
    while let Some(ty) = open.pop() {
        match ty {
            Type::Named(id) => {
                if let Some(declaration) = model.get(*id) {
                    names.insert(*id, declaration.name.to_string());
                }
            }
            Type::List(list) => open.push(&list.item),
            Type::Map(map) => open.push(&map.value),
            Type::Record(record) => open.extend(record.fields.iter().map(|field| &field.ty)),
            Type::Union(alternatives) => open.extend(alternatives.iter()),
            _ => {}
        }
    }
    names
}
