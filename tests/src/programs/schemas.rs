//! Random values for a schema, and whether a value fits one, its bounds left aside.

use serde_json::{Map, Value, json};
use weave_ir::Definition;

use crate::random::Random;

/// What bounds a value without being part of its type.
const BOUNDS: [&str; 12] = [
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "x-weave-min",
    "x-weave-max",
];

/// How deep values go where they need not: types may contain themselves.
const DEEP: usize = 6;

/// Takes the bounds out of all schemas: what does not fit then is a mistake in types.
///
#[must_use]
pub(super) fn without_bounds(definition: &Definition) -> Definition {
    fn strip(value: &mut Value, is_schema: bool) {
        match value {
            Value::Object(entries) => {
                if is_schema {
                    BOUNDS.iter().for_each(|bound| drop(entries.shift_remove(*bound)));
                }
                for (key, entry) in entries {
                    // The names of properties are no keywords, and neither is what stands in payloads.
                    let holds_names = matches!(key.as_str(), "properties" | "$defs") && is_schema;
                    match entry {
                        Value::Object(named) if holds_names => named.values_mut().for_each(|schema| strip(schema, true)),
                        _ => strip(entry, is_schema),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| strip(item, is_schema)),
            _ => {}
        }
    }
    let mut bare = definition.clone();
    let change = |schema: &mut weave_ir::Schema| {
        let mut value = schema.as_value().clone();
        strip(&mut value, true);
        *schema = value.into();
    };
    change(&mut bare.input);
    change(&mut bare.output);
    bare.tools.values_mut().for_each(|tool| [&mut tool.input, &mut tool.output].into_iter().for_each(change));
    bare.agents.values_mut().for_each(|agent| [&mut agent.input, &mut agent.output].into_iter().for_each(change));
    bare.workflows.values_mut().for_each(|child| [&mut child.input, &mut child.output].into_iter().for_each(change));
    bare.prompts.values_mut().for_each(|prompt| prompt.hydrates.iter_mut().for_each(change));
    bare.events.values_mut().for_each(|event| change(&mut event.payload));
    bare.errors.values_mut().for_each(|error| change(&mut error.data));
    bare.defs.values_mut().for_each(change);
    bare
}

fn resolve<'v>(definition: &'v Definition, schema: &'v Value) -> &'v Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
    name.and_then(|name| definition.defs.get(name)).map_or(schema, |schema| schema.as_value())
}

/// Makes values that fit.
pub(super) struct Values<'d> {
    pub(super) definition: &'d Definition,
    /// Constants of guards: with them more guards are true.
    pub(super) constants: &'d [Value],
}

impl Values<'_> {
    pub(super) fn value(&self, random: &mut Random, schema: &Value, depth: usize) -> Value {
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return random.pick(values).clone();
        }
        if schema.get("$ref").is_some() {
            let target = resolve(self.definition, schema);
            return if depth > 60 { Value::Null } else { self.value(random, target, depth + 1) };
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            // Deep within, what ends is taken: null stands last, and the simplest variant first.
            let last = branches.len() - 1;
            let deep = if branches[last].get("type") == Some(&json!("null")) { last } else { 0 };
            let branch = if depth > DEEP { deep } else { random.below(branches.len()) };
            return self.value(random, &branches[branch], depth + 1);
        }
        let known = |test: &dyn Fn(&Value) -> bool| self.constants.iter().filter(|value| test(value)).cloned().collect::<Vec<_>>();
        match schema.get("type").and_then(Value::as_str) {
            Some("null") => Value::Null,
            Some("boolean") => random.chance(50).into(),
            Some("integer") => match random.below(10) {
                0..=6 => (random.below(7) as i64 - 1).into(),
                7 => random.pick(&[100, 101, -100, 9_007_199_254_740_991_i64, -9_007_199_254_740_991]).to_owned().into(),
                _ => {
                    let known = known(&|value| value.is_i64());
                    if known.is_empty() { 3.into() } else { random.pick(&known).clone() }
                }
            },
            Some("number") => json!(*random.pick(&[0.0, 0.5, 1.5, -2.25, 3.0, 100.5, 1e300])),
            Some("string") => self.text(random, schema, &known(&Value::is_string)),
            Some("array") => {
                let count = if depth > DEEP { 0 } else { *random.pick(&[0, 1, 1, 2, 3]) };
                let items = schema.get("items").cloned().unwrap_or_else(|| json!({}));
                (0..count).map(|_| self.value(random, &items, depth + 1)).collect()
            }
            Some("object") => self.object(random, schema, depth),
            _ => random.pick(&[Value::Null, json!("any"), json!(7), json!({ "a": [1] }), json!([]), json!(true)]).clone(),
        }
    }

    fn object(&self, random: &mut Random, schema: &Value, depth: usize) -> Value {
        let required: Vec<_> = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut object = Map::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if required.contains(&name.as_str()) || depth < DEEP && random.chance(50) {
                object.insert(name.clone(), self.value(random, property, depth + 1));
            }
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object() && depth < DEEP) {
            for key in ["one", "x y"].into_iter().take(random.below(3)) {
                object.entry(key).or_insert(self.value(random, others, depth + 1));
            }
        }
        object.into()
    }

    fn text(&self, random: &mut Random, schema: &Value, known: &[Value]) -> Value {
        let number = random.below(9);
        let format = schema.get("format").and_then(Value::as_str);
        if schema.get("contentEncoding").is_some() {
            return "AQI=".into();
        }
        let fits = |value: &&Value| format.is_none_or(|format| value.as_str().is_some_and(|text| has_format(format, text)));
        let known: Vec<_> = known.iter().filter(fits).collect();
        if !known.is_empty() && random.chance(30) {
            return (*random.pick(&known)).clone();
        }
        match format {
            Some("int64") => random.pick(&["0", "5", "-3", "9223372036854775807", "3"]).to_string(),
            Some("decimal") => random.pick(&["0", "2.25", "-1.5", "100.01", "4.5", "99999999999999999999.5"]).to_string(),
            Some("date-time") => format!("2027-01-0{}T00:00:00Z", number + 1),
            Some("date") => format!("2027-01-0{}", number + 1),
            Some("duration") => format!("PT{number}S"),
            Some("uuid") => format!("123e4567-e89b-12d3-a456-42661417400{number}"),
            Some("uri") => format!("https://example.org/{number}"),
            Some("email") => format!("ada{number}@example.org"),
            _ => random.pick(&["", "a", "t1", "t3", "{{.input}}", "long text with an a", "ä"]).to_string(),
        }
        .into()
    }

    /// A value that is unlikely to fit.
    pub(super) fn misfit(&self, random: &mut Random, schema: &Value) -> Value {
        match random.below(3) {
            0 => random.pick(&[Value::Null, json!("misfit"), json!(1.5), json!([]), json!({ "misfit": 1 }), json!(false)]).clone(),
            _ => match self.value(random, schema, 0) {
                Value::Object(mut entries) if !entries.is_empty() => {
                    let key = random.pick(&entries.keys().cloned().collect::<Vec<_>>()).clone();
                    if random.chance(50) {
                        drop(entries.shift_remove(&key));
                    } else {
                        drop(entries.insert(key, json!({ "misfit": [] })));
                    }
                    entries.into()
                }
                _ => json!([{ "misfit": null }]),
            },
        }
    }
}

fn has_format(format: &str, text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match format {
        "int64" => text.parse::<i64>().is_ok(),
        "decimal" => text.strip_prefix('-').unwrap_or(text).split('.').all(digits),
        "date-time" => text.len() >= 20 && text.contains('T'),
        "date" => text.len() == 10 && text.split('-').all(digits),
        "duration" => text.starts_with('P'),
        "uuid" => text.len() == 36,
        "uri" => text.contains(':'),
        "email" => text.contains('@'),
        _ => true,
    }
}

/// Says where a value does not fit a schema; bounds do not count.
///
/// # Errors
///
/// With the place, and what is expected there.
pub(super) fn fits(definition: &Definition, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let schema = resolve(definition, schema);
    let wrong = |expected: &str| Err(format!("{place}: {value} is not {expected}"));
    if let Some(only) = schema.get("const") {
        return if only == value { Ok(()) } else { wrong(&only.to_string()) };
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return if values.contains(value) { Ok(()) } else { wrong("one of the values") };
    }
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        let fitting = branches.iter().any(|branch| fits(definition, branch, value, place).is_ok());
        return if fitting { Ok(()) } else { wrong("in any of the branches") };
    }
    if schema.get("$ref").is_some() {
        return fits(definition, schema, value, place);
    }
    match (schema.get("type").and_then(Value::as_str), value) {
        (None, _) | (Some("null"), Value::Null) | (Some("boolean"), Value::Bool(_)) | (Some("number"), Value::Number(_)) => Ok(()),
        (Some("integer"), Value::Number(number)) if number.is_i64() || number.as_f64().is_some_and(|it| it.fract() == 0.0) => Ok(()),
        (Some("string"), Value::String(text)) => match schema.get("format").and_then(Value::as_str) {
            Some(format) if !has_format(format, text) => wrong(format),
            _ => Ok(()),
        },
        (Some("array"), Value::Array(items)) => {
            let Some(schema) = schema.get("items") else { return Ok(()) };
            items.iter().enumerate().try_for_each(|(index, item)| fits(definition, schema, item, &format!("{place}/{index}")))
        }
        (Some("object"), Value::Object(entries)) => {
            for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
                if !entries.contains_key(name) {
                    return Err(format!("{place}: `{name}` is missing in {value}"));
                }
            }
            entries.iter().try_for_each(|(name, entry)| {
                let below = format!("{place}/{name}");
                match (schema.get("properties").and_then(|properties| properties.get(name)), schema.get("additionalProperties")) {
                    (Some(property), _) => fits(definition, property, entry, &below),
                    (None, Some(Value::Bool(false))) => Err(format!("{below} is not declared")),
                    (None, Some(others)) => fits(definition, others, entry, &below),
                    (None, None) => Ok(()),
                }
            })
        }
        (Some(expected), _) => wrong(expected),
    }
}
