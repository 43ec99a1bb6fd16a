//! Posting an event, and what became of it.

use std::time::{Duration, Instant};

use weave_runner::Event;
use weave_scroll::{Post, Posted, RunRow, Store};

use super::place::failed;
use crate::failure::Failure;

/// So long the process that drives the run has to take the event; then it is "posted", and no more is said.
const PATIENCE: Duration = Duration::from_secs(5);

/// What became of a posted event.
pub(super) enum Effect {
    /// The process that drives the run has taken it; these steps fired, and the run has ended or not.
    Taken { fired: Vec<String>, ended: bool, answered: bool },
    /// It waits in the inbox, and a process drives the run.
    Waits,
    /// It waits in the inbox of a run that no process drives.
    Parked,
    /// The same event was posted before.
    Known,
}

/// Posts an event to a run. Where a process drives the run, its effect is waited for.
pub(super) fn post(store: &dyn Store, row: &RunRow, event: &Event) -> Result<Effect, Failure> {
    let text = serde_json::to_string(event).map_err(|error| Failure::new(format!("the event cannot be written: {error}")))?;
    let post = Post { run: row.id.clone(), id: event.id.clone(), event: text, at: crate::run::now() };
    match store.post(post).map_err(|error| failed(&error))? {
        Posted::Posted(_) => {}
        Posted::Known => return Ok(Effect::Known),
        Posted::Differs => {
            let failure = Failure::new(format!("the run `{}` has another event with the id `{}`", row.id, event.id));
            return Err(failure.help("choose another id with `--id`; the id of an event is used once"));
        }
        Posted::NoRun => return Err(Failure::new(format!("there is no run `{}` any more", row.id)).help("`weave runs` lists the runs")),
        Posted::Pruned => return Err(Failure::new(format!("the run `{}` was pruned", row.id)).help("nothing reaches it any more")),
    }
    if row.owner.is_none() {
        return Ok(Effect::Parked);
    }
    let end = Instant::now() + PATIENCE;
    let mut version = store.version().map_err(|error| failed(&error))?;
    while store.inbox(&row.id, 0).map_err(|error| failed(&error))?.iter().any(|waiting| waiting.post.id == event.id) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Effect::Waits);
        }
        version = store.changed(version, left.min(Duration::from_millis(200))).map_err(|error| failed(&error))?;
    }
    effect(store, row, event)
}

/// What followed from an event that is on the scroll.
fn effect(store: &dyn Store, row: &RunRow, event: &Event) -> Result<Effect, Failure> {
    let turns = store.read(&row.id, row.head, 0).map_err(|error| failed(&error))?;
    let (mut fired, mut ended, mut answered) = (Vec::new(), false, false);
    // An answer inside an agent's loop has an id of its own there; what follows is in the turns after the event was posted.
    for turn in turns.iter().filter(|turn| turn.turn.id == event.id) {
        let external = turn.external().map_err(|error| failed(&error))?;
        answered = external.data().is_none_or(|data| data.get("without_effect").is_none());
        for derived in turn.derived().map_err(|error| failed(&error))? {
            ended |= derived.topic == "workflow.done";
            let step =
                derived.data().filter(|_| derived.topic == "workflow.step").and_then(|data| data.get("id")?.as_str().map(str::to_owned));
            fired.extend(step);
        }
    }
    Ok(Effect::Taken { fired, ended, answered })
}

/// An id for an event that was not given one.
pub(super) fn new_id() -> String {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_i64(crate::run::now());
    format!("cli:{:016x}", hasher.finish())
}

/// What is said about a parked run, which takes the event later.
pub(super) fn parked(row: &RunRow) -> String {
    let root = row.id.split('/').next().unwrap_or(&row.id);
    format!("No process drives the run. It takes this when it goes on: weave run --resume {root}")
}

/// What is said where the driving process is slow.
pub(super) const SLOW: &str = "The process that drives the run has not taken it yet; it is in the inbox, durably.";
