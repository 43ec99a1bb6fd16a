//! Who says what: with which events steps are answered, whether they can fail, whether they wait.

use weave_syntax::ast::ToolKind;

use super::doubts::Doubts;
use crate::model::declarations::Approval;
use crate::model::workflow::{Action, Node};
use crate::model::{DeclarationId, DeclarationKind, Model};

/// The built-in requests and the topics with which they are answered.
#[derive(Debug, Default)]
pub(super) struct BuiltIn {
    ask: Requests,
    call: Requests,
    run: Requests,
    wait: Requests,
}

/// A request, and what answers it.
#[derive(Debug, Default)]
struct Requests {
    emitted: Option<DeclarationId>,
    answers: Vec<DeclarationId>,
}

impl BuiltIn {
    pub(super) fn new(model: &Model) -> Self {
        let topic = |name: &str| model.scopes.first().and_then(|prelude| prelude.topics.get(name)).copied();
        let requests = |request: &str, answer: &str| Requests { emitted: topic(request), answers: topic(answer).into_iter().collect() };
        Self {
            ask: requests("ai.request", "ai.response"),
            call: requests("tool.dispatch", "tool.result"),
            run: requests("workflow.start", "workflow.done"),
            wait: requests("timer.set", "timer.fired"),
        }
    }

    fn requests(&self, action: &Action) -> Option<&Requests> {
        match action {
            Action::Ask { .. } => Some(&self.ask),
            Action::Call { .. } => Some(&self.call),
            Action::Run { .. } => Some(&self.run),
            Action::WaitFor(_) | Action::WaitUntil(_) => Some(&self.wait),
            _ => None,
        }
    }

    /// The event that an action emits.
    pub(super) fn emitted(&self, action: &Action) -> Option<DeclarationId> {
        match action {
            Action::Emit { event, .. } => Some(*event),
            action => self.requests(action)?.emitted,
        }
    }

    /// The events that answer what an action does; none if it is answered at once.
    pub(super) fn answers<'a>(&'a self, model: &'a Model, action: &'a Action) -> &'a [DeclarationId] {
        match action {
            Action::WaitTopics { topics, .. } => topics,
            Action::Emit { event, .. } => match model.get(*event).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Event(it)) => &it.answers,
                _ => &[],
            },
            action => self.requests(action).map(|requests| requests.answers.as_slice()).unwrap_or_default(),
        }
    }
}

/// Whether the answer of a node is there as soon as it fires.
pub(super) fn answers_at_once(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::Value(_) | Action::Cancel(_) => true,
        Action::Emit { event, .. } => match model.get(*event).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Event(event)) => event.answers.is_empty() && !event.doubtful,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a node can fail.
pub(super) fn can_fail(model: &Model, doubts: &Doubts, index: u32, node: &Node) -> bool {
    match &node.action {
        Action::Ask { .. } | Action::Call { .. } | Action::Run { .. } => true,
        Action::Emit { .. } => !answers_at_once(model, node),
        // What only waits fails only if it must not wait for ever.
        Action::WaitFor(_) | Action::WaitUntil(_) | Action::WaitTopics { .. } => node.timeout.is_some() || doubts.is_touched(index),
        _ => doubts.is_action_unknown(index),
    }
}

/// Whether the answer of a node needs something that happens outside the workflow and its models and tools: a person, a fact, time.
pub(super) fn waits_for_the_world(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::WaitFor(_) | Action::WaitUntil(_) | Action::WaitTopics { .. } | Action::Unknown => true,
        Action::Emit { event, .. } => {
            let Some(declaration) = model.get(*event) else { return true };
            let is_request = matches!(&*declaration.name, "ai.request" | "tool.dispatch" | "workflow.start" | "prompt.hydrate.request");
            !(answers_at_once(model, node) || (declaration.file.0 == 0 && is_request))
        }
        Action::Call { tool, .. } => match model.get(*tool).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Tool(tool)) => {
                tool.kind == ToolKind::Interaction || tool.deferred.is_some() || matches!(tool.approval, Some(Approval::Always))
            }
            _ => false,
        },
        _ => false,
    }
}
