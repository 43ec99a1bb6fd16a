//! `weave lint`: what it reads, what it finds, and what becomes of the findings, a module each.

mod baseline;
mod fix;
mod report;
pub(crate) mod watch;
mod work;

pub(crate) use work::today;

use weave_compiler::{Input, Snapshot};
use weave_diagnostics::Diagnostic;

use crate::args;
use crate::failure::{Exit, Failures};
use crate::input::gather_files;
use crate::lint::baseline::Baselines;
use crate::lint::work::Work;
use crate::report::refuse_output;
use crate::terminal::Terminal;

/// A program, and what is said about it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) snapshot: Snapshot,
    pub(crate) found: Vec<Diagnostic>,
}

pub(crate) fn run(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    if arguments.watch { watch::watch(&arguments.paths.paths, terminal, || once(arguments, terminal)) } else { once(arguments, terminal) }
}

fn once(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    let files = gather_files(&arguments.paths.paths)?;
    let named = [arguments.config.as_deref(), arguments.baseline.as_deref()];
    refuse_output(&arguments.report, files.iter().filter_map(|(path, _)| path.as_deref()).chain(named.into_iter().flatten()))?;
    let work = Work::new(files.iter().map(|(_, input)| input), arguments.config.as_deref())?;
    if !work.configs.diagnostics.is_empty() {
        terminal.report(&work.configs.diagnostics, &work.configs.sources);
        return Ok(Exit::Unusable);
    }
    let baselines = Baselines::read(arguments, &work.configs, files.iter().map(|(_, input)| input))?;
    if !baselines.diagnostics.is_empty() {
        terminal.report(&baselines.diagnostics, &baselines.sources);
        return Ok(Exit::Unusable);
    }
    let count = files.len();
    let (seen, failures) = match fix::wanted(arguments) {
        None => {
            let inputs: Vec<Input> = files.into_iter().map(|(_, input)| input).collect();
            (work.look(inputs), Failures::new())
        }
        Some(applicability) => match fix::mend(files, &work, applicability, arguments, terminal)? {
            Some(left) => left,
            None => return Ok(Exit::Errors),
        },
    };
    let exit = said(seen, &baselines, &work, count, arguments, terminal)?;
    if failures.is_empty() { Ok(exit) } else { Err(failures) }
}

/// Reports what was found, or writes it into the baseline.
fn said(
    seen: Seen,
    baselines: &Baselines,
    work: &Work,
    files: usize,
    arguments: &args::Lint,
    terminal: Terminal,
) -> Result<Exit, Failures> {
    let Seen { snapshot, found } = seen;
    if arguments.write_baseline.is_some() && !snapshot.has_errors() {
        return baselines.write(&found, &snapshot, &work.configs, terminal);
    }
    let (found, remarks) = baselines.only_new(found, &snapshot);
    let exit = report::report(&found, &snapshot, files, arguments, terminal)?;
    remarks.into_iter().for_each(|remark| terminal.remark(remark));
    if arguments.write_baseline.is_some() {
        terminal.remark("Nothing was written.");
    }
    if !arguments.watch {
        // The process ends now, and the system takes a program apart faster.
        std::mem::forget(snapshot);
    }
    Ok(exit)
}
