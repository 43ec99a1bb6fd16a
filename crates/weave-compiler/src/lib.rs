//! The façade: from the texts of a program to its diagnostics and definitions.
//!
//! This crate knows the order of the passes, how imports are followed, how types become JSON Schema and how the typed model becomes
//! definitions. It does not know where files lie (a [`Loader`] gives their texts), how a diagnostic is drawn, or what a definition
//! means when it runs. All that it does is a function of its arguments.

mod bounds;
mod codes;
pub mod debug;
mod editing;
mod example;
mod load;
mod loader;
mod lower;
mod messages;
mod paths;
mod schema;
mod snapshot;
mod stage;
mod strict;
mod versions;

#[cfg(test)]
mod tests;

use weave_diagnostics::Registry;

pub use bounds::bounds;
pub use editing::{check_edited, check_texts};
pub use example::Example;
pub use loader::{Input, LoadError, Loader};
pub use lower::{CatalogClash, Compiled};
pub use paths::{join as join_import, normalize as normalize_path, relative as relative_path, within as path_within};
pub use schema::schema_of;
pub use snapshot::{CompiledTest, CompiledTests, Snapshot, check};
pub use stage::{Stage, stage};
pub use versions::places;

/// Tools in the forms of protocols and providers.
pub use weave_providers::{Catalog, CatalogDocument, CatalogFormat, LeftOut, catalog};

/// What is legal but most likely wrong: rules over checked programs.
pub use weave_lint as lint;

/// The page of everything that can be said: about a program, its diagnostics and the findings of the rules, and about its settings, by id.
#[must_use]
pub fn pages() -> Registry {
    let rules: Vec<_> = lint::RULES.iter().map(|rule| rule.code).collect();
    let bounds = [&weave_diagnostics::TOO_MANY, &weave_diagnostics::TOO_LARGE];
    Registry::new(&[weave_syntax::CODES, weave_analysis::CODES, codes::CODES, &bounds, &rules, lint::CONFIG_CODES, lint::BASELINE_CODES])
}

/// All diagnostics that a program can get, by id.
#[must_use]
pub fn registry() -> Registry {
    Registry::new(&[weave_syntax::CODES, weave_analysis::CODES, codes::CODES])
}
