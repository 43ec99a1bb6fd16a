//! What the events of a run mean for the outbox: which rows they add, and which they take away.
//!
//! The same code folds a scroll when a run is loaded and when an event is appended, so what is to be done after a restart is what
//! was to be done before.

use serde_json::Value;
use weave_runner::{Body, Event};
use weave_scroll::{RowState, Time};

use crate::agent::{Loop, Next, Target, numbers};
use crate::drive::{Drive, LoopName, Parent};
use crate::item::{Item, ItemKind, dispatched};
use crate::key::Key;
use crate::rules::Rule;
use crate::time::later;
use crate::topics;

impl Drive {
    /// Takes an external event, and what followed from it.
    pub(crate) fn absorb(&mut self, event: &Event, derived: &[Event], now: Time) {
        match &event.within {
            Some(within) => self.absorb_inner(event, &(within.clone(), event.attempt), now),
            None => self.absorb_outer(event),
        }
        for event in derived {
            self.absorb_derived(event, now);
        }
        self.sweep();
    }

    fn absorb_outer(&mut self, event: &Event) {
        match event.topic.as_str() {
            topics::START if self.memory.parent.is_none() => {
                self.memory.parent = event.meta.as_ref().and_then(|meta| Parent::read(meta.get("parent")?));
            }
            topics::UNKNOWN | topics::AGAIN => {
                let number = event.data().and_then(|data| data.get("sending")).and_then(Value::as_u64);
                let Some(key) = event.re.as_deref().and_then(|re| self.key_of(re, event.attempt)) else { return };
                self.touch(&key);
                let same_sending = self.rules.hold(Rule::SendingInDecision);
                if let Some(item) = self.memory.items.get_mut(&key).filter(|item| number == Some(u64::from(item.sendings)) || !same_sending)
                {
                    item.state = if event.topic == topics::UNKNOWN { RowState::Unknown } else { RowState::Ready };
                    item.due = 0;
                }
            }
            _ => {}
        }
    }

    fn absorb_inner(&mut self, event: &Event, name: &LoopName, now: Time) {
        let Some(of) = self.memory.loops.get(name) else { return };
        let key = of.key.clone();
        match event.topic.as_str() {
            topics::TURN => {
                let Some(place) = key.place(&event.id) else { return };
                self.remove(&place);
                if let (Some(of), Some(data)) = (self.memory.loops.get_mut(name), event.data()) {
                    of.take_turn(data);
                }
            }
            topics::APPROVAL => {
                let Some(place) = key.place(&event.id) else { return };
                let data = event.data().cloned().unwrap_or_default();
                let tool = data.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                self.add(place, Item::new(ItemKind::Question, tool, topics::APPROVAL, data));
            }
            topics::DECISION => {
                if let Some(place) = event.re.as_deref().and_then(|re| key.place(re)) {
                    self.remove(&place);
                }
            }
            topics::DISPATCH => {
                if let Some(place) = key.place(&event.id) {
                    self.absorb_call(name, place, event, now);
                }
            }
            topics::RESULT => {
                if let Some(place) = event.re.as_deref().and_then(|re| key.place(re)) {
                    self.absorb_result(name, &place, event, now);
                }
            }
            _ => return,
        }
        self.give_turn(name);
    }

    /// A call inside a loop was made.
    fn absorb_call(&mut self, name: &LoopName, place: Key, event: &Event, now: Time) {
        let data = event.data().cloned().unwrap_or_default();
        let Some((turn, Some(call))) = numbers(&place.part) else { return };
        let Some(of) = self.memory.loops.get(name) else { return };
        let offered = of.said(turn, call).map(|said| said.name.clone()).unwrap_or_default();
        let definition = self.definition();
        match of.target(&definition, &offered) {
            Some(Target::Agent(agent)) => {
                let args = data.get("args").cloned().unwrap_or_default();
                let inner = Loop::new(place.clone(), serde_json::json!({ "agent": agent, "args": args }));
                let inner_name = (place.name(), place.attempt);
                self.memory.loops.insert(inner_name.clone(), inner);
                self.give_turn(&inner_name);
            }
            Some(Target::Workflow(workflow)) => self.add(place, Item::new(ItemKind::Child, workflow, topics::DISPATCH, data)),
            Some(Target::Tool(tool)) => {
                self.add(place.clone(), Item::new(dispatched(&definition, tool), tool, topics::DISPATCH, data));
                let declared = definition.tools.get(tool);
                let lengths = [
                    ("timeout", declared.and_then(|tool| tool.timeout)),
                    ("deadline", declared.and_then(|tool| tool.deferred.as_ref()?.deadline)),
                ];
                for (what, length) in lengths {
                    if let Some(length) = length {
                        let timer = Item::new(ItemKind::Timer, what, topics::TIMER, Value::Null);
                        self.add(place.below(what), timer.due_at(later(now, length.milliseconds())));
                    }
                }
            }
            None => {}
        }
    }

    /// A call inside a loop has a result, or a try of it has failed.
    fn absorb_result(&mut self, name: &LoopName, place: &Key, event: &Event, now: Time) {
        let Some((turn, Some(call))) = numbers(&place.part) else { return };
        let meta = |key: &str| event.meta.as_ref().and_then(|meta| meta.get(key));
        if let Some(pause) = meta("again").and_then(Value::as_u64) {
            self.touch(place);
            if let Some(item) = self.memory.items.get_mut(place) {
                item.state = RowState::Ready;
                item.due = later(now, pause);
            }
            let timeout = place.below("timeout");
            let length = self.memory.items.get(place).and_then(|item| self.prepared.definition().tools.get(&item.name)?.timeout);
            if let Some(length) = length {
                let timer = Item::new(ItemKind::Timer, "timeout", topics::TIMER, Value::Null);
                self.add(timeout, timer.due_at(later(now, pause.saturating_add(length.milliseconds()))));
            }
            if let Some(call) = self.memory.loops.get_mut(name).and_then(|of| of.call_mut(turn, call)) {
                call.failed_tries += 1;
            }
            return;
        }
        let closes = meta("closes").is_some();
        self.remove_below(place);
        if let Some(call) = self.memory.loops.get_mut(name).and_then(|of| of.call_mut(turn, call)) {
            call.closes = closes;
            call.result = Some(match &event.body {
                Body::Data(data) => Ok(data.clone()),
                Body::Failure(failure) => Err(failure.clone()),
            });
        }
    }

    /// Gives the model of a loop its next turn, if it is its turn.
    pub(crate) fn give_turn(&mut self, name: &LoopName) {
        let Some(of) = self.memory.loops.get(name) else { return };
        let Next::Turn(turn) = of.next(&self.prepared) else { return };
        let agent = of.agent.clone();
        let model = agent.as_ref().and_then(|agent| self.prepared.definition().agents.get(agent)?.model.clone());
        let place = of.key.below(&format!("turn{turn}"));
        if !self.memory.items.contains_key(&place) {
            let item = Item::new(ItemKind::Model, model.or(agent).unwrap_or_default(), topics::ASK, Value::Null);
            self.add(place, item);
        }
    }

    fn absorb_derived(&mut self, event: &Event, now: Time) {
        let key = Key::request(event.id.clone(), event.attempt);
        let Some(data) = event.data() else { return };
        let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let definition = self.definition();
        let topic = event.topic.as_str();
        let item = |kind: ItemKind, name: String| Item::new(kind, name, topic, data.clone());
        match topic {
            topics::STEP | topics::CANCEL => {}
            topics::DONE => self.memory.done = Some(data.clone()),
            topics::DISPATCH => {
                let name = text("name");
                // The runner times the answer, the host the acknowledgement of a deferred tool.
                let timeout = definition.tools.get(&name).filter(|tool| tool.deferred.is_some()).and_then(|tool| tool.timeout);
                self.add(key.clone(), item(dispatched(&definition, &name), name));
                if let Some(length) = timeout {
                    let timer = Item::new(ItemKind::Timer, "timeout", topics::TIMER, Value::Null);
                    self.add(key.below("timeout"), timer.due_at(later(now, length.milliseconds())));
                }
            }
            topics::ASK => {
                let name = (event.id.clone(), event.attempt);
                self.memory.loops.insert(name.clone(), Loop::new(key, data.clone()));
                self.give_turn(&name);
            }
            topics::START => self.add(key, item(ItemKind::Child, text("workflow"))),
            topics::TIMER => {
                let due = crate::time::due(data, now);
                self.add(key, item(ItemKind::Timer, String::new()).due_at(due));
            }
            topics::APPROVAL => self.add(key, item(ItemKind::Question, text("name"))),
            topics::HYDRATE => self.add(key, item(ItemKind::Hydration, text("prompt"))),
            other if !crate::item::answers(&definition, other).is_empty() => self.add(key, item(ItemKind::Question, other.to_owned())),
            _ => {}
        }
    }

    /// Takes away what nothing waits for any more.
    fn sweep(&mut self) {
        let runner = &self.memory.runner;
        let is_open = |key: &Key| runner.is_open(&key.id, key.attempt);
        let closed: Vec<_> = self.memory.items.keys().filter(|key| !is_open(key)).cloned().collect();
        let ended: Vec<_> = self.memory.loops.iter().filter(|(_, of)| !is_open(&of.key)).map(|(name, _)| name.clone()).collect();
        for key in closed {
            self.remove(&key);
        }
        for name in ended {
            let Some(of) = self.memory.loops.remove(&name) else { continue };
            if self.keeps_exchanges && of.key.part.is_empty() {
                self.memory.exchanges.insert(name.0, of);
            }
        }
    }

    pub(crate) fn add(&mut self, key: Key, item: Item) {
        self.touch(&key);
        if !key.part.is_empty() {
            self.memory.parts.insert(key.name(), key.clone());
        }
        self.memory.items.insert(key, item);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        if self.memory.items.contains_key(key) {
            self.touch(key);
            self.memory.items.remove(key);
            if !key.part.is_empty() {
                self.memory.parts.remove(&key.name());
            }
        }
    }

    /// Removes a call, its timers, and the loop of the agent that it asked.
    fn remove_below(&mut self, place: &Key) {
        self.remove(place);
        let below: Vec<_> = self.memory.items.keys().filter(|key| key.is_below(place)).cloned().collect();
        for key in below {
            self.remove(&key);
        }
        self.memory.loops.retain(|_, of| of.key != *place && !of.key.is_below(place));
    }

    /// What an answer means by `re`.
    pub(crate) fn key_of(&self, re: &str, attempt: u32) -> Option<Key> {
        match self.memory.parts.get(re) {
            Some(key) => Some(key.clone()),
            None => Some(Key::request(re, attempt)).filter(|key| self.memory.items.contains_key(key)),
        }
    }
}
