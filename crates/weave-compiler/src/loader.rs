//! Where the texts come from.

use std::fmt;
use std::sync::Arc;

/// Gives the texts of files: the command line reads the disk, a test reads a map, the editor adds its unsaved buffers.
///
/// Paths are `/`-separated, as somebody gave them or joined from an import and the file that it stands in.
pub trait Loader: Sync {
    /// The text of the file called `path`.
    ///
    /// # Errors
    ///
    /// When there is no such file, or it cannot be read as text.
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError>;
}

/// Why a file has no text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// It is there, but cannot be read; the text says why and fits behind a colon: "permission denied", "it is a folder".
    Other(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such file"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// One root file: what somebody asked to check or compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name as diagnostics show it and as its imports are resolved against.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
}
