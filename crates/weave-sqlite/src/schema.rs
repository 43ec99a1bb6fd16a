//! The tables, and their version.

use rusqlite::{Connection, OptionalExtension};
use weave_scroll::StoreError;

use crate::error::Done;

/// The version of the format that this release writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// How `file` and SQLite know a store of runs: "weav".
const APPLICATION: i64 = 0x7765_6176;

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE node (
    id INTEGER PRIMARY KEY AUTOINCREMENT, process TEXT NOT NULL, revision INTEGER NOT NULL, serves INTEGER NOT NULL, dead INTEGER NOT NULL
) STRICT;
CREATE TABLE shard (no INTEGER PRIMARY KEY AUTOINCREMENT, node INTEGER) STRICT;
CREATE INDEX shard_node ON shard(node);
CREATE TABLE run (
    no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL, digest TEXT NOT NULL, input_digest TEXT NOT NULL,
    revision INTEGER NOT NULL, head INTEGER NOT NULL, status INTEGER NOT NULL, waiting TEXT, ended INTEGER, parent TEXT,
    shard INTEGER NOT NULL, started INTEGER NOT NULL, crashes INTEGER NOT NULL, held TEXT
) STRICT;
CREATE INDEX run_open ON run(shard) WHERE status = 0;
CREATE INDEX run_parent ON run(parent) WHERE parent IS NOT NULL;
CREATE TABLE turn (
    pos INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, seq INTEGER NOT NULL, ext TEXT NOT NULL, n INTEGER NOT NULL,
    at INTEGER NOT NULL, external TEXT NOT NULL, derived TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX turn_seq ON turn(run, seq);
CREATE UNIQUE INDEX turn_ext ON turn(run, ext);
CREATE TABLE inbox (
    pos INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX inbox_id ON inbox(run, id);
CREATE TABLE outbox (
    run INTEGER NOT NULL, id TEXT NOT NULL, attempt INTEGER NOT NULL, part TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    once INTEGER NOT NULL, state INTEGER NOT NULL, process INTEGER, sendings INTEGER NOT NULL, due INTEGER NOT NULL, detail TEXT,
    PRIMARY KEY (run, id, attempt, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox(due) WHERE state = 0 AND kind <> 4;
CREATE INDEX outbox_process ON outbox(process) WHERE process IS NOT NULL;
CREATE TABLE budget (
    name TEXT NOT NULL, day INTEGER NOT NULL, reserved INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (name, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE definition (digest TEXT PRIMARY KEY, json TEXT NOT NULL, map TEXT) STRICT;
CREATE TABLE blob (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE blob_use (run INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (run, digest)) STRICT, WITHOUT ROWID;
CREATE INDEX blob_use_digest ON blob_use(digest);
CREATE TABLE tombstone (run TEXT PRIMARY KEY, workflow TEXT NOT NULL, input_digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

/// What a file is.
pub(crate) enum Found {
    /// It has no tables.
    Nothing,
    /// A store of this program's format.
    Store,
}

/// Looks what a file is. Changes nothing.
pub(crate) fn look(db: &Connection) -> Done<Found> {
    let application: i64 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let format: u32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if application == APPLICATION {
        return match format {
            FORMAT => Ok(Found::Store),
            found if found > FORMAT => Err(StoreError::Newer { found, known: FORMAT }.into()),
            found => Err(StoreError::Damaged(format!("no release wrote the format {found}")).into()),
        };
    }
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application == 0 && tables == 0 {
        Ok(Found::Nothing)
    } else {
        Err(StoreError::Foreign("it is the database of another program".to_owned()).into())
    }
}

/// Makes the tables, in the transaction that is open.
pub(crate) fn create(db: &Connection) -> Done<()> {
    db.execute_batch(TABLES)?;
    db.execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"))?;
    // Shards of processes come after the common ones.
    let last = i64::from(weave_scroll::COMMON_SHARDS) - 1;
    db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES ('shard', ?1)", [last])?;
    put(db, "created_by", &format!("weave {}", env!("CARGO_PKG_VERSION")))?;
    put(db, "revision", "0")
}

/// A value of the store as a whole.
pub(crate) fn get(db: &Connection, key: &str) -> Done<Option<String>> {
    let value = db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?.query_row([key], |row| row.get(0)).optional()?;
    Ok(value)
}

/// Sets a value of the store as a whole.
pub(crate) fn put(db: &Connection, key: &str, value: &str) -> Done<()> {
    db.execute("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value", [key, value])?;
    Ok(())
}
