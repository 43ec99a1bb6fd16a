//! Made-up values that fit the JSON Schemas of a definition.
//!
//! Tests leave fields out with `...`, `weave run --mock` answers without a model, and exploring needs answers by the thousand: they
//! all take their values from here. A [`Sampler`] knows a definition, and the constants that its guards compare with. A value is
//! chosen by a [`Choice`]: a *filling* gives the same value for the same place each time, and the first two fillings are on
//! different sides of the constants; a seed gives random values, also the same each time.
//!
//! This crate is pure: no clock, no chance of its own, no input or output.

mod choice;
mod constants;
mod pattern;
mod scalar;
mod text;
mod value;

pub use choice::Choice;
pub use value::{Made, Partial, Sampler};
