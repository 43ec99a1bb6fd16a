//! Chance, and the values of a random world.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;

use serde_json::Value;
use weave_ir::Schema;
use weave_runner::validator;
use weave_sample::{Choice, Sampler};

use crate::literal::whole;
use crate::script::{LineKind, Literal};
use crate::subject::Subject;

/// A long text has so many times ten characters.
const LONG_TEXT: usize = 5;
/// So many values are remembered of one name.
const MOST_KNOWN: usize = 24;
/// The longest fan-out that is begun on purpose; longer lists only make runs longer.
const LONGEST_LIST: usize = 6;

/// Whether a value fits a schema.
type Check = Box<dyn Fn(&Value) -> bool>;

/// A random sequence, and what is needed to make values.
pub(crate) struct Values {
    state: u64,
    types: Value,
    /// Whether a value fits a schema, by the text of the schema.
    checks: BTreeMap<String, Check>,
}

/// The values that a run was given so far, by the names of their fields.
#[derive(Default)]
pub(crate) struct Pool(BTreeMap<String, Vec<Value>>);

impl Pool {
    /// Remembers what a line gives.
    pub(crate) fn take(&mut self, kind: &LineKind) {
        let given = match kind {
            LineKind::Start { input: given }
            | LineKind::Answer { value: given, .. }
            | LineKind::Send { payload: given, .. }
            | LineKind::Call { args: given, .. } => given.as_ref(),
            _ => None,
        };
        if let Some(given) = given {
            self.add("", &whole(given));
        }
    }

    fn add(&mut self, name: &str, value: &Value) {
        let mut open = vec![(name.to_owned(), value)];
        while let Some((name, value)) = open.pop() {
            match value {
                Value::Object(entries) => open.extend(entries.iter().map(|(key, value)| (key.clone(), value))),
                Value::Array(items) => open.extend(items.iter().take(LONGEST_LIST).map(|item| (name.clone(), item))),
                Value::Null | Value::Bool(_) => {}
                leaf => {
                    let known = self.0.entry(name).or_default();
                    if known.len() < MOST_KNOWN && !known.contains(leaf) {
                        known.push(leaf.clone());
                    }
                }
            }
        }
    }
}

impl Values {
    pub(crate) fn new(subject: &Subject, seed: u64) -> Self {
        let types = serde_json::to_value(&subject.definition().defs).unwrap_or_default();
        Self { state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(1), types, checks: BTreeMap::new() }
    }

    /// The next number of the sequence (SplitMix64).
    pub(crate) fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one; 0 for 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.number() % count).unwrap_or_default()
    }

    /// A value that fits a schema, at times with parts of what the run was given before.
    pub(crate) fn value(&mut self, sampler: &Sampler<'_>, schema: &Schema, pool: &Pool) -> Option<Value> {
        let mut choice = match self.below(3) {
            0 => Choice::Filling(self.below(8) as u32),
            _ => Choice::Random(self.number()),
        };
        let mut value = sampler.value(schema, &mut choice)?;
        shorten(&mut value);
        if self.below(6) == 0 {
            let mut bent = value.clone();
            self.bend(&mut bent);
            if self.fits(schema, &bent) {
                return Some(bent);
            }
        }
        let mut echoed = value.clone();
        if self.below(2) == 0 && self.echo(&mut echoed, pool) && echoed != value && self.fits(schema, &echoed) {
            return Some(echoed);
        }
        self.fits(schema, &value).then_some(value).or_else(|| sampler.value(schema, &mut choice))
    }

    /// Puts values of the run in the place of some parts; whether there was one.
    fn echo(&mut self, value: &mut Value, pool: &Pool) -> bool {
        let mut changed = false;
        let mut open: Vec<(String, &mut Value)> = vec![(String::new(), value)];
        while let Some((name, value)) = open.pop() {
            match value {
                Value::Object(entries) => open.extend(entries.iter_mut().map(|(key, value)| (key.clone(), value))),
                Value::Array(items) => open.extend(items.iter_mut().take(LONGEST_LIST).map(|item| (name.clone(), item))),
                Value::String(_) | Value::Number(_) if self.below(2) == 0 => {
                    let same_kind = |known: &&Value| known.is_string() == value.is_string();
                    let named: Vec<&Value> = pool.0.get(&name).into_iter().flatten().filter(same_kind).collect();
                    let any: Vec<&Value> = if named.is_empty() { pool.0.values().flatten().filter(same_kind).collect() } else { named };
                    if let Some(known) = any.get(self.below(any.len())) {
                        *value = (*known).clone();
                        changed = true;
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Makes some texts empty or long, and some numbers large, small or zero.
    fn bend(&mut self, value: &mut Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(entries) => open.extend(entries.values_mut()),
                Value::Array(items) => open.extend(items.iter_mut().take(LONGEST_LIST)),
                Value::String(text) if self.below(2) == 0 => {
                    *text = if self.below(3) == 0 { String::new() } else { "long text ".repeat(LONG_TEXT) };
                }
                Value::Number(number) if self.below(2) == 0 => {
                    let odd = [-1_000_000, -1, 0, 1, 1_000_000];
                    *number = odd.get(self.below(odd.len())).copied().unwrap_or_default().into();
                }
                _ => {}
            }
        }
    }

    fn fits(&mut self, schema: &Schema, value: &Value) -> bool {
        let key = schema.as_value().to_string();
        let check = match self.checks.entry(key) {
            Place::Occupied(known) => known.into_mut(),
            Place::Vacant(free) => {
                let mut document = schema.as_value().clone();
                if let Some(entries) = document.as_object_mut() {
                    entries.insert("$defs".to_owned(), self.types.clone());
                }
                free.insert(match validator(&document) {
                    Some(validator) => Box::new(move |value| validator.is_valid(value)),
                    None => Box::new(|_| true),
                })
            }
        };
        check(value)
    }
}

/// Cuts long lists, unless they are that long for a reason; what does not fit then is made anew.
fn shorten(value: &mut Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => open.extend(entries.values_mut()),
            Value::Array(items) => {
                items.truncate(LONGEST_LIST);
                open.extend(items.iter_mut());
            }
            _ => {}
        }
    }
}

/// A literal of a value; nothing says that all of it is made up.
pub(crate) fn literal(value: Option<Value>) -> Option<Literal> {
    value.as_ref().map(Literal::from)
}
