//! Sums, differences, products, quotients and remainders.

use std::borrow::Cow;

use bigdecimal::BigDecimal;
use weave_ir::{Operator, ValueType};
use weave_scalars::time;

use crate::EvalError;
use crate::value::{Item, Scalar};

/// An operator on two operands or more, from left to right.
pub(crate) fn fold<'v>(operator: Operator, value_type: ValueType, args: Vec<Item<'v>>) -> Result<Item<'v>, EvalError> {
    match value_type {
        ValueType::List => joined_lists(args),
        ValueType::Timestamp => times(operator, args),
        _ => {
            let mut args = args.into_iter().map(|item| item.some(value_type));
            let first = args.next().ok_or(EvalError::Meaningless { operator })??;
            let sum = args.try_fold(first, |sum, next| step(operator, sum, next?))?;
            Ok(Item::Made(sum, value_type))
        }
    }
}

/// The operand with the other sign.
pub(crate) fn negate<'v>(item: Item<'v>, value_type: ValueType) -> Result<Item<'v>, EvalError> {
    let negated = match item.some(value_type)? {
        Scalar::Int(number) => Scalar::Int(number.checked_neg().ok_or(EvalError::Overflow)?),
        Scalar::Float(number) => Scalar::Float(-number),
        Scalar::Decimal(number) => Scalar::Decimal(-number),
        Scalar::Length(nanoseconds) => Scalar::Length(-nanoseconds),
        _ => return Err(EvalError::Meaningless { operator: Operator::Negate }),
    };
    Ok(Item::Made(negated, value_type))
}

fn step<'v>(operator: Operator, one: Scalar<'v>, other: Scalar<'v>) -> Result<Scalar<'v>, EvalError> {
    match (one, other) {
        (Scalar::Int(one), Scalar::Int(other)) => int(operator, one, other).map(Scalar::Int),
        (Scalar::Float(one), Scalar::Float(other)) => float(operator, one, other).map(Scalar::Float),
        (Scalar::Decimal(one), Scalar::Decimal(other)) => decimal(operator, &one, &other).map(Scalar::Decimal),
        (Scalar::Text(one), Scalar::Text(other)) if operator == Operator::Add => {
            let mut text = one.into_owned();
            text.push_str(&other);
            Ok(Scalar::Text(Cow::Owned(text)))
        }
        (Scalar::Bytes(mut one), Scalar::Bytes(other)) if operator == Operator::Add => {
            one.extend(other);
            Ok(Scalar::Bytes(one))
        }
        (one, other) => time_step(operator, one, other),
    }
}

fn int(operator: Operator, one: i64, other: i64) -> Result<i64, EvalError> {
    let result = match operator {
        Operator::Add => one.checked_add(other),
        Operator::Subtract => one.checked_sub(other),
        Operator::Multiply => one.checked_mul(other),
        Operator::Divide | Operator::Remainder if other == 0 => return Err(EvalError::DivisionByZero),
        Operator::Divide => one.checked_div(other),
        Operator::Remainder => one.checked_rem(other),
        _ => return Err(EvalError::Meaningless { operator }),
    };
    result.ok_or(EvalError::Overflow)
}

fn float(operator: Operator, one: f64, other: f64) -> Result<f64, EvalError> {
    match operator {
        Operator::Add => Ok(one + other),
        Operator::Subtract => Ok(one - other),
        Operator::Multiply => Ok(one * other),
        Operator::Divide => Ok(one / other),
        _ => Err(EvalError::Meaningless { operator }),
    }
}

fn decimal(operator: Operator, one: &BigDecimal, other: &BigDecimal) -> Result<BigDecimal, EvalError> {
    match operator {
        Operator::Add => Ok(one + other),
        Operator::Subtract => Ok(one - other),
        Operator::Multiply => Ok(one * other),
        _ => Err(EvalError::Meaningless { operator }),
    }
}

/// Moments and lengths, each operand by its own type.
fn times<'v>(operator: Operator, args: Vec<Item<'v>>) -> Result<Item<'v>, EvalError> {
    let mut args = args.into_iter().map(|item| match item.value_type() {
        ValueType::Duration => item.some(ValueType::Duration),
        _ => item.some(ValueType::Timestamp),
    });
    let first = args.next().ok_or(EvalError::Meaningless { operator })??;
    let sum = args.try_fold(first, |sum, next| time_step(operator, sum, next?))?;
    let value_type = if matches!(sum, Scalar::Length(_)) { ValueType::Duration } else { ValueType::Timestamp };
    Ok(Item::Made(sum, value_type))
}

fn time_step<'v>(operator: Operator, one: Scalar<'v>, other: Scalar<'v>) -> Result<Scalar<'v>, EvalError> {
    let moment = |at| time::moment(at).map(Scalar::Moment).ok_or(EvalError::OutOfRange { value_type: ValueType::Timestamp });
    let length = |of| time::length(of).map(Scalar::Length).ok_or(EvalError::OutOfRange { value_type: ValueType::Duration });
    match (operator, one, other) {
        (Operator::Add, Scalar::Moment(at), Scalar::Length(of)) | (Operator::Add, Scalar::Length(of), Scalar::Moment(at)) => {
            moment(at + of)
        }
        (Operator::Subtract, Scalar::Moment(at), Scalar::Length(of)) => moment(at - of),
        (Operator::Subtract, Scalar::Moment(one), Scalar::Moment(other)) => length(one - other),
        (Operator::Add, Scalar::Length(one), Scalar::Length(other)) => length(one + other),
        (Operator::Subtract, Scalar::Length(one), Scalar::Length(other)) => length(one - other),
        _ => Err(EvalError::Meaningless { operator }),
    }
}

fn joined_lists<'v>(args: Vec<Item<'v>>) -> Result<Item<'v>, EvalError> {
    let mut joined = Vec::new();
    for item in args {
        joined.extend(item.elements()?);
    }
    Ok(Item::List(joined))
}
