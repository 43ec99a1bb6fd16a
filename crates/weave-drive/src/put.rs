//! From what happened to an append: one external event, or several that belong together, what follows from them, and what becomes of
//! the rows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use weave_runner::{Body, Event, Failure, FailureKind};
use weave_scroll::{Append, Change, Effect, NewRun, Post, Require, RowState, RunState, Status, Time, To, Turn, When};

use crate::drive::{Drive, Parent, Pending, Phase};
use crate::io::{Outcome, Output};
use crate::item::{Item, ItemKind};
use crate::key::Key;
use crate::rules::Rule;
use crate::topics;

/// An append that is being put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    expected: u64,
    turns: Vec<(Event, Vec<Event>)>,
    /// The things that were touched, as they were before; none: they were not there.
    touched: BTreeMap<Key, Option<Item>>,
    /// The names of requests that were answered, which need no cancelling.
    answered: BTreeSet<String>,
    /// The append is not from the inbox, so that has to be empty.
    inbox_empty: bool,
    /// The append is about a row in this state, with so many sendings.
    pub(crate) row: Option<(Key, RowState, u32)>,
}

/// What is appended next.
enum Candidate {
    Start(Box<NewRun>, Box<Event>),
    Inbox(u64, Box<Event>),
    Outcome(Key, Outcome),
    Lost(Key),
    Timer(Key),
}

impl Drive {
    /// Appends what can be appended, and sends what can be sent.
    pub(crate) fn pump(&mut self, now: Time) {
        while self.phase == Phase::Loaded && self.memory.appending.is_none() {
            let Some(candidate) = self.candidate(now) else { break };
            self.apply(candidate, now);
        }
        if self.phase == Phase::Loaded {
            self.dispatch(now);
        }
    }

    fn candidate(&mut self, now: Time) -> Option<Candidate> {
        if let Some((new, event)) = self.memory.start.take() {
            return Some(Candidate::Start(new, event));
        }
        let inbox_first = self.rules.hold(Rule::InboxFirst);
        if !inbox_first && let Some(key) = self.due_timer(now) {
            return Some(Candidate::Timer(key));
        }
        if let Some(key) = self.lost_and_decided() {
            self.memory.lost.remove(&key);
            return Some(Candidate::Lost(key));
        }
        if let Some((pos, event)) = self.memory.inbox.pop_front() {
            return Some(Candidate::Inbox(pos, Box::new(event)));
        }
        if let Some((key, outcome)) = self.outcomes.front() {
            return Some(Candidate::Outcome(key.clone(), outcome.clone()));
        }
        if let Some(key) = self.memory.lost.pop_first() {
            return Some(Candidate::Lost(key));
        }
        self.due_timer(now).map(Candidate::Timer)
    }

    /// The call about which the next posted event decides, and of which only this process knows that its outcome is unknown: somebody
    /// has looked at the run while no process drove it.
    fn lost_and_decided(&self) -> Option<Key> {
        let (_, event) = self.memory.inbox.front()?;
        let decides = event.topic == topics::AGAIN || event.meta.as_ref().is_some_and(|meta| meta.contains_key("sending"));
        let key = self.key_of(event.re.as_deref()?, event.attempt).filter(|_| decides)?;
        self.memory.lost.contains(&key).then_some(key)
    }

    /// The timer that is due first. Timers of one moment fire in the order of their ids.
    fn due_timer(&self, now: Time) -> Option<Key> {
        let due =
            self.memory.items.iter().filter(|(key, item)| item.kind == ItemKind::Timer && item.is_due(now) && !self.is_muted(key, item));
        due.min_by_key(|(key, item)| (item.due, *key)).map(|(key, _)| key.clone())
    }

    /// Whether a timer bounds only the acknowledgement of a deferred call that was acknowledged.
    pub(crate) fn is_muted(&self, key: &Key, item: &Item) -> bool {
        if item.kind != ItemKind::Timer {
            return false;
        }
        let call = key.above().filter(|_| key.part == "timeout" || key.part.ends_with("@timeout"));
        let call = call.and_then(|call| self.memory.items.get(&call)).filter(|call| call.state == RowState::Accepted);
        call.is_some_and(|call| self.prepared.definition().tools.get(&call.name).is_some_and(|tool| tool.deferred.is_some()))
    }

    fn apply(&mut self, candidate: Candidate, now: Time) {
        let follows = match &candidate {
            Candidate::Inbox(..) | Candidate::Start(..) => false,
            Candidate::Lost(_) => self.memory.inbox.is_empty(),
            Candidate::Outcome(..) | Candidate::Timer(_) => true,
        };
        let inbox_empty = follows && self.rules.hold(Rule::InboxFirst);
        self.draft = Some(Draft { expected: self.memory.head, inbox_empty, ..Draft::default() });
        let (mut create, mut took, mut outcome) = (None, None, None);
        match candidate {
            Candidate::Start(new, event) => {
                create = Some(new);
                self.put(*event, now);
            }
            Candidate::Inbox(pos, event) => {
                took = Some(pos);
                self.take_post(*event, now);
            }
            Candidate::Outcome(key, what) => {
                self.take_outcome(&key, what, now);
                outcome = Some(key);
            }
            Candidate::Lost(key) => self.take_lost(&key, now),
            Candidate::Timer(key) => self.fire(&key, now),
        }
        let Some(draft) = self.draft.take() else { return };
        if draft.turns.is_empty() {
            if let Some(key) = outcome {
                self.outcomes.pop_front();
                self.ours.remove(&key);
            }
            return;
        }
        self.commit(draft, create, took, outcome, now);
    }

    /// Appends an external event, and what follows from it.
    pub(crate) fn put(&mut self, event: Event, now: Time) {
        let event = Event { seq: self.memory.head, at: Some(weave_expr::timestamp(now)), ..event };
        let derived = self.memory.runner.feed(&event);
        self.memory.head += 1 + derived.len() as u64;
        if let (Some(draft), Some(re)) = (&mut self.draft, &event.re) {
            draft.answered.insert(re.clone());
        }
        self.absorb(&event, &derived, now);
        if let Some(draft) = &mut self.draft {
            draft.turns.push((event, derived));
        }
    }

    /// Whether nothing has been put into the append that is being put together.
    pub(crate) fn nothing_put(&self) -> bool {
        self.draft.as_ref().is_none_or(|draft| draft.turns.is_empty())
    }

    /// Notes that a thing changes.
    pub(crate) fn touch(&mut self, key: &Key) {
        let Some(draft) = &mut self.draft else { return };
        let before = || self.memory.items.get(key).cloned();
        draft.touched.entry(key.clone()).or_insert_with(before);
    }

    fn commit(&mut self, draft: Draft, create: Option<Box<NewRun>>, took: Option<u64>, outcome: Option<Key>, now: Time) {
        let ends = draft.turns.iter().any(|(_, derived)| derived.iter().any(|event| event.topic == topics::DONE));
        let done = self.memory.done.clone().filter(|_| ends);
        let mut require = Vec::new();
        if draft.inbox_empty {
            require.push(Require::InboxEmpty);
        }
        if let Some((key, state, sendings)) = draft.row {
            require.push(Require::Row { key: key.row(&self.place.run), state, sendings: Some(sendings) });
        }
        let mut effects = Vec::new();
        let (mut added, mut aborts) = (Vec::new(), Vec::new());
        for (key, before) in draft.touched {
            let after = self.memory.items.get(&key);
            match (&before, after) {
                (None, Some(_)) => added.push(key.clone()),
                (Some(_), None) => aborts.push(key.clone()),
                _ => {}
            }
            let answered = draft.answered.contains(&key.name());
            self.effects(&key, before.as_ref(), after, answered, now, &mut effects);
        }
        if let (Some(done), Some(parent)) = (&done, &self.memory.parent) {
            effects.extend(post(&parent.run, &ended(parent, done), now));
        }
        let mut recorded = Vec::new();
        let mut turns = Vec::new();
        for (external, derived) in draft.turns {
            turns.extend(Turn::new(&external, &derived, now));
            recorded.push(external);
            recorded.extend(derived);
        }
        let append = Append {
            node: self.place.node,
            run: self.place.run.clone(),
            create,
            expected: draft.expected,
            turns,
            took,
            require,
            effects,
            state: self.state(now),
        };
        self.memory.appending = Some(Pending { outcome, took, added, aborts, recorded, done });
        self.out.push(Output::Append(Box::new(append)));
    }

    /// How a row changes.
    fn effects(&self, key: &Key, before: Option<&Item>, after: Option<&Item>, answered: bool, now: Time, effects: &mut Vec<Effect>) {
        let run = &self.place.run;
        let definition = self.prepared.definition();
        let row = |item: &Item| item.row(run, key, definition);
        match (before, after) {
            (Some(before), Some(after)) if before.kind == ItemKind::Timer => {
                if before.due != after.due {
                    effects.push(Effect::CloseRow(key.row(run)));
                    effects.extend(row(after).map(|row| Effect::Put(Box::new(row))));
                }
            }
            (Some(before), Some(after)) => {
                let to = match after.state {
                    RowState::Ready => To::Ready { due: after.due },
                    RowState::Unknown => To::Unknown,
                    RowState::Sent | RowState::Accepted => return,
                };
                let when = When { state: before.state, sendings: Some(before.sendings) };
                effects.push(Effect::Change(Box::new(Change { key: key.row(run), when, to, reserve: None })));
            }
            (Some(before), None) if before.kind == ItemKind::Child => {
                let child = child_run(key);
                let event = Event::external(format!("{child}@cancel"), topics::CANCEL, json!({ "re": child }));
                effects.extend(post(&child, &event, now).filter(|_| !answered));
            }
            (Some(_), None) => effects.push(Effect::CloseRow(key.row(run))),
            (None, Some(after)) if after.kind == ItemKind::Child => {
                effects.extend(self.child(key, after, now).map(|new| Effect::Start(Box::new(new))));
            }
            (None, Some(after)) => effects.extend(row(after).map(|row| Effect::Put(Box::new(row)))),
            (None, None) => {}
        }
    }

    /// The run that a request or call starts. Its first event says who waits for its end.
    fn child(&self, key: &Key, item: &Item, now: Time) -> Option<NewRun> {
        let inside = !key.part.is_empty();
        let declared = self.prepared.definition().workflows.get(&item.name);
        let text = |key: &str| item.data.get(key).and_then(Value::as_str).map(str::to_owned);
        let digest = text("digest").or_else(|| declared.map(|workflow| workflow.digest.clone()))?;
        let input = item.data.get(if inside { "args" } else { "input" }).cloned().unwrap_or_default();
        let topic = if inside { topics::RESULT } else { topics::DONE };
        let parent = Parent { run: self.place.run.clone(), re: key.name(), attempt: key.attempt, topic: topic.to_owned() };
        let id = child_run(key);
        let mut event = Event::start(id.clone(), &item.name, &digest, input);
        event.meta = Some(serde_json::Map::from_iter([("parent".to_owned(), parent.written())]));
        Some(NewRun {
            input_digest: weave_ir::sha256(event.data()?.get("input")?.to_string().as_bytes()),
            event: serde_json::to_string(&event).ok()?,
            id,
            workflow: item.name.clone(),
            digest,
            digest_given: true,
            revision: self.place.revision,
            parent: Some(self.place.run.clone()),
            shard: self.place.shard,
            at: now,
        })
    }

    /// What the run is after the append.
    fn state(&self, now: Time) -> RunState {
        let Some(done) = &self.memory.done else {
            return RunState { waiting: self.waiting(), ..RunState::open() };
        };
        let kind = done.get("failure").map(|failure| failure.get("kind").and_then(Value::as_str) == Some("cancelled"));
        let status = match kind {
            None => Status::Succeeded,
            Some(true) => Status::Cancelled,
            Some(false) => Status::Failed,
        };
        RunState { status, waiting: None, ended: Some(now) }
    }

    /// Fires a timer.
    fn fire(&mut self, key: &Key, now: Time) {
        let Some(call) = key.above() else {
            let id = if self.rules.hold(Rule::AttemptInId) { key.event("fired") } else { format!("{}@fired", key.id) };
            self.put(Event::answer(id, topics::FIRED, key.id.clone(), Value::Null).with_attempt(key.attempt), now);
            self.remove(key);
            return;
        };
        let late = key.part.ends_with("deadline");
        let message = if late { "the deferred answer did not come in time" } else { "there was no answer in time" };
        let failure = Failure::new(FailureKind::Timeout, message);
        let tool = self.memory.items.get(&call).and_then(|item| self.prepared.definition().tools.get(&item.name));
        let fails = tool.and_then(|tool| tool.deferred.as_ref()?.on_timeout) == Some(weave_ir::OnTimeout::Fail);
        if call.part.is_empty() {
            let event = Event::failed(call.event("result"), topics::RESULT, call.id.clone(), failure).with_attempt(call.attempt);
            self.put(event, now);
        } else {
            self.call_ended(&call, Body::Failure(failure), None, late && fails, now);
        }
        self.remove(key);
    }
}

fn post(run: &str, event: &Event, now: Time) -> Option<Effect> {
    let text = serde_json::to_string(event).ok()?;
    Some(Effect::Post(Box::new(Post { run: run.to_owned(), id: event.id.clone(), event: text, at: now })))
}

/// The end of a run, as its parent reads it.
fn ended(parent: &Parent, done: &Value) -> Event {
    let id = format!("{}/{}@result", parent.re, parent.attempt);
    let event = match done.get("failure").and_then(|failure| serde_json::from_value::<Failure>(failure.clone()).ok()) {
        Some(failure) => Event::failed(id, parent.topic.clone(), parent.re.clone(), failure),
        None => Event::answer(id, parent.topic.clone(), parent.re.clone(), done.get("output").cloned().unwrap_or_default()),
    };
    event.with_attempt(parent.attempt)
}

/// The run that a request or call starts. A further attempt is a run of its own, because ids of runs are never used again.
#[must_use]
pub fn child_run(key: &Key) -> String {
    let name = key.name();
    if key.part.is_empty() && key.attempt > 1 { format!("{name}@{}", key.attempt) } else { name }
}
