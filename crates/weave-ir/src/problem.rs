//! What is wrong with a definition, and where.

use std::fmt;

/// One thing that is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where: a JSON pointer (RFC 6901) into the definition.
    pub pointer: String,
    /// What, in one line.
    pub message: String,
}

impl Problem {
    /// The problem `message` at `pointer`.
    #[must_use]
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the definition" } else { &self.pointer };
        write!(out, "{place}: {}", self.message)
    }
}

/// A pointer one level deeper: `key` escaped as RFC 6901 demands.
pub(crate) fn child(pointer: &str, key: impl fmt::Display) -> String {
    let key = key.to_string();
    let key = if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1") } else { key };
    format!("{pointer}/{key}")
}
