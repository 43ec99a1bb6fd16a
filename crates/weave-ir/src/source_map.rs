//! The source map: where each part of a definition was written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::DIGEST;

/// The file beside a definition that says for its nodes and values where they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceMap {
    /// The version of this format: `"1"`.
    pub version: String,
    /// The workflow.
    pub workflow: String,
    /// The digest of the definition that this map belongs to.
    #[schemars(regex(pattern = DIGEST))]
    pub digest: String,
    /// The source files, relative to the project, with `/`; a range names one by its index here.
    pub sources: Vec<String>,
    /// Each node by its id.
    pub nodes: BTreeMap<String, SourceRange>,
    /// Each part of the definition that was written somewhere, by its JSON pointer (RFC 6901).
    pub paths: BTreeMap<String, SourceRange>,
}

/// A range of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceRange {
    /// The file: an index into `sources`.
    pub source: u32,
    /// The first byte, counted from 0 in the UTF-8 of the file.
    pub start: u32,
    /// The first byte behind it.
    pub end: u32,
    /// The line of the first byte, counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The column of the first byte, counted from 1 in bytes.
    #[schemars(range(min = 1))]
    pub column: u32,
}

impl SourceMap {
    /// The version of the format of source maps that this crate writes and reads.
    pub const VERSION: &str = "1";
}
