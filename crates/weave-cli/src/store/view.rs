//! One run with all that is known of it.

use std::collections::HashMap;
use std::sync::Arc;

use weave_host::Drive;
use weave_ir::{Definition, SourceMap};
use weave_runner::{Event, Prepared};
use weave_scroll::{InboxRow, RunFilter, RunRow, Status, Store, StoreError};

use super::place::failed;
use crate::failure::Failure;

/// So many turns are read at a time.
const PAGE: usize = 1_000;
/// So deep children are looked for.
const DEEPEST: usize = 16;

/// A run, read from the store.
pub(super) struct View {
    pub(super) row: RunRow,
    pub(super) drive: Drive,
    /// What was posted and not taken yet.
    pub(super) inbox: Vec<InboxRow>,
}

/// Reads runs; definitions that several of them share are read once.
pub(super) struct Reader<'s> {
    pub(super) store: &'s dyn Store,
    prepared: HashMap<String, Arc<Prepared>>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(store: &'s dyn Store) -> Self {
        Self { store, prepared: HashMap::new() }
    }

    pub(super) fn view(&mut self, row: RunRow) -> Result<View, Failure> {
        let store_failed = |error: StoreError| failed(&error);
        let prepared = match self.prepared.get(&row.digest) {
            Some(prepared) => Arc::clone(prepared),
            None => {
                let prepared = weave_host::prepared(self.store, &row).map_err(store_failed)?;
                Arc::clone(self.prepared.entry(row.digest.clone()).or_insert(prepared))
            }
        };
        let drive = weave_host::look(self.store, &row, prepared).map_err(store_failed)?;
        let inbox = self.store.inbox(&row.id, 0).map_err(store_failed)?;
        Ok(View { row, drive, inbox })
    }

    /// The run and those of its descendants that have not ended.
    pub(super) fn tree(&mut self, row: RunRow) -> Result<Vec<View>, Failure> {
        let mut tree = Vec::new();
        let mut open = vec![(row, 0)];
        while let Some((row, depth)) = open.pop() {
            let waits_for_runs = row.state.status == Status::Open && depth < DEEPEST;
            if waits_for_runs {
                let filter = RunFilter { parent: Some(row.id.clone()), status: Some(Status::Open), ..RunFilter::default() };
                open.extend(self.store.runs(&filter).map_err(|error| failed(&error))?.into_iter().map(|row| (row, depth + 1)));
            }
            tree.push(self.view(row)?);
        }
        Ok(tree)
    }
}

impl View {
    pub(super) fn definition(&self) -> Arc<Definition> {
        self.drive.definition()
    }

    /// Whether a process drives it.
    pub(super) fn is_driven(&self) -> bool {
        self.row.owner.is_some()
    }
}

/// Where the parts of a run's definition were written, if the store knows it.
pub(super) fn source_map(store: &dyn Store, row: &RunRow) -> Option<SourceMap> {
    SourceMap::from_json(&store.definition(&row.digest).ok()??.map?).ok()
}

/// All events of a run with the time of their turn, in order.
pub(super) fn events(store: &dyn Store, run: &str) -> Result<Vec<(i64, Event)>, Failure> {
    let mut events = Vec::new();
    let mut from = 0;
    loop {
        let turns = store.read(run, from, PAGE).map_err(|error| failed(&error))?;
        let Some(last) = turns.last() else { return Ok(events) };
        from = last.seq + last.turn.events;
        for turn in &turns {
            let own = turn.events().map_err(|error| failed(&error))?;
            events.extend(own.into_iter().map(|event| (turn.turn.at, event)));
        }
    }
}
