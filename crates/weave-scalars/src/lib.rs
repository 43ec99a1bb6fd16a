//! The text of scalars.
//!
//! Several types of the language are strings in JSON: numbers that JSON cannot hold, bytes, times and identifiers. This crate has
//! the only implementation of their texts, for the compiler, for guards, for definitions and for schemas: which texts are values of
//! the type ([`Form`]), what they say ([`time`], [`base64`]), and how a length of time is written and printed ([`duration`]).

pub mod base64;
pub mod duration;
mod form;
mod identifier;
mod number;
pub mod time;

pub use form::Form;
pub use number::{is_decimal, is_whole, plain_decimal};
