//! What each line says, against the workflow.

use std::sync::Arc;

use weave_diagnostics::Place;
use weave_syntax::ast::{self, Dotted, Given, LineKind as Written, Literal, Name, NodeKind, OrderItem, StepRef};
use weave_syntax::text;

use super::Checker;
use super::steps::{Elements, Input};
use crate::declare::similar_name;
use crate::expression::{Environment, Expected, check_script_arguments, check_script_value, formats};
use crate::messages::{declarations, scripts as message};
use crate::model::script::{LineKind, Step};
use crate::model::types::{RecordType, Scalar, Type};
use crate::model::value::Value;
use crate::model::workflow::{Action, Node, Source};
use crate::model::{DeclarationId, DeclarationKind, Lookup};

/// When each run of a test begins.
const RUN_BEGINS: &str = "2001-01-01T00:00:00Z";

/// Requests that are written out and have one answer, which can be given as the answer of the step.
pub(super) const PLAIN_REQUESTS: [&str; 2] = ["ai.request", "tool.dispatch"];

impl Checker<'_> {
    /// A line; nothing if something is wrong with it, which is reported.
    pub(super) fn line(&self, line: &ast::Line) -> Option<LineKind> {
        Some(match &line.kind {
            Written::Start { input } => {
                let input = self.arguments(input.as_ref(), &self.signature.input, "start");
                LineKind::Start { input }
            }
            Written::Answer { step, value } => self.answer(step, value.as_ref())?,
            Written::Fail { step, kind, payload, once } => {
                let (step, node) = self.step(step, "fail")?;
                let Some(possible) = self.possible(node) else {
                    self.report(message::cannot_fail(&node.name, self.why_not(node), step.place, node.name_place));
                    return None;
                };
                let failure = self.failure(*kind, payload.as_ref(), &possible, Some(&node.name))?;
                if let Some(once) = once
                    && !self.is_retried(node, &failure)
                {
                    self.report(message::useless_once(&node.name, self.place(*once)));
                }
                LineKind::Fail { step, failure, once: once.is_some() }
            }
            Written::Call { tool, step, arguments } => self.call(*tool, step, arguments.as_ref())?,
            Written::Send { topic, from, payload } => self.send(*topic, from.as_ref(), payload.as_ref())?,
            Written::Approve { step, arguments } => {
                let (step, input) = self.approval(step, "approve")?;
                LineKind::Approve { step, arguments: self.arguments(arguments.as_ref(), input, "approve") }
            }
            Written::Reject { step, reason } => {
                let (step, _) = self.approval(step, "reject")?;
                LineKind::Reject { step, reason: reason.map(|literal| Arc::from(&*text::literal_value(self.item.text, literal))) }
            }
            Written::Wait { time } => LineKind::Wait(text::duration_millis(self.text(time.span))?),
            Written::WaitUntil { moment } => LineKind::WaitUntil(self.moment(*moment)?),
            Written::Expect { firing, value } => self.expect(firing, value.as_ref())?,
            Written::ExpectNot { firing, .. } => LineKind::ExpectNot(self.reference(firing, Elements::Possible)?),
            Written::ExpectFailure { kind, payload, .. } => {
                LineKind::ExpectFailure(self.failure(*kind, payload.as_ref(), &self.possible_of_run(), None)?)
            }
            Written::ExpectOrder { items, .. } => {
                let nodes = items.iter().map(|item| match item {
                    OrderItem::Rest(_) => Some(None),
                    OrderItem::Node(name) => {
                        let written = StepRef { span: name.span, name: *name, number: None, element: None };
                        self.reference(&written, Elements::Possible).map(|step| Some((step.node, step.place)))
                    }
                });
                // All of them are looked at, so that each mistake is said.
                LineKind::ExpectOrder(nodes.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?)
            }
            Written::Open { steps, .. } => {
                let steps = steps.iter().map(|step| {
                    let step = self.reference(step, Elements::Possible)?;
                    let node = self.node(step.node)?;
                    if node.kind == NodeKind::Step {
                        return Some(step);
                    }
                    self.report(message::node_takes_nothing("open", &node.name, node.kind, step.name_place, node.name_place));
                    None
                });
                LineKind::Open(steps.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?)
            }
        })
    }

    // ---- Values --------------------------------------------------------------------------------------------------------

    fn value(&self, given: Option<&Given>, ty: &Type) -> Option<Value> {
        let env = Environment::new(self.model, self.item, &(), self.sink);
        given.map(|given| check_script_value(&env, &given.value, Expected::of(ty)))
    }

    fn arguments(&self, given: Option<&Given>, parameters: &RecordType, callee: &str) -> Option<Value> {
        let env = Environment::new(self.model, self.item, &(), self.sink);
        given.map(|given| check_script_arguments(&env, &given.value, parameters, callee))
    }

    fn input(&self, given: Option<&Given>, input: &Input<'_>, callee: &str) -> Option<Value> {
        match input {
            Input::Arguments(record) => self.arguments(given, record, callee),
            Input::Payload(ty) => self.value(given, ty),
        }
    }

    /// How long after the start of the run a moment is.
    fn moment(&self, literal: Literal) -> Option<u64> {
        let moment = text::literal_value(self.item.text, literal);
        let since = formats::millis_between(RUN_BEGINS, &moment).and_then(|since| u64::try_from(since).ok());
        if since.is_none() && !literal.span.is_empty() {
            self.report(message::bad_moment(&moment, RUN_BEGINS, self.place(literal.span)));
        }
        since
    }

    // ---- What happens --------------------------------------------------------------------------------------------------

    fn answer(&self, written: &StepRef, value: Option<&Given>) -> Option<LineKind> {
        let (step, node) = self.step(written, "answer")?;
        if !self.is_answerable(node) {
            let send = match &node.action {
                Action::Emit { event, .. } => self.event(*event).and_then(|(event, _)| self.first_name(&event.answers)),
                Action::WaitTopics { topics, .. } => self.first_name(topics),
                _ => None,
            };
            let answers = matches!(node.action, Action::Emit { .. });
            self.report(message::cannot_answer(&node.name, self.why_not(node), send.as_deref(), answers, step.place, node.name_place));
            return None;
        }
        let value = self.value(value, &Self::answer_of(node));
        Some(LineKind::Answer { step, value })
    }

    /// Whether a model, a tool or a child run gives the answer of a step.
    pub(super) fn is_answerable(&self, node: &Node) -> bool {
        match &node.action {
            Action::Ask { .. } | Action::Call { .. } | Action::Run { .. } | Action::Unknown => true,
            Action::Emit { event, .. } => self.event(*event).is_some_and(|(_, event)| PLAIN_REQUESTS.contains(&&*event.name)),
            _ => false,
        }
    }

    /// What a step does that takes no answer and does not fail.
    fn why_not(&self, node: &Node) -> &'static str {
        match &node.action {
            Action::Value(_) => "has a value of its own",
            Action::WaitFor(_) | Action::WaitUntil(_) => "waits for a time",
            Action::WaitTopics { .. } => "waits for an event",
            Action::Cancel(_) => "cancels other steps",
            Action::Emit { event, .. } if self.event(*event).is_some_and(|(event, _)| event.answers.is_empty()) => {
                "emits an event that nothing answers"
            }
            Action::Emit { .. } => "emits an event and waits for one that answers it",
            _ => "takes none",
        }
    }

    fn first_name(&self, events: &[DeclarationId]) -> Option<Arc<str>> {
        events.first().and_then(|id| self.model.get(*id)).map(|event| Arc::clone(&event.name))
    }

    fn call(&self, tool: Name, written: &StepRef, arguments: Option<&Given>) -> Option<LineKind> {
        let (step, node) = self.step(written, "call")?;
        if tool.is_missing() {
            return None;
        }
        let (word, place) = (self.text(tool.span), self.place(tool.span));
        let heard = self.nodes.iter().flat_map(|node| &node.triggers).filter_map(|trigger| match &trigger.source {
            Source::ToolFrom { tool, name, step: from } if *from == step.node => Some((*tool, name)),
            _ => None,
        });
        let heard: Vec<_> = heard.collect();
        let declared = match self.scope.lookup(word, false) {
            Lookup::Found(id) => Some(id),
            _ => None,
        };
        let found = heard.iter().find(|(id, name)| Some(*id) == declared || ***name == *word);
        let Some((id, name)) = found else {
            let asks = matches!(node.action, Action::Ask { .. });
            let names = heard.iter().map(|(_, name)| Arc::clone(name)).collect::<Vec<_>>();
            self.report(message::unheard_call(word, &node.name, asks, &names, place, node.name_place));
            return None;
        };
        let arguments = match self.model.get(*id).map(|it| &it.kind) {
            Some(DeclarationKind::Tool(tool)) => self.arguments(arguments, &tool.input, word),
            Some(DeclarationKind::Agent(agent)) => self.arguments(arguments, &agent.input, word),
            Some(DeclarationKind::Workflow(workflow)) => self.arguments(arguments, &workflow.input, word),
            _ => None,
        };
        Some(LineKind::Call { step, tool: Arc::clone(name), arguments })
    }

    fn approval(&self, written: &StepRef, verb: &str) -> Option<(Step, &RecordType)> {
        let (step, node) = self.step(written, verb)?;
        match self.tool_of(node) {
            Some((tool, _)) if Self::asks_for_approval(tool) => Some((step, &tool.input)),
            found => {
                let tool = found.map(|(_, tool)| (&*tool.name, tool.place));
                let answers = match &node.action {
                    Action::Emit { event, .. } => self.event(*event).and_then(|(event, _)| self.first_name(&event.answers)),
                    _ => None,
                };
                self.report(message::no_approval(&node.name, tool, answers.as_deref(), step.place, node.name_place));
                None
            }
        }
    }

    // ---- Events --------------------------------------------------------------------------------------------------------

    fn send(&self, topic: Dotted, from: Option<&StepRef>, payload: Option<&Given>) -> Option<LineKind> {
        let from = match from {
            Some(written) => Some((self.step(written, "send")?, self.place(written.span))),
            None => None,
        };
        let id = self.topic(topic)?;
        let (event, declaration) = self.event(id)?;
        let place = self.place(topic.span);
        let answered: Vec<&Node> = self.nodes.iter().filter(|node| self.answers(node).contains(&id)).collect();
        match &from {
            Some(((step, node), _)) if !self.answers(node).contains(&id) && !self.comes_from(node, id) => {
                let answers = self.answers(node);
                let names: Vec<Arc<str>> = answers.iter().filter_map(|id| self.model.get(*id)).map(|it| Arc::clone(&it.name)).collect();
                self.report(message::answers_other_steps(&declaration.name, &step.name, &names, place, node.name_place));
                return None;
            }
            None if !answered.is_empty() => {
                let steps = answered.iter().map(|node| (&*node.name, node.name_place)).collect::<Vec<_>>();
                self.report(message::from_is_missing(&declaration.name, &steps, place));
                return None;
            }
            None if !self.is_heard(id) => {
                self.report(message::nothing_waits(&declaration.name, place, declaration.place));
                return None;
            }
            _ => {}
        }
        let built_in = declaration.file.0 == 0;
        let ty = match &from {
            // What a model or a tool answers is what the agent or the tool declares.
            Some(((_, node), _)) if built_in && matches!(node.action, Action::Ask { .. } | Action::Call { .. } | Action::Run { .. }) => {
                Self::answer_of(node)
            }
            _ => event.payload.clone(),
        };
        let payload = self.value(payload, &ty);
        Some(LineKind::Send { topic: Arc::clone(&declaration.name), from: from.map(|((step, _), _)| step), payload })
    }

    fn topic(&self, topic: Dotted) -> Option<DeclarationId> {
        if topic.is_missing(self.item.text) {
            return None;
        }
        let (word, place) = (topic.text(self.item.text), self.place(topic.span));
        if !topic.is_topic {
            self.report(message::no_topic(word, place));
            return None;
        }
        match self.scope.lookup(word, true) {
            Lookup::Found(id) => Some(id),
            Lookup::Excused => None,
            Lookup::Unknown => {
                let file = self.model.get(self.workflow)?.file;
                let similar = similar_name(self.model, file, word, true, |_| true);
                self.report(declarations::unknown_topic(word, place, similar.as_deref()));
                None
            }
        }
    }

    /// The events from outside that answer what a step emits.
    pub(super) fn answers(&self, node: &Node) -> Vec<DeclarationId> {
        match &node.action {
            Action::Emit { event, .. } => self.event(*event).map(|(event, _)| event.answers.to_vec()).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Whether an event comes from within what a step does, and a node fires on it.
    fn comes_from(&self, node: &Node, topic: DeclarationId) -> bool {
        let index = self.nodes.iter().position(|other| std::ptr::eq(other, node)).map(|index| index as u32);
        let heard = |source: &Source| matches!(source, Source::TopicFrom(id, step) if *id == topic && Some(*step) == index);
        self.nodes.iter().flat_map(|node| &node.triggers).any(|trigger| heard(&trigger.source))
    }

    /// Whether a node fires on an event, or a step waits for it.
    fn is_heard(&self, topic: DeclarationId) -> bool {
        self.nodes.iter().any(|node| {
            let waits = matches!(&node.action, Action::WaitTopics { topics, .. } if topics.contains(&topic));
            waits || node.triggers.iter().any(|trigger| matches!(trigger.source, Source::Topic(id) if id == topic))
        })
    }

    // ---- What is checked -----------------------------------------------------------------------------------------------

    fn expect(&self, written: &StepRef, value: Option<&Given>) -> Option<LineKind> {
        let node = self.reference(written, Elements::Possible)?;
        let known = self.node(node.node)?;
        if !self.is_within_limit(written, &node) {
            return None;
        }
        let Some(given) = value else { return Some(LineKind::Expect { node, asked: None, gave: None }) };
        let at = self.place(given.value.span());
        if given.equals.is_some() {
            let gave = self.gave(known, &node, given, at)?;
            return Some(LineKind::Expect { node, asked: None, gave: Some(gave) });
        }
        let Some((input, callee)) = self.input_of(known) else {
            self.report(message::asks_nothing(&known.name, known.kind != NodeKind::Step || known.answer.is_some(), at, known.name_place));
            return None;
        };
        if known.each.is_some() && node.element.is_none() {
            self.report(message::which_element(&known.name, node.place, known.place));
            return None;
        }
        let asked = self.input(value, &input, callee)?;
        Some(LineKind::Expect { node, asked: Some(asked), gave: None })
    }

    /// What a node gave: the answer of a step, the output of an `end`, the message of a `fail`.
    fn gave(&self, known: &Node, node: &Step, given: &Given, at: Place) -> Option<Value> {
        let ty = match known.kind {
            NodeKind::End => match &self.signature.output {
                Some(output) => output.clone(),
                None => {
                    self.report(message::gives_nothing(&known.name, at, known.name_place));
                    return None;
                }
            },
            NodeKind::Fail => Type::Scalar(Scalar::String, None),
            NodeKind::Step if node.element.is_some() => Self::answer_of(known),
            NodeKind::Step => known.answer.clone()?,
        };
        self.value(Some(given), &ty)
    }
}
