//! `weave test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

pub(super) const HELP: &str = "\
Examples:
  weave test                                 all tests in this folder and below
  weave test --filter refund/above_the_limit one test with its inner tests
  weave test --fix                           add the lines that tests of unfinished runs lack
  weave test --coverage                      what no test reaches, as the lines that would
  weave test --coverage=lcov --coverage-output lcov.info
  weave test --explore 20000                 random runs: what must not happen in any
  weave test --suggest                       tests for what no test reaches
  weave test --format junit > tests.xml      for CI systems
  weave test --watch                         again at each change, until Ctrl-C

A test is written in the language:

  test refund of support {
    start
    answer triage = { intent: \"refund\", order_id: \"A-17\", ... }
    expect lookup { order_id: \"A-17\" }
    open [lookup]
  }

It ends with 0 if all tests pass, with 1 if one fails, and with 2 if there is no test.";

/// `weave test`.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Files, folders with .weave files, or `-` for standard input; the default is this folder
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Play only the test with this path, and its inner tests: `refund/above_the_limit`; can be repeated
    #[arg(long, value_name = "TEST")]
    pub(crate) filter: Vec<String>,
    /// Print the paths of the tests, and play none
    #[arg(long, conflicts_with_all = ["fix", "watch", "coverage", "scrolls"])]
    pub(crate) list: bool,
    /// Report as human, json, junit, github or agent, on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: TestFormat,
    /// Apply the changes that failing tests suggest, such as a missing line for an open request, and play again
    #[arg(long)]
    pub(crate) fix: bool,
    /// Do not fail if there is no test
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Play again whenever a .weave file below the paths changes, until Ctrl-C
    #[arg(long, conflicts_with = "fix")]
    pub(crate) watch: bool,
    /// Report what the tests reach, and the line that would reach what they do not: as table, lcov, cobertura or json
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "table", hide_possible_values = true, help_heading = "Coverage")]
    pub(crate) coverage: Option<CoverageFormat>,
    /// Write the coverage to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "coverage", help_heading = "Coverage")]
    pub(crate) coverage_output: Option<PathBuf>,
    /// Fail if the coverage is below this percentage
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true, help_heading = "Coverage")]
    pub(crate) min_coverage: Option<u8>,
    /// Play so many random runs of each workflow in the files, and report what must not happen, with a test that shows it
    #[arg(long, value_name = "RUNS", num_args = 0..=1, default_missing_value = "2000", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["list", "fix", "scrolls", "coverage", "min_coverage", "suggest", "filter"], help_heading = "Exploring")]
    pub(crate) explore: Option<u32>,
    /// Print a test for each node and each side of a guard that no test reaches, if exploring finds a way; what is printed passes
    #[arg(long, value_name = "RUNS", num_args = 0..=1, default_missing_value = "4000", require_equals = true, value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["list", "fix", "scrolls", "coverage", "min_coverage", "filter"], help_heading = "Exploring")]
    pub(crate) suggest: Option<u32>,
    /// Where chance begins: the same seed gives the same runs
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "Exploring")]
    pub(crate) seed: u64,
    /// Compare the scroll of each passing test with the one in this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Golden scrolls")]
    pub(crate) scrolls: Option<PathBuf>,
    /// Write the scrolls instead of comparing them
    #[arg(long, requires = "scrolls", help_heading = "Golden scrolls")]
    pub(crate) update: bool,
}

impl Test {
    /// The paths, or this folder.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }
}

/// The forms of a report about tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    Human,
    Json,
    #[value(name = "junit")]
    JUnit,
    #[value(name = "github")]
    GitHub,
    Agent,
}

/// The forms of coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverageFormat {
    Table,
    Lcov,
    Cobertura,
    Json,
}

/// A percentage; clap's own message for another text is that of the parser of numbers.
fn percent(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|percent| *percent <= 100).ok_or_else(|| "a whole number from 0 to 100 is expected".to_owned())
}
