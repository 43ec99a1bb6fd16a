//! The runner: the interface of this crate.

use std::collections::{BTreeSet, HashSet, VecDeque};

use serde_json::Value;
use weave_ir::{Definition, Schema};

use crate::error::ScrollError;
use crate::event::{Event, EventKind};
use crate::plan::{Plan, Request, topics};
use crate::schemas::Schemas;
use crate::scope::Observer;
use crate::state::{RunPhase, SlotPhase, State};
use crate::turn::Turn;

/// One run of a definition, fed event by event.
///
/// It is a cache and nothing more: whoever feeds a new one the same events has the same run.
pub struct Runner<'d> {
    plan: Plan<'d>,
    schemas: Schemas,
    state: State,
    observer: Option<Box<dyn Observer>>,
}

/// A request, or a timer, that an external event can answer.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRequest<'r> {
    /// The id that the answer names in `re`.
    pub id: String,
    /// The attempt that the answer names.
    pub attempt: u32,
    /// The node that waits; none: the run itself has a timeout.
    pub node: Option<&'r str>,
    /// Its topic.
    pub topic: &'r str,
    /// The topics that answer it, each with what its data must fit; none: the topic says nothing about it.
    pub answers: Vec<(&'r str, Option<&'r Schema>)>,
}

impl<'d> Runner<'d> {
    /// A run that has not started.
    #[must_use]
    pub fn new(definition: &'d Definition) -> Self {
        let plan = Plan::new(definition);
        Self { state: State::new(&plan), plan, schemas: Schemas::new(definition), observer: None }
    }

    /// The same run, whose reading of paths somebody watches.
    #[must_use]
    pub fn with_observer(self, observer: Box<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Takes the next event of the scroll, and gives the derived events that follow from it, in order.
    ///
    /// Derived events follow from the external ones, so they tell the run nothing, and nothing follows from them. Before
    /// `workflow.start` and after the end of the run nothing follows from any event.
    pub fn feed(&mut self, event: &Event) -> Vec<Event> {
        if event.kind == EventKind::Derived {
            return Vec::new();
        }
        self.state.length += 1;
        let mut turn = Turn {
            plan: &self.plan,
            schemas: &mut self.schemas,
            state: &mut self.state,
            observer: self.observer.as_deref_mut(),
            queue: VecDeque::new(),
            appended: Vec::new(),
        };
        turn.take(event);
        turn.appended
    }

    /// The run is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state.phase == RunPhase::Done
    }

    /// What waits for an answer: open requests in the order of their appending, then the timers of timeouts by their ids.
    ///
    /// Whoever plays the world for a run, in a test or at a prompt, finds here what may come next.
    #[must_use]
    pub fn open_requests(&mut self) -> Vec<OpenRequest<'_>> {
        if self.is_done() {
            return Vec::new();
        }
        let turn = Turn {
            plan: &self.plan,
            schemas: &mut self.schemas,
            state: &mut self.state,
            observer: None,
            queue: VecDeque::new(),
            appended: Vec::new(),
        };
        turn.open_requests()
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> &'d Definition {
        self.plan.definition
    }
}

impl<'r> Turn<'r> {
    fn open_requests(&self) -> Vec<OpenRequest<'r>> {
        let mut open: Vec<_> = self.state.open.values().filter_map(|slot| self.describe(*slot)).collect();
        let timers: BTreeSet<_> = self.state.timers.iter().filter(|(_, timer)| self.is_due(timer)).map(|(key, _)| key).collect();
        open.extend(timers.into_iter().map(|(id, attempt)| OpenRequest {
            id: id.clone(),
            attempt: *attempt,
            node: self.timed_node(id, *attempt),
            topic: topics::TIMER,
            answers: vec![(topics::FIRED, None)],
        }));
        open
    }

    fn describe(&self, slot: crate::state::SlotId) -> Option<OpenRequest<'r>> {
        let state = self.state.slot(slot)?;
        let plan = self.plan;
        let node = plan.node(self.state.firing(state.firing)?.node)?.node;
        let request = self.request(slot)?;
        let (topic, hydrates) = match state.phase {
            SlotPhase::Approval => (topics::APPROVAL, None),
            SlotPhase::Hydration => (topics::HYDRATE, request.hydration.as_ref().and_then(|(name, _)| plan.definition.prompts.get(*name))),
            SlotPhase::Pause => (topics::TIMER, None),
            _ => (request.topic, None),
        };
        let schema = |topic: &'r str| match state.phase {
            SlotPhase::Request => self.answer_schema(request, topic),
            SlotPhase::Hydration => hydrates.and_then(|prompt| prompt.hydrates.as_ref()),
            _ => plan.definition.events.get(topic).map(|event| &event.payload),
        };
        let answers = self.accepts(slot).into_iter().map(|topic| (topic, schema(topic))).collect();
        Some(OpenRequest { id: self.request_id(slot), attempt: self.named_attempt(slot), node: Some(&node.id), topic, answers })
    }

    fn answer_schema(&self, request: &Request<'r>, topic: &str) -> Option<&'r Schema> {
        let pointer = request.schema_of(topic)?;
        self.plan.definition.schemas().into_iter().find(|(own, _)| own == pointer).map(|(_, schema)| schema)
    }

    /// The node whose timeout a timer is.
    fn timed_node(&self, id: &str, attempt: u32) -> Option<&'r str> {
        let crate::state::Timer::Step { firing, .. } = self.state.timers.get(&(id.to_owned(), attempt))? else { return None };
        let plan = self.plan;
        Some(&plan.node(self.state.firing(*firing)?.node)?.node.id)
    }

    /// Whether something may still happen when a timer fires.
    fn is_due(&self, timer: &crate::state::Timer) -> bool {
        match timer {
            crate::state::Timer::Run { .. } => true,
            crate::state::Timer::Step { firing, .. } => self.state.is_open(*firing),
        }
    }
}

/// The derived events that follow from the events of a scroll so far and are not on it, in order.
///
/// # Errors
///
/// If the events are no scroll of a run of this definition.
pub fn next(definition: &Definition, events: &[Event]) -> Result<Vec<Event>, ScrollError> {
    let Some(first) = events.first() else { return Ok(Vec::new()) };
    check_start(definition, first)?;
    let key = |event: &Event| (event.id.clone(), event.attempt);
    let there: HashSet<_> = events.iter().filter(|event| event.kind == EventKind::Derived).map(key).collect();
    let mut runner = Runner::new(definition);
    let mut followed = HashSet::new();
    let mut missing = Vec::new();
    for event in events {
        for derived in runner.feed(event) {
            if !there.contains(&key(&derived)) {
                let seq = (events.len() + missing.len()) as u64;
                missing.push(Event { seq, ..derived });
            } else {
                followed.insert(key(&derived));
            }
        }
    }
    let foreign = events.iter().find(|event| event.kind == EventKind::Derived && !followed.contains(&key(event)));
    match foreign {
        Some(event) => Err(ScrollError::Foreign { id: event.id.clone(), attempt: event.attempt }),
        None => Ok(missing),
    }
}

/// Whether a scroll begins as a run of this definition does.
fn check_start(definition: &Definition, first: &Event) -> Result<(), ScrollError> {
    let data = first.data().filter(|_| first.topic == topics::START && first.kind == EventKind::External);
    let Some(data) = data else { return Err(ScrollError::NoStart { id: first.id.clone() }) };
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    if let Some(started) = text("workflow").filter(|name| *name != definition.workflow) {
        return Err(ScrollError::OtherWorkflow { started: started.to_owned() });
    }
    let Some(started) = text("digest") else { return Ok(()) };
    let digest = definition.digest().map_err(|error| ScrollError::Definition(error.to_string()))?;
    if digest == started { Ok(()) } else { Err(ScrollError::OtherDefinition { started: started.to_owned() }) }
}
