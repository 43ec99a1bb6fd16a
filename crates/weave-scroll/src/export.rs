//! Scrolls as lines of JSON.

use std::io::Write;

use serde_json::Value;

use crate::{Store, StoreError};

/// So many turns are read at a time.
const PAGE: usize = 256;

/// Writes a run's scroll, an event a line, and gives the number of events.
///
/// # Errors
///
/// Any error of the store, [`StoreError::Damaged`] if a turn is not what it should be, and [`StoreError::Io`] if `out` fails.
pub fn export(store: &dyn Store, run: &str, out: &mut dyn Write) -> Result<u64, StoreError> {
    let mut next = 0;
    let mut events = 0;
    loop {
        let turns = store.read(run, next, PAGE)?;
        for stored in &turns {
            let damaged = |error: serde_json::Error| StoreError::Damaged(format!("the event `{}` cannot be read: {error}", stored.turn.id));
            let external: Value = serde_json::from_str(&stored.turn.external).map_err(damaged)?;
            let derived: Vec<Value> = serde_json::from_str(&stored.turn.derived).map_err(damaged)?;
            for event in std::iter::once(&external).chain(&derived) {
                writeln!(out, "{event}").map_err(|error| StoreError::Io(error.to_string()))?;
                events += 1;
            }
            next = stored.seq + stored.turn.events;
        }
        if turns.is_empty() {
            return Ok(events);
        }
    }
}
