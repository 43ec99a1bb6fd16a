//! Bounds, patterns and other constraints.

use std::cmp::Ordering;

use serde_json::Value;

use super::{Comparison, Delta, Side, Strength};
use crate::codes::schema as codes;

/// What a constraint bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Least,
    Most,
}

/// The keywords with bounds, and what is said of them. Those of the wire form of bytes follow from others.
const BOUNDS: [(&str, Bound, &str); 10] = [
    ("minimum", Bound::Least, "minimum value"),
    ("maximum", Bound::Most, "maximum value"),
    ("x-weave-min", Bound::Least, "minimum value"),
    ("x-weave-max", Bound::Most, "maximum value"),
    ("minLength", Bound::Least, "minimum length"),
    ("maxLength", Bound::Most, "maximum length"),
    ("minItems", Bound::Least, "minimum number of elements"),
    ("maxItems", Bound::Most, "maximum number of elements"),
    ("minProperties", Bound::Least, "minimum number of entries"),
    ("maxProperties", Bound::Most, "maximum number of entries"),
];

/// Keywords that others look at.
const KNOWN: [&str; 25] = [
    "$ref",
    "type",
    "format",
    "contentEncoding",
    "enum",
    "const",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "pattern",
    "uniqueItems",
    "title",
    "description",
    "examples",
    "default",
    "deprecated",
    "writeOnly",
    "readOnly",
    "x-weave-secret",
    "x-weave-deprecated",
    "x-weave-name",
    "x-weave-names",
    "x-weave-tag",
];

impl<'d> Comparison<'d> {
    /// The constraints of two schemas of one type.
    pub(super) fn limits(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>) {
        for (key, bound, what) in BOUNDS {
            self.bound(unit, path, old, new, (key, bound, what));
        }
        let unique = |side: &Side<'d>| side.get("uniqueItems") == Some(&Value::Bool(true));
        match (unique(old), unique(new)) {
            (false, true) => self.constraint(unit, path, (old, new), "may no longer contain duplicates", true, false),
            (true, false) => self.constraint(unit, path, (old, new), "may now contain duplicates", false, true),
            _ => {}
        }
        self.other(unit, path, old, new, "pattern", "pattern");
        let mut keys: Vec<&String> = [old, new].iter().filter_map(|side| side.value.as_object()).flat_map(|it| it.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            if !KNOWN.contains(&key.as_str()) && !BOUNDS.iter().any(|(known, _, _)| known == key) {
                self.other(unit, path, old, new, key, &format!("keyword `{key}`"));
            }
        }
    }

    fn bound(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>, (key, bound, what): (&str, Bound, &str)) {
        // The lengths of base64 say what the octets say.
        if key.ends_with("Length") && old.get("contentEncoding").is_some() {
            return;
        }
        let (before, after) = (limit(old, key), limit(new, key));
        if before == after {
            return;
        }
        let said = match (before, after) {
            (Some(before), Some(after)) => format!("now has the {what} {}; previously {}", plain(after), plain(before)),
            (None, Some(after)) => format!("now has the {what} {}", plain(after)),
            (Some(before), None) => format!("no longer has the {what} {}", plain(before)),
            (None, None) => return,
        };
        let order = match (before, after) {
            (Some(before), Some(after)) => compare(before, after),
            (None, _) => Some(if bound == Bound::Least { Ordering::Less } else { Ordering::Greater }),
            (_, None) => Some(if bound == Bound::Least { Ordering::Greater } else { Ordering::Less }),
        };
        let (tighter, looser) = match (order, bound) {
            (Some(Ordering::Equal), _) => return,
            (Some(Ordering::Less), Bound::Least) | (Some(Ordering::Greater), Bound::Most) => (true, false),
            (Some(_), _) => (false, true),
            (None, _) => (true, true),
        };
        self.constraint(unit, path, (old, new), &said, tighter, looser);
    }

    /// A keyword whose values cannot be compared: without it more fits.
    fn other(&mut self, unit: usize, path: &str, old: &Side<'d>, new: &Side<'d>, key: &str, what: &str) {
        match (old.get(key), new.get(key)) {
            (before, after) if before == after => {}
            (None, Some(after)) => self.constraint(unit, path, (old, new), &format!("now has the {what} {}", quoted(after)), true, false),
            (Some(before), None) => {
                self.constraint(unit, path, (old, new), &format!("no longer has the {what} {}", quoted(before)), false, true);
            }
            (Some(before), Some(after)) => {
                let said = format!("now has the {what} {}; previously {}", quoted(after), quoted(before));
                self.constraint(unit, path, (old, new), &said, true, true);
            }
            (None, None) => {}
        }
    }

    fn constraint(&mut self, unit: usize, path: &str, (old, new): (&Side<'d>, &Side<'d>), said: &str, tighter: bool, looser: bool) {
        let strength = |is: bool| if is { Strength::Hard } else { Strength::No };
        let kind = if tighter { &codes::CONSTRAINT_TIGHTENED } else { &codes::CONSTRAINT_LOOSENED };
        let delta = Delta::new(kind, path, said).narrows(strength(tighter)).widens(strength(looser));
        self.add(unit, delta.old(&old.pointer, "as before").new_place(&new.pointer, if tighter { "accepts less" } else { "accepts more" }));
    }
}

/// A bound; that of every `int` is none.
fn limit<'d>(side: &Side<'d>, key: &str) -> Option<&'d Value> {
    let whole = side.get("type").and_then(Value::as_str) == Some("integer");
    side.get(key).filter(|value| !(whole && value.as_f64().is_some_and(|number| number.abs() >= weave_ir::GREATEST_NUMBER)))
}

/// Which of two bounds is the greater one, if that can be told.
fn compare(before: &Value, after: &Value) -> Option<Ordering> {
    match (before, after) {
        (Value::Number(before), Value::Number(after)) => before.as_f64()?.partial_cmp(&after.as_f64()?),
        (Value::String(before), Value::String(after)) => match (decimal(before), decimal(after)) {
            (Some(before), Some(after)) => Some(before.compare(&after)),
            // Days, and moments of one zone, stand in the order of their texts.
            _ if before.len() == after.len()
                && zone(before).eq_ignore_ascii_case(zone(after))
                && before.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                Some(before.to_ascii_uppercase().cmp(&after.to_ascii_uppercase()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a moment says of its zone; nothing of a day.
fn zone(text: &str) -> &str {
    let time = text.split_once(['T', 't']).map_or("", |(_, time)| time);
    time.find(['Z', 'z', '+', '-']).and_then(|start| time.get(start..)).unwrap_or_default()
}

/// A decimal number of any length.
struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
}

fn decimal(text: &str) -> Option<Decimal<'_>> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = !whole.is_empty() && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let is_zero = whole.is_empty() && fraction.is_empty();
    is_number.then_some(Decimal { negative: negative && !is_zero, whole, fraction })
}

impl Decimal<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        let size = |one: &Self, other: &Self| {
            one.whole.len().cmp(&other.whole.len()).then_with(|| one.whole.cmp(other.whole)).then_with(|| one.fraction.cmp(other.fraction))
        };
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => size(self, other),
            (true, true) => size(other, self),
        }
    }
}

/// A bound as one writes it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn quoted(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = plain(value);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_compared_by_their_values() {
        let order = |before: &str, after: &str| compare(&Value::from(before), &Value::from(after));
        assert_eq!(order("9.5", "10"), Some(Ordering::Less));
        assert_eq!(order("1.50", "1.5"), Some(Ordering::Equal));
        assert_eq!(order("-2", "-10.1"), Some(Ordering::Greater));
        assert_eq!(order("-0", "0.0"), Some(Ordering::Equal));
        assert_eq!(order("0.05", "0.1"), Some(Ordering::Less));
        assert_eq!(order("2026-01-01", "2025-12-31"), Some(Ordering::Greater));
        assert_eq!(order("2026-01-01T12:00:00+05:00", "2026-01-01T13:00:00+05:00"), Some(Ordering::Less));
        assert_eq!(order("2026-01-01T13:00:00z", "2026-01-01t12:00:00Z"), Some(Ordering::Greater));
        // The second is later, although its hour is less.
        assert_eq!(order("2026-01-01T12:00:00+05:00", "2026-01-01T11:00:00+01:00"), None);
        assert_eq!(order("PT1M", "PT90S"), None);
        assert_eq!(compare(&Value::from(1), &Value::from(1.5)), Some(Ordering::Less));
    }
}
