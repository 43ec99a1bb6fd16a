//! Runs as a store knows them.

use serde::{Deserialize, Serialize};

use crate::{NodeId, Shard, Time};

/// A run that is to start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewRun {
    /// Its id, which is also the id of its first event. It is never used again.
    pub id: String,
    /// The workflow.
    pub workflow: String,
    /// The digest of the definition.
    pub digest: String,
    /// Whether the caller asked for this very digest; else a repeated start may have another one.
    pub digest_given: bool,
    /// The digest of the input as it was sent, by which a repeated start is known.
    pub input_digest: String,
    /// The revision of the runner's semantics of who starts it. The run gets the least of it and those of the living nodes.
    pub revision: u32,
    /// The run that started it.
    pub parent: Option<String>,
    /// Its shard; a child has its parent's.
    pub shard: Shard,
    /// `workflow.start` as a JSON object.
    pub event: String,
    /// When it was accepted.
    pub at: Time,
}

/// What a start came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Started {
    /// The run exists, and its start is in its inbox.
    Started,
    /// The same run was started before.
    Known,
    /// Another run has the id.
    Differs,
    /// A run of this id was pruned.
    Pruned,
}

/// What a turn makes of its run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunState {
    /// Its status.
    pub status: Status,
    /// What it waits for, in words or JSON of its owner.
    pub waiting: Option<String>,
    /// When it ended.
    pub ended: Option<Time>,
}

impl RunState {
    /// A run that goes on.
    #[must_use]
    pub const fn open() -> Self {
        Self { status: Status::Open, waiting: None, ended: None }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It goes on.
    Open,
    /// It ended with an output.
    Succeeded,
    /// It ended with a failure.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// It goes on in another store.
    Moved,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunRow {
    /// Its number in the order of creation.
    pub no: u64,
    /// Its id.
    pub id: String,
    /// The workflow.
    pub workflow: String,
    /// The digest of its definition.
    pub digest: String,
    /// The digest of its input as it was sent.
    pub input_digest: String,
    /// The revision of the runner's semantics that computes it.
    pub revision: u32,
    /// How many events its scroll has.
    pub head: u64,
    /// What its last turn made of it.
    pub state: RunState,
    /// The run that started it.
    pub parent: Option<String>,
    /// Its shard.
    pub shard: Shard,
    /// When it was started.
    pub started: Time,
    /// How often a process died while it computed this run, since its last turn.
    pub crashes: u32,
    /// Why it is set aside; only a person lets it go on.
    pub held: Option<String>,
    /// The living owner of its shard. An open run without one is parked.
    pub owner: Option<NodeId>,
}

/// Which runs are listed, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunFilter {
    /// Only of this workflow.
    pub workflow: Option<String>,
    /// Only with this status.
    pub status: Option<Status>,
    /// Only children of this run.
    pub parent: Option<String>,
    /// Only runs that no other run started.
    pub roots: bool,
    /// Only runs whose id begins with this text.
    pub prefix: Option<String>,
    /// Only runs whose shard this node owns.
    pub node: Option<NodeId>,
    /// Only runs that no living node owns.
    pub parked: bool,
    /// Only runs with a lower number.
    pub before: Option<u64>,
    /// At most so many; 0 for as many as there are.
    pub limit: usize,
}

/// Which trees of runs are deleted: those whose runs have all ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prune {
    /// The root ended before this time.
    pub ended_before: Time,
    /// The root is of this workflow.
    pub workflow: Option<String>,
    /// Nothing is deleted, only counted.
    pub dry_run: bool,
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pruned {
    /// Runs.
    pub runs: u64,
    /// Events.
    pub events: u64,
    /// Inbox rows that were never taken.
    pub posts: u64,
}
