//! The JSON Schemas of the formats `json` and `jsonl`, from the types that write them.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::FORMAT_VERSION;
use crate::json::{Document, Line};

/// The identifier of the schema of `json`.
pub const SCHEMA_ID: &str = "urn:weave:report:1";

/// The identifier of the schema of a line of `jsonl`.
pub const LINE_SCHEMA_ID: &str = "urn:weave:report-line:1";

/// The schema of `json`, as the file `report.schema.json` holds it.
#[must_use]
pub fn json_schema_text() -> String {
    schema::<Document<'static>>(SCHEMA_ID, "Report of weave")
}

/// The schema of a line of `jsonl`, as the file `report-line.schema.json` holds it.
#[must_use]
pub fn line_schema_text() -> String {
    schema::<Line<'static>>(LINE_SCHEMA_ID, "Line of a report of weave")
}

fn schema<T: JsonSchema>(id: &str, title: &str) -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(tidy));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id.into());
    schema.insert("title".to_owned(), title.into());
    format!("{:#}\n", schema.to_value())
}

/// Formats of Rust's integers are none of JSON Schema's, and the version is one that is known.
fn tidy(schema: &mut Schema) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
        schema.remove("format");
    }
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    let is_tool = properties.contains_key("name");
    if let Some(Value::Object(version)) = properties.get_mut("version").filter(|_| !is_tool) {
        version.insert("const".to_owned(), FORMAT_VERSION.into());
    }
}
