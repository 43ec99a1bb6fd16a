//! `weave replay` and `weave fork`: recorded scrolls through the definitions of today.

mod report;
mod scrolls;
mod show;
mod to_test;
mod versions;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use weave_diagnostics::SourceMap;
use weave_replay::{Problem, Replay, Verdict, codes};
use weave_runner::{Event, Prepared};

use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::printed::Printed;
use crate::report::refuse_output;
use crate::terminal::Terminal;
use versions::Versions;

/// What one file came to.
pub(crate) enum Outcome {
    /// It was replayed; with the workflow that it is a run of.
    Replayed { workflow: String, verdict: Verdict },
    /// It is not a scroll that can be replayed.
    Bad(Problem),
}

impl Outcome {
    /// The word for it in lists.
    const fn word(&self) -> &'static str {
        match self {
            Self::Replayed { verdict, .. } => verdict.word(),
            Self::Bad(_) => "broken",
        }
    }
}

pub(crate) fn run(arguments: &args::Replay, terminal: Terminal) -> Result<Exit, Failures> {
    let files = scrolls::files(&arguments.scrolls)?;
    if files.is_empty() {
        let failure = Failure::new("there is no scroll here");
        return Err(failure.help("a scroll is a file with the ending .jsonl, as `weave run --format jsonl` writes it").into());
    }
    refuse_output(&arguments.report, files.iter().map(AsRef::as_ref))?;
    if arguments.to_test {
        return to_test::run(&files, arguments, terminal);
    }
    let mut sources = SourceMap::new();
    let Some(versions) = Versions::read(arguments, &mut sources, terminal)? else { return Ok(Exit::Errors) };
    if arguments.show {
        return show::run(&files, &versions, &sources, terminal);
    }
    let outcomes: Vec<Outcome> = files.par_iter().map(|file| replayed(file, &versions)).collect();
    if arguments.list {
        for (file, outcome) in files.iter().zip(&outcomes) {
            terminal.print(&Printed::json(&report::line(&display(file), outcome)))?;
        }
    }
    report::report(&files, &outcomes, &versions, sources, arguments, terminal)?;
    let breaks = |outcome: &Outcome| !matches!(outcome, Outcome::Replayed { verdict: Verdict::Same, .. });
    Ok(if outcomes.iter().any(breaks) { Exit::Errors } else { Exit::Clean })
}

/// Replays one file, event by event.
fn replayed(file: &Path, versions: &Versions) -> Outcome {
    let mut lines = scrolls::Reader::open(file);
    let mut replay: Option<(String, Replay)> = None;
    loop {
        let event = match lines.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(problem) => return Outcome::Bad(problem),
        };
        let (_, replay) = match &mut replay {
            Some(replay) => replay,
            None => match versions.of(&event) {
                Ok((workflow, then, now)) => replay.insert((workflow, Replay::new(then, now))),
                Err(problem) => return Outcome::Bad(problem),
            },
        };
        replay.push(&event);
    }
    match replay {
        Some((workflow, replay)) => Outcome::Replayed { workflow, verdict: replay.finish() },
        None => Outcome::Bad(Problem::new(&codes::SCROLL_GAP, 1, "the file has no event")),
    }
}

/// The events of one file.
fn events(file: &Path) -> Result<Vec<Event>, Failure> {
    let mut lines = scrolls::Reader::open(file);
    let mut events = Vec::new();
    loop {
        match lines.next() {
            Ok(Some(event)) => events.push(event),
            Ok(None) => return Ok(events),
            Err(problem) => return Err(bad(&display(file), &problem)),
        }
    }
}

/// `weave fork`: the beginning of a scroll as a new run, on standard output.
pub(crate) fn fork(arguments: &args::Fork, terminal: Terminal) -> Result<Exit, Failures> {
    let name = display(&arguments.scroll);
    let events = events(&arguments.scroll)?;
    let mut sources = SourceMap::new();
    let Some(versions) = Versions::now(&arguments.with, &mut sources, terminal)? else { return Ok(Exit::Errors) };
    let first = events.first().ok_or_else(|| Failure::new(format!("`{name}` has no event")))?;
    let (_, _, now): (_, _, Arc<Prepared>) = versions.of(first).map_err(|problem| bad(&name, &problem))?;
    if arguments.at == 0 || arguments.at > events.len() as u64 {
        let failure = Failure::new(format!("`{name}` has no event {} to fork at", arguments.at));
        return Err(failure.help(format!("--at takes a number from 1 to {}", events.len())).into());
    }
    let run = arguments.id.clone().unwrap_or_else(|| format!("{}-fork-{}", first.id, arguments.at));
    if run.contains(['/', '@']) || run.is_empty() {
        return Err(Failure::new("the id of a run has no `/` and no `@`").into());
    }
    let forked = weave_replay::fork(&events, arguments.at, &run, &now).map_err(|error| Failure::new(format!("`{name}`: {error}")))?;
    let mut text = String::new();
    for event in &forked {
        text += &serde_json::to_string(event).unwrap_or_default();
        text.push('\n');
    }
    terminal.print(&Printed::json(&text))?;
    terminal.remark(format!("{run} has the first {} of {name}.", weave_diagnostics::counted(forked.len(), "event")));
    Ok(Exit::Clean)
}

fn bad(name: &str, problem: &Problem) -> Failure {
    let failure = Failure::new(format!("{name}:{}: {}", problem.line, problem.message)).in_files();
    problem.help.iter().fold(failure, |failure, help| failure.help(help.clone()))
}
