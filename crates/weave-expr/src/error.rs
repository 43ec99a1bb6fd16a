//! What can go wrong in an evaluation.

use std::fmt;

use weave_ir::{Operator, ValueType};

/// Why an expression has no value. A guard that ends in one of these is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A value that is null or absent where the operator needs one.
    Null,
    /// A value that does not have the form of its type.
    Form {
        /// The type.
        expected: ValueType,
    },
    /// An integer beyond 64 bits.
    Overflow,
    /// An integer divided by zero, or the remainder of that.
    DivisionByZero,
    /// A moment outside the years 1 to 9999, or a duration beyond ten thousand years.
    OutOfRange {
        /// `timestamp` or `duration`.
        value_type: ValueType,
    },
    /// An infinity or NaN where a JSON value is needed.
    NotFinite,
    /// A pattern that is no regular expression, or too large.
    Pattern {
        /// What is wrong with it.
        message: String,
    },
    /// A variable that no enclosing `exists` or `all` has.
    UnknownVariable {
        /// Its name.
        name: String,
    },
    /// An operator with operands for which it has no meaning; a definition that was validated has none.
    Meaningless {
        /// The operator.
        operator: Operator,
    },
    /// The bodies of `exists` and `all` were asked more often than [`crate::GREATEST_WORK`].
    TooMuchWork,
}

impl EvalError {
    /// The word for the kind of error in the shared vectors.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Form { .. } => "form",
            Self::Overflow => "overflow",
            Self::DivisionByZero => "division_by_zero",
            Self::OutOfRange { .. } => "out_of_range",
            Self::NotFinite => "not_finite",
            Self::Pattern { .. } => "pattern",
            Self::UnknownVariable { .. } => "unknown_variable",
            Self::Meaningless { .. } => "meaningless",
            Self::TooMuchWork => "too_much_work",
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("a value is null or absent where one is needed"),
            Self::Form { expected } => write!(out, "a value does not have the form of its type, which is `{}`", word(*expected)),
            Self::Overflow => out.write_str("an integer is beyond 64 bits"),
            Self::DivisionByZero => out.write_str("an integer is divided by zero"),
            Self::OutOfRange { value_type: ValueType::Timestamp } => out.write_str("a moment is outside the years 1 to 9999"),
            Self::OutOfRange { .. } => out.write_str("a duration is beyond 315576000000 seconds"),
            Self::NotFinite => out.write_str("an infinity or NaN has no JSON form"),
            Self::Pattern { message } => write!(out, "a pattern cannot be used: {message}"),
            Self::UnknownVariable { name } => write!(out, "no `exists` or `all` around it has the variable `{name}`"),
            Self::Meaningless { operator } => write!(out, "the operator {operator:?} has no meaning for these operands"),
            Self::TooMuchWork => write!(out, "the bodies of `exists` and `all` are asked more than {} times", crate::GREATEST_WORK),
        }
    }
}

impl std::error::Error for EvalError {}

/// The type as the definition writes it.
const fn word(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Bool => "bool",
        ValueType::Int => "int",
        ValueType::Int64 => "int64",
        ValueType::Float => "float",
        ValueType::Decimal => "decimal",
        ValueType::String => "string",
        ValueType::Bytes => "bytes",
        ValueType::Timestamp => "timestamp",
        ValueType::Date => "date",
        ValueType::Duration => "duration",
        ValueType::Null => "null",
        ValueType::List => "list",
        ValueType::Map => "map",
        ValueType::Record => "record",
        ValueType::Json => "json",
    }
}
