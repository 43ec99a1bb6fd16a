//! The server from outside: a client in this process talks to it over a pipe in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets something unexpected shall fail"
)]

mod cases;
mod client;
mod compiled;
mod completion;
mod conversation;
mod equality;
mod files;
mod hostile;
mod many;
mod pull;
mod tokens;
