//! `+ - * / %`.

use weave_diagnostics::Span;
use weave_syntax::ast::{Binary, BinaryOperator};

use super::kind::Kind;
use super::{Checker, is_constant};
use crate::messages::bodies as message;
use crate::model::guard::{GuardExpression, GuardKind};
use crate::model::types::{Scalar, Type};

impl Checker<'_, '_> {
    /// A chain of operators of one precedence, from left to right.
    pub(super) fn arithmetic(self, binary: &Binary, hint: Option<&Type>) -> GuardExpression {
        let operands = || std::iter::once(&binary.first).chain(binary.rest.iter().map(|(.., operand)| operand));
        // What is read from somewhere says of which type the literals beside it are.
        let mut known = operands().map(|operand| (!is_constant(operand)).then(|| self.expression(operand, hint))).collect::<Vec<_>>();
        let first_known = known.iter().flatten().next().map(|expression| expression.ty.clone());
        let hint = match first_known.as_ref().or(hint) {
            // To a point in time only a length of time can be added.
            Some(ty) if self.kind_of(ty) == Kind::Timestamp => Some(Type::Scalar(Scalar::Duration, None)),
            other => other.cloned(),
        };
        for (slot, operand) in known.iter_mut().zip(operands()) {
            slot.get_or_insert_with(|| self.expression(operand, hint.as_ref()));
        }
        let mut known = known.into_iter().flatten();
        let Some(first) = known.next() else { return self.unknown(binary.span) };
        let mut ty = first.ty.clone();
        let mut before = binary.first.span();
        let mut rest = Vec::with_capacity(binary.rest.len());
        for ((operator, sign, written), operand) in binary.rest.iter().zip(known) {
            let Some(result) = self.result(*operator, *sign, (before, &ty), (written.span(), &operand)) else {
                return self.unknown(binary.span);
            };
            ty = result;
            before = before.join(written.span());
            rest.push((*operator, operand));
        }
        self.made(GuardKind::Chain { first: Box::new(first), rest }, ty, binary.span)
    }

    fn kind_of(self, ty: &Type) -> Kind {
        super::kind::of(self.env.model, ty).kind
    }

    /// The type of one operation, or nothing if it has been reported.
    fn result(self, operator: BinaryOperator, sign: Span, one: (Span, &Type), other: (Span, &GuardExpression)) -> Option<Type> {
        let who = format!("`{}`", operator.text());
        let left = GuardExpression { kind: GuardKind::Unknown, ty: one.1.clone(), place: self.env.place(one.0) };
        let wanted = wanted(operator);
        for (expression, span) in [(&left, one.0), (other.1, other.0)] {
            if !self.must_be(expression, span, &who, wanted, |kind| accepts(operator, kind)) {
                return None;
            }
        }
        let ty = |scalar| Some(Type::Scalar(scalar, None));
        match (operator, self.kind_of(one.1), self.kind(other.1).kind) {
            (_, Kind::Unknown, _) | (_, _, Kind::Unknown) => Some(Type::Unknown),
            (BinaryOperator::Subtract, Kind::Timestamp, Kind::Timestamp) => ty(Scalar::Duration),
            (BinaryOperator::Add | BinaryOperator::Subtract, Kind::Timestamp, Kind::Duration)
            | (BinaryOperator::Add, Kind::Duration, Kind::Timestamp) => ty(Scalar::Timestamp),
            (_, Kind::Timestamp, _) | (_, _, Kind::Timestamp) => self.mixed(operator, sign, one, other),
            (_, left, right) if left == right => match left {
                Kind::Int => ty(Scalar::Int),
                Kind::Int64 => ty(Scalar::Int64),
                Kind::Float => ty(Scalar::Float),
                Kind::Decimal => ty(Scalar::Decimal),
                Kind::String => ty(Scalar::String),
                Kind::Bytes => ty(Scalar::Bytes),
                Kind::Duration => ty(Scalar::Duration),
                _ => Some(one.1.clone()),
            },
            _ => self.mixed(operator, sign, one, other),
        }
    }

    fn mixed(self, operator: BinaryOperator, sign: Span, one: (Span, &Type), other: (Span, &GuardExpression)) -> Option<Type> {
        self.env.report(message::no_operation(self.env, operator, sign, one, (other.0, &other.1.ty)));
        None
    }
}

const fn accepts(operator: BinaryOperator, kind: Kind) -> bool {
    match operator {
        BinaryOperator::Add => {
            kind.is_number() || matches!(kind, Kind::String | Kind::Bytes | Kind::List | Kind::Timestamp | Kind::Duration)
        }
        BinaryOperator::Subtract => kind.is_number() || matches!(kind, Kind::Timestamp | Kind::Duration),
        BinaryOperator::Multiply => kind.is_number(),
        BinaryOperator::Divide => matches!(kind, Kind::Int | Kind::Int64 | Kind::Float),
        _ => matches!(kind, Kind::Int | Kind::Int64),
    }
}

const fn wanted(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "numbers, strings, lists, or times",
        BinaryOperator::Subtract => "numbers or times",
        BinaryOperator::Multiply => "numbers",
        BinaryOperator::Divide => "`int`, `int64` or `float`",
        _ => "integers",
    }
}
