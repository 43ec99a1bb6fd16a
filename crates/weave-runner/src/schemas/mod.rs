//! Taking values in: validation against the definition's schemas, then their defaults (rule 8).

mod forms;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::{PatternOptions, Registry, ValidationOptions, Validator};
use serde_json::{Value, json};
use weave_ir::Definition;

/// How deep a value may be nested. Readers of JSON bound the depth too, some at no more than this.
const DEPTH_LIMIT: usize = 512;
/// Where the definition lies for the references into it.
const DOCUMENT: &str = "urn:weave:definition";

/// The schemas of a definition, each compiled when it is first needed.
pub(crate) struct Schemas {
    document: Arc<Value>,
    registry: OnceCell<Option<Registry<'static>>>,
    compiled: HashMap<String, Option<Arc<Validator>>>,
    /// Whether any schema has a default.
    defaults: bool,
}

impl Schemas {
    pub(crate) fn new(definition: &Definition) -> Self {
        let mut document = json!({ "$defs": definition.defs });
        for (pointer, schema) in definition.schemas() {
            put(&mut document, &pointer, schema.as_value());
        }
        let defaults = definition.schemas().iter().any(|(_, schema)| has_key(schema.as_value(), "default"));
        Self { document: Arc::new(document), registry: OnceCell::new(), compiled: HashMap::new(), defaults }
    }

    /// The value as the rest of the run sees it.
    ///
    /// # Errors
    ///
    /// In words, if it does not fit.
    pub(crate) fn take_in(&mut self, pointer: &str, value: &Value) -> Result<Value, String> {
        self.check(pointer, value)?;
        let mut value = value.clone();
        if self.defaults {
            self.fill(pointer, &mut value, 0);
        }
        Ok(value)
    }

    /// Whether a value fits a schema.
    ///
    /// # Errors
    ///
    /// In words, if it does not.
    pub(crate) fn check(&mut self, pointer: &str, value: &Value) -> Result<(), String> {
        if deeper_than(value, DEPTH_LIMIT) {
            return Err(format!("the value is nested deeper than {DEPTH_LIMIT} levels"));
        }
        let Some(validator) = self.validator(pointer) else {
            return Err(format!("the definition has no usable schema at {pointer}"));
        };
        validator.validate(value).map_err(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            path => format!("{path}: {error}"),
        })
    }

    fn validator(&mut self, pointer: &str) -> Option<Arc<Validator>> {
        if let Some(validator) = self.compiled.get(pointer) {
            return validator.clone();
        }
        let validator = self.compile(pointer).map(Arc::new);
        self.compiled.insert(pointer.to_owned(), validator.clone());
        validator
    }

    fn registry(&self) -> Option<&Registry<'static>> {
        let prepare = || {
            let registry = Registry::new().draft(jsonschema::Draft::Draft202012).add(DOCUMENT, (*self.document).clone());
            registry.and_then(jsonschema::RegistryBuilder::prepare).ok()
        };
        self.registry.get_or_init(prepare).as_ref()
    }

    fn compile(&self, pointer: &str) -> Option<Validator> {
        self.document.pointer(pointer)?;
        let options = with_our_meaning(jsonschema::options().with_registry(self.registry()?));
        options.build(&json!({ "$ref": format!("{DOCUMENT}#{}", fragment(pointer)) })).ok()
    }

    /// Adds the properties that are absent and have a default.
    fn fill(&mut self, pointer: &str, value: &mut Value, depth: usize) {
        let document = Arc::clone(&self.document);
        // A schema that refers to nothing but itself has no end.
        let Some(Value::Object(schema)) = document.pointer(pointer).filter(|_| depth <= 2 * DEPTH_LIMIT) else { return };
        if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#')) {
            self.fill(name, value, depth + 1);
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            let branches = (0..branches.len()).map(|index| format!("{pointer}/anyOf/{index}"));
            if let Some(branch) = branches.into_iter().find(|branch| self.check(branch, value).is_ok()) {
                self.fill(&branch, value, depth + 1);
            }
        }
        match value {
            Value::Object(entries) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                for (name, property) in properties.into_iter().flatten() {
                    let below = format!("{pointer}/properties/{}", escape(name));
                    match (entries.get_mut(name), property.get("default")) {
                        (Some(entry), _) => self.fill(&below, entry, depth + 1),
                        (None, Some(default)) => drop(entries.insert(name.clone(), default.clone())),
                        (None, None) => {}
                    }
                }
                if schema.get("additionalProperties").is_some_and(Value::is_object) {
                    let below = format!("{pointer}/additionalProperties");
                    let others = entries.iter_mut().filter(|(name, _)| properties.is_none_or(|properties| !properties.contains_key(*name)));
                    others.for_each(|(_, entry)| self.fill(&below, entry, depth + 1));
                }
            }
            Value::Array(items) if schema.contains_key("items") => {
                let below = format!("{pointer}/items");
                items.iter_mut().for_each(|item| self.fill(&below, item, depth + 1));
            }
            _ => {}
        }
    }
}

/// A validator that holds values to a schema of ours as runs do: with its formats, its patterns and what it says beside JSON Schema.
/// References lead within the schema. Nothing if it is no schema.
#[must_use]
pub fn validator(schema: &Value) -> Option<Validator> {
    with_our_meaning(jsonschema::options()).build(schema).ok()
}

/// The options that all our schemas are read with.
fn with_our_meaning(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    let options = options.with_draft(jsonschema::Draft::Draft202012).offline().should_validate_formats(true);
    forms::with_forms(options.with_pattern_options(PatternOptions::regex()))
}

/// Puts a schema where its pointer says.
fn put(document: &mut Value, pointer: &str, schema: &Value) {
    let mut place = document;
    for key in pointer.split('/').skip(1) {
        let key = key.replace("~1", "/").replace("~0", "~");
        let Value::Object(entries) = place else { return };
        place = entries.entry(key).or_insert_with(|| json!({}));
    }
    *place = schema.clone();
}

fn has_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(entries) => entries.contains_key(key) || entries.values().any(|entry| has_key(entry, key)),
        Value::Array(items) => items.iter().any(|item| has_key(item, key)),
        _ => false,
    }
}

/// Without recursion, because it is asked of values from outside.
fn deeper_than(value: &Value, limit: usize) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > limit {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(entries) => open.extend(entries.values().map(|entry| (entry, depth + 1))),
            _ => {}
        }
    }
    false
}

/// A key in a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A JSON pointer in the fragment of a reference.
fn fragment(pointer: &str) -> String {
    let mut text = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'$' => text.push(char::from(byte)),
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}
