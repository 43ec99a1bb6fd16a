//! `weave fmt`.

use clap::Args;

use super::Paths;

pub(super) const HELP: &str = "\
Examples:
  weave fmt flows/                 format the files in a folder
  weave fmt --check .              fail and list the files that are not formatted
  weave fmt --diff order.weave     show what would change, and write nothing
  weave fmt - < order.weave        format standard input
  weave fmt --lines 10:25 a.weave  only the declarations on these lines

Lines have at most 100 characters if they can be broken. A list in braces stays on several
lines if there is a line break after its opening brace. Comments and blank lines are kept; strings
and prompts are never changed. A file with syntax errors is not changed.";

/// `weave fmt`
#[derive(Debug, Args)]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Write nothing; fail and list the files that are not formatted
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing; print what would change, and fail if there is a change
    #[arg(long)]
    pub(crate) diff: bool,
    /// Format only the declarations on these lines, counted from 1
    #[arg(long, value_name = "FIRST:LAST", value_parser = lines)]
    pub(crate) lines: Option<Lines>,
}

/// Some lines of a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// `10:25`, or `10` for one line.
fn lines(text: &str) -> Result<Lines, String> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(Lines { first, last }),
        (Some(_), Some(_)) => Err("the first line is after the last".to_owned()),
        _ => Err("expected two line numbers, as in `10:25`; the first line is 1".to_owned()),
    }
}
