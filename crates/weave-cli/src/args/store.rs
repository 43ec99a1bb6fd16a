//! The commands on the store of runs: `weave runs`, `show`, `send`, `answer`, `cancel`, `export`, `prune` and `backup`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

pub(super) const RUNS_HELP: &str = "\
Runs that have not ended are listed, newest first, each with what it waits for. A run that no process \
drives is parked: it loses nothing, and `weave run --resume ID` goes on with it.

Examples:
  weave runs                          what has not ended
  weave runs --all                    also what has ended
  weave runs --state waiting          what waits for a person or an event
  weave runs --workflow support --format json";

pub(super) const SHOW_HELP: &str = "\
RUN is the id of a run, or the beginning of one if no other run begins with it.

Examples:
  weave show support-7f3a                   its steps, what it waits for, how it ended
  weave show support-7f3a --format json     the same, for programs
  weave show support-7f3a --format jsonl    its scroll, an event a line

Values of @secret fields are shown as `***`; `weave export` writes them.";

pub(super) const SEND_HELP: &str = "\
The event is checked against the schema of its topic before it is posted. A process that drives the run takes it \
within a moment; a parked run takes it when it goes on.

Examples:
  weave send order-7 order.paid '{\"amount\": \"12.50\"}'
  weave send order-7 order.paid paid.json --id payment-991    an id makes it safe to send it again
  echo '{}' | weave send order-7 order.paid -";

pub(super) const ANSWER_HELP: &str = "\
Without more words, the open requests are listed, each with the commands that answer it. REQUEST, the name of a step or \
the id of a request, is needed only if several are open.

Examples:
  weave answer support-7f3a                              what can be answered
  weave answer support-7f3a approve                      an approval: approve, edit ARGS or reject [REASON]
  weave answer support-7f3a approve denied '{\"by\": \"Kim\", \"reason\": \"no receipt\"}'
  weave answer support-7f3a choose '\"account-2\"'         a value, checked against the schema
  weave answer checkout-19 happened '{\"id\": \"ch_1\"}'     a call with an unknown outcome: it happened
  weave answer checkout-19 again                         … it did not happen: send it again
  weave answer checkout-19 give-up                       … give up: it fails with `unknown_outcome`";

pub(super) const CANCEL_HELP: &str = "\
The run fails with `cancelled`, and so do the runs that it started. Calls that have left are not taken back.

Example:
  weave cancel support-7f3a --reason 'the customer called'";

pub(super) const EXPORT_HELP: &str = "\
Examples:
  weave export support-7f3a -o run.jsonl
  weave export support-7f3a | weave replay /dev/stdin

Values of @secret fields are in it as they are.";

pub(super) const PRUNE_HELP: &str = "\
Runs that have ended are deleted with the runs that they started. Their ids are never used again.

Examples:
  weave prune --older-than 30d --dry-run    how many runs would be deleted
  weave prune --older-than 12h --workflow greet";

pub(super) const BACKUP_HELP: &str = "\
The copy is made while the store is in use. When a process works on it, calls that were open are unknown \
first, because the original may have made them.

Example:
  weave backup runs-backup.db";

/// Which store.
#[derive(Debug, Args)]
pub(crate) struct At {
    /// The store of runs; without it, .weave/runs.db next to weave.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<PathBuf>,
}

/// `weave runs`
#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// List also runs that have ended
    #[arg(long)]
    pub(crate) all: bool,
    /// Only runs in this state: open, waiting, parked, succeeded, failed or cancelled
    #[arg(long, value_name = "STATE", hide_possible_values = true, conflicts_with = "all")]
    pub(crate) state: Option<RunsState>,
    /// Only runs of this workflow
    #[arg(long, value_name = "NAME")]
    pub(crate) workflow: Option<String>,
    /// List also runs that other runs started
    #[arg(long)]
    pub(crate) children: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) limit: u32,
    /// List as human or json
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: RunsFormat,
    #[command(flatten)]
    pub(crate) at: At,
}

/// The states that runs are listed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunsState {
    Open,
    Waiting,
    Parked,
    Succeeded,
    Failed,
    Cancelled,
}

/// The forms of a list of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunsFormat {
    Human,
    Json,
}

/// `weave show`
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The run: its id, or the beginning of it
    pub(crate) run: String,
    /// Show as human, json, or jsonl with each event on a line
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: ShowFormat,
    #[command(flatten)]
    pub(crate) at: At,
}

/// The forms in which a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    Human,
    Json,
    #[value(name = "jsonl")]
    JsonLines,
}

/// `weave send`
#[derive(Debug, Args)]
pub(crate) struct Send {
    /// The run: its id, or the beginning of it
    pub(crate) run: String,
    /// The topic, which the workflow declares as an external event
    pub(crate) topic: String,
    /// The payload: JSON, a file with JSON, or `-` for standard input
    #[arg(value_name = "JSON|FILE|-", default_value = "{}", hide_default_value = true, allow_negative_numbers = true)]
    pub(crate) data: String,
    /// The request that it answers: the name of a step, or the id of a request
    #[arg(long, value_name = "REQUEST")]
    pub(crate) re: Option<String>,
    /// The id of the event: sent again with the same id, it is taken once
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) at: At,
}

/// `weave answer`
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The run: its id, or the beginning of it
    pub(crate) run: String,
    /// The request, if several are open, and the answer: a decision, a topic, a value
    #[arg(value_name = "[REQUEST] ANSWER", num_args = 0..=3, allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    /// Who answers
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// The id of the answer: given again with the same id, it is taken once
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) at: At,
}

/// `weave cancel`
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// The run: its id, or the beginning of it
    pub(crate) run: String,
    /// The reason, for readers of the scroll
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) at: At,
}

/// `weave export`
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The run: its id, or the beginning of it
    pub(crate) run: String,
    /// Write into this file, not to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) at: At,
}

/// `weave prune`
#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Delete runs that ended longer ago than this: 30d, 12h, 90m
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(crate) older_than: i64,
    /// Only runs of this workflow
    #[arg(long, value_name = "NAME")]
    pub(crate) workflow: Option<String>,
    /// Delete nothing, and say what would be deleted
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) at: At,
}

/// `weave backup`
#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The copy; there must be no file of this name
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) at: At,
}

/// A length of time such as `30d`, in milliseconds.
fn age(text: &str) -> Result<i64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.strip_prefix(digits) {
        Some("s") => Some(1_000),
        Some("m") => Some(60_000),
        Some("h") => Some(3_600_000),
        Some("d") => Some(86_400_000),
        Some("w") => Some(604_800_000),
        _ => None,
    };
    let number = digits.parse::<i64>().ok().filter(|number| *number >= 0);
    let product = number.zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    product.ok_or_else(|| "an age is a number and a unit (s, m, h, d or w), such as `30d`".to_owned())
}
