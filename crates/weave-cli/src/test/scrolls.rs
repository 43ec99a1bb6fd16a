//! `--scrolls`: the scroll of each test, compared with that of an earlier run.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weave_diagnostics::counted;
use weave_testing::{Outcome, TestFile};

use super::Run;
use crate::compile::cannot_write;
use crate::failure::{Failure, Failures};
use crate::input::display;
use crate::terminal::Terminal;
use crate::write::put;

/// So many differences are said.
const MOST: usize = 20;

/// Whether the scrolls of the tests that pass are those in a folder; with `update` they are written instead.
pub(crate) fn compare(run: &Run, folder: &Path, update: bool, terminal: Terminal) -> Result<bool, Failures> {
    let (mut differences, mut written) = (Vec::new(), 0);
    for file in &run.played.files {
        for outcome in file.tests.iter().filter(|outcome| outcome.failure.is_none()) {
            let path = place(run, folder, file, outcome);
            let text = scroll(outcome)?;
            let before = std::fs::read_to_string(&path).ok();
            if before.as_deref().is_some_and(|before| without_digest(before) == without_digest(&text)) {
                continue;
            }
            if update {
                put(&path, &text).map_err(|error| cannot_write(&path, &error))?;
                written += 1;
            } else {
                differences.push(difference(&path, before.as_deref(), &text));
            }
        }
    }
    if update {
        terminal.remark(format!("{} written into `{}`.", counted(written, "scroll"), display(folder)));
        return Ok(true);
    }
    for difference in differences.iter().take(MOST) {
        difference.lines().for_each(|line| terminal.say(line));
    }
    if differences.len() > MOST {
        terminal.say(format!("… and {} more", differences.len() - MOST));
    }
    if !differences.is_empty() {
        terminal.say("`--update` writes the scrolls as they are now.");
    }
    Ok(differences.is_empty())
}

/// Where the scroll of a test is: `DIR/FILE/TEST/INNER.jsonl`.
fn place(run: &Run, folder: &Path, file: &TestFile, outcome: &Outcome) -> PathBuf {
    let name = run.snapshot.sources().name(file.file);
    let name = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".weave");
    folder.join(name).join(format!("{}.jsonl", outcome.path))
}

/// An event a line.
fn scroll(outcome: &Outcome) -> Result<String, Failure> {
    let mut text = String::new();
    for event in &outcome.scroll {
        let line = serde_json::to_string(event)
            .map_err(|error| Failure::new(format!("cannot write the scroll of `{}`: {error}", outcome.path)))?;
        let _ = writeln!(text, "{line}");
    }
    Ok(text)
}

/// A scroll without the digest of its definition, which any change of the workflow changes; what the scroll says may be the same. The
/// file has it, so that it can be replayed.
fn without_digest(text: &str) -> Cow<'_, str> {
    const BEFORE: &str = "\"digest\":\"";
    let first = text.split('\n').next().unwrap_or_default();
    let Some(start) = first.find(BEFORE).map(|place| place + BEFORE.len()) else { return Cow::Borrowed(text) };
    let length = first.get(start..).and_then(|rest| rest.find('"')).unwrap_or_default();
    Cow::Owned(format!("{}{}", text.get(..start).unwrap_or_default(), text.get(start + length..).unwrap_or_default()))
}

/// The first line that differs.
fn difference(path: &Path, before: Option<&str>, now: &str) -> String {
    let path = display(path);
    let Some(before) = before else { return format!("{path}: there is no such scroll yet") };
    let lines = before.lines().zip(now.lines()).position(|(before, now)| without_digest(before) != without_digest(now));
    let line = lines.unwrap_or_else(|| before.lines().count().min(now.lines().count()));
    let said = |text: &str| text.lines().nth(line).unwrap_or("(the end)").chars().take(160).collect::<String>();
    format!("{path}:{}: the scroll differs\n  before: {}\n  now:    {}", line + 1, said(before), said(now))
}
