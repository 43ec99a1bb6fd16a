//! The runner: the interface of this crate.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;
use weave_ir::{Definition, Schema};

use crate::error::ScrollError;
use crate::event::{Event, EventKind};
use crate::plan::topics;
use crate::prepared::Prepared;
use crate::scope::Observer;
use crate::state::{FiringState, RunPhase, State};
use crate::turn::Turn;
use crate::view::View;

/// One run of a definition, fed event by event.
///
/// It is a cache and nothing more: a new one that is fed the same events is the same run. A clone goes on by itself.
#[derive(Clone)]
pub struct Runner {
    prepared: Arc<Prepared>,
    state: State,
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

/// One firing of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct FiringView<'r> {
    /// Its id: `RUN/node#n`.
    pub id: &'r str,
    /// The node.
    pub node: &'r str,
    /// What it came to.
    pub outcome: FiringOutcome<'r>,
    /// The answers of the elements of a fan-out so far, in the order of its list; none: it is not a fan-out.
    pub elements: Option<Vec<Option<&'r Value>>>,
}

/// What a firing came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FiringOutcome<'r> {
    /// It waits for an answer, or it ended the run.
    Open,
    /// It was answered with this value.
    Answered(&'r Value),
    /// It failed, after all of its attempts.
    Failed,
    /// It was cancelled, or closed by a signal of its agent.
    Closed,
}

impl Runner {
    /// A run that has not started.
    #[must_use]
    pub fn new(prepared: Arc<Prepared>) -> Self {
        Self { state: State::new(&prepared.plan), prepared }
    }

    /// Takes the next event of the scroll, and gives the derived events that follow from it, in order.
    ///
    /// Derived events follow from the external ones, so they tell the run nothing, and nothing follows from them. Before
    /// `workflow.start` and after the end of the run nothing follows from any event.
    pub fn feed(&mut self, event: &Event) -> Vec<Event> {
        self.turn(event, None)
    }

    /// The same as [`feed`](Self::feed), with an observer of what nodes read and which guards decide.
    pub fn feed_observed(&mut self, event: &Event, observer: &mut dyn Observer) -> Vec<Event> {
        self.turn(event, Some(observer))
    }

    fn turn<'t>(&'t mut self, event: &Event, observer: Option<&'t mut (dyn Observer + 't)>) -> Vec<Event> {
        if event.kind == EventKind::Derived {
            return Vec::new();
        }
        self.state.length += 1;
        let Prepared { plan, schemas, .. } = &*self.prepared;
        let mut turn = Turn {
            prepared: &self.prepared,
            plan,
            schemas,
            state: &mut self.state,
            observer,
            queue: VecDeque::new(),
            appended: Vec::new(),
        };
        turn.take(event);
        turn.appended
    }

    /// Whether the run is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state.phase == RunPhase::Done
    }

    /// What waits for an answer: open requests in the order of their appending, then the timers of timeouts by their ids.
    ///
    /// A test, a simulation or a prompt that plays the world for a run finds here what may come next.
    #[must_use]
    pub fn open_requests(&self) -> Vec<OpenRequest<'_>> {
        if self.is_done() {
            return Vec::new();
        }
        View { prepared: &self.prepared, state: &self.state }.open_requests()
    }

    /// Why the run would not take what an event says: the input of `workflow.start`, or an answer, that does not fit its schema.
    ///
    /// Nothing if it fits, or if there is nothing that it must fit.
    #[must_use]
    pub fn misfit(&self, event: &Event) -> Option<String> {
        let Prepared { plan, schemas, .. } = &*self.prepared;
        let data = event.data()?;
        if self.state.phase == RunPhase::Waiting {
            let input = data.get("input").unwrap_or(&Value::Null);
            return schemas.check(plan.input.filter(|_| event.topic == topics::START)?, input).err();
        }
        let view = View { prepared: &self.prepared, state: &self.state };
        let slot = match &event.re {
            Some(request) => *self.state.requests.get(request)?,
            None => *self.state.open.get(self.state.accepting.get(&event.topic).filter(|orders| orders.len() == 1)?.first()?)?,
        };
        let named = event.re.is_none() || view.named_attempt(slot) == event.attempt;
        schemas.check(view.answer_schema(slot, &event.topic).filter(|_| named)?, data).err()
    }

    /// The firings so far, in their order.
    pub fn firings(&self) -> impl Iterator<Item = FiringView<'_>> {
        let plan = &self.prepared.plan;
        self.state.firings.iter().filter_map(|firing| {
            let outcome = match &firing.state {
                FiringState::Open => FiringOutcome::Open,
                FiringState::Answered(_, value) => FiringOutcome::Answered(value),
                FiringState::Failed => FiringOutcome::Failed,
                FiringState::Signalled(_) | FiringState::Cancelled => FiringOutcome::Closed,
            };
            let answers = firing.fan.as_ref().map(|fan| fan.answers.iter().map(Option::as_deref).collect());
            Some(FiringView { id: &firing.id, node: &plan.node(firing.node)?.node.id, outcome, elements: answers })
        })
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// What all runs of the definition share.
    #[must_use]
    pub fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        self.prepared.definition()
    }
}

/// The derived events that follow from the events of a scroll so far and are not on it, in order.
///
/// # Errors
///
/// If the events are no scroll of a run of this definition.
pub fn next(prepared: &Arc<Prepared>, events: &[Event]) -> Result<Vec<Event>, ScrollError> {
    let Some(first) = events.first() else { return Ok(Vec::new()) };
    check_start(prepared, first)?;
    let key = |event: &Event| (event.id.clone(), event.attempt);
    let there: HashSet<_> = events.iter().filter(|event| event.kind == EventKind::Derived).map(key).collect();
    let mut runner = Runner::new(Arc::clone(prepared));
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
fn check_start(prepared: &Prepared, first: &Event) -> Result<(), ScrollError> {
    let data = first.data().filter(|_| first.topic == topics::START && first.kind == EventKind::External);
    let Some(data) = data else { return Err(ScrollError::NoStart { id: first.id.clone() }) };
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    if let Some(started) = text("workflow").filter(|name| *name != prepared.definition().workflow) {
        return Err(ScrollError::OtherWorkflow { started: started.to_owned() });
    }
    let Some(started) = text("digest") else { return Ok(()) };
    if prepared.digest()? == started { Ok(()) } else { Err(ScrollError::OtherDefinition { started: started.to_owned() }) }
}
