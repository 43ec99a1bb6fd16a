//! Guards in their normal form: guards that differ only by the laws below have the same bytes, and so the same digest.
//!
//! - `has(p)` is `p != null`, and there the type of `p` is `json`.
//! - A negation stands before what has no opposite: `!!a` is `a`, `!(a == b)` is `a != b`, `!(a < b)` is `a >= b`, `!(a && b)` is `!a || !b`,
//!   and `!xs.exists(x, p)` is `xs.all(x, !p)`. Of floats that were computed `!(a < b)` stays: a value that is not a number is neither less
//!   nor greater.
//! - `flag == true` is `flag`, and a pattern that asks for plain text is the method that does.
//! - A constant is the second operand of a comparison. Where the language gives no order of operands (`==`, `!=`, `&&`, `||`, and `<` with `>`)
//!   they are ordered by their own normal form, questions about null first; an operand of `&&` or `||` that is there twice is there once.
//!
//! All of them hold with errors and null, as `docs/definition.md` defines them; `tests/tests/guard_laws.rs` tries them.

use serde_json::Value as Json;
use weave_analysis::model::Model;
use weave_analysis::model::guard::{GuardExpression, GuardKind, Quantifier, TextMethod, plain_pattern};
use weave_analysis::model::types::{Literal, Scalar, Type};
use weave_ir::ValueType;
use weave_syntax::ast::BinaryOperator;

use super::guard::{tree, value_type};

/// The normal form of an expression.
pub(super) fn normal(model: &Model, expression: &GuardExpression) -> GuardExpression {
    Normal { model }.of(expression, false)
}

#[derive(Clone, Copy)]
struct Normal<'a> {
    model: &'a Model,
}

impl Normal<'_> {
    /// The normal form of an expression, or of its negation. Guards are nested no deeper than programs are.
    fn of(self, expression: &GuardExpression, is_negated: bool) -> GuardExpression {
        let as_it_is = |kind| GuardExpression { kind, ty: expression.ty.clone(), place: expression.place };
        let question = |kind| if is_negated { as_it_is(GuardKind::Not(Box::new(as_it_is(kind)))) } else { as_it_is(kind) };
        match &expression.kind {
            GuardKind::Not(operand) => self.of(operand, !is_negated),
            GuardKind::Constant(Json::Bool(value)) if is_negated => as_it_is(GuardKind::Constant(Json::Bool(!value))),
            GuardKind::Constant(_) | GuardKind::Path(_) | GuardKind::Unknown => question(expression.kind.clone()),
            GuardKind::List(items) => question(GuardKind::List(items.iter().map(|item| self.of(item, false)).collect())),
            GuardKind::Negate(operand) => question(GuardKind::Negate(self.boxed(operand))),
            GuardKind::Size(operand) => question(GuardKind::Size(self.boxed(operand))),
            GuardKind::Has(path) => {
                let first = untyped(GuardExpression { kind: GuardKind::Path(path.clone()), ty: path.ty.clone(), place: expression.place });
                let null = GuardExpression { kind: GuardKind::Constant(Json::Null), ty: Type::Null, place: expression.place };
                let operator = if is_negated { BinaryOperator::Equal } else { BinaryOperator::NotEqual };
                as_it_is(GuardKind::Chain { first: Box::new(first), rest: vec![(operator, null)] })
            }
            GuardKind::Text { method, receiver, argument } => {
                let (mut method, mut argument) = (*method, self.boxed(argument));
                if let (TextMethod::Matches, Some((plain, text))) = (method, plain_text(&argument)) {
                    method = plain;
                    argument.kind = GuardKind::Constant(text);
                }
                question(GuardKind::Text { method, receiver: self.boxed(receiver), argument })
            }
            GuardKind::Quantifier { quantifier, list, variable, body } => {
                let quantifier = match (quantifier, is_negated) {
                    (Quantifier::Exists, false) | (Quantifier::All, true) => Quantifier::Exists,
                    (Quantifier::All, false) | (Quantifier::Exists, true) => Quantifier::All,
                };
                let (variable, body) = (variable.clone(), Box::new(self.of(body, is_negated)));
                as_it_is(GuardKind::Quantifier { quantifier, list: self.boxed(list), variable, body })
            }
            GuardKind::Chain { first, rest } => match rest.as_slice() {
                [(BinaryOperator::And | BinaryOperator::Or, _), ..] => self.logical(expression, first, rest, is_negated),
                [(operator, second)] if opposite(*operator).is_some() => {
                    self.comparison(expression, (first, *operator, second), is_negated)
                }
                _ => {
                    let rest = rest.iter().map(|(operator, operand)| (*operator, self.of(operand, false))).collect();
                    question(GuardKind::Chain { first: self.boxed(first), rest })
                }
            },
        }
    }

    fn boxed(self, expression: &GuardExpression) -> Box<GuardExpression> {
        Box::new(self.of(expression, false))
    }

    /// `a && b && c`, `a || b || c`.
    fn logical(
        self,
        whole: &GuardExpression,
        first: &GuardExpression,
        rest: &[(BinaryOperator, GuardExpression)],
        is_negated: bool,
    ) -> GuardExpression {
        let is_and = rest.first().is_some_and(|(operator, _)| *operator == BinaryOperator::And);
        let operator = if is_and == is_negated { BinaryOperator::Or } else { BinaryOperator::And };
        let mut operands = Vec::new();
        for operand in std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand)) {
            let operand = self.of(operand, is_negated);
            match operand.kind {
                GuardKind::Chain { first, rest } if rest.first().is_some_and(|(inner, _)| *inner == operator) => {
                    operands.push(*first);
                    operands.extend(rest.into_iter().map(|(_, operand)| operand));
                }
                _ => operands.push(operand),
            }
        }
        let mut ordered: Vec<_> = operands.into_iter().map(|operand| (self.rank(&operand), operand)).collect();
        ordered.sort_by(|(one, _), (other, _)| one.cmp(other));
        ordered.dedup_by(|(one, _), (other, _)| one == other);
        let mut operands = ordered.into_iter().map(|(_, operand)| operand);
        let Some(first) = operands.next() else { return whole.clone() };
        let rest: Vec<_> = operands.map(|operand| (operator, operand)).collect();
        if rest.is_empty() {
            return first;
        }
        GuardExpression { kind: GuardKind::Chain { first: Box::new(first), rest }, ty: whole.ty.clone(), place: whole.place }
    }

    fn comparison(
        self,
        whole: &GuardExpression,
        (first, operator, second): (&GuardExpression, BinaryOperator, &GuardExpression),
        is_negated: bool,
    ) -> GuardExpression {
        if matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) {
            let against = match (truth(first), truth(second)) {
                (None, Some(truth)) => Some((first, truth)),
                (Some(truth), None) => Some((second, truth)),
                _ => None,
            };
            // What may be absent or null is no condition by itself.
            let is_bool = |operand: &GuardExpression| matches!(operand.ty, Type::Scalar(Scalar::Bool, _) | Type::Literal(Literal::Bool(_)));
            if let Some((operand, truth)) = against.filter(|(operand, _)| is_bool(operand)) {
                let is_itself = (operator == BinaryOperator::Equal) == truth;
                return self.of(operand, is_itself == is_negated);
            }
        }
        let (first, second) = (self.of(first, false), self.of(second, false));
        let has_opposite = operator.precedence() == BinaryOperator::Equal.precedence() && self.is_total(operator, &first, &second);
        let turned = opposite(operator).filter(|_| is_negated && has_opposite);
        let is_left_over = is_negated && turned.is_none();
        let mut operator = turned.unwrap_or(operator);
        let (first, second) = if self.is_in_order(&first, operator, &second) {
            (first, second)
        } else {
            operator = mirrored(operator);
            (second, first)
        };
        let first = if matches!(second.kind, GuardKind::Constant(Json::Null)) { untyped(first) } else { first };
        let kind = GuardKind::Chain { first: Box::new(first), rest: vec![(operator, second)] };
        let compared = GuardExpression { kind, ty: whole.ty.clone(), place: whole.place };
        if is_left_over {
            GuardExpression { kind: GuardKind::Not(Box::new(compared)), ty: whole.ty.clone(), place: whole.place }
        } else {
            compared
        }
    }

    /// Whether one of two values is less, equal or greater than the other: not where one may be no number, which only computing makes.
    fn is_total(self, operator: BinaryOperator, first: &GuardExpression, second: &GuardExpression) -> bool {
        let may_be_no_number = |operand: &GuardExpression| {
            value_type(self.model, &operand.ty) == ValueType::Float && !matches!(operand.kind, GuardKind::Path(_) | GuardKind::Constant(_))
        };
        matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) || ![first, second].into_iter().any(may_be_no_number)
    }

    fn is_in_order(self, first: &GuardExpression, operator: BinaryOperator, second: &GuardExpression) -> bool {
        let is_constant = |operand: &GuardExpression| matches!(operand.kind, GuardKind::Constant(_));
        match (is_constant(first), is_constant(second)) {
            (false, true) => true,
            (true, false) => false,
            _ => match self.bytes(first).cmp(&self.bytes(second)) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => !matches!(operator, BinaryOperator::Greater | BinaryOperator::GreaterEqual),
            },
        }
    }

    /// What operands without an order are ordered by.
    fn rank(self, operand: &GuardExpression) -> (bool, String) {
        let asks_for_null = match &operand.kind {
            GuardKind::Chain { rest, .. } => {
                matches!(rest.as_slice(), [(_, second)] if matches!(second.kind, GuardKind::Constant(Json::Null)))
            }
            _ => false,
        };
        (!asks_for_null, self.bytes(operand))
    }

    fn bytes(self, operand: &GuardExpression) -> String {
        serde_json::to_string(&tree(self.model, operand)).unwrap_or_default()
    }
}

/// A path whose value may be anything: whether it is null does not depend on its type, and what is known of the type depends on what was asked
/// before.
fn untyped(mut expression: GuardExpression) -> GuardExpression {
    if let GuardKind::Path(path) = &mut expression.kind {
        path.ty = Type::Json;
        expression.ty = Type::Json;
    }
    expression
}

/// The method and the text that a constant pattern asks for, if it is plain.
fn plain_text(argument: &GuardExpression) -> Option<(TextMethod, Json)> {
    let GuardKind::Constant(Json::String(pattern)) = &argument.kind else { return None };
    let (method, text) = plain_pattern(pattern)?;
    Some((method, text.into()))
}

/// The comparison that holds where another one does not.
const fn opposite(operator: BinaryOperator) -> Option<BinaryOperator> {
    Some(match operator {
        BinaryOperator::Equal => BinaryOperator::NotEqual,
        BinaryOperator::NotEqual => BinaryOperator::Equal,
        BinaryOperator::Less => BinaryOperator::GreaterEqual,
        BinaryOperator::LessEqual => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::LessEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::Less,
        _ => return None,
    })
}

/// The same comparison with its operands exchanged.
const fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        same => same,
    }
}

fn truth(expression: &GuardExpression) -> Option<bool> {
    match &expression.kind {
        GuardKind::Constant(value) => value.as_bool(),
        _ => None,
    }
}
