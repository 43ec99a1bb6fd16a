//! One schema, projected on its own: references stay references, so nothing grows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use weave_ir::{Fate, Loss, Reason, Refusal};

use crate::limits::{Limits, Optional, Values};
use crate::words;

/// How deep schemas may stand in one another; the parser of the language allows less.
const DEEPEST: usize = 256;

/// What is said about a value and never restricts it, so that nothing is lost with it.
const ANNOTATIONS: [&str; 12] = [
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "$comment",
    "x-weave-tag",
    "x-weave-name",
    "x-weave-names",
    "x-weave-secret",
    "x-weave-deprecated",
];

/// A schema as a provider accepts it, without what its references lead to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) schema: Value,
    pub(crate) losses: Vec<Loss>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) counts: Counts,
    pub(crate) references: Vec<Reference>,
}

/// A reference to an entry of `$defs`.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) at: String,
    /// It stands in a property that may be left out.
    pub(crate) optional: bool,
}

/// What counts against the limits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) properties: usize,
    pub(crate) values: usize,
    pub(crate) text: usize,
    pub(crate) optional: usize,
    pub(crate) unions: usize,
    pub(crate) deepest: usize,
}

/// What references lead to.
pub(crate) type Defs<'a> = BTreeMap<&'a str, &'a Value>;

/// Projects a schema.
pub(crate) fn piece(schema: &Value, limits: &'static Limits, defs: &Defs<'_>) -> Piece {
    if limits.keywords.is_none() {
        return untouched(schema, defs);
    }
    let mut walk = Walk { limits, defs, piece: Piece::default(), at: String::new(), objects: 0, level: 0, optional: false };
    let projected = walk.schema(schema);
    walk.piece.schema = projected;
    walk.piece
}

/// A schema for who knows all of JSON Schema.
fn untouched(schema: &Value, defs: &Defs<'_>) -> Piece {
    let mut piece = Piece { schema: schema.clone(), ..Piece::default() };
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => {
                let name = entries.get("$ref").and_then(target).filter(|name| defs.contains_key(name.as_str()));
                piece.references.extend(name.map(|name| Reference { name, at: String::new(), optional: false }));
                // What stands under these keys is data and may look like anything.
                let schemas = entries.iter().filter(|(key, _)| !matches!(key.as_str(), "const" | "enum" | "default" | "examples"));
                open.extend(schemas.map(|(_, value)| value));
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    piece
}

/// The name that a reference leads to.
pub(crate) fn target(reference: &Value) -> Option<String> {
    let name = reference.as_str()?.strip_prefix("#/$defs/")?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

struct Walk<'a> {
    limits: &'static Limits,
    defs: &'a Defs<'a>,
    piece: Piece,
    /// The JSON pointer of the schema that is looked at.
    at: String,
    objects: usize,
    level: usize,
    optional: bool,
}

/// A schema under construction: what is said about it, and the rest.
#[derive(Default)]
struct Draft {
    said: Vec<String>,
    rest: Map<String, Value>,
}

impl Draft {
    fn finish(self) -> Value {
        let mut schema = Map::new();
        if !self.said.is_empty() {
            schema.insert("description".to_owned(), self.said.join("\n\n").into());
        }
        schema.extend(self.rest);
        Value::Object(schema)
    }
}

impl Walk<'_> {
    fn lost(&mut self, keyword: &str, to: Fate) {
        self.piece.losses.push(Loss { at: child(&self.at, keyword), to });
    }

    fn refused(&mut self, why: Reason) {
        self.piece.refusals.push(Refusal { at: self.at.clone(), why });
    }

    /// Does something one level deeper.
    fn inside<T>(&mut self, keys: &[&str], act: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.at.len();
        for key in keys {
            self.at = child(&self.at, key);
        }
        let found = act(self);
        self.at.truncate(length);
        found
    }

    fn schema(&mut self, schema: &Value) -> Value {
        let Value::Object(entries) = schema else {
            if !self.limits.anything {
                self.refused(Reason::Anything);
            }
            return schema.clone();
        };
        if self.level >= DEEPEST {
            self.refused(Reason::TooDeep);
            return json!({});
        }
        self.level += 1;
        let projected = self.entries(entries);
        self.level -= 1;
        projected
    }

    fn entries(&mut self, entries: &Map<String, Value>) -> Value {
        let mut draft = Draft::default();
        let refused_before = self.piece.refusals.len();
        draft.said.extend(entries.get("description").and_then(Value::as_str).map(str::to_owned));
        self.shape(entries, &mut draft);
        let mut sentences = Vec::new();
        for (keyword, value) in entries.iter().filter(|(keyword, _)| !is_shape(keyword) && !ANNOTATIONS.contains(&keyword.as_str())) {
            self.keyword(keyword, value, entries, &mut draft, &mut sentences);
        }
        sentences.extend(words::deprecation(entries));
        if !sentences.is_empty() {
            draft.said.push(sentences.join(" "));
        }
        self.reference(entries, &mut draft);
        if draft.rest.is_empty() && !self.limits.anything && self.piece.refusals.len() == refused_before {
            self.refused(Reason::Anything);
        }
        draft.finish()
    }

    /// A constraint: it stays, or its words go into the description.
    fn keyword(&mut self, keyword: &str, value: &Value, all: &Map<String, Value>, draft: &mut Draft, sentences: &mut Vec<String>) {
        if self.keeps(keyword, value) {
            self.count_values(keyword, value);
            draft.rest.insert(keyword.to_owned(), value.clone());
            return;
        }
        if words::says_nothing(keyword, value) {
            return;
        }
        if let ("const", Values::StringsAndNumbers, true) = (keyword, self.limits.values, value.is_string() || value.is_number()) {
            draft.rest.insert("enum".to_owned(), json!([value]));
            return;
        }
        let words = words::words(keyword, value, all);
        let is_implied = matches!(keyword, "pattern" | "minLength" | "maxLength") && words.is_none();
        self.lost(keyword, if words.is_some() || is_implied { Fate::Description } else { Fate::Dropped });
        sentences.extend(words);
    }

    fn keeps(&self, keyword: &str, value: &Value) -> bool {
        if !self.limits.knows(keyword) {
            return false;
        }
        match keyword {
            "format" => value.as_str().is_some_and(|format| self.limits.knows_format(format)),
            "minItems" => self.limits.min_items.is_none_or(|known| value.as_u64().is_some_and(|value| known.contains(&value))),
            "enum" => match self.limits.values {
                Values::Any => true,
                Values::StringsAndNumbers => {
                    value.as_array().is_some_and(|values| values.iter().all(|value| value.is_string() || value.is_number()))
                }
            },
            _ => true,
        }
    }

    fn count_values(&mut self, keyword: &str, value: &Value) {
        let length = |value: &Value| value.as_str().map_or(0, str::len);
        match (keyword, value) {
            ("enum", Value::Array(values)) => {
                let text = values.iter().map(length).sum::<usize>();
                self.piece.counts.values += values.len();
                self.piece.counts.text += text;
                if self.limits.long_enum.is_some_and(|(from, most)| values.len() > from && text > most) {
                    self.refused(Reason::LongEnum);
                }
            }
            ("const", value) => self.piece.counts.text += length(value),
            _ => {}
        }
    }

    /// The keywords in which schemas stand.
    fn shape(&mut self, entries: &Map<String, Value>, draft: &mut Draft) {
        if let Some(ty) = entries.get("type") {
            draft.rest.insert("type".to_owned(), ty.clone());
        }
        if entries.get("type").is_some_and(|ty| ty == "object") || entries.contains_key("properties") {
            self.object(entries, draft);
        }
        match entries.get("items") {
            Some(items) => {
                let items = self.inside(&["items"], |walk| walk.schema(items));
                draft.rest.insert("items".to_owned(), items);
            }
            None if entries.get("type").is_some_and(|ty| ty == "array") && !self.limits.anything => self.refused(Reason::Anything),
            None => {}
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = entries.get(keyword) {
                self.alternatives(keyword, alternatives, draft);
            }
        }
        if let Some(Value::Array(parts)) = entries.get("allOf") {
            self.all_of(parts, draft);
        }
    }

    fn object(&mut self, entries: &Map<String, Value>, draft: &mut Draft) {
        self.objects += 1;
        self.piece.counts.deepest = self.piece.counts.deepest.max(self.objects);
        let none = Map::new();
        let properties = entries.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let required = entries.get("required").and_then(Value::as_array);
        let required: BTreeSet<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
        let mut projected = Map::new();
        for (name, property) in properties {
            let is_required = required.contains(name.as_str());
            let property = self.inside(&["properties", name], |walk| walk.property(name, property, is_required));
            projected.insert(name.clone(), property);
        }
        let names = match self.limits.optional {
            Optional::Nullable => Some(properties.keys().map(|name| Value::from(name.as_str())).collect()),
            Optional::Allowed => entries.get("required").cloned(),
        };
        let is_map = properties.is_empty() && entries.get("additionalProperties").is_some_and(Value::is_object);
        if !is_map {
            draft.rest.insert("properties".to_owned(), projected.into());
            draft.rest.extend(names.map(|names| ("required".to_owned(), names)));
        }
        self.others(entries, is_map, draft);
        self.objects -= 1;
    }

    fn property(&mut self, name: &str, property: &Value, is_required: bool) -> Value {
        self.piece.counts.properties += 1;
        self.piece.counts.text += name.len();
        self.piece.counts.optional += usize::from(!is_required);
        if self.limits.property_names.is_some_and(|names| !names.allow(name)) {
            self.refused(Reason::PropertyName);
        }
        let outer = self.optional;
        self.optional |= !is_required;
        let projected = self.schema(property);
        self.optional = outer;
        match self.limits.optional {
            Optional::Nullable if !is_required => self.nullable(projected, property),
            _ => projected,
        }
    }

    /// What may be left out, as what may be null.
    fn nullable(&mut self, projected: Value, canonical: &Value) -> Value {
        if admits_null(canonical, self.defs) {
            // Null is a value already, so that nothing is left to say that there is none.
            self.piece.losses.push(Loss { at: self.at.clone(), to: Fate::Rewritten });
            return projected;
        }
        let Value::Object(mut entries) = projected else { return projected };
        let said = entries.shift_remove("description");
        let is_plain = entries.get("type").is_some_and(|ty| ty.is_string() && ty != "object" && ty != "array");
        let mut nullable = Map::from_iter(said.map(|said| ("description".to_owned(), said)));
        if is_plain && !entries.contains_key("enum") && !entries.contains_key("const") {
            if let Some(ty) = entries.get_mut("type") {
                *ty = json!([ty.clone(), "null"]);
            }
            nullable.extend(entries);
        } else if entries.len() == 1 && entries.contains_key("anyOf") {
            if let Some(Value::Array(alternatives)) = entries.get_mut("anyOf") {
                alternatives.push(json!({ "type": "null" }));
            }
            nullable.extend(entries);
        } else {
            nullable.insert("anyOf".to_owned(), json!([entries, { "type": "null" }]));
        }
        nullable.into()
    }

    /// Properties that are not declared.
    fn others(&mut self, entries: &Map<String, Value>, is_map: bool, draft: &mut Draft) {
        let others = match entries.get("additionalProperties") {
            Some(Value::Bool(false)) => Value::Bool(false),
            None | Some(Value::Bool(true)) if !self.limits.open_objects => {
                self.refused(Reason::Open);
                Value::Bool(true)
            }
            None => return,
            Some(Value::Object(values)) => {
                if !self.limits.open_objects {
                    self.refused(if is_map { Reason::Map } else { Reason::Open });
                    return;
                }
                self.inside(&["additionalProperties"], |walk| walk.schema(&Value::Object(values.clone())))
            }
            Some(other) => other.clone(),
        };
        draft.rest.insert("additionalProperties".to_owned(), others);
    }

    fn alternatives(&mut self, keyword: &str, alternatives: &[Value], draft: &mut Draft) {
        self.piece.counts.unions += 1;
        let projected = alternatives.iter().enumerate();
        let projected = projected.map(|(index, it)| self.inside(&[keyword, &index.to_string()], |walk| walk.schema(it))).collect();
        // No two tagged records fit at once, and else "any of" takes in what "one of" does.
        draft.rest.insert("anyOf".to_owned(), Value::Array(projected));
        if self.limits.distinct_first_keys && !self.first_keys_differ(alternatives) {
            self.refused(Reason::SameFirstKey);
        }
    }

    /// Whether no two objects among the alternatives begin with one property, unless it has distinct constants.
    fn first_keys_differ(&self, alternatives: &[Value]) -> bool {
        let mut seen: BTreeMap<&str, BTreeSet<Option<String>>> = BTreeMap::new();
        let mut open: Vec<&Value> = alternatives.iter().collect();
        let mut budget = 1_000_usize;
        while let (Some(alternative), true) = (open.pop(), budget > 0) {
            budget -= 1;
            if let Some(found) = alternative.get("$ref").and_then(target).and_then(|name| self.defs.get(name.as_str())) {
                open.push(found);
                continue;
            }
            if let Some(Value::Array(inner)) = alternative.get("anyOf").or_else(|| alternative.get("oneOf")) {
                open.extend(inner);
                continue;
            }
            let Some((name, first)) = alternative.get("properties").and_then(Value::as_object).and_then(|it| it.iter().next()) else {
                continue;
            };
            let constant = first.get("const").map(ToString::to_string);
            let known = seen.entry(name).or_default();
            if known.contains(&None) || (constant.is_none() && !known.is_empty()) || !known.insert(constant) {
                return false;
            }
        }
        true
    }

    fn all_of(&mut self, parts: &[Value], draft: &mut Draft) {
        let projected = parts.iter().enumerate();
        let mut projected: Vec<Value> =
            projected.map(|(index, part)| self.inside(&["allOf", &index.to_string()], |walk| walk.schema(part))).collect();
        match (projected.len(), self.limits.knows("allOf")) {
            (_, true) => {
                draft.rest.insert("allOf".to_owned(), Value::Array(projected));
            }
            (1, false) if draft.rest.is_empty() => {
                if let Some(Value::Object(only)) = projected.pop() {
                    draft.rest.extend(only);
                }
            }
            _ => self.refused(Reason::Keyword),
        }
    }

    /// A reference stands alone, or as the only alternative where something is said beside it.
    fn reference(&mut self, entries: &Map<String, Value>, draft: &mut Draft) {
        let Some(reference) = entries.get("$ref") else { return };
        let name = target(reference).filter(|name| self.defs.contains_key(name.as_str()));
        match name {
            Some(name) => self.piece.references.push(Reference { name, at: child(&self.at, "$ref"), optional: self.optional }),
            None => self.refused(Reason::Reference),
        }
        if draft.said.is_empty() && draft.rest.is_empty() || self.limits.beside_references {
            draft.rest.insert("$ref".to_owned(), reference.clone());
        } else if !draft.rest.contains_key("anyOf") {
            draft.rest.insert("anyOf".to_owned(), json!([{ "$ref": reference }]));
        }
    }
}

fn is_shape(keyword: &str) -> bool {
    matches!(
        keyword,
        "type" | "properties" | "required" | "additionalProperties" | "items" | "anyOf" | "oneOf" | "allOf" | "$ref" | "$defs" | "$schema"
    )
}

/// Whether null fits a schema, as far as can be told by following a few references.
fn admits_null(schema: &Value, defs: &Defs<'_>) -> bool {
    let mut open = vec![schema];
    let mut budget = 100_usize;
    while let (Some(schema), true) = (open.pop(), budget > 0) {
        budget -= 1;
        if let Some(found) = schema.get("$ref").and_then(target).and_then(|name| defs.get(name.as_str())) {
            open.push(found);
        } else if let Some(Value::Array(alternatives)) = schema.get("anyOf") {
            open.extend(alternatives);
        } else {
            let null = match schema.get("type") {
                Some(Value::String(ty)) => ty == "null",
                Some(Value::Array(types)) => types.iter().any(|ty| ty == "null"),
                _ => schema.as_object().is_some_and(Map::is_empty),
            };
            if null {
                return true;
            }
        }
    }
    false
}

/// A pointer one level deeper.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) { format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")) } else { format!("{pointer}/{key}") }
}
