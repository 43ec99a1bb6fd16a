//! Triggers with their conditions, and the choices that they make up.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{self, Expr, Literal, LiteralKind};
use weave_syntax::text;

use super::Body;
use super::scope::NodeValues;
use crate::expression::{Environment, Expected, check_expected, check_guard};
use crate::messages::bodies as message;
use crate::model::DeclarationId;
use crate::model::types::{Scalar, Type};
use crate::model::value::ValueKind;
use crate::model::workflow::{Condition, Source, Time, Trigger};

impl Body<'_> {
    /// The triggers of a node.
    pub(super) fn triggers(&self, index: usize, node: &ast::Node) -> Box<[Trigger]> {
        let written = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
        written.iter().zip(self.sources_of(index)).map(|(trigger, source)| self.trigger(trigger, source)).collect()
    }

    fn trigger(&self, written: &ast::Trigger, source: &Source) -> Trigger {
        let values = NodeValues::new(self, std::slice::from_ref(source));
        let env = Environment::new(self.model, self.item, &values, self.sink);
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

    // ---- Choices -------------------------------------------------------------------------------------------------------

    /// Every `else` needs another node that is asked before it, and there is one `else` in a choice.
    pub(super) fn check_choices(&self) {
        let mut choices: FxHashMap<Key<'_>, Choice> = FxHashMap::default();
        let mut elses: Vec<(Key<'_>, Place)> = Vec::new();
        let mut unknown = false;
        for (index, node) in self.nodes.iter().take(self.kept).enumerate() {
            for (trigger, source) in node.on().map(|triggers| &*triggers.items).unwrap_or_default().iter().zip(self.sources_of(index)) {
                let Some(key) = self.key(source, &trigger.source) else {
                    // Nobody knows to which choice it belongs.
                    unknown |= trigger.condition.is_some();
                    continue;
                };
                let choice = choices.entry(key.clone()).or_default();
                match &trigger.condition {
                    Some(ast::Condition::Else(span)) => self.note_else(choice, &mut elses, key, *span),
                    Some(ast::Condition::When { also: None, .. }) => choice.has_member = true,
                    Some(ast::Condition::When { also: Some(_), .. }) => {}
                    None => choice.has_member |= node.limit().is_some(),
                }
            }
        }
        if unknown {
            return;
        }
        for (key, place) in elses {
            if let Entry::Occupied(choice) = choices.entry(key)
                && !choice.get().has_member
            {
                self.report(message::else_without_choice(place));
            }
        }
    }

    fn note_else<'k>(&self, choice: &mut Choice, elses: &mut Vec<(Key<'k>, Place)>, key: Key<'k>, span: Span) {
        let place = self.place(span);
        match choice.first_else {
            Some(first) => self.report(message::second_else(place, first)),
            None => {
                choice.first_else = Some(place);
                elses.push((key, place));
            }
        }
    }

    /// What makes two triggers the same one; nothing for what is not known.
    fn key<'s>(&'s self, source: &'s Source, written: &'s ast::Source) -> Option<Key<'s>> {
        Some(match source {
            Source::Start => Key::Start,
            Source::Step(step) => Key::Step(*step),
            Source::Topic(topic) => Key::Topic(*topic, None),
            Source::TopicFrom(topic, step) | Source::ToolFrom { tool: topic, step, .. } => Key::Topic(*topic, Some(*step)),
            Source::All(steps) => Key::Join(None, sorted(steps)),
            Source::Settled(steps) => Key::Join(Some(0), sorted(steps)),
            Source::Count(count, steps) => Key::Join(Some(*count), sorted(steps)),
            Source::Failure(step) => Key::Failure(Some(*step)),
            Source::AnyFailure => Key::Failure(None),
            Source::Timeout { step, .. } => {
                let ast::Source::Timeout { after, .. } = written else { return None };
                Key::Timeout(*step, self.text(after.span()))
            }
            Source::Unknown => return None,
        })
    }
}

fn sorted(steps: &[u32]) -> Box<[u32]> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.into()
}

/// What the nodes of one trigger have.
#[derive(Default)]
struct Choice {
    /// Whether a node is asked before the `else`: one with a `when`, or with a limit that can run out.
    has_member: bool,
    first_else: Option<Place>,
}

/// What a trigger fires on, as the key of a table.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    Start,
    Step(u32),
    Topic(DeclarationId, Option<u32>),
    Join(Option<u64>, Box<[u32]>),
    Failure(Option<u32>),
    Timeout(Option<u32>, &'a str),
}
