//! What a run is told, and what it wants done.

use std::collections::BTreeSet;

use serde_json::Value;
use weave_runner::{Event, Failure};
use weave_scroll::{Append, NewRun, NodeId, OutboxRow, Time};

use crate::agent::{Ask, ModelTurn};
use crate::key::Key;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// The store has been read, as [`Output::Load`] asked, or because the run is new to this process.
    Loaded(Snapshot),
    /// The run is new, and this process starts it: it is created with its first turn. It must not be in the store.
    Start(Box<NewRun>, Box<Event>),
    /// Events in the inbox, in the order of their positions; those that are known already may be among them.
    Posted(Vec<(u64, Event)>),
    /// The append under way is durable. False: it is not, or nobody knows.
    Appended(bool),
    /// The row was marked as sent, durably; or it was not, because it is gone or was marked by another process.
    Marked {
        /// The row.
        key: Key,
        /// It was marked.
        done: bool,
    },
    /// The process that marked the row as sent has ended.
    Lost {
        /// The row.
        key: Key,
    },
    /// A release or acceptance of a row is durable, or was refused.
    Changed {
        /// The row.
        key: Key,
        /// It is durable.
        done: bool,
    },
    /// What became of something that was sent.
    Outcome {
        /// What was sent.
        key: Key,
        /// What became of it.
        outcome: Outcome,
    },
    /// Nothing but time has passed.
    Time,
}

/// What the store knows of a run, read at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The external events of its scroll, in order. The derived ones follow from them.
    pub externals: Vec<Event>,
    /// Its rows of the outbox.
    pub rows: Vec<OutboxRow>,
    /// Its inbox, in order, with the positions.
    pub inbox: Vec<(u64, Event)>,
    /// The living nodes.
    pub living: BTreeSet<NodeId>,
}

/// What became of something that was sent.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An answer: of a tool, a hydrator, a person.
    Data(Value),
    /// An answer of this topic, where several topics answer.
    Answer {
        /// One of the topics that answer.
        topic: String,
        /// The payload.
        data: Value,
    },
    /// A turn of a model.
    Turn(Box<ModelTurn>),
    /// It failed for good, and the callee, or the transport before a byte left, says so.
    Failed(Failure),
    /// It was refused before anything happened: no connection, or the callee is busy.
    Refused {
        /// When to try again, in milliseconds from now, as the callee said.
        after: Option<u64>,
        /// What the transport said.
        message: String,
    },
    /// The callee has taken it and answers later, by a posted event or when it is asked.
    Accepted {
        /// What the callee knows it by.
        handle: String,
    },
    /// No handler can answer: there is no person, or no such tool. The request stays open, and nothing was sent.
    Unserved,
    /// Bytes left, and no answer came.
    Lost {
        /// What the transport said.
        message: String,
    },
}

/// Something that the host has to do.
#[derive(Clone, Debug)]
pub enum Output {
    /// Read the run from the store, and bring it as [`Input::Loaded`].
    Load,
    /// Append to the store, in one transaction, and bring [`Input::Appended`]. One append of a run is under way at a time.
    Append(Box<Append>),
    /// Mark the row as sent by this process, if it is ready, and bring [`Input::Marked`] when that is durable.
    Mark {
        /// The row.
        key: Key,
        /// How often it was marked before.
        sendings: u32,
    },
    /// Put the row back to ready, to be sent again when it is due, and bring [`Input::Changed`].
    Release {
        /// The row.
        key: Key,
        /// How often it was marked as sent.
        sendings: u32,
        /// Whether it is marked as sent. What may be repeated is not.
        sent: bool,
        /// When to send it again.
        due: Time,
    },
    /// Mark the row as accepted by its callee, and bring [`Input::Changed`].
    Accept {
        /// The row.
        key: Key,
        /// Whether it is marked as sent.
        sent: bool,
        /// What the callee knows it by.
        handle: String,
    },
    /// Do this, and bring [`Input::Outcome`].
    Send(Box<Send>),
    /// Stop what was sent: nothing waits for it any more. Its outcome need not be brought.
    Abort {
        /// What was sent.
        key: Key,
    },
    /// These events are on the scroll now. They are for people who watch.
    Recorded(Vec<Event>),
    /// The run is over; the data of `workflow.done`.
    Ended(Value),
}

/// Something to be sent.
#[derive(Clone, Debug)]
pub struct Send {
    /// What it is in the run.
    pub key: Key,
    /// How often it was marked as sent, this time included; 0 for what is not marked.
    pub sending: u32,
    /// What it is.
    pub work: Work,
}

/// What is sent.
#[derive(Clone, Debug)]
pub enum Work {
    /// A call of a tool. Its key of idempotency is [`Key::name`](crate::Key::name), the same for all attempts.
    Call {
        /// The tool.
        tool: String,
        /// The arguments.
        args: Value,
        /// The data of the dispatch, for one that was written out.
        data: Value,
    },
    /// One turn of a model.
    Turn(Box<Ask>),
    /// What a prompt finds at run time.
    Hydration {
        /// The prompt.
        prompt: String,
        /// Its arguments.
        args: Value,
    },
    /// A question to a person, or to another system, that is answered by an event.
    Question {
        /// The topic of the question: an approval, a dispatch of an interaction, or a topic of the program.
        topic: String,
        /// The tool, or the topic.
        name: String,
        /// Its payload.
        data: Value,
        /// The topics that answer it.
        answers: Vec<String>,
    },
}
