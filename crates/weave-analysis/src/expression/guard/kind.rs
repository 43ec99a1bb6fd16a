//! The types of guards: coarser than those of declarations, because an operator asks less.

use crate::expression::shape::{Shape, join, members};
use crate::model::Model;
use crate::model::types::{Literal, Scalar, Type};

/// What an operator sees of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something wrong that has been reported.
    Unknown,
    Bool,
    Int,
    Int64,
    Float,
    Decimal,
    /// Text in all its kinds, values of enums included.
    String,
    Bytes,
    Timestamp,
    Date,
    Duration,
    Null,
    List,
    Map,
    Record,
    Json,
    /// Either of several of these.
    Mixed,
}

impl Kind {
    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Int64 | Self::Float | Self::Decimal)
    }

    /// Whether values of the kind have an order.
    pub(super) const fn is_ordered(self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::Int
                | Self::Int64
                | Self::Float
                | Self::Decimal
                | Self::String
                | Self::Bytes
                | Self::Timestamp
                | Self::Date
                | Self::Duration
        )
    }

    /// The scalar that a string literal is if it meets this kind.
    pub(super) const fn written_as_string(self) -> Option<Scalar> {
        match self {
            Self::String => Some(Scalar::String),
            Self::Int64 => Some(Scalar::Int64),
            Self::Decimal => Some(Scalar::Decimal),
            Self::Bytes => Some(Scalar::Bytes),
            Self::Timestamp => Some(Scalar::Timestamp),
            Self::Date => Some(Scalar::Date),
            Self::Duration => Some(Scalar::Duration),
            _ => None,
        }
    }
}

/// The kind of a type, and whether `null` is among its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

pub(crate) fn of(model: &Model, ty: &Type) -> Operand {
    let mut nullable = false;
    let mut found: Option<Kind> = None;
    for member in members(model, ty) {
        let kind = match member.shape {
            Shape::Null => {
                nullable = true;
                continue;
            }
            Shape::Unknown => return Operand { kind: Kind::Unknown, nullable: false },
            shape => of_shape(shape),
        };
        found = Some(match found {
            None => kind,
            Some(other) if other == kind => kind,
            // A whole number is a number.
            Some(Kind::Int | Kind::Float) if matches!(kind, Kind::Int | Kind::Float) => Kind::Float,
            Some(_) => Kind::Mixed,
        });
    }
    Operand { kind: found.unwrap_or(Kind::Null), nullable }
}

fn of_shape(shape: Shape<'_>) -> Kind {
    match shape {
        Shape::Unknown => Kind::Unknown,
        Shape::Json => Kind::Json,
        Shape::Null => Kind::Null,
        Shape::List(_) => Kind::List,
        Shape::Map(_) => Kind::Map,
        Shape::Record(_) | Shape::Tagged(_) => Kind::Record,
        Shape::Enum(_) | Shape::Literal(Literal::String(_)) => Kind::String,
        Shape::Literal(Literal::Bool(_)) => Kind::Bool,
        Shape::Literal(Literal::Number(number)) if number.is_i64() => Kind::Int,
        Shape::Literal(Literal::Number(_)) => Kind::Float,
        Shape::Scalar(scalar, _) => match scalar {
            Scalar::String | Scalar::Uuid | Scalar::Uri | Scalar::Email => Kind::String,
            Scalar::Bool => Kind::Bool,
            Scalar::Int => Kind::Int,
            Scalar::Int64 => Kind::Int64,
            Scalar::Float => Kind::Float,
            Scalar::Decimal => Kind::Decimal,
            Scalar::Bytes => Kind::Bytes,
            Scalar::Timestamp => Kind::Timestamp,
            Scalar::Date => Kind::Date,
            Scalar::Duration => Kind::Duration,
        },
    }
}

/// The type of the items of a list, or of the keys of a map.
pub(super) fn item(model: &Model, ty: &Type) -> Option<Type> {
    let items = members(model, ty).into_iter().filter_map(|member| match member.shape {
        Shape::List(list) => Some(list.item.clone()),
        Shape::Map(_) => Some(Type::Scalar(Scalar::String, None)),
        _ => None,
    });
    let items = items.collect::<Vec<_>>();
    (!items.is_empty()).then(|| join(items))
}
