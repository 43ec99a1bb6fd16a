//! Values for schemas.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use weave_ir::{Definition, Operator, Schema, ValueType};

use crate::choice::Choice;
use crate::constants::{Constant, Constants};
use crate::scalar::{distinct, numbers};
use crate::text::texts;

/// From this depth on, values are as small as they can be.
const DEEP: usize = 6;
/// From this many parts on, values are as small as they can be.
const LARGE: usize = 2_000;
/// The deepest value that is made at all.
const DEEPEST: usize = 200;
/// The longest list that is made where its schema does not ask for a longer one.
const LONGEST_LIST: u64 = 20;

/// A value of which parts are given, and others are to be made up.
#[derive(Clone, Debug, PartialEq)]
pub enum Partial {
    /// A value that is given as a whole.
    Whole(Value),
    /// A list of these elements.
    List(Vec<Partial>),
    /// An object with these entries.
    Object {
        /// The given entries.
        entries: Vec<(String, Partial)>,
        /// Whether other fields are made up; otherwise there are none.
        open: bool,
    },
}

/// A value of which parts are made up.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The value.
    pub value: Value,
    /// The parts that are made up from the schema alone, as JSON pointers; the empty one is the whole value.
    ///
    /// What comes from an example is not among them: the example says it.
    pub invented: Vec<String>,
}

/// Makes up values for the schemas of one definition.
#[derive(Debug)]
pub struct Sampler<'d> {
    definition: &'d Definition,
    constants: Constants,
    /// How deep the smallest value of each of `$defs` is; those that have no end are absent.
    depths: BTreeMap<&'d str, u32>,
}

impl<'d> Sampler<'d> {
    /// A sampler for the schemas of this definition.
    #[must_use]
    pub fn new(definition: &'d Definition) -> Self {
        let mut sampler = Self { definition, constants: Constants::of(definition), depths: BTreeMap::new() };
        // Each round finds the types that are one level deeper.
        for _ in 0..=definition.defs.len() {
            let found: Vec<_> = definition
                .defs
                .iter()
                .filter(|(name, _)| !sampler.depths.contains_key(name.as_str()))
                .filter_map(|(name, schema)| Some((name.as_str(), sampler.depth(schema.as_value())?)))
                .collect();
            if found.is_empty() {
                break;
            }
            sampler.depths.extend(found);
        }
        sampler
    }

    /// A value that fits a schema of the definition; `None` if none is found.
    pub fn value(&self, schema: &Schema, choice: &mut Choice) -> Option<Value> {
        self.complete(schema, None, None, choice).map(|made| made.value)
    }

    /// A value that fits a schema of the definition, as far as what is given does. What is left open comes from the example first.
    ///
    /// `None` if no value is found.
    pub fn complete(&self, schema: &Schema, given: Option<&Partial>, example: Option<&Value>, choice: &mut Choice) -> Option<Made> {
        let mut maker = Maker { sampler: self, choice, parts: 0, invented: Vec::new() };
        let value = maker.complete(schema.as_value(), given, example, "", "", 0)?;
        Some(Made { value, invented: maker.invented })
    }

    fn resolve<'s>(&'s self, mut schema: &'s Value) -> Option<&'s Value> {
        // A chain of references that comes back to itself has no end.
        for _ in 0..=self.definition.defs.len() {
            let Some(name) = reference(schema) else { return Some(schema) };
            schema = self.definition.defs.get(&name)?.as_value();
        }
        None
    }

    /// How deep the smallest value is; `None` if it is not known yet, or has no end.
    fn depth(&self, schema: &Value) -> Option<u32> {
        if let Some(name) = reference(schema) {
            return self.depths.get(name.as_str()).copied();
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            return branches.iter().filter_map(|branch| self.depth(branch)).min();
        }
        let below = match schema.get("type").and_then(Value::as_str) {
            Some("object") => {
                let required = schema.get("required").and_then(Value::as_array);
                let required = required.into_iter().flatten().filter_map(Value::as_str);
                let properties = required.filter_map(|name| schema.get("properties")?.get(name)).collect::<Vec<_>>();
                properties.into_iter().map(|property| self.depth(property)).collect::<Option<Vec<_>>>()?.into_iter().max()
            }
            Some("array") if schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) > 0 => Some(self.depth(schema.get("items")?)?),
            _ => None,
        };
        Some(below.map_or(0, |below| below + 1))
    }
}

/// The name of the type that a schema refers to.
fn reference(schema: &Value) -> Option<String> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

struct Maker<'s, 'c> {
    sampler: &'s Sampler<'s>,
    choice: &'c mut Choice,
    parts: usize,
    invented: Vec<String>,
}

impl<'s> Maker<'s, '_> {
    /// A value of which some is given. `name` is the field that it is for, `place` its JSON pointer.
    fn complete(
        &mut self,
        schema: &'s Value,
        given: Option<&Partial>,
        example: Option<&Value>,
        name: &str,
        place: &str,
        depth: usize,
    ) -> Option<Value> {
        match (given, example) {
            (Some(Partial::Whole(value)), _) | (None, Some(value)) => Some(value.clone()),
            (Some(Partial::List(items)), _) => {
                let schema = self.branch_for(schema, given);
                let below = schema.and_then(|schema| schema.get("items"));
                let item = |maker: &mut Self, (index, item): (usize, &Partial)| {
                    let place = format!("{place}/{index}");
                    match below {
                        Some(below) => maker.complete(below, Some(item), None, name, &place, depth + 1),
                        None => Some(given_alone(item)),
                    }
                };
                items.iter().enumerate().map(|entry| item(self, entry)).collect::<Option<_>>().map(Value::Array)
            }
            (Some(Partial::Object { entries, open }), example) => self.object(schema, entries, *open, example, place, depth),
            (None, None) => {
                if !self.invented.iter().any(|above| place.starts_with(&format!("{above}/")) || above == place) {
                    self.invented.push(place.to_owned());
                }
                self.make(schema, name, place, depth)
            }
        }
    }

    fn object(
        &mut self,
        schema: &'s Value,
        given: &[(String, Partial)],
        open: bool,
        example: Option<&Value>,
        place: &str,
        depth: usize,
    ) -> Option<Value> {
        let all = Partial::Object { entries: given.to_vec(), open };
        let Some(schema) = self.branch_for(schema, Some(&all)) else { return Some(given_alone(&all)) };
        let example = example.and_then(Value::as_object).filter(|example| {
            // An example of another branch of a union says nothing here.
            let tag = |(key, value): (&String, &Value)| property(schema, key).and_then(|it| it.get("const")).is_none_or(|it| it == value);
            example.iter().all(tag)
        });
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        let mut object = Map::new();
        for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let place = format!("{place}/{}", escape(name));
            let given = given.iter().find(|(key, _)| key == name).map(|(_, value)| value);
            let shown = example.and_then(|example| example.get(name));
            let wanted = given.is_some() || open && (shown.is_some() || is_required(name) || self.takes_optional(name, &place, depth));
            // What an example leaves out is left out.
            let left_out = given.is_none() && shown.is_none() && example.is_some() && !is_required(name);
            if wanted && !left_out {
                object.insert(name.clone(), self.complete(below, given, shown, name, &place, depth + 1)?);
            }
        }
        for (key, value) in given.iter().filter(|(key, _)| property(schema, key).is_none()) {
            let below = schema.get("additionalProperties").filter(|below| below.is_object());
            let place = format!("{place}/{}", escape(key));
            let value = match below {
                Some(below) => self.complete(below, Some(value), None, key, &place, depth + 1)?,
                None => given_alone(value),
            };
            object.insert(key.clone(), value);
        }
        Some(Value::Object(object))
    }

    /// The schema without references, and of a union the branch that what is given belongs to.
    fn branch_for(&self, schema: &'s Value, given: Option<&Partial>) -> Option<&'s Value> {
        let schema = self.sampler.resolve(schema)?;
        let Some(branches) = schema.get("anyOf").and_then(Value::as_array) else { return Some(schema) };
        let mut fitting = branches.iter().filter_map(|branch| self.branch_for(branch, given));
        fitting.find(|branch| given.is_none_or(|given| may_fit(branch, given)))
    }

    fn takes_optional(&mut self, name: &str, place: &str, depth: usize) -> bool {
        if self.is_large(depth) {
            return false;
        }
        // What a guard compares is there, on both sides.
        let compared = self.sampler.constants.named(name).iter().any(|constant| !constant.value.is_null());
        compared && !self.choice.is_random() || self.choice.pick(&format!("{place}?"), 2) == 0
    }

    fn is_large(&self, depth: usize) -> bool {
        depth > DEEP || self.parts > LARGE
    }

    /// A value that is made up as a whole.
    fn make(&mut self, schema: &'s Value, name: &str, place: &str, depth: usize) -> Option<Value> {
        self.parts += 1;
        if depth > DEEPEST {
            return None;
        }
        let schema = self.sampler.resolve(schema)?;
        let constants = self.sampler.constants.named(name);
        let Some(keywords) = schema.as_object() else { return (schema == &Value::Bool(true)).then(|| Value::from("anything")) };
        if let Some(value) = keywords.get("const") {
            return Some(value.clone());
        }
        if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
            return self.one_of(sides(values, constants), place);
        }
        if let Some(branches) = keywords.get("anyOf").and_then(Value::as_array) {
            return self.union(branches, name, place, depth);
        }
        let kind = match keywords.get("type") {
            Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
            kind => kind.and_then(Value::as_str),
        };
        match kind {
            Some("object") => self.record(schema, keywords, name, place, depth),
            Some("array") => self.list(keywords, name, place, depth),
            Some("string") => self.one_of(texts(keywords, name, constants), place),
            Some("integer") => self.one_of(numbers(keywords, ValueType::Int, constants), place),
            Some("number") => self.one_of(numbers(keywords, ValueType::Float, constants), place),
            Some("boolean") => self.one_of(vec![Value::Bool(false), Value::Bool(true)], place),
            Some("null") => Some(Value::Null),
            _ => {
                let mut values = vec![Value::from("anything"), json!({ "any": "thing" }), Value::Null, json!([1])];
                let compared = constants.iter().filter(|constant| !constant.of_size).map(|constant| constant.value.clone());
                values.splice(1..1, compared);
                self.one_of(distinct(values), place)
            }
        }
    }

    fn one_of(&mut self, values: Vec<Value>, place: &str) -> Option<Value> {
        let count = values.len();
        let picked = self.choice.pick(place, count).min(count.checked_sub(1)?);
        values.into_iter().nth(picked)
    }

    fn union(&mut self, branches: &'s [Value], name: &str, place: &str, depth: usize) -> Option<Value> {
        let mut possible: Vec<_> = branches.iter().filter_map(|branch| Some((self.sampler.depth(branch)?, branch))).collect();
        if self.is_large(depth) {
            let (_, smallest) = possible.into_iter().min_by_key(|(depth, _)| *depth)?;
            return self.make(smallest, name, place, depth + 1);
        }
        let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
        possible.sort_by_key(|(_, branch)| is_null(branch));
        let compared = self.sampler.constants.named(name).iter().any(|constant| !constant.value.is_null());
        if compared && matches!(self.choice, Choice::Filling(0 | 1)) && possible.iter().filter(|(_, branch)| !is_null(branch)).count() == 1
        {
            possible.truncate(1);
        }
        self.order_by_tag(&mut possible);
        let picked = self.choice.pick(&format!("{place}|"), possible.len());
        let (_, branch) = possible.get(picked).or(possible.first()).copied()?;
        self.make(branch, name, place, depth + 1)
    }

    /// Puts the branch whose tag a guard asks for second, unless it is first.
    fn order_by_tag(&self, branches: &mut [(u32, &'s Value)]) {
        let asked = |branch: &Value| {
            let properties = self.sampler.resolve(branch).and_then(|branch| branch.get("properties")?.as_object());
            properties.into_iter().flatten().any(|(name, property)| {
                let constants = self.sampler.constants.named(name);
                property.get("const").is_some_and(|tag| constants.iter().any(|constant| constant.value == *tag))
            })
        };
        if let Some(place) = branches.iter().position(|(_, branch)| asked(branch)).filter(|place| *place > 1) {
            branches.swap(1, place);
        }
    }

    fn record(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, name: &str, place: &str, depth: usize) -> Option<Value> {
        let Some(Value::Object(mut object)) = self.object(schema, &[], true, None, place, depth) else { return None };
        let Some(below) = keywords.get("additionalProperties").filter(|below| below.is_object()) else {
            return Some(Value::Object(object));
        };
        let fixed = object.len();
        let wanted = self.size(keywords, "minProperties", "maxProperties", name, place, depth)?;
        for index in 0..wanted.saturating_sub(fixed) {
            let key = if index == 0 { "key".to_owned() } else { format!("key{}", index + 1) };
            let value = self.make(below, &key, &format!("{place}/{key}"), depth + 1)?;
            object.insert(key, value);
        }
        Some(Value::Object(object))
    }

    fn list(&mut self, keywords: &'s Map<String, Value>, name: &str, place: &str, depth: usize) -> Option<Value> {
        let length = self.size(keywords, "minItems", "maxItems", name, place, depth)?;
        let Some(below) = keywords.get("items") else { return Some(vec![Value::from("anything"); length].into()) };
        if self.sampler.depth(below).is_none() && length > 0 {
            let least = keywords.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            return (least == 0).then(|| Value::Array(Vec::new()));
        }
        let is_set = keywords.get("uniqueItems") == Some(&Value::Bool(true));
        let mut items: Vec<Value> = Vec::new();
        for index in 0..length {
            let mut item = self.make(below, name, &format!("{place}/{index}"), depth + 1)?;
            let mut tries = 0;
            while is_set && items.contains(&item) && tries < 40 {
                tries += 1;
                let seed = u64::try_from(index).unwrap_or_default() * 1_000 + tries;
                let mut choice = Choice::Random(seed);
                std::mem::swap(self.choice, &mut choice);
                let again = self.make(below, name, place, depth + 1);
                std::mem::swap(self.choice, &mut choice);
                item = again?;
            }
            if !(is_set && items.contains(&item)) {
                items.push(item);
            }
        }
        Some(Value::Array(items))
    }

    /// How many elements or entries a container gets.
    fn size(&mut self, keywords: &Map<String, Value>, least: &str, most: &str, name: &str, place: &str, depth: usize) -> Option<usize> {
        let least = keywords.get(least).and_then(Value::as_u64).unwrap_or(0);
        let most = keywords.get(most).and_then(Value::as_u64).unwrap_or(u64::MAX).min(least.max(LONGEST_LIST));
        if self.is_large(depth) {
            return usize::try_from(least).ok();
        }
        let sizes = self.sampler.constants.named(name).iter().filter(|constant| constant.of_size);
        let sizes: Vec<_> = sizes.map(|constant| Constant { of_size: false, ..constant.clone() }).collect();
        let bounds = json!({ "minimum": least, "maximum": most });
        let candidates = numbers(bounds.as_object()?, ValueType::Int, &sizes);
        let size = self.one_of(candidates, &format!("{place}#"))?;
        usize::try_from(size.as_u64()?).ok()
    }
}

/// The values of an enum, two of them that a guard tells apart first.
fn sides(values: &[Value], constants: &[Constant]) -> Vec<Value> {
    let mut values = values.to_vec();
    let named = |value: &Value| {
        let equal = |constant: &&Constant| matches!(constant.operator, Operator::Equal | Operator::NotEqual | Operator::In);
        constants.iter().filter(equal).any(|constant| constant.value == *value)
    };
    let first_is_named = values.first().is_some_and(named);
    // The other side is a value that is named if the first is not; otherwise, one that is not.
    if let Some(place) = values.iter().position(|value| named(value) != first_is_named).filter(|place| *place > 1) {
        values.swap(1, place);
    }
    values
}

fn property<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    schema.get("properties")?.get(name)
}

/// Whether what is given may belong to a branch of a union.
fn may_fit(branch: &Value, given: &Partial) -> bool {
    let kind = branch.get("type").and_then(Value::as_str);
    match given {
        Partial::Whole(value) => match kind {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("integer" | "number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("null") => value.is_null(),
            _ => branch.get("const").is_none_or(|only| only == value),
        },
        Partial::List(_) => matches!(kind, Some("array") | None),
        Partial::Object { entries, .. } => {
            let closed = branch.get("additionalProperties") == Some(&Value::Bool(false));
            let fits = |(key, value): &(String, Partial)| match property(branch, key) {
                Some(below) => match (below.get("const"), value) {
                    (Some(only), Partial::Whole(value)) => only == value,
                    _ => true,
                },
                None => !closed,
            };
            matches!(kind, Some("object") | None) && entries.iter().all(fits)
        }
    }
}

/// What is given, with nothing made up.
fn given_alone(given: &Partial) -> Value {
    match given {
        Partial::Whole(value) => value.clone(),
        Partial::List(items) => items.iter().map(given_alone).collect(),
        Partial::Object { entries, .. } => Value::Object(entries.iter().map(|(key, value)| (key.clone(), given_alone(value))).collect()),
    }
}

/// A key in a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
