//! Each construct of the language for each provider.

mod bounds;
mod catalog;
mod constructs;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weave_ir::{Reason, Schema};

use crate::{Projection, Provider, Role, project};

/// A record with one property.
fn record(property: Value, required: bool) -> Value {
    let mut schema = json!({ "type": "object", "properties": { "x": property } });
    if required {
        schema["required"] = json!(["x"]);
    }
    schema["additionalProperties"] = json!(false);
    schema
}

fn defs(defs: &[(&str, Value)]) -> BTreeMap<String, Schema> {
    defs.iter().map(|(name, schema)| ((*name).to_owned(), Schema(schema.clone()))).collect()
}

fn arguments(schema: Value, provider: Provider) -> Projection {
    project(&Schema(schema), &BTreeMap::new(), provider, Role::Arguments)
}

/// What becomes of a property, and what is lost: "keyword: fate".
fn property(property: Value, provider: Provider) -> (Value, Vec<String>) {
    let projection = arguments(record(property, true), provider);
    assert!(projection.refusals.is_empty(), "{:?}", projection.refusals);
    (projection.schema["properties"]["x"].clone(), said(&projection))
}

fn said(projection: &Projection) -> Vec<String> {
    projection.losses.iter().map(|loss| format!("{}: {:?}", loss.at, loss.to)).collect()
}

fn reasons(projection: &Projection) -> Vec<Reason> {
    projection.refusals.iter().map(|refusal| refusal.why).collect()
}
