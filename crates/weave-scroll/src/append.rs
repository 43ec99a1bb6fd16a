//! Turns, and the transaction that appends them.

use weave_runner::Event;

use crate::{Applied, Change, NewRun, NodeId, OutboxRow, Post, RowKey, RowState, RunState, Settle, StoreError, Time};

/// One external event and the derived events that follow from it: the unit in which a scroll grows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The id of the external event. It is on a scroll at most once.
    pub id: String,
    /// How many events the turn has, the external one included; at least 1.
    pub events: u64,
    /// When it was appended.
    pub at: Time,
    /// The external event as a JSON object.
    pub external: String,
    /// The derived events as a JSON array.
    pub derived: String,
}

impl Turn {
    /// A turn of these events, written as JSON.
    ///
    /// # Errors
    ///
    /// If an event cannot be written as JSON.
    pub fn new(external: &Event, derived: &[Event], at: Time) -> Result<Self, StoreError> {
        let write = |error: serde_json::Error| StoreError::Misuse(format!("an event cannot be written as JSON: {error}"));
        Ok(Self {
            id: external.id.clone(),
            events: derived.len() as u64 + 1,
            at,
            external: serde_json::to_string(external).map_err(write)?,
            derived: serde_json::to_string(derived).map_err(write)?,
        })
    }
}

/// A turn as it was appended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StoredTurn {
    /// The place of its first event on the scroll, from 0.
    pub seq: u64,
    /// The turn.
    pub turn: Turn,
}

impl StoredTurn {
    /// Its external event.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if the text is not an event.
    pub fn external(&self) -> Result<Event, StoreError> {
        serde_json::from_str(&self.turn.external).map_err(|error| self.damaged(&error))
    }

    /// Its derived events.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if the text is not an array of events.
    pub fn derived(&self) -> Result<Vec<Event>, StoreError> {
        serde_json::from_str(&self.turn.derived).map_err(|error| self.damaged(&error))
    }

    /// All its events in order.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if a text is not what it should be.
    pub fn events(&self) -> Result<Vec<Event>, StoreError> {
        let mut events = vec![self.external()?];
        events.extend(self.derived()?);
        Ok(events)
    }

    fn damaged(&self, error: &serde_json::Error) -> StoreError {
        StoreError::Damaged(format!("the turn with the event `{}` cannot be read: {error}", self.turn.id))
    }
}

/// One transaction of the owner of a run: turns, and everything that changes with them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Append {
    /// Who appends. It must own the shard of the run.
    pub node: NodeId,
    /// The run.
    pub run: String,
    /// Creates the run in the same transaction if it does not exist yet; its event is the first turn's, and is not posted.
    pub create: Option<Box<NewRun>>,
    /// How many events the scroll must have.
    pub expected: u64,
    /// The turns, at least one. Several only where the protocol wants several external events in one transaction (a model turn and
    /// the calls in it).
    pub turns: Vec<Turn>,
    /// The inbox row that the first turn takes; it is deleted.
    pub took: Option<u64>,
    /// What must hold, or nothing is appended.
    pub require: Vec<Require>,
    /// What changes with it, in this order.
    pub effects: Vec<Effect>,
    /// What the run is after it.
    pub state: RunState,
}

/// A condition of a whole append.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Require {
    /// The run has no inbox row but the one that is taken. An append that fires a timer requires it, and so does one of an event that the
    /// owner received itself.
    InboxEmpty,
    /// The row exists and has this state, and was sent so many times, if that is given.
    Row {
        /// The row.
        key: RowKey,
        /// Its state.
        state: RowState,
        /// How often it was sent.
        sendings: Option<u32>,
    },
}

/// A change that an append makes in the same transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Adds a row to the outbox. Applies unless there is one with its key.
    Put(Box<OutboxRow>),
    /// Removes the rows of a request of this run: all its attempts and parts. Applies if there was one.
    Close(String),
    /// Removes one row. Applies if there was one.
    CloseRow(RowKey),
    /// Removes all rows of this run, which has ended. Applies always.
    CloseAll,
    /// Changes the state of a row. Applies if the row is as the change expects.
    Change(Box<Change>),
    /// Posts an event to another run. Applies if that run exists; an event that it knows already is not posted again.
    Post(Box<Post>),
    /// Starts another run. Applies if there is none of its id, or the same one was started.
    Start(Box<NewRun>),
    /// Replaces a reservation by what was used.
    Settle(Settle),
    /// Keeps a value of this run by its SHA-256 digest, as 64 hexadecimal digits. It stays as long as a run that put it.
    Blob {
        /// The digest. The store does not compute it.
        digest: String,
        /// The value.
        bytes: Vec<u8>,
    },
}

/// What an append came to. After anything but [`Outcome::Appended`] the store is as before (but for the inbox row of a duplicate),
/// and the caller must throw its runner away and rebuild it from the store; the same turn must never be tried at another head.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is durable.
    Appended {
        /// How many events the scroll has now.
        head: u64,
        /// Which effects applied, in their order.
        effects: Vec<Applied>,
    },
    /// The first external event is on the scroll already. The inbox row that was taken is deleted.
    Duplicate {
        /// How many events the scroll has.
        head: u64,
    },
    /// The scroll has another head than expected.
    Conflict {
        /// How many events the scroll has.
        head: u64,
    },
    /// The node does not own the run's shard, or it is too old for the run's revision.
    Fenced {
        /// Who owns it.
        owner: Option<NodeId>,
    },
    /// The condition of this index does not hold.
    Unmet(usize),
    /// There is no such run.
    NoRun,
    /// The run was pruned.
    Pruned,
}
