//! Equality and order.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Number, Value};
use weave_ir::{Operator, ValueType};

use crate::EvalError;
use crate::value::{Item, Scalar, check};

/// A value as a comparison of one type sees it.
enum Compared<'v> {
    Null,
    Scalar(Scalar<'v>),
    Json(Cow<'v, Value>),
}

impl<'v> Compared<'v> {
    fn of(item: Item<'v>, value_type: ValueType) -> Result<Self, EvalError> {
        if item.is_null() {
            return Ok(Self::Null);
        }
        match value_type {
            ValueType::List | ValueType::Map | ValueType::Record => {
                let value = item.wire()?;
                check(&value, value_type)?;
                Ok(Self::Json(value))
            }
            ValueType::Json | ValueType::Null => item.wire().map(Self::Json),
            _ => Ok(item.scalar(value_type)?.map_or(Self::Null, Self::Scalar)),
        }
    }

    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Scalar(one), Self::Scalar(other)) => one.compare(other) == Some(Ordering::Equal),
            (Self::Json(one), Self::Json(other)) => same_json(one, other),
            _ => false,
        }
    }
}

/// `==` of a type: null equals null and nothing else.
pub(crate) fn equal<'v>(one: Item<'v>, other: Item<'v>, value_type: ValueType) -> Result<bool, EvalError> {
    Ok(Compared::of(one, value_type)?.equals(&Compared::of(other, value_type)?))
}

/// `<`, `<=`, `>` or `>=` of a type.
pub(crate) fn ordered(operator: Operator, one: Item<'_>, other: Item<'_>, value_type: ValueType) -> Result<bool, EvalError> {
    let order = one.some(value_type)?.compare(&other.some(value_type)?);
    Ok(match operator {
        Operator::Less => order.is_some_and(Ordering::is_lt),
        Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
        Operator::Greater => order.is_some_and(Ordering::is_gt),
        _ => order.is_some_and(Ordering::is_ge),
    })
}

/// `in`: whether an element of a list equals the value, or a map has it as a key.
pub(crate) fn contained(value: Item<'_>, container: Item<'_>, value_type: ValueType) -> Result<bool, EvalError> {
    if let Item::Wire(entries, _) = &container
        && let Value::Object(entries) = entries.as_ref()
    {
        return Ok(!value.is_null() && entries.contains_key(value.text()?.as_ref()));
    }
    let elements = container.elements()?;
    let value = Compared::of(value, value_type)?;
    let mut error = None;
    // An element that equals the value decides, whatever the others are: as in `exists`.
    for element in elements {
        match Compared::of(element, value_type) {
            Ok(element) if value.equals(&element) => return Ok(true),
            Ok(_) => {}
            Err(found) => error = error.or(Some(found)),
        }
    }
    error.map_or(Ok(false), Err)
}

/// Whether two values are the same JSON: numbers by value, objects whatever the order of their keys.
fn same_json(one: &Value, other: &Value) -> bool {
    let mut open = vec![(one, other)];
    while let Some(pair) = open.pop() {
        match pair {
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => open.extend(one.iter().zip(other)),
            (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
                for (key, value) in one {
                    let Some(counterpart) = other.get(key) else { return false };
                    open.push((value, counterpart));
                }
            }
            (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => return false,
            (Value::Number(one), Value::Number(other)) if same_number(one, other) => {}
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}

fn same_number(one: &Number, other: &Number) -> bool {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.as_f64() == other.as_f64(),
        _ => false,
    }
}

/// The number as a whole one of any size that JSON numbers have, if it is whole and its neighbours are told apart.
fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() < 1e30).then_some(float as i128)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_compared_deeply() {
        for (one, other, expected) in [
            (json!({ "a": 1, "b": [1.0, null] }), json!({ "b": [1, null], "a": 1.0 }), true),
            (json!({ "a": 1 }), json!({ "a": 1, "b": null }), false),
            (json!({ "a": null }), json!({ "b": null }), false),
            (json!([[], {}]), json!([[], {}]), true),
            (json!([]), json!({}), false),
            (json!([1]), json!([1, 1]), false),
            (json!("1"), json!(1), false),
            (json!(0), json!(false), false),
            (json!(-0.0), json!(0), true),
            (json!(0.1), json!(0.1), true),
            (json!(0.1), json!(1), false),
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), false),
            (json!(u64::MAX), json!(-1), false),
            (json!(u64::MAX), json!(18_446_744_073_709_551_616.0), false),
            (json!(1e300), json!(1e300), true),
            (json!(1e300), json!(u64::MAX), false),
            (json!("é"), json!("e\u{301}"), false),
        ] {
            assert_eq!(same_json(&one, &other), expected, "{one} {other}");
            assert_eq!(same_json(&other, &one), expected, "{other} {one}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = |end: Value| (0..2_000).fold(end, |inner, _| Value::Array(vec![inner]));
        assert!(same_json(&deep(json!(1)), &deep(json!(1.0))));
        assert!(!same_json(&deep(json!(1)), &deep(json!(2))));
    }
}
