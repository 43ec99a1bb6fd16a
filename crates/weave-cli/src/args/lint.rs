//! `weave lint`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{Paths, Report, count};

pub(super) const HELP: &str = "\
Examples:
  weave lint flows/                    report errors and findings
  weave lint flows/ --max-warnings 0   fail on warnings too
  weave lint flows/ --write-baseline   accept all current findings: only new ones are reported
  weave lint flows/ --watch            lint again after each change, until Ctrl-C
  weave lint . --format sarif -o a.sarif   for GitHub code scanning, with a summary in the terminal
  weave lint flows/ --fix              apply safe fixes
  weave lint flows/ --diff             show what --fix would change
  weave explain unused-import          explain a rule

A weave.toml sets the level of a rule or a group of rules: off, note, warn or error.

  [lint.groups]
  pedantic = \"note\"

  [lint.rules]
  missing-description = \"error\"

  [[lint.overrides]]
  paths = [\"vendored/**\"]
  rules = { missing-description = \"off\" }

Allow a single finding with @allow(rule, \"reason\") before the item, and all findings of a rule in a \
file with the comment `// weave: allow-file(rule) reason`. Files with errors are not linted.";

/// `weave lint`
#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Read levels and options from this file instead of the nearest weave.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Fail if there are more warnings than this
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_warnings: Option<usize>,
    /// Report only findings that are not in this baseline (overrides weave.toml)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_baseline")]
    pub(crate) baseline: Option<PathBuf>,
    /// Ignore the baseline in weave.toml and report all findings
    #[arg(long)]
    pub(crate) no_baseline: bool,
    /// Write all findings to a baseline, so that only new ones are reported afterwards
    ///
    /// Without FILE, it is the one in weave.toml, or .weave-baseline.json next to it. Entries of other files are kept.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, value_hint = ValueHint::FilePath, conflicts_with_all = ["no_baseline", "max_warnings", "diff"])]
    pub(crate) write_baseline: Option<Option<PathBuf>>,
    /// Lint again whenever a .weave file or a weave.toml below the paths changes, until Ctrl-C
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) watch: bool,
    /// Apply safe fixes, and report the remaining findings
    #[arg(long, help_heading = "Fixes")]
    pub(crate) fix: bool,
    /// Apply all fixes, including those that may change the meaning and need a review
    #[arg(long, help_heading = "Fixes")]
    pub(crate) fix_unsafe: bool,
    /// Write nothing; print what --fix or --fix-unsafe would change, and fail if there is a change
    #[arg(long, help_heading = "Fixes")]
    pub(crate) diff: bool,
    #[command(flatten)]
    pub(crate) report: Report,
}
