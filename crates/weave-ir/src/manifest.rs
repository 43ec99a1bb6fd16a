//! The manifest: what one compilation wrote into a folder.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::DIGEST;

/// The file `manifest.json` of an output folder.
///
/// It says which workflows lie there and owns the files that it lists: a later compilation removes those that it no longer writes,
/// and a check compares their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format: `"1"`.
    pub version: String,
    /// The workflows by name.
    pub workflows: BTreeMap<String, ManifestWorkflow>,
    /// Every file that the compilation wrote except this one, relative to the folder, with `/`, and the digest of its bytes.
    pub files: BTreeMap<String, String>,
}

/// One workflow of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManifestWorkflow {
    /// The digest of the definition.
    #[schemars(regex(pattern = DIGEST))]
    pub digest: String,
    /// The file of the definition, relative to the folder.
    pub file: String,
    /// The file of its source map, relative to the folder.
    pub source_map: String,
    /// The source file, relative to the project, with `/`.
    pub source: String,
}

impl Manifest {
    /// The version of the format of manifests that this crate writes and reads.
    pub const VERSION: &str = "1";
}
