//! Guards: resolved, typed, flat.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Place;
use weave_syntax::ast::BinaryOperator;

use super::types::Type;
use super::value::ResolvedPath;

/// A guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// The condition, which is a bool.
    pub expression: GuardExpression,
    /// Where it was written.
    pub place: Place,
}

/// An expression of a guard with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardExpression {
    /// What it is.
    pub kind: GuardKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it was written.
    pub place: Place,
}

impl GuardExpression {
    /// The expression and all that is in it, in the order of the text, the outer before the inner.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let part = open.pop()?;
            match &part.kind {
                GuardKind::Constant(_) | GuardKind::Path(_) | GuardKind::Has(_) | GuardKind::Unknown => {}
                GuardKind::List(items) => open.extend(items.iter().rev()),
                GuardKind::Not(operand) | GuardKind::Negate(operand) | GuardKind::Size(operand) => open.push(operand),
                GuardKind::Chain { first, rest } => {
                    open.extend(rest.iter().rev().map(|(_, operand)| operand));
                    open.push(first);
                }
                GuardKind::Text { receiver: first, argument: second, .. } | GuardKind::Quantifier { list: first, body: second, .. } => {
                    open.extend([&**second, &**first]);
                }
            }
            Some(part)
        })
    }

    /// The paths in it, those whose presence it asks for among them, in the order of the text.
    pub fn paths(&self) -> impl Iterator<Item = &ResolvedPath> {
        self.parts().filter_map(|part| match &part.kind {
            GuardKind::Path(path) | GuardKind::Has(path) => Some(path),
            _ => None,
        })
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum GuardKind {
    /// A constant of the wire form of the type that it met.
    Constant(Json),
    /// A path; where it yields nothing it is null.
    Path(ResolvedPath),
    /// A list of expressions.
    List(Vec<GuardExpression>),
    /// `!a`.
    Not(Box<GuardExpression>),
    /// `-a`.
    Negate(Box<GuardExpression>),
    /// `a op b op c`, one precedence, from left to right; for `&&` and `||` all operators are the same.
    Chain {
        /// The first operand.
        first: Box<GuardExpression>,
        /// The operators and further operands.
        rest: Vec<(BinaryOperator, GuardExpression)>,
    },
    /// `size(x)`, `.x.size()`.
    Size(Box<GuardExpression>),
    /// `has(.x.y)`.
    Has(ResolvedPath),
    /// `.a.contains(b)` and its like.
    Text {
        /// Which.
        method: TextMethod,
        /// What is looked at.
        receiver: Box<GuardExpression>,
        /// What is looked for; for `matches` a constant.
        argument: Box<GuardExpression>,
    },
    /// `.xs.exists(x, …)`, `.xs.all(x, …)`.
    Quantifier {
        /// Which.
        quantifier: Quantifier,
        /// The list or map.
        list: Box<GuardExpression>,
        /// The bound variable.
        variable: Arc<str>,
        /// The condition on it.
        body: Box<GuardExpression>,
    },
    /// Something wrong that has been reported.
    Unknown,
}

/// The methods of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMethod {
    /// `contains`
    Contains,
    /// `startsWith`
    StartsWith,
    /// `endsWith`
    EndsWith,
    /// `matches`
    Matches,
}

impl TextMethod {
    /// The name in the language, which is that of CEL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Matches => "matches",
        }
    }
}

/// The method that asks what a regular expression asks, and its text; nothing if the expression says more, or says it with escapes.
#[must_use]
pub fn plain_pattern(pattern: &str) -> Option<(TextMethod, &str)> {
    let (from_start, pattern) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
    let (to_end, pattern) = pattern.strip_suffix('$').map_or((false, pattern), |rest| (true, rest));
    let is_plain =
        |character: char| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_' | '/' | ':' | '@' | ',' | '#' | '=');
    if pattern.is_empty() || !pattern.chars().all(is_plain) {
        return None;
    }
    match (from_start, to_end) {
        (true, false) => Some((TextMethod::StartsWith, pattern)),
        (false, true) => Some((TextMethod::EndsWith, pattern)),
        (false, false) => Some((TextMethod::Contains, pattern)),
        (true, true) => None,
    }
}

/// The quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one.
    Exists,
    /// Each of them.
    All,
}
