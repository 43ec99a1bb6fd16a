//! Recorded scrolls, played again.
//!
//! A [`Replay`] takes the events of one scroll, one after another, and feeds the external ones to a definition: the one that
//! recorded it, or a new one. It says whether the run goes the same way, and where it parts first. It keeps the state of the run
//! and the events of one turn, so that a scroll of any length is streamed. [`fork`] makes the beginning of a scroll the beginning
//! of a new run. Everything here is pure.

pub mod codes;
mod fork;
mod pairs;
mod parts;
mod read;
mod replay;
mod report;
mod verdict;
mod watch;

pub use fork::{ForkError, fork};
pub use read::{Lines, Problem};
pub use replay::{Replay, Step};
pub use report::{Places, diagnostic, problem};
pub use verdict::{Divergence, Seen, Side, Verdict};
