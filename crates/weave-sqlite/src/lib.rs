//! The store of durable runs in one SQLite file.
//!
//! One thread of each process writes. It takes what waits, up to a limit, into one transaction, with a savepoint for each write,
//! and answers after the commit: 64 runs that append at the same time share one sync of the disk. Readers have connections of their
//! own, which cannot write.
//!
//! Beside `runs.db` there are: SQLite's own `-wal` and `-shm`; `-open`, on which every process that has the store open holds a
//! shared lock; `-node-N`, on which the process that works as node N holds a lock, by which others see that it lives, and in which
//! it notes the runs that it computes; and `-unsynced`, which appears when a sync of the disk failed.

mod copy;
mod error;
mod nodes;
mod open;
mod place;
mod prune;
mod queries;
mod rows;
mod schema;
mod store;
mod writer;
mod writes;

pub use copy::Backup;
pub use open::{Options, SqliteStore};
pub use schema::FORMAT;
