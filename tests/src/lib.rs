//! Runners and helpers of the suite: what the tests in `tests/` have in common.
//!
//! Everything goes through the façade of `weave-compiler`, as the command line and the editor do.

pub mod defects;
pub mod edits;
pub mod evaluators;
pub mod expectation;
pub mod faults;
pub mod generator;
pub mod guards;
pub mod habits;
pub mod hostile;
pub mod kills;
pub mod markdown;
pub mod mutations;
pub mod node;
pub mod packages;
pub mod program;
pub mod programs;
pub mod random;
pub mod repairs;
pub mod rewrite;
pub mod servers;
pub mod shapes;
pub mod skeletons;
pub mod suite;
pub mod tools;
pub mod trees;
pub mod trials;
pub mod versions;

use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the workspace").to_owned()
}

/// The text of a file that must be there.
#[must_use]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The examples, in the order of their paths, without their tests.
#[must_use]
pub fn examples() -> Vec<PathBuf> {
    let mut found = files_below(&root().join("examples"), "weave");
    found.retain(|path| !path.to_string_lossy().ends_with("_test.weave"));
    found
}

/// All files below a folder whose names have this extension, in the order of their paths.
#[must_use]
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
