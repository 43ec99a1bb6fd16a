//! Which files a command reads.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Which files.
#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// Files, folders with .weave files, or `-` for standard input
    ///
    /// In folders, hidden files and files that .gitignore or .weaveignore list are skipped.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
}
