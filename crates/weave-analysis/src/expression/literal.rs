//! Literals: what they are where a type is wanted, and what they are by themselves.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Number, Value as Json};
use weave_syntax::ast::{Literal, LiteralKind};
use weave_syntax::text;

use super::shape::{Shape, members};
use super::{Environment, formats, limits};
use crate::model::types::{self, Scalar, Type};

/// Why a literal is not of a type.
#[derive(Debug)]
pub(crate) enum LiteralFault {
    /// It is something else altogether.
    Kind,
    /// It is a string, but not in the format of this scalar.
    Format(Scalar),
    /// It breaks this constraint.
    Limit(String),
    /// It is wrong in itself, which has been reported.
    Reported,
}

/// The JSON of a literal where a type is wanted; for a union the first alternative that takes it.
pub(crate) fn literal_as(env: &Environment<'_>, literal: Literal, ty: &Type) -> Result<Json, LiteralFault> {
    let mut fault = None;
    for member in members(env.model, ty) {
        match literal_as_shape(env, literal, member.shape) {
            Ok(json) => return Ok(json),
            Err(LiteralFault::Reported) => return Err(LiteralFault::Reported),
            // What comes closest says most.
            Err(LiteralFault::Kind) => {}
            Err(other) => fault = fault.or(Some(other)),
        }
    }
    Err(fault.unwrap_or(LiteralFault::Kind))
}

fn literal_as_shape(env: &Environment<'_>, literal: Literal, shape: Shape<'_>) -> Result<Json, LiteralFault> {
    let json = match shape {
        Shape::Unknown | Shape::Json => return literal_json(env, literal).ok_or(LiteralFault::Reported),
        Shape::Null if literal.kind == LiteralKind::Null => Json::Null,
        Shape::Scalar(scalar, limits) => {
            let json = literal_as_scalar(env, literal, scalar)?;
            if let Some(limit) = limits.and_then(|limits| limits::broken(scalar, limits, &json)) {
                return Err(LiteralFault::Limit(limit));
            }
            json
        }
        Shape::Literal(wanted) => {
            let json = literal_json(env, literal).ok_or(LiteralFault::Reported)?;
            if literal.kind == LiteralKind::Duration || !same_value(wanted, &json) {
                return Err(LiteralFault::Kind);
            }
            json
        }
        Shape::Enum(values) => match string_of(env, literal) {
            Some(text) if values.values.iter().any(|value| *value.wire == *text) => Json::String(text.into_owned()),
            _ => return Err(LiteralFault::Kind),
        },
        _ => return Err(LiteralFault::Kind),
    };
    Ok(json)
}

/// The JSON of a literal where a scalar is wanted; its constraints are not looked at.
pub(crate) fn literal_as_scalar(env: &Environment<'_>, literal: Literal, scalar: Scalar) -> Result<Json, LiteralFault> {
    match (literal.kind, scalar) {
        (LiteralKind::True, Scalar::Bool) => Ok(Json::Bool(true)),
        (LiteralKind::False, Scalar::Bool) => Ok(Json::Bool(false)),
        (LiteralKind::Number, _) => number_as(env, literal, scalar),
        (LiteralKind::Duration, Scalar::Duration) => literal_json(env, literal).ok_or(LiteralFault::Reported),
        (LiteralKind::String | LiteralKind::TextBlock, Scalar::Bool | Scalar::Int | Scalar::Float) => Err(LiteralFault::Kind),
        (LiteralKind::String | LiteralKind::TextBlock, _) => {
            let text = text::literal_value(env.item.text, literal);
            if formats::is_valid(scalar, &text) { Ok(Json::String(text.into_owned())) } else { Err(LiteralFault::Format(scalar)) }
        }
        _ => Err(LiteralFault::Kind),
    }
}

fn number_as(env: &Environment<'_>, literal: Literal, scalar: Scalar) -> Result<Json, LiteralFault> {
    let raw = env.text(literal.span);
    let number = text::number(raw).map_err(|_| LiteralFault::Reported)?;
    match scalar {
        Scalar::Float => number_json(number).ok_or(LiteralFault::Reported),
        Scalar::Int => whole(raw, number).map(Json::from).ok_or(LiteralFault::Kind),
        Scalar::Int64 => whole(raw, number).map(|number| Json::String(number.to_string())).ok_or(LiteralFault::Kind),
        Scalar::Decimal => weave_scalars::plain_decimal(&text::number_text(raw)).map(Json::String).ok_or(LiteralFault::Kind),
        _ => Err(LiteralFault::Kind),
    }
}

/// A number without a fraction, as an integer: without one as it is written, which a float may have lost.
fn whole(raw: &str, number: text::Number) -> Option<i64> {
    match number {
        text::Number::Integer(number) => Some(number),
        text::Number::Float(number) if number.fract() == 0.0 => {
            let digits = weave_scalars::plain_decimal(&text::number_text(raw))?;
            let fraction = digits.split_once('.').map_or("", |(_, fraction)| fraction);
            fraction.bytes().all(|digit| digit == b'0').then_some(number as i64)
        }
        text::Number::Float(_) => None,
    }
}

/// A number as JSON; what is whole is written without a fraction.
fn number_json(number: text::Number) -> Option<Json> {
    match number {
        text::Number::Integer(number) => Some(Json::from(number)),
        text::Number::Float(number) if number.fract() == 0.0 => Some(Json::from(number as i64)),
        text::Number::Float(number) => Number::from_f64(number).map(Json::Number),
    }
}

/// The JSON of a literal by itself; `None` if it is wrong, which has been reported.
pub(crate) fn literal_json(env: &Environment<'_>, literal: Literal) -> Option<Json> {
    match literal.kind {
        LiteralKind::Number => number_json(text::number(env.text(literal.span)).ok()?),
        LiteralKind::String | LiteralKind::TextBlock => Some(Json::String(text::literal_value(env.item.text, literal).into_owned())),
        LiteralKind::Duration => Some(Json::String(weave_scalars::duration::iso(text::duration_millis(env.text(literal.span))?))),
        LiteralKind::True => Some(Json::Bool(true)),
        LiteralKind::False => Some(Json::Bool(false)),
        LiteralKind::Null => Some(Json::Null),
    }
}

/// The type of a literal by itself: the literal type, `null`, or `duration`.
pub(crate) fn literal_type(literal: Literal, json: &Json) -> Type {
    match json {
        Json::String(_) if literal.kind == LiteralKind::Duration => Type::Scalar(Scalar::Duration, None),
        Json::String(text) => Type::Literal(types::Literal::String(Arc::from(text.as_str()))),
        Json::Number(number) => Type::Literal(types::Literal::Number(number.clone())),
        Json::Bool(value) => Type::Literal(types::Literal::Bool(*value)),
        Json::Null => Type::Null,
        Json::Array(_) | Json::Object(_) => Type::Json,
    }
}

/// What a string literal says.
pub(crate) fn string_of<'a>(env: &Environment<'a>, literal: Literal) -> Option<Cow<'a, str>> {
    matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock).then(|| text::literal_value(env.item.text, literal))
}

/// Whether a constant is the value of a literal type.
pub(crate) fn same_value(literal: &types::Literal, json: &Json) -> bool {
    match (literal, json) {
        (types::Literal::String(one), Json::String(other)) => **one == **other,
        (types::Literal::Bool(one), Json::Bool(other)) => one == other,
        (types::Literal::Number(one), Json::Number(other)) => limits::compare_numbers(one, other) == Some(std::cmp::Ordering::Equal),
        _ => false,
    }
}

/// The strings that a type has, if it is made of known strings: for suggestions.
pub(crate) fn known_strings(env: &Environment<'_>, ty: &Type) -> Vec<Arc<str>> {
    let mut strings = Vec::new();
    for member in members(env.model, ty) {
        match member.shape {
            Shape::Literal(types::Literal::String(text)) => strings.push(Arc::clone(text)),
            Shape::Enum(values) => strings.extend(values.values.iter().map(|value| Arc::clone(&value.wire))),
            _ => {}
        }
    }
    strings
}
