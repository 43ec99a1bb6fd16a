//! Types, literals, null, and the alternatives of unions.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::shape::{Alternative, Base, literals, tag, type_text};
use super::{Comparison, Delta, Side, Strength, Task};
use crate::Kind;
use crate::codes::schema as codes;

impl<'d> Comparison<'d> {
    pub(super) fn nullability(&mut self, task: &Task<'d>, old: bool, new: bool) {
        let (said, narrows, widens) = match (old, new) {
            (false, true) => ("may now be null", Strength::No, Strength::Hard),
            (true, false) => ("may no longer be null", Strength::Hard, Strength::No),
            _ => return,
        };
        let (before, after) = (type_text(task.old.value), type_text(task.new.value));
        let delta = Delta::new(&codes::NULL_CHANGED, &task.path, said).narrows(narrows).widens(widens);
        let delta = delta.old(&task.old.pointer, format!("was `{before}`")).new_place(&task.new.pointer, format!("is `{after}`"));
        self.add(task.unit, delta);
    }

    pub(super) fn alternatives(&mut self, task: &Task<'d>, old: Vec<Alternative<'d>>, new: Vec<Alternative<'d>>) {
        match (old.as_slice(), new.as_slice()) {
            ([old], [new]) => return self.pair(task.unit, &task.path, old.clone(), new.clone()),
            // Null alone on one side: the rest of the change is told as a change of type.
            ([], [only]) | ([only], []) => {
                let _ = only;
                return self.type_changed(task.unit, &task.path, &task.old, &task.new, (Strength::Hard, Strength::Hard));
            }
            _ => {}
        }
        // Those of one key stand for each other in their order.
        let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (place, alternative) in old.iter().enumerate() {
            places.entry(key(alternative)).or_default().push_back(place);
        }
        let mut left: Vec<Option<Alternative<'d>>> = old.into_iter().map(Some).collect();
        let mut fresh = Vec::new();
        for alternative in new {
            let place = places.get_mut(&key(&alternative)).and_then(VecDeque::pop_front);
            match place.and_then(|place| left.get_mut(place)).and_then(Option::take) {
                Some(partner) => self.pair(task.unit, &inside(&task.path, &alternative), partner, alternative),
                None => fresh.push(alternative),
            }
        }
        let mut gone: Vec<Alternative<'d>> = left.into_iter().flatten().collect();
        if let ([_], [_]) = (gone.as_slice(), fresh.as_slice())
            && let (Some(old), Some(new)) = (gone.pop(), fresh.pop())
        {
            let same = Base::of(old.side.value) == Base::of(new.side.value) && tag(old.side.value).is_none();
            if same {
                return self.pair(task.unit, &task.path, old, new);
            }
            gone.push(old);
            fresh.push(new);
        }
        for old in gone {
            self.variant(task, &codes::VARIANT_REMOVED, &old, true);
        }
        for new in fresh {
            self.variant(task, &codes::VARIANT_ADDED, &new, false);
        }
    }

    /// An alternative that only one side has.
    fn variant(&mut self, task: &Task<'d>, kind: &'static Kind, alternative: &Alternative<'d>, is_gone: bool) {
        let name = name(alternative);
        let delta = if is_gone {
            Delta::new(kind, &task.path, format!("can no longer be {name}"))
                .narrows(Strength::Hard)
                .old(&alternative.side.pointer, "was possible")
                .new_place(&task.new.pointer, format!("without {name}"))
        } else {
            Delta::new(kind, &task.path, format!("can now also be {name}"))
                .widens(Strength::Hard)
                .old(&task.old.pointer, format!("was without {name}"))
                .new_place(&alternative.side.pointer, "new")
        };
        self.add(task.unit, delta);
    }

    /// Two types that stand for each other.
    pub(super) fn types(&mut self, unit: usize, path: &str, old: Side<'d>, new: Side<'d>) {
        let (before, after) = (Base::of(old.value), Base::of(new.value));
        let literal = (literals(old.value), literals(new.value));
        if before != after {
            let effect = effect(&before, &after, (literal.0.is_some(), literal.1.is_some()));
            return self.type_changed(unit, path, &old, &new, effect);
        }
        match literal {
            (Some(before), Some(after)) => return self.values(unit, path, &old, &new, &before, &after),
            (Some(_), None) => return self.type_changed(unit, path, &old, &new, (Strength::No, Strength::Hard)),
            (None, Some(_)) => return self.type_changed(unit, path, &old, &new, (Strength::Hard, Strength::No)),
            (None, None) => {}
        }
        self.limits(unit, path, &old, &new);
        match after {
            Base::List => self.deeper(unit, format!("{path}[]"), old.child("items"), new.child("items")),
            Base::Map => {
                self.deeper(unit, format!("{path}{{}}"), old.child("additionalProperties"), new.child("additionalProperties"));
            }
            Base::Record => self.record(unit, path, &old, &new),
            _ => {}
        }
    }

    fn type_changed(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>, (narrows, widens): (Strength, Strength)) {
        let (before, after) = (type_text(old.value), type_text(new.value));
        let delta =
            Delta::new(&codes::TYPE_CHANGED, path, format!("is now `{after}`; previously `{before}`")).narrows(narrows).widens(widens);
        let delta = delta.old(&old.pointer, format!("was `{before}`")).new_place(&new.pointer, format!("is `{after}`"));
        self.add(unit, delta);
    }

    /// Two lists of literals.
    fn values(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>, before: &[&Value], after: &[&Value]) {
        let texts = |values: &[&Value], others: &[&Value]| -> Vec<String> {
            let known: std::collections::BTreeSet<String> = others.iter().map(|value| value.to_string()).collect();
            values.iter().map(|value| value.to_string()).filter(|value| !known.contains(value)).collect()
        };
        let (gone, fresh) = (texts(before, after), texts(after, before));
        if !gone.is_empty() {
            let delta = Delta::new(&codes::VALUE_REMOVED, path, format!("can no longer be {}", either(&gone))).narrows(Strength::Hard);
            let delta = delta.old(&old.pointer, format!("was `{}`", type_text(old.value)));
            self.add(unit, delta.new_place(&new.pointer, format!("without {}", either(&gone))));
        }
        if !fresh.is_empty() {
            let delta = Delta::new(&codes::VALUE_ADDED, path, format!("can now also be {}", either(&fresh))).widens(Strength::Hard);
            let delta = delta.old(&old.pointer, format!("was `{}`", type_text(old.value)));
            self.add(unit, delta.new_place(&new.pointer, format!("with {}", either(&fresh))));
        }
    }
}

/// What becomes of values when one type takes the place of another.
fn effect(before: &Base, after: &Base, (old_literals, new_literals): (bool, bool)) -> (Strength, Strength) {
    let narrower = |strength: bool| if strength { Strength::Hard } else { Strength::No };
    match (before, after) {
        (_, Base::Anything) => (Strength::No, Strength::Hard),
        (Base::Anything, _) => (Strength::Hard, Strength::No),
        (Base::Integer, Base::Number) => (narrower(new_literals), Strength::Hard),
        (Base::Number, Base::Integer) => (Strength::Hard, narrower(old_literals)),
        (Base::Text(_), Base::Text(format)) if format.is_empty() => (narrower(new_literals), Strength::Hard),
        (Base::Text(format), Base::Text(_)) if format.is_empty() => (Strength::Hard, narrower(old_literals)),
        _ => (Strength::Hard, Strength::Hard),
    }
}

/// What an alternative is found again by.
fn key(alternative: &Alternative<'_>) -> String {
    if let Some(tag) = tag(alternative.side.value) {
        return format!("tag {tag}");
    }
    match &alternative.reference {
        Some(name) => format!("type {}", super::shape::display_name(name)),
        None => format!("{:?}", Base::of(alternative.side.value)),
    }
}

/// The path of what is in an alternative: variants of a tagged union stand apart.
fn inside(path: &str, alternative: &Alternative<'_>) -> String {
    match (tag(alternative.side.value), &alternative.reference) {
        (Some(tag), None) => format!("{path}.{tag}"),
        _ => path.to_owned(),
    }
}

fn name(alternative: &Alternative<'_>) -> String {
    match (tag(alternative.side.value), &alternative.reference) {
        (Some(tag), _) => format!("the variant `{tag}`"),
        (None, Some(name)) => format!("`{}`", super::shape::display_name(name)),
        (None, None) => format!("`{}`", type_text(alternative.side.value)),
    }
}

/// `"a"`, `"b"` or `"c"`.
fn either(values: &[String]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
