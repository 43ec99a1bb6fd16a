//! What is said about findings, and how the command ends.

use weave_diagnostics::{Diagnostic, Severity, SourceMap, counted};

use crate::args;
use crate::failure::Exit;
use crate::terminal::Terminal;

/// Draws findings, and decides on the exit code.
pub(crate) fn report(found: &[Diagnostic], sources: &SourceMap, files: usize, arguments: &args::Lint, terminal: Terminal) -> Exit {
    terminal.report(found, sources);
    if found.is_empty() {
        terminal.remark(&format!("No findings in {}.", counted(files, "file")));
    }
    let warnings = found.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let too_many = arguments.max_warnings.filter(|most| warnings > *most);
    if let Some(most) = too_many {
        terminal.say(&format!("{}, and at most {most} are allowed\n", counted(warnings, "warning")));
    }
    if found.iter().any(Diagnostic::is_error) || too_many.is_some() { Exit::Errors } else { Exit::Clean }
}
