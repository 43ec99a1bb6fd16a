//! What is to be done in a run, as the host knows it.

use serde_json::Value;
use weave_ir::{Definition, Hint, ToolKind};
use weave_scroll::{Kind, OutboxRow, RowState, Time};

use crate::key::Key;

/// What kind of thing is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// A call of a tool.
    Call,
    /// A turn of a model.
    Model,
    /// A prompt is to be hydrated.
    Hydration,
    /// A timer is to fire.
    Timer,
    /// A person, or another system, is asked.
    Question,
    /// Another run was started, and its end is waited for. The store needs no row for it: that run posts its end.
    Child,
}

impl ItemKind {
    fn stored(self) -> Option<Kind> {
        match self {
            Self::Call => Some(Kind::Call),
            Self::Model => Some(Kind::Model),
            Self::Hydration => Some(Kind::Hydration),
            Self::Timer => Some(Kind::Timer),
            Self::Question => Some(Kind::Question),
            Self::Child => None,
        }
    }
}

/// One thing that is to be done or waited for: a row of the outbox, with what the scroll says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What kind of thing it is.
    pub kind: ItemKind,
    /// The tool, agent, prompt, workflow or topic.
    pub name: String,
    /// The topic of the event that asked for it.
    pub topic: String,
    /// The data of that event.
    pub data: Value,
    /// How far it is.
    pub state: RowState,
    /// How often it was marked as sent.
    pub sendings: u32,
    /// When it is due.
    pub due: Time,
    /// Its row is in the store. What is not durable is not sent.
    pub(crate) durable: bool,
    /// An operation of the store on its row is under way.
    pub(crate) busy: bool,
    /// No handler of this process can answer it.
    pub(crate) asked: bool,
    /// How often its transport was refused, or lost the answer.
    pub(crate) refusals: u32,
}

impl Item {
    pub(crate) fn new(kind: ItemKind, name: impl Into<String>, topic: impl Into<String>, data: Value) -> Self {
        Self {
            kind,
            name: name.into(),
            topic: topic.into(),
            data,
            state: RowState::Ready,
            sendings: 0,
            due: 0,
            durable: false,
            busy: false,
            asked: false,
            refusals: 0,
        }
    }

    pub(crate) fn due_at(self, due: Time) -> Self {
        Self { due, ..self }
    }

    /// Whether it may be sent or fire now.
    pub(crate) fn is_due(&self, now: Time) -> bool {
        self.durable && !self.busy && self.state == RowState::Ready && self.due <= now
    }

    /// Its row in the store, if it has one.
    pub(crate) fn row(&self, run: &str, key: &Key, definition: &Definition) -> Option<OutboxRow> {
        let row = OutboxRow::ready(key.row(run), self.kind.stored()?, self.name.clone(), self.due);
        Some(OutboxRow { once_only: self.is_once_only(definition), state: self.state, sendings: self.sendings, ..row })
    }

    /// Whether sending it a second time may do harm: a tool that is neither read-only nor idempotent, or that is not declared.
    pub(crate) fn is_once_only(&self, definition: &Definition) -> bool {
        self.kind == ItemKind::Call && !definition.tools.get(&self.name).is_some_and(is_repeatable)
    }
}

/// Whether a tool may be called again with the same key.
#[must_use]
pub fn is_repeatable(tool: &weave_ir::Tool) -> bool {
    tool.hints.as_ref().is_some_and(|hints| hints.contains(&Hint::ReadOnly) || hints.contains(&Hint::Idempotent))
}

/// What a dispatch is: a call of a tool, or a question to a person.
pub(crate) fn dispatched(definition: &Definition, name: &str) -> ItemKind {
    match definition.tools.get(name).map(|tool| tool.kind) {
        Some(ToolKind::Interaction) => ItemKind::Question,
        _ => ItemKind::Call,
    }
}

/// The topics that answer a request of this topic. The built-in ones have theirs also where the definition does not mention them.
#[must_use]
pub fn answers(definition: &Definition, topic: &str) -> Vec<String> {
    if let Some(event) = definition.events.get(topic) {
        return event.answers.iter().cloned().collect();
    }
    let answer = match topic {
        "ai.request" => "ai.response",
        "tool.dispatch" => "tool.result",
        "workflow.start" => "workflow.done",
        "timer.set" => "timer.fired",
        "tool.approval.requested" => "tool.approval.decided",
        "prompt.hydrate.request" => "prompt.hydrate.result",
        _ => return Vec::new(),
    };
    vec![answer.to_owned()]
}
