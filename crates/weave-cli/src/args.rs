//! What can be asked for.

use std::path::PathBuf;

use clap::builder::{Styles, styling::AnsiColor};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use weave_codegen::Target;

const AFTER_HELP: &str = "\
Examples:
  weave init                               create a project in this folder
  weave check flows/                       check every .weave file in a folder
  weave lint flows/                        report likely mistakes in valid programs
  weave test                               play the tests of this folder
  weave diff --against main                report breaking changes since a Git revision
  weave compile greet.weave                print the definition of its workflow
  weave compile flows/ -o build/           write one definition for each workflow
  weave compile flows/ -o build/ --check   fail if what lies in build/ is out of date
  weave run greet.weave --mock             run its workflow with made-up answers
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

/// Compiles .weave files into workflow definitions.
#[derive(Debug, Parser)]
#[command(name = "weave", version, after_help = AFTER_HELP, styles = STYLES, max_term_width = 100)]
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
    #[command(after_long_help = COMPILE_HELP)]
    Compile(Compile),
    /// Check files and report errors
    Check(Check),
    /// Lint: report likely mistakes in valid programs
    #[command(after_long_help = LINT_HELP)]
    Lint(Lint),
    /// Play the tests of workflows in virtual time, without models, tools or a network
    #[command(after_long_help = TEST_HELP)]
    Test(Test),
    /// Report breaking and other changes between two versions of workflows
    #[command(after_long_help = DIFF_HELP)]
    Diff(Diff),
    /// Format files (whitespace, line breaks and commas only)
    #[command(after_long_help = FMT_HELP)]
    Fmt(Fmt),
    /// Draw the graph of a workflow: its nodes and their triggers
    #[command(after_long_help = GRAPH_HELP)]
    Graph(Graph),
    /// Generate types, validation and tool services in another language
    #[command(after_long_help = GEN_HELP)]
    Gen(Gen),
    /// Run a workflow to its end on this machine
    #[cfg(feature = "run")]
    #[command(after_long_help = RUN_HELP)]
    Run(Run),
    /// Replay recorded runs through the workflows of today, and report where they part
    #[cfg(feature = "run")]
    #[command(after_long_help = REPLAY_HELP)]
    Replay(Replay),
    /// Make the beginning of a recorded run the beginning of a new one
    #[cfg(feature = "run")]
    #[command(after_long_help = FORK_HELP)]
    Fork(Fork),
    /// Create a project: weave.toml, an example, an ignore file and a CI file
    #[command(after_long_help = INIT_HELP)]
    Init(Init),
    /// Print the JSON Schema of weave.toml or of definitions
    #[command(after_help = SCHEMA_HELP)]
    Schema {
        /// What it describes: config or definition
        #[arg(value_name = "WHAT", hide_possible_values = true)]
        what: Schema,
    },
    /// Start the language server for an editor
    #[command(after_long_help = LSP_HELP)]
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

const COMPILE_HELP: &str = "\
Without -o, the files must have exactly one workflow; its definition goes to standard output.

With -o, the folder gets two files for each workflow, NAME.workflow.json (the definition) and
NAME.workflow.map.json (the source location of each part), and one manifest.json
with their digests. Files that need no change are not touched. Files of an earlier run that are no
longer generated are removed. A file that weave did not write, or that was changed since, is replaced
only with --force. Files without workflows give an empty manifest. Nothing is written if there are
errors.

With --catalog, the folder also gets tools.FORMAT.json for each format: the tools of these files \
as MCP lists them, as OpenAI, Anthropic and Gemini take them, or as lash defines them.

Examples:
  weave compile flows/ -o build/ --catalog             definitions, and the tools in every form
  weave compile flows/ --catalog=anthropic             print the tools as Anthropic takes them
  weave compile flows/ -o build/ --catalog=mcp,openai  definitions, and the tools in two forms";

#[cfg(feature = "run")]
const RUN_HELP: &str = "\
Each step is printed on standard error when it is done; the output of the workflow, and nothing \
else, goes to standard output.

With --mock, models, tools and people answer at once with values made up from examples and \
schemas, and time jumps from timer to timer: no key and no service is needed.

Examples:
  weave run examples/support.weave --mock         all answers are made up
  weave run support --mock --input ticket.json    the workflow of this name in this folder
  weave run support --mock --store .weave/runs.db keep the run
  weave run --resume support-7f3a                 go on with a run after a crash or ^C
  weave run support --example                     print an input that fits
  weave run support --mock --format jsonl         each event on a line, for programs

Exit codes:
  0  the run succeeded
  1  the run failed, or the files have errors
  2  the command was used wrongly, the input does not fit, or something is not configured
  3  the run has not ended: it was interrupted, or it waits and --no-wait was given";

const LINT_HELP: &str = "\
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

const TEST_HELP: &str = "\
Examples:
  weave test                                 all tests in this folder and below
  weave test --filter refund/above_the_limit one test with its inner tests
  weave test --fix                           add the lines that tests of unfinished runs lack
  weave test --coverage                      what no test reaches, as the lines that would
  weave test --coverage=lcov --coverage-output lcov.info
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

const DIFF_HELP: &str = "\
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

const FMT_HELP: &str = "\
Examples:
  weave fmt flows/                 format the files in a folder
  weave fmt --check .              fail and list the files that are not formatted
  weave fmt --diff order.weave     show what would change, and write nothing
  weave fmt - < order.weave        format standard input
  weave fmt --lines 10:25 a.weave  only the declarations on these lines

Lines have at most 100 characters if they can be broken. A list in braces stays on several
lines if there is a line break after its opening brace. Comments and blank lines are kept; strings
and prompts are never changed. A file with syntax errors is not changed.";

const GRAPH_HELP: &str = "\
Examples:
  weave graph greet.weave                      a Mermaid flowchart, for Markdown
  weave graph flows/ --workflow greet -o a.svg a picture
  weave graph greet.weave --format dot         for Graphviz

Without --format, the file extension selects the format: .svg; .dot or .gv; .json; .mmd, .mermaid, .md, .txt \
or none for Mermaid, which is also the default without -o. Nodes with diagnostics are marked. Nothing is drawn if there are errors.";

const GEN_HELP: &str = "\
Each .weave file becomes a folder: types with their JSON Schemas, codecs that check values at the boundary, the services that \
implement tools, events, prompts, agents, and workflows with their definitions. Files that are imported become folders too.

A list in the output folder says which files were generated. Those that are no longer generated are removed; a file that weave did \
not write, or that was changed since, is replaced only with --force. Unchanged files are not touched. Nothing is written \
if there are errors.

--scaffold also writes skeletons of the services, with a server, for you to complete. They are written only once: an existing \
file is never changed, and missing methods are printed on standard output. --check ignores them. Your own templates can replace \
the built-in ones: --print-template handler.ts prints one to start from.

Examples:
  weave gen typescript flows/ -o src/gen           write TypeScript
  weave gen typescript flows/ -o src/gen --check   fail if files there are out of date
  weave gen typescript flows/ -o src/gen --scaffold=src/app
  weave gen typescript                             this folder, to the output folder in weave.toml
  weave gen go flows/ -o internal/gen              write Go, in a module
  weave gen python flows/ -o src/app/gen --mcp     write Python, with an MCP server for the tools

  [gen.typescript]
  output = \"src/gen\"
  mcp = true                                       # as --mcp
  builders = true                                  # as --builders

  [gen.go]
  output = \"internal/gen\"
  module = \"example.com/app/internal/gen\"   # the default follows go.mod";

const INIT_HELP: &str = "\
Existing files are never changed; missing files are added.

Examples:
  weave init                     in this folder, with a workflow for GitHub Actions
  weave init desk --ci gitlab    in the folder desk, with a pipeline for GitLab";

const SCHEMA_HELP: &str = "\
A weave.toml whose first line is `#:schema PATH` is checked and completed by editors:
  weave schema config > .weave/weave-toml.schema.json";

const LSP_HELP: &str = "\
Editors start this command; docs/editors.md describes the setup. The server exits when its client does.

Examples:
  weave lsp                        over standard input and output
  weave lsp --socket 4711          connect to an editor that listens on this port
  weave lsp --log-file weave.log   write the log to a file";

const COMPLETIONS_HELP: &str = "\
Examples:
  weave completions bash > ~/.local/share/bash-completion/completions/weave
  weave completions zsh > ~/.zfunc/_weave
  weave completions fish > ~/.config/fish/completions/weave.fish";

#[cfg(feature = "run")]
const REPLAY_HELP: &str = "\
A scroll is the record of one run: a file with the ending .jsonl, one event a line. Its external \
events are played through the workflow of the same name. Nothing is called and nothing is written.

Examples:
  weave replay runs/                    through the workflows in this folder
  weave replay runs/ --with flows/      through those in flows/
  weave replay runs/ --against main     also show what the revision that recorded them did
  weave replay run.jsonl --format jsonl

Exit codes:
  0  every run goes the same way, to the same end
  1  a run goes another way or ends otherwise, or a file is not a scroll
  2  the command was used wrongly, or there is no scroll";

#[cfg(feature = "run")]
const FORK_HELP: &str = "\
The external events before the one with the number --at become the scroll of a new run, with what \
follows from them in the workflow of today. It goes to standard output.

Example:
  weave fork run.jsonl --at 14 --with flows/ > new.jsonl";

/// Which files.
#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// Files, folders with .weave files, or `-` for standard input
    ///
    /// In folders, hidden files and files that .gitignore or .weaveignore list are skipped.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
}

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

/// `weave test`.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Files, folders with .weave files, or `-` for standard input; this folder if none is named
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Play only the test with this path, and its inner tests: `refund/above_the_limit`; may be given several times
    #[arg(long, value_name = "TEST")]
    pub(crate) filter: Vec<String>,
    /// Print the paths of the tests, and play none
    #[arg(long, conflicts_with_all = ["fix", "watch", "coverage", "scrolls"])]
    pub(crate) list: bool,
    /// Report as human, json, junit, github or agent, on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: TestFormat,
    /// Write the changes that failing tests propose into the files, such as the line that a run waits for, and play again
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
    /// Write the coverage into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "coverage", help_heading = "Coverage")]
    pub(crate) coverage_output: Option<PathBuf>,
    /// Fail if the tests reach less than this share of what they could, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100), help_heading = "Coverage")]
    pub(crate) min_coverage: Option<u8>,
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

/// `weave check`
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) paths: Paths,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// `weave lint`
#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Read levels and options from this file instead of the nearest weave.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Fail if there are more warnings than this
    #[arg(long, value_name = "N", value_parser = count)]
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
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_warnings: Option<usize>,
    #[command(flatten)]
    pub(crate) report: Report,
}

/// `weave replay`
#[cfg(feature = "run")]
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Scrolls, or folders with scrolls
    #[arg(required = true, value_name = "SCROLL", value_hint = ValueHint::AnyPath)]
    pub(crate) scrolls: Vec<PathBuf>,
    /// Replay through the workflows in this file or folder; without it, through those in this folder
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,
    /// The Git revision that recorded the runs: its guards and source lines are shown beside those of now
    #[arg(long, value_name = "REV")]
    pub(crate) against: Option<String>,
    /// Report as human or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: ReplayFormat,
}

/// The forms of the report of `weave replay`.
#[cfg(feature = "run")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    Human,
    #[value(name = "jsonl")]
    JsonLines,
}

/// `weave fork`
#[cfg(feature = "run")]
#[derive(Debug, Args)]
pub(crate) struct Fork {
    /// The scroll
    #[arg(value_name = "SCROLL", value_hint = ValueHint::FilePath)]
    pub(crate) scroll: PathBuf,
    /// The number of the first event that is left out, as `weave replay` shows it
    #[arg(long, value_name = "SEQ")]
    pub(crate) at: u64,
    /// Take the workflow from this file or folder; without it, from this folder
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,
    /// The id of the new run; without it, it is made from that of the old one
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
}

/// `weave compile`
#[derive(Debug, Args)]
pub(crate) struct Compile {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Write one file for each workflow, and a manifest, to this folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Write each definition on one line, without spaces
    #[arg(long)]
    pub(crate) compact: bool,
    /// Write nothing; fail and list the files in DIR that are out of date
    #[arg(long, requires = "output")]
    pub(crate) check: bool,
    /// Replace files in DIR that weave did not write, or that were changed since
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Write the catalog of tools: mcp, openai, openai-chat, anthropic, gemini, lash
    ///
    /// Separate several formats with commas; without a name, all are written. Without -o, the named one is printed.
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, value_delimiter = ',', hide_possible_values = true)]
    pub(crate) catalog: Option<Vec<Catalog>>,
}

/// The forms of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Catalog {
    Mcp,
    #[value(name = "openai")]
    OpenAi,
    #[value(name = "openai-chat")]
    OpenAiChat,
    Anthropic,
    Gemini,
    Lash,
}

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

/// A whole number such as `10`.
fn count(text: &str) -> Result<usize, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A limit beyond what fits is never reached.
    if is_number { Ok(text.parse().unwrap_or(usize::MAX)) } else { Err("a whole number is expected, such as `10`".to_owned()) }
}

/// A TCP port.
fn port(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| "a port is expected: a number from 1 to 65535".to_owned())
}

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

/// What there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    Config,
    Definition,
}

/// `weave lsp`
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Communicate over standard input and output (the default)
    #[arg(long, conflicts_with = "socket")]
    stdio: bool,
    /// Connect to an editor that listens on this port of this machine
    #[arg(long, value_name = "PORT", value_parser = port)]
    pub(crate) socket: Option<u16>,
    /// Append the log to this file instead of standard error
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log_file: Option<PathBuf>,
    /// The process id of the editor (accepted for compatibility, and ignored)
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client: Option<u32>,
}

/// `weave gen`
#[derive(Debug, Args)]
pub(crate) struct Gen {
    /// The language: go, python or typescript
    #[arg(value_name = "LANGUAGE", hide_possible_values = true)]
    pub(crate) language: Language,
    /// Files, or folders with .weave files; without any, the current folder
    ///
    /// In folders, hidden files and files that .gitignore or .weaveignore list are skipped.
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Write into this folder, not into that of weave.toml
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Write builders too: programs that put the definitions of the workflows together, and what they are made from
    #[arg(long)]
    pub(crate) builders: bool,
    /// Write what serves tools over MCP, too
    ///
    /// MCP is the Model Context Protocol. In Go and Python, that needs its official SDK; all else does not.
    #[arg(long)]
    pub(crate) mcp: bool,
    /// Write nothing; fail if the folder is out of date, and say which files
    #[arg(long)]
    pub(crate) check: bool,
    /// Replace files in the folder that weave did not write, or that were changed since
    #[arg(long)]
    pub(crate) force: bool,
    /// Also write skeletons of services where there are none: into DIR, that of weave.toml, or `service` beside the output folder
    ///
    /// They are for you to fill in. A file that is there is never touched: what it lacks is printed on standard output.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, value_hint = ValueHint::DirPath)]
    pub(crate) scaffold: Option<Option<PathBuf>>,
    /// Make skeletons from the templates in this folder, as far as it has them, not in that of weave.toml
    #[arg(long, value_name = "DIR", requires = "scaffold", value_hint = ValueHint::DirPath)]
    pub(crate) templates: Option<PathBuf>,
    /// Print the template of this name that comes with weave, to start from, and do nothing else
    #[arg(long, value_name = "NAME")]
    pub(crate) print_template: Option<String>,
}

/// The languages that code is generated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    #[value(name = "go")]
    Go,
    #[value(name = "python", alias = "py")]
    Python,
    #[value(name = "typescript", alias = "ts")]
    TypeScript,
}

impl Language {
    /// The language as generators know it.
    pub(crate) const fn target(self) -> Target {
        match self {
            Self::Go => Target::Go,
            Self::Python => Target::Python,
            Self::TypeScript => Target::TypeScript,
        }
    }
}

/// `weave run`
#[cfg(feature = "run")]
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The workflow: its name in this folder, or a file or folder that has it
    #[arg(value_name = "WORKFLOW", value_hint = ValueHint::AnyPath, required_unless_present = "resume")]
    pub(crate) workflow: Option<String>,
    /// The workflow of the file or folder, if there are several
    #[arg(long = "workflow", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The input: JSON, a file with JSON, or `-` for standard input
    #[arg(short, long, value_name = "INPUT", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// Make all answers up from examples and schemas; without --input, the input too
    #[arg(long)]
    pub(crate) mock: bool,
    /// The id of the run, which every event and each key of idempotency begins with
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Go on with a run that has not ended
    #[arg(long, value_name = "ID", conflicts_with_all = ["workflow", "name", "input", "id", "example"])]
    pub(crate) resume: Option<String>,
    /// The store of runs: a file, or `memory`; with --mock `memory`, else .weave/runs.db beside weave.toml
    #[arg(long, value_name = "STORE", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<PathBuf>,
    /// Stop as soon as the run waits for somebody or for a time
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Print an input that fits, and run nothing
    #[arg(long, conflicts_with_all = ["input", "mock"])]
    pub(crate) example: bool,
    /// How the run is reported: human, or jsonl with each event on a line of standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: RunFormat,
}

/// How a run is reported.
#[cfg(feature = "run")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    Human,
    #[value(name = "jsonl")]
    JsonLines,
}

/// `weave graph`
#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// The workflow to draw, if there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) workflow: Option<String>,
    /// The form: mermaid, dot, svg or json
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<GraphFormat>,
    /// Write into this file, not to standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// The forms of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Mermaid,
    Dot,
    Svg,
    Json,
}
