//! What must not happen in any run.

use std::sync::Arc;

use serde_json::Value;
use weave_runner::{Event, EventKind, next};

use crate::explore::values::Values;
use crate::play::Play;
use crate::script::{LineKind, Script};
use crate::subject::cut;

/// A node without a limit that fires so often in one run goes round in circles.
pub(crate) const ENDLESS: u64 = 20;

/// A limit above this one is none: a loop that asks a model or a tool so often is not meant to.
const MOST_ROUNDS: u32 = 1000;

/// What must not happen in a run of a workflow.
#[derive(Clone, Debug)]
pub struct Defect {
    /// What it is.
    pub kind: DefectKind,
    /// The node that it is about; none: the run as a whole.
    pub node: Option<String>,
    /// What happens, in one line.
    pub message: String,
    /// The way of the run.
    pub way: String,
    /// The test that shows it: it passes as long as the defect is there.
    pub script: Script,
}

/// Kinds of defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefectKind {
    /// The run cannot go on, and is not over.
    Stalled,
    /// The run fires without end.
    Runaway,
    /// A step asks for something with arguments that do not fit.
    InvalidInput,
    /// The run gives something that does not fit its own output.
    InvalidOutput,
    /// A loop has no way out.
    Endless,
    /// A prefix of the scroll goes on to another scroll, or an event that came twice has an effect: a defect of weave itself.
    Inconsistent,
}

/// A kind of defect, its node, and what happens.
pub(crate) type Seen = (DefectKind, Option<String>, String);

/// What is wrong with a run, after its last line.
pub(crate) fn of(play: &Play<'_>, lines: &[LineKind]) -> Option<Seen> {
    if let Some((node, message)) = play.trace.refused.first() {
        return Some((
            DefectKind::InvalidInput,
            Some(node.clone()),
            format!("`{node}` asks for something that does not fit: {}", cut(message)),
        ));
    }
    if let Some(failure) = play.done().and_then(|done| done.get("failure")) {
        let text = |key: &str| failure.get(key).and_then(Value::as_str).unwrap_or_default();
        let word = text("kind");
        let kind = match word {
            "stalled" => DefectKind::Stalled,
            "runaway" => DefectKind::Runaway,
            "invalid_output" => DefectKind::InvalidOutput,
            _ => return None,
        };
        // A failure that a line makes is not of the workflow's own making.
        let is_given = lines.iter().any(|line| matches!(line, LineKind::Fail { failure, .. } if failure.word() == word));
        let last = play.way().last().map(|(node, _)| node.to_owned());
        return (!is_given).then(|| (kind, last, format!("the run fails with `{word}`: {}", cut(text("message")))));
    }
    let circling =
        play.way().filter(|(node, number)| *number >= ENDLESS && has_no_limit(play, node)).map(|(node, _)| node.to_owned()).next();
    let from_outside = lines.iter().any(|line| matches!(line, LineKind::Send { from: None, .. }));
    circling.filter(|_| !from_outside && !play.runner.is_done()).map(|node| {
        let message = format!(
            "after {} lines the run still goes round: `{node}` has fired {ENDLESS} times and has no limit that a run reaches",
            lines.len()
        );
        (DefectKind::Endless, Some(node), message)
    })
}

fn has_no_limit(play: &Play<'_>, node: &str) -> bool {
    play.subject.definition().node(node).is_some_and(|node| node.limit.is_none_or(|limit| limit > MOST_ROUNDS))
}

/// What is true of all runs: a prefix goes on to the same scroll, an event that comes twice has no effect, JSON loses nothing.
pub(crate) fn of_all_runs(play: &Play<'_>, values: &mut Values) -> Option<Seen> {
    let wrong = |message: &str| Some((DefectKind::Inconsistent, None, message.to_owned()));
    let external: Vec<usize> =
        (0..).zip(&play.scroll).filter(|(_, event)| event.kind == EventKind::External).map(|(place, _)| place).collect();
    let place = *external.get(values.below(external.len()))?;
    let prefix = play.scroll.get(..=place)?;
    let followed: Vec<&Event> = play.scroll.iter().skip(place + 1).take_while(|event| event.kind == EventKind::Derived).collect();
    match next(play.subject.prepared(), prefix) {
        Ok(found)
            if found.len() == followed.len()
                && found.iter().zip(&followed).all(|(one, other)| one.id == other.id && one.body == other.body) => {}
        Ok(_) => return wrong("a prefix of the scroll goes on to another scroll"),
        Err(error) => return wrong(&format!("a prefix of the scroll is refused: {error}")),
    }
    let mut again = weave_runner::Runner::new(Arc::clone(play.subject.prepared()));
    for event in prefix {
        again.feed(event);
    }
    if play.scroll.get(place).is_some_and(|event| !again.feed(event).is_empty()) {
        return wrong("an event that came twice has an effect");
    }
    let event = play.scroll.get(values.below(play.scroll.len()))?;
    let read = serde_json::to_string(event).ok().and_then(|text| serde_json::from_str::<Event>(&text).ok());
    if read.as_ref() == Some(event) { None } else { wrong("an event is another one after it was written and read") }
}
