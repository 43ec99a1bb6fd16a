//! From syntax trees to meaning: names, types, and the typed model of every declaration.
//!
//! This crate knows what a name refers to, what type each value has, and whether a program is legal. It does not know where
//! files come from, how a definition is written as JSON, or how a diagnostic is drawn. It returns a model and diagnostics,
//! never an error: what is wrong becomes [`Type::Unknown`] in the model, so that nothing follows from it.
//!
//! The work is done in three passes. [`declare`] sees all files together and gives every declaration its signature; it is
//! the only pass in which files need each other. [`check_bodies`] then looks at one file at a time, against the signatures,
//! so that files can be checked on all cores and only those whose imports changed need to be checked again.
//! Last, [`check_scripts`] looks at the tests of one file, against the nodes of the workflows that they run.

mod bodies;
pub mod choices;
mod codes;
mod declare;
mod expression;
#[cfg(test)]
mod fixture;
pub mod flow;
mod messages;
pub mod model;
mod scripts;
mod settings;
pub mod trace;
mod types;
pub mod vocabulary;

pub use bodies::{Bodies, check_bodies, check_bodies_again, check_bodies_to_edit};
pub use codes::{CODES, is_about_graph};
pub use declare::{Again, Declared, Known, declare, declare_again, declare_to_edit, excused_by};
pub use messages::declarations::is_type_elsewhere;
pub use model::types::Type;
pub use model::watch::watch;
pub use scripts::{Scripts, check_scripts, offers};

/// The prelude: the built-in topics, written in the language. It is the first file of every compilation.
pub const PRELUDE: &str = include_str!("../../../grammar/prelude.weave");

/// What diagnostics call the prelude.
pub const PRELUDE_NAME: &str = "<prelude>";
