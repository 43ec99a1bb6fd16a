//! Guards: typed, total, pure expressions over values of the scroll.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::Segment;
use crate::wire::any_schema;

/// A guard: the tree that a runtime evaluates, and the text that people and CEL libraries read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// The guard in CEL; absent where CEL cannot say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cel: Option<String>,
    /// The guard as a tree. If the two could differ, the tree counts.
    pub expr: Expr,
}

/// An expression. Every type that decides what an operation does stands in the tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Expr {
    /// A constant: `{"const": "100", "type": "decimal"}`.
    Const {
        /// The value as its type stands on the wire; a decimal is a string.
        #[serde(rename = "const")]
        #[schemars(schema_with = "any_schema")]
        value: Value,
        /// Its type.
        #[serde(rename = "type")]
        value_type: ValueType,
    },
    /// A value of the scroll, or a parameter: `{"path": ["lookup", "total"], "type": "decimal"}`.
    Path {
        /// Where it lies; the first segment is the root's name.
        #[schemars(length(min = 1))]
        path: Vec<Segment>,
        /// Its type when it is there; what is absent is null.
        #[serde(rename = "type")]
        value_type: ValueType,
    },
    /// The variable of an enclosing `exists` or `all`: `{"var": "line", "path": ["price"], "type": "decimal"}`.
    Var {
        /// The variable.
        var: String,
        /// What is read from it; absent: itself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<Segment>,
        /// The type of what is read.
        #[serde(rename = "type")]
        value_type: ValueType,
    },
    /// A list that is made of expressions, not all of them constants: `{"list": [{"path": ["input", "owner"], "type": "string"}]}`.
    List {
        /// Its elements.
        #[serde(rename = "list")]
        #[schemars(length(min = 1))]
        items: Vec<Expr>,
    },
    /// An operator, function or method: `{"op": ">", "type": "decimal", "args": […]}`.
    Apply {
        /// Which.
        op: Operator,
        /// The type of its operands, where the operator has several meanings.
        #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
        operand_type: Option<ValueType>,
        /// The operands in order; the receiver of a method is the first.
        #[schemars(length(min = 1))]
        args: Vec<Expr>,
    },
    /// A question about all elements of a list: `{"op": "exists", "var": "line", "in": …, "body": …}`.
    Quantify {
        /// Which.
        op: Quantifier,
        /// The name under which the body reads the element.
        var: String,
        /// The list, or the map whose keys are meant.
        #[serde(rename = "in")]
        list: Box<Expr>,
        /// What is asked of each element.
        body: Box<Expr>,
    },
}

/// The type of a value in a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// `true` or `false`.
    Bool,
    /// A whole number, a JSON number within ±(2^53−1).
    Int,
    /// A whole number of 64 bits, a string of digits on the wire.
    Int64,
    /// A number of IEEE 754 double precision.
    Float,
    /// An exact decimal number, a string on the wire.
    Decimal,
    /// Text.
    String,
    /// Octets, base64 on the wire.
    Bytes,
    /// A moment, RFC 3339 on the wire.
    Timestamp,
    /// A day, `2026-01-31`.
    Date,
    /// A length of time, ISO 8601 on the wire.
    Duration,
    /// Nothing.
    Null,
    /// A list.
    List,
    /// A map from strings.
    Map,
    /// A record with declared fields.
    Record,
    /// Any JSON value.
    Json,
}

/// The operators, functions and methods of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Operator {
    /// All operands are true.
    #[serde(rename = "&&")]
    And,
    /// One operand is true.
    #[serde(rename = "||")]
    Or,
    /// The operand is false.
    #[serde(rename = "!")]
    Not,
    /// Equal.
    #[serde(rename = "==")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    NotEqual,
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    GreaterOrEqual,
    /// The first operand is an element of the list, or a key of the map, that is the second.
    #[serde(rename = "in")]
    In,
    /// Sum, or one text behind the other.
    #[serde(rename = "+")]
    Add,
    /// Difference.
    #[serde(rename = "-")]
    Subtract,
    /// Product.
    #[serde(rename = "*")]
    Multiply,
    /// Quotient; of whole numbers cut off towards zero.
    #[serde(rename = "/")]
    Divide,
    /// Remainder, with the sign of the first operand.
    #[serde(rename = "%")]
    Remainder,
    /// The operand with the other sign.
    #[serde(rename = "negate")]
    Negate,
    /// The first text contains the second.
    #[serde(rename = "contains")]
    Contains,
    /// The first text starts with the second.
    #[serde(rename = "startsWith")]
    StartsWith,
    /// The first text ends with the second.
    #[serde(rename = "endsWith")]
    EndsWith,
    /// The pattern that is the second operand, a constant, is found in the first.
    #[serde(rename = "matches")]
    Matches,
    /// How many characters, octets, elements or entries.
    #[serde(rename = "size")]
    Size,
    /// The operand is there and not null.
    #[serde(rename = "has")]
    Has,
}

/// A question about all elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Quantifier {
    /// One element at least.
    Exists,
    /// Every element.
    All,
}

impl Guard {
    /// A guard without CEL text.
    #[must_use]
    pub fn new(expr: Expr) -> Self {
        Self { cel: None, expr }
    }
}

impl Operator {
    /// Whether the operator means different things for different types, so that the tree names the type.
    #[must_use]
    pub fn is_typed(self) -> bool {
        use Operator::{
            Add, Divide, Equal, Greater, GreaterOrEqual, In, Less, LessOrEqual, Multiply, Negate, NotEqual, Remainder, Size, Subtract,
        };
        matches!(
            self,
            Equal
                | NotEqual
                | Less
                | LessOrEqual
                | Greater
                | GreaterOrEqual
                | In
                | Add
                | Subtract
                | Multiply
                | Divide
                | Remainder
                | Negate
                | Size
        )
    }

    /// Whether the operator has a meaning for operands of this type.
    #[must_use]
    pub fn accepts(self, operand: ValueType) -> bool {
        use ValueType::{Bytes, Decimal, Duration, Float, Int, Int64, Json, List, Map, Null, Record, String, Timestamp};
        match self {
            Self::Equal | Self::NotEqual => true,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => !matches!(operand, Null | List | Map | Record | Json),
            Self::In => !matches!(operand, Null),
            Self::Add => matches!(operand, Int | Int64 | Float | Decimal | String | Bytes | List | Timestamp | Duration),
            Self::Subtract => matches!(operand, Int | Int64 | Float | Decimal | Timestamp | Duration),
            Self::Multiply => matches!(operand, Int | Int64 | Float | Decimal),
            Self::Divide => matches!(operand, Int | Int64 | Float),
            Self::Remainder => matches!(operand, Int | Int64),
            Self::Negate => matches!(operand, Int | Int64 | Float | Decimal | Duration),
            Self::Size => matches!(operand, String | Bytes | List | Map | Json),
            _ => false,
        }
    }

    /// How many operands it takes: at least, and at most if there is a bound.
    #[must_use]
    pub fn arity(self) -> (usize, Option<usize>) {
        use Operator::{Add, And, Divide, Has, Multiply, Negate, Not, Or, Remainder, Size, Subtract};
        match self {
            Not | Negate | Size | Has => (1, Some(1)),
            And | Or | Add | Subtract | Multiply | Divide | Remainder => (2, None),
            _ => (2, Some(2)),
        }
    }
}

impl Expr {
    /// A constant.
    #[must_use]
    pub fn constant(value: impl Into<Value>, value_type: ValueType) -> Self {
        Self::Const { value: value.into(), value_type }
    }

    /// A value of the scroll.
    #[must_use]
    pub fn path(path: Vec<Segment>, value_type: ValueType) -> Self {
        Self::Path { path, value_type }
    }

    /// An operator that names no type.
    #[must_use]
    pub fn apply(op: Operator, args: Vec<Expr>) -> Self {
        Self::Apply { op, operand_type: None, args }
    }

    /// An operator on operands of this type.
    #[must_use]
    pub fn typed(op: Operator, operand_type: ValueType, args: Vec<Expr>) -> Self {
        Self::Apply { op, operand_type: Some(operand_type), args }
    }
}

/// All keys that an expression may have; which of them go together is decided by what is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default, rename = "const", deserialize_with = "crate::wire::present")]
    value: Option<Value>,
    path: Option<Vec<Segment>>,
    var: Option<String>,
    #[serde(rename = "list")]
    items: Option<Vec<Expr>>,
    op: Option<String>,
    #[serde(rename = "type")]
    value_type: Option<ValueType>,
    args: Option<Vec<Expr>>,
    #[serde(rename = "in")]
    list: Option<Box<Expr>>,
    body: Option<Box<Expr>>,
}

impl<'de> Deserialize<'de> for Expr {
    // By way of `Wire` and not of serde's untagged form: that one copies every level of a deep tree and explains nothing.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_wire(Wire::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Expr {
    fn from_wire(wire: Wire) -> Result<Self, String> {
        match wire {
            Wire {
                value: Some(value),
                path: None,
                var: None,
                items: None,
                op: None,
                value_type: Some(value_type),
                args: None,
                list: None,
                body: None,
            } => Ok(Self::Const { value, value_type }),
            Wire {
                value: None,
                path: Some(path),
                var: None,
                items: None,
                op: None,
                value_type: Some(value_type),
                args: None,
                list: None,
                body: None,
            } => Ok(Self::Path { path, value_type }),
            Wire {
                value: None,
                path,
                var: Some(var),
                items: None,
                op: None,
                value_type: Some(value_type),
                args: None,
                list: None,
                body: None,
            } => Ok(Self::Var { var, path: path.unwrap_or_default(), value_type }),
            Wire {
                value: None,
                path: None,
                var: None,
                items: Some(items),
                op: None,
                value_type: None,
                args: None,
                list: None,
                body: None,
            } => Ok(Self::List { items }),
            Wire {
                value: None,
                path: None,
                var: None,
                items: None,
                op: Some(op),
                value_type,
                args: Some(args),
                list: None,
                body: None,
            } => Ok(Self::Apply { op: operator(&op)?, operand_type: value_type, args }),
            Wire {
                value: None,
                path: None,
                var: Some(var),
                items: None,
                op: Some(op),
                value_type: None,
                args: None,
                list: Some(list),
                body: Some(body),
            } => Ok(Self::Quantify { op: operator(&op)?, var, list, body }),
            _ => Err("an expression is one of const + type, path + type, var + type, list, op + args, or op + var + in + body".to_owned()),
        }
    }
}

fn operator<T: for<'de> Deserialize<'de>>(name: &str) -> Result<T, String> {
    T::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name)).map_err(|error| error.to_string())
}
