//! The contract.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::params;
use weave_scroll::{
    About, Append, Applied, Budget, Change, Claimed, Cursor, Definition, FeedEntry, InboxRow, NewRun, Node, NodeId, OutboxRow, Outcome,
    Post, Posted, Prune, Pruned, Reply, RowFilter, RowKey, RunFilter, RunRow, Shard, ShardRow, Share, Started, Store, StoreError,
    StoredTurn, Taken, Time, Version, Worker,
};

use crate::error::store_error;
use crate::open::SqliteStore;
use crate::{copy, nodes, queries, schema, writes};

/// How often changes by other processes are polled while a caller waits.
const LOOK: Duration = Duration::from_millis(20);

impl SqliteStore {
    /// Lets a node die without a word, as a crash would: its lock is given up and nothing else. For tests.
    #[doc(hidden)]
    pub fn abandon(&self, node: NodeId) {
        self.held.abandon(node);
    }

    /// Lets all nodes of this process die. For tests.
    #[doc(hidden)]
    pub fn abandon_all(&self) {
        self.held.own().into_iter().for_each(|node| self.held.abandon(node));
    }

    /// How many rows the main tables have.
    ///
    /// # Errors
    ///
    /// Any [`StoreError`].
    pub fn counts(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        self.read(queries::counts)
    }

    /// Checks the whole file for damage. Takes long for a large one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] with what was found first.
    pub fn check(&self) -> Result<(), StoreError> {
        self.read(|db| {
            let found: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            if found == "ok" { Ok(()) } else { Err(StoreError::Damaged(found).into()) }
        })
    }

    /// How many transactions this process has committed; each synced the log once, unless it changed nothing.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.writer.shared.commits()
    }

    /// Why nothing is acknowledged any more, if it is so. A process whose store has stopped must end.
    #[must_use]
    pub fn stopped(&self) -> Option<StoreError> {
        self.writer.shared.stopped()
    }
}

impl Drop for SqliteStore {
    /// Leaves in order.
    fn drop(&mut self) {
        for node in self.held.own() {
            drop(self.leave(node));
        }
    }
}

impl Store for SqliteStore {
    fn about(&self) -> Result<About, StoreError> {
        self.read(|db| {
            Ok(About {
                format: db.query_row("PRAGMA user_version", [], |row| row.get(0))?,
                created_by: schema::get(db, "created_by")?.unwrap_or_default(),
                revision: schema::get(db, "revision")?.and_then(|revision| revision.parse().ok()).unwrap_or(0),
                copy: schema::get(db, "copy")?.is_some(),
            })
        })
    }

    fn append_then(&self, append: Append, reply: Reply<Outcome>) {
        let held = Arc::clone(&self.held);
        self.writer.submit(reply, move |db| writes::append(db, &held, &append));
    }

    fn post_then(&self, post: Post, reply: Reply<Posted>) {
        self.writer.submit_bounded(reply, move |db| writes::post(db, &post));
    }

    fn start_then(&self, run: NewRun, reply: Reply<Started>) {
        let held = Arc::clone(&self.held);
        self.writer.submit_bounded(reply, move |db| writes::start(db, &held, &run));
    }

    fn change_then(&self, changes: Vec<Change>, reply: Reply<Vec<Applied>>) {
        let held = Arc::clone(&self.held);
        self.writer.submit(reply, move |db| changes.iter().map(|change| writes::change(db, &held, change)).collect());
    }

    fn run(&self, run: &str) -> Result<Option<RunRow>, StoreError> {
        self.read(|db| queries::run(db, &self.held, run))
    }

    fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        self.read(|db| queries::runs(db, &self.held, filter))
    }

    fn pruned(&self, run: &str) -> Result<bool, StoreError> {
        self.read(|db| writes::is_pruned(db, run))
    }

    fn read(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError> {
        self.read(|db| queries::read(db, run, from, limit, true))
    }

    fn externals(&self, run: &str, from: u64, limit: usize) -> Result<Vec<StoredTurn>, StoreError> {
        self.read(|db| queries::read(db, run, from, limit, false))
    }

    fn feed(&self, after: Cursor, limit: usize) -> Result<Vec<FeedEntry>, StoreError> {
        self.read(|db| queries::feed(db, after, limit))
    }

    fn inbox(&self, run: &str, limit: usize) -> Result<Vec<InboxRow>, StoreError> {
        self.read(|db| queries::inbox(db, run, limit))
    }

    fn waiting(&self, node: NodeId, after: u64, limit: usize) -> Result<Vec<(u64, String)>, StoreError> {
        self.read(|db| queries::waiting(db, node, after, limit))
    }

    fn due(&self, node: NodeId, now: Time, after: Option<(Time, RowKey)>, limit: usize) -> Result<Vec<OutboxRow>, StoreError> {
        self.read(|db| queries::due(db, node, now, after, limit))
    }

    fn next_due(&self, node: NodeId, now: Time) -> Result<Option<Time>, StoreError> {
        self.read(|db| queries::next_due(db, node, now))
    }

    fn row(&self, key: &RowKey) -> Result<Option<OutboxRow>, StoreError> {
        self.read(|db| queries::row(db, key))
    }

    fn rows(&self, filter: &RowFilter) -> Result<Vec<OutboxRow>, StoreError> {
        self.read(|db| queries::rows(db, filter))
    }

    fn lost(&self, node: NodeId) -> Result<Vec<OutboxRow>, StoreError> {
        self.read(|db| queries::lost(db, &self.held, node))
    }

    fn join(&self, worker: &Worker) -> Result<NodeId, StoreError> {
        let joined = Arc::new(Mutex::new(None));
        let (held, worker, slot) = (Arc::clone(&self.held), worker.clone(), Arc::clone(&joined));
        let result = self.writer.write(move |db| held.join(db, &worker, &slot));
        if let (Err(_), Some(node)) = (&result, *joined.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.held.abandon(node);
        }
        result
    }

    fn renew(&self, node: NodeId) -> Result<bool, StoreError> {
        // A host asks once a second, so it learns soon that nothing is acknowledged any more, also when it writes nothing.
        if let Some(stopped) = self.stopped() {
            return Err(stopped);
        }
        self.read(|db| self.held.alive(db, node))
    }

    fn leave(&self, node: NodeId) -> Result<(), StoreError> {
        let held = Arc::clone(&self.held);
        self.writer.write(move |db| held.leave(db, node))
    }

    fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        self.read(|db| self.held.nodes(db))
    }

    fn bury(&self) -> Result<Vec<Node>, StoreError> {
        let held = Arc::clone(&self.held);
        self.writer.write(move |db| held.bury(db))
    }

    fn own_shard(&self, node: NodeId) -> Result<Shard, StoreError> {
        self.writer.write(move |db| nodes::own_shard(db, node))
    }

    fn claim_common(&self, node: NodeId, share: Share) -> Result<Claimed, StoreError> {
        let held = Arc::clone(&self.held);
        self.writer.write(move |db| held.claim_common(db, node, share))
    }

    fn take_shard(&self, node: NodeId, shard: Shard) -> Result<Taken, StoreError> {
        let held = Arc::clone(&self.held);
        self.writer.write(move |db| held.take_shard(db, node, shard))
    }

    fn release(&self, node: NodeId, shards: &[Shard]) -> Result<(), StoreError> {
        let shards = shards.to_vec();
        self.writer.write(move |db| nodes::release(db, node, &shards))
    }

    fn shards(&self) -> Result<Vec<ShardRow>, StoreError> {
        self.read(|db| self.held.shards(db))
    }

    fn computing(&self, node: NodeId, run: &str) -> Result<(), StoreError> {
        self.held.computing(node, run, true)
    }

    fn computed(&self, node: NodeId, run: &str) -> Result<(), StoreError> {
        self.held.computing(node, run, false)
    }

    fn hold(&self, run: &str, reason: Option<&str>) -> Result<bool, StoreError> {
        let (run, reason) = (run.to_owned(), reason.map(str::to_owned));
        self.writer.write(move |db| {
            let sql = "UPDATE run SET held = ?2, crashes = CASE WHEN ?2 IS NULL THEN 0 ELSE crashes END WHERE id = ?1";
            Ok(db.execute(sql, params![run, reason])? > 0)
        })
    }

    fn budget(&self, name: &str, day: u32) -> Result<Budget, StoreError> {
        self.read(|db| queries::budget(db, name, day))
    }

    fn define(&self, definition: &Definition) -> Result<(), StoreError> {
        let one = definition.clone();
        self.writer.write(move |db| {
            db.execute("INSERT OR IGNORE INTO definition VALUES (?1, ?2, ?3)", params![one.digest, one.json, one.map])?;
            Ok(())
        })
    }

    fn definition(&self, digest: &str) -> Result<Option<Definition>, StoreError> {
        self.read(|db| queries::definition(db, digest))
    }

    fn blob(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|db| queries::blob(db, digest))
    }

    fn doubt(&self, run: Option<&str>) -> Result<u64, StoreError> {
        let run = run.map(str::to_owned);
        self.writer.write(move |db| copy::doubt(db, run.as_deref()))
    }

    fn prune(&self, prune: &Prune) -> Result<Pruned, StoreError> {
        self.prune_all(prune)
    }

    fn version(&self) -> Result<Version, StoreError> {
        let watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let version = watcher.prepare_cached("PRAGMA data_version").and_then(|mut statement| statement.query_row([], |row| row.get(0)));
        version.map(Version).map_err(|error| store_error(&error))
    }

    fn changed(&self, seen: Version, timeout: Duration) -> Result<Version, StoreError> {
        let end = Instant::now() + timeout;
        loop {
            let version = self.version()?;
            let left = end.saturating_duration_since(Instant::now());
            if version != seen || left.is_zero() {
                return Ok(version);
            }
            self.writer.shared.wait(left.min(LOOK));
        }
    }
}
