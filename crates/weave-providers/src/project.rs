//! Whole schemas: what their references lead to, and the limits that count over all of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use weave_ir::{Fate, Loss, Reason, Refusal, Schema};

use crate::limits::{Limits, Provider, Recursion};
use crate::piece::{Counts, Defs, Piece, child, piece, target};

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The arguments of a tool: always an object.
    Arguments,
    /// The answer of a model. Where the provider takes objects only, any other value is wrapped into one.
    Answer,
}

/// A schema as a provider accepts it: a document of its own, with `$defs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The schema; of no use if something is refused.
    pub schema: Value,
    /// The value stands in the property `value` of an object.
    pub wrapped: bool,
    /// What the provider is not told, or only in words.
    pub losses: Vec<Loss>,
    /// What it refuses.
    pub refusals: Vec<Refusal>,
}

/// The name of the property in which a wrapped value stands.
pub const WRAPPER: &str = "value";

/// Projects a schema whose references lead into `defs`.
///
/// The same arguments give the same projection. It takes time in proportion to the schema and to what its references reach, each entry of
/// `defs` once, and never fails: what cannot be projected is refused, with the reason.
#[must_use]
pub fn project(schema: &Schema, defs: &BTreeMap<String, Schema>, provider: Provider, role: Role) -> Projection {
    let mut pieces = Pieces::new(defs, provider.limits());
    let root = pieces.root(schema.as_value(), role);
    let mut all = pieces.whole(&root);
    let mut schema = root.piece.schema;
    let reached: Vec<String> = all.reached.iter().cloned().collect();
    let mut projected = Map::new();
    for name in reached {
        if let Some(piece) = pieces.of(&name) {
            all.losses.extend(piece.losses.iter().map(|loss| Loss { at: format!("{}{}", child("/$defs", &name), loss.at), to: loss.to }));
            projected.insert(name, piece.schema.clone());
        }
    }
    if let (Value::Object(entries), false) = (&mut schema, projected.is_empty()) {
        entries.insert("$defs".to_owned(), projected.into());
    }
    let mut losses = root.piece.losses;
    losses.append(&mut all.losses);
    Projection { schema, wrapped: root.wrapped, losses, refusals: all.refusals }
}

/// The schema as it is, as a document of its own: with the `$defs` that it reaches.
#[must_use]
pub fn bundle(schema: &Schema, defs: &BTreeMap<String, Schema>) -> Value {
    project(schema, defs, Provider::Mcp, Role::Arguments).schema
}

/// The root of a projection.
pub(crate) struct Root {
    pub(crate) piece: Piece,
    pub(crate) wrapped: bool,
}

/// What is found out about a root and all that it reaches.
#[derive(Default)]
pub(crate) struct Whole {
    pub(crate) reached: BTreeSet<String>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) refusals: Vec<Refusal>,
}

/// The projections of named types for one provider, each made once.
pub(crate) struct Pieces<'a> {
    limits: &'static Limits,
    defs: Defs<'a>,
    made: BTreeMap<String, Piece>,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(defs: &'a BTreeMap<String, Schema>, limits: &'static Limits) -> Self {
        let defs = defs.iter().map(|(name, schema)| (name.as_str(), schema.as_value())).collect();
        Self { limits, defs, made: BTreeMap::new() }
    }

    pub(crate) fn of(&self, name: &str) -> Option<&Piece> {
        self.made.get(name)
    }

    pub(crate) fn make(&mut self, name: &str) {
        if !self.made.contains_key(name)
            && let Some(schema) = self.defs.get(name)
        {
            let piece = piece(schema, self.limits, &self.defs);
            self.made.insert(name.to_owned(), piece);
        }
    }

    /// The projection of a schema that is no named type, or the only use of one.
    pub(crate) fn root(&self, schema: &Value, role: Role) -> Root {
        if self.limits.keywords.is_none() {
            return Root { piece: piece(schema, self.limits, &self.defs), wrapped: false };
        }
        // A root is an object itself, so what it only refers to is written out; a name may stand for a name.
        let mut named = schema;
        for _ in 0..=self.defs.len() {
            let next = named.get("$ref").and_then(target).and_then(|name| self.defs.get(name.as_str()));
            let Some(next) = next else { break };
            named = next;
        }
        let is_object = named.get("properties").is_some() && named.get("anyOf").is_none();
        if is_object || role == Role::Arguments || !self.limits.object_root {
            return Root { piece: piece(named, self.limits, &self.defs), wrapped: false };
        }
        let wrapper = json!({
            "type": "object",
            "properties": { WRAPPER: schema },
            "required": [WRAPPER],
            "additionalProperties": false,
        });
        let mut piece = piece(&wrapper, self.limits, &self.defs);
        // Places are told in the schema that there was before.
        let inside = format!("/properties/{WRAPPER}");
        let places = piece.losses.iter_mut().map(|loss| &mut loss.at).chain(piece.refusals.iter_mut().map(|refusal| &mut refusal.at));
        for at in places {
            *at = at.strip_prefix(&inside).unwrap_or(at).to_owned();
        }
        Root { piece, wrapped: true }
    }

    /// Follows the references of a root.
    pub(crate) fn whole(&mut self, root: &Root) -> Whole {
        let mut whole = Whole { refusals: root.piece.refusals.clone(), ..Whole::default() };
        let mut total = root.piece.counts;
        let mut open: Vec<String> = root.piece.references.iter().rev().map(|reference| reference.name.clone()).collect();
        while let Some(name) = open.pop() {
            if !whole.reached.insert(name.clone()) {
                continue;
            }
            self.make(&name);
            let Some(piece) = self.made.get(&name) else { continue };
            let base = child("/$defs", &name);
            whole.refusals.extend(piece.refusals.iter().map(|it| Refusal { at: format!("{base}{}", it.at), why: it.why }));
            add(&mut total, &piece.counts, name.len());
            open.extend(piece.references.iter().rev().map(|reference| reference.name.clone()));
        }
        whole.refusals.extend(self.too_much(&total).map(|why| Refusal { at: String::new(), why }));
        self.circles(&mut whole);
        whole
    }

    fn too_much(&self, total: &Counts) -> impl Iterator<Item = Reason> + use<> {
        let limits = self.limits;
        let checks = [
            (limits.most_properties, total.properties, Reason::TooManyProperties),
            (limits.deepest, total.deepest, Reason::TooDeep),
            (limits.most_values, total.values, Reason::TooManyValues),
            (limits.most_text, total.text, Reason::TooLong),
            (limits.most_optional, total.optional, Reason::TooManyOptional),
            (limits.most_unions, total.unions, Reason::TooManyUnions),
        ];
        checks.into_iter().filter(|(most, found, _)| most.is_some_and(|most| *found > most)).map(|(_, _, why)| why)
    }

    /// Types that hold themselves.
    fn circles(&self, whole: &mut Whole) {
        match self.limits.recursion {
            Recursion::Allowed => {}
            Recursion::Refused => whole.refusals.extend(self.circle(&whole.reached, true).map(|at| Refusal { at, why: Reason::Recursive })),
            Recursion::Optional => match self.circle(&whole.reached, false) {
                Some(at) => whole.refusals.push(Refusal { at, why: Reason::Recursive }),
                None => whole.losses.extend(self.circle(&whole.reached, true).map(|at| Loss { at, to: Fate::Limited })),
            },
        }
    }

    /// The pointer of a reference that closes a circle; only references that are always there count unless `all` is set.
    fn circle(&self, names: &BTreeSet<String>, all: bool) -> Option<String> {
        // 1: on the way; 2: done, and in no circle.
        let mut state: BTreeMap<&str, u8> = BTreeMap::new();
        for start in names {
            if state.contains_key(start.as_str()) {
                continue;
            }
            let mut way = vec![(start.as_str(), 0_usize)];
            state.insert(start, 1);
            while let Some((name, next)) = way.last_mut() {
                let references = self.made.get(*name).map_or(&[][..], |piece| &piece.references);
                let Some(reference) = references.get(*next) else {
                    state.insert(name, 2);
                    way.pop();
                    continue;
                };
                *next += 1;
                if !all && reference.optional {
                    continue;
                }
                match state.get(reference.name.as_str()) {
                    Some(1) => return Some(format!("{}{}", child("/$defs", name), reference.at)),
                    Some(_) => {}
                    None => {
                        state.insert(&reference.name, 1);
                        way.push((&reference.name, 0));
                    }
                }
            }
        }
        None
    }
}

fn add(total: &mut Counts, counts: &Counts, name: usize) {
    total.properties += counts.properties;
    total.values += counts.values;
    total.text += counts.text + name;
    total.optional += counts.optional;
    total.unions += counts.unions;
    total.deepest = total.deepest.max(counts.deepest);
}
