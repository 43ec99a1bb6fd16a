//! `weave lint`.

use weave_compiler::lint::{Day, Levels, Options};
use weave_diagnostics::{Diagnostic, counted};

use crate::args;
use crate::compile::merged;
use crate::failure::{Exit, Failures};
use crate::input::gather;
use crate::read::Disk;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.len();
    let snapshot = weave_compiler::check(inputs, &Disk);
    let levels = |_| Levels::default();
    let found = merged(snapshot.diagnostics(), snapshot.lint(&Options { levels: &levels, today: Some(today()) }));
    terminal.report(&found, snapshot.sources());
    if found.is_empty() {
        terminal.remark(&format!("No findings in {}.", counted(files, "file")));
    }
    Ok(if found.iter().any(Diagnostic::is_error) { Exit::Errors } else { Exit::Clean })
}

/// The day of the clock, in the time zone that all machines share.
fn today() -> Day {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Day::since_1970(seconds / 86_400)
}
