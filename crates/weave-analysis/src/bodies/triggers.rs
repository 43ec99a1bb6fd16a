//! Triggers with their conditions.

use weave_syntax::ast::{self, Expr, Literal, LiteralKind};
use weave_syntax::text;

use super::Body;
use super::scope::NodeValues;
use crate::expression::{Environment, Expected, Facts, check_expected, check_guard};
use crate::model::types::{Scalar, Type};
use crate::model::value::ValueKind;
use crate::model::workflow::{Condition, Source, Time, Trigger};

impl Body<'_> {
    /// The triggers of a node.
    pub(super) fn triggers(&self, index: usize, node: &ast::Node) -> Box<[Trigger]> {
        let written = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
        let triggers = written.iter().zip(self.sources_of(index)).enumerate();
        let triggers = triggers.map(|(place, (trigger, source))| {
            let before = self.sink.len();
            let typed = self.trigger(trigger, source, self.facts_before(index, place, trigger));
            if self.sink.len() > before {
                self.wrong_guards.borrow_mut().insert((index, place));
            }
            typed
        });
        triggers.collect()
    }

    fn trigger(&self, written: &ast::Trigger, source: &Source, facts: Facts) -> Trigger {
        let values = NodeValues::new(self, std::slice::from_ref(source));
        let env = Environment::with_facts(self.model, self.item, &values, self.sink, facts);
        let source = match (source, &written.source) {
            (Source::Timeout { step, .. }, ast::Source::Timeout { after, .. }) => {
                Source::Timeout { step: *step, after: self.time(&env, after) }
            }
            _ => source.clone(),
        };
        let condition = written.condition.as_ref().map(|condition| match condition {
            ast::Condition::When { also: None, guard } => Condition::When(check_guard(&env, guard)),
            ast::Condition::When { also: Some(_), guard } => Condition::AlsoWhen(check_guard(&env, guard)),
            ast::Condition::Else(_) => Condition::Else,
        });
        let event = condition.as_ref().and_then(|_| self.event(std::slice::from_ref(&source)).ok());
        Trigger { source, condition, event, place: self.place(written.span) }
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
