//! Guards: conditions, typed throughout. Nothing in them is dynamic: a number literal takes the type that it meets, and no
//! value is turned into one of another type.

mod arithmetic;
mod call;
mod compare;
pub(crate) mod kind;

use serde_json::Value as Json;
use weave_diagnostics::Span;
use weave_syntax::ast::{Binary, BinaryOperator, Expr, Literal, LiteralKind, Path, Root, Segment, Unary, UnaryOperator};

use super::literal::{LiteralFault, literal_as_scalar};
use super::shape::with_null;
use super::{Doubts, Environment, resolve_path};
use crate::messages::bodies as message;
use crate::model::guard::{Guard, GuardExpression, GuardKind};
use crate::model::types::{ListType, Scalar, Type};
use kind::{Kind, Operand};

/// A guard, which is a condition.
pub(crate) fn check_guard(env: &Environment<'_>, guard: &Expr) -> Guard {
    let checker = Checker { env };
    let expression = checker.expression(guard, None);
    checker.must_be_bool(&expression, guard.span(), "a guard");
    Guard { expression, place: env.place(guard.span()) }
}

#[derive(Clone, Copy)]
struct Checker<'e, 'a> {
    env: &'e Environment<'a>,
}

impl Checker<'_, '_> {
    fn made(self, kind: GuardKind, ty: Type, span: Span) -> GuardExpression {
        GuardExpression { kind, ty, place: self.env.place(span) }
    }

    fn unknown(self, span: Span) -> GuardExpression {
        self.made(GuardKind::Unknown, Type::Unknown, span)
    }

    fn bool(self, kind: GuardKind, span: Span) -> GuardExpression {
        self.made(kind, Type::Scalar(Scalar::Bool, None), span)
    }

    fn kind(self, expression: &GuardExpression) -> Operand {
        kind::of(self.env.model, &expression.ty)
    }

    /// An expression; `hint` is the type of what it meets, which a literal takes.
    fn expression(self, expression: &Expr, hint: Option<&Type>) -> GuardExpression {
        if let (Some(recorder), Some(hint), Expr::Literal(_) | Expr::Missing(_)) = (self.env.sink.recorder(), hint, expression) {
            recorder.wanted(expression.span(), hint);
        }
        match expression {
            Expr::Literal(literal) => self.literal(*literal, hint),
            Expr::Path(path) => self.path(path),
            Expr::List(list) => self.list(list, hint),
            Expr::Unary(unary) => self.unary(unary, hint),
            Expr::Binary(binary) => self.binary(binary, hint),
            Expr::Parenthesized(inner) => self.expression(&inner.1, hint),
            // Objects and `??` have been reported with the syntax, and what is missing too.
            Expr::Object(_) | Expr::Coalesce(_) | Expr::Missing(_) => self.unknown(expression.span()),
        }
    }

    /// A literal, as the type that it meets.
    fn literal(self, literal: Literal, hint: Option<&Type>) -> GuardExpression {
        let met = hint.map(|hint| kind::of(self.env.model, hint).kind);
        let scalar = match (literal.kind, met) {
            (LiteralKind::Null, _) => return self.made(GuardKind::Constant(Json::Null), Type::Null, literal.span),
            (LiteralKind::True | LiteralKind::False, _) => Scalar::Bool,
            (LiteralKind::Duration, _) => Scalar::Duration,
            (LiteralKind::Number, Some(Kind::Int)) => Scalar::Int,
            (LiteralKind::Number, Some(Kind::Int64)) => Scalar::Int64,
            (LiteralKind::Number, Some(Kind::Float)) => Scalar::Float,
            (LiteralKind::Number, Some(Kind::Decimal)) => Scalar::Decimal,
            (LiteralKind::Number, _) => match weave_syntax::text::number(self.env.text(literal.span)) {
                Ok(weave_syntax::text::Number::Integer(_)) => Scalar::Int,
                Ok(weave_syntax::text::Number::Float(_)) => Scalar::Float,
                Err(_) => return self.unknown(literal.span),
            },
            (LiteralKind::String | LiteralKind::TextBlock, Some(met)) => met.written_as_string().unwrap_or(Scalar::String),
            (LiteralKind::String | LiteralKind::TextBlock, None) => Scalar::String,
        };
        match literal_as_scalar(self.env, literal, scalar) {
            Ok(json) => self.made(GuardKind::Constant(json), Type::Scalar(scalar, None), literal.span),
            Err(LiteralFault::Reported) => self.unknown(literal.span),
            Err(_) => {
                self.env.report(message::wrong_constant(self.env, literal, scalar));
                self.unknown(literal.span)
            }
        }
    }

    /// A list of expressions; what it is compared with says what its items are.
    fn list(self, list: &weave_syntax::ast::List, hint: Option<&Type>) -> GuardExpression {
        let item_hint = hint.and_then(|hint| kind::item(self.env.model, hint));
        let items = list.items.iter().map(|item| self.expression(&item.value, item_hint.as_ref())).collect::<Vec<_>>();
        let ty = items.first().map_or(Type::Unknown, |item| item.ty.clone());
        self.made(GuardKind::List(items), Type::List(std::sync::Arc::new(ListType::of(ty))), list.span)
    }

    fn path(self, path: &Path) -> GuardExpression {
        if let Some(call) = path.segments.iter().position(|segment| matches!(segment, Segment::Call { .. })) {
            return self.call(path, call);
        }
        if matches!(path.root, Root::Expr(_)) {
            self.env.report(message::path_behind_parentheses(self.env.place(path.span)));
            return self.unknown(path.span);
        }
        match resolve_path(self.env, path) {
            Some(reading) => {
                let path = reading.path;
                let ty = if path.absent { with_null(self.env.model, &path.ty) } else { path.ty.clone() };
                let place = path.place;
                GuardExpression { kind: GuardKind::Path(path), ty, place }
            }
            None => self.unknown(path.span),
        }
    }

    /// Prefix operators. Pairs of equal ones mean nothing, so that a tree of them is never deep.
    fn unary(self, unary: &Unary, hint: Option<&Type>) -> GuardExpression {
        let Some((operator, operator_span)) = unary.operators.first() else { return self.expression(&unary.operand, hint) };
        if unary.operators.iter().any(|(other, _)| other != operator) {
            self.env.report(message::mixed_prefixes(self.env.place(unary.span)));
            return self.unknown(unary.span);
        }
        let is_not = *operator == UnaryOperator::Not;
        let operand = self.expression(&unary.operand, if is_not { None } else { hint });
        let fits = if is_not {
            self.must_be_bool(&operand, unary.operand.span(), "`!`")
        } else {
            self.must_be(&operand, unary.operand.span(), "`-`", "a number or a duration", |kind| kind.is_number() || kind == Kind::Duration)
        };
        if !fits || operator_span.is_empty() {
            return self.unknown(unary.span);
        }
        if unary.operators.len().is_multiple_of(2) {
            return operand;
        }
        let ty = operand.ty.clone();
        let operand = Box::new(operand);
        self.made(if is_not { GuardKind::Not(operand) } else { GuardKind::Negate(operand) }, ty, unary.span)
    }

    fn binary(self, binary: &Binary, hint: Option<&Type>) -> GuardExpression {
        match binary.rest.first().map(|(operator, ..)| *operator) {
            Some(BinaryOperator::And | BinaryOperator::Or) => self.connective(binary),
            Some(
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder,
            ) => self.arithmetic(binary, hint),
            Some(_) => self.comparison(binary),
            None => self.expression(&binary.first, hint),
        }
    }

    /// `&&` and `||`: each operand knows what the ones before it have decided.
    fn connective(self, binary: &Binary) -> GuardExpression {
        let is_and = matches!(binary.rest.first(), Some((BinaryOperator::And, ..)));
        let sign = if is_and { "`&&`" } else { "`||`" };
        let (mark, doubts) = (self.env.facts.borrow().mark(), self.env.facts.borrow().doubts().len());
        let first = self.connected(&binary.first, sign, is_and);
        let rest = binary.rest.iter().map(|(operator, _, operand)| (*operator, self.connected(operand, sign, is_and))).collect();
        self.env.facts.borrow_mut().forget(mark);
        self.env.facts.borrow_mut().trust(doubts);
        self.bool(GuardKind::Chain { first: Box::new(first), rest }, binary.span)
    }

    fn connected(self, operand: &Expr, sign: &str, is_and: bool) -> GuardExpression {
        let before = self.env.sink.len();
        let expression = self.expression(operand, None);
        let fits = self.must_be_bool(&expression, operand.span(), sign);
        self.env.facts.borrow_mut().learn(self.env.item.text, operand, is_and);
        if self.env.sink.len() > before {
            let doubts = Doubts::of(self.env, operand, &self.env.sink.spans_since(before, self.env.item.file), is_and);
            self.env.facts.borrow_mut().doubt(&doubts);
        }
        if fits { expression } else { self.unknown(operand.span()) }
    }

    // ---- What operands must be -----------------------------------------------------------------------------------------

    fn must_be_bool(self, expression: &GuardExpression, span: Span, who: &str) -> bool {
        let operand = self.kind(expression);
        if operand.kind == Kind::Bool && operand.nullable {
            self.env.report(message::bool_may_be_absent(self.env, span, who));
            return false;
        }
        self.must_be(expression, span, who, "`bool`", |kind| kind == Kind::Bool)
    }

    /// Reports an operand that is something else than what is wanted, or that may not be there.
    fn must_be(self, expression: &GuardExpression, span: Span, who: &str, wanted: &str, accepts: impl Fn(Kind) -> bool) -> bool {
        let operand = self.kind(expression);
        if operand.kind == Kind::Unknown {
            return true;
        }
        if !accepts(operand.kind) {
            self.env.report(message::wrong_operand(self.env, span, who, wanted, &expression.ty));
            return false;
        }
        if operand.nullable {
            self.env.report(message::operand_may_be_absent(self.env, span, who));
            return false;
        }
        true
    }
}

/// Whether an expression is made of literals only, and so takes the type of what it meets.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Literal(_) | Expr::Missing(_) => true,
        Expr::Parenthesized(inner) => is_constant(&inner.1),
        Expr::Unary(unary) => is_constant(&unary.operand),
        Expr::List(list) => list.items.iter().all(|item| is_constant(&item.value)),
        Expr::Binary(binary) => is_constant(&binary.first) && binary.rest.iter().all(|(.., operand)| is_constant(operand)),
        Expr::Path(_) | Expr::Object(_) | Expr::Coalesce(_) => false,
    }
}
