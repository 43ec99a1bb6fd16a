//! Where runs are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_scroll::{MemoryStore, Store};
use weave_sqlite::{Options, SqliteStore};

use crate::args;
use crate::failure::Failure;

/// The store of a project, beside its `weave.toml`.
const DEFAULT: &str = ".weave/runs.db";

/// Where the runs of a command are kept.
pub(crate) enum Place {
    /// In memory: they are gone with the process.
    Memory,
    /// In this file.
    File(PathBuf),
}

/// Where `weave run` keeps its runs.
pub(crate) fn place(arguments: &args::Run) -> Place {
    match &arguments.store {
        Some(path) if path == Path::new("memory") => Place::Memory,
        Some(path) => Place::File(path.clone()),
        None if arguments.mock && arguments.resume.is_none() => Place::Memory,
        None => Place::File(default()),
    }
}

/// The store of the project that this folder belongs to; without a `weave.toml` above, of this folder.
pub(crate) fn default() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    let project = current.ancestors().enumerate().find(|(_, folder)| folder.join("weave.toml").is_file());
    let up = project.map_or(0, |(up, _)| up);
    std::iter::repeat_n("..", up).collect::<PathBuf>().join(DEFAULT)
}

/// Opens a store; a file is made if `create` says so.
pub(crate) fn open(place: &Place, create: bool) -> Result<Arc<dyn Store>, Failure> {
    Ok(match place {
        Place::Memory => Arc::new(MemoryStore::new()),
        Place::File(path) => {
            let options = Options { create, ..Options::default() };
            Arc::new(SqliteStore::open(path, &options).map_err(|error| Failure::new(error.to_string()))?)
        }
    })
}
