//! `weave lint`.

use std::path::Path;

use weave_compiler::lint::{Day, Options};
use weave_diagnostics::{Diagnostic, FileId, Severity, counted};

use crate::args;
use crate::compile::merged;
use crate::config::Configs;
use crate::failure::{Exit, Failures};
use crate::input::gather;
use crate::read::Disk;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.len();
    let mut configs = Configs::new(arguments.config.as_deref())?;
    for input in &inputs {
        configs.find(Path::new(&input.path))?;
    }
    if !configs.diagnostics.is_empty() {
        terminal.report(&configs.diagnostics, &configs.sources);
        return Ok(Exit::Unusable);
    }
    let snapshot = weave_compiler::check(inputs, &Disk);
    let settings = |file: FileId| configs.of(Path::new(snapshot.sources().name(file)));
    let found = merged(snapshot.diagnostics(), snapshot.lint(&Options { settings: &settings, today: Some(today()) }));
    terminal.report(&found, snapshot.sources());
    if found.is_empty() {
        terminal.remark(&format!("No findings in {}.", counted(files, "file")));
    }
    let warnings = found.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let too_many = arguments.max_warnings.filter(|most| warnings > *most);
    if let Some(most) = too_many {
        terminal.say(&format!("{}, and at most {most} are allowed\n", counted(warnings, "warning")));
    }
    Ok(if found.iter().any(Diagnostic::is_error) || too_many.is_some() { Exit::Errors } else { Exit::Clean })
}

/// The day of the clock, in the time zone that all machines share.
fn today() -> Day {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Day::since_1970(seconds / 86_400)
}
