//! One scroll through one or two definitions.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;
use weave_runner::{Event, EventKind, Prepared, Runner, ScrollError};

use crate::pairs::{Names, node_of, pair};
use crate::parts;
use crate::verdict::{Divergence, Seen, Side, Verdict};
use crate::watch::Watch;

/// Replays one scroll, event by event.
pub struct Replay {
    /// The definition that recorded the scroll, if it is known: it says which guards decided.
    then: Option<Player>,
    now: Player,
    /// The definition of now recorded the scroll.
    exact: bool,
    /// The ids of then, by those of now that mean the same.
    renamed: HashMap<String, String>,
    /// What followed from the last external event.
    turn: Option<Turn>,
    first: Option<Verdict>,
    /// An answer that is refused now, which has had no effect so far.
    misfit: Option<Verdict>,
    differences: usize,
    /// What differed in the last turn, where that is wanted.
    shown: Option<Vec<Step>>,
}

pub(crate) struct Player {
    pub(crate) runner: Runner,
    pub(crate) watch: Watch,
}

/// One external event of a scroll, and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The place of the event on the scroll.
    pub seq: u64,
    /// What it is: "`lookup` answered".
    pub event: String,
    /// What followed then and now.
    pub both: Vec<Side>,
    /// What followed then and does not follow now.
    pub then: Vec<Side>,
    /// What follows now and did not follow then.
    pub now: Vec<Side>,
}

/// One external event, and what followed.
struct Turn {
    seq: u64,
    after: String,
    /// Why the event is refused now, if it is.
    misfit: Option<Verdict>,
    /// What followed then, as far as it was seen.
    then: Vec<Event>,
    now: Vec<Event>,
}

impl Player {
    fn new(prepared: Arc<Prepared>) -> Self {
        Self { runner: Runner::new(prepared), watch: Watch::default() }
    }

    fn feed(&mut self, event: &Event) -> Vec<Event> {
        self.watch.clear();
        self.runner.feed_observed(event, &mut self.watch)
    }
}

impl Replay {
    /// A scroll through the definition `now`. With `then`, the definition that recorded it, differences come with the guards that
    /// decided on both sides.
    #[must_use]
    pub fn new(then: Option<Arc<Prepared>>, now: Arc<Prepared>) -> Self {
        Self {
            then: then.map(Player::new),
            now: Player::new(now),
            exact: false,
            renamed: HashMap::new(),
            turn: None,
            first: None,
            misfit: None,
            differences: 0,
            shown: None,
        }
    }

    /// The same; what follows from each external event is kept until it is asked for with [`step`](Self::step).
    #[must_use]
    pub fn with_steps(self) -> Self {
        Self { shown: Some(Vec::new()), ..self }
    }

    /// What followed from the external event before the last one that was pushed, if it was not asked for before.
    pub fn step(&mut self) -> Option<Step> {
        self.shown.as_mut().and_then(Vec::pop)
    }

    /// Takes the next event of the scroll.
    pub fn push(&mut self, event: &Event) {
        if event.kind == EventKind::Derived {
            if let Some(turn) = self.turn.as_mut().filter(|_| self.then.is_none()) {
                turn.then.push(event.clone());
            }
            return;
        }
        self.close(false);
        if event.seq == 0 {
            self.begin(event);
        }
        let after = named(event);
        let was_fine = self.then.as_ref().is_none_or(|then| then.runner.misfit(event).is_none());
        let then = self.then.as_mut().map(|then| then.feed(event)).unwrap_or_default();
        let event = self.translated(event);
        let misfit = self.now.runner.misfit(&event).filter(|_| was_fine && !self.exact);
        let misfit = misfit.map(|message| {
            let node = event.re.as_deref().or(event.within.as_deref()).and_then(node_of).map(str::to_owned);
            let (pointer, then_pointer) = parts::of_misfit(self.now.runner.definition(), node.as_deref(), &event);
            Verdict::NoLongerFits { seq: event.seq, event: after.clone(), node, message, pointer, then_pointer }
        });
        let now = self.now.feed(&event);
        self.turn = Some(Turn { seq: event.seq, after, misfit, then, now });
    }

    /// Closes the last turn, so that [`step`](Self::step) gives it. Nothing may be pushed after it.
    pub fn end(&mut self) {
        self.close(true);
    }

    /// What it came to, when the scroll is over.
    #[must_use]
    pub fn finish(mut self) -> Verdict {
        self.close(true);
        let folded = |divergence: Divergence| Box::new(Divergence { folded: self.differences.saturating_sub(1), ..divergence });
        match self.first {
            None => Verdict::Same,
            Some(Verdict::Diverges(divergence)) => Verdict::Diverges(folded(*divergence)),
            Some(Verdict::Altered(divergence)) => Verdict::Altered(folded(*divergence)),
            Some(verdict) => verdict,
        }
    }

    fn begin(&mut self, start: &Event) {
        let text = |key: &str| start.data()?.get(key)?.as_str();
        let prepared = self.now.runner.prepared();
        let workflow = &prepared.definition().workflow;
        if let Some(started) = text("workflow").filter(|started| started != workflow) {
            self.first.get_or_insert(Verdict::Broken(ScrollError::OtherWorkflow { started: started.to_owned() }));
        }
        self.exact = text("digest").is_some() && prepared.digest().ok() == text("digest");
        if self.exact {
            // The scroll itself is what is compared.
            self.then = None;
        }
    }

    /// Compares what followed from the last external event.
    fn close(&mut self, is_last: bool) {
        let Some(mut turn) = self.turn.take() else { return };
        let mut then: BTreeMap<(&str, u32), &Event> = turn.then.iter().map(|event| ((event.id.as_str(), event.attempt), event)).collect();
        let mut only_now = Vec::new();
        let mut changed: Vec<(&Event, &Event)> = Vec::new();
        for event in &turn.now {
            match then.remove(&(event.id.as_str(), event.attempt)) {
                Some(before) if before.topic == event.topic && same(before, event, self.exact) => {}
                Some(before) => changed.push((before, event)),
                None => only_now.push(event),
            }
        }
        let mut only_then: Vec<&Event> = turn.then.iter().filter(|event| then.contains_key(&(event.id.as_str(), event.attempt))).collect();
        if !self.exact {
            let names = Names { then: self.then.as_ref().map(|then| then.runner.definition()), now: self.now.runner.definition() };
            pair(&names, &mut self.renamed, &mut only_then, &mut only_now);
        }
        if self.shown.is_some() {
            let step = self.shown_step(&turn, &only_then, &only_now, &changed);
            self.shown = Some(vec![step]);
        }
        if only_then.is_empty() && only_now.is_empty() && changed.is_empty() {
            // An element that fails may show later, in what its fan-out gives.
            self.misfit = self.misfit.take().or_else(|| turn.misfit.take());
            return;
        }
        self.differences += 1;
        if self.first.is_some() {
            return;
        }
        let misfit = self.misfit.take().or_else(|| turn.misfit.take());
        self.first = Some(match misfit {
            Some(misfit) => misfit,
            None if self.exact && is_last && only_then.is_empty() && changed.is_empty() => Verdict::CutOff { seq: turn.seq },
            None => self.difference(&turn, &only_then, &only_now, changed.first().copied()),
        });
    }

    fn shown_step(&self, turn: &Turn, only_then: &[&Event], only_now: &[&Event], changed: &[(&Event, &Event)]) -> Step {
        let differs = |event: &&Event| only_now.contains(event) || changed.iter().any(|(_, now)| now == event);
        let side = |event: &&Event, player: Option<&Player>| self.side(event, player);
        let then = only_then.iter().copied().chain(changed.iter().map(|(then, _)| *then));
        Step {
            seq: turn.seq,
            event: turn.after.clone(),
            both: turn.now.iter().filter(|event| !differs(event)).map(|event| side(&event, Some(&self.now))).collect(),
            then: then.map(|event| side(&event, self.then.as_ref())).collect(),
            now: turn.now.iter().filter(differs).map(|event| side(&event, Some(&self.now))).collect(),
        }
    }

    fn difference(&self, turn: &Turn, only_then: &[&Event], only_now: &[&Event], changed: Option<(&Event, &Event)>) -> Verdict {
        let telling = |event: &&&Event| event.topic == "workflow.step";
        let (then, now) = (only_then.iter().find(telling), only_now.iter().find(telling));
        let is_end = |event: &&Event| event.topic == "workflow.done" || event.topic == "workflow.cancel";
        let only_the_end = only_then.iter().chain(only_now).all(is_end) && changed.is_none_or(|(before, _)| is_end(&before));
        if only_the_end && !self.exact {
            return self.another_end(turn);
        }
        let pair = match (then, now, changed) {
            (None, None, Some((before, after))) => (Some(before), Some(after)),
            (then, now, _) => (then.or(only_then.first()).copied(), now.or(only_now.first()).copied()),
        };
        let mut then = pair.0.map(|event| self.side(event, self.then.as_ref()));
        let mut now = pair.1.map(|event| self.side(event, Some(&self.now)));
        if let (Some(before), Some(after)) = pair
            && before.topic == after.topic
            && before.topic != "workflow.step"
        {
            // The field that says something else.
            let below = parts::first_difference(before.data(), after.data());
            then.iter_mut().chain(&mut now).for_each(|side| side.pointer += &below);
        }
        if now.is_none()
            && let Some(node) = pair.0.and_then(|event| node_of(&event.id))
        {
            // What keeps it from firing, or from asking, now.
            let pointer = parts::of_absent(&self.now, node, pair.0);
            now = Some(Side { node: Some(node.to_owned()), what: "nothing follows".to_owned(), pointer, guard: None });
        }
        let mut divergence = Divergence { seq: turn.seq, after: turn.after.clone(), then, now, folded: 0 };
        if self.exact {
            return Verdict::Altered(Box::new(divergence));
        }
        self.add_guards(&mut divergence);
        Verdict::Diverges(Box::new(divergence))
    }

    fn another_end(&self, turn: &Turn) -> Verdict {
        let ended = |events: &[Event]| events.iter().find(|event| event.topic == "workflow.done").and_then(|event| event.data().cloned());
        let (then, now) = (ended(&turn.then), ended(&turn.now));
        let below = parts::first_difference(then.as_ref(), now.as_ref());
        let pointer =
            |player: Option<&Player>, events: &[Event]| player.map_or_else(String::new, |player| parts::of_end(player, events, &below));
        Verdict::EndsOtherwise {
            then_pointer: pointer(self.then.as_ref(), &turn.then),
            now_pointer: pointer(Some(&self.now), &turn.now),
            then,
            now,
            seq: turn.seq,
        }
    }

    /// A guard that had the other result on the other side is what decided.
    fn add_guards(&self, divergence: &mut Divergence) {
        let Some(then) = &self.then else {
            // What the node that fired then is told now.
            let node = divergence.then.as_ref().and_then(|side| side.node.as_ref());
            let refused = node.and_then(|node| self.now.watch.of(node)).filter(|seen| !seen.result);
            if let (Some(guard), Some(side)) = (refused, &mut divergence.now) {
                side.pointer = parts::of_guard(&self.now, &guard.node, guard.item);
                side.guard = Some(guard.clone());
            }
            return;
        };
        let parted = then.watch.seen.iter().find_map(|seen| {
            let other = self.now.watch.seen.iter().find(|other| other.node == seen.node && other.item == seen.item)?;
            (other.result != seen.result).then(|| (seen.clone(), other.clone()))
        });
        let Some((before, after)) = parted else { return self.add_lone_guard(then, divergence) };
        for (side, guard, player) in [(&mut divergence.then, before, then), (&mut divergence.now, after, &self.now)] {
            let pointer = parts::of_guard(player, &guard.node, guard.item);
            let what = format!("the guard of `{}` is {}", guard.node, guard.result);
            let side = side.get_or_insert_with(|| Side { node: Some(guard.node.clone()), what, pointer: String::new(), guard: None });
            side.pointer = pointer;
            side.guard = Some(guard);
        }
    }

    /// A guard that only one of the definitions has, and that was false there, is what decided.
    fn add_lone_guard(&self, then: &Player, divergence: &mut Divergence) {
        let lone = |own: &Player, other: &Player| {
            let is_lone = |seen: &&Seen| !seen.result && !parts::has_guard(other, &seen.node, seen.item);
            own.watch.seen.iter().find(is_lone).cloned()
        };
        let (side, player, guard) = match (lone(then, &self.now), lone(&self.now, then)) {
            (Some(guard), _) => (&mut divergence.then, then, guard),
            (None, Some(guard)) => (&mut divergence.now, &self.now, guard),
            (None, None) => return,
        };
        let pointer = parts::of_guard(player, &guard.node, guard.item);
        let what = format!("the guard of `{}` is {}", guard.node, guard.result);
        let side = side.get_or_insert_with(|| Side { node: Some(guard.node.clone()), what, pointer: String::new(), guard: None });
        side.pointer = pointer;
        side.guard = Some(guard);
    }

    /// What an event does, with the part of the definition that says so.
    fn side(&self, event: &Event, player: Option<&Player>) -> Side {
        let node = node_of(&event.id).map(str::to_owned);
        let named = |key: &str| event.data().and_then(|data| data.get(key)).and_then(Value::as_str);
        let subject = node.as_ref().map_or_else(|| "the run".to_owned(), |node| format!("`{node}`"));
        let again = if event.attempt > 1 { " again" } else { "" };
        let what = match event.topic.as_str() {
            "workflow.step" => format!("{subject} fires"),
            "workflow.done" => format!("the run is over: {}", event.data().cloned().unwrap_or_default()),
            "workflow.cancel" => format!("{subject} is cancelled"),
            "timer.set" => format!("{subject} waits {}", named("after").or(named("at")).unwrap_or_default()),
            "tool.dispatch" => format!("{subject} calls `{}`{again} with {}", named("name").unwrap_or("a tool"), payload(event, "args")),
            "ai.request" => format!("{subject} asks `{}`{again} with {}", named("agent").unwrap_or("a model"), payload(event, "args")),
            "workflow.start" => format!("{subject} runs `{}`{again}", named("workflow").unwrap_or("a workflow")),
            topic => format!("{subject} emits `{topic}` with {}", event.data().cloned().unwrap_or_default()),
        };
        let Some(player) = player else { return Side { node, what, pointer: String::new(), guard: None } };
        let guard = node.as_ref().and_then(|node| player.watch.of(node)).filter(|_| event.topic == "workflow.step").cloned();
        let pointer = match &guard {
            Some(guard) => parts::of_guard(player, &guard.node, guard.item),
            None => parts::of_event(player, event),
        };
        Side { node, what, pointer, guard }
    }

    /// The event as the run now knows what it answers.
    fn translated(&self, event: &Event) -> Event {
        let named = |id: &String| self.renamed.get(id).cloned().unwrap_or_else(|| id.clone());
        Event { re: event.re.as_ref().map(named), within: event.within.as_ref().map(named), ..event.clone() }
    }
}

/// An event as it is named in reports.
fn named(event: &Event) -> String {
    let node = event.re.as_deref().or(event.within.as_deref()).and_then(node_of);
    match (event.topic.as_str(), node) {
        ("workflow.start", None) => "the run started".to_owned(),
        ("timer.fired", Some(node)) => format!("a timer of `{node}` fired"),
        ("tool.dispatch", Some(node)) => format!("the agent of `{node}` called a tool"),
        (topic, Some(node)) if event.within.is_some() => format!("`{topic}` in the loop of `{node}`"),
        (_, Some(node)) if event.data().is_none() => format!("`{node}` failed"),
        (_, Some(node)) => format!("`{node}` answered"),
        (topic, None) => format!("`{topic}` came"),
    }
}

/// Whether two events of one id say the same. Which event made a node fire may have another id in another definition.
fn same(one: &Event, other: &Event, exact: bool) -> bool {
    one.body == other.body || (one.topic == "workflow.step" && !exact)
}

fn payload(event: &Event, key: &str) -> Value {
    event.data().map(|data| data.get(key).unwrap_or(data)).cloned().unwrap_or_default()
}
