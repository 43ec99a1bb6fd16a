//! Where a version is read from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_compiler::{Input, Loader};

use crate::failure::{Failure, Failures};
use crate::input::{display, gather};
use crate::read::{self, ReadError, read_named};

/// Files of some version: those on the disk, or those of a Git revision.
pub(crate) trait Tree {
    /// The text of a file, if it is there.
    fn read(&self, path: &Path) -> Result<Option<Arc<str>>, Failure>;

    /// The source files that these paths name.
    fn inputs(&self, paths: &[PathBuf]) -> Result<Vec<Input>, Failures>;

    /// What reads imports.
    fn loader(&self) -> &dyn Loader;

    /// What people see as the name of a file.
    fn shown(&self, name: &str) -> String;
}

/// The files on the disk.
pub(crate) struct Disk;

impl Tree for Disk {
    fn read(&self, path: &Path) -> Result<Option<Arc<str>>, Failure> {
        match read_named(path) {
            Ok(text) => Ok(Some(text)),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(Failure::new(format!("cannot read `{}`: {error}", display(path)))),
        }
    }

    fn inputs(&self, paths: &[PathBuf]) -> Result<Vec<Input>, Failures> {
        gather(paths)
    }

    fn loader(&self) -> &dyn Loader {
        &read::Disk
    }

    fn shown(&self, name: &str) -> String {
        name.to_owned()
    }
}
