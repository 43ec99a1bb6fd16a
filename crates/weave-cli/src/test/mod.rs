//! `weave test`: plays the tests of files, and reports what failed and what no test reaches, a module each.

mod coverage;
mod explore;
mod fix;
mod report;
mod scrolls;

use std::path::PathBuf;
use std::time::Instant;

use weave_compiler::{CompiledTests, Snapshot};
use weave_diagnostics::{Charset, Diagnostic, FileId, counted};
use weave_testing::{Filter, Played, list, play};

use crate::args;
use crate::compile::merged;
use crate::failure::{Exit, Failure, Failures};
use crate::input::gather_files;
use crate::lint::watch;
use crate::printed::Printed;
use crate::terminal::Terminal;

/// The tests of files, and what playing them came to.
pub(crate) struct Run {
    pub(crate) snapshot: Snapshot,
    pub(crate) played: Played,
    /// The files by their ids, as far as they are on the disk.
    pub(crate) paths: Vec<Option<PathBuf>>,
    /// How long playing them took.
    pub(crate) milliseconds: u128,
}

pub(crate) fn run(arguments: &args::Test, terminal: Terminal) -> Result<Exit, Failures> {
    let paths = arguments.paths();
    if arguments.watch { watch::watch(&paths, terminal, || once(arguments, terminal)) } else { once(arguments, terminal) }
}

fn once(arguments: &args::Test, terminal: Terminal) -> Result<Exit, Failures> {
    if arguments.explore.is_some() || arguments.suggest.is_some() {
        return explore::run(arguments, terminal);
    }
    let mut run = match played(arguments, terminal)? {
        None => return Ok(Exit::Errors),
        Some(Found::Listed(text)) => {
            terminal.print(&text)?;
            return Ok(Exit::Clean);
        }
        Some(Found::Nothing(files)) => return nothing(&files, arguments, terminal),
        Some(Found::Played(run)) => *run,
    };
    if arguments.fix {
        let mut written = 0;
        while let Some(count) = fix::write(&run)? {
            written += count;
            match played(arguments, terminal)? {
                Some(Found::Played(next)) if written < fix::MOST => run = *next,
                _ => break,
            }
        }
        terminal.remark(format!("{} written.", counted(written, "line")));
    }
    let scrolls = match &arguments.scrolls {
        Some(folder) => scrolls::compare(&run, folder, arguments.update, terminal)?,
        None => true,
    };
    report::report(&run, arguments, terminal)?;
    let enough = coverage::report(&run, arguments, terminal)?;
    Ok(if run.played.failed() == 0 && scrolls && enough { Exit::Clean } else { Exit::Errors })
}

/// What there is to say before tests are reported.
enum Found {
    /// The list that was asked for.
    Listed(Printed),
    /// There is no such test; in how many files.
    Nothing(String),
    /// The tests were played.
    Played(Box<Run>),
}

/// The program of files, its tests, and the files as far as they are on the disk.
type Read = (Snapshot, CompiledTests, Vec<Option<PathBuf>>);

/// Reads the files; nothing if they have errors, which are reported.
fn read(arguments: &args::Test, terminal: Terminal) -> Result<Option<Read>, Failures> {
    let files = gather_files(&arguments.paths())?;
    let (paths, inputs): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let snapshot = weave_compiler::check(inputs, &crate::read::Disk);
    let (tests, lowering) = match snapshot.tests() {
        Ok(tests) => (tests, Vec::new()),
        Err(diagnostics) => (CompiledTests::default(), diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), lowering);
    let is_wrong = diagnostics.iter().any(Diagnostic::is_error);
    terminal.report(&diagnostics, snapshot.sources());
    Ok((!is_wrong).then_some((snapshot, tests, paths)))
}

/// Plays the tests; nothing if the files have errors, which are reported.
fn played(arguments: &args::Test, terminal: Terminal) -> Result<Option<Found>, Failures> {
    let Some((snapshot, tests, paths)) = read(arguments, terminal)? else { return Ok(None) };
    let count = paths.len();
    let filter = Filter { paths: arguments.filter.clone() };
    let listed = list(&tests, &filter);
    if listed.is_empty() {
        return Ok(Some(Found::Nothing(counted(count, "file"))));
    }
    if arguments.list {
        let name = |file: FileId| Charset::Unicode.line(snapshot.sources().name(file));
        let lines = listed.iter().flat_map(|(file, paths)| paths.iter().map(move |path| format!("{}  {path}", name(*file))));
        return Ok(Some(Found::Listed(Printed::lines(lines))));
    }
    let begun = Instant::now();
    let played = play(&snapshot, &tests, &filter, &|| begun.elapsed());
    let milliseconds = begun.elapsed().as_millis();
    // The first file is the prelude.
    let paths = std::iter::once(None).chain(paths).collect();
    Ok(Some(Found::Played(Box::new(Run { snapshot, played, paths, milliseconds }))))
}

/// No test was found.
fn nothing(files: &str, arguments: &args::Test, terminal: Terminal) -> Result<Exit, Failures> {
    let message = match arguments.filter.as_slice() {
        [] => format!("there is no test in {files}"),
        [only] => format!("no test is named `{only}` in {files}"),
        _ => format!("no test has one of these paths in {files}"),
    };
    if arguments.allow_empty {
        terminal.remark(format!("{}.", capital(&message)));
        return Ok(Exit::Clean);
    }
    let help = match arguments.filter.as_slice() {
        [] => "a test is written `test NAME of WORKFLOW { … }`; `--allow-empty` accepts this",
        _ => "`weave test --list` prints the paths of all tests",
    };
    Err(Failure::new(message).help(help).into())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
