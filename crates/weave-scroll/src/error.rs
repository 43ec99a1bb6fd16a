//! What can go wrong in a store, and the way out.

use std::fmt;

/// Why a store cannot do what it was asked. Nothing of the call is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The store has a newer format than this program knows.
    Newer {
        /// Its format.
        found: u32,
        /// The newest format that this program knows.
        known: u32,
    },
    /// There is no store at this path.
    Missing(String),
    /// The file is not a store of runs.
    Foreign(String),
    /// What is stored contradicts itself or cannot be read.
    Damaged(String),
    /// The disk or the file's limit is full.
    Full(String),
    /// The store cannot be written.
    ReadOnly(String),
    /// Other writers hold it too long, or too many writes wait.
    Busy(String),
    /// The store no longer acknowledges anything, because an earlier write may not be on the disk, or because it was closed.
    Stopped(String),
    /// The place cannot hold a store that loses nothing (a network file system).
    Unsafe(String),
    /// A value is larger than the store takes.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
        /// The most that the store takes.
        limit: u64,
    },
    /// The operating system refused.
    Io(String),
    /// The caller asked for what the contract does not allow.
    Misuse(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { found, known } => write!(
                f,
                "the store has format {found}, this program knows formats up to {known}; use the release that wrote it, or a newer one"
            ),
            Self::Missing(path) => {
                write!(f, "there is no store of runs at {path}; `weave run` makes one, or name another one with `--store`")
            }
            Self::Foreign(why) => write!(f, "this is not a store of runs: {why}; choose another path with `--store`"),
            Self::Damaged(what) => {
                write!(f, "the store is damaged: {what}; keep a copy of it, and restore the last `weave backup`")
            }
            Self::Full(what) => write!(f, "the disk is full: {what}; make room (`weave prune` deletes ended runs) and start again"),
            Self::ReadOnly(what) => {
                write!(f, "the store cannot be written: {what}; change the permissions, or choose another path with `--store`")
            }
            Self::Busy(what) => write!(f, "the store is busy: {what}; try again"),
            Self::Stopped(why) => write!(f, "the store has stopped: {why}; start the program again"),
            Self::Unsafe(why) => write!(f, "runs would not be safe here: {why}; choose a local disk with `--store`"),
            Self::TooLarge { bytes, limit } => write!(f, "a value of {bytes} bytes is too large for the store, which takes {limit}"),
            Self::Io(why) => write!(f, "the store cannot be used: {why}"),
            Self::Misuse(why) => write!(f, "a call of the store is wrong: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
