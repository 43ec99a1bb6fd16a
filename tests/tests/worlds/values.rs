//! Random values that fit a schema.

use serde_json::{Map, Number, Value, json};
use weave_ir::Definition;
use weave_tests::random::Random;

/// Draws values for the schemas of a definition.
pub(super) struct Values<'a> {
    pub(super) definition: &'a Definition,
    pub(super) random: &'a mut Random,
}

impl Values<'_> {
    pub(super) fn value(&mut self, schema: &Value) -> Value {
        self.nested(schema, 0)
    }

    fn nested(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            let definition = self.definition;
            return self.nested(&definition.defs[name].0, depth + 1);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for key in ["enum", "anyOf"] {
            if let Some(choices) = schema[key].as_array() {
                // The last branch ends a recursion: it is `null` where there is one.
                let index = if depth > 6 { choices.len() - 1 } else { self.random.below(choices.len()) };
                return if key == "enum" { choices[index].clone() } else { self.nested(&choices[index], depth + 1) };
            }
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, depth),
            Some("string") => self.text(schema),
            Some("integer") => json!(self.whole(schema)),
            Some("number") => self.number(schema),
            Some("boolean") => json!(self.random.below(2) == 0),
            Some("null") => Value::Null,
            _ => json!({ "any": true }),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&json!(name)) || (depth < 6 && self.random.below(2) == 0) {
                object.insert(name.clone(), self.nested(property, depth + 1));
            }
        }
        if schema["additionalProperties"].is_object() && self.random.below(2) == 0 {
            object.insert("key".to_owned(), self.nested(&schema["additionalProperties"], depth + 1));
        }
        Value::Object(object)
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
        let most = schema["maxItems"].as_u64().unwrap_or(3).min(least as u64 + 3) as usize;
        let length = if depth > 6 { least } else { least + self.random.below(most - least + 1) };
        let mut items = Vec::new();
        while items.len() < length {
            let item = self.nested(&schema["items"], depth + 1);
            let is_new = !items.contains(&item);
            if is_new || schema["uniqueItems"] != true {
                items.push(item);
            } else if items.len() >= least {
                break;
            }
        }
        Value::Array(items)
    }

    fn whole(&mut self, schema: &Value) -> i64 {
        let least = schema["minimum"].as_i64().unwrap_or(0).max(-2);
        let most = schema["maximum"].as_i64().unwrap_or(5).min(least + 5);
        least + self.random.below((most - least + 1) as usize) as i64
    }

    fn number(&mut self, schema: &Value) -> Value {
        let least = schema["minimum"].as_f64().unwrap_or(0.0);
        let most = schema["maximum"].as_f64().unwrap_or(least + 10.0);
        let number = least + (most - least) * self.random.below(21) as f64 / 20.0;
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }

    /// Few different texts, so that what is compared is sometimes equal.
    fn text(&mut self, schema: &Value) -> Value {
        let choices: &[&str] = match schema["format"].as_str() {
            Some("uuid") => &["123e4567-e89b-12d3-a456-426614174000"],
            Some("uri") => &["https://example.org/"],
            Some("email") => &["ada@example.org"],
            Some("date") => &["2027-01-31", "2027-02-28"],
            Some("date-time") => &["2027-01-31T12:00:00Z"],
            Some("duration") => &["PT1H"],
            Some("int64") => &["1", "70"],
            Some("decimal") => &["1", "70", "150", "20000"],
            _ => match schema["pattern"].as_str() {
                Some("^[A-Z]{2}-[0-9]+$") => &["AB-1"],
                Some("^[A-Z]{2}[0-9A-Z]{13,32}$") => &["CH9300762011623852957"],
                Some("^[a-z][a-z0-9-]*$") => &["lamps", "desks"],
                Some("^[0-9a-f]{40}$") => &["0123456789abcdef0123456789abcdef01234567"],
                Some(pattern) => panic!("no text is known for the pattern {pattern}"),
                None => &["this is a text", "this is another text"],
            },
        };
        json!(choices[self.random.below(choices.len())])
    }
}
