//! The `weave` command line: the only part of the program that touches files, the environment and standard streams.
//!
//! It is a library, so that [`reference()`] can be generated from the declarations of the commands; the program is `main.rs`.

mod args;
mod catalog;
mod compile;
mod config;
mod diff;
mod explain;
mod failure;
mod folder;
mod format;
mod generate;
mod go_module;
mod graph;
mod ignores;
mod init;
mod input;
mod lint;
mod lsp;
mod manual;
mod printed;
mod read;
mod reference;
#[cfg(feature = "run")]
mod replay;
mod report;
#[cfg(feature = "run")]
mod run;
mod scaffold;
#[cfg(feature = "run")]
mod store;
mod templates;
mod terminal;
mod test;
mod walk;
mod write;

use clap::Parser;
use clap::error::ErrorKind;
use weave_diagnostics::Charset;

use crate::args::{Arguments, Command, Schema, When};
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;

pub use reference::reference;

/// Runs the command that the arguments of this process name, and returns its exit code.
#[must_use]
pub fn main() -> i32 {
    run().code()
}

fn run() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return not_understood(&error),
    };
    let terminal = Terminal::new(arguments.global);
    match dispatch(&arguments.command, terminal) {
        Ok(exit) => exit,
        Err(failures) => {
            failures.iter().for_each(|failure| terminal.fail(failure));
            failures.iter().map(failure::Failure::exit).max().unwrap_or(Exit::Unusable)
        }
    }
}

fn dispatch(command: &Command, terminal: Terminal) -> Result<Exit, Failures> {
    match command {
        Command::Compile(arguments) => compile::compile(arguments, terminal),
        Command::Check(arguments) => compile::check(arguments, terminal),
        Command::Lint(arguments) => lint::run(arguments, terminal),
        Command::Test(arguments) => test::run(arguments, terminal),
        Command::Diff(arguments) => diff::run(arguments, terminal),
        Command::Fmt(arguments) => format::run(arguments, terminal),
        Command::Graph(arguments) => graph::run(arguments, terminal),
        Command::Gen(arguments) => generate::run(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Run(arguments) => run::run(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Runs(arguments) => store::runs(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Show(arguments) => store::show(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Send(arguments) => store::send(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Answer(arguments) => store::answer(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Cancel(arguments) => store::cancel(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Export(arguments) => store::export(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Prune(arguments) => store::prune(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Backup(arguments) => store::backup(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Replay(arguments) => replay::run(arguments, terminal),
        #[cfg(feature = "run")]
        Command::Fork(arguments) => replay::fork(arguments, terminal),
        Command::Init(arguments) => init::run(arguments, terminal),
        Command::Schema { what } => print(Printed::json(&schema(*what)), terminal),
        Command::Lsp(arguments) => lsp::run(arguments),
        Command::Explain { id } => explain::run(id.as_deref(), terminal),
        Command::Completions { shell } => manual::completions(*shell, terminal),
        Command::Man => manual::man(terminal),
        Command::Ast { path } => print(Printed::drawn(&weave_compiler::debug::ast(&input::one(path)?.text)), terminal),
        Command::Tokens { path } => print(Printed::drawn(&weave_compiler::debug::tokens(&input::one(path)?.text)), terminal),
    }
}

/// The schema of what people and programs write.
fn schema(what: Schema) -> String {
    match what {
        Schema::Config => weave_compiler::lint::config_schema_text(),
        Schema::Definition => weave_ir::json_schema_text(),
    }
}

fn print(text: Printed, terminal: Terminal) -> Result<Exit, Failures> {
    terminal.print(&text)?;
    Ok(Exit::Clean)
}

/// Help and version were asked for, or the arguments make no sense.
fn not_understood(error: &clap::Error) -> Exit {
    let terminal = Terminal::with_color(wanted_color(std::env::args_os()));
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !asked_for {
        // The error repeats the arguments, so it is made again from escaped ones.
        let escaped = std::env::args_os().map(|argument| Charset::Unicode.line(&argument.to_string_lossy()));
        match Arguments::try_parse_from(escaped) {
            Err(error) => terminal.usage(&error),
            Ok(_) => terminal.fail(&Failure::new("an argument has characters that cannot be displayed, so it cannot be parsed")),
        }
        return Exit::Unusable;
    }
    let text = if terminal.colors_output() { error.render().ansi().to_string() } else { error.render().to_string() };
    match terminal.print(&Printed::drawn(&text)) {
        Ok(()) => Exit::Clean,
        Err(failure) => {
            terminal.fail(&failure);
            failure.exit()
        }
    }
}

/// What `--color` says in arguments that could not be understood otherwise.
fn wanted_color(arguments: impl Iterator<Item = std::ffi::OsString>) -> When {
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let value = arguments.iter().enumerate().find_map(|(index, argument)| match argument.strip_prefix("--color") {
        Some("") => arguments.get(index + 1).map(String::as_str),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    match value {
        Some("always") => When::Always,
        Some("never") => When::Never,
        _ => When::Auto,
    }
}
