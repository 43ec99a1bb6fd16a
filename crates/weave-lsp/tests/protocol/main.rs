//! The server from outside: a client in this process talks to it over a pipe in memory.

mod cases;
mod client;
mod conversation;
mod equality;
