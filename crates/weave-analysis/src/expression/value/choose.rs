//! Which alternative of a union an object or a list is meant to be.

use weave_syntax::ast::{Expr, Literal, Object};

use super::{Checker, Strings};
use crate::expression::fits::fits;
use crate::expression::literal::{LiteralFault, literal_as};
use crate::expression::shape::{Member, Shape, members};
use crate::expression::template::is_template;
use crate::expression::{Environment, Sink};
use crate::model::types::FieldType;

impl Checker<'_, '_> {
    /// The alternative that an object is most likely meant to be.
    pub(super) fn choose<'m>(self, object: &Object, candidates: &[Member<'m>]) -> Option<Member<'m>> {
        if let [] | [_] = candidates {
            return candidates.first().copied();
        }
        let rank = |member: &Member<'_>| self.rank(object, member.shape);
        let best = candidates.iter().map(rank).max()?;
        let mut equal = candidates.iter().filter(|member| rank(member) == best);
        let (first, second) = (equal.next()?, equal.next());
        if second.is_none() {
            return Some(*first);
        }
        // The names do not tell: the types do.
        let ty = self.silent(|checker| checker.infer_object(object).1);
        let fitting = candidates.iter().filter(|member| rank(member) == best).find(|member| fits(self.env.model, &ty, member.ty).is_ok());
        Some(*fitting.unwrap_or(first))
    }

    /// How well the keys and the literals of an object go with an alternative: conflicts of literals, then of names, then what is known.
    fn rank(self, object: &Object, shape: Shape<'_>) -> (i64, i64, i64) {
        let text = self.env.item.text;
        match shape {
            Shape::Record(record) => {
                let (mut conflicts, mut unknown, mut known) = (0, 0, 0);
                let mut given = 0;
                for entry in &object.entries {
                    match record.field(&entry.key.text(text)) {
                        Some(field) => {
                            known += 1;
                            given += i64::from(!field.may_be_left_out());
                            conflicts += i64::from(self.conflicts(&entry.value, field));
                        }
                        None => unknown += i64::from(!record.open),
                    }
                }
                let missing = record.fields.iter().filter(|field| !field.may_be_left_out()).count() as i64 - given;
                (-conflicts, -(unknown + missing.max(0)), known)
            }
            Shape::Tagged(union) => {
                let tag = object.entries.iter().find(|entry| entry.key.text(text) == *union.tag);
                let said = tag.and_then(|tag| string_literal(self.env, &tag.value, self.strings));
                let said = said.map(|literal| weave_syntax::text::literal_value(text, literal));
                let known = said.is_some_and(|said| union.variants.iter().any(|variant| *variant.name == *said));
                (if known { 0 } else { -1 }, if tag.is_some() { 0 } else { -1 }, i64::from(known) * object.entries.len() as i64)
            }
            _ => (0, 0, 0),
        }
    }

    /// Whether an entry says a literal that a field, which is made of literals, does not have.
    fn conflicts(self, value: &Expr, field: &FieldType) -> bool {
        let Expr::Literal(literal) = value else { return false };
        if self.strings == Strings::Templates && is_template(self.env, *literal) {
            return false;
        }
        let of_literals =
            members(self.env.model, &field.ty).iter().all(|member| matches!(member.shape, Shape::Literal(_) | Shape::Enum(_)));
        of_literals && matches!(literal_as(self.env, *literal, &field.ty), Err(LiteralFault::Kind))
    }

    /// Does something without reporting anything.
    pub(super) fn silent<R>(self, work: impl FnOnce(Checker<'_, '_>) -> R) -> R {
        let sink = Sink::default();
        let facts = self.env.facts.borrow().clone();
        let env = Environment::with_facts(self.env.model, self.env.item, self.env.values, &sink, facts);
        work(Checker { env: &env, strings: self.strings })
    }
}

/// A string literal without placeholders.
pub(super) fn string_literal(env: &Environment<'_>, expression: &Expr, strings: Strings) -> Option<Literal> {
    use weave_syntax::ast::LiteralKind;
    match expression {
        Expr::Literal(literal) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) => {
            (strings != Strings::Templates || !is_template(env, *literal)).then_some(*literal)
        }
        _ => None,
    }
}
