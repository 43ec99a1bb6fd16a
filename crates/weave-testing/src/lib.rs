//! Tests of a program: which there are, what playing them comes to, and what none of them reaches.
//!
//! The compiler turns `test` items into scripts, and `weave-scenario` plays a script. This crate puts the two together for a whole
//! program: it plays the tests that are asked for on all cores, turns what failed into diagnostics with places in the sources, and
//! adds up what was reached. It reads no clock and no file.

mod codes;
mod coverage;
mod explore;
mod findings;
mod generated;
mod play;
mod write;

pub use codes::{CODES, EXPLORE_CODES};
pub use coverage::{Counts, Covered, Part, Reached};
pub use explore::{Exploration, Explored, Generated, explore_all, suggest_all};
pub use generated::{Unwritable, checked};
pub use play::{Filter, Outcome, Played, TestFile, list, play};
pub use write::written;
