//! The project's own commands: `cargo xtask test` runs every check, `cargo xtask generate` writes what is generated.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command that a person starts talks to the terminal")]

mod changes;
mod dist;
mod drawings;
mod ebnf;
mod generate;
mod pages;
mod picture;
mod queries;
mod replays;
mod settings;
mod stages;
mod textmate;
mod tree_sitter;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test               run all checks: format, generated files, clippy, tests, documentation
  generate           write the generated files
  generate --check   fail if a generated file is not current
  dist               build the release for this platform, and write its packages into target/dist
                     (--binary FILE: pack this binary; --target TARGET; --out DIR)
  dist --index DIR   write checksums, install scripts and manifests for the archives of all platforms in DIR";

/// What can go wrong, in words for the person who started the command.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
    let outcome = match arguments.as_slice() {
        ["test"] => stages::run(&root()),
        ["generate"] => generate::write(&root()),
        ["generate", "--check"] => generate::check(&root()),
        ["dist", arguments @ ..] => dist::run(&root(), arguments),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
