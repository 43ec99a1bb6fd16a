//! Unions without a tag.

use serde_json::{Value, json};
use weave_analysis::model::types::{Literal, Type};

use super::{Schemas, scalar};

impl Schemas<'_> {
    /// `A | B | null`: the alternatives in the order of the text, literals of one type as one `enum`, and null last.
    pub(super) fn union(&self, members: &[Type]) -> Value {
        let mut alternatives = Vec::with_capacity(members.len());
        let mut literals: Vec<(&str, usize)> = Vec::new();
        let mut null = false;
        for member in members {
            match member {
                Type::Null => null = true,
                Type::Literal(literal) => {
                    let name = scalar::literal_type(literal);
                    match literals.iter().find(|(known, _)| *known == name) {
                        Some((_, index)) => add_literal(alternatives.get_mut(*index), literal),
                        None => {
                            literals.push((name, alternatives.len()));
                            alternatives.push(scalar::literal(literal));
                        }
                    }
                }
                other => alternatives.push(self.of(other)),
            }
        }
        if null {
            alternatives.push(json!({ "type": "null" }));
        }
        match alternatives.len() {
            1 => alternatives.pop().unwrap_or_default(),
            _ => json!({ "anyOf": alternatives }),
        }
    }
}

/// Turns the `const` of the first literal into the `enum` of all.
fn add_literal(schema: Option<&mut Value>, literal: &Literal) {
    let Some(Value::Object(entries)) = schema else { return };
    let value = scalar::literal_value(literal);
    if let Some(Value::Array(values)) = entries.get_mut("enum") {
        values.push(value);
    } else if let Some(first) = entries.shift_remove("const") {
        entries.insert("enum".to_owned(), Value::Array(vec![first, value]));
    }
}
