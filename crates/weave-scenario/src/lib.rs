//! Scripted runs of a workflow in virtual time.
//!
//! A [`Script`] is what a `test` item says, with every name resolved and every value in its wire form. The front end of the
//! language makes it; this crate does not know the language. [`play`] plays each branch of a script, with what is made up on both
//! sides of the guards, and says what is wrong, and why. Everything here is pure: no clock, no chance, no input or output.

mod act;
mod clock;
mod coverage;
mod expect;
mod explore;
mod finding;
mod literal;
mod play;
mod reasons;
mod record;
mod run;
mod script;
mod subject;
mod tape;
mod target;
mod trace;

pub use coverage::{Coverage, Gap, Goal};
pub use explore::{Defect, DefectKind, Explored, Exploring, Found, explore};
pub use finding::{Finding, FindingId, Fix, FixPlace};
pub use record::recorded;
pub use run::{Leaf, Played, play};
pub use script::{Branch, Element, Entry, Expected, FailureName, Line, LineKind, Literal, LiteralKind, OrderItem, Script, Span, StepRef};
pub use subject::{Sources, Subject};
