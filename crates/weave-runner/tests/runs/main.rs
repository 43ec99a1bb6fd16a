//! Runs that are played step by step, one file for each part of the rules in `docs/definition.md`.
//!
//! Every run that is played is replayed when it is over: see `world.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod answers;
mod approvals;
mod choices;
mod ends;
mod failures;
mod fan_outs;
mod joins;
mod lineage;
mod mailboxes;
mod observed;
mod random;
mod scroll;
mod text;
mod time;
mod tools;
mod world;
