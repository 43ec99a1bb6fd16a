//! The types that an item writes out.

use weave_syntax::ast::{BlockEntry, Field, ItemKind, SettingValue, Type, TypeBody};

/// A type as it stands in a declaration.
pub(super) struct Written<'a> {
    /// The type.
    pub(super) ty: &'a Type,
    /// What it is called by where it stands: the name of its field, its parameter, and so on.
    pub(super) part: String,
    /// Whether it has a name already, since all of the declaration is this type.
    pub(super) is_named: bool,
}

/// The types that an item writes out, in the order of the text; those within them aside.
pub(super) fn written<'a>(item: &'a ItemKind, text: &str) -> Vec<Written<'a>> {
    let mut found = Vec::new();
    let of_fields = |fields: &'a [Field], found: &mut Vec<Written<'a>>| {
        found.extend(fields.iter().map(|field| Written { ty: &field.ty, part: key(field, text), is_named: false }));
    };
    let of_body = |body: &'a TypeBody, is_type: bool, found: &mut Vec<Written<'a>>| match body {
        TypeBody::Record(record) => of_fields(&record.fields, found),
        TypeBody::Alias(ty) => found.push(Written { ty, part: if is_type { "item" } else { "payload" }.to_owned(), is_named: is_type }),
        TypeBody::None => {}
    };
    let output = |ty: &'a Option<Type>, found: &mut Vec<Written<'a>>| {
        found.extend(ty.iter().map(|ty| Written { ty, part: "result".to_owned(), is_named: false }));
    };
    match item {
        ItemKind::Type(it) => of_body(&it.body, true, &mut found),
        ItemKind::Error(it) => of_body(&it.body, false, &mut found),
        ItemKind::Event(it) => of_body(&it.body, false, &mut found),
        ItemKind::Union(it) => {
            let variant = |variant: &'a weave_syntax::ast::Variant| Written {
                ty: &variant.ty,
                part: weave_syntax::text::string_value(variant.name.span.text(text)).into_owned(),
                is_named: false,
            };
            found.extend(it.variants.iter().map(variant));
        }
        ItemKind::Tool(it) => {
            of_fields(&it.parameters, &mut found);
            output(&it.output, &mut found);
            for entry in it.settings.iter().flat_map(|block| &block.entries) {
                if let BlockEntry::Setting(setting) = entry
                    && let SettingValue::Type(ty) = &setting.value
                {
                    found.push(Written { ty, part: setting.name.text(text).to_owned(), is_named: false });
                }
            }
        }
        ItemKind::Prompt(it) => {
            of_fields(&it.parameters, &mut found);
            it.hydrates.iter().for_each(|record| of_fields(&record.fields, &mut found));
        }
        ItemKind::Agent(it) => {
            of_fields(&it.parameters, &mut found);
            output(&it.output, &mut found);
        }
        ItemKind::Workflow(it) => {
            of_fields(&it.parameters, &mut found);
            output(&it.output, &mut found);
        }
        ItemKind::Import(_) | ItemKind::Enum(_) | ItemKind::Toolkit(_) | ItemKind::Test(_) | ItemKind::Broken => {}
    }
    found
}

/// The name of a field without quotes.
pub(super) fn key(field: &Field, text: &str) -> String {
    field.name.text(text).into_owned()
}
