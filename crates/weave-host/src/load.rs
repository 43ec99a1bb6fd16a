//! How a run is read from the store.

use std::sync::Arc;

use weave_drive::{Drive, Place, Snapshot};
use weave_ir::Definition;
use weave_runner::{Event, Prepared};
use weave_scroll::{InboxRow, NodeId, RunRow, Store, StoreError};

/// How many rows are read at a time.
const PAGE: usize = 1_000;

/// What the store knows of a run.
///
/// The parts are read one after another while the owner is the only one who changes them, posts apart: those that come meanwhile are
/// in the inbox, or are told later.
pub(crate) fn snapshot(store: &dyn Store, run: &str) -> Result<Snapshot, StoreError> {
    let mut externals = Vec::new();
    let mut from = 0;
    loop {
        let page = store.externals(run, from, PAGE)?;
        let Some(last) = page.last() else { break };
        from = last.seq + last.turn.events;
        for turn in &page {
            externals.push(turn.external()?);
        }
    }
    let rows = store.rows(&weave_scroll::RowFilter { run: Some(run.to_owned()), ..Default::default() })?;
    let living = store.nodes()?.into_iter().filter(|node| node.alive).map(|node| node.id).collect();
    Ok(Snapshot { externals, rows, inbox: inbox(store, run)?, living })
}

/// The inbox of a run.
pub(crate) fn inbox(store: &dyn Store, run: &str) -> Result<Vec<(u64, Event)>, StoreError> {
    store.inbox(run, 0)?.into_iter().map(|row| Ok((row.pos, read(&row)?))).collect()
}

fn read(row: &InboxRow) -> Result<Event, StoreError> {
    let wrong = |error: serde_json::Error| StoreError::Damaged(format!("the posted event `{}` cannot be read: {error}", row.post.id));
    serde_json::from_str(&row.post.event).map_err(wrong)
}

/// A run as the store has it, to look at: nothing is to be done in it, and what is in its inbox is not taken.
///
/// # Errors
///
/// Any error of the store, also if the run has no scroll that can be read.
pub fn look(store: &dyn Store, run: &RunRow, prepared: Arc<Prepared>) -> Result<Drive, StoreError> {
    let place = Place { run: run.id.clone(), node: NodeId(0), shard: run.shard, revision: run.revision };
    let snapshot = Snapshot { inbox: Vec::new(), ..snapshot(store, &run.id)? };
    Ok(Drive::observed(place, prepared, snapshot))
}

/// The definition of a run.
///
/// # Errors
///
/// Any error of the store, also if it does not have the definition.
pub fn prepared(store: &dyn Store, run: &RunRow) -> Result<Arc<Prepared>, StoreError> {
    let missing = || StoreError::Damaged(format!("the definition {} of the run `{}` is not in the store", run.digest, run.id));
    let stored = store.definition(&run.digest)?.ok_or_else(missing)?;
    let wrong = |error| StoreError::Damaged(format!("the definition {} cannot be read: {error}", run.digest));
    Ok(Prepared::new(Definition::from_json(&stored.json).map_err(wrong)?))
}
