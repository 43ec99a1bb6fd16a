//! Scalars, their constraints, and literals.

use serde_json::{Number, Value, json};
use weave_analysis::model::types::{Bound, Limits, Literal, Scalar};

use super::insert;

/// The greatest integer that every reader of JSON keeps.
const GREATEST: i64 = (1 << 53) - 1;

/// The schema of a scalar.
pub(super) fn schema(scalar: Scalar, limits: Option<&Limits>) -> Value {
    let mut schema = plain(scalar);
    let Some(limits) = limits else { return schema };
    for (key, bound) in [("min", &limits.min), ("max", &limits.max)] {
        if let Some(bound) = bound {
            bound_by(&mut schema, scalar, key == "min", bound);
        }
    }
    if let Some(pattern) = &limits.pattern {
        insert(&mut schema, "pattern", weave_pattern::ecmascript(pattern));
    }
    schema
}

fn plain(scalar: Scalar) -> Value {
    match scalar {
        Scalar::String => json!({ "type": "string" }),
        Scalar::Bool => json!({ "type": "boolean" }),
        Scalar::Int => json!({ "type": "integer", "minimum": -GREATEST, "maximum": GREATEST }),
        Scalar::Float => json!({ "type": "number" }),
        Scalar::Int64 => json!({ "type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$" }),
        Scalar::Decimal => json!({ "type": "string", "format": "decimal", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" }),
        Scalar::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
        Scalar::Timestamp => json!({ "type": "string", "format": "date-time" }),
        Scalar::Date => json!({ "type": "string", "format": "date" }),
        Scalar::Duration => json!({ "type": "string", "format": "duration" }),
        Scalar::Uuid => json!({ "type": "string", "format": "uuid" }),
        Scalar::Uri => json!({ "type": "string", "format": "uri" }),
        Scalar::Email => json!({ "type": "string", "format": "email" }),
    }
}

fn bound_by(schema: &mut Value, scalar: Scalar, least: bool, bound: &Bound) {
    let value = match bound {
        Bound::Number(number) => Value::Number(number.clone()),
        Bound::Text(text) => Value::from(&**text),
    };
    match scalar {
        Scalar::Int | Scalar::Float => insert(schema, if least { "minimum" } else { "maximum" }, value),
        Scalar::String => insert(schema, if least { "minLength" } else { "maxLength" }, value),
        Scalar::Bytes => {
            // Three bytes are four characters; the exact number of bytes is said beside it.
            let characters = value.as_u64().and_then(|bytes| bytes.div_ceil(3).checked_mul(4));
            if let Some(characters) = characters.filter(|characters| *characters <= GREATEST.unsigned_abs()) {
                insert(schema, if least { "minLength" } else { "maxLength" }, characters);
            }
            insert(schema, if least { "x-weave-min" } else { "x-weave-max" }, value);
        }
        // On the wire they are strings, of which JSON Schema knows no order.
        Scalar::Int64 | Scalar::Decimal | Scalar::Timestamp | Scalar::Date | Scalar::Duration => {
            insert(schema, if least { "x-weave-min" } else { "x-weave-max" }, value);
        }
        // The analysis lets no constraints stand on these.
        Scalar::Bool | Scalar::Uuid | Scalar::Uri | Scalar::Email => {}
    }
}

/// The schema of one value.
pub(super) fn literal(literal: &Literal) -> Value {
    json!({ "type": literal_type(literal), "const": literal_value(literal) })
}

/// The name of a literal's type in JSON Schema.
pub(super) fn literal_type(literal: &Literal) -> &'static str {
    match literal {
        Literal::String(_) => "string",
        Literal::Number(number) if is_whole(number) => "integer",
        Literal::Number(_) => "number",
        Literal::Bool(_) => "boolean",
    }
}

pub(super) fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::String(text) => Value::from(&**text),
        Literal::Number(number) => Value::Number(number.clone()),
        Literal::Bool(value) => Value::Bool(*value),
    }
}

fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}
