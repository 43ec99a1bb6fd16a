//! Small helpers of serde and schemars that several types share.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The pattern of a name: a node, a tool, a declared type.
pub(crate) const NAME: &str = "^[A-Za-z_][A-Za-z0-9_]*$";
/// The pattern of a topic: two or more segments joined by dots.
pub(crate) const TOPIC: &str = "^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)+$";
/// The pattern of a digest.
pub(crate) const DIGEST: &str = "^sha256:[0-9a-f]{64}$";

/// Keeps a written `null` apart from an absent key: the one is a value, the other is none.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A flag is `true` or absent, so that a definition has one form only.
pub(crate) fn flag_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": true })
}

/// Any JSON value, `null` among them.
pub(crate) fn any_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!(true)
}

/// Whether a text is a name as [`NAME`] says.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
