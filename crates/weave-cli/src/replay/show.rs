//! `weave replay --show`: one scroll, event by event, with what followed then and follows now.

use std::path::PathBuf;

use weave_diagnostics::{Charset, SourceMap};
use weave_replay::{Replay, Side, Step, Verdict};

use super::versions::Versions;
use super::{bad, scrolls};
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::printed::Printed;
use crate::terminal::Terminal;

/// The longest line, in characters.
const LONGEST: usize = 160;

pub(super) fn run(files: &[PathBuf], versions: &Versions, sources: &SourceMap, terminal: Terminal) -> Result<Exit, Failures> {
    let [file] = files else {
        return Err(Failure::new("`--show` shows one scroll").help("name the file of one run; `--list` lists what became of all").into());
    };
    let name = display(file);
    let mut lines = scrolls::Reader::open(file);
    let mut replay: Option<(String, Replay)> = None;
    while let Some(event) = lines.next().map_err(|problem| bad(&name, &problem))? {
        let (workflow, replay) = match &mut replay {
            Some(replay) => replay,
            None => {
                let (workflow, then, now) = versions.of(&event).map_err(|problem| bad(&name, &problem))?;
                replay.insert((workflow, Replay::new(then, now).with_steps()))
            }
        };
        replay.push(&event);
        if let Some(step) = replay.step() {
            terminal.print(&Printed::drawn(&shown(&step, workflow, versions, sources)))?;
        }
    }
    let Some((workflow, mut replay)) = replay else { return Ok(Exit::Clean) };
    replay.end();
    if let Some(step) = replay.step() {
        terminal.print(&Printed::drawn(&shown(&step, &workflow, versions, sources)))?;
    }
    let verdict = replay.finish();
    terminal.remark(format!("{name}: {}", verdict.word()));
    Ok(if verdict == Verdict::Same { Exit::Clean } else { Exit::Errors })
}

/// An event, and below it what follows: `-` only then, `+` only now.
fn shown(step: &Step, workflow: &str, versions: &Versions, sources: &SourceMap) -> String {
    let mut text = line(&format!("{:>4}  {}", step.seq, step.event));
    let place = |side: &Side, is_now: bool| {
        let place = if is_now { versions.place_now(workflow, &side.pointer) } else { versions.place_then(workflow, &side.pointer) };
        let at = place.and_then(|place| Some((place, sources.get(place.file)?.line_column(place.span.start).line + 1)));
        at.map_or_else(String::new, |(place, line)| format!("   {}:{line}", sources.name(place.file)))
    };
    for (mark, sides, is_now) in [(' ', &step.both, true), ('-', &step.then, false), ('+', &step.now, true)] {
        for side in sides {
            text += &line(&format!("    {mark}   {}{}", cut(&side.what), place(side, is_now)));
        }
    }
    text
}

fn line(text: &str) -> String {
    Charset::Unicode.line(text) + "\n"
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST - 2).collect::<String>() + " …" }
}
