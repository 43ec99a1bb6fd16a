//! `weave diff`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{Report, count};

pub(super) const HELP: &str = "\
OLD and NEW are .weave files or folders, definitions (.json), or folders that `weave compile -o` wrote.

Examples:
  weave diff old/ new/                      two folders
  weave diff build/ flows/                  compiled definitions against the current sources
  weave diff --against origin/main          this folder against a Git revision
  weave diff --against v1.2.0 flows/        only these files
  weave diff --against main --format github annotations of a pull request
  weave explain field-removed               explain a change

A change that breaks producers, consumers or runs in flight is an error; a change of behavior is a \
warning; everything else is a note. Accepted changes are listed in weave.toml:

  [[diff.accept]]
  id = \"field-removed\"
  item = \"order.paid.note\"
  reason = \"it was never sent\"";

/// `weave diff`
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// OLD and NEW; with --against, what to compare (the default is this folder)
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Compare with this Git revision: a branch, a tag, a commit
    #[arg(long, value_name = "REV")]
    pub(crate) against: Option<String>,
    /// Read accepted changes from this file instead of the nearest weave.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Fail if there are more warnings than this
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_warnings: Option<usize>,
    #[command(flatten)]
    pub(crate) report: Report,
}
