//! What running workflows write.

use rusqlite::{Connection, OptionalExtension, params};
use weave_scroll::{
    Append, Applied, Change, Effect, NewRun, NodeId, OutboxRow, Outcome, Post, Posted, Require, Reserve, RowKey, Settle, Shard, Started,
    StoreError, To, same_event,
};

use crate::error::Done;
use crate::nodes::{Held, owner};
use crate::rows::{kind, row_state, signed, state, status};

/// What an append must know of its run.
struct Target {
    no: i64,
    head: u64,
    revision: u32,
    owner: Option<NodeId>,
    exists: bool,
}

pub(crate) fn append(db: &Connection, held: &Held, append: &Append) -> Done<Outcome> {
    append.check()?;
    let mut target = match target(db, &append.run)? {
        Some(target) => target,
        None if is_pruned(db, &append.run)? => return Ok(Outcome::Pruned),
        None => match &append.create {
            Some(new) => {
                let (owner, revision) = (owner(db, new.shard)?, least_revision(db, held, new)?);
                Target { no: 0, head: 0, revision, owner, exists: false }
            }
            None => return Ok(Outcome::NoRun),
        },
    };
    if target.owner != Some(append.node) || revision_of(db, held, append.node)?.is_none_or(|own| own < target.revision) {
        return Ok(Outcome::Fenced { owner: target.owner });
    }
    if target.exists {
        let mut known = db.prepare_cached("SELECT 1 FROM turn WHERE run = ?1 AND ext = ?2")?;
        for (index, turn) in append.turns.iter().enumerate() {
            if !known.exists(params![target.no, turn.id])? {
                continue;
            }
            if index > 0 {
                return Err(StoreError::Misuse("a later turn of the append is on the scroll, the first is not".to_owned()).into());
            }
            take(db, target.no, append.took)?;
            return Ok(Outcome::Duplicate { head: target.head });
        }
    }
    if target.head != append.expected {
        return Ok(Outcome::Conflict { head: target.head });
    }
    for (index, require) in append.require.iter().enumerate() {
        if !holds(db, target.no, append.took, require)? {
            return Ok(Outcome::Unmet(index));
        }
    }
    apply(db, held, append, &mut target)
}

fn target(db: &Connection, run: &str) -> Done<Option<Target>> {
    let mut statement =
        db.prepare_cached("SELECT r.no, r.head, r.revision, s.node FROM run r LEFT JOIN shard s ON s.no = r.shard WHERE r.id = ?1")?;
    let target = statement.query_row([run], |row| {
        Ok(Target { no: row.get(0)?, head: row.get(1)?, revision: row.get(2)?, owner: crate::rows::node(row, 3)?, exists: true })
    });
    Ok(target.optional()?)
}

fn number(db: &Connection, run: &str) -> Done<Option<i64>> {
    Ok(db.prepare_cached("SELECT no FROM run WHERE id = ?1")?.query_row([run], |row| row.get(0)).optional()?)
}

pub(crate) fn is_pruned(db: &Connection, run: &str) -> Done<bool> {
    Ok(db.prepare_cached("SELECT 1 FROM tombstone WHERE run = ?1")?.exists([run])?)
}

fn revision_of(db: &Connection, held: &Held, node: NodeId) -> Done<Option<u32>> {
    if let Some(revision) = held.revision(node) {
        return Ok(Some(revision));
    }
    Ok(db.prepare_cached("SELECT revision FROM node WHERE id = ?1")?.query_row([node.0], |row| row.get(0)).optional()?)
}

/// The least revision of who starts a run and the living nodes.
fn least_revision(db: &Connection, held: &Held, new: &NewRun) -> Done<u32> {
    // Revisions are few; whether a node lives is asked only of those that would lower it.
    let mut statement = db.prepare_cached("SELECT id, revision FROM node WHERE dead = 0 AND revision < ?1 ORDER BY revision")?;
    let mut rows = statement.query([new.revision])?;
    while let Some(row) = rows.next()? {
        if held.alive(db, NodeId(row.get(0)?))? {
            return Ok(row.get(1)?);
        }
    }
    Ok(new.revision)
}

fn holds(db: &Connection, no: i64, took: Option<u64>, require: &Require) -> Done<bool> {
    match require {
        Require::InboxEmpty => {
            let mut statement = db.prepare_cached("SELECT 1 FROM inbox WHERE run = ?1 AND pos IS NOT ?2")?;
            Ok(!statement.exists(params![no, took])?)
        }
        Require::Row { key, state, sendings } => {
            let Some(row) = find(db, key)? else { return Ok(false) };
            Ok(row.state == *state && sendings.is_none_or(|sendings| sendings == row.sendings))
        }
    }
}

/// Deletes the inbox row that an append takes.
fn take(db: &Connection, no: i64, took: Option<u64>) -> Done<()> {
    if let Some(pos) = took {
        db.prepare_cached("DELETE FROM inbox WHERE pos = ?1 AND run = ?2")?.execute(params![pos, no])?;
    }
    Ok(())
}

fn apply(db: &Connection, held: &Held, append: &Append, target: &mut Target) -> Done<Outcome> {
    let run = &append.state;
    match &append.create {
        Some(new) if !target.exists => target.no = insert_run(db, new, target.revision)?,
        _ => take(db, target.no, append.took)?,
    }
    let mut insert = db.prepare_cached("INSERT INTO turn(run, seq, ext, n, at, external, derived) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for turn in &append.turns {
        insert.execute(params![target.no, target.head, turn.id, turn.events, turn.at, turn.external, turn.derived])?;
        target.head += turn.events;
    }
    let mut update =
        db.prepare_cached("UPDATE run SET head = ?1, status = ?3, waiting = ?4, ended = ?5, crashes = 0 WHERE no = ?2 AND head = ?6")?;
    if update.execute(params![target.head, target.no, status(run.status), run.waiting, run.ended, append.expected])? != 1 {
        return Err(StoreError::Damaged(format!("the head of the run `{}` changed inside a transaction", append.run)).into());
    }
    let mut effects = Vec::with_capacity(append.effects.len());
    for one in &append.effects {
        effects.push(effect(db, held, target.no, one)?);
    }
    Ok(Outcome::Appended { head: target.head, effects })
}

fn effect(db: &Connection, held: &Held, no: i64, effect: &Effect) -> Done<Applied> {
    let yes = match effect {
        Effect::Put(row) => put(db, no, row)?,
        Effect::Close(request) => db.prepare_cached("DELETE FROM outbox WHERE run = ?1 AND id = ?2")?.execute(params![no, request])? > 0,
        Effect::CloseRow(key) => {
            let mut statement = db.prepare_cached("DELETE FROM outbox WHERE run = ?1 AND id = ?2 AND attempt = ?3 AND part = ?4")?;
            statement.execute(params![no, key.id, key.attempt, key.part])? > 0
        }
        Effect::CloseAll => {
            db.prepare_cached("DELETE FROM outbox WHERE run = ?1")?.execute([no])?;
            true
        }
        Effect::Change(one) => return change(db, held, one),
        Effect::Post(event) => matches!(post(db, event)?, Posted::Posted(_) | Posted::Known),
        Effect::Start(new) => matches!(start(db, held, new)?, Started::Started | Started::Known),
        Effect::Settle(one) => {
            settle(db, one)?;
            true
        }
        Effect::Blob { digest, bytes } => {
            db.prepare_cached("INSERT OR IGNORE INTO blob VALUES (?1, ?2)")?.execute(params![digest, bytes])?;
            db.prepare_cached("INSERT OR IGNORE INTO blob_use VALUES (?1, ?2)")?.execute(params![no, digest])?;
            true
        }
    };
    Ok(if yes { Applied::Yes } else { Applied::No })
}

fn put(db: &Connection, no: i64, row: &OutboxRow) -> Done<bool> {
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO outbox VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")?;
    let changed = insert.execute(params![
        no,
        row.key.id,
        row.key.attempt,
        row.key.part,
        kind(row.kind),
        row.name,
        row.once_only,
        state(row.state),
        row.process.map(|process| process.0),
        row.sendings,
        row.due,
        row.detail
    ])?;
    Ok(changed > 0)
}

fn settle(db: &Connection, settle: &Settle) -> Done<()> {
    budget_row(db, &settle.budget, settle.day)?;
    let mut statement = db.prepare_cached(
        "UPDATE budget SET reserved = max(0, reserved - ?3), used = CASE WHEN used > 9223372036854775807 - ?4 THEN 9223372036854775807 \
         ELSE used + ?4 END WHERE name = ?1 AND day = ?2",
    )?;
    statement.execute(params![settle.budget, settle.day, signed(settle.reserved), signed(settle.used)])?;
    Ok(())
}

fn budget_row(db: &Connection, name: &str, day: u32) -> Done<()> {
    db.prepare_cached("INSERT OR IGNORE INTO budget VALUES (?1, ?2, 0, 0)")?.execute(params![name, day])?;
    Ok(())
}

/// Reserves; whether there was room.
fn reserve(db: &Connection, reserve: &Reserve) -> Done<bool> {
    let Ok(bound) = i64::try_from(reserve.bound) else { return Ok(false) };
    budget_row(db, &reserve.budget, reserve.day)?;
    let mut statement = db.prepare_cached(
        "UPDATE budget SET reserved = reserved + ?3 WHERE name = ?1 AND day = ?2 AND ?4 - used >= reserved AND ?4 - used - reserved >= ?3",
    )?;
    Ok(statement.execute(params![reserve.budget, reserve.day, bound, signed(reserve.limit)])? > 0)
}

/// What a change must know of its row.
struct Found {
    run: i64,
    state: weave_scroll::RowState,
    sendings: u32,
}

fn find(db: &Connection, key: &RowKey) -> Done<Option<Found>> {
    let mut statement = db.prepare_cached(
        "SELECT o.run, o.state, o.sendings FROM run r JOIN outbox o ON o.run = r.no \
         WHERE r.id = ?1 AND o.id = ?2 AND o.attempt = ?3 AND o.part = ?4",
    )?;
    let found = statement.query_row(params![key.run, key.id, key.attempt, key.part], |row| {
        Ok(Found { run: row.get(0)?, state: row_state(row, 1)?, sendings: row.get(2)? })
    });
    Ok(found.optional()?)
}

pub(crate) fn change(db: &Connection, held: &Held, change: &Change) -> Done<Applied> {
    let key = &change.key;
    let Some(row) = find(db, key)? else { return Ok(Applied::No) };
    let fits = row.state == change.when.state && change.when.sendings.is_none_or(|sendings| sendings == row.sendings);
    if !fits || matches!(&change.to, To::Sent { process } if !held.alive(db, *process)?) {
        return Ok(Applied::No);
    }
    if let Some(wanted) = &change.reserve
        && !reserve(db, wanted)?
    {
        return Ok(Applied::OverBudget);
    }
    let at = "WHERE run = ?1 AND id = ?2 AND attempt = ?3 AND part = ?4";
    let run = row.run;
    match &change.to {
        To::Ready { due } => db.prepare_cached(&format!("UPDATE outbox SET state = 0, due = ?5 {at}"))?.execute(params![
            run,
            key.id,
            key.attempt,
            key.part,
            due
        ])?,
        To::Sent { process } => db
            .prepare_cached(&format!("UPDATE outbox SET state = 1, process = ?5, sendings = sendings + 1 {at}"))?
            .execute(params![run, key.id, key.attempt, key.part, process.0])?,
        To::Accepted { detail } => db.prepare_cached(&format!("UPDATE outbox SET state = 2, detail = ?5 {at}"))?.execute(params![
            run,
            key.id,
            key.attempt,
            key.part,
            detail
        ])?,
        To::Unknown => {
            db.prepare_cached(&format!("UPDATE outbox SET state = 3 {at}"))?.execute(params![run, key.id, key.attempt, key.part])?
        }
    };
    Ok(Applied::Yes)
}

pub(crate) fn post(db: &Connection, post: &Post) -> Done<Posted> {
    post.check()?;
    let Some(no) = number(db, &post.run)? else {
        return Ok(if is_pruned(db, &post.run)? { Posted::Pruned } else { Posted::NoRun });
    };
    let mut known = db.prepare_cached(
        "SELECT event FROM inbox WHERE run = ?1 AND id = ?2 UNION ALL SELECT external FROM turn WHERE run = ?1 AND ext = ?2 LIMIT 1",
    )?;
    if let Some(known) = known.query_row(params![no, post.id], |row| row.get::<_, String>(0)).optional()? {
        return Ok(if same_event(&known, &post.event) { Posted::Known } else { Posted::Differs });
    }
    let mut insert = db.prepare_cached("INSERT INTO inbox(run, id, event, at) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![no, post.id, post.event, post.at])?;
    Ok(Posted::Posted(db.last_insert_rowid().unsigned_abs()))
}

pub(crate) fn start(db: &Connection, held: &Held, new: &NewRun) -> Done<Started> {
    new.check()?;
    if is_pruned(db, &new.id)? {
        return Ok(Started::Pruned);
    }
    let mut known = db.prepare_cached("SELECT workflow, input_digest, parent, digest FROM run WHERE id = ?1")?;
    let known = known.query_row([&new.id], |row| {
        let same = row.get::<_, String>(0)? == new.workflow
            && row.get::<_, String>(1)? == new.input_digest
            && row.get::<_, Option<String>>(2)? == new.parent
            && (!new.digest_given || row.get::<_, String>(3)? == new.digest);
        Ok(if same { Started::Known } else { Started::Differs })
    });
    if let Some(known) = known.optional()? {
        return Ok(known);
    }
    let revision = least_revision(db, held, new)?;
    insert_run(db, new, revision)?;
    post(db, &Post { run: new.id.clone(), id: new.id.clone(), event: new.event.clone(), at: new.at })?;
    Ok(Started::Started)
}

fn insert_run(db: &Connection, new: &NewRun, revision: u32) -> Done<i64> {
    let Shard(shard) = new.shard;
    db.prepare_cached("INSERT OR IGNORE INTO shard VALUES (?1, NULL)")?.execute([shard])?;
    let mut insert = db.prepare_cached(
        "INSERT INTO run(id, workflow, digest, input_digest, revision, head, status, parent, shard, started, crashes) \
         VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7, ?8, 0)",
    )?;
    insert.execute(params![new.id, new.workflow, new.digest, new.input_digest, revision, new.parent, shard, new.at])?;
    Ok(db.last_insert_rowid())
}
