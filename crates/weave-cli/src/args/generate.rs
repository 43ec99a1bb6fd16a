//! `weave gen`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use weave_codegen::Target;

pub(super) const HELP: &str = "\
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
    /// Write to this folder instead of the one in weave.toml
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
    /// Write builders too: programs that put the definitions of the workflows together, and what they are made from
    #[arg(long)]
    pub(crate) builders: bool,
    /// Also write code that serves the tools over MCP
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
    /// Also write skeletons of services where there are none: into DIR, that of weave.toml, or `service` next to the output folder
    ///
    /// They are for you to complete. An existing file is never changed: what it lacks is printed on standard output.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, value_hint = ValueHint::DirPath)]
    pub(crate) scaffold: Option<Option<PathBuf>>,
    /// Make skeletons from the templates in this folder, as far as it has them, not in that of weave.toml
    #[arg(long, value_name = "DIR", requires = "scaffold", value_hint = ValueHint::DirPath)]
    pub(crate) templates: Option<PathBuf>,
    /// Print the built-in template with this name, to start from, and exit
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
