//! Values of an evaluation: as they stand on the wire, or as an operator made them.

use std::borrow::Cow;
use std::cmp::Ordering;

use bigdecimal::BigDecimal;
use serde_json::{Number, Value};
use weave_ir::{GREATEST_NUMBER, ValueType};
use weave_scalars::time::{self, TimeError};
use weave_scalars::{base64, is_decimal, is_whole};

use crate::EvalError;

/// A value with its type.
///
/// What was read keeps its wire form, so that lists and JSON are compared as what they are there; an operator reads it as the type
/// that it works on.
#[derive(Clone, Debug)]
pub(crate) enum Item<'v> {
    /// As it stands on the wire; of its type, or null.
    Wire(Cow<'v, Value>, ValueType),
    /// The result of an operator.
    Made(Scalar<'v>, ValueType),
    /// A list that is made of expressions. None of its elements is such a list: they would nest without bound.
    List(Vec<Item<'v>>),
}

/// A value that is no list, map, record or other JSON.
#[derive(Clone, Debug)]
pub(crate) enum Scalar<'v> {
    Bool(bool),
    /// An `int` or `int64`.
    Int(i64),
    Float(f64),
    Decimal(BigDecimal),
    Text(Cow<'v, str>),
    Bytes(Vec<u8>),
    Moment(i128),
    Day(i64),
    Length(i128),
}

impl Scalar<'_> {
    /// How two of one type compare; `None` for NaN and for two of different types.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(one), Self::Bool(other)) => Some(one.cmp(other)),
            (Self::Int(one), Self::Int(other)) | (Self::Day(one), Self::Day(other)) => Some(one.cmp(other)),
            (Self::Float(one), Self::Float(other)) => one.partial_cmp(other),
            (Self::Decimal(one), Self::Decimal(other)) => Some(one.cmp(other)),
            // The order of UTF-8 is that of code points.
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Bytes(one), Self::Bytes(other)) => Some(one.cmp(other)),
            (Self::Moment(one), Self::Moment(other)) | (Self::Length(one), Self::Length(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }
}

impl<'v> Item<'v> {
    pub(crate) fn bool(value: bool) -> Self {
        Self::Made(Scalar::Bool(value), ValueType::Bool)
    }

    /// A value that was read; it must have the form of its type unless it is null.
    pub(crate) fn read(value: Cow<'v, Value>, value_type: ValueType) -> Result<Self, EvalError> {
        if !value.is_null() {
            check(&value, value_type)?;
        }
        Ok(Self::Wire(value, value_type))
    }

    pub(crate) fn value_type(&self) -> ValueType {
        match self {
            Self::Wire(_, value_type) | Self::Made(_, value_type) => *value_type,
            Self::List(_) => ValueType::List,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Wire(value, _) if value.is_null())
    }

    /// The value as a scalar of this type; `None` if it is null.
    pub(crate) fn scalar(self, wanted: ValueType) -> Result<Option<Scalar<'v>>, EvalError> {
        match self {
            Self::Wire(value, _) if value.is_null() => Ok(None),
            Self::Wire(value, _) => scalar(value, wanted).map(Some),
            Self::Made(scalar, made) if made == wanted => Ok(Some(scalar)),
            Self::Made(..) | Self::List(_) => Err(EvalError::Form { expected: wanted }),
        }
    }

    /// The value as the element of a list that is made of expressions.
    pub(crate) fn element(self) -> Result<Self, EvalError> {
        match self {
            Self::List(_) => self.wire().map(|value| Self::Wire(value, ValueType::List)),
            other => Ok(other),
        }
    }

    /// The elements of a list, where null is an error.
    pub(crate) fn elements(self) -> Result<Vec<Self>, EvalError> {
        let any = |value| Self::Wire(value, ValueType::Json);
        match self {
            Self::List(items) => Ok(items),
            Self::Wire(Cow::Borrowed(Value::Array(values)), _) => Ok(values.iter().map(Cow::Borrowed).map(any).collect()),
            Self::Wire(Cow::Owned(Value::Array(values)), _) => Ok(values.into_iter().map(Cow::Owned).map(any).collect()),
            other if other.is_null() => Err(EvalError::Null),
            _ => Err(EvalError::Form { expected: ValueType::List }),
        }
    }

    /// The value as a scalar of this type, where null is an error.
    pub(crate) fn some(self, wanted: ValueType) -> Result<Scalar<'v>, EvalError> {
        self.scalar(wanted)?.ok_or(EvalError::Null)
    }

    /// The value as text, where null is an error.
    pub(crate) fn text(self) -> Result<Cow<'v, str>, EvalError> {
        match self.some(ValueType::String)? {
            Scalar::Text(text) => Ok(text),
            _ => Err(EvalError::Form { expected: ValueType::String }),
        }
    }

    /// The value as a truth, where null is an error.
    pub(crate) fn truth(self) -> Result<bool, EvalError> {
        match self.some(ValueType::Bool)? {
            Scalar::Bool(truth) => Ok(truth),
            _ => Err(EvalError::Form { expected: ValueType::Bool }),
        }
    }

    /// The value as it stands on the wire.
    pub(crate) fn wire(self) -> Result<Cow<'v, Value>, EvalError> {
        let (scalar, value_type) = match self {
            Self::Wire(value, _) => return Ok(value),
            Self::Made(scalar, value_type) => (scalar, value_type),
            Self::List(items) => {
                let values = items.into_iter().map(|item| item.wire().map(Cow::into_owned));
                return values.collect::<Result<_, _>>().map(Value::Array).map(Cow::Owned);
            }
        };
        Ok(Cow::Owned(match scalar {
            Scalar::Bool(truth) => truth.into(),
            Scalar::Int(number) if value_type == ValueType::Int64 => number.to_string().into(),
            Scalar::Int(number) => number.into(),
            Scalar::Float(number) => Value::Number(Number::from_f64(number).ok_or(EvalError::NotFinite)?),
            Scalar::Decimal(number) => number.normalized().to_plain_string().into(),
            Scalar::Text(text) => Value::String(text.into_owned()),
            Scalar::Bytes(octets) => base64::encode(&octets).into(),
            Scalar::Moment(nanoseconds) => time::moment_text(nanoseconds).into(),
            // No operator makes a day.
            Scalar::Day(_) => return Err(EvalError::Form { expected: ValueType::Date }),
            Scalar::Length(nanoseconds) => time::length_text(nanoseconds).into(),
        }))
    }
}

/// Whether a value that is not null has the form of a type.
pub(crate) fn check(value: &Value, value_type: ValueType) -> Result<(), EvalError> {
    let fits = match value_type {
        ValueType::Null => false,
        ValueType::List => value.is_array(),
        ValueType::Map | ValueType::Record => value.is_object(),
        ValueType::Json => true,
        _ => return scalar(Cow::Borrowed(value), value_type).map(drop),
    };
    if fits { Ok(()) } else { Err(EvalError::Form { expected: value_type }) }
}

/// A value that is not null as a scalar of a type.
fn scalar(value: Cow<'_, Value>, wanted: ValueType) -> Result<Scalar<'_>, EvalError> {
    let form = EvalError::Form { expected: wanted };
    let time = |error| match error {
        TimeError::Form => EvalError::Form { expected: wanted },
        TimeError::Range => EvalError::OutOfRange { value_type: wanted },
    };
    match (wanted, value.as_ref()) {
        (ValueType::Bool, Value::Bool(truth)) => Ok(Scalar::Bool(*truth)),
        (ValueType::Int, Value::Number(number)) => int(number).map(Scalar::Int).ok_or(form),
        (ValueType::Float, Value::Number(number)) => number.as_f64().map(Scalar::Float).ok_or(form),
        (ValueType::Int64, Value::String(text)) if is_whole(text) => {
            text.parse().map(Scalar::Int).map_err(|_| EvalError::Form { expected: wanted })
        }
        (ValueType::Decimal, Value::String(text)) if is_decimal(text) => text.parse().map(Scalar::Decimal).map_err(|_| form),
        (ValueType::Bytes, Value::String(text)) => base64::decode(text).map(Scalar::Bytes).ok_or(form),
        (ValueType::Timestamp, Value::String(text)) => time::read_moment(text).map(Scalar::Moment).map_err(time),
        (ValueType::Date, Value::String(text)) => time::read_day(text).map(Scalar::Day).ok_or(form),
        (ValueType::Duration, Value::String(text)) => time::read_length(text).map(Scalar::Length).map_err(time),
        (ValueType::String, Value::String(_)) => text(value).map(Scalar::Text).ok_or(form),
        _ => Err(form),
    }
}

fn text(value: Cow<'_, Value>) -> Option<Cow<'_, str>> {
    match value {
        Cow::Borrowed(Value::String(text)) => Some(Cow::Borrowed(text)),
        Cow::Owned(Value::String(text)) => Some(Cow::Owned(text)),
        _ => None,
    }
}

/// A whole number that every reader of JSON reads alike, also if it is written `3.0`.
fn int(number: &Number) -> Option<i64> {
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() <= GREATEST_NUMBER).then(|| number.as_i64().unwrap_or(float as i64))
}
