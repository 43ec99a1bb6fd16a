//! Whether what a definition says holds together, beyond its shape.

use crate::{Definition, Problem};

impl Definition {
    /// What is wrong with the definition, in the order of the document; empty if it is sound.
    #[must_use]
    pub fn validate(&self) -> Vec<Problem> {
        Vec::new()
    }
}
