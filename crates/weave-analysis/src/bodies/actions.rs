//! What nodes do.

use serde_json::{Map, Value as Json};
use weave_diagnostics::Span;
use weave_syntax::ast::{self, Expr, LiteralKind, Name, Node, NodeBody, NodeKind, Wait};

use super::Body;
use super::scope::MailboxValues;
use super::targets::{self, Target};
use crate::expression::shape::join;
use crate::expression::{
    Environment, Expected, WantedBy, check_arguments, check_expected, check_guard, check_template, check_value, fits, infer_value,
};
use crate::messages::bodies as message;
use crate::model::types::{RecordType, Scalar, Type};
use crate::model::value::{Value, ValueKind};
use crate::model::workflow::{Action, StepReference};
use crate::model::{DeclarationId, DeclarationKind};

impl Body<'_> {
    /// What a node does; `env` is what its payload can read.
    pub(super) fn action(&self, index: usize, node: &Node, env: &Environment<'_>) -> Action {
        match (node.kind, &node.body) {
            (NodeKind::End, body) => self.end(node, body, env),
            (NodeKind::Fail, NodeBody::Value(message)) => Action::Fail(self.message(message, env)),
            (NodeKind::Fail, _) => Action::Fail(None),
            (NodeKind::Step, NodeBody::Value(value)) => Action::Value(self.value(value, env)),
            (NodeKind::Step, NodeBody::None) => Action::Unknown,
            (NodeKind::Step, NodeBody::Block { .. }) => match targets::action(node) {
                Some(action) => self.step_action(index, action, env),
                None => Action::Unknown,
            },
        }
    }

    // ---- Ends ----------------------------------------------------------------------------------------------------------

    fn end(&self, node: &Node, body: &NodeBody, env: &Environment<'_>) -> Action {
        let written = self.owner.written;
        let name = &self.owner.declaration.name;
        match (body, &self.owner.signature.output, &written.output) {
            (NodeBody::Value(value), Some(output), declared) => {
                let place = declared.as_ref().map_or(self.owner.declaration.place, |declared| self.place(declared.span()));
                let what = format!("the output of `{name}`");
                let by = WantedBy::Declaration(place, &what, output);
                Action::End(Some(check_expected(env, value, Expected { ty: output, may_be_absent: false, by })))
            }
            (NodeBody::Value(value), None, _) => {
                if !value.span().is_empty() {
                    self.report(message::unexpected_output(name, self.place(self.head(value.span())), self.owner.declaration.place));
                }
                Action::End(Some(infer_value(env, value).0))
            }
            (NodeBody::None, Some(output), Some(declared)) if !node.name.is_missing() => {
                let place = self.place(Span::new(node.span.start, node.name.span.end));
                if !matches!(output, Type::Unknown) {
                    self.report(message::missing_output(name, &self.model.display(output), place, self.place(declared.span())));
                }
                Action::End(None)
            }
            // A block on an `end` has been reported with the syntax.
            _ => Action::End(None),
        }
    }

    /// The first line of a span.
    fn head(&self, span: Span) -> Span {
        let line = self.text(span).split('\n').next().unwrap_or_default().trim_end();
        Span::new(span.start, span.start + line.len() as u32)
    }

    /// The message of a `fail`; anything but a string has been reported with the syntax.
    fn message(&self, written: &Expr, env: &Environment<'_>) -> Option<crate::model::value::Template> {
        match written {
            Expr::Literal(literal) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) => {
                Some(check_template(env, *literal))
            }
            Expr::Parenthesized(inner) => self.message(&inner.1, env),
            _ => None,
        }
    }

    fn value(&self, written: &Expr, env: &Environment<'_>) -> Value {
        let (value, _, absent) = infer_value(env, written);
        if absent && matches!(value.kind, ValueKind::Path(_)) {
            // Asked again where a value is wanted, it says why.
            return check_value(env, written, &Type::Json);
        }
        value
    }

    // ---- Steps ---------------------------------------------------------------------------------------------------------

    fn step_action(&self, index: usize, action: &ast::Action, env: &Environment<'_>) -> Action {
        match action {
            ast::Action::Invoke { name, payload, .. } => self.invoke(index, *name, payload.as_ref(), env),
            ast::Action::Emit { topic, payload, .. } => match self.target_of(index as u32) {
                Target::Event(event) => Action::Emit { event: *event, payload: self.payload_of(*event, payload.as_ref(), topic.span, env) },
                _ => self.nothing(payload.as_ref(), env),
            },
            ast::Action::Wait { wait: Wait::For(time), .. } => Action::WaitFor(self.time(env, time)),
            ast::Action::Wait { wait: Wait::Until(time), .. } => {
                Action::WaitUntil(check_value(env, time, &Type::Scalar(Scalar::Timestamp, None)))
            }
            ast::Action::Wait { wait: Wait::Topics { guard, .. }, .. } => self.mailbox(index, guard.as_ref(), env),
            ast::Action::Cancel { steps, .. } => self.cancelled(steps).map_or(Action::Unknown, Action::Cancel),
        }
    }

    fn cancelled(&self, names: &[Name]) -> Option<Box<[StepReference]>> {
        let steps = self.steps(names)?;
        let place = |name: &Name| self.place(name.span);
        Some(steps.iter().zip(names.iter().map(place)).map(|(node, place)| StepReference { node: *node, place }).collect())
    }

    /// An action of which nobody knows what it wants: what it is given is looked at nevertheless.
    fn nothing(&self, payload: Option<&Expr>, env: &Environment<'_>) -> Action {
        if let Some(payload) = payload {
            infer_value(env, payload);
        }
        Action::Unknown
    }

    fn invoke(&self, index: usize, name: Name, payload: Option<&Expr>, env: &Environment<'_>) -> Action {
        let target = self.target_of(index as u32);
        let (Target::Agent(id) | Target::Tool(id) | Target::Workflow(id)) = target else { return self.nothing(payload, env) };
        let Some(parameters) = self.parameters(*id) else { return self.nothing(payload, env) };
        let arguments = check_arguments(env, payload, parameters, name.span, self.text(name.span));
        match target {
            Target::Agent(agent) => Action::Ask { agent: *agent, arguments },
            Target::Workflow(workflow) => Action::Run { workflow: *workflow, arguments },
            _ => Action::Call { tool: *id, arguments },
        }
    }

    fn parameters(&self, id: DeclarationId) -> Option<&RecordType> {
        match &self.model.get(id)?.kind {
            DeclarationKind::Agent(agent) => Some(&agent.input),
            DeclarationKind::Tool(tool) => Some(&tool.input),
            DeclarationKind::Workflow(workflow) => Some(&workflow.input),
            _ => None,
        }
    }

    /// The payload of an event that is emitted.
    fn payload_of(&self, event: DeclarationId, written: Option<&Expr>, at: Span, env: &Environment<'_>) -> Value {
        let Some(declaration) = self.model.get(event) else { return self.unknown(at) };
        let DeclarationKind::Event(kind) = &declaration.kind else { return self.unknown(at) };
        // Field by field, if it is written so; another value is looked at as a whole.
        if let (Some(record), None | Some(Expr::Object(_) | Expr::Missing(_))) = (self.model.record(&kind.payload), written) {
            return check_arguments(env, written, record, at, &declaration.name);
        }
        if let Some(written) = written {
            let what = format!("the payload of `{}`", declaration.name);
            let by = WantedBy::Declaration(declaration.place, &what, &kind.payload);
            return check_expected(env, written, Expected { ty: &kind.payload, may_be_absent: false, by });
        }
        // Without a payload it is empty, in the form that the event has.
        let empty = Type::Record(std::sync::Arc::default());
        let constant = if fits(self.model, &Type::Null, &kind.payload).is_ok() && !matches!(kind.payload, Type::Json) {
            Json::Null
        } else if fits(self.model, &empty, &kind.payload).is_ok() {
            Json::Object(Map::new())
        } else {
            self.report(message::missing_payload(&declaration.name, &self.model.display(&kind.payload), self.place(at), declaration.place));
            return self.unknown(at);
        };
        Value { kind: ValueKind::Constant(constant), place: self.place(at) }
    }

    fn unknown(&self, at: Span) -> Value {
        Value { kind: ValueKind::Unknown, place: self.place(at) }
    }

    /// A mailbox: in its guard `.event` is the event that it looks at.
    fn mailbox(&self, index: usize, guard: Option<&Expr>, env: &Environment<'_>) -> Action {
        let topics: Option<Box<[DeclarationId]>> = match self.target_of(index as u32) {
            Target::Mailbox(topics) => Some(topics.clone()),
            _ => None,
        };
        let payloads = topics.iter().flat_map(|topics| topics.iter()).map(|topic| self.payload(*topic)).collect::<Vec<_>>();
        let values = MailboxValues { node: env.values, event: join(payloads) };
        // What the trigger has said of its own event says nothing of the one in the mailbox.
        let mut facts = self.facts(index);
        facts.forget_root("event");
        let env = Environment::with_facts(self.model, self.item, &values, self.sink, facts);
        let guard = guard.map(|guard| check_guard(&env, guard));
        match topics {
            Some(topics) => Action::WaitTopics { topics, guard },
            None => Action::Unknown,
        }
    }
}
