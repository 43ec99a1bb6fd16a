//! What guards and templates of a definition mean: their evaluation over the values of a run.
//!
//! This crate knows what `docs/definition.md` says about *Templates and paths* and *Guards*, and nothing else: not the language,
//! not the scroll. Who calls it has a [`Scope`], which gives the value of each root. Everything here is total and pure: there is no
//! clock, no input or output, no panic and no recursion over the depth of an expression, and an evaluation that goes wrong ends in
//! an [`EvalError`]. The files in `vectors/` say the same in data, for evaluators in other languages.

mod arithmetic;
mod compare;
mod error;
mod evaluate;
mod operators;
mod pattern;
mod payload;
mod scope;
mod template;
mod value;

pub use error::EvalError;
pub use evaluate::{GREATEST_WORK, evaluate, guard};
pub use payload::Payload;
pub use scope::{Scope, read};
pub use template::{PayloadError, render, render_payload, render_text};
pub use weave_scalars::time::{read_duration, read_timestamp, timestamp};
