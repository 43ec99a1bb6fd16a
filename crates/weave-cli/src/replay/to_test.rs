//! `weave replay --to-test`: recorded scrolls as tests.

use std::path::PathBuf;

use weave_diagnostics::Charset;
use weave_scenario::{Subject, recorded};
use weave_testing::{checked, written};

use super::events;
use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::input::{display, gather_files};
use crate::printed::Printed;
use crate::terminal::Terminal;

/// The ending of the names of scrolls.
const ENDING: &str = ".jsonl";

pub(super) fn run(files: &[PathBuf], arguments: &args::Replay, terminal: Terminal) -> Result<Exit, Failures> {
    let with = if arguments.with.is_empty() { vec![PathBuf::from(".")] } else { arguments.with.clone() };
    let (_, inputs): (Vec<_>, Vec<_>) = gather_files(&with)?.into_iter().unzip();
    let snapshot = weave_compiler::check(inputs, &crate::read::Disk);
    let compiled = match snapshot.compile() {
        Ok(compiled) if !snapshot.has_errors() => compiled,
        Ok(_) => {
            terminal.report(snapshot.diagnostics(), snapshot.sources());
            return Ok(Exit::Errors);
        }
        Err(diagnostics) => {
            terminal.report(&diagnostics, snapshot.sources());
            return Ok(Exit::Errors);
        }
    };
    let mut failures = Failures::new();
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let shown = display(file);
        let wrong = |message: String| Failure::new(format!("`{shown}`: {message}")).in_files();
        let events = match events(file) {
            Ok(events) => events,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        let workflow = events.first().and_then(|event| event.data()?.get("workflow")?.as_str()).unwrap_or_default();
        let Some(definition) = compiled.iter().find(|compiled| compiled.definition.workflow == workflow) else {
            failures.push(wrong(format!("there is no workflow `{workflow}` here")).help("name its file with `--with`"));
            continue;
        };
        let subject = Subject::new(weave_runner::Prepared::new(definition.definition.clone()), None);
        let name = name(&shown, &names);
        let test = recorded(&subject, &events, &name);
        let test = test.and_then(|script| checked(&snapshot, definition, &written(&script)).map_err(|error| error.to_string()));
        match test {
            Ok(text) => {
                let text: String = text.chars().map(|it| if it == '\n' { it } else { Charset::Unicode.visible(it) }).collect();
                terminal.print(&Printed::exact(if names.is_empty() { text } else { format!("\n{text}") }))?;
                names.push(name);
            }
            Err(reason) => failures.push(wrong(format!("it cannot be written as a test that passes: {reason}"))),
        }
    }
    if failures.is_empty() { Ok(Exit::Clean) } else { Err(failures) }
}

/// A name for the test of a file: `recorded_support_61c0`.
fn name(file: &str, taken: &[String]) -> String {
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(ENDING);
    let letters = stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    let name = format!("recorded_{}", letters.collect::<String>());
    let mut free = name.clone();
    let mut number = 2;
    while taken.contains(&free) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}
