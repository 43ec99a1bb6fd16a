//! One scroll through one or two definitions.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;
use weave_runner::{Event, EventKind, Prepared, Runner, ScrollError};

use crate::verdict::{Divergence, Side, Verdict};
use crate::watch::Watch;

/// Replays one scroll, event by event.
pub struct Replay {
    /// The definition that recorded the scroll, if it is known: it says which guards decided.
    then: Option<Player>,
    now: Player,
    /// The ids of then, by those of now that mean the same.
    renamed: HashMap<String, String>,
    /// What followed from the last external event.
    turn: Option<Turn>,
    first: Option<Verdict>,
    differences: usize,
}

struct Player {
    runner: Runner,
    watch: Watch,
    done: Option<Value>,
}

/// One external event, and what followed.
struct Turn {
    seq: u64,
    after: String,
    /// What followed then, as far as it was seen.
    then: Vec<Event>,
    now: Vec<Event>,
}

impl Player {
    fn new(prepared: Arc<Prepared>) -> Self {
        Self { runner: Runner::new(prepared), watch: Watch::default(), done: None }
    }

    fn feed(&mut self, event: &Event) -> Vec<Event> {
        self.watch.clear();
        let derived = self.runner.feed_observed(event, &mut self.watch);
        if let Some(done) = derived.last().filter(|event| event.topic == "workflow.done") {
            self.done = done.data().cloned();
        }
        derived
    }
}

impl Replay {
    /// A scroll through the definition `now`. With `then`, the definition that recorded it, differences come with the guards that
    /// decided on both sides.
    #[must_use]
    pub fn new(then: Option<Arc<Prepared>>, now: Arc<Prepared>) -> Self {
        Self { then: then.map(Player::new), now: Player::new(now), renamed: HashMap::new(), turn: None, first: None, differences: 0 }
    }

    /// Takes the next event of the scroll.
    pub fn push(&mut self, event: &Event) {
        if event.kind == EventKind::Derived {
            if let Some(turn) = self.turn.as_mut().filter(|_| self.then.is_none()) {
                turn.then.push(event.clone());
            }
            return;
        }
        self.close();
        if let Some(problem) = self.wrong_start(event) {
            self.first.get_or_insert(Verdict::Broken(problem));
        }
        let after = self.named(event);
        let was_fine = self.then.as_ref().is_none_or(|then| then.runner.misfit(event).is_none());
        let then = self.then.as_mut().map(|then| then.feed(event)).unwrap_or_default();
        let event = self.translated(event);
        if let Some(message) = self.now.runner.misfit(&event).filter(|_| was_fine && self.first.is_none()) {
            let node = self.node_of(&event);
            self.first = Some(Verdict::NoLongerFits { seq: event.seq, event: after.clone(), node, message });
        }
        let now = self.now.feed(&event);
        self.turn = Some(Turn { seq: event.seq, after, then, now });
    }

    /// What it came to, when the scroll is over.
    #[must_use]
    pub fn finish(mut self) -> Verdict {
        self.close();
        match self.first {
            None => Verdict::Same,
            Some(Verdict::Diverges(divergence)) => {
                Verdict::Diverges(Box::new(Divergence { folded: self.differences.saturating_sub(1), ..*divergence }))
            }
            Some(verdict) => verdict,
        }
    }

    /// A run of another workflow.
    fn wrong_start(&self, event: &Event) -> Option<ScrollError> {
        let started = event.data()?.get("workflow")?.as_str().filter(|_| event.seq == 0)?;
        let workflow = &self.now.runner.definition().workflow;
        (started != workflow).then(|| ScrollError::OtherWorkflow { started: started.to_owned() })
    }

    /// Compares what followed from the last external event.
    fn close(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        let mut then: BTreeMap<(String, u32), &Event> = turn.then.iter().map(|event| ((event.id.clone(), event.attempt), event)).collect();
        let mut only_now = Vec::new();
        let mut changed = None;
        for event in &turn.now {
            match then.remove(&(event.id.clone(), event.attempt)) {
                Some(before) if before.topic == event.topic && same(before, event) => {}
                Some(before) => {
                    changed.get_or_insert((before, event));
                }
                None => only_now.push(event),
            }
        }
        let mut only_then: Vec<&Event> = turn.then.iter().filter(|event| then.contains_key(&(event.id.clone(), event.attempt))).collect();
        self.pair(&mut only_then, &mut only_now);
        if only_then.is_empty() && only_now.is_empty() && changed.is_none() {
            return;
        }
        self.differences += 1;
        if self.first.is_some() {
            return;
        }
        self.first = Some(self.difference(&turn, &only_then, &only_now, changed));
    }

    /// Pairs events that have other ids and mean the same: of one node, else of one payload; and the firings of steps whose requests
    /// are paired.
    fn pair(&mut self, only_then: &mut Vec<&Event>, only_now: &mut Vec<&Event>) {
        let follows = |event: &Event| matches!(event.topic.as_str(), "workflow.step" | "workflow.cancel");
        for rule in [Rule::Node, Rule::Payload, Rule::Request] {
            only_now.retain(|now| {
                let means_the_same = |then: &&Event| {
                    let fits = match rule {
                        Rule::Node => node_of(&then.id) == node_of(&now.id) && (follows(then) || then.data() == now.data()),
                        Rule::Payload => !follows(then) && then.data() == now.data(),
                        Rule::Request => follows(then) && self.renamed.get(base(&then.id)).is_some_and(|id| id == base(&now.id)),
                    };
                    fits && then.topic == now.topic && then.attempt == now.attempt
                };
                // Two candidates cannot be told apart.
                let mut candidates = only_then.iter().enumerate().filter(|(_, then)| means_the_same(then));
                let (Some((place, then)), None) = (candidates.next(), candidates.next()) else { return true };
                self.renamed.insert(then.id.clone(), now.id.clone());
                only_then.remove(place);
                false
            });
        }
    }

    fn difference(&self, turn: &Turn, only_then: &[&Event], only_now: &[&Event], changed: Option<(&Event, &Event)>) -> Verdict {
        let telling = |event: &&&Event| event.topic == "workflow.step";
        let (then, now) = (only_then.iter().find(telling), only_now.iter().find(telling));
        let is_end = |event: &&Event| event.topic == "workflow.done" || event.topic == "workflow.cancel";
        let only_the_end = only_then.iter().chain(only_now).all(is_end) && changed.is_none_or(|(before, _)| is_end(&before));
        let ended = |events: &[Event]| events.iter().find(|event| event.topic == "workflow.done").and_then(|event| event.data().cloned());
        if only_the_end {
            return Verdict::EndsOtherwise { then: ended(&turn.then), now: ended(&turn.now), seq: turn.seq };
        }
        let (then, now) = match (then, now, changed) {
            (None, None, Some((before, after))) => (Some(before), Some(after)),
            (then, now, _) => (then.or(only_then.first()).copied(), now.or(only_now.first()).copied()),
        };
        let then = then.map(|event| self.side(event, self.then.as_ref()));
        let now = now.map(|event| self.side(event, Some(&self.now)));
        let mut divergence = Divergence { seq: turn.seq, after: turn.after.clone(), then, now, folded: 0 };
        self.add_guards(&mut divergence);
        Verdict::Diverges(Box::new(divergence))
    }

    /// A guard that had the other result on the other side is what decided.
    fn add_guards(&self, divergence: &mut Divergence) {
        let Some(then) = &self.then else {
            // What the node that fired then is told now.
            let node = divergence.then.as_ref().and_then(|side| side.node.as_ref());
            let refused = node.and_then(|node| self.now.watch.of(node)).filter(|seen| !seen.result);
            if let (Some(guard), Some(side)) = (refused, &mut divergence.now) {
                side.pointer = guard_pointer(&self.now, &guard.node, guard.item);
                side.guard = Some(guard.clone());
            }
            return;
        };
        let parted = then.watch.seen.iter().find_map(|seen| {
            let other = self.now.watch.seen.iter().find(|other| other.node == seen.node && other.item == seen.item)?;
            (other.result != seen.result).then(|| (seen.clone(), other.clone()))
        });
        let Some((before, after)) = parted else { return };
        for (side, guard, player) in [(&mut divergence.then, before, then), (&mut divergence.now, after, &self.now)] {
            let pointer = guard_pointer(player, &guard.node, guard.item);
            let what = format!("the guard of `{}` is {}", guard.node, guard.result);
            let side = side.get_or_insert_with(|| Side { node: Some(guard.node.clone()), what, pointer: String::new(), guard: None });
            side.pointer = pointer;
            side.guard = Some(guard);
        }
    }

    /// What an event does, with the part of the definition that says so.
    fn side(&self, event: &Event, player: Option<&Player>) -> Side {
        let node = node_of(&event.id).map(str::to_owned);
        let named = |key: &str| event.data().and_then(|data| data.get(key)).and_then(Value::as_str);
        let subject = node.as_ref().map_or_else(|| "the run".to_owned(), |node| format!("`{node}`"));
        let (what, part) = match event.topic.as_str() {
            "workflow.step" => (format!("{subject} fires"), ""),
            "workflow.done" => (format!("the run is over: {}", event.data().cloned().unwrap_or_default()), ""),
            "workflow.cancel" => (format!("{subject} is cancelled"), ""),
            "timer.set" => (format!("{subject} waits {}", named("after").or(named("at")).unwrap_or_default()), "/timeout"),
            "tool.dispatch" => {
                (format!("{subject} calls `{}` with {}", named("name").unwrap_or("a tool"), payload(event, "args")), "/payload")
            }
            "ai.request" => {
                (format!("{subject} asks `{}` with {}", named("agent").unwrap_or("a model"), payload(event, "args")), "/payload")
            }
            "workflow.start" => (format!("{subject} runs `{}`", named("workflow").unwrap_or("a workflow")), "/payload"),
            topic => (format!("{subject} emits `{topic}` with {}", event.data().cloned().unwrap_or_default()), "/payload"),
        };
        let guard = node.as_ref().and_then(|node| player?.watch.of(node)).filter(|_| event.topic == "workflow.step").cloned();
        let pointer = match (&node, player, &guard) {
            (_, Some(player), Some(guard)) => guard_pointer(player, &guard.node, guard.item),
            (Some(node), Some(player), None) => format!("{}{part}", node_pointer(player, node)),
            _ => String::new(),
        };
        Side { node, what, pointer, guard }
    }

    /// An event as it is named in reports.
    fn named(&self, event: &Event) -> String {
        let of = |id: &str| node_of(id).map(str::to_owned);
        let node = event.re.as_deref().or(event.within.as_deref()).and_then(of);
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

    /// The node now that waits for an event.
    fn node_of(&self, event: &Event) -> Option<String> {
        let id = event.re.as_deref().or(event.within.as_deref())?;
        node_of(id).map(str::to_owned)
    }

    /// The event as the run now knows what it answers.
    fn translated(&self, event: &Event) -> Event {
        let named = |id: &String| self.renamed.get(id).cloned().unwrap_or_else(|| id.clone());
        Event { re: event.re.as_ref().map(named), within: event.within.as_ref().map(named), ..event.clone() }
    }
}

/// By what events with different ids are taken for the same.
#[derive(Clone, Copy)]
enum Rule {
    Node,
    Payload,
    Request,
}

/// A computed id without what is open for it: `r1/pay#1@step` is of `r1/pay#1`.
fn base(id: &str) -> &str {
    id.split_once('@').map_or(id, |(base, _)| base)
}

/// Whether two events of one id say the same. Which event made a node fire may have another id now.
fn same(one: &Event, other: &Event) -> bool {
    one.body == other.body || one.topic == "workflow.step"
}

fn payload(event: &Event, key: &str) -> Value {
    event.data().map(|data| data.get(key).unwrap_or(data)).cloned().unwrap_or_default()
}

/// The node of a computed id: `r1/pay#1@retry` is of `pay`.
fn node_of(id: &str) -> Option<&str> {
    let (base, _) = id.rsplit_once('#')?;
    Some(base.rsplit_once('/').map_or(base, |(_, node)| node))
}

fn node_pointer(player: &Player, node: &str) -> String {
    let place = player.runner.definition().nodes.iter().position(|it| it.id == node);
    place.map_or_else(String::new, |place| format!("/nodes/{place}"))
}

fn guard_pointer(player: &Player, node: &str, item: Option<usize>) -> String {
    let pointer = node_pointer(player, node);
    let several = player.runner.definition().node(node).is_some_and(|node| matches!(node.on, Some(weave_ir::On::Any(_))));
    match item {
        None => format!("{pointer}/match"),
        Some(item) if several => format!("{pointer}/on/any/{item}/when"),
        Some(_) => format!("{pointer}/when"),
    }
}
