//! The JSON Schemas that stand in a definition.

use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON Schema (draft 2020-12): an object or a boolean.
///
/// A reference in it is `#/$defs/NAME` and is looked up from the root of the definition, so the schema is read with the definition
/// as its document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schema(pub Value);

impl Schema {
    /// The schema that everything fits.
    #[must_use]
    pub fn anything() -> Self {
        Self(Value::Object(serde_json::Map::new()))
    }

    /// A reference to an entry of the definition's `$defs`.
    #[must_use]
    pub fn reference(name: &str) -> Self {
        // A pointer in a fragment: `~` and `/` have escapes of their own.
        let name = name.replace('~', "~0").replace('/', "~1");
        Self(serde_json::json!({ "$ref": format!("#/$defs/{name}") }))
    }

    /// The JSON.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl From<Value> for Schema {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl JsonSchema for Schema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonSchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({
            "anyOf": [{ "type": "object" }, { "type": "boolean" }],
            "description": "A JSON Schema of draft 2020-12. `#/$defs/NAME` in it points into the definition's own `$defs`.",
        })
    }
}
