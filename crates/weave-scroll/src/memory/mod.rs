//! A store in memory, for tests and simulations.

mod nodes;
mod prune;
mod queries;
mod tables;
mod writes;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use tables::Tables;

use crate::{
    About, Append, Applied, Budget, Change, Claimed, Cursor, Definition, FeedEntry, InboxRow, NewRun, Node, NodeId, OutboxRow, Outcome,
    Post, Posted, Prune, Pruned, Reply, RowFilter, RowKey, RunFilter, RunRow, Shard, ShardRow, Share, Started, Store, StoreError,
    StoredTurn, Taken, Time, Version, Worker,
};

/// A store in memory: [`Tables`] behind a lock. It survives nothing, but is otherwise a whole store; several simulated processes may
/// share one.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<(Tables, u64)>,
    wake: Condvar,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A store with this content.
    #[must_use]
    pub fn from_tables(tables: Tables) -> Self {
        Self { state: Mutex::new((tables, 0)), wake: Condvar::new() }
    }

    /// A copy of its content.
    #[must_use]
    pub fn tables(&self) -> Tables {
        self.lock().0.clone()
    }

    /// Lets a node die: it is found dead by the next [`Store::bury`].
    pub fn kill(&self, node: NodeId) {
        self.write(|tables| tables.kill(node));
    }

    fn lock(&self) -> MutexGuard<'_, (Tables, u64)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, read: impl FnOnce(&Tables) -> T) -> T {
        read(&self.lock().0)
    }

    fn write<T>(&self, write: impl FnOnce(&mut Tables) -> T) -> T {
        let mut state = self.lock();
        let result = write(&mut state.0);
        state.1 += 1;
        drop(state);
        self.wake.notify_all();
        result
    }
}

impl Store for MemoryStore {
    fn about(&self) -> Result<About, StoreError> {
        Ok(self.read(Tables::about))
    }

    fn append_then(&self, append: Append, reply: Reply<Outcome>) {
        let result = self.write(|tables| tables.append(append));
        reply.send(result);
    }

    fn post_then(&self, post: Post, reply: Reply<Posted>) {
        let result = self.write(|tables| tables.post(post));
        reply.send(result);
    }

    fn start_then(&self, run: NewRun, reply: Reply<Started>) {
        let result = self.write(|tables| tables.start(run));
        reply.send(result);
    }

    fn change_then(&self, changes: Vec<Change>, reply: Reply<Vec<Applied>>) {
        let result = self.write(|tables| changes.iter().map(|change| tables.change(change)).collect());
        reply.send(Ok(result));
    }

    fn run(&self, run: &str) -> Result<Option<RunRow>, StoreError> {
        Ok(self.read(|tables| tables.run(run)))
    }

    fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        Ok(self.read(|tables| tables.runs(filter)))
    }

    fn pruned(&self, run: &str) -> Result<bool, StoreError> {
        Ok(self.read(|tables| tables.pruned(run)))
    }

    fn read(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError> {
        Ok(self.read(|tables| tables.read(run, from, limit)))
    }

    fn externals(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError> {
        let mut turns = self.read(|tables| tables.read(run, from, limit));
        turns.iter_mut().for_each(|turn| turn.turn.derived.clear());
        Ok(turns)
    }

    fn feed(&self, after: Cursor, limit: usize) -> Result<Vec<FeedEntry>, StoreError> {
        Ok(self.read(|tables| tables.feed(after, limit)))
    }

    fn inbox(&self, run: &str, limit: usize) -> Result<Vec<InboxRow>, StoreError> {
        Ok(self.read(|tables| tables.inbox(run, limit)))
    }

    fn waiting(&self, node: NodeId, after: u64, limit: usize) -> Result<Vec<(u64, String)>, StoreError> {
        Ok(self.read(|tables| tables.waiting(node, after, limit)))
    }

    fn due(&self, node: NodeId, now: Time, after: Option<(Time, RowKey)>, limit: usize) -> Result<Vec<OutboxRow>, StoreError> {
        Ok(self.read(|tables| tables.due(node, now, after, limit)))
    }

    fn next_due(&self, node: NodeId, now: Time) -> Result<Option<Time>, StoreError> {
        Ok(self.read(|tables| tables.next_due(node, now)))
    }

    fn row(&self, key: &RowKey) -> Result<Option<OutboxRow>, StoreError> {
        Ok(self.read(|tables| tables.row(key)))
    }

    fn rows(&self, filter: &RowFilter) -> Result<Vec<OutboxRow>, StoreError> {
        Ok(self.read(|tables| tables.rows(filter)))
    }

    fn lost(&self, node: NodeId) -> Result<Vec<OutboxRow>, StoreError> {
        Ok(self.read(|tables| tables.lost(node)))
    }

    fn join(&self, worker: &Worker) -> Result<NodeId, StoreError> {
        Ok(self.write(|tables| tables.join(worker)))
    }

    fn renew(&self, node: NodeId) -> Result<bool, StoreError> {
        Ok(self.read(|tables| tables.alive(node)))
    }

    fn leave(&self, node: NodeId) -> Result<(), StoreError> {
        self.write(|tables| tables.leave(node));
        Ok(())
    }

    fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        Ok(self.read(Tables::nodes))
    }

    fn bury(&self) -> Result<Vec<Node>, StoreError> {
        Ok(self.write(Tables::bury))
    }

    fn own_shard(&self, node: NodeId) -> Result<Shard, StoreError> {
        Ok(self.write(|tables| tables.own_shard(node)))
    }

    fn claim_common(&self, node: NodeId, share: Share) -> Result<Claimed, StoreError> {
        self.write(|tables| tables.claim_common(node, share))
    }

    fn take_shard(&self, node: NodeId, shard: Shard) -> Result<Taken, StoreError> {
        self.write(|tables| tables.take_shard(node, shard))
    }

    fn release(&self, node: NodeId, shards: &[Shard]) -> Result<(), StoreError> {
        self.write(|tables| tables.release(node, shards));
        Ok(())
    }

    fn shards(&self) -> Result<Vec<ShardRow>, StoreError> {
        Ok(self.read(Tables::shards))
    }

    fn computing(&self, node: NodeId, run: &str) -> Result<(), StoreError> {
        self.lock().0.computing(node, run);
        Ok(())
    }

    fn computed(&self, node: NodeId, run: &str) -> Result<(), StoreError> {
        self.lock().0.computed(node, run);
        Ok(())
    }

    fn hold(&self, run: &str, reason: Option<&str>) -> Result<bool, StoreError> {
        Ok(self.write(|tables| tables.hold(run, reason)))
    }

    fn budget(&self, name: &str, day: u32) -> Result<Budget, StoreError> {
        Ok(self.read(|tables| tables.budget(name, day)))
    }

    fn define(&self, definition: &Definition) -> Result<(), StoreError> {
        self.write(|tables| tables.define(definition));
        Ok(())
    }

    fn definition(&self, digest: &str) -> Result<Option<Definition>, StoreError> {
        Ok(self.read(|tables| tables.definition(digest)))
    }

    fn blob(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.read(|tables| tables.blob(digest)))
    }

    fn doubt(&self, run: Option<&str>) -> Result<u64, StoreError> {
        Ok(self.write(|tables| tables.doubt(run)))
    }

    fn prune(&self, prune: &Prune) -> Result<Pruned, StoreError> {
        Ok(self.write(|tables| tables.prune(prune)))
    }

    fn version(&self) -> Result<Version, StoreError> {
        Ok(Version(self.lock().1))
    }

    fn changed(&self, seen: Version, timeout: Duration) -> Result<Version, StoreError> {
        let state = self.lock();
        let (state, _) = self.wake.wait_timeout_while(state, timeout, |state| state.1 == seen.0).unwrap_or_else(PoisonError::into_inner);
        Ok(Version(state.1))
    }
}
