//! Records: fields that come, go, are renamed, and may be left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use weave_diagnostics::{Severity, closest};

use super::shape::type_text;
use super::{Comparison, Delta, Side, Strength, child};
use crate::codes::schema as codes;

/// With more pairs of fields than this, none is taken for renamed.
const MOST_PAIRS: usize = 1_024;

/// What a schema says of its fields.
struct Record<'d> {
    side: Side<'d>,
    properties: Option<&'d Map<String, Value>>,
    required: BTreeSet<&'d str>,
    open: bool,
}

impl<'d> Record<'d> {
    fn of(side: &Side<'d>) -> Self {
        let required = side.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let open = !matches!(side.get("additionalProperties"), Some(Value::Bool(false)));
        Self { properties: side.get("properties").and_then(Value::as_object), required, open, side: side.clone() }
    }

    fn fields(&self) -> impl Iterator<Item = (&'d String, &'d Value)> + use<'d> {
        self.properties.into_iter().flatten()
    }

    fn get(&self, name: &str) -> Option<&'d Value> {
        self.properties?.get(name)
    }

    fn pointer(&self, name: &str) -> String {
        child(&format!("{}/properties", self.side.pointer), name)
    }

    fn field(&self, name: &str) -> Option<Side<'d>> {
        Some(Side { pointer: self.pointer(name), value: self.get(name)? })
    }
}

impl<'d> Comparison<'d> {
    pub(super) fn record(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>) {
        let (old, new) = (Record::of(old), Record::of(new));
        let renamed = renamed(&old, &new);
        for (name, _) in old.fields() {
            let is_moved = renamed.iter().any(|(before, _)| *before == name);
            match (old.field(name), new.field(name)) {
                (Some(before), Some(after)) => {
                    self.presence(unit, path, name, &old, &new);
                    self.default(unit, path, name, &old, &new);
                    self.deeper(unit, format!("{path}.{name}"), Some(before), Some(after));
                }
                (Some(_), None) if !is_moved => self.field_removed(unit, path, name, &old, &new),
                _ => {}
            }
        }
        for (name, _) in new.fields().filter(|(name, _)| old.get(name).is_none()) {
            match renamed.iter().find(|(_, after)| *after == name) {
                Some((before, _)) => self.field_renamed(unit, path, (before, name), &old, &new),
                None => self.field_added(unit, path, name, &old, &new),
            }
        }
        self.openness(unit, path, &old, &new);
    }

    fn field_removed(&mut self, unit: usize, path: &str, name: &str, old: &Record<'d>, new: &Record<'d>) {
        let needed = old.required.contains(name);
        let delta = Delta::new(&codes::FIELD_REMOVED, &format!("{path}.{name}"), "was removed")
            .narrows(if new.open { Strength::No } else { Strength::Hard })
            .widens(if needed { Strength::Hard } else { Strength::No })
            .old(&old.pointer(name), "was here")
            .new_place(&new.side.pointer, format!("no longer has `{name}`"));
        self.add(unit, delta);
    }

    fn field_added(&mut self, unit: usize, path: &str, name: &str, old: &Record<'d>, new: &Record<'d>) {
        let path = format!("{path}.{name}");
        let seen = if old.open { Strength::No } else { Strength::Soft };
        let delta = if new.required.contains(name) {
            let help = "give it a default, or make it optional: `name?: T`";
            Delta::new(&codes::REQUIRED_FIELD_ADDED, &path, "was added and is required").narrows(Strength::Hard).help(help)
        } else {
            // In an open record somebody may have sent something else under this name.
            let taken = if old.open { Strength::Soft } else { Strength::No };
            Delta::new(&codes::OPTIONAL_FIELD_ADDED, &path, "was added and is optional").narrows(taken)
        };
        self.add(unit, delta.widens(seen).old(&old.side.pointer, "").new_place(&new.pointer(name), "new"));
    }

    fn field_renamed(&mut self, unit: usize, path: &str, (before, after): (&str, &str), old: &Record<'d>, new: &Record<'d>) {
        let delta = Delta::new(&codes::FIELD_RENAMED, &format!("{path}.{before}"), format!("was probably renamed to `{after}`"))
            .narrows(Strength::Hard)
            .widens(if old.required.contains(before) { Strength::Hard } else { Strength::Soft })
            .old(&old.pointer(before), "old name")
            .new_place(&new.pointer(after), "new name")
            .help(format!("keep the name in JSON: `@wire(\"{before}\")` before the field"));
        self.add(unit, delta);
    }

    /// Whether a field may be left out.
    fn presence(&mut self, unit: usize, path: &str, name: &str, old: &Record<'d>, new: &Record<'d>) {
        let path = format!("{path}.{name}");
        let (before, after) = (old.pointer(name), new.pointer(name));
        match (old.required.contains(name), new.required.contains(name)) {
            (false, true) => {
                let delta = Delta::new(&codes::FIELD_REQUIRED, &path, "is now required").narrows(Strength::Hard);
                self.add(unit, delta.old(&before, "was optional").new_place(&after, "is required"));
            }
            (true, false) => {
                let delta = Delta::new(&codes::FIELD_OPTIONAL, &path, "is now optional").widens(Strength::Hard);
                self.add(unit, delta.old(&before, "was required").new_place(&after, "is optional"));
            }
            _ => {}
        }
    }

    /// What stands in place of a field that is left out.
    fn default(&mut self, unit: usize, path: &str, name: &str, old: &Record<'d>, new: &Record<'d>) {
        let default = |record: &Record<'d>| record.get(name).and_then(|schema| schema.get("default"));
        let stays_optional = !old.required.contains(name) && !new.required.contains(name);
        let said = match (default(old), default(new)) {
            _ if !stays_optional => return,
            (before, after) if before == after => return,
            (Some(before), Some(after)) => format!("now defaults to `{after}`; previously `{before}`"),
            (Some(before), None) => format!("no longer has a default; previously `{before}`"),
            (None, Some(after)) => format!("now defaults to `{after}`; previously it had no default"),
            (None, None) => return,
        };
        let delta = Delta::new(&codes::DEFAULT_CHANGED, &format!("{path}.{name}"), said).at_least(Severity::Warning);
        self.add(unit, delta.old(&old.pointer(name), "as before").new_place(&new.pointer(name), "a different default"));
    }

    /// Whether other fields are let through.
    fn openness(&mut self, unit: usize, path: &str, old: &Record<'d>, new: &Record<'d>) {
        let (said, narrows, widens) = match (old.open, new.open) {
            (true, false) => ("now rejects other fields", Strength::Hard, Strength::No),
            (false, true) => ("now accepts other fields", Strength::No, Strength::Soft),
            _ => return,
        };
        let delta = Delta::new(&codes::OPENNESS_CHANGED, path, said).narrows(narrows).widens(widens);
        let word = |open: bool| if open { "open" } else { "closed" };
        let delta = delta.old(&old.side.pointer, format!("was {}", word(old.open)));
        self.add(unit, delta.new_place(&new.side.pointer, format!("is {}", word(new.open))));
    }
}

/// Fields that are most likely the same under another name: they say so with `@wire`, or the new one is alike in name and of the same type, or of a type that is no
/// other's.
fn renamed<'d>(old: &Record<'d>, new: &Record<'d>) -> Vec<(&'d String, &'d String)> {
    let gone: Vec<_> = old.fields().filter(|(name, _)| new.get(name).is_none()).collect();
    let mut fresh: Vec<_> = new.fields().filter(|(name, _)| old.get(name).is_none()).collect();
    let mut found = Vec::new();
    // Of hundreds of fields that come and go nobody can say which became which, and each would be held against each.
    if gone.len().saturating_mul(fresh.len()) > MOST_PAIRS {
        return found;
    }
    for (before, schema) in &gone {
        let of_source = |name: &'d String, schema: &'d Value| schema.get("x-weave-name").and_then(Value::as_str).unwrap_or(name);
        let by_wire = fresh.iter().position(|(name, other)| of_source(name, other) == of_source(before, schema));
        let alike: Vec<&(&String, &Value)> = fresh.iter().filter(|(_, other)| same_type(schema, other)).collect();
        let by_name = closest(before, alike.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
        let only = || match alike.as_slice() {
            [(name, other)] if is_telling(other) && gone.iter().filter(|(_, other)| same_type(schema, other)).count() == 1 => {
                Some((*name).clone())
            }
            _ => None,
        };
        let place = by_wire.or_else(|| {
            let name = by_name.or_else(only)?;
            fresh.iter().position(|(other, _)| **other == name)
        });
        if let Some(place) = place {
            found.push((*before, fresh.remove(place).0));
        }
    }
    found
}

fn same_type(one: &Value, other: &Value) -> bool {
    let bare = |schema: &Value| {
        let mut schema = schema.clone();
        if let Some(entries) = schema.as_object_mut() {
            entries.retain(|key, _| !super::texts::is_text(key));
        }
        schema
    };
    type_text(one) == type_text(other) && bare(one) == bare(other)
}

/// Whether a type is rare enough to tell its field by it.
fn is_telling(schema: &Value) -> bool {
    schema.get("$ref").is_some() || schema.get("enum").is_some() || schema.get("format").is_some() || schema.get("properties").is_some()
}
