//! Values, guards and placeholders: one expression grammar, of which each place allows a part.

use weave_diagnostics::Span;

use super::Name;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number, string, duration, `true`, `false` or `null`.
    Literal(Literal),
    /// A path (`.triage.intent`), a bare name (`x`), or a call (`size(.xs)`, `.a.contains("b")`).
    Path(Box<Path>),
    /// `{ key: value }`.
    Object(Box<Object>),
    /// `[value, …]`.
    List(Box<List>),
    /// `!a`, `-a`.
    Unary(Box<Unary>),
    /// Operators of one precedence, side by side.
    Binary(Box<Binary>),
    /// `value ?? otherwise`.
    Coalesce(Box<Coalesce>),
    /// `(a)`.
    Parenthesized(Box<(Span, Expr)>),
    /// A value that is not there yet, at this place.
    Missing(Span),
}

impl Expr {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Literal(literal) => literal.span,
            Self::Path(path) => path.span,
            Self::Object(object) => object.span,
            Self::List(list) => list.span,
            Self::Unary(unary) => unary.span,
            Self::Binary(binary) => binary.span,
            Self::Coalesce(coalesce) => coalesce.span,
            Self::Parenthesized(inner) => inner.0,
            Self::Missing(span) => *span,
        }
    }
}

/// A literal; its text is read from the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Where it stands; for a negative number with its sign, for a string with its quotes.
    pub span: Span,
    /// What it is.
    pub kind: LiteralKind,
}

/// The kinds of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// `12`, `-0.5`, `1e9`.
    Number,
    /// `"…"`.
    String,
    /// `"""…"""`.
    TextBlock,
    /// `30s`.
    Duration,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
}

/// A root and what is read from it, in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it stands.
    pub span: Span,
    /// Where it starts from.
    pub root: Root,
    /// What follows.
    pub segments: Box<[Segment]>,
}

/// Where a path starts from.
#[derive(Clone, Debug, PartialEq)]
pub enum Root {
    /// A leading dot: the values in scope. The first segment is the name of one of them, or missing.
    Dot(Span),
    /// A bare name: a declaration, a bound variable, a function, or a path that lacks its dot.
    Name(Name),
    /// A parenthesised expression.
    Expr(Expr),
}

/// One part of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// `.name` (for the first one behind [`Root::Dot`] the dot is the root's).
    Field(Name),
    /// `?`: what stands before may be absent, and is read as such.
    Optional(Span),
    /// `[0]`; the span is that of the number.
    Index(Span),
    /// `["key"]`; the span is that of the string with its quotes.
    Key(Span),
    /// `[]`: all of them.
    All(Span),
    /// `(arguments)`: what stands before is called.
    Call {
        /// The parentheses and what is in them.
        span: Span,
        /// The arguments.
        arguments: Box<[Expr]>,
    },
}

/// `{ … }` with values.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The braces and what is in them.
    pub span: Span,
    /// The entries in the order of the text.
    pub entries: Box<[Entry]>,
    /// `...` behind the entries: other fields, in the values of tests.
    pub rest: Option<Span>,
}

/// `key: value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The whole entry.
    pub span: Span,
    /// The key.
    pub key: super::Key,
    /// The value.
    pub value: Expr,
}

/// `[ … ]`.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The brackets and what is in them.
    pub span: Span,
    /// The items.
    pub items: Box<[ListItem]>,
    /// `...` behind the items: further ones, in the values of tests.
    pub rest: Option<Span>,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListItem {
    /// The value.
    pub value: Expr,
    /// `as name`, which only the tool lists of agents and toolkits allow.
    pub alias: Option<Name>,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// One or more prefix operators and their operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Unary {
    /// The whole expression.
    pub span: Span,
    /// The operators with their places, outermost first; never empty.
    pub operators: Box<[(UnaryOperator, Span)]>,
    /// The operand.
    pub operand: Expr,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl BinaryOperator {
    /// The operator as it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }

    /// How tightly it binds; as in CEL.
    #[must_use]
    pub const fn precedence(self) -> u8 {
        match self {
            Self::Or => 0,
            Self::And => 1,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual | Self::In => 2,
            Self::Add | Self::Subtract => 3,
            Self::Multiply | Self::Divide | Self::Remainder => 4,
        }
    }
}

/// `first op second op third …`, all operators of one precedence, meant from left to right.
///
/// Flat, so that a chain of a hundred thousand operators nests no deeper than one.
#[derive(Clone, Debug, PartialEq)]
pub struct Binary {
    /// The whole expression.
    pub span: Span,
    /// The first operand.
    pub first: Expr,
    /// Each further operator, its place, and the operand behind it; never empty.
    pub rest: Box<[(BinaryOperator, Span, Expr)]>,
}

/// `value ?? otherwise`.
#[derive(Clone, Debug, PartialEq)]
pub struct Coalesce {
    /// The whole expression.
    pub span: Span,
    /// What may be absent or null.
    pub value: Expr,
    /// What is taken then.
    pub otherwise: Expr,
}
