//! What running workflows write.

use super::Tables;
use crate::inbox::same_event;
use crate::{
    Append, Applied, Change, Effect, NewRun, Node, NodeId, Outcome, Post, Posted, Require, RowState, RunRow, RunState, Settle, Started,
    StoreError, Time, To,
};

impl Tables {
    /// As [`crate::Store::append`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Misuse`] if the append contradicts itself.
    pub fn append(&mut self, append: Append) -> Result<Outcome, StoreError> {
        append.check()?;
        let run = match self.runs.get(&append.run) {
            Some(run) => run.clone(),
            None if self.tombstones.contains(&append.run) => return Ok(Outcome::Pruned),
            None => match &append.create {
                Some(new) => self.row_of(new),
                None => return Ok(Outcome::NoRun),
            },
        };
        let owner = self.shards.get(&run.shard).copied().flatten();
        let fits = self.nodes.get(&append.node).is_some_and(|node| node.worker.revision >= run.revision);
        if owner != Some(append.node) || !fits {
            return Ok(Outcome::Fenced { owner });
        }
        let mut known = append.turns.iter().map(|turn| self.ids.contains_key(&(run.no, turn.id.clone())));
        if known.next() == Some(true) {
            self.take(&append);
            return Ok(Outcome::Duplicate { head: run.head });
        }
        if known.any(|known| known) {
            return Err(StoreError::Misuse("a later turn of the append is on the scroll, the first is not".to_owned()));
        }
        if run.head != append.expected {
            return Ok(Outcome::Conflict { head: run.head });
        }
        if let Some(unmet) = append.require.iter().position(|require| !self.holds(&append, require)) {
            return Ok(Outcome::Unmet(unmet));
        }
        Ok(self.apply(append, run))
    }

    fn holds(&self, append: &Append, require: &Require) -> bool {
        match require {
            Require::InboxEmpty => self.inbox_of(&append.run).into_iter().all(|pos| Some(pos) == append.took),
            Require::Row { key, state, sendings } => {
                self.outbox.get(key).is_some_and(|row| row.state == *state && sendings.is_none_or(|sendings| sendings == row.sendings))
            }
        }
    }

    /// Deletes the inbox row that an append takes.
    fn take(&mut self, append: &Append) {
        let Some(pos) = append.took else { return };
        if self.inbox.get(&pos).is_some_and(|post| post.run == append.run) {
            self.remove_post(pos);
        }
    }

    fn apply(&mut self, append: Append, mut run: RunRow) -> Outcome {
        self.take(&append);
        if !self.runs.contains_key(&run.id) {
            self.insert_run(run.clone());
        }
        for turn in append.turns {
            let (pos, seq) = (self.next.turn, run.head);
            self.next.turn += 1;
            run.head += turn.events;
            self.ids.insert((run.no, turn.id.clone()), seq);
            self.feed.insert(pos, (run.no, seq));
            self.turns.insert((run.no, seq), (pos, turn));
        }
        let head = run.head;
        run.state = append.state;
        run.crashes = 0;
        let (no, id) = (run.no, run.id.clone());
        self.runs.insert(id.clone(), run);
        let effects = append.effects.into_iter().map(|effect| self.effect(no, &id, effect)).collect();
        Outcome::Appended { head, effects }
    }

    fn effect(&mut self, no: u64, run: &str, effect: Effect) -> Applied {
        let yes = match effect {
            Effect::Put(row) => {
                let new = !self.outbox.contains_key(&row.key);
                if new {
                    self.put_row(*row);
                }
                new
            }
            Effect::Close(request) => {
                let keys = self.keys_of(run, Some(&request));
                keys.iter().for_each(|key| _ = self.remove_row(key));
                !keys.is_empty()
            }
            Effect::CloseRow(key) => self.remove_row(&key),
            Effect::CloseAll => {
                self.keys_of(run, None).iter().for_each(|key| _ = self.remove_row(key));
                true
            }
            Effect::Change(change) => return self.change(&change),
            Effect::Post(post) => matches!(self.post_event(*post), Posted::Posted(_) | Posted::Known),
            Effect::Start(new) => matches!(self.start_run(*new), Started::Started | Started::Known),
            Effect::Settle(settle) => {
                self.settle(&settle);
                true
            }
            Effect::Blob { digest, bytes } => {
                self.blob_uses.insert((no, digest.clone()));
                self.blobs.entry(digest).or_insert(bytes);
                true
            }
        };
        if yes { Applied::Yes } else { Applied::No }
    }

    fn settle(&mut self, settle: &Settle) {
        let budget = self.budgets.entry((settle.budget.clone(), settle.day)).or_default();
        budget.reserved = budget.reserved.saturating_sub(settle.reserved);
        budget.used = budget.used.saturating_add(settle.used).min(MOST);
    }

    /// As one change of [`crate::Store::change`].
    pub fn change(&mut self, change: &Change) -> Applied {
        let Some(row) = self.outbox.get(&change.key) else { return Applied::No };
        let fits = row.state == change.when.state && change.when.sendings.is_none_or(|sendings| sendings == row.sendings);
        let dead = matches!(&change.to, To::Sent { process } if !self.alive(*process));
        if !fits || dead {
            return Applied::No;
        }
        let mut row = row.clone();
        if let Some(reserve) = &change.reserve {
            let budget = self.budgets.entry((reserve.budget.clone(), reserve.day)).or_default();
            if budget.used.saturating_add(budget.reserved).saturating_add(reserve.bound) > reserve.limit.min(MOST) {
                return Applied::OverBudget;
            }
            budget.reserved += reserve.bound;
        }
        match &change.to {
            To::Ready { due } => (row.state, row.due) = (RowState::Ready, *due),
            To::Sent { process } => {
                (row.state, row.process) = (RowState::Sent, Some(*process));
                row.sendings = row.sendings.saturating_add(1);
            }
            To::Accepted { detail } => (row.state, row.detail) = (RowState::Accepted, Some(detail.clone())),
            To::Unknown => row.state = RowState::Unknown,
        }
        self.put_row(row);
        Applied::Yes
    }

    /// As [`crate::Store::post`].
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`].
    pub fn post(&mut self, post: Post) -> Result<Posted, StoreError> {
        post.check()?;
        Ok(self.post_event(post))
    }

    fn post_event(&mut self, post: Post) -> Posted {
        let Some(run) = self.runs.get(&post.run) else {
            return if self.tombstones.contains(&post.run) { Posted::Pruned } else { Posted::NoRun };
        };
        let waiting = self.inbox_ids.get(&(post.run.clone(), post.id.clone())).and_then(|pos| self.inbox.get(pos));
        let appended = self.ids.get(&(run.no, post.id.clone())).and_then(|seq| self.turns.get(&(run.no, *seq)));
        if let Some(known) = waiting.map(|post| &post.event).or(appended.map(|(_, turn)| &turn.external)) {
            return if same_event(known, &post.event) { Posted::Known } else { Posted::Differs };
        }
        let pos = self.next.post;
        self.next.post += 1;
        self.inbox_ids.insert((post.run.clone(), post.id.clone()), pos);
        self.inbox.insert(pos, post);
        Posted::Posted(pos)
    }

    /// As [`crate::Store::start`].
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`].
    pub fn start(&mut self, new: NewRun) -> Result<Started, StoreError> {
        new.check()?;
        Ok(self.start_run(new))
    }

    fn start_run(&mut self, new: NewRun) -> Started {
        if self.tombstones.contains(&new.id) {
            return Started::Pruned;
        }
        if let Some(run) = self.runs.get(&new.id) {
            let same = run.workflow == new.workflow
                && run.input_digest == new.input_digest
                && run.parent == new.parent
                && (!new.digest_given || run.digest == new.digest);
            return if same { Started::Known } else { Started::Differs };
        }
        let run = self.row_of(&new);
        self.insert_run(run);
        self.post_event(Post { run: new.id.clone(), id: new.id, event: new.event, at: new.at });
        Started::Started
    }

    /// The row of a run that does not exist yet.
    fn row_of(&self, new: &NewRun) -> RunRow {
        let living = self.nodes.values().filter(|node| node.alive).map(|node| node.worker.revision);
        RunRow {
            no: self.next.run,
            id: new.id.clone(),
            workflow: new.workflow.clone(),
            digest: new.digest.clone(),
            input_digest: new.input_digest.clone(),
            revision: living.fold(new.revision, u32::min),
            head: 0,
            state: RunState::open(),
            parent: new.parent.clone(),
            shard: new.shard,
            started: new.at,
            crashes: 0,
            held: None,
            owner: None,
        }
    }

    fn insert_run(&mut self, run: RunRow) {
        self.next.run = run.no + 1;
        self.shards.entry(run.shard).or_insert(None);
        self.next.shard = self.next.shard.max(run.shard.0.saturating_add(1));
        self.numbers.insert(run.no, run.id.clone());
        self.runs.insert(run.id.clone(), run);
    }

    pub(super) fn node(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(&id).map(|node| Node { id, worker: node.worker.clone(), alive: node.alive })
    }
}

/// The most that a budget counts to: what a signed number of 64 bits holds.
const MOST: u64 = i64::MAX as u64;

/// The most that one event, or the derived events of one turn, may have, in bytes of JSON.
const LIMIT: u64 = 64 << 20;

fn fits(text: &str) -> Result<(), StoreError> {
    let bytes = text.len() as u64;
    if bytes > LIMIT { Err(StoreError::TooLarge { bytes, limit: LIMIT }) } else { Ok(()) }
}

impl Post {
    /// Whether the store may take it.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`].
    pub fn check(&self) -> Result<(), StoreError> {
        fits(&self.event)
    }
}

impl NewRun {
    /// Whether the store may take it.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`].
    pub fn check(&self) -> Result<(), StoreError> {
        fits(&self.event)
    }
}

impl Append {
    /// Whether the append contradicts itself or is too large. Stores call it before they begin.
    ///
    /// # Errors
    ///
    /// [`StoreError::Misuse`], [`StoreError::TooLarge`].
    pub fn check(&self) -> Result<(), StoreError> {
        let wrong = |why: &str| Err(StoreError::Misuse(why.to_owned()));
        if self.turns.is_empty() || self.turns.iter().any(|turn| turn.events == 0) {
            return wrong("an append has turns, and each turn has its external event");
        }
        let ids = self.turns.iter().map(|turn| turn.id.as_str()).collect::<std::collections::BTreeSet<_>>();
        if ids.len() < self.turns.len() {
            return wrong("an append has the same event twice");
        }
        if self.create.as_ref().is_some_and(|new| new.id != self.run) {
            return wrong("an append creates another run than it appends to");
        }
        for turn in &self.turns {
            fits(&turn.external)?;
            fits(&turn.derived)?;
        }
        for effect in &self.effects {
            let own = match effect {
                Effect::Put(row) => row.key.run == self.run,
                Effect::CloseRow(key) => key.run == self.run,
                Effect::Change(change) => change.key.run == self.run,
                Effect::Post(post) => {
                    post.check()?;
                    true
                }
                Effect::Start(new) => {
                    new.check()?;
                    true
                }
                _ => true,
            };
            if !own {
                return wrong("an append changes rows of its own run only");
            }
        }
        Ok(())
    }

    /// The time of its first turn.
    #[must_use]
    pub fn at(&self) -> Time {
        self.turns.first().map_or(0, |turn| turn.at)
    }
}
