//! Tools of workflow runs that are commands.
//!
//! A command is started for each call. It reads one JSON object from its standard input, the *call*, and writes its answer to its
//! standard output:
//!
//! ```json
//! { "name": "reserve", "args": { "sku": "A-1" }, "key": "r1/reserve#1", "attempt": 1, "run": "r1" }
//! ```
//!
//! - It ends with 0: its output, one JSON value, is the result.
//! - It ends with another code: its output is `{ "failure": { "kind", "code"?, "message", "data"? } }`; without that it is the
//!   failure `execution_error`.
//! - A command that streams writes a JSON object a line, each with one of `progress`, `artifacts`, `result`, `failure` and `pending`,
//!   as generated services do over HTTP with `application/x-ndjson`.
//!
//! [`Commands`] is a set of them, as the host wants it.

mod command;
mod process;
mod set;

pub use command::Command;
pub use set::Commands;
