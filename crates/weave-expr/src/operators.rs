//! What each operator does with its operands; `&&`, `||` and the quantifiers are in `evaluate`.

use serde_json::Value;
use weave_ir::{Operator, ValueType};

use crate::pattern::Patterns;
use crate::value::{Item, Scalar};
use crate::{EvalError, arithmetic, compare};

/// The value of an operator on these operands.
pub(crate) fn apply<'v>(
    operator: Operator,
    operand_type: Option<ValueType>,
    args: Vec<Item<'v>>,
    patterns: &mut Patterns,
) -> Result<Item<'v>, EvalError> {
    let meaningless = || EvalError::Meaningless { operator };
    if operator.is_typed() {
        let value_type = operand_type.filter(|operand| operator.accepts(*operand)).ok_or_else(meaningless)?;
        return typed(operator, value_type, args);
    }
    match (operator, take(args)) {
        (Operator::Not, Operands::One(operand)) => Ok(Item::bool(!operand.truth()?)),
        (Operator::Has, Operands::One(operand)) => Ok(Item::bool(!operand.is_null())),
        (_, Operands::Two(one, other)) => {
            let (one, other) = (one.text()?, other.text()?);
            Ok(Item::bool(match operator {
                Operator::Contains => one.contains(other.as_ref()),
                Operator::StartsWith => one.starts_with(other.as_ref()),
                Operator::EndsWith => one.ends_with(other.as_ref()),
                Operator::Matches => patterns.found(&other, &one)?,
                _ => return Err(meaningless()),
            }))
        }
        _ => Err(meaningless()),
    }
}

fn typed<'v>(operator: Operator, value_type: ValueType, args: Vec<Item<'v>>) -> Result<Item<'v>, EvalError> {
    use Operator::{
        Add, Divide, Equal, Greater, GreaterOrEqual, In, Less, LessOrEqual, Multiply, Negate, NotEqual, Remainder, Size, Subtract,
    };
    if matches!(operator, Add | Subtract | Multiply | Divide | Remainder) && args.len() >= 2 {
        return arithmetic::fold(operator, value_type, args);
    }
    match (operator, take(args)) {
        (Equal, Operands::Two(one, other)) => compare::equal(one, other, value_type).map(Item::bool),
        (NotEqual, Operands::Two(one, other)) => compare::equal(one, other, value_type).map(|equal| Item::bool(!equal)),
        (Less | LessOrEqual | Greater | GreaterOrEqual, Operands::Two(one, other)) => {
            compare::ordered(operator, one, other, value_type).map(Item::bool)
        }
        (In, Operands::Two(value, container)) => compare::contained(value, container, value_type).map(Item::bool),
        (Negate, Operands::One(operand)) => arithmetic::negate(operand, value_type),
        (Size, Operands::One(operand)) => size(operand, value_type),
        _ => Err(EvalError::Meaningless { operator }),
    }
}

enum Operands<'v> {
    One(Item<'v>),
    Two(Item<'v>, Item<'v>),
    Others,
}

fn take(args: Vec<Item<'_>>) -> Operands<'_> {
    let mut args = args.into_iter();
    match (args.next(), args.next(), args.next()) {
        (Some(one), None, None) => Operands::One(one),
        (Some(one), Some(other), None) => Operands::Two(one, other),
        _ => Operands::Others,
    }
}

fn size<'v>(operand: Item<'v>, value_type: ValueType) -> Result<Item<'v>, EvalError> {
    let size = match value_type {
        ValueType::String => operand.text()?.chars().count(),
        ValueType::Bytes => match operand.some(ValueType::Bytes)? {
            Scalar::Bytes(octets) => octets.len(),
            _ => return Err(EvalError::Form { expected: value_type }),
        },
        _ => {
            if let Item::List(items) = &operand {
                return count(items.len());
            }
            let value = operand.wire()?;
            match (value_type, value.as_ref()) {
                (_, Value::Null) => return Err(EvalError::Null),
                (ValueType::Json, Value::String(text)) => text.chars().count(),
                (ValueType::List | ValueType::Json, Value::Array(elements)) => elements.len(),
                (ValueType::Map | ValueType::Json, Value::Object(entries)) => entries.len(),
                _ => return Err(EvalError::Form { expected: value_type }),
            }
        }
    };
    count(size)
}

fn count<'v>(size: usize) -> Result<Item<'v>, EvalError> {
    let size = i64::try_from(size).map_err(|_| EvalError::Overflow)?;
    Ok(Item::Made(Scalar::Int(size), ValueType::Int))
}
