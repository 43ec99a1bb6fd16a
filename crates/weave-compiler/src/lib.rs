//! The façade: loading, order of passes, lowering.

mod loader;

pub use loader::{Input, LoadError, Loader};
