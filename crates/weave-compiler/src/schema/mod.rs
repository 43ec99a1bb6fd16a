//! Types as JSON Schema, draft 2020-12.
//!
//! What JSON Schema cannot say is said by keywords that start with `x-weave-`: the tag of a union, the bounds of numbers and times
//! that are strings on the wire, secrets, and names of the language that differ from those on the wire. Who does not know them
//! reads a schema that admits a little more.

mod declared;
mod scalar;
mod union;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use weave_analysis::model::declarations::{EnumType, UnionType};
use weave_analysis::model::types::{FieldType, ListType, MapType, RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};

pub use declared::schema_of;

/// The names under which declared types stand in `$defs`.
pub(crate) type TypeNames = FxHashMap<DeclarationId, String>;

/// Writes schemas in which named types are references.
#[derive(Clone, Copy)]
pub(crate) struct Schemas<'a> {
    /// What is declared.
    pub(crate) model: &'a Model,
    /// What references are called.
    pub(crate) names: &'a TypeNames,
}

/// The text of a reference to `$defs`. Names are identifiers, so nothing in them needs an escape.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The schema, with what is said about it in front.
fn described(description: Option<String>, schema: Value) -> Value {
    let Some(description) = description else { return schema };
    let mut described = Map::new();
    described.insert("description".to_owned(), description.into());
    extend(&mut described, schema);
    Value::Object(described)
}

fn extend(target: &mut Map<String, Value>, schema: Value) {
    if let Value::Object(entries) = schema {
        target.extend(entries);
    }
}

fn insert(schema: &mut Value, key: &str, value: impl Into<Value>) {
    if let Value::Object(entries) = schema {
        entries.insert(key.to_owned(), value.into());
    }
}

/// Says that something is deprecated, and why if a reason was given.
fn deprecate(schema: &mut Value, reason: Option<&str>) {
    let Some(reason) = reason else { return };
    insert(schema, "deprecated", true);
    if !reason.is_empty() {
        insert(schema, "x-weave-deprecated", reason);
    }
}

impl Schemas<'_> {
    /// The schema of a type.
    pub(crate) fn of(&self, ty: &Type) -> Value {
        match ty {
            Type::Unknown | Type::Json => json!({}),
            Type::Null => json!({ "type": "null" }),
            Type::Scalar(scalar, limits) => scalar::schema(*scalar, limits.as_deref()),
            Type::Literal(literal) => scalar::literal(literal),
            Type::List(list) => self.list(list),
            Type::Map(map) => self.map(map),
            Type::Record(record) => self.record(record),
            Type::Union(members) => self.union(members),
            Type::Named(id) => self.names.get(id).map_or_else(|| json!({}), |name| reference(name)),
        }
    }

    /// The schema of an output; who has none answers null.
    pub(crate) fn output(&self, output: Option<&Type>) -> Value {
        self.of(output.unwrap_or(&Type::Null))
    }

    /// The schema of a declared type, for its entry in `$defs`.
    pub(crate) fn declaration(&self, declaration: &Declaration) -> Value {
        let docs = declaration.docs.as_deref().map(str::to_owned);
        let mut schema = match &declaration.kind {
            DeclarationKind::Type(ty) => described(docs, self.of(ty)),
            DeclarationKind::Enum(values) => described(enum_docs(docs, values), enumeration(values)),
            DeclarationKind::Union(union) => described(docs, self.tagged_union(union)),
            DeclarationKind::Error(data) => described(docs, self.record(data)),
            // Nothing else is a type, and the analysis has refused it as one.
            _ => json!({}),
        };
        deprecate(&mut schema, declaration.deprecated.as_deref());
        schema
    }

    fn list(&self, list: &ListType) -> Value {
        let mut schema = json!({ "type": "array", "items": self.of(&list.item) });
        for (key, bound) in [("minItems", list.min), ("maxItems", list.max)] {
            if let Some(bound) = bound {
                insert(&mut schema, key, bound);
            }
        }
        if list.unique {
            insert(&mut schema, "uniqueItems", true);
        }
        schema
    }

    fn map(&self, map: &MapType) -> Value {
        let mut schema = json!({ "type": "object", "additionalProperties": self.of(&map.value) });
        for (key, bound) in [("minProperties", map.min), ("maxProperties", map.max)] {
            if let Some(bound) = bound {
                insert(&mut schema, key, bound);
            }
        }
        schema
    }

    /// The schema of a record, written out.
    pub(crate) fn record(&self, record: &RecordType) -> Value {
        self.fields(Map::new(), Vec::new(), record)
    }

    /// The schema of a record that has these properties before its own.
    fn fields(&self, mut properties: Map<String, Value>, mut required: Vec<Value>, record: &RecordType) -> Value {
        for field in &record.fields {
            properties.insert(field.wire_name().to_owned(), self.field(field));
            if !field.may_be_left_out() {
                required.push(field.wire_name().into());
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            insert(&mut schema, "required", required);
        }
        insert(&mut schema, "additionalProperties", record.open);
        schema
    }

    fn field(&self, field: &FieldType) -> Value {
        let mut schema = described(field.docs.as_deref().map(str::to_owned), self.of(&field.ty));
        if let Some(default) = &field.default {
            insert(&mut schema, "default", (**default).clone());
        }
        deprecate(&mut schema, field.deprecated.as_deref());
        if field.secret {
            insert(&mut schema, "writeOnly", true);
            insert(&mut schema, "x-weave-secret", true);
        }
        if field.wire.as_ref().is_some_and(|wire| *wire != field.name) {
            insert(&mut schema, "x-weave-name", &*field.name);
        }
        schema
    }

    fn tagged_union(&self, union: &UnionType) -> Value {
        let mut variants = Vec::with_capacity(union.variants.len());
        for variant in &union.variants {
            let tag = Map::from_iter([(union.tag.to_string(), json!({ "type": "string", "const": &*variant.name }))]);
            let required = vec![Value::from(&*union.tag)];
            let docs = variant.docs.as_deref().or_else(|| self.docs_of(&variant.ty)).map(str::to_owned);
            let mut schema = match self.model.record(&variant.ty) {
                Some(record) => self.fields(tag, required, record),
                None => json!({}),
            };
            deprecate(&mut schema, variant.deprecated.as_deref());
            variants.push(described(docs, schema));
        }
        json!({ "anyOf": variants, "x-weave-tag": &*union.tag })
    }

    /// The docs of a declared type.
    fn docs_of(&self, ty: &Type) -> Option<&str> {
        let Type::Named(id) = ty else { return None };
        self.model.get(*id)?.docs.as_deref()
    }
}

fn enumeration(values: &EnumType) -> Value {
    let wire: Vec<&str> = values.values.iter().map(|value| &*value.wire).collect();
    let names: Vec<&str> = values.values.iter().map(|value| &*value.name).collect();
    let mut schema = json!({ "type": "string", "enum": wire });
    if names != wire {
        insert(&mut schema, "x-weave-names", names);
    }
    schema
}

/// The docs of an enum with what is said about its values, for which JSON Schema has no place.
fn enum_docs(docs: Option<String>, values: &EnumType) -> Option<String> {
    let lines = values.values.iter().filter_map(|value| {
        let deprecated = value.deprecated.as_deref().map(|reason| format!("deprecated: {reason}"));
        let said: Vec<String> = value.docs.as_deref().map(str::to_owned).into_iter().chain(deprecated).collect();
        (!said.is_empty()).then(|| format!("- `{}`: {}", value.wire, said.join("; ")))
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    match (docs, lines.is_empty()) {
        (docs, true) => docs,
        (None, false) => Some(lines),
        (Some(docs), false) => Some(format!("{docs}\n\n{lines}")),
    }
}
