//! `weave compile` and `weave check`.

use std::mem::ManuallyDrop;

use weave_compiler::{Compiled, Input, Snapshot};
use weave_diagnostics::{Diagnostic, counted, sort_and_dedup};

use crate::args;
use crate::catalog;
use crate::failure::{Exit, Failure, Failures};
use crate::folder::{self, Plan, Produced};
use crate::input::{display, gather};
use crate::printed::Printed;
use crate::read::Disk;
use crate::report::{self, Looked};
use crate::terminal::Terminal;

pub(crate) fn check(arguments: &args::Check, terminal: Terminal) -> Result<Exit, Failures> {
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.len();
    let snapshot = checked(inputs);
    let nothing = format!("No problems in {}.", counted(files, "file"));
    report::report(snapshot.diagnostics(), &snapshot, &arguments.report, &Looked { files, nothing }, terminal)?;
    Ok(if snapshot.has_errors() { Exit::Errors } else { Exit::Clean })
}

pub(crate) fn compile(arguments: &args::Compile, terminal: Terminal) -> Result<Exit, Failures> {
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.iter().map(|input| input.path.clone()).collect::<Vec<_>>();
    let snapshot = checked(inputs);
    let (compiled, lowering) = match snapshot.compile() {
        Ok(compiled) => (compiled, Vec::new()),
        Err(diagnostics) => (Vec::new(), diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), lowering);
    terminal.report(&diagnostics, snapshot.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        if arguments.output.is_some() && !arguments.check {
            terminal.remark("Nothing was written.");
        }
        return Ok(Exit::Errors);
    }
    let sources = snapshot.sources();
    let produced = compiled.into_iter().map(|compiled| Produced { source: sources.name(compiled.file).to_owned(), compiled });
    let produced = produced.collect::<Vec<_>>();
    let Some(output) = &arguments.output else {
        if let Some(asked) = &arguments.catalog {
            return catalog::print(&snapshot, arguments, asked, terminal);
        }
        terminal.print(&Printed::json(&definition(the_only(&produced, &files)?, arguments.compact)?))?;
        return Ok(Exit::Clean);
    };
    let asked = arguments.catalog.as_ref();
    let catalogs = asked.map(|asked| catalog::catalogs(&snapshot, asked, arguments.compact, terminal)).transpose()?;
    let plan = Plan::new(produced, catalogs.unwrap_or_default(), arguments.compact)?;
    let run = if arguments.check { folder::compare } else { folder::write };
    run(&plan, output, arguments.force, terminal)
}

/// What these files mean. It is never taken apart again, which would take a tenth of the time of a check: the system does that faster when the
/// process ends.
pub(crate) fn checked(inputs: Vec<Input>) -> ManuallyDrop<Snapshot> {
    ManuallyDrop::new(weave_compiler::check(inputs, &Disk))
}

/// The text of a definition.
pub(crate) fn definition(compiled: &Compiled, compact: bool) -> Result<String, Failure> {
    let text = match compact {
        true => compiled.definition.to_json_compact().map(|text| text + "\n"),
        false => compiled.definition.to_json_pretty(),
    };
    text.map_err(|error| not_written(&compiled.name, &error))
}

/// The compiler has refused what cannot be written, so this is a mistake of this program; it still ends in words.
pub(crate) fn not_written(workflow: &str, error: &weave_ir::Error) -> Failure {
    Failure::new(format!("cannot write the definition of `{workflow}`: {error}")).help("this is a bug in weave; please report it")
}

/// What checking and lowering had to say, in the order of the files.
pub(crate) fn merged(diagnostics: &[Diagnostic], more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut all = diagnostics.to_vec();
    if !more.is_empty() {
        all.extend(more);
        sort_and_dedup(&mut all);
    }
    all
}

/// The workflow that goes to standard output, which holds one.
fn the_only<'a>(produced: &'a [Produced], files: &[String]) -> Result<&'a Compiled, Failure> {
    const MOST_LISTED: usize = 10;
    match produced {
        [only] => Ok(&only.compiled),
        [] => {
            let place = match files {
                [file] => format!("`{file}`"),
                several => counted(several.len(), "file"),
            };
            Err(Failure::new(format!("there is no workflow in {place}, so there is no definition to print"))
                .help("use `weave check` for files without a workflow"))
        }
        several => {
            let mut failure = Failure::new(format!("there are {}, but standard output takes one", counted(several.len(), "workflow")));
            for Produced { compiled, source } in several.iter().take(MOST_LISTED) {
                failure = failure.detail(format!("{} in {source}", compiled.name));
            }
            if several.len() > MOST_LISTED {
                failure = failure.detail(format!("… and {} more", several.len() - MOST_LISTED));
            }
            Err(failure.help("write one file for each of them to a folder with `-o DIR`"))
        }
    }
}

/// Why a file could not be written.
pub(crate) fn cannot_write(path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write `{}`: {}", display(path), crate::failure::reason(error)))
}
