//! A turn: one external event and all that follows from it.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::ToolKind;

use crate::event::{Body, Event};
use crate::failure::{Failure, FailureKind};
use crate::lineage::{FiringId, Lineage};
use crate::plan::{Action, ItemId, Plan, topics};
use crate::prepared::Prepared;
use crate::schemas::{SchemaId, Schemas};
use crate::scope::{Observer, Reader, Roots};
use crate::state::{Post, RunPhase, SlotId, SlotPhase, State, Timer};
use crate::view::View;

/// What a turn works on, and what it appends.
pub(crate) struct Turn<'r> {
    pub(crate) prepared: &'r Prepared,
    pub(crate) plan: &'r Plan,
    pub(crate) schemas: &'r Schemas,
    pub(crate) state: &'r mut State,
    pub(crate) observer: Option<&'r mut dyn Observer>,
    pub(crate) queue: VecDeque<Happening>,
    pub(crate) appended: Vec<Event>,
}

/// Something that may make nodes fire: an external event, or what was answered or failed at once.
#[derive(Default)]
pub(crate) struct Happening {
    /// The id of the event that nodes get as their cause.
    pub(crate) cause: String,
    /// This firing was answered, by an event of this topic if there is one.
    pub(crate) answered: Option<(FiringId, Option<String>)>,
    /// This firing failed for good.
    pub(crate) failed: Option<(FiringId, Failure)>,
    /// Items that are satisfied whatever else holds.
    pub(crate) satisfied: Vec<Satisfied>,
    /// The event itself, for mailboxes and plain topics.
    pub(crate) post: Option<Arc<Post>>,
    /// A firing that is closed before anything fires.
    pub(crate) closes: Option<FiringId>,
    /// The run ends with this failure.
    pub(crate) ends: Option<Failure>,
}

/// A satisfied item: what its nodes read.
#[derive(Clone)]
pub(crate) struct Satisfied {
    pub(crate) item: ItemId,
    pub(crate) lineage: Lineage,
    pub(crate) event: Option<Arc<Value>>,
    pub(crate) failure: Option<Arc<Value>>,
}

impl Satisfied {
    pub(crate) fn new(item: ItemId, lineage: Lineage, event: Arc<Value>) -> Self {
        Self { item, lineage, event: Some(event), failure: None }
    }
}

/// Whom an external event concerns.
enum Concerned {
    /// It goes off as a timer of a timeout.
    Timer(Timer),
    /// It answers what this slot waits for.
    Slot(SlotId),
    /// It answers nothing.
    Nobody,
    /// It answers what is closed or unknown.
    Past,
}

impl<'r> Turn<'r> {
    /// The run, to be read.
    pub(crate) fn view(&self) -> View<'r, '_> {
        View { prepared: self.prepared, state: self.state }
    }

    /// Takes one external event.
    pub(crate) fn take(&mut self, event: &Event) {
        if self.state.phase == RunPhase::Done || !self.state.known.insert(event.id.clone()) {
            return;
        }
        let happening = match &event.within {
            _ if self.state.phase == RunPhase::Waiting => self.start(event),
            _ if [topics::UNKNOWN, topics::AGAIN].contains(&event.topic.as_str()) => None,
            Some(request) => self.inner(event, request),
            None => self.outer(event),
        };
        self.queue.extend(happening);
        while let Some(happening) = self.queue.pop_front() {
            self.happen(happening);
        }
        self.stall();
    }

    fn start(&mut self, event: &Event) -> Option<Happening> {
        if event.topic != topics::START {
            return None;
        }
        self.state.phase = RunPhase::Running;
        self.state.run.clone_from(&event.id);
        let data = event.data().cloned().unwrap_or_default();
        match self.take_in(self.plan.input, data.get("input").unwrap_or(&Value::Null)) {
            Ok(input) => self.state.input = input,
            Err(message) => {
                self.fail_run(&Failure::new(FailureKind::InvalidInput, message));
                return None;
            }
        }
        self.set_run_timers();
        let input = Arc::new(self.state.input.clone());
        let start = self.plan.start.map(|item| Satisfied::new(item, Lineage::default(), input));
        let post = self.post(event);
        Some(Happening { cause: event.id.clone(), satisfied: start.into_iter().collect(), post, ..Happening::default() })
    }

    /// What happens inside an agent's loop (rule 6 and *Calls inside an agent's loop*).
    fn inner(&mut self, event: &Event, request: &str) -> Option<Happening> {
        let data = event.data()?;
        let id = *self.state.requests.get(request)?;
        let slot = self.state.slot(id)?;
        let firing = slot.firing;
        let node = self.plan.node(self.state.firing(firing)?.node)?;
        let Action::Request(asked) = &node.action else { return None };
        if slot.phase != SlotPhase::Request || slot.attempt != event.attempt || *asked.topic != *topics::ASK {
            return None;
        }
        let mut happening = Happening { cause: event.id.clone(), ..Happening::default() };
        let mut found = Vec::new();
        let name = data.get("name").and_then(Value::as_str).filter(|_| event.topic == topics::DISPATCH);
        if name.is_some_and(|name| self.plan.acts(name))
            && let Some(slot) = self.state.slot_mut(id)
        {
            slot.acted = true;
        }
        if let Some((name, item)) = name.and_then(|name| Some((name, *node.tools.get(name)?)))
            && let Some(args) = self.arguments(name, data.get("args").unwrap_or(&Value::Null))
        {
            found.push((item, args));
            let signal = self.plan.definition.tools.get(name).is_some_and(|tool| tool.kind == ToolKind::Signal);
            happening.closes = signal.then_some(firing);
        }
        if let Some(item) = node.topics.get(event.topic.as_str()) {
            found.extend(self.payload(&event.topic, data).map(|payload| (*item, payload)));
        }
        let lineage = self.state.behind(firing);
        happening.satisfied = found.into_iter().map(|(item, value)| Satisfied::new(item, lineage, Arc::new(value))).collect();
        Some(happening)
    }

    /// The arguments of a call inside a loop, if they fit.
    fn arguments(&self, name: &str, args: &Value) -> Option<Value> {
        self.take_in(self.plan.calls.get(name).copied(), args).ok()
    }

    /// The payload of an event as its topic declares it, if it fits.
    fn payload(&self, topic: &str, data: &Value) -> Option<Value> {
        self.take_in(self.plan.payloads.get(topic).copied(), data).ok()
    }

    /// A value as the rest of the run sees it; without a schema any value fits.
    pub(crate) fn take_in(&self, schema: Option<SchemaId>, value: &Value) -> Result<Value, String> {
        schema.map_or_else(|| Ok(value.clone()), |schema| self.schemas.take_in(schema, value))
    }

    fn outer(&mut self, event: &Event) -> Option<Happening> {
        let run = Some(self.state.run.as_str());
        if event.topic == topics::CANCEL && event.data().and_then(|data| data.get("re")).and_then(Value::as_str) == run {
            self.fail_run(&Failure::new(FailureKind::Cancelled, "the run was cancelled"));
            return None;
        }
        let mut happening = Happening { cause: event.id.clone(), ..Happening::default() };
        match self.concerned(event) {
            Concerned::Past => return None,
            Concerned::Timer(timer) => self.lapse(timer, &mut happening),
            Concerned::Slot(slot) => self.answer(slot, event, &mut happening),
            Concerned::Nobody => {}
        }
        happening.post = self.post(event);
        Some(happening)
    }

    fn concerned(&mut self, event: &Event) -> Concerned {
        let Some(request) = &event.re else {
            let accepting = self.state.accepting.get(&event.topic).filter(|orders| orders.len() == 1);
            let slot = accepting.and_then(|orders| self.state.open.get(orders.first()?));
            return slot.map_or(Concerned::Nobody, |slot| Concerned::Slot(*slot));
        };
        if event.topic == topics::FIRED
            && let Some(timer) = self.state.timers.remove(&(request.clone(), event.attempt))
        {
            return Concerned::Timer(timer);
        }
        let Some(slot) = self.state.requests.get(request).copied() else { return Concerned::Past };
        let view = self.view();
        if view.accepts(slot, &event.topic) && view.named_attempt(slot) == event.attempt { Concerned::Slot(slot) } else { Concerned::Past }
    }

    /// The event for mailboxes and plain topics, if anybody listens and it fits.
    fn post(&self, event: &Event) -> Option<Arc<Post>> {
        let Body::Data(data) = &event.body else { return None };
        if !self.plan.listens(&event.topic) {
            return None;
        }
        let value = Arc::new(self.payload(&event.topic, data)?);
        Some(Arc::new(Post { id: event.id.clone(), topic: event.topic.clone(), value }))
    }

    /// Appends a derived event.
    pub(crate) fn append(&mut self, topic: &str, id: String, attempt: u32, data: Value) {
        if self.plan.listens(topic) {
            let post = Arc::new(Post { id: id.clone(), topic: topic.to_owned(), value: Arc::new(data.clone()) });
            self.queue.push_back(Happening { cause: id.clone(), post: Some(post), ..Happening::default() });
        }
        self.append_quietly(topic, id, attempt, data);
    }

    /// Appends a derived event that makes nothing happen by itself.
    pub(crate) fn append_quietly(&mut self, topic: &str, id: String, attempt: u32, data: Value) {
        self.state.known.insert(id.clone());
        let event = Event { seq: self.state.length, attempt, ..Event::derived(id, topic, data) };
        self.state.length += 1;
        self.appended.push(event);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.state.phase == RunPhase::Done
    }

    /// Ends the run (rule 25): what is open is cancelled in the order in which it was appended.
    pub(crate) fn end_run(&mut self, outcome: Value) {
        let open: Vec<_> = self.state.open.values().copied().collect();
        for slot in open {
            self.cancel_request(slot);
        }
        let id = format!("{}@done", self.state.run);
        self.append_quietly(topics::DONE, id, 1, outcome);
        self.state.phase = RunPhase::Done;
        self.queue.clear();
    }

    pub(crate) fn fail_run(&mut self, failure: &Failure) {
        self.end_run(json!({ "outcome": "failed", "failure": failure }));
    }

    /// Fails a run in which nothing can happen any more (rule 26).
    fn stall(&mut self) {
        let state = &*self.state;
        let stuck = state.open_firings == 0 && state.run_timers == 0 && state.listeners == 0;
        if stuck && state.phase == RunPhase::Running {
            self.fail_run(&Failure::new(FailureKind::Stalled, "nothing is open, and nothing that may come makes a node fire"));
        }
    }

    /// A reader for a node with these values.
    pub(crate) fn reader<'t>(&'t mut self, node: &'t str, from: &'t Satisfied, element: Option<(&'t str, &'t Value)>) -> Reader<'t, 't> {
        let roots = Roots {
            plan: self.plan,
            state: self.state,
            lineage: from.lineage,
            event: from.event.as_ref(),
            failure: from.failure.as_ref(),
            element,
        };
        let observer: Option<&mut dyn Observer> = match &mut self.observer {
            Some(observer) => Some(&mut **observer),
            None => None,
        };
        Reader { roots, node, observer }
    }
}
