//! `weave compile` and `weave check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::{Paths, Report};

pub(super) const HELP: &str = "\
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

/// `weave check`
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) paths: Paths,
    #[command(flatten)]
    pub(crate) report: Report,
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
