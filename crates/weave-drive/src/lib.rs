//! What a host of workflow runs does next: a pure state machine from inputs and the time to outputs.
//!
//! A [`Drive`] is one run. It is told what happened ([`Input`]) and what time it is, and says what is to be done ([`Output`]): append
//! to the store, mark a row, send a call, abort it. It has no clock, no chance, no input and output of its own, so all that can go
//! wrong (a crash at any step, answers that come late, twice or never) is an order of inputs, and a model checker goes through them.
//!
//! - `put` turns what happened into an append; `absorb` says what events mean for the outbox, also when a run is loaded again.
//! - `calls` says what an answer means, of a request or inside an agent's loop; `agent` folds the loops.
//! - `send` says what leaves, and when.
//!
//! The rules are those of `docs/protocol.md`; each can be taken away in a test, and the checker then finds what goes wrong.

mod absorb;
mod agent;
mod calls;
#[cfg(test)]
mod check;
mod drive;
mod io;
mod item;
mod key;
mod put;
mod rules;
mod send;
mod time;
mod topics;

/// The revision of the semantics of runs that this program computes. A run keeps the one that it was started with.
pub const REVISION: u32 = 1;

pub use agent::{Ask, DEFAULT_TURNS, Finish, MOST_NESTED, Message, ModelCall, ModelTurn, Offer};
pub use drive::{Drive, Place, Settings};
pub use io::{Input, Outcome, Output, Send, Snapshot, Work};
pub use item::{Item, ItemKind, answers, is_repeatable};
pub use key::Key;
pub use put::child_run;
