//! `weave lint`: what it reads, what it finds, and what becomes of the findings, a module each.

mod baseline;
mod report;
mod watch;
mod work;

use weave_diagnostics::Diagnostic;

use crate::args;
use crate::compile::merged;
use crate::failure::{Exit, Failures};
use crate::input::gather;
use crate::lint::baseline::Baselines;
use crate::lint::work::Work;
use crate::read::Disk;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    if arguments.watch { watch::watch(&arguments.paths.paths, terminal, || once(arguments, terminal)) } else { once(arguments, terminal) }
}

fn once(arguments: &args::Lint, terminal: Terminal) -> Result<Exit, Failures> {
    let inputs = gather(&arguments.paths.paths)?;
    let work = Work::new(&inputs, arguments.config.as_deref())?;
    if !work.configs.diagnostics.is_empty() {
        terminal.report(&work.configs.diagnostics, &work.configs.sources);
        return Ok(Exit::Unusable);
    }
    let baselines = Baselines::read(arguments, &work.configs, &inputs)?;
    if !baselines.diagnostics.is_empty() {
        terminal.report(&baselines.diagnostics, &baselines.sources);
        return Ok(Exit::Unusable);
    }
    let files = inputs.len();
    let snapshot = weave_compiler::check(inputs, &Disk);
    let found: Vec<Diagnostic> = merged(snapshot.diagnostics(), work.findings(&snapshot));
    if arguments.write_baseline.is_some() && !snapshot.has_errors() {
        return baselines.write(&found, &snapshot, &work.configs, terminal);
    }
    let (found, remarks) = baselines.only_new(found, &snapshot);
    let exit = report::report(&found, &snapshot, files, arguments, terminal)?;
    remarks.iter().for_each(|remark| terminal.remark(remark));
    if arguments.write_baseline.is_some() {
        terminal.remark("Nothing was written.");
    }
    Ok(exit)
}
