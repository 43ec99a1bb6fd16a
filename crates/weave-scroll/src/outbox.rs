//! What is to be done for runs: calls, model turns, hydrations of prompts, timers, questions to people.

use crate::{NodeId, Shard, Time};

/// What a row of the outbox is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowKey {
    /// The run.
    pub run: String,
    /// The id of the request or timer.
    pub id: String,
    /// The attempt, from 1.
    pub attempt: u32,
    /// Which step of an agent's loop it is (`turn3`, `turn3.1`); empty outside of loops.
    pub part: String,
}

impl RowKey {
    /// The row of the first attempt, outside of a loop.
    #[must_use]
    pub fn new(run: impl Into<String>, id: impl Into<String>) -> Self {
        Self { run: run.into(), id: id.into(), attempt: 1, part: String::new() }
    }
}

/// One thing that is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutboxRow {
    /// What it is known by.
    pub key: RowKey,
    /// What is to be done.
    pub kind: Kind,
    /// The name of the tool, agent, prompt or topic.
    pub name: String,
    /// Whether it may be done at most once: a call of a tool that is neither read-only nor idempotent.
    pub once_only: bool,
    /// How far it is.
    pub state: RowState,
    /// Who sent it last.
    pub process: Option<NodeId>,
    /// How often it was sent.
    pub sendings: u32,
    /// When it is to be done at the earliest; of a timer, when it fires.
    pub due: Time,
    /// What its owner notes with it: what is to be sent, the handle of a call that goes on elsewhere, a reservation. Text that the
    /// store does not read.
    pub detail: Option<String>,
}

impl OutboxRow {
    /// A row that is ready at `due`.
    #[must_use]
    pub fn ready(key: RowKey, kind: Kind, name: impl Into<String>, due: Time) -> Self {
        Self { key, kind, name: name.into(), once_only: false, state: RowState::Ready, process: None, sendings: 0, due, detail: None }
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A call of a tool.
    Call,
    /// A turn of a model.
    Model,
    /// A prompt is to be filled in.
    Hydration,
    /// A timer is to fire.
    Timer,
    /// A person is to approve or answer. It is listed and never due.
    Question,
}

/// How far a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowState {
    /// Not sent, or, if it may be repeated, sent without a mark.
    Ready,
    /// Marked before the first byte leaves.
    Sent,
    /// The callee has taken it over and gave a handle.
    Accepted,
    /// It was sent, and nothing is known about what happened.
    Unknown,
}

/// A change of the state of a row, by compare-and-set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// The row.
    pub key: RowKey,
    /// What it must be.
    pub when: When,
    /// What it becomes.
    pub to: To,
    /// What is reserved of a budget in the same transaction. Without room nothing changes.
    pub reserve: Option<Reserve>,
}

/// What a row must be for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct When {
    /// Its state.
    pub state: RowState,
    /// How often it was sent, if that matters.
    pub sendings: Option<u32>,
}

/// What a row becomes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum To {
    /// To be sent, at `due` at the earliest.
    Ready {
        /// When.
        due: Time,
    },
    /// Marked as sent by this process; its sendings are counted. Applies only while the process is alive.
    Sent {
        /// Who sends it.
        process: NodeId,
    },
    /// Taken over by the callee; the detail becomes its handle.
    Accepted {
        /// The handle.
        detail: String,
    },
    /// Nothing is known about what happened.
    Unknown,
}

/// Whether an effect or a change applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applied {
    /// It did.
    Yes,
    /// The row was not as expected, or nothing was to be done.
    No,
    /// The budget has no room.
    OverBudget,
}

/// What is reserved of a budget.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reserve {
    /// The budget's name.
    pub budget: String,
    /// The day, in days since the start of 1970, UTC.
    pub day: u32,
    /// The upper bound of what may be used, in the budget's unit.
    pub bound: u64,
    /// How much the day has.
    pub limit: u64,
}

/// A reservation replaced by what was used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settle {
    /// The budget's name.
    pub budget: String,
    /// The day on which it was reserved.
    pub day: u32,
    /// How much was reserved.
    pub reserved: u64,
    /// How much was used.
    pub used: u64,
}

/// What a day has used of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Reserved for what is in flight.
    pub reserved: u64,
    /// Used.
    pub used: u64,
}

/// Which rows of the outbox are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowFilter {
    /// Only of this run.
    pub run: Option<String>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only in this state.
    pub state: Option<RowState>,
    /// Only sent last by this process.
    pub process: Option<NodeId>,
    /// Only of this shard.
    pub shard: Option<Shard>,
    /// Only after this key, in the order of keys.
    pub after: Option<RowKey>,
    /// At most so many; 0 for as many as there are.
    pub limit: usize,
}
