//! The topics of the prelude that actions emit.

use weave_analysis::model::declarations::Event;
use weave_analysis::model::types::Type;
use weave_analysis::model::workflow::{Action, Node};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_diagnostics::FileId;

/// The built-in topics that are named by no program that uses them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltIn {
    ask: Option<DeclarationId>,
    answer: Option<DeclarationId>,
    call: Option<DeclarationId>,
    run: Option<DeclarationId>,
    timer: Option<DeclarationId>,
}

/// The topic of `ask`.
pub(super) const ASK: &str = "ai.request";
/// The topic of `call`.
pub(super) const CALL: &str = "tool.dispatch";
/// The topic of `run`.
pub(super) const RUN: &str = "workflow.start";
/// The topic of `wait` for a time.
pub(super) const TIMER: &str = "timer.set";

impl BuiltIn {
    pub(super) fn new(model: &Model) -> Self {
        let topic = |topic: &str| model.scope(FileId(0))?.topics.get(topic).copied();
        Self { ask: topic(ASK), answer: topic("ai.response"), call: topic(CALL), run: topic(RUN), timer: topic(TIMER) }
    }

    /// The event that a node emits, if it emits one.
    pub(super) fn emitted(&self, node: &Node) -> Option<DeclarationId> {
        match &node.action {
            Action::Ask { .. } => self.ask,
            Action::Run { .. } => self.run,
            Action::Call { .. } => self.call,
            Action::Emit { event, .. } => Some(*event),
            Action::WaitFor(_) | Action::WaitUntil(_) => self.timer,
            Action::WaitTopics { .. } | Action::Cancel(_) | Action::Value(_) | Action::End(_) | Action::Fail(_) | Action::Unknown => None,
        }
    }

    /// What an agent answers that declares no output.
    pub(super) fn plain_answer<'m>(&self, model: &'m Model) -> Option<&'m Type> {
        match &model.get(self.answer?)?.kind {
            DeclarationKind::Event(Event { payload, .. }) => Some(payload),
            _ => None,
        }
    }
}
