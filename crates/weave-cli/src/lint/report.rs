//! What is said about findings, and how the command ends.

use weave_compiler::Snapshot;
use weave_diagnostics::{Diagnostic, Severity, bounded, counted};

use crate::args;
use crate::failure::{Exit, Failure};
use crate::report::{self, Looked};
use crate::terminal::Terminal;

/// Reports findings, and decides on the exit code.
pub(crate) fn report(
    found: &[Diagnostic],
    snapshot: &Snapshot,
    files: usize,
    arguments: &args::Lint,
    terminal: Terminal,
) -> Result<Exit, Failure> {
    let warnings = found.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let found = &bounded(found.to_vec());
    let nothing = format!("No findings in {}.", counted(files, "file"));
    report::report(found, snapshot, &arguments.report, &Looked { files, nothing }, terminal)?;
    let too_many = arguments.max_warnings.filter(|most| warnings > *most);
    if let Some(most) = too_many {
        terminal.say(format!("{}, and at most {most} are allowed", counted(warnings, "warning")));
    }
    Ok(if found.iter().any(Diagnostic::is_error) || too_many.is_some() { Exit::Errors } else { Exit::Clean })
}
