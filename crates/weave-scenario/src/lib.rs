//! Scripted runs of a workflow in virtual time.
//!
//! A [`Script`] is what a `test` item says, with every name resolved and every value in its wire form. The front end of the
//! language makes it; this crate does not know the language. Everything here is pure: no clock, no chance, no input or output.

mod script;

pub use script::{Branch, Element, Entry, Expected, FailureName, Line, LineKind, Literal, LiteralKind, OrderItem, Script, Span, StepRef};
