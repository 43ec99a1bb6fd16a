//! The JSON Schema of the definition, from this crate's types.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value};

use crate::Definition;

/// The identifier of the published schema of this version of the format.
pub const SCHEMA_ID: &str = "urn:weave:definition:1";

/// The JSON Schema (draft 2020-12) that describes a definition.
#[must_use]
pub fn json_schema() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(known_formats))
        .with_transform(RecursiveTransform(only_what_is_written));
    let generator = settings.into_generator();
    let mut schema = generator.into_root_schema_for::<Definition>();
    schema.insert("$id".to_owned(), SCHEMA_ID.into());
    schema.insert("title".to_owned(), "Workflow definition".into());
    schema.to_value()
}

/// The schema as the file `definition.schema.json` holds it: two spaces a level and a newline at the end.
#[must_use]
pub fn json_schema_text() -> String {
    format!("{:#}\n", json_schema())
}

/// A format of Rust's integers is none of JSON Schema's, and strict validators refuse what they do not know.
fn known_formats(schema: &mut Schema) {
    let greatest: u32 = match schema.get("format").and_then(Value::as_str) {
        Some("uint16") => u16::MAX.into(),
        Some("uint32") => u32::MAX,
        _ => return,
    };
    schema.remove("format");
    if schema.get("maximum").is_none() {
        schema.insert("maximum".to_owned(), greatest.into());
    }
}

/// Refuses what a definition never writes: `null`, an empty list or an empty map where the key is left out instead.
fn only_what_is_written(schema: &mut Schema) {
    let Some(entries) = schema.as_object_mut() else { return };
    let required = entries.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = entries.get_mut("properties") else { return };
    for (key, property) in properties {
        let Value::Object(property) = property else { continue };
        if !required.iter().any(|required| required == key) {
            refuse_empty(property);
            refuse_null(property);
        }
    }
}

/// A list or map whose key may be missing is left out when it is empty; one that may be null in Rust tells the two apart.
fn refuse_empty(property: &mut Map<String, Value>) {
    match property.get("type").and_then(Value::as_str) {
        Some("array") => property.insert("minItems".to_owned(), 1.into()),
        Some("object") => property.insert("minProperties".to_owned(), 1.into()),
        _ => None,
    };
}

fn refuse_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            property.insert("type".to_owned(), one);
        }
    }
    let Some(Value::Array(branches)) = property.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
    if let [Value::Object(one)] = branches.as_slice() {
        let one = one.clone();
        property.remove("anyOf");
        property.extend(one);
    }
}
