//! Enumerations as numbers, and rows as values.

use rusqlite::Row;
use rusqlite::types::Type;
use weave_scroll::{Kind, NodeId, OutboxRow, RowKey, RowState, RunRow, RunState, Shard, Status};

pub(crate) const fn kind(kind: Kind) -> i64 {
    match kind {
        Kind::Call => 0,
        Kind::Model => 1,
        Kind::Hydration => 2,
        Kind::Timer => 3,
        Kind::Question => 4,
    }
}

pub(crate) const fn state(state: RowState) -> i64 {
    match state {
        RowState::Ready => 0,
        RowState::Sent => 1,
        RowState::Accepted => 2,
        RowState::Unknown => 3,
    }
}

pub(crate) const fn status(status: Status) -> i64 {
    match status {
        Status::Open => 0,
        Status::Succeeded => 1,
        Status::Failed => 2,
        Status::Cancelled => 3,
        Status::Moved => 4,
    }
}

/// Numbers that are not negative are stored as signed ones of 64 bits.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn among<T: Copy>(row: &Row<'_>, column: usize, values: &[T]) -> rusqlite::Result<T> {
    let number: i64 = row.get(column)?;
    let value = usize::try_from(number).ok().and_then(|number| values.get(number));
    value.copied().ok_or_else(|| {
        let why = format!("{number} is not a value of this column");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, why.into())
    })
}

pub(crate) fn node(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<NodeId>> {
    Ok(row.get::<_, Option<u64>>(column)?.map(NodeId))
}

/// The columns of [`outbox_row`], of `outbox o` and `run r`.
pub(crate) const OUTBOX: &str = "r.id, o.id, o.attempt, o.part, o.kind, o.name, o.once, o.state, o.process, o.sendings, o.due, o.detail";

pub(crate) fn outbox_row(row: &Row<'_>) -> rusqlite::Result<OutboxRow> {
    Ok(OutboxRow {
        key: RowKey { run: row.get(0)?, id: row.get(1)?, attempt: row.get(2)?, part: row.get(3)? },
        kind: among(row, 4, &[Kind::Call, Kind::Model, Kind::Hydration, Kind::Timer, Kind::Question])?,
        name: row.get(5)?,
        once_only: row.get(6)?,
        state: row_state(row, 7)?,
        process: node(row, 8)?,
        sendings: row.get(9)?,
        due: row.get(10)?,
        detail: row.get(11)?,
    })
}

pub(crate) fn row_state(row: &Row<'_>, column: usize) -> rusqlite::Result<RowState> {
    among(row, column, &[RowState::Ready, RowState::Sent, RowState::Accepted, RowState::Unknown])
}

/// The columns of [`run_row`], of `run r` and `shard s`.
pub(crate) const RUN: &str = "r.no, r.id, r.workflow, r.digest, r.input_digest, r.revision, r.head, r.status, r.waiting, r.ended, r.parent, \
     r.shard, r.started, r.crashes, r.held, s.node";

/// A run; its owner may be dead.
pub(crate) fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let statuses = [Status::Open, Status::Succeeded, Status::Failed, Status::Cancelled, Status::Moved];
    Ok(RunRow {
        no: row.get(0)?,
        id: row.get(1)?,
        workflow: row.get(2)?,
        digest: row.get(3)?,
        input_digest: row.get(4)?,
        revision: row.get(5)?,
        head: row.get(6)?,
        state: RunState { status: among(row, 7, &statuses)?, waiting: row.get(8)?, ended: row.get(9)? },
        parent: row.get(10)?,
        shard: Shard(row.get(11)?),
        started: row.get(12)?,
        crashes: row.get(13)?,
        held: row.get(14)?,
        owner: node(row, 15)?,
    })
}
