//! Guards in the plainest of the forms that mean the same, so that how a condition is written changes no definition.
//!
//! Each of these forms is what the fix of a style rule writes: `boolean-comparison`, `double-negation`, `negated-comparison`, `needless-pattern`.

use std::borrow::Cow;

use serde_json::Value as Json;
use weave_analysis::model::guard::{GuardExpression, GuardKind, TextMethod, plain_pattern};
use weave_analysis::model::types::{Literal, Scalar, Type};
use weave_syntax::ast::BinaryOperator;

/// The plainest form of an expression.
pub(super) fn plain(expression: &GuardExpression) -> Cow<'_, GuardExpression> {
    let mut plain = with_plain_parts(expression);
    // What a negation of a comparison became may stand behind a further one. Each form has fewer parts than the one before.
    while let Some(kind) = plainer(&plain) {
        plain = Cow::Owned(GuardExpression { kind, ty: expression.ty.clone(), place: expression.place });
    }
    plain
}

/// The same with plain operands.
fn with_plain_parts(expression: &GuardExpression) -> Cow<'_, GuardExpression> {
    let kind = match &expression.kind {
        GuardKind::Constant(_) | GuardKind::Path(_) | GuardKind::Has(_) | GuardKind::Unknown => None,
        GuardKind::List(items) => several(items).map(GuardKind::List),
        GuardKind::Not(operand) => one(operand).map(GuardKind::Not),
        GuardKind::Negate(operand) => one(operand).map(GuardKind::Negate),
        GuardKind::Size(operand) => one(operand).map(GuardKind::Size),
        GuardKind::Chain { first, rest } => chain(first, rest),
        GuardKind::Text { method, receiver, argument } => match (one(receiver), one(argument)) {
            (None, None) => None,
            (new, other) => Some(GuardKind::Text {
                method: *method,
                receiver: new.unwrap_or_else(|| receiver.clone()),
                argument: other.unwrap_or_else(|| argument.clone()),
            }),
        },
        GuardKind::Quantifier { quantifier, list, variable, body } => match (one(list), one(body)) {
            (None, None) => None,
            (new, other) => Some(GuardKind::Quantifier {
                quantifier: *quantifier,
                list: new.unwrap_or_else(|| list.clone()),
                variable: variable.clone(),
                body: other.unwrap_or_else(|| body.clone()),
            }),
        },
    };
    kind.map_or(Cow::Borrowed(expression), |kind| Cow::Owned(GuardExpression { kind, ty: expression.ty.clone(), place: expression.place }))
}

/// The plain form, if it is another one.
fn one(expression: &GuardExpression) -> Option<Box<GuardExpression>> {
    match plain(expression) {
        Cow::Borrowed(_) => None,
        Cow::Owned(plain) => Some(Box::new(plain)),
    }
}

fn several(items: &[GuardExpression]) -> Option<Vec<GuardExpression>> {
    let items: Vec<Cow<'_, GuardExpression>> = items.iter().map(plain).collect();
    items.iter().any(|item| matches!(item, Cow::Owned(_))).then(|| items.into_iter().map(Cow::into_owned).collect())
}

fn chain(first: &GuardExpression, rest: &[(BinaryOperator, GuardExpression)]) -> Option<GuardKind> {
    let new = plain(first);
    let operands: Vec<_> = rest.iter().map(|(operator, operand)| (*operator, plain(operand))).collect();
    let is_new = matches!(new, Cow::Owned(_)) || operands.iter().any(|(_, operand)| matches!(operand, Cow::Owned(_)));
    is_new.then(|| GuardKind::Chain {
        first: Box::new(new.into_owned()),
        rest: operands.into_iter().map(|(operator, operand)| (operator, operand.into_owned())).collect(),
    })
}

/// A plainer form of what has plain operands.
fn plainer(expression: &GuardExpression) -> Option<GuardKind> {
    match &expression.kind {
        GuardKind::Not(operand) => match &operand.kind {
            GuardKind::Not(inner) => Some(inner.kind.clone()),
            GuardKind::Chain { first, rest } => {
                let [(operator, second)] = rest.as_slice() else { return None };
                let rest = vec![(opposite(*operator)?, second.clone())];
                Some(GuardKind::Chain { first: first.clone(), rest })
            }
            _ => None,
        },
        GuardKind::Chain { first, rest } => {
            let [(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), second)] = rest.as_slice() else { return None };
            let (operand, truth) = match (truth(first), truth(second)) {
                (None, Some(truth)) => (&**first, truth),
                (Some(truth), None) => (second, truth),
                _ => return None,
            };
            // What may be absent or null is no condition by itself.
            matches!(operand.ty, Type::Scalar(Scalar::Bool, _) | Type::Literal(Literal::Bool(_))).then(|| {
                match (*operator == BinaryOperator::Equal) == truth {
                    true => operand.kind.clone(),
                    false => GuardKind::Not(Box::new(operand.clone())),
                }
            })
        }
        GuardKind::Text { method: TextMethod::Matches, receiver, argument } => {
            let GuardKind::Constant(Json::String(pattern)) = &argument.kind else { return None };
            let (method, text) = plain_pattern(pattern)?;
            let argument = GuardExpression { kind: GuardKind::Constant(text.into()), ..(**argument).clone() };
            Some(GuardKind::Text { method, receiver: receiver.clone(), argument: Box::new(argument) })
        }
        _ => None,
    }
}

const fn opposite(operator: BinaryOperator) -> Option<BinaryOperator> {
    match operator {
        BinaryOperator::Equal => Some(BinaryOperator::NotEqual),
        BinaryOperator::NotEqual => Some(BinaryOperator::Equal),
        _ => None,
    }
}

fn truth(expression: &GuardExpression) -> Option<bool> {
    match &expression.kind {
        GuardKind::Constant(value) => value.as_bool(),
        _ => None,
    }
}
