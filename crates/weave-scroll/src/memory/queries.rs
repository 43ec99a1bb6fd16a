//! What is read.

use std::ops::Bound;

use super::Tables;
use crate::{
    Budget, Cursor, Definition, FeedEntry, InboxRow, NodeId, OutboxRow, RowFilter, RowKey, RowState, RunFilter, RunRow, Status, StoredTurn,
    Time,
};

const fn most(limit: usize) -> usize {
    if limit == 0 { usize::MAX } else { limit }
}

impl Tables {
    /// As [`crate::Store::run`].
    #[must_use]
    pub fn run(&self, run: &str) -> Option<RunRow> {
        self.runs.get(run).map(|run| self.with_owner(run))
    }

    fn with_owner(&self, run: &RunRow) -> RunRow {
        let owner = self.shards.get(&run.shard).copied().flatten().filter(|node| self.alive(*node));
        RunRow { owner, ..run.clone() }
    }

    /// As [`crate::Store::runs`].
    #[must_use]
    pub fn runs(&self, filter: &RunFilter) -> Vec<RunRow> {
        let numbers = self.numbers.range(..filter.before.unwrap_or(u64::MAX)).rev();
        let runs = numbers.filter_map(|(_, id)| self.run(id)).filter(|run| {
            filter.workflow.as_ref().is_none_or(|workflow| *workflow == run.workflow)
                && filter.status.is_none_or(|status| status == run.state.status)
                && filter.parent.as_ref().is_none_or(|parent| Some(parent) == run.parent.as_ref())
                && (!filter.roots || run.parent.is_none())
                && filter.prefix.as_ref().is_none_or(|prefix| run.id.starts_with(prefix))
                && filter.node.is_none_or(|node| self.owned(run, node))
                && (!filter.parked || (run.state.status == Status::Open && run.owner.is_none()))
        });
        runs.take(most(filter.limit)).collect()
    }

    /// As [`crate::Store::pruned`].
    #[must_use]
    pub fn pruned(&self, run: &str) -> bool {
        self.tombstones.contains(run)
    }

    /// As [`crate::Store::read`].
    #[must_use]
    pub fn read(&self, run: &str, from: u64, limit: usize) -> Vec<StoredTurn> {
        let Some(run) = self.runs.get(run) else { return Vec::new() };
        let turns = self.turns.range((run.no, from)..=(run.no, u64::MAX)).take(most(limit));
        turns.map(|((_, seq), (_, turn))| StoredTurn { seq: *seq, turn: turn.clone() }).collect()
    }

    /// As [`crate::Store::feed`].
    #[must_use]
    pub fn feed(&self, after: Cursor, limit: usize) -> Vec<FeedEntry> {
        let entries = self.feed.range((Bound::Excluded(after.0), Bound::Unbounded)).take(most(limit));
        let entry = |(pos, (no, seq)): (&u64, &(u64, u64))| {
            let run = self.numbers.get(no)?.clone();
            let (_, turn) = self.turns.get(&(*no, *seq))?;
            Some(FeedEntry { cursor: Cursor(*pos, 0), run, turn: StoredTurn { seq: *seq, turn: turn.clone() } })
        };
        entries.filter_map(entry).collect()
    }

    /// As [`crate::Store::inbox`].
    #[must_use]
    pub fn inbox(&self, run: &str, limit: usize) -> Vec<InboxRow> {
        let places = self.inbox_of(run).into_iter().take(most(limit));
        places.filter_map(|pos| Some(InboxRow { pos, post: self.inbox.get(&pos)?.clone() })).collect()
    }

    /// As [`crate::Store::waiting`].
    #[must_use]
    pub fn waiting(&self, node: NodeId, after: u64, limit: usize) -> Vec<(u64, String)> {
        let first = |pos: &u64, run: &str| self.inbox_of(run).first() == Some(pos);
        let posts = self.inbox.range((Bound::Excluded(after), Bound::Unbounded));
        let own = posts.filter(|(pos, post)| self.works_on(&post.run, node) && first(pos, &post.run));
        own.map(|(pos, post)| (*pos, post.run.clone())).take(most(limit)).collect()
    }

    /// As [`crate::Store::due`].
    #[must_use]
    pub fn due(&self, node: NodeId, now: Time, after: Option<(Time, RowKey)>, limit: usize) -> Vec<OutboxRow> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let due = self.due.range((start, Bound::Unbounded)).take_while(|(due, _)| *due <= now);
        let own = due.filter(|(_, key)| self.works_on(&key.run, node));
        own.filter_map(|(_, key)| self.outbox.get(key).cloned()).take(most(limit)).collect()
    }

    /// As [`crate::Store::next_due`].
    #[must_use]
    pub fn next_due(&self, node: NodeId, now: Time) -> Option<Time> {
        self.due.iter().filter(|(due, _)| *due > now).find(|(_, key)| self.works_on(&key.run, node)).map(|(due, _)| *due)
    }

    /// As [`crate::Store::row`].
    #[must_use]
    pub fn row(&self, key: &RowKey) -> Option<OutboxRow> {
        self.outbox.get(key).cloned()
    }

    /// As [`crate::Store::rows`].
    #[must_use]
    pub fn rows(&self, filter: &RowFilter) -> Vec<OutboxRow> {
        let start = filter.after.clone().map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.outbox.range((start, Bound::Unbounded)).map(|(_, row)| row).filter(|row| {
            filter.run.as_ref().is_none_or(|run| *run == row.key.run)
                && filter.kind.is_none_or(|kind| kind == row.kind)
                && filter.state.is_none_or(|state| state == row.state)
                && filter.process.is_none_or(|process| row.process == Some(process))
                && filter.shard.is_none_or(|shard| self.runs.get(&row.key.run).is_some_and(|run| run.shard == shard))
        });
        rows.take(most(filter.limit)).cloned().collect()
    }

    /// As [`crate::Store::lost`].
    #[must_use]
    pub fn lost(&self, node: NodeId) -> Vec<OutboxRow> {
        let dead = |row: &&OutboxRow| row.state == RowState::Sent && row.process.is_none_or(|process| !self.alive(process));
        let own = self.outbox.values().filter(dead).filter(|row| self.works_on(&row.key.run, node));
        own.cloned().collect()
    }

    /// As [`crate::Store::budget`].
    #[must_use]
    pub fn budget(&self, name: &str, day: u32) -> Budget {
        self.budgets.get(&(name.to_owned(), day)).copied().unwrap_or_default()
    }

    /// As [`crate::Store::definition`].
    #[must_use]
    pub fn definition(&self, digest: &str) -> Option<Definition> {
        self.definitions.get(digest).cloned()
    }

    /// As [`crate::Store::blob`].
    #[must_use]
    pub fn blob(&self, digest: &str) -> Option<Vec<u8>> {
        self.blobs.get(digest).cloned()
    }

    fn owned(&self, run: &RunRow, node: NodeId) -> bool {
        self.shards.get(&run.shard).copied().flatten() == Some(node)
    }

    /// Whether a node owns a run that is not set aside.
    fn works_on(&self, run: &str, node: NodeId) -> bool {
        self.runs.get(run).is_some_and(|run| run.held.is_none() && self.owned(run, node))
    }
}
