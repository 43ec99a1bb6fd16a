//! What is said about the graph of a workflow.

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, Place};
use weave_scalars::duration::words;

use crate::codes::flow as codes;
use crate::model::Declaration;

/// A node and where its name stands.
type Named = (Arc<str>, Place);

/// How many nodes of a way are shown at each of its ends.
const SHOWN: usize = 6;

// ---- Availability ------------------------------------------------------------------------------------------------------

/// `way` are the nodes from the start on, each with what makes it fire.
pub(crate) fn may_not_have_happened(
    step: &str,
    node: &str,
    place: Place,
    in_condition: bool,
    way: &[(Arc<str>, Place, String)],
) -> Diagnostic {
    let reader = if in_condition { format!("the condition of `{node}`") } else { format!("`{node}`") };
    let mut diagnostic =
        Diagnostic::new(&codes::MAY_NOT_HAVE_HAPPENED, place, format!("`{step}` may not have answered when {reader} reads it"))
            .label(format!("`.{step}` does not exist on the path shown"));
    let last = way.len().saturating_sub(1);
    for (index, (name, place, fires)) in way.iter().enumerate() {
        if is_shown(index, way.len()) {
            let without = if index == last { format!(", without an answer of `{step}`") } else { String::new() };
            diagnostic = diagnostic.also(*place, format!("{}. `{name}` fires {fires}{without}", index + 1));
        }
    }
    if way.len() > 1 {
        let names = way.iter().map(|(name, ..)| &**name).collect::<Vec<_>>();
        diagnostic = diagnostic.note(format!("the shortest such path: {}", chain(&names)));
    }
    diagnostic.help(if in_condition {
        format!("check `.{step}? != null` first, or let `{node}` fire only after `{step}` has answered")
    } else {
        format!("read `.{step}?`, which may be absent, add a default with `??`, or let `{node}` fire only after `{step}` has answered")
    })
}

/// Why a step never comes before a node that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeverBefore {
    /// It is the node itself.
    Itself,
    /// The node fires because the step failed.
    Failed,
    /// The node fires because the step has not answered.
    Late,
    /// The node fires on something that comes before the step's answer.
    Open,
    /// The node fires on the event that the step emits.
    Emitted,
    /// The node fires on an event from outside.
    Outside,
    /// The node fires when time has passed since the start of the run.
    Clock,
    /// The step is on no way to the node.
    NoWay,
}

pub(crate) fn never_happened(step: &str, node: &str, place: Place, step_place: Place, why: NeverBefore) -> Diagnostic {
    let never = |message: String| Diagnostic::new(&codes::MAY_NOT_HAVE_HAPPENED, place, message).label("never available");
    let no_answer = || never(format!("`{step}` has not answered when `{node}` fires"));
    match why {
        NeverBefore::Itself => {
            Diagnostic::new(&codes::MAY_NOT_HAVE_HAPPENED, place, format!("`{node}` reads its own answer, which is not available yet"))
                .label("it answers only after this")
                .help("read another value; a node can read its own earlier answers only in a loop")
        }
        NeverBefore::Failed => no_answer()
            .also(step_place, format!("`{node}` fires when this has failed"))
            .help("read the failure as `.failure`, with `.failure.kind` and `.failure.message`"),
        NeverBefore::Late => no_answer()
            .also(step_place, format!("`{node}` fires when this has not answered in time"))
            .help(format!("read a step that has answered before `{step}`")),
        NeverBefore::Open => no_answer()
            .also(step_place, format!("`{node}` fires on something that comes before the answer of this"))
            .help("read the event that fires the node as `.event`"),
        NeverBefore::Emitted => never(format!("`{step}` never comes before `{node}`, which reads it"))
            .also(step_place, format!("`{node}` fires on the event that this emits, which does not belong to a step"))
            .help(format!(
                "let `{node}` fire on `{step}`; after an event without declared answers, only `.event` and `.input` are available"
            )),
        NeverBefore::Outside => never(format!("`{step}` never comes before `{node}`, which reads it"))
            .also(step_place, "the answer of a step is never available after an external event")
            .help("after a plain external event, only `.event` and `.input` are available; a step with `wait TOPIC` keeps earlier answers"),
        NeverBefore::Clock => never(format!("`{step}` never comes before `{node}`, which reads it"))
            .also(step_place, format!("`{node}` fires after a time from the start, whether this has answered or not"))
            .help(format!("read only `.input`, or use `timeout(STEP, …)` with a step after `{step}`")),
        NeverBefore::NoWay => never(format!("`{step}` never comes before `{node}`, which reads it"))
            .also(step_place, format!("no path leads from here to `{node}`"))
            .help(format!("let `{node}` fire on `{step}`, or on `all(…)` to wait for several steps")),
    }
}

/// A node without `on` that reads steps. `last` is the step after which all of them are there, if it is one of them.
pub(crate) fn fires_at_the_start(node: &str, kind: &str, place: Place, reads: &[(Arc<str>, Place)], last: Option<&str>) -> Diagnostic {
    let names = reads.iter().map(|(name, _)| format!("`.{name}`")).collect::<Vec<_>>();
    let (list, none) = match names.as_slice() {
        [only] => (only.clone(), "no"),
        [first, .., last] if names.len() > SHOWN => (format!("{first}, …, {last}"), "none of"),
        [others @ .., last] => (format!("{} or {last}", others.join(", ")), "no"),
        [] => (String::new(), "no"),
    };
    let message = format!("`{node}` has no `on`, so it fires at the start of the run, where there is {none} {list}");
    let mut diagnostic = Diagnostic::new(&codes::MAY_NOT_HAVE_HAPPENED, place, message).label("fires before any step has answered");
    for (name, place) in reads.iter().take(SHOWN) {
        diagnostic = diagnostic.also(*place, format!("`{name}` has not answered then"));
    }
    let steps = || reads.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(", ");
    diagnostic.help(match (last, reads) {
        (Some(last), _) => format!("let it fire on `{last}`: `{kind} {node} on {last}`"),
        (None, _) => format!("let it fire on the step that it follows, or on all that it reads: `{kind} {node} on all({})`", steps()),
    })
}

fn is_shown(index: usize, count: usize) -> bool {
    index < SHOWN || index + SHOWN >= count
}

/// "start → a → b"; the middle of a long way is left out.
fn chain(names: &[&str]) -> String {
    let mut text = String::from("start");
    let mut left_out = false;
    for (index, name) in names.iter().enumerate() {
        if is_shown(index, names.len()) {
            text.push_str(" → ");
            text.push_str(name);
        } else if !std::mem::replace(&mut left_out, true) {
            text.push_str(" → …");
        }
    }
    text
}

/// "a → b → a"
fn cycle_text(cycle: &[Named]) -> String {
    let names = cycle.iter().chain(cycle.first()).map(|(name, _)| &**name).collect::<Vec<_>>();
    chain(&names).trim_start_matches("start → ").to_owned()
}

/// With the nodes of a cycle but for the first one, which the diagnostic is about.
fn with_cycle(mut diagnostic: Diagnostic, cycle: &[Named]) -> Diagnostic {
    for (index, pair) in cycle.windows(2).enumerate() {
        if let ([(before, _), (name, place)], true) = (pair, is_shown(index, cycle.len())) {
            diagnostic = diagnostic.also(*place, format!("`{name}` follows `{before}`"));
        }
    }
    diagnostic
}

// ---- Endings -----------------------------------------------------------------------------------------------------------

pub(crate) fn no_end(workflow: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NO_END, place, format!("the workflow `{workflow}` has no `end`"))
        .label("a run of this neither succeeds nor fails by itself")
        .help("add `end NAME on STEP` after its last step")
}

/// `fail` is where the name of its first `fail` is written.
pub(crate) fn never_succeeds(workflow: &str, place: Place, fail: Option<Place>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&codes::NEVER_SUCCEEDS, place, format!("the workflow `{workflow}` declares an output and can never succeed"))
            .label("no `end` returns the output");
    let diagnostic = match fail {
        Some(fail) => diagnostic.also(fail, "a `fail` ends the run without an output"),
        None => diagnostic,
    };
    diagnostic.help("add `end NAME on STEP = VALUE`, or remove the output")
}

/// `cycle` starts with the node; it is empty if the node waits for itself in a longer way.
pub(crate) fn unreachable(name: &str, place: Place, cycle: &[Named]) -> Diagnostic {
    let unreachable = Diagnostic::new(&codes::UNREACHABLE_NODE, place, format!("nothing fires `{name}`"));
    match cycle {
        [] => unreachable.label("it never fires").help("give it a trigger that fires"),
        [_] => {
            unreachable.label("it fires only after itself").help("give it another trigger: `on start | …`, or the step that comes before")
        }
        cycle => with_cycle(unreachable.label("it fires only after itself"), cycle)
            .note(format!("they wait for each other: {}", cycle_text(cycle)))
            .help("give one of them another trigger: `on start | …`, or the step that comes before"),
    }
}

/// `silenced` are the steps that the node cancels although the run would go on behind them.
pub(crate) fn dead_end(name: &str, place: Place, silenced: &[Named]) -> Diagnostic {
    let mut dead = Diagnostic::new(&codes::DEAD_END, place, format!("the run deadlocks after `{name}`"))
        .label("after this has answered, nothing continues")
        .help(format!("let an `end` or another node fire on `{name}`"));
    for (step, place) in silenced.iter().take(SHOWN) {
        dead = dead.also(*place, format!("`{step}` is cancelled, so it no longer answers or fails"));
    }
    dead
}

pub(crate) fn endless(name: &str, place: Place, cycle: &[Named]) -> Diagnostic {
    with_cycle(
        Diagnostic::new(&codes::DEAD_END, place, format!("the loop of `{name}` has no exit")).label("from here the run loops forever"),
        cycle,
    )
    .note(format!("the loop: {}", cycle_text(cycle)))
    .help("let an `end` fire on one of its steps, with a condition, or when one of them fails or is late: `on failure(STEP)`, `on timeout(STEP, 1h)`")
}

/// Why a node fires no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It has a limit.
    Limit(u64),
    /// It joins what lies before the loop with what lies in it.
    Join,
}

/// `step` leads to the node, and to nothing else that goes on.
pub(crate) fn exhausted(name: &str, place: Place, bound: Bound, step: &str, step_place: Place) -> Diagnostic {
    let (label, help) = match bound {
        Bound::Limit(1) => ("it fires only once".to_owned(), format!("add a node for that case: `end NAME on {step} else`")),
        Bound::Limit(limit) => (format!("it fires at most {limit} times"), format!("add a node for that case: `end NAME on {step} else`")),
        Bound::Join => (
            "a join of steps before the loop fires only once".to_owned(),
            format!("let `{name}` fire on `{step}` alone; answers from before the loop can be read in it"),
        ),
    };
    Diagnostic::new(&codes::EXHAUSTED_LOOP, place, format!("the run deadlocks once `{name}` can no longer fire"))
        .label(label)
        .also(step_place, format!("when `{step}` answers after that, nothing else continues"))
        .help(help)
}

pub(crate) fn beside_end(name: &str, place: Place, end: &str, end_place: Place) -> Diagnostic {
    Diagnostic::new(&codes::BESIDE_END, place, format!("`{name}` fires at the same instant that `{end}` ends the run"))
        .label("the run ends when this fires")
        .also(end_place, "this always fires on the same trigger")
        .help(format!("let `{end}` fire after `{name}`, or give it a condition"))
}

pub(crate) fn unbounded_loop(name: &str, place: Place, cycle: &[Named]) -> Diagnostic {
    let unbounded = Diagnostic::new(&codes::UNBOUNDED_LOOP, place, format!("the loop of `{name}` has no bound"));
    let unbounded = match cycle {
        [] | [_] => unbounded.label("it triggers itself again"),
        cycle => with_cycle(unbounded.label("nothing limits how often this fires"), cycle).note(format!("the loop: {}", cycle_text(cycle))),
    };
    unbounded.help("give one of its nodes a `limit`, such as `limit 3`")
}

// ---- Triggers ----------------------------------------------------------------------------------------------------------

pub(crate) fn nobody_emits(workflow: &str, topic: Option<&Declaration>, place: Place) -> Diagnostic {
    let name = topic.map(|topic| &*topic.name).unwrap_or_default();
    let never = Diagnostic::new(&codes::NEVER_FIRES, place, format!("no step of `{workflow}` emits `{name}`")).label("this never fires");
    let never = match topic {
        Some(topic) => never.also(topic.place, "not external, so it comes only from a step that emits it"),
        None => never,
    };
    never.help(format!("declare it as `external event {name}` if it comes from outside, or emit it in a step"))
}

/// A mailbox asks for nothing: it takes what the workflow itself emits, too.
pub(crate) fn no_answer(step: &str, step_place: Place, is_mailbox: bool, topic: Option<&Declaration>, place: Place) -> Diagnostic {
    let name = topic.map(|topic| &*topic.name).unwrap_or_default();
    if is_mailbox {
        let never = Diagnostic::new(&codes::NEVER_FIRES, place, format!("the mailbox `{step}` never receives `{name}`"))
            .label("this never fires")
            .also(step_place, "the step that waits for it");
        let never = match topic {
            Some(topic) => never.also(topic.place, "not external, and no step of the workflow emits it"),
            None => never,
        };
        return never.help(format!("declare it as `external event {name}` if it comes from outside, or emit it in a step"));
    }
    let never = Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` is never answered with `{name}`"))
        .label("this never fires")
        .also(step_place, "the step that waits for it");
    let never = match topic {
        Some(topic) => never.also(topic.place, "not external, and only an external event can answer"),
        None => never,
    };
    never.help(format!("declare it as `external event {name}` if the answer comes from outside"))
}

pub(crate) fn not_asked(step: &str, step_place: Place, topic: Option<&Declaration>, place: Place) -> Diagnostic {
    let name = topic.map(|topic| &*topic.name).unwrap_or_default();
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` emits `{name}`, which answers nothing"))
        .label("this never fires")
        .also(step_place, "this event has no declared answers, so the step is answered immediately")
        .help(format!("let the node fire on `{step}`"))
}

pub(crate) fn answer_of_an_element(step: &str, step_place: Place, topic: Option<&Declaration>, place: Place) -> Diagnostic {
    let name = topic.map(|topic| &*topic.name).unwrap_or_default();
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{name}` answers only elements of `{step}`"))
        .label("this never fires")
        .also(step_place, "a fan-out answers when all its elements have answered, with the list of their answers")
        .help(format!("let the node fire on `{step}`"))
}

pub(crate) fn cancelled_at_once(step: &str, step_place: Place, by: &str, by_place: Place, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` is cancelled at the instant it fires"))
        .label("this never fires")
        .also(step_place, "a cancelled step neither answers nor fails")
        .also(by_place, format!("fires on the same trigger as `{step}` and cancels it"))
        .help(format!("give `{by}` another trigger, such as `timeout({step}, 1h)`"))
}

pub(crate) fn run_is_over(workflow: &str, workflow_place: Place, limit: u64, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("a run of `{workflow}` ends before that"))
        .label("this never fires")
        .also(workflow_place, format!("its `timeout` ends the run after {}", words(limit)))
        .help("wait for a shorter time, or extend the timeout of the workflow")
}

pub(crate) fn step_is_over(step: &str, step_place: Place, limit: u64, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` has failed before that"))
        .label("this never fires")
        .also(step_place, format!("its `timeout` makes it fail after {}", words(limit)))
        .help(format!("let the node fire on `failure({step})`, or remove the step's `timeout`"))
}

pub(crate) fn cannot_fail(step: &str, step_place: Place, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` cannot fail"))
        .label("this never fires")
        .also(step_place, "only a step that asks, calls, runs, emits a request, or has a `timeout` can fail")
        .help("remove the trigger")
}

pub(crate) fn nothing_fails(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, "no step of this workflow can fail").label("this never fires").help("remove the trigger")
}

pub(crate) fn never_late(step: &str, step_place: Place, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NEVER_FIRES, place, format!("`{step}` never times out"))
        .label("this never fires")
        .also(step_place, "answered immediately")
        .help("remove the trigger, or wait for another step")
}

pub(crate) fn join_of_excluding(place: Place, both: &[Named], settled: bool) -> Diagnostic {
    let names = both.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
    let mut never =
        Diagnostic::new(&codes::NEVER_FIRES, place, format!("{names} never answer in the same round")).label("this never fires");
    if let [(_, first), (_, second)] = both {
        never = never.also(*first, "either this one fires").also(*second, "or this one");
    }
    never.help(if settled { "list the steps as alternatives: `on a | b`" } else { "if one of them is enough, write `on a | b`" })
}

pub(crate) fn ambiguous(topic: &str, place: Place, both: &[Named]) -> Diagnostic {
    let mut ambiguous =
        Diagnostic::new(&codes::AMBIGUOUS_TRIGGER, place, format!("`{topic}` may answer several steps that are open at the same time"))
            .label("ambiguous");
    let mut first = String::from("STEP");
    for (name, place) in both {
        ambiguous = ambiguous.also(*place, format!("`{name}` waits for it"));
        if first == "STEP" {
            first = name.to_string();
        }
    }
    ambiguous.help(format!("name the step: `on {topic} from {first}`, or just `on {first}`"))
}

// ---- Cancelling --------------------------------------------------------------------------------------------------------

/// Why a step is never open when it is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NothingOpen {
    /// It is what cancels.
    Itself,
    /// It is answered as soon as it fires.
    AtOnce,
    /// It fires only afterwards.
    Later,
    /// It has answered before.
    Answered,
}

pub(crate) fn nothing_to_cancel(step: &str, step_place: Place, node: &str, place: Place, why: NothingOpen) -> Diagnostic {
    let nothing = Diagnostic::new(&codes::NOTHING_TO_CANCEL, place, format!("`{step}` is never open when `{node}` cancels it"));
    let nothing = nothing.label("this cancels nothing");
    match why {
        NothingOpen::Itself => nothing.help("name the steps to cancel"),
        NothingOpen::AtOnce => nothing.also(step_place, "answered immediately").help("name a step that waits for its answer"),
        NothingOpen::Later => {
            nothing.also(step_place, format!("fires only after `{node}`")).help(format!("let `{node}` fire while `{step}` is open"))
        }
        NothingOpen::Answered => nothing
            .also(step_place, format!("has answered on every path to `{node}`"))
            .help(format!("let `{node}` fire while `{step}` is open, such as on `timeout({step}, 1h)`")),
    }
}
