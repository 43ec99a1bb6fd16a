//! Schemas that need no other document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use weave_analysis::model::DeclarationId;
use weave_ir::Schema;

use crate::schema::Schemas;

const PREFIX: &str = "#/$defs/";

/// The schemas of all named types, and which of them each refers to.
#[derive(Debug)]
pub(super) struct Defs {
    schemas: BTreeMap<String, (Value, Vec<String>)>,
}

impl Defs {
    pub(super) fn new(schemas: Schemas<'_>, types: &[DeclarationId]) -> Self {
        let one = |id: &DeclarationId| {
            let schema = schemas.declaration(schemas.model.get(*id)?);
            let references = references(&schema);
            Some((schemas.names.get(id)?.clone(), (schema, references)))
        };
        Self { schemas: types.iter().filter_map(one).collect() }
    }

    /// The schema with all that it refers to.
    pub(super) fn close(&self, mut schema: Value) -> Schema {
        let mut open = references(&schema);
        let mut needed: BTreeSet<String> = BTreeSet::new();
        while let Some(name) = open.pop() {
            if let Some((_, more)) = self.schemas.get(&name)
                && needed.insert(name)
            {
                open.extend(more.iter().cloned());
            }
        }
        if let (Value::Object(entries), false) = (&mut schema, needed.is_empty()) {
            let defs = needed.into_iter().filter_map(|name| self.schemas.get(&name).map(|(schema, _)| (name, schema.clone())));
            entries.insert("$defs".to_owned(), Value::Object(defs.collect::<Map<_, _>>()));
        }
        Schema(schema)
    }
}

/// The names in `$defs` that a schema refers to.
fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => {
                if let Some(name) = entries.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix(PREFIX)) {
                    found.push(name.to_owned());
                }
                open.extend(entries.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}
