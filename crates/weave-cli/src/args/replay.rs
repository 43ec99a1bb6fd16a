//! `weave replay` and `weave fork`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::Report;

pub(super) const HELP: &str = "\
A scroll is the record of one run: a .jsonl file with one event per line. Its external \
events are played through the workflow of the same name. Nothing is called and nothing is written.

Examples:
  weave replay runs/                    through the workflows in this folder
  weave replay runs/ --with flows/      through those in flows/
  weave replay runs/ --against main     also show what the revision that recorded them did
  weave replay run.jsonl --show         event by event
  weave replay run.jsonl --to-test      as a test

Exit codes:
  0  every run takes the same path and has the same result
  1  a run takes another path or has another result, or a file is not a scroll
  2  wrong usage, or there is no scroll";

pub(super) const FORK_HELP: &str = "\
The external events before the one with the number --at become the scroll of a new run, with what \
follows from them in the current workflow. It goes to standard output.

Example:
  weave fork run.jsonl --at 14 --with flows/ > new.jsonl";

/// `weave replay`
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Scrolls, or folders with scrolls
    #[arg(required = true, value_name = "SCROLL", value_hint = ValueHint::AnyPath)]
    pub(crate) scrolls: Vec<PathBuf>,
    /// Replay through the workflows in this file or folder; without it, through those in this folder
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,
    /// The Git revision that recorded the runs: its guards and source lines are shown next to the current ones
    #[arg(long, value_name = "REV")]
    pub(crate) against: Option<String>,
    /// Print a line for each run on standard output: its verdict, its file and its workflow
    #[arg(long, conflicts_with = "format")]
    pub(crate) list: bool,
    /// Print each event of one scroll, with what followed then and follows now
    #[arg(long, conflicts_with_all = ["list", "format", "output", "statistics"])]
    pub(crate) show: bool,
    /// Print each scroll as a test that passes, to be put into a file next to the workflow
    #[arg(long, conflicts_with_all = ["against", "list", "show", "format", "output", "statistics"])]
    pub(crate) to_test: bool,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// `weave fork`
#[derive(Debug, Args)]
pub(crate) struct Fork {
    /// The scroll
    #[arg(value_name = "SCROLL", value_hint = ValueHint::FilePath)]
    pub(crate) scroll: PathBuf,
    /// The number of the first event to omit, as `weave replay` shows it
    #[arg(long, value_name = "SEQ", value_parser = sequence_number, allow_negative_numbers = true)]
    pub(crate) at: u64,
    /// Take the workflow from this file or folder; without it, from this folder
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,
    /// The id of the new run; the default is derived from the id of the old one
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
}

/// The number of an event; clap's own message for another text is that of the parser of numbers.
fn sequence_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "the number of an event is expected, such as `12`".to_owned())
}
