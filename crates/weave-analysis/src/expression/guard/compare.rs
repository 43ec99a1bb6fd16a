//! `==` and its like, and `in`.

use weave_diagnostics::Span;
use weave_syntax::ast::{Binary, BinaryOperator, Expr, Literal, LiteralKind};

use super::kind::{self, Kind};
use super::{Checker, is_constant};
use crate::expression::narrow::may_equal;
use crate::expression::shape::members;
use crate::expression::{Environment, Sink, only_path};
use crate::messages::bodies as message;
use crate::model::guard::{GuardExpression, GuardKind};
use crate::model::types::Type;

impl Checker<'_, '_> {
    pub(super) fn comparison(self, binary: &Binary) -> GuardExpression {
        // Comparisons one behind the other have been reported with the syntax.
        let [(operator, sign, second)] = &*binary.rest else { return self.unknown(binary.span) };
        let (one, other) = if *operator == BinaryOperator::In {
            self.membership(&binary.first, second)
        } else if is_constant(&binary.first) && !is_constant(second) {
            let other = self.expression(second, None);
            self.meets(&binary.first, second, &other.ty);
            (self.expression(&binary.first, Some(&other.ty)), other)
        } else {
            let one = self.expression(&binary.first, None);
            self.meets(second, &binary.first, &one.ty);
            let other = self.expression(second, Some(&one.ty));
            (one, other)
        };
        match operator {
            BinaryOperator::In => {}
            BinaryOperator::Equal | BinaryOperator::NotEqual => self.equality((&one, &binary.first), (&other, second), *operator, *sign),
            _ => self.order((&one, &binary.first), (&other, second), *operator, *sign),
        }
        self.bool(GuardKind::Chain { first: Box::new(one), rest: vec![(*operator, other)] }, binary.span)
    }

    /// Writes down the strings that a value is compared with. What an earlier part of the guard has excluded they may still say.
    fn meets(self, written: &Expr, value: &Expr, ty: &Type) {
        let Some(recorder) = self.env.sink.recorder() else { return };
        match written {
            Expr::Literal(Literal { span, kind: LiteralKind::String }) => {
                let declared = self.declared(value);
                recorder.literal(self.env.place(*span), declared.as_ref().unwrap_or(ty), Some(self.env.place(value.span())));
            }
            Expr::Parenthesized(inner) => self.meets(&inner.1, value, ty),
            Expr::List(list) => list.items.iter().for_each(|item| self.meets(&item.value, value, ty)),
            _ => {}
        }
    }

    fn equality(self, one: (&GuardExpression, &Expr), other: (&GuardExpression, &Expr), operator: BinaryOperator, sign: Span) {
        let kinds = (self.kind(one.0).kind, self.kind(other.0).kind);
        let comparable = match kinds {
            (Kind::Unknown | Kind::Null | Kind::Json | Kind::Mixed, _) | (_, Kind::Unknown | Kind::Null | Kind::Json | Kind::Mixed) => true,
            (one, other) => one == other,
        };
        if !comparable {
            self.env.report(message::incomparable(self.env, operator, sign, (one.1.span(), &one.0.ty), (other.1.span(), &other.0.ty)));
            return;
        }
        self.possible(one, other);
        self.possible(other, one);
    }

    fn order(self, one: (&GuardExpression, &Expr), other: (&GuardExpression, &Expr), operator: BinaryOperator, sign: Span) {
        let who = format!("`{}`", operator.text());
        for (expression, written) in [one, other] {
            if !self.must_be(expression, written.span(), &who, "ordered values", Kind::is_ordered) {
                return;
            }
        }
        let kinds = (self.kind(one.0).kind, self.kind(other.0).kind);
        if kinds.0 != kinds.1 && kinds.0 != Kind::Unknown && kinds.1 != Kind::Unknown {
            self.env.report(message::incomparable(self.env, operator, sign, (one.1.span(), &one.0.ty), (other.1.span(), &other.0.ty)));
        }
    }

    /// Reports a constant that the value which it is compared with never has.
    fn possible(self, value: (&GuardExpression, &Expr), constant: (&GuardExpression, &Expr)) {
        let (GuardKind::Constant(json), false) = (&constant.0.kind, matches!(value.0.kind, GuardKind::Constant(_))) else { return };
        if json.is_null() || self.may_be(&value.0.ty, json) {
            return;
        }
        // What an earlier part of the guard has excluded is no slip of the hand; only the declared type counts.
        let declared = self.declared(value.1).unwrap_or_else(|| value.0.ty.clone());
        if !self.may_be(&declared, json) {
            self.env.report(message::never_equal(self.env, constant.1.span(), &declared, value.1.span()));
        }
    }

    fn may_be(self, ty: &Type, json: &serde_json::Value) -> bool {
        members(self.env.model, ty).iter().any(|member| may_equal(member.shape, json))
    }

    /// The type of a path, whatever the guard has said about it.
    fn declared(self, written: &Expr) -> Option<Type> {
        let sink = Sink::default();
        let env = Environment::new(self.env.model, self.env.item, self.env.values, &sink);
        Some(only_path(&env, written)?.path.ty)
    }

    /// `a in b`: both sides, checked.
    fn membership(self, first: &Expr, second: &Expr) -> (GuardExpression, GuardExpression) {
        // A list that is written out takes the type of what is looked for.
        if is_constant(second) {
            let one = self.expression(first, None);
            self.meets(second, first, &one.ty);
            let list = Type::List(std::sync::Arc::new(crate::model::types::ListType::of(one.ty.clone())));
            let other = self.expression(second, Some(&list));
            self.must_be(&other, second.span(), "`in`", "a list or a map on the right", |kind| matches!(kind, Kind::List | Kind::Map));
            if let (GuardKind::List(items), Expr::List(written)) = (&other.kind, second) {
                for (item, written) in items.iter().zip(&written.items) {
                    self.equality((&one, first), (item, &written.value), BinaryOperator::In, written.value.span());
                }
            }
            return (one, other);
        }
        let other = self.expression(second, None);
        self.must_be(&other, second.span(), "`in`", "a list or a map on the right", |kind| matches!(kind, Kind::List | Kind::Map));
        let item = kind::item(self.env.model, &other.ty);
        let one = self.expression(first, item.as_ref());
        if let Some(item) = item {
            let item = GuardExpression { kind: GuardKind::Unknown, ty: item, place: other.place };
            self.equality((&one, first), (&item, second), BinaryOperator::In, second.span());
        }
        (one, other)
    }
}
