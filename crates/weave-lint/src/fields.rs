//! The fields that an item writes out.

use weave_syntax::ast::{Field, ItemKind, Record, Type, TypeBody};

/// Adds all of them: parameters, and those of records in types, however deep.
pub(crate) fn fields<'a>(item: &'a ItemKind, found: &mut Vec<&'a Field>) {
    let mut walk = Walk { found, types: Vec::new() };
    match item {
        ItemKind::Type(it) => walk.body(&it.body),
        ItemKind::Error(it) => walk.body(&it.body),
        ItemKind::Event(it) => walk.body(&it.body),
        ItemKind::Union(it) => walk.types.extend(it.variants.iter().map(|variant| &variant.ty)),
        ItemKind::Tool(it) => walk.signature(&it.parameters, it.output.as_ref()),
        ItemKind::Agent(it) => walk.signature(&it.parameters, it.output.as_ref()),
        ItemKind::Workflow(it) => walk.signature(&it.parameters, it.output.as_ref()),
        ItemKind::Prompt(it) => {
            walk.fields(&it.parameters);
            it.hydrates.iter().for_each(|record| walk.record(record));
        }
        ItemKind::Import(_) | ItemKind::Enum(_) | ItemKind::Toolkit(_) | ItemKind::Test(_) | ItemKind::Broken => {}
    }
    walk.run();
}

struct Walk<'a, 'f> {
    found: &'f mut Vec<&'a Field>,
    types: Vec<&'a Type>,
}

impl<'a> Walk<'a, '_> {
    fn signature(&mut self, parameters: &'a [Field], output: Option<&'a Type>) {
        self.fields(parameters);
        self.types.extend(output);
    }

    fn body(&mut self, body: &'a TypeBody) {
        match body {
            TypeBody::Record(record) => self.record(record),
            TypeBody::Alias(ty) => self.types.push(ty),
            TypeBody::None => {}
        }
    }

    fn record(&mut self, record: &'a Record) {
        self.fields(&record.fields);
    }

    fn fields(&mut self, fields: &'a [Field]) {
        self.found.extend(fields);
        self.types.extend(fields.iter().map(|field| &field.ty));
    }

    fn run(mut self) {
        while let Some(ty) = self.types.pop() {
            match ty {
                Type::List(list) => self.types.push(&list.item),
                Type::Map(map) => self.types.push(&map.value),
                Type::Record(record) => self.record(record),
                Type::Union(union) => self.types.extend(&union.alternatives),
                Type::Parenthesized(inner) => self.types.push(&inner.1),
                Type::Named(_) | Type::Literal(_) | Type::Optional(_) | Type::Missing(_) => {}
            }
        }
    }
}
