//! The arguments of the command line: what all commands share here, each command in a module.

mod compile;
mod diff;
mod files;
mod fmt;
mod generate;
mod graph;
mod init;
mod lint;
mod lsp;
#[cfg(feature = "run")]
mod replay;
mod report;
#[cfg(feature = "run")]
mod run;
#[cfg(feature = "run")]
mod store;
mod test;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{Styles, styling::AnsiColor};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub(crate) use compile::{Catalog, Check, Compile};
pub(crate) use diff::Diff;
use files::Paths;
pub(crate) use fmt::Fmt;
pub(crate) use generate::Gen;
pub(crate) use graph::{Graph, GraphFormat};
pub(crate) use init::{Ci, Init};
pub(crate) use lint::Lint;
pub(crate) use lsp::Lsp;
#[cfg(feature = "run")]
pub(crate) use replay::{Fork, Replay};
use report::count;
pub(crate) use report::{Report, ReportFormat};
#[cfg(feature = "run")]
pub(crate) use run::{Run, RunFormat};
#[cfg(feature = "run")]
pub(crate) use store::{Answer, At, Backup, Cancel, Export, Prune, Runs, RunsFormat, RunsState, Send, Show, ShowFormat};
pub(crate) use test::{CoverageFormat, Test, TestFormat};

const AFTER_HELP: &str = "\
Examples:
  weave init                               create a project in this folder
  weave check flows/                       check every .weave file in a folder
  weave lint flows/                        report likely mistakes in valid programs
  weave test                               play the tests of this folder
  weave diff --against main                report breaking changes since a Git revision
  weave compile greet.weave                print the definition of its workflow
  weave compile flows/ -o build/           write one definition for each workflow
  weave compile flows/ -o build/ --check   fail if files in build/ are out of date
  weave run greet.weave --mock             run its workflow with made-up answers
  weave runs                               list the runs that have not ended, and what they wait for
  weave fmt flows/                         format every file
  weave graph greet.weave -o greet.svg     draw its workflow
  weave gen python flows/ -o gen/          write types and tool services: go, python, typescript
  weave explain unknown-name               explain a diagnostic

Exit codes:
  0  success
  1  the files have errors, or more warnings than --max-warnings allows; a breaking change was found;
     --check or --diff found something to change
  2  wrong usage, or a file could not be read or written
  3  a run has not ended";

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// What `weave --version` prints: the version, the commit where `cargo xtask dist` has set it, and the format of definitions.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("WEAVE_COMMIT").map(|commit| format!("{commit}, ")).unwrap_or_default();
    format!("{} ({commit}definition format {})", env!("CARGO_PKG_VERSION"), weave_ir::FORMAT_VERSION)
});

/// Compiles .weave files into workflow definitions.
#[derive(Debug, Parser)]
#[command(name = "weave", version = VERSION.as_str(), after_help = AFTER_HELP, styles = STYLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Use color: auto, always or never
    ///
    /// `auto` uses color in a terminal, and respects the variables NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: When,
    /// Print errors only: no warnings, no summary, no report of success
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Format of diagnostics on standard error: human, or one line each: short, github or agent
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) error_format: ErrorFormat,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    Human,
    Short,
    #[value(name = "github")]
    GitHub,
    Agent,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile: print the definition of a workflow, or write all definitions to a folder
    #[command(after_long_help = compile::HELP)]
    Compile(Compile),
    /// Check files and report errors
    Check(Check),
    /// Lint: report likely mistakes in valid programs
    #[command(after_long_help = lint::HELP)]
    Lint(Lint),
    /// Play the tests of workflows in virtual time, without models, tools or a network
    #[command(after_long_help = test::HELP)]
    Test(Test),
    /// Report breaking and other changes between two versions of workflows
    #[command(after_long_help = diff::HELP)]
    Diff(Diff),
    /// Format files (whitespace, line breaks and commas only)
    #[command(after_long_help = fmt::HELP)]
    Fmt(Fmt),
    /// Draw the graph of a workflow: its nodes and their triggers
    #[command(after_long_help = graph::HELP)]
    Graph(Graph),
    /// Generate types, validation and tool services in another language
    #[command(after_long_help = generate::HELP)]
    Gen(Gen),
    /// Run a workflow to its end on this machine
    #[cfg(feature = "run")]
    #[command(after_long_help = run::HELP)]
    Run(Run),
    /// List runs, and what they wait for
    #[cfg(feature = "run")]
    #[command(after_long_help = store::RUNS_HELP)]
    Runs(Runs),
    /// Show a run: its steps, what it waits for, how it ended
    #[cfg(feature = "run")]
    #[command(after_long_help = store::SHOW_HELP)]
    Show(Show),
    /// Send an event to a run
    #[cfg(feature = "run")]
    #[command(after_long_help = store::SEND_HELP)]
    Send(Send),
    /// Answer what a run asks: an approval, a question, a call with an unknown outcome
    #[cfg(feature = "run")]
    #[command(after_long_help = store::ANSWER_HELP)]
    Answer(Answer),
    /// Cancel a run
    #[cfg(feature = "run")]
    #[command(after_long_help = store::CANCEL_HELP)]
    Cancel(Cancel),
    /// Write the scroll of a run as JSON Lines, as `weave replay` reads it
    #[cfg(feature = "run")]
    #[command(after_long_help = store::EXPORT_HELP)]
    Export(Export),
    /// Delete runs that have ended
    #[cfg(feature = "run")]
    #[command(after_long_help = store::PRUNE_HELP)]
    Prune(Prune),
    /// Copy the store of runs while it is in use
    #[cfg(feature = "run")]
    #[command(after_long_help = store::BACKUP_HELP)]
    Backup(Backup),
    /// Replay recorded runs through the current workflows, and report where they differ
    #[cfg(feature = "run")]
    #[command(after_long_help = replay::HELP)]
    Replay(Replay),
    /// Start a new run from the beginning of a recorded one
    #[cfg(feature = "run")]
    #[command(after_long_help = replay::FORK_HELP)]
    Fork(Fork),
    /// Create a project: weave.toml, an example, an ignore file and a CI file
    #[command(after_long_help = init::HELP)]
    Init(Init),
    /// Print the JSON Schema of weave.toml or of definitions
    #[command(after_help = SCHEMA_HELP)]
    Schema {
        /// What it describes: config or definition
        #[arg(value_name = "WHAT", hide_possible_values = true)]
        what: Schema,
    },
    /// Start the language server for an editor
    #[command(after_long_help = lsp::HELP)]
    Lsp(Lsp),
    /// Explain a diagnostic, with examples, or list all of them
    Explain {
        /// The id in brackets: `unknown-name` of `error[unknown-name]`
        id: Option<String>,
    },
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example:\n  weave man | man -l -")]
    Man,
    /// Print the syntax tree of a file
    #[command(hide = true)]
    Ast {
        /// The file, or `-` for standard input
        #[arg(value_hint = ValueHint::FilePath)]
        path: PathBuf,
    },
    /// Print the tokens of a file
    #[command(hide = true)]
    Tokens {
        /// The file, or `-` for standard input
        #[arg(value_hint = ValueHint::FilePath)]
        path: PathBuf,
    },
}

const SCHEMA_HELP: &str = "\
A weave.toml whose first line is `#:schema PATH` is checked and completed by editors:
  weave schema config > .weave/weave-toml.schema.json";

const COMPLETIONS_HELP: &str = "\
Examples:
  weave completions bash > ~/.local/share/bash-completion/completions/weave
  weave completions zsh > ~/.zfunc/_weave
  weave completions fish > ~/.config/fish/completions/weave.fish";

/// What there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    Config,
    Definition,
}
