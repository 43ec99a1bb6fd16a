//! What a store of durable runs promises.
//!
//! A run is a *scroll*: a sequence of events without gap or fork. A [`Store`] holds scrolls and everything that must change in the
//! same transaction as them: the outbox (what is to be done for a run), the inbox (events that were accepted and are not on the
//! scroll yet), the shards (which process owns which runs), budgets, definitions and blobs. It knows nothing about workflows: it
//! neither computes turns nor reads the events that it stores.
//!
//! The promises, which the conformance suite (feature `conformance`) checks on every store:
//!
//! 1. A call returns, or a [`Reply`] is given, only after what it reports is durable.
//! 2. An append is one transaction: its turns, its effects, and the inbox row that it takes, or nothing.
//! 3. An append succeeds only at the expected head. A scroll has no gap, no fork, and no event id twice.
//! 4. An effect that depends on the state of a row is decided inside the transaction, and the result says whether it applied.
//! 5. After an error, nothing of the call is in the store.
//!
//! [`MemoryStore`] keeps everything in memory, for tests and simulations; `weave-sqlite` has the store that survives a crash.

mod append;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod export;
mod inbox;
mod memory;
mod nodes;
mod outbox;
mod outside;
mod reply;
mod runs;
mod store;

pub use append::{Append, Effect, Outcome, Require, StoredTurn, Turn};
pub use error::StoreError;
pub use export::export;
pub use inbox::{InboxRow, Post, Posted, same_event};
pub use memory::{MemoryStore, Tables};
pub use nodes::{COMMON_SHARDS, Claimed, Node, NodeId, Shard, ShardRow, Share, Taken, Worker, common_shard};
pub use outbox::{Applied, Budget, Change, Kind, OutboxRow, Reserve, RowFilter, RowKey, RowState, Settle, To, When};
pub use outside::{Refusal, outside_event, outside_run};
pub use reply::Reply;
pub use runs::{NewRun, Prune, Pruned, RunFilter, RunRow, RunState, Started, Status};
pub use store::{About, Cursor, Definition, FeedEntry, Store, Version};

/// A point in time: milliseconds since the start of 1970, UTC.
pub type Time = i64;
