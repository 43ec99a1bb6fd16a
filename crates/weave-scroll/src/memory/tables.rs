//! What a store knows, as plain tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::{About, Budget, Definition, NodeId, OutboxRow, Post, RowKey, RowState, RunRow, Shard, Time, Turn, Worker, outbox::Kind};

/// The content of a store: a pure value, so that simulations can copy, compare and hash it. Its methods are those of
/// [`crate::Store`], without the waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tables {
    pub(super) runs: BTreeMap<String, RunRow>,
    pub(super) numbers: BTreeMap<u64, String>,
    pub(super) turns: BTreeMap<(u64, u64), (u64, Turn)>,
    pub(super) ids: BTreeMap<(u64, String), u64>,
    pub(super) feed: BTreeMap<u64, (u64, u64)>,
    pub(super) inbox: BTreeMap<u64, Post>,
    pub(super) inbox_ids: BTreeMap<(String, String), u64>,
    pub(super) outbox: BTreeMap<RowKey, OutboxRow>,
    pub(super) due: BTreeSet<(Time, RowKey)>,
    pub(super) nodes: BTreeMap<NodeId, NodeRow>,
    pub(super) shards: BTreeMap<Shard, Option<NodeId>>,
    pub(super) budgets: BTreeMap<(String, u32), Budget>,
    pub(super) definitions: BTreeMap<String, Definition>,
    pub(super) blobs: BTreeMap<String, Vec<u8>>,
    pub(super) blob_uses: BTreeSet<(u64, String)>,
    pub(super) tombstones: BTreeSet<String>,
    pub(super) revision: u32,
    pub(super) next: Next,
}

/// The next number of each kind. None is used twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Next {
    pub(super) run: u64,
    pub(super) turn: u64,
    pub(super) post: u64,
    pub(super) node: u64,
    pub(super) shard: u32,
}

impl Default for Next {
    fn default() -> Self {
        Self { run: 1, turn: 1, post: 1, node: 1, shard: crate::COMMON_SHARDS }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeRow {
    pub(super) worker: Worker,
    pub(super) alive: bool,
    pub(super) buried: bool,
    pub(super) serves: bool,
    pub(super) computing: BTreeSet<String>,
}

impl Tables {
    /// What the store is.
    #[must_use]
    pub fn about(&self) -> About {
        About { format: 1, created_by: format!("weave {}", env!("CARGO_PKG_VERSION")), revision: self.revision, copy: false }
    }

    pub(super) fn put_row(&mut self, row: OutboxRow) {
        self.remove_row(&row.key);
        if row.state == RowState::Ready && row.kind != Kind::Question {
            self.due.insert((row.due, row.key.clone()));
        }
        self.outbox.insert(row.key.clone(), row);
    }

    pub(super) fn remove_row(&mut self, key: &RowKey) -> bool {
        let Some(row) = self.outbox.remove(key) else { return false };
        self.due.remove(&(row.due, row.key));
        true
    }

    /// The keys of a run's rows, of one request or of all.
    pub(super) fn keys_of(&self, run: &str, request: Option<&str>) -> Vec<RowKey> {
        let first = RowKey { run: run.to_owned(), id: request.unwrap_or_default().to_owned(), attempt: 0, part: String::new() };
        let same = |key: &&RowKey| key.run == run && request.is_none_or(|request| key.id == request);
        self.outbox.range(first..).map(|(key, _)| key).take_while(same).cloned().collect()
    }

    pub(super) fn remove_post(&mut self, pos: u64) -> bool {
        let Some(post) = self.inbox.remove(&pos) else { return false };
        self.inbox_ids.remove(&(post.run, post.id));
        true
    }

    /// The places of a run's inbox rows, oldest first.
    pub(super) fn inbox_of(&self, run: &str) -> Vec<u64> {
        let first = (run.to_owned(), String::new());
        let mut places = self.inbox_ids.range(first..).take_while(|((of, _), _)| of == run).map(|(_, pos)| *pos).collect::<Vec<_>>();
        places.sort_unstable();
        places
    }
}
