//! The golden suite: folders with programs and what the compiler makes of them. `CONTRIBUTING.md` describes their files.

use std::path::{Path, PathBuf};

use crate::program::Program;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// `syntax`, `analysis`, `choices`, `flow`, `tools`, `lower`, `test` or `cli`.
    pub group: String,
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
}

impl Case {
    /// Its program.
    #[must_use]
    pub fn program(&self) -> Program {
        Program::in_folder(&self.folder)
    }

    /// `group/name`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}/{}", self.group, self.name)
    }

    /// A file of the case.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// All cases of a group, by name.
#[must_use]
pub fn group(name: &str) -> Vec<Case> {
    folders(&crate::root().join("tests/suite").join(name))
        .into_iter()
        .map(|folder| Case { group: name.to_owned(), name: file_name(&folder), folder })
        .collect()
}

/// All cases whose programs go through the compiler: all groups but `cli`.
#[must_use]
pub fn programs() -> Vec<Case> {
    ["syntax", "analysis", "choices", "flow", "tools", "lower", "test"].into_iter().flat_map(group).collect()
}

/// The name of a file or folder.
#[must_use]
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut folders = entries.map(|entry| entry.expect("the suite can be read").path()).filter(|path| path.is_dir()).collect::<Vec<_>>();
    folders.sort();
    folders
}
