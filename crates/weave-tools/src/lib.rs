//! Tools of workflow runs: commands that speak JSON, and services over HTTP.
//!
//! A *command* is started for each call. It reads one JSON object from its standard input, the *call*, and writes its answer to its
//! standard output:
//!
//! ```json
//! { "name": "reserve", "args": { "sku": "A-1" }, "key": "r1/reserve#1", "attempt": 1, "run": "r1" }
//! ```
//!
//! - If its exit code is 0, its output, one JSON value, is the result.
//! - Otherwise its output is `{ "failure": { "kind", "code"?, "message", "data"? } }`; without that, the failure is `execution_error`.
//! - A command that streams writes a JSON object on each line, with one of `progress`, `artifacts`, `result`, `failure` and `pending`,
//!   as generated services do over HTTP with `application/x-ndjson`.
//!
//! A *service* receives the same call as the body of a `POST`, with the headers `Idempotency-Key` and `traceparent`, and answers as
//! generated services do (`docs/typescript.md`).
//!
//! [`Handlers`] has the commands and services by the names of their tools, as the host wants them.

mod answer;
mod command;
mod http;
mod process;
mod set;

pub use command::Command;
pub use http::Service;
pub use set::{Handler, Handlers};
