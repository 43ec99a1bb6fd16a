//! `weave run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

pub(super) const HELP: &str = "\
Each step is printed on standard error when it is done; the output of the workflow, and nothing \
else, goes to standard output.

The table [tools] of weave.toml names a command or an HTTP service for each tool. At a terminal, \
weave asks you for everything that is not configured; without one, it lists what is missing.

With --mock, models, tools and people answer at once with values made up from examples and \
schemas, and time jumps from timer to timer: no key and no service is needed.

Examples:
  weave run examples/support.weave --mock         all answers are made up
  weave run support --mock --input ticket.json    the workflow of this name in this folder
  weave run support --mock --store .weave/runs.db  keep the run
  weave run --resume support-7f3a                 continue a run after a crash or Ctrl-C
  weave run support --example                     print an input that fits
  weave run support --mock --format jsonl         each event on a line, for programs

Exit codes:
  0  the run succeeded
  1  the run failed, or the files have errors
  2  wrong usage, an input that does not fit, or something that is not configured
  3  the run has not ended: it was interrupted, or it waits and --no-wait was given";

/// `weave run`
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The workflow: its name in this folder, or a file or folder that contains it
    #[arg(value_name = "WORKFLOW", value_hint = ValueHint::AnyPath, required_unless_present = "resume")]
    pub(crate) workflow: Option<String>,
    /// The workflow of the file or folder, if there are several
    #[arg(long = "workflow", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The input: JSON, a file with JSON, or `-` for standard input
    #[arg(short, long, value_name = "INPUT", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// Make up all answers from examples and schemas; without --input, also the input
    #[arg(long)]
    pub(crate) mock: bool,
    /// The id of the run, the prefix of all event ids and idempotency keys
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Continue a run that has not ended
    #[arg(long, value_name = "ID", conflicts_with_all = ["workflow", "name", "input", "id", "example"])]
    pub(crate) resume: Option<String>,
    /// The store of runs: a file, or `memory`; the default is .weave/runs.db next to weave.toml, or `memory` with --mock
    #[arg(long, value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<PathBuf>,
    /// Stop as soon as the run waits for a person, an event or a time
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Print an input that fits, and run nothing
    #[arg(long, conflicts_with_all = ["input", "mock"])]
    pub(crate) example: bool,
    /// Report as human, or as jsonl: each event on a line of standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: RunFormat,
}

/// How a run is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    Human,
    #[value(name = "jsonl")]
    JsonLines,
}
