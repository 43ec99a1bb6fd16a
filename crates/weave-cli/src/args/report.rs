//! How diagnostics leave a command that does nothing else.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// How diagnostics leave a command that does nothing else.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct Report {
    /// Report as human, short, json, jsonl, sarif, github, gitlab, junit, checkstyle or agent
    ///
    /// The report goes to standard output; without this option, diagnostics go to standard error.
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<ReportFormat>,
    /// Write the report to this file, and only a summary to the terminal
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print the number of findings for each rule
    #[arg(long)]
    pub(crate) statistics: bool,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    Human,
    Short,
    Json,
    #[value(name = "jsonl")]
    JsonLines,
    Sarif,
    #[value(name = "github")]
    GitHub,
    #[value(name = "gitlab")]
    GitLab,
    #[value(name = "junit")]
    JUnit,
    Checkstyle,
    Agent,
}

/// A whole number such as `10`.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A limit beyond what fits is never reached.
    if is_number { Ok(text.parse().unwrap_or(usize::MAX)) } else { Err("expected a whole number, such as `10`".to_owned()) }
}
