//! Two schemas, compared by what they admit.
//!
//! A *unit* is a schema as far as its references; what they lead to is a unit of its own, by the names on both sides, so that types may contain
//! themselves and each pair is compared once. A [`Delta`] says what became narrower or wider; for whom that matters depends on where the schema
//! stands, which is the business of [`crate::roles`].

mod limits;
mod records;
mod shape;
mod texts;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weave_diagnostics::Severity;
use weave_ir::{Definition, Schema};

use crate::Kind;
use shape::{Alternative, Shape};

/// How much a change does in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// Nothing.
    #[default]
    No,
    /// Something that only those notice who hold exactly to the schema.
    Soft,
    /// Values come or go.
    Hard,
}

/// What is another in one place of a schema.
#[derive(Clone, Debug)]
pub(crate) struct Delta {
    pub(crate) kind: &'static Kind,
    /// Where in the unit, by names: `.lines[].price`.
    pub(crate) path: String,
    /// What is said of it, behind its name: `is gone`.
    pub(crate) said: String,
    /// Whether values that fitted fit no more.
    pub(crate) narrows: Strength,
    /// Whether values fit that did not.
    pub(crate) widens: Strength,
    /// How bad it is whoever sends and reads.
    pub(crate) at_least: Severity,
    pub(crate) old: Option<(String, String)>,
    pub(crate) new: Option<(String, String)>,
    pub(crate) help: Option<String>,
}

impl Delta {
    fn new(kind: &'static Kind, path: &str, said: impl Into<String>) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            said: said.into(),
            narrows: Strength::No,
            widens: Strength::No,
            at_least: Severity::Note,
            old: None,
            new: None,
            help: None,
        }
    }

    fn narrows(mut self, strength: Strength) -> Self {
        self.narrows = strength;
        self
    }

    fn widens(mut self, strength: Strength) -> Self {
        self.widens = strength;
        self
    }

    fn at_least(mut self, level: Severity) -> Self {
        self.at_least = level;
        self
    }

    fn old(mut self, pointer: &str, label: impl Into<String>) -> Self {
        self.old = Some((pointer.to_owned(), label.into()));
        self
    }

    fn new_place(mut self, pointer: &str, label: impl Into<String>) -> Self {
        self.new = Some((pointer.to_owned(), label.into()));
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A schema of one of the definitions, with the pointer to it.
#[derive(Clone, Debug)]
pub(crate) struct Side<'d> {
    pub(crate) pointer: String,
    pub(crate) value: &'d Value,
}

impl<'d> Side<'d> {
    pub(crate) fn new(pointer: impl Into<String>, schema: &'d Schema) -> Self {
        Self { pointer: pointer.into(), value: schema.as_value() }
    }

    fn get(&self, key: &str) -> Option<&'d Value> {
        self.value.get(key)
    }

    fn child(&self, key: &str) -> Option<Self> {
        Some(Self { pointer: child(&self.pointer, key), value: self.value.get(key)? })
    }
}

/// A pointer one level deeper.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    let key = if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1") } else { key.to_owned() };
    format!("{pointer}/{key}")
}

/// A schema as far as its references, in both versions.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// What its paths begin with: the name of a type, or what has the schema, such as `refund.input`.
    pub(crate) owner: String,
    pub(crate) deltas: Vec<Delta>,
    /// What its references lead to.
    pub(crate) references: BTreeSet<usize>,
    /// The paths of parts of which only texts for people are others.
    pub(crate) texts: Vec<String>,
    /// Where the first of them stands in the new definition.
    pub(crate) place: String,
}

/// Two parts that stand in the same place.
struct Task<'d> {
    unit: usize,
    path: String,
    old: Side<'d>,
    new: Side<'d>,
}

/// The comparison of the schemas of two definitions.
pub(crate) struct Comparison<'d> {
    old: &'d BTreeMap<String, Schema>,
    new: &'d BTreeMap<String, Schema>,
    /// Whether the named types are the same, so that equal schemas mean the same.
    same_types: bool,
    pub(crate) units: Vec<Unit>,
    of_types: BTreeMap<(String, String), usize>,
    tasks: Vec<Task<'d>>,
}

impl<'d> Comparison<'d> {
    pub(crate) fn new(old: &'d Definition, new: &'d Definition) -> Self {
        let (old, new) = (&old.defs, &new.defs);
        Self { old, new, same_types: old == new, units: Vec::new(), of_types: BTreeMap::new(), tasks: Vec::new() }
    }

    /// Compares two schemas, and everything that they refer to. The answer is the number of their unit.
    pub(crate) fn schemas(&mut self, owner: &str, old: Side<'d>, new: Side<'d>) -> usize {
        let unit = self.unit(owner.to_owned());
        if self.same_types && old.value == new.value {
            return unit;
        }
        self.tasks.push(Task { unit, path: String::new(), old, new });
        while let Some(task) = self.tasks.pop() {
            self.compare(task);
        }
        unit
    }

    fn unit(&mut self, owner: String) -> usize {
        self.units.push(Unit { owner, deltas: Vec::new(), references: BTreeSet::new(), texts: Vec::new(), place: String::new() });
        self.units.len() - 1
    }

    fn add(&mut self, unit: usize, delta: Delta) {
        if let Some(unit) = self.units.get_mut(unit) {
            unit.deltas.push(delta);
        }
    }

    fn add_text(&mut self, unit: usize, path: &str, pointer: &str) {
        if let Some(unit) = self.units.get_mut(unit) {
            if unit.texts.is_empty() {
                unit.place = pointer.to_owned();
            }
            unit.texts.push(path.to_owned());
        }
    }

    /// Two parts in the same place.
    fn compare(&mut self, task: Task<'d>) {
        self.annotations(&task);
        if let (Some(old), Some(new)) = (shape::reference(task.old.value), shape::reference(task.new.value)) {
            return self.link(task.unit, old, new);
        }
        let (old, new) = (Shape::of(&task.old, self.old), Shape::of(&task.new, self.new));
        self.nullability(&task, old.nullable, new.nullable);
        self.alternatives(&task, old.alternatives, new.alternatives);
    }

    /// A pair of named types, which is compared once.
    fn link(&mut self, from: usize, old: String, new: String) {
        let key = (old, new);
        let unit = match self.of_types.get(&key) {
            Some(unit) => *unit,
            None => {
                let unit = self.unit(shape::display_name(&key.1).to_owned());
                self.of_types.insert(key.clone(), unit);
                let pair = self.old.get(&key.0).zip(self.new.get(&key.1));
                if let Some((old, new)) = pair {
                    let (old, new) = (Side::new(child("/$defs", &key.0), old), Side::new(child("/$defs", &key.1), new));
                    if !self.same_types || key.0 != key.1 {
                        self.tasks.push(Task { unit, path: String::new(), old, new });
                    }
                }
                unit
            }
        };
        if let Some(from) = self.units.get_mut(from) {
            from.references.insert(unit);
        }
    }

    /// Two alternatives that stand for each other.
    fn pair(&mut self, unit: usize, path: &str, old: Alternative<'d>, new: Alternative<'d>) {
        if let (Some(old), Some(new)) = (&old.reference, &new.reference) {
            return self.link(unit, old.clone(), new.clone());
        }
        self.types(unit, path, old.side, new.side);
    }

    /// A part of both, one level deeper.
    fn deeper(&mut self, unit: usize, path: String, old: Option<Side<'d>>, new: Option<Side<'d>>) {
        if let (Some(old), Some(new)) = (old, new) {
            self.tasks.push(Task { unit, path, old, new });
        }
    }
}
