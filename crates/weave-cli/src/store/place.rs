//! Opening the store and finding a run in it.

use std::path::{Path, PathBuf};

use weave_scroll::{RunFilter, RunRow, Status, Store, StoreError};
use weave_sqlite::{Options, SqliteStore};

use super::words::length;
use crate::args::At;
use crate::failure::Failure;
use crate::input::display;

/// So many runs are named where several could be meant.
const MOST_NAMED: usize = 8;
/// Among so many runs, the newest, one with a similar id is looked for.
const MOST_SEARCHED: usize = 10_000;

/// The store that the arguments name, or the one of the project.
pub(super) fn path(at: &At) -> PathBuf {
    at.store.clone().unwrap_or_else(crate::run::default_store)
}

/// Opens the store to look at it. Nothing in it changes.
pub(super) fn to_read(at: &At) -> Result<SqliteStore, Failure> {
    open(&path(at), true)
}

/// Opens the store to write to it.
pub(super) fn to_write(at: &At) -> Result<SqliteStore, Failure> {
    open(&path(at), false)
}

fn open(path: &Path, read_only: bool) -> Result<SqliteStore, Failure> {
    if path == Path::new("memory") {
        return Err(Failure::new("a store in memory is gone with its process").help("name a file with `--store`"));
    }
    let options = Options { create: false, read_only, ..Options::default() };
    SqliteStore::open(path, &options).map_err(|error| match error {
        StoreError::Missing(_) => Failure::new(format!("there is no store of runs at `{}`", display(path)))
            .help("`weave run` makes it; name another one with `--store`, or change to the folder of the project"),
        error => failed(&error),
    })
}

/// What the store says, with the way out as the help.
pub(super) fn failed(error: &StoreError) -> Failure {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((what, way)) => Failure::new(what).help(way),
        None => Failure::new(text),
    }
}

/// The run of this id, or the only one whose id begins with it.
pub(super) fn find(store: &dyn Store, given: &str) -> Result<RunRow, Failure> {
    let store_failed = |error: StoreError| failed(&error);
    if let Some(row) = store.run(given).map_err(store_failed)? {
        return Ok(row);
    }
    // The children of a run begin with its id.
    let roots = !given.contains('/');
    let prefix = Some(given.to_owned()).filter(|given| !given.is_empty());
    let filter = RunFilter { prefix, roots, limit: MOST_NAMED + 1, ..RunFilter::default() };
    let mut found = store.runs(&filter).map_err(store_failed)?;
    if found.len() > 1 {
        let failure = Failure::new(format!("several runs begin with `{given}`"));
        let failure = found.iter().take(MOST_NAMED).fold(failure, |failure, row| failure.detail(&row.id));
        let failure = if found.len() > MOST_NAMED { failure.detail("…") } else { failure };
        return Err(failure.help("write more of the id"));
    }
    if let Some(row) = found.pop() {
        return Ok(row);
    }
    if store.pruned(given).map_err(store_failed)? {
        return Err(Failure::new(format!("the run `{given}` was pruned")).help("its events are deleted; look into a backup of the store"));
    }
    let all = store.runs(&RunFilter { limit: MOST_SEARCHED, ..RunFilter::default() }).map_err(store_failed)?;
    let near = weave_diagnostics::closest(given, all.iter().map(|row| row.id.as_str()));
    let failure = Failure::new(format!("there is no run `{given}`"));
    Err(match near {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None if all.is_empty() => failure.help("the store has no run; `weave run` starts one"),
        None => failure.help("`weave runs --all` lists all runs"),
    })
}

/// How a run ended, in a word.
pub(super) const fn ended(status: Status) -> &'static str {
    match status {
        Status::Open => "has not ended",
        Status::Succeeded => "succeeded",
        Status::Failed => "failed",
        Status::Cancelled => "was cancelled",
        Status::Moved => "goes on in another store",
    }
}

/// Refuses to say something to a run that has ended.
pub(super) fn still_open(row: &RunRow, now: i64) -> Result<(), Failure> {
    if row.state.status == Status::Open {
        return Ok(());
    }
    let since = row.state.ended.map(|at| format!(" {} ago", length(now - at))).unwrap_or_default();
    let failure = Failure::new(format!("the run `{}` {}{since}", row.id, ended(row.state.status)));
    Err(failure.help(format!("`weave show {}` shows how it ended; nothing reaches it any more", row.id)))
}
