//! Taking values in: validation against the definition's schemas, then their defaults (rule 8).

mod forms;
mod words;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use jsonschema::{PatternOptions, Registry, ValidationOptions, Validator};
use serde_json::{Value, json};
use weave_ir::{Definition, Schema};

pub use words::misfit;

/// How deep a value may be nested. Readers of JSON bound the depth too, some at no more than this.
const DEPTH_LIMIT: usize = 512;
/// Where the definition lies for the references into it.
const DOCUMENT: &str = "urn:weave:definition";

/// The place of a schema among those of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemaId(usize);

/// The schemas of a definition. Each is compiled when it is first needed, and shared by all runs.
pub(crate) struct Schemas {
    document: Value,
    registry: OnceLock<Option<Registry<'static>>>,
    entries: Vec<Entry>,
    places: HashMap<String, SchemaId>,
    /// The branches of unions, by their pointer: the first that fits says which defaults are filled in.
    branches: RwLock<HashMap<String, Option<Arc<Validator>>>>,
}

/// One schema.
struct Entry {
    pointer: String,
    schema: Schema,
    /// Whether it, or a schema that it refers to, has a default.
    defaults: bool,
    compiled: OnceLock<Option<Validator>>,
}

impl Schemas {
    pub(crate) fn new(definition: &Definition) -> Self {
        let mut document = json!({ "$defs": definition.defs });
        let schemas = definition.schemas();
        for (pointer, schema) in &schemas {
            put(&mut document, pointer, schema.as_value());
        }
        let with_defaults = definitions_with_defaults(definition);
        let entry = |(pointer, schema): (String, &Schema)| Entry {
            pointer,
            schema: schema.clone(),
            defaults: has_default(schema.as_value(), &with_defaults),
            compiled: OnceLock::new(),
        };
        let entries: Vec<_> = schemas.into_iter().map(entry).collect();
        let places = entries.iter().enumerate().map(|(place, entry)| (entry.pointer.clone(), SchemaId(place))).collect();
        Self { document, registry: OnceLock::new(), entries, places, branches: RwLock::default() }
    }

    /// The schema at a JSON pointer of the definition.
    pub(crate) fn id(&self, pointer: &str) -> Option<SchemaId> {
        self.places.get(pointer).copied()
    }

    /// The schema itself.
    pub(crate) fn schema(&self, id: SchemaId) -> Option<&Schema> {
        self.entries.get(id.0).map(|entry| &entry.schema)
    }

    /// The value as the rest of the run sees it.
    ///
    /// # Errors
    ///
    /// In words, if it does not fit.
    pub(crate) fn take_in(&self, id: SchemaId, value: &Value) -> Result<Value, String> {
        self.check(id, value)?;
        let mut value = value.clone();
        if let Some(entry) = self.entries.get(id.0).filter(|entry| entry.defaults) {
            self.fill(&entry.pointer, &mut value, 0);
        }
        Ok(value)
    }

    /// Whether a value fits a schema.
    ///
    /// # Errors
    ///
    /// In words, if it does not.
    pub(crate) fn check(&self, id: SchemaId, value: &Value) -> Result<(), String> {
        if deeper_than(value, DEPTH_LIMIT) {
            return Err(format!("the value is nested deeper than {DEPTH_LIMIT} levels"));
        }
        let Some(entry) = self.entries.get(id.0) else { return Err("the definition has no such schema".to_owned()) };
        let Some(validator) = entry.compiled.get_or_init(|| self.compile(&entry.pointer)) else {
            return Err(format!("the definition has no usable schema at {}", entry.pointer));
        };
        if validator.is_valid(value) {
            return Ok(());
        }
        validator.validate(value).map_err(|error| match error.instance_path().as_str() {
            "" => misfit(&error),
            path => format!("{path}: {}", misfit(&error)),
        })
    }

    fn registry(&self) -> Option<&Registry<'static>> {
        let prepare = || {
            let registry = Registry::new().draft(jsonschema::Draft::Draft202012).add(DOCUMENT, self.document.clone());
            registry.and_then(jsonschema::RegistryBuilder::prepare).ok()
        };
        self.registry.get_or_init(prepare).as_ref()
    }

    fn compile(&self, pointer: &str) -> Option<Validator> {
        self.document.pointer(pointer)?;
        let options = with_our_meaning(jsonschema::options().with_registry(self.registry()?));
        options.build(&json!({ "$ref": format!("{DOCUMENT}#{}", fragment(pointer)) })).ok()
    }

    /// Whether a value fits the branch of a union at this pointer.
    fn fits(&self, pointer: &str, value: &Value) -> bool {
        let known = self.branches.read().unwrap_or_else(PoisonError::into_inner).get(pointer).cloned();
        let validator = known.unwrap_or_else(|| {
            let compiled = self.compile(pointer).map(Arc::new);
            self.branches.write().unwrap_or_else(PoisonError::into_inner).insert(pointer.to_owned(), compiled.clone());
            compiled
        });
        validator.is_some_and(|validator| validator.is_valid(value))
    }

    /// Adds the properties that are absent and have a default.
    fn fill(&self, pointer: &str, value: &mut Value, depth: usize) {
        // A schema that refers to nothing but itself has no end.
        let Some(Value::Object(schema)) = self.document.pointer(pointer).filter(|_| depth <= 2 * DEPTH_LIMIT) else { return };
        if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#')) {
            self.fill(name, value, depth + 1);
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            let mut branches = (0..branches.len()).map(|index| format!("{pointer}/anyOf/{index}"));
            if let Some(branch) = branches.find(|branch| self.fits(branch, value)) {
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

/// The references to those of `$defs` that have a default, or refer to one that has.
fn definitions_with_defaults(definition: &Definition) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    loop {
        let more = definition.defs.iter().filter(|(_, schema)| has_default(schema.as_value(), &found));
        let more: BTreeSet<_> =
            more.filter_map(|(name, _)| Some(Schema::reference(name).as_value().get("$ref")?.as_str()?.to_owned())).collect();
        if more.len() == found.len() {
            return found;
        }
        found = more;
    }
}

/// Whether a schema has a default, or refers to one of these, which have.
fn has_default(value: &Value, with_defaults: &BTreeSet<String>) -> bool {
    match value {
        Value::Object(entries) => {
            let refers = entries.get("$ref").and_then(Value::as_str).is_some_and(|reference| with_defaults.contains(reference));
            refers || entries.contains_key("default") || entries.values().any(|entry| has_default(entry, with_defaults))
        }
        Value::Array(items) => items.iter().any(|item| has_default(item, with_defaults)),
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
