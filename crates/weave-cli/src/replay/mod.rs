//! `weave replay` and `weave fork`: recorded scrolls through the definitions of today.

mod report;
mod scrolls;
mod versions;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use weave_diagnostics::SourceMap;
use weave_replay::{Problem, Replay, Verdict};
use weave_runner::{Event, Prepared};

use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::terminal::Terminal;
use report::Reported;
use versions::Versions;

/// What became of one file.
pub(crate) enum Outcome {
    /// It was replayed; with the workflow that it is a run of.
    Replayed { workflow: String, verdict: Verdict },
    /// It is not a scroll that can be replayed.
    Bad(Problem),
}

pub(crate) fn run(arguments: &args::Replay, terminal: Terminal) -> Result<Exit, Failures> {
    let files = scrolls::files(&arguments.scrolls)?;
    if files.is_empty() {
        let failure = Failure::new("there is no scroll here");
        return Err(failure.help("a scroll is a .jsonl file, as `weave export` writes it").into());
    }
    let mut sources = SourceMap::new();
    let Some(versions) = Versions::read(arguments, &mut sources, terminal)? else { return Ok(Exit::Errors) };
    let outcomes: Vec<Outcome> = files.par_iter().map(|file| replayed(file, &versions)).collect();
    let reported: Vec<Reported<'_>> = files
        .iter()
        .zip(&outcomes)
        .map(|(file, outcome)| Reported { file: display(file), outcome, versions: &versions, sources: &sources })
        .collect();
    match arguments.format {
        args::ReplayFormat::Human => {
            reported.iter().filter_map(Reported::lines).flatten().try_for_each(|line| terminal.print(&line))?;
            terminal.remark(report::summary(&outcomes, &versions));
        }
        args::ReplayFormat::JsonLines => reported.iter().try_for_each(|one| terminal.print(&one.json()))?,
    }
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
                Err(message) => return Outcome::Bad(Problem { line: 1, message, help: None }),
            },
        };
        replay.push(&event);
    }
    match replay {
        Some((workflow, replay)) => Outcome::Replayed { workflow, verdict: replay.finish() },
        None => Outcome::Bad(Problem { line: 1, message: "the file has no event".to_owned(), help: None }),
    }
}

/// `weave fork`: the beginning of a scroll as a new run, on standard output.
pub(crate) fn fork(arguments: &args::Fork, terminal: Terminal) -> Result<Exit, Failures> {
    let mut lines = scrolls::Reader::open(&arguments.scroll);
    let name = display(&arguments.scroll);
    let mut events: Vec<Event> = Vec::new();
    loop {
        match lines.next() {
            Ok(Some(event)) => events.push(event),
            Ok(None) => break,
            Err(problem) => return Err(bad(&name, &problem).into()),
        }
    }
    let mut sources = SourceMap::new();
    let Some(versions) = Versions::now(&arguments.with, &mut sources, terminal)? else { return Ok(Exit::Errors) };
    let first = events.first().ok_or_else(|| Failure::new(format!("`{name}` has no event")))?;
    let (_, _, now): (_, _, Arc<Prepared>) = versions.of(first).map_err(|message| Failure::new(format!("`{name}`: {message}")))?;
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
    terminal.print(&text)?;
    terminal.remark(format!("{run} has the first {} of {name}.", weave_diagnostics::counted(forked.len(), "event")));
    Ok(Exit::Clean)
}

fn bad(name: &str, problem: &Problem) -> Failure {
    let failure = Failure::new(format!("{name}:{}: {}", problem.line, problem.message)).in_files();
    problem.help.iter().fold(failure, |failure, help| failure.help(help.clone()))
}
