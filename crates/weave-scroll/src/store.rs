//! The contract.

use std::time::Duration;

use crate::{
    Append, Applied, Budget, Change, Claimed, InboxRow, NewRun, Node, NodeId, OutboxRow, Outcome, Post, Posted, Prune, Pruned, Reply,
    RowFilter, RowKey, RunFilter, RunRow, Shard, ShardRow, Share, Started, StoreError, StoredTurn, Taken, Time, Worker,
};

/// A place of a feed: opaque, and comparable only with cursors of the same store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cursor(pub u64, pub u64);

/// One turn in the order in which turns became durable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FeedEntry {
    /// Where the feed goes on after it.
    pub cursor: Cursor,
    /// The run.
    pub run: String,
    /// The turn.
    pub turn: StoredTurn,
}

/// How often the store has changed, as far as this process knows. Only equality means something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version(pub u64);

/// What a store is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// The version of its format.
    pub format: u32,
    /// Which program created it.
    pub created_by: String,
    /// The highest revision of the runner's semantics that worked on it.
    pub revision: u32,
    /// Whether it is a copy whose calls were not yet declared unknown.
    pub copy: bool,
}

/// A definition and its source map, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The digest of the definition.
    pub digest: String,
    /// The definition.
    pub json: String,
    /// Its source map, so that any run can be shown on its source.
    pub map: Option<String>,
}

/// A store of durable runs. All methods may be called from many threads.
///
/// The four writes of running workflows come in two forms: one that returns when the write is durable, and one (`…_then`) that
/// returns at once and calls a [`Reply`] when it is. Stores gather writes that come at the same time into one sync of the disk. All
/// other methods block. Every method can fail with any [`StoreError`]; after one, nothing of the call is in the store.
pub trait Store: Send + Sync {
    /// What the store is.
    fn about(&self) -> Result<About, StoreError>;

    // Writing.

    /// Appends turns and everything that changes with them. One append of a run may be under way at a time.
    fn append_then(&self, append: Append, reply: Reply<Outcome>);

    /// Posts an event to a run. Events from outside must pass [`crate::outside_event`] first.
    fn post_then(&self, post: Post, reply: Reply<Posted>);

    /// Creates a run and posts its start.
    fn start_then(&self, run: NewRun, reply: Reply<Started>);

    /// Changes rows of the outbox, each for itself, in one transaction.
    fn change_then(&self, changes: Vec<Change>, reply: Reply<Vec<Applied>>);

    /// [`Store::append_then`], blocking.
    fn append(&self, append: Append) -> Result<Outcome, StoreError> {
        Reply::wait(|reply| self.append_then(append, reply))
    }

    /// [`Store::post_then`], blocking.
    fn post(&self, post: Post) -> Result<Posted, StoreError> {
        Reply::wait(|reply| self.post_then(post, reply))
    }

    /// [`Store::start_then`], blocking.
    fn start(&self, run: NewRun) -> Result<Started, StoreError> {
        Reply::wait(|reply| self.start_then(run, reply))
    }

    /// [`Store::change_then`], blocking.
    fn change(&self, changes: Vec<Change>) -> Result<Vec<Applied>, StoreError> {
        Reply::wait(|reply| self.change_then(changes, reply))
    }

    // Reading runs.

    /// A run.
    fn run(&self, run: &str) -> Result<Option<RunRow>, StoreError>;

    /// Runs, newest first.
    fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError>;

    /// Whether a run of this id was pruned.
    fn pruned(&self, run: &str) -> Result<bool, StoreError>;

    /// The turns of a run that begin at `from` or later, at most `limit`, in order.
    fn read(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError>;

    /// The external events of a run as [`Store::read`] gives them, with an empty text for the derived ones: all that is needed to
    /// rebuild it.
    fn externals(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError>;

    /// Turns of all runs after a cursor, at most `limit`, in the order in which they became durable.
    fn feed(&self, after: Cursor, limit: usize) -> Result<Vec<FeedEntry>, StoreError>;

    // Reading work.

    /// The events that wait for a run's owner, at most `limit`, in the order in which they were accepted.
    fn inbox(&self, run: &str, limit: usize) -> Result<Vec<InboxRow>, StoreError>;

    /// The runs of a node that have something in their inbox, with the place of the oldest; at most `limit`, oldest first, after
    /// this place.
    fn waiting(&self, node: NodeId, after: u64, limit: usize) -> Result<Vec<(u64, String)>, StoreError>;

    /// The ready rows of a node's runs, questions apart, that are due at `now`, in the order of their time and key, after this row;
    /// at most `limit`.
    fn due(&self, node: NodeId, now: Time, after: Option<(Time, RowKey)>, limit: usize) -> Result<Vec<OutboxRow>, StoreError>;

    /// When the next row of a node's runs is due, after `now`.
    fn next_due(&self, node: NodeId, now: Time) -> Result<Option<Time>, StoreError>;

    /// A row of the outbox.
    fn row(&self, key: &RowKey) -> Result<Option<OutboxRow>, StoreError>;

    /// Rows of the outbox, in the order of their keys.
    fn rows(&self, filter: &RowFilter) -> Result<Vec<OutboxRow>, StoreError>;

    /// The sent rows of a node's runs whose process is dead: what happened to those calls is unknown.
    fn lost(&self, node: NodeId) -> Result<Vec<OutboxRow>, StoreError>;

    // Nodes and shards.

    /// A process starts to work on the store.
    fn join(&self, worker: &Worker) -> Result<NodeId, StoreError>;

    /// Says that a node is alive, and whether it still is: a node that others found dead has lost its runs and must stop.
    fn renew(&self, node: NodeId) -> Result<bool, StoreError>;

    /// A node ends in order: it releases its shards. What it marked as sent is lost.
    fn leave(&self, node: NodeId) -> Result<(), StoreError>;

    /// All nodes that matter: the living ones, and dead ones that own a shard or have sent a row.
    fn nodes(&self) -> Result<Vec<Node>, StoreError>;

    /// Finds out which nodes are dead, durably, counts the runs that they were computing, and gives those that were found now.
    fn bury(&self) -> Result<Vec<Node>, StoreError>;

    /// Makes a new shard, which the node owns.
    fn own_shard(&self, node: NodeId) -> Result<Shard, StoreError>;

    /// Takes the node's part of the common shards, and releases those beyond its part.
    fn claim_common(&self, node: NodeId, share: Share) -> Result<Claimed, StoreError>;

    /// Takes a shard over, unless a living node owns it.
    fn take_shard(&self, node: NodeId, shard: Shard) -> Result<Taken, StoreError>;

    /// Releases shards that the node owns.
    fn release(&self, node: NodeId, shards: &[Shard]) -> Result<(), StoreError>;

    /// All shards that ever had an owner and have open runs, or an owner.
    fn shards(&self) -> Result<Vec<ShardRow>, StoreError>;

    /// Notes that a node computes a turn of a run, in a way that survives an abort of the process. It is not synced.
    fn computing(&self, node: NodeId, run: &str) -> Result<(), StoreError>;

    /// Notes that the turn was computed.
    fn computed(&self, node: NodeId, run: &str) -> Result<(), StoreError>;

    /// Sets a run aside with a reason, or, without one, lets it go on and forgets its crashes. Whether there is such a run.
    fn hold(&self, run: &str, reason: Option<&str>) -> Result<bool, StoreError>;

    // Values.

    /// What a day has used of a budget.
    fn budget(&self, name: &str, day: u32) -> Result<Budget, StoreError>;

    /// Keeps a definition. One that is there already is left as it is.
    fn define(&self, definition: &Definition) -> Result<(), StoreError>;

    /// A definition by its digest.
    fn definition(&self, digest: &str) -> Result<Option<Definition>, StoreError>;

    /// A value by its digest.
    fn blob(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError>;

    // The whole.

    /// Makes all open once-only rows unknown, also ready and accepted ones, of this run or of all, and takes the mark of a copy off.
    /// For what was copied from elsewhere: the original may have sent them. Gives their number.
    fn doubt(&self, run: Option<&str>) -> Result<u64, StoreError>;

    /// Deletes whole trees of ended runs and leaves tombstones. Definitions that a run uses stay.
    fn prune(&self, prune: &Prune) -> Result<Pruned, StoreError>;

    /// The version of the store now.
    fn version(&self) -> Result<Version, StoreError>;

    /// Waits until the store has another version than `seen`, by any process, or the time is over, and gives the version. A change
    /// may be noticed late, never for ever: sweeps find what a wake-up missed.
    fn changed(&self, seen: Version, timeout: Duration) -> Result<Version, StoreError>;
}
