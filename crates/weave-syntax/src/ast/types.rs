//! Types.

use weave_diagnostics::Span;

use super::{Expr, Key, Literal, Meta, Name};

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `string(min: 1)`, `Order`.
    Named(Box<NamedType>),
    /// `T[](max: 5)`.
    List(Box<ListType>),
    /// `map<T>(max: 10)`.
    Map(Box<MapType>),
    /// `{ a: int, ... }`.
    Record(Box<Record>),
    /// `"refund"`, `1`, `true`, `null`.
    Literal(Literal),
    /// `A | B`.
    Union(Box<UnionType>),
    /// `(A | B)`.
    Parenthesized(Box<(Span, Type)>),
    /// `T?`, which is not of the language and gets a message of its own.
    Optional(Box<OptionalType>),
    /// A type that is not there yet, at this place.
    Missing(Span),
}

impl Type {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Named(named) => named.span,
            Self::List(list) => list.span,
            Self::Map(map) => map.span,
            Self::Record(record) => record.span,
            Self::Literal(literal) => literal.span,
            Self::Union(union) => union.span,
            Self::Parenthesized(inner) => inner.0,
            Self::Optional(optional) => optional.span,
            Self::Missing(span) => *span,
        }
    }
}

/// A scalar or a declared type, with constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedType {
    /// The whole type.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// `( … )` behind it.
    pub constraints: Option<Constraints>,
}

/// `T[]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListType {
    /// The whole type.
    pub span: Span,
    /// The type of the items.
    pub item: Type,
    /// `( … )` behind the brackets.
    pub constraints: Option<Constraints>,
}

/// `map<T>`.
#[derive(Clone, Debug, PartialEq)]
pub struct MapType {
    /// The whole type.
    pub span: Span,
    /// `map`, or what stands in its place.
    pub name: Name,
    /// The type of the values.
    pub value: Type,
    /// `( … )` behind it.
    pub constraints: Option<Constraints>,
}

/// `{ fields }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The braces and what is in them.
    pub span: Span,
    /// The fields.
    pub fields: Box<[Field]>,
    /// The `...` of an open record.
    pub open: Option<Span>,
}

/// `A | B | …`.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionType {
    /// The whole type.
    pub span: Span,
    /// The alternatives, at least two.
    pub alternatives: Box<[Type]>,
}

/// `T?`.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionalType {
    /// The whole type.
    pub span: Span,
    /// The type before the question mark.
    pub inner: Type,
    /// The question mark.
    pub question: Span,
}

/// A field of a record or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The whole field, without its docs and attributes.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// The name.
    pub name: Key,
    /// The `?` of a field that may be absent.
    pub optional: Option<Span>,
    /// The type.
    pub ty: Type,
    /// The default.
    pub default: Option<Expr>,
}

/// `( … )` behind a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraints {
    /// The parentheses and what is in them.
    pub span: Span,
    /// The constraints.
    pub items: Box<[Constraint]>,
}

/// One constraint.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// `min: 1`.
    Named {
        /// The whole constraint.
        span: Span,
        /// Its name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `0..1`, `0..`, `..1`.
    Range {
        /// The whole constraint.
        span: Span,
        /// The least value.
        min: Option<Literal>,
        /// The greatest value.
        max: Option<Literal>,
    },
    /// A value without a name, which gets a message of its own.
    Bare(Expr),
}
