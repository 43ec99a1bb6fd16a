//! Triggers with their conditions.

use weave_syntax::ast::{self, Expr, Literal, LiteralKind};
use weave_syntax::text;

use super::Body;
use super::scope::NodeValues;
use crate::expression::{Doubts, Environment, Expected, Facts, check_expected, check_guard};
use crate::model::types::{Scalar, Type};
use crate::model::value::ValueKind;
use crate::model::workflow::{Condition, Source, Time, Trigger};

/// What a guard with a mistake leaves in doubt.
#[derive(Debug)]
pub(super) struct WrongGuard {
    /// Behind it.
    pub(super) if_true: Doubts,
    /// Behind those that are asked after it.
    pub(super) if_not_true: Doubts,
}

impl Body<'_> {
    /// The triggers of a node.
    pub(super) fn triggers(&self, index: usize, node: &ast::Node) -> Box<[Trigger]> {
        let written = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
        let triggers = written.iter().zip(self.sources_of(index)).enumerate();
        let triggers = triggers.map(|(place, (trigger, source))| {
            let (typed, doubts) = self.trigger(trigger, source, self.facts_before(index, place, trigger));
            if let Some(doubts) = doubts {
                self.wrong_guards.borrow_mut().insert((index, place), doubts);
            }
            typed
        });
        triggers.collect()
    }

    /// A trigger, and what its guard leaves in doubt, if something is wrong with that.
    fn trigger(&self, written: &ast::Trigger, source: &Source, facts: Facts) -> (Trigger, Option<WrongGuard>) {
        let values = NodeValues::new(self, std::slice::from_ref(source));
        let env = Environment::with_facts(self.model, self.item, &values, self.sink, facts);
        let source = match (source, &written.source) {
            (Source::Timeout { step, .. }, ast::Source::Timeout { after, .. }) => {
                Source::Timeout { step: *step, after: self.time(&env, after) }
            }
            _ => source.clone(),
        };
        let before = self.sink.len();
        let condition = written.condition.as_ref().map(|condition| match condition {
            ast::Condition::When { also: None, guard } => Condition::When(check_guard(&env, guard)),
            ast::Condition::When { also: Some(_), guard } => Condition::AlsoWhen(check_guard(&env, guard)),
            ast::Condition::Else(_) => Condition::Else,
        });
        let event = condition.as_ref().and_then(|_| self.event(std::slice::from_ref(&source)).ok());
        let doubts = match &written.condition {
            Some(ast::Condition::When { guard, .. }) if self.sink.len() > before => {
                let mistakes = self.sink.spans_since(before, self.item.file);
                let [if_true, if_not_true] = [true, false].map(|holds| Doubts::of(&env, guard, &mistakes, holds));
                Some(WrongGuard { if_true, if_not_true })
            }
            _ => None,
        };
        (Trigger { source, condition, event, place: self.place(written.span) }, doubts)
    }

    /// A length of time.
    pub(super) fn time(&self, env: &Environment<'_>, written: &Expr) -> Time {
        if let Expr::Literal(Literal { span, kind: LiteralKind::Duration }) = written {
            return text::duration_millis(self.text(*span)).map_or(Time::Unknown, Time::Constant);
        }
        let value = check_expected(env, written, Expected::of(&Type::Scalar(Scalar::Duration, None)));
        match value.kind {
            ValueKind::Path(path) if path.default.is_none() => Time::Path(path.path),
            _ => Time::Unknown,
        }
    }
}
