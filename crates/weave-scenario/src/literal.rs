//! Values that a test says: given ones become values, expected ones are compared.

use serde_json::{Map, Value};
use weave_sample::Partial;

use crate::script::{Entry, Literal, LiteralKind, Span};

/// Where a value is not the expected one.
pub(crate) struct Mismatch {
    /// The part of the expectation.
    pub(crate) span: Span,
    /// What is there; none: nothing.
    pub(crate) found: Option<Value>,
    /// Where in the value, as a JSON pointer.
    pub(crate) pointer: String,
    /// The name of a field that is there and is not expected.
    pub(crate) extra: Option<String>,
}

/// What is given, with `...` left open.
pub(crate) fn partial(literal: &Literal) -> Partial {
    match &literal.kind {
        LiteralKind::Object { entries, rest } => {
            let entries = entries.iter().map(|entry| (entry.key.clone(), partial(&entry.value))).collect();
            Partial::Object { entries, open: rest.is_some() }
        }
        LiteralKind::List { items, .. } => Partial::List(items.iter().map(partial).collect()),
        _ => Partial::Whole(whole(literal)),
    }
}

/// The value without what `...` leaves open.
pub(crate) fn whole(literal: &Literal) -> Value {
    match &literal.kind {
        LiteralKind::Null => Value::Null,
        LiteralKind::Bool(value) => Value::Bool(*value),
        LiteralKind::Number(number) => Value::Number(number.clone()),
        LiteralKind::String(text) => Value::String(text.clone()),
        LiteralKind::List { items, .. } => items.iter().map(whole).collect(),
        LiteralKind::Object { entries, .. } => {
            Value::Object(entries.iter().map(|entry| (entry.key.clone(), whole(&entry.value))).collect::<Map<_, _>>())
        }
    }
}

/// The first place where a value is not as expected.
pub(crate) fn mismatch(expected: &Literal, found: &Value, pointer: &str) -> Option<Mismatch> {
    let other = || Some(Mismatch { span: expected.span, found: Some(found.clone()), pointer: pointer.to_owned(), extra: None });
    match (&expected.kind, found) {
        (LiteralKind::Object { entries, rest }, Value::Object(there)) => object_mismatch(expected, entries, *rest, there, pointer),
        (LiteralKind::List { items, rest }, Value::Array(there)) => {
            let pairs = items.iter().zip(there).enumerate();
            let inner = pairs.map(|(index, (item, there))| mismatch(item, there, &format!("{pointer}/{index}"))).find(Option::is_some);
            let length_fits = if rest.is_some() { there.len() >= items.len() } else { there.len() == items.len() };
            inner.flatten().or_else(|| if length_fits { None } else { other() })
        }
        (LiteralKind::Number(expected), Value::Number(found)) if expected == found || expected.as_f64() == found.as_f64() => None,
        _ if whole(expected) == *found => None,
        _ => other(),
    }
}

fn object_mismatch(
    expected: &Literal,
    entries: &[Entry],
    rest: Option<Span>,
    there: &Map<String, Value>,
    pointer: &str,
) -> Option<Mismatch> {
    for entry in entries {
        let pointer = format!("{pointer}/{}", escape(&entry.key));
        let found = match there.get(&entry.key) {
            Some(found) => mismatch(&entry.value, found, &pointer),
            None => Some(Mismatch { span: entry.value.span, found: None, pointer, extra: None }),
        };
        if found.is_some() {
            return found;
        }
    }
    let extra = there.iter().find(|(key, _)| rest.is_none() && !entries.iter().any(|entry| entry.key == **key));
    extra.map(|(key, value)| Mismatch {
        span: expected.span,
        found: Some(value.clone()),
        pointer: format!("{pointer}/{}", escape(key)),
        extra: Some(key.clone()),
    })
}

/// Where the `...` is that leaves a part of a value open.
pub(crate) fn rest_at(literal: &Literal, pointer: &str) -> Option<Span> {
    let LiteralKind::Object { entries, rest } = &literal.kind else {
        let LiteralKind::List { items, .. } = &literal.kind else { return None };
        let (index, below) = first_key(pointer)?;
        return rest_at(items.get(index.parse::<usize>().ok()?)?, below);
    };
    let (key, below) = first_key(pointer)?;
    match entries.iter().find(|entry| escape(&entry.key) == key) {
        Some(entry) => rest_at(&entry.value, below),
        None => *rest,
    }
}

fn first_key(pointer: &str) -> Option<(&str, &str)> {
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split_at(rest.find('/').unwrap_or(rest.len())))
}

/// A key in a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
