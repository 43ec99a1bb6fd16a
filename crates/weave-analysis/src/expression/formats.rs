//! The scalars that are strings in JSON: which of their texts are correct, and how two of them compare.

use std::cmp::Ordering;

use weave_scalars::{Form, time};

use crate::model::types::Scalar;

/// The form of a scalar that is a string of a certain form in JSON; a `string` may be any text.
#[must_use]
pub(crate) const fn form(scalar: Scalar) -> Option<Form> {
    Some(match scalar {
        Scalar::String | Scalar::Bool | Scalar::Int | Scalar::Float => return None,
        Scalar::Int64 => Form::Int64,
        Scalar::Decimal => Form::Decimal,
        Scalar::Bytes => Form::Bytes,
        Scalar::Timestamp => Form::Timestamp,
        Scalar::Date => Form::Date,
        Scalar::Duration => Form::Duration,
        Scalar::Uuid => Form::Uuid,
        Scalar::Uri => Form::Uri,
        Scalar::Email => Form::Email,
    })
}

/// Whether a text is a value of a scalar that is a string in JSON.
#[must_use]
pub(crate) fn is_valid(scalar: Scalar, text: &str) -> bool {
    form(scalar).map_or(scalar == Scalar::String, |form| form.fits(text))
}

/// A literal that is a value of the scalar.
#[must_use]
pub(crate) fn example(scalar: Scalar) -> String {
    match (scalar, form(scalar)) {
        (Scalar::Bool, _) => "true".to_owned(),
        (Scalar::Int, _) => "12".to_owned(),
        (Scalar::Float, _) => "0.5".to_owned(),
        (Scalar::Duration, _) => "24h".to_owned(),
        (_, Some(form)) => format!("\"{}\"", form.example()),
        (_, None) => "\"text\"".to_owned(),
    }
}

/// How two correct texts of an ordered scalar compare; `None` if one is not correct or the scalar has no order.
#[must_use]
pub(crate) fn compare(scalar: Scalar, one: &str, other: &str) -> Option<Ordering> {
    match form(scalar) {
        Some(form) => form.compare(one, other),
        None => (scalar == Scalar::String).then(|| one.cmp(other)),
    }
}

/// The milliseconds from one timestamp to another; `None` if one is not correct.
#[must_use]
pub(crate) fn millis_between(from: &str, to: &str) -> Option<i128> {
    Some((time::read_moment(to).ok()? - time::read_moment(from).ok()?) / 1_000_000)
}
