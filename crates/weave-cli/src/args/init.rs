//! `weave init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

pub(super) const HELP: &str = "\
Existing files are never changed; missing files are added.

Examples:
  weave init                     in this folder, with a workflow for GitHub Actions
  weave init desk --ci gitlab    in the folder desk, with a pipeline for GitLab";

/// `weave init`
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The folder; it is created if necessary
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true, value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// The CI system: github, gitlab or none
    #[arg(long, value_name = "SYSTEM", default_value = "github", hide_possible_values = true)]
    pub(crate) ci: Ci,
}

/// Systems for continuous integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ci {
    Github,
    Gitlab,
    None,
}
