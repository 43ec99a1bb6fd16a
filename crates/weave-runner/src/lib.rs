//! What a definition means: a pure function from the events of a run so far to the events that follow from them.
//!
//! The rules are those of *What a definition means when it runs* in `docs/definition.md`; the comments name them by their numbers.
//! There is no clock, no chance, no input or output: whoever runs workflows keeps the scroll, appends what [`next`] or
//! [`Runner::feed`] gives, does what the requests on it ask for, and appends the answers.
//!
//! [`next`] takes a whole scroll and says what is missing on it. A [`Runner`] takes one event after another, so that a scroll
//! of n events costs O(n). All runs of a definition share one [`Prepared`].

mod decide;
mod error;
mod event;
mod failure;
mod fire;
mod hosting;
pub mod ids;
mod joins;
mod lineage;
mod plan;
mod prepared;
mod requests;
mod runner;
mod schemas;
mod scope;
mod slots;
mod state;
mod time;
mod turn;
mod view;

pub use error::ScrollError;
pub use event::{Body, Event, EventKind};
pub use failure::{Failure, FailureKind};
pub use fire::MOST_FIRINGS;
pub use hosting::{OpenMailbox, next_attempt};
pub use prepared::Prepared;
pub use runner::{FiringOutcome, FiringView, OpenRequest, Runner, next};
pub use schemas::{misfit, validator};
pub use scope::{Observer, Read, ReadPlace};
