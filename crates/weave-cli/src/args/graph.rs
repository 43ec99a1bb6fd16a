//! `weave graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::Paths;

pub(super) const HELP: &str = "\
Examples:
  weave graph greet.weave                      a Mermaid flowchart, for Markdown
  weave graph flows/ -o flows.svg              a picture of all workflows
  weave graph flows/ --workflow greet -o a.svg a picture of one
  weave graph greet.weave --format dot         for Graphviz

Without --format, the file extension selects the format: .svg; .dot or .gv; .json; .mmd, .mermaid, .md, .txt \
or none for Mermaid, which is also the default without -o. Nodes with diagnostics are marked. Errors that are not about the graph, such as unknown names, leave nothing to draw.";

/// `weave graph`
#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// The workflow to draw; without it, all of them
    #[arg(long, value_name = "NAME")]
    pub(crate) workflow: Option<String>,
    /// The format: mermaid, dot, svg or json
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<GraphFormat>,
    /// Write to this file instead of standard output
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
