//! What is read.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use weave_scroll::{
    Budget, Cursor, Definition, FeedEntry, InboxRow, NodeId, OutboxRow, Post, RowFilter, RowKey, RunFilter, RunRow, Shard, StoredTurn,
    Time, Turn,
};

use crate::error::Done;
use crate::nodes::Held;
use crate::rows::{OUTBOX, RUN, kind, outbox_row, run_row, signed, state, status};

/// A limit as SQLite takes it: -1 for none.
fn most(limit: usize) -> i64 {
    if limit == 0 { -1 } else { i64::try_from(limit).unwrap_or(-1) }
}

fn all<T>(rows: impl Iterator<Item = rusqlite::Result<T>>) -> Done<Vec<T>> {
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn run(db: &Connection, held: &Held, id: &str) -> Done<Option<RunRow>> {
    let sql = format!("SELECT {RUN} FROM run r LEFT JOIN shard s ON s.no = r.shard WHERE r.id = ?1");
    let mut run = db.prepare_cached(&sql)?.query_row([id], run_row).optional()?;
    if let Some(run) = &mut run
        && let Some(owner) = run.owner
        && !held.alive(db, owner)?
    {
        run.owner = None;
    }
    Ok(run)
}

/// Conditions that are put together.
#[derive(Default)]
struct Where {
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Where {
    /// Adds a condition, in which `?` is the value, if there is one.
    fn and<T: ToSql + 'static>(&mut self, condition: &str, value: Option<T>) {
        if let Some(value) = value {
            self.values.push(Box::new(value));
            self.conditions.push(condition.replace('?', &format!("?{}", self.values.len())));
        }
    }

    fn sql(&self) -> String {
        if self.conditions.is_empty() { String::new() } else { format!("WHERE {}", self.conditions.join(" AND ")) }
    }

    fn query<T>(&self, db: &Connection, sql: &str, read: fn(&Row<'_>) -> rusqlite::Result<T>) -> Done<Vec<T>> {
        let values = rusqlite::params_from_iter(self.values.iter().map(AsRef::as_ref));
        all(db.prepare_cached(sql)?.query_map(values, read)?)
    }
}

pub(crate) fn runs(db: &Connection, held: &Held, filter: &RunFilter) -> Done<Vec<RunRow>> {
    let living = held.living(db)?;
    let mut wanted = Where::default();
    wanted.and("r.workflow = ?", filter.workflow.clone());
    wanted.and("r.parent = ?", filter.parent.clone());
    wanted.and("r.no < ?", filter.before.map(signed));
    wanted.and("r.id >= ? AND substr(r.id, 1, length(?)) = ?", filter.prefix.clone());
    if filter.roots {
        wanted.conditions.push("r.parent IS NULL".to_owned());
    }
    wanted.and("s.node = ?", filter.node.map(|node| node.0));
    // Numbers, not values, so that the index of open runs serves.
    if let Some(only) = filter.status {
        wanted.conditions.push(format!("r.status = {}", status(only)));
    }
    if filter.parked {
        let living = living.iter().map(|node| node.0.to_string()).collect::<Vec<_>>().join(", ");
        wanted.conditions.push(format!("r.status = 0 AND (s.node IS NULL OR s.node NOT IN ({living}))"));
    }
    let conditions = wanted.sql();
    let limit = most(filter.limit);
    let sql = format!("SELECT {RUN} FROM run r LEFT JOIN shard s ON s.no = r.shard {conditions} ORDER BY r.no DESC LIMIT {limit}");
    let mut runs = wanted.query(db, &sql, run_row)?;
    for run in &mut runs {
        run.owner = run.owner.filter(|owner| living.contains(owner));
    }
    Ok(runs)
}

fn turn(row: &Row<'_>, first: usize) -> rusqlite::Result<StoredTurn> {
    let turn = Turn {
        id: row.get(first + 1)?,
        events: row.get(first + 2)?,
        at: row.get(first + 3)?,
        external: row.get(first + 4)?,
        derived: row.get(first + 5)?,
    };
    Ok(StoredTurn { seq: row.get(first)?, turn })
}

pub(crate) fn read(db: &Connection, run: &str, from: u64, limit: usize, derived: bool) -> Done<Vec<StoredTurn>> {
    let derived = if derived { "derived" } else { "''" };
    let sql = format!(
        "SELECT seq, ext, n, at, external, {derived} FROM turn WHERE run = (SELECT no FROM run WHERE id = ?1) AND seq >= ?2 \
         ORDER BY seq LIMIT ?3"
    );
    all(db.prepare_cached(&sql)?.query_map(params![run, signed(from), most(limit)], |row| turn(row, 0))?)
}

pub(crate) fn feed(db: &Connection, after: Cursor, limit: usize) -> Done<Vec<FeedEntry>> {
    let mut statement = db.prepare_cached(
        "SELECT t.pos, r.id, t.seq, t.ext, t.n, t.at, t.external, t.derived FROM turn t CROSS JOIN run r ON r.no = t.run \
         WHERE t.pos > ?1 ORDER BY t.pos LIMIT ?2",
    )?;
    all(statement.query_map(params![signed(after.0), most(limit)], |row| {
        Ok(FeedEntry { cursor: Cursor(row.get(0)?, 0), run: row.get(1)?, turn: turn(row, 2)? })
    })?)
}

pub(crate) fn inbox(db: &Connection, run: &str, limit: usize) -> Done<Vec<InboxRow>> {
    let mut statement =
        db.prepare_cached("SELECT pos, id, event, at FROM inbox WHERE run = (SELECT no FROM run WHERE id = ?1) ORDER BY pos LIMIT ?2")?;
    all(statement.query_map(params![run, most(limit)], |row| {
        let post = Post { run: run.to_owned(), id: row.get(1)?, event: row.get(2)?, at: row.get(3)? };
        Ok(InboxRow { pos: row.get(0)?, post })
    })?)
}

pub(crate) fn waiting(db: &Connection, node: NodeId, after: u64, limit: usize) -> Done<Vec<(u64, String)>> {
    let mut statement = db.prepare_cached(
        "SELECT i.pos, r.id FROM inbox i CROSS JOIN run r ON r.no = i.run CROSS JOIN shard s ON s.no = r.shard \
         WHERE i.pos > ?1 AND s.node = ?2 AND r.held IS NULL \
         AND NOT EXISTS (SELECT 1 FROM inbox e WHERE e.run = i.run AND e.pos < i.pos) ORDER BY i.pos LIMIT ?3",
    )?;
    all(statement.query_map(params![signed(after), node.0, most(limit)], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

pub(crate) fn due(db: &Connection, node: NodeId, now: Time, after: Option<(Time, RowKey)>, limit: usize) -> Done<Vec<OutboxRow>> {
    let sql = format!(
        "SELECT {OUTBOX} FROM outbox o INDEXED BY outbox_due CROSS JOIN run r ON r.no = o.run CROSS JOIN shard s ON s.no = r.shard \
         WHERE o.state = 0 AND o.kind <> 4 AND o.due <= ?1 AND o.due >= ?2 AND s.node = ?3 AND r.held IS NULL \
         AND (?4 IS NULL OR (o.due, r.id, o.id, o.attempt, o.part) > (?2, ?4, ?5, ?6, ?7)) \
         ORDER BY o.due, r.id, o.id, o.attempt, o.part LIMIT ?8"
    );
    let (time, key) = after.map_or((Time::MIN, None), |(time, key)| (time, Some(key)));
    let key = key.as_ref();
    let values = params![
        now,
        time,
        node.0,
        key.map(|key| &key.run),
        key.map(|key| &key.id),
        key.map(|key| key.attempt),
        key.map(|key| &key.part),
        most(limit)
    ];
    all(db.prepare_cached(&sql)?.query_map(values, outbox_row)?)
}

pub(crate) fn next_due(db: &Connection, node: NodeId, now: Time) -> Done<Option<Time>> {
    let mut statement = db.prepare_cached(
        "SELECT o.due FROM outbox o INDEXED BY outbox_due CROSS JOIN run r ON r.no = o.run CROSS JOIN shard s ON s.no = r.shard \
         WHERE o.state = 0 AND o.kind <> 4 AND o.due > ?1 AND s.node = ?2 AND r.held IS NULL ORDER BY o.due LIMIT 1",
    )?;
    Ok(statement.query_row(params![now, node.0], |row| row.get(0)).optional()?)
}

pub(crate) fn row(db: &Connection, key: &RowKey) -> Done<Option<OutboxRow>> {
    let sql = format!(
        "SELECT {OUTBOX} FROM run r JOIN outbox o ON o.run = r.no WHERE r.id = ?1 AND o.id = ?2 AND o.attempt = ?3 AND o.part = ?4"
    );
    let row = db.prepare_cached(&sql)?.query_row(params![key.run, key.id, key.attempt, key.part], outbox_row);
    Ok(row.optional()?)
}

pub(crate) fn rows(db: &Connection, filter: &RowFilter) -> Done<Vec<OutboxRow>> {
    let mut wanted = Where::default();
    wanted.and("r.id = ?", filter.run.clone());
    wanted.and("o.kind = ?", filter.kind.map(kind));
    wanted.and("o.state = ?", filter.state.map(state));
    wanted.and("o.process = ?", filter.process.map(|process| process.0));
    wanted.and("r.shard = ?", filter.shard.map(|Shard(no)| no));
    if let Some(key) = &filter.after {
        let first = wanted.values.len();
        let places = (1..=4).map(|n| format!("?{}", first + n)).collect::<Vec<_>>().join(", ");
        wanted.conditions.push(format!("(r.id, o.id, o.attempt, o.part) > ({places})"));
        let values: [Box<dyn ToSql>; 4] =
            [Box::new(key.run.clone()), Box::new(key.id.clone()), Box::new(key.attempt), Box::new(key.part.clone())];
        wanted.values.extend(values);
    }
    let (conditions, limit) = (wanted.sql(), most(filter.limit));
    let sql = format!(
        "SELECT {OUTBOX} FROM outbox o JOIN run r ON r.no = o.run {conditions} ORDER BY r.id, o.id, o.attempt, o.part LIMIT {limit}"
    );
    wanted.query(db, &sql, outbox_row)
}

pub(crate) fn lost(db: &Connection, held: &Held, node: NodeId) -> Done<Vec<OutboxRow>> {
    let sql = format!(
        "SELECT {OUTBOX} FROM outbox o INDEXED BY outbox_process CROSS JOIN run r ON r.no = o.run CROSS JOIN shard s ON s.no = r.shard \
         WHERE o.process IS NOT NULL AND o.process NOT IN (SELECT value FROM json_each(?2)) AND o.state = 1 AND s.node = ?1 \
         AND r.held IS NULL ORDER BY r.id, o.id, o.attempt, o.part"
    );
    let living = held.living(db)?.into_iter().map(|node| node.0).collect::<BTreeSet<_>>();
    let living = serde_json::to_string(&living).unwrap_or_default();
    all(db.prepare_cached(&sql)?.query_map(params![node.0, living], outbox_row)?)
}

pub(crate) fn budget(db: &Connection, name: &str, day: u32) -> Done<Budget> {
    let mut statement = db.prepare_cached("SELECT reserved, used FROM budget WHERE name = ?1 AND day = ?2")?;
    let budget = statement.query_row(params![name, day], |row| Ok(Budget { reserved: row.get(0)?, used: row.get(1)? }));
    Ok(budget.optional()?.unwrap_or_default())
}

pub(crate) fn definition(db: &Connection, digest: &str) -> Done<Option<Definition>> {
    let mut statement = db.prepare_cached("SELECT json, map FROM definition WHERE digest = ?1")?;
    let definition = statement.query_row([digest], |row| Ok(Definition { digest: digest.to_owned(), json: row.get(0)?, map: row.get(1)? }));
    Ok(definition.optional()?)
}

pub(crate) fn blob(db: &Connection, digest: &str) -> Done<Option<Vec<u8>>> {
    Ok(db.prepare_cached("SELECT bytes FROM blob WHERE digest = ?1")?.query_row([digest], |row| row.get(0)).optional()?)
}

/// How many rows each table has, for people.
pub(crate) fn counts(db: &Connection) -> Done<BTreeMap<String, u64>> {
    let tables = ["run", "turn", "inbox", "outbox", "definition", "blob", "tombstone"];
    let count = |table: &str| db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
    Ok(tables.into_iter().map(|table| Ok((table.to_owned(), count(table)?))).collect::<Result<_, rusqlite::Error>>()?)
}
