//! The JSON Schema of the definition, from this crate's types.

use serde_json::Value;

use crate::Definition;

/// The identifier of the published schema of this version of the format.
pub const SCHEMA_ID: &str = "urn:weave:definition:1";

/// The JSON Schema (draft 2020-12) that describes a definition.
#[must_use]
pub fn json_schema() -> Value {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
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
