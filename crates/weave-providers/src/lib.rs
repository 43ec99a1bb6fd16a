//! What the providers of models accept, and what a schema or a tool becomes for each of them.
//!
//! The limits are one dated table ([`Provider::limits`]). [`project`] brings a schema to what a provider accepts: without loss where that
//! is possible, with the lost constraint in the description where not, and refused with a reason where the meaning would be another.
//! [`projections`] does so for a whole definition, and [`catalog()`] lists tools in the forms of protocols and providers. This crate knows no language and talks to nobody.

mod catalog;
mod definition;
mod limits;
mod page;
mod piece;
mod project;
mod words;

#[cfg(test)]
mod tests;

pub use catalog::{Callable, Catalog, CatalogDocument, CatalogEntry, CatalogFormat, LeftOut, catalog};
pub use definition::projections;
pub use limits::{ANTHROPIC, CHECKED, GEMINI, Limits, MCP, Names, OPENAI, Optional, Provider, Recursion, Values};
pub use page::page;
pub use project::{Projection, Role, WRAPPER, bundle, project};
