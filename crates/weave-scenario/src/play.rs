//! A run in virtual time.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::Schema;
use weave_runner::{Event, Runner, ids};
use weave_sample::{Choice, Made, Partial, Sampler};

use crate::clock;
use crate::coverage::Coverage;
use crate::script::{Line, Literal, StepRef};
use crate::subject::Subject;
use crate::target::Slot;
use crate::trace::{Origin, Trace};

/// The id of the run.
pub(crate) const RUN: &str = "r1";

/// A run of a test so far. A clone goes on by itself: so branches share what is above them.
#[derive(Clone)]
pub(crate) struct Play<'s> {
    pub(crate) subject: &'s Subject,
    pub(crate) sampler: &'s Sampler<'s>,
    filling: u32,
    pub(crate) runner: Runner,
    pub(crate) scroll: Vec<Event>,
    /// Milliseconds since the start of the run.
    pub(crate) now: u64,
    /// The timers that were set, by when they are due and their order.
    timers: BTreeMap<(u64, usize), (String, u32)>,
    pub(crate) trace: Trace,
    /// The lines so far.
    pub(crate) lines: Vec<&'s Line>,
    /// The lines that let nodes fail, by the node.
    pub(crate) failed_by: BTreeMap<String, usize>,
    /// How many turns of models there were, by request and attempt.
    turns: BTreeMap<String, u32>,
    pub(crate) coverage: Coverage,
}

impl<'s> Play<'s> {
    pub(crate) fn new(subject: &'s Subject, sampler: &'s Sampler<'s>, filling: u32) -> Self {
        Self {
            subject,
            sampler,
            filling,
            runner: Runner::new(Arc::clone(subject.prepared())),
            scroll: Vec::new(),
            now: 0,
            timers: BTreeMap::new(),
            trace: Trace::default(),
            lines: Vec::new(),
            failed_by: BTreeMap::new(),
            turns: BTreeMap::new(),
            coverage: Coverage::default(),
        }
    }

    /// An id for an event that answers nothing.
    pub(crate) fn event_id(&self) -> String {
        format!("e{}", self.scroll.len())
    }

    /// A value of which some is given, and the rest made up.
    pub(crate) fn made(&self, schema: Option<&Schema>, given: Option<&Literal>, example: Option<&Value>) -> Option<Made> {
        let given = given.map(crate::literal::partial);
        match schema {
            Some(schema) => self.sampler.complete(schema, given.as_ref(), example, &mut Choice::Filling(self.filling)),
            None => {
                let anything = Schema::anything();
                let given = given.unwrap_or(Partial::Whole(Value::Null));
                self.sampler.complete(&anything, Some(&given), example, &mut Choice::Filling(self.filling))
            }
        }
    }

    /// Notes that what is read under these roots comes from the current line.
    pub(crate) fn comes_from_here(&mut self, node: Option<&str>, invented: Vec<String>) {
        let origin = Origin { line: self.lines.len().saturating_sub(1), invented };
        for root in node.into_iter().chain(["event", "response", "result", "failure"]) {
            self.trace.origins.insert(root.to_owned(), origin.clone());
        }
    }

    /// Takes an event, and answers the hydrations that follow from it.
    pub(crate) fn take(&mut self, event: Event) {
        self.feed(event);
        while let Some((id, attempt, prompt)) = self.hydration() {
            let schema = self.subject.definition().prompts.get(&prompt).and_then(|prompt| prompt.hydrates.clone());
            let found = self.made(schema.as_ref(), None, None).map_or_else(|| json!({}), |made| made.value);
            self.feed(Event::answer(ids::result(&id, attempt), "prompt.hydrate.result", id, found).with_attempt(attempt));
        }
    }

    fn feed(&mut self, event: Event) {
        let event = Event { seq: self.scroll.len() as u64, at: clock::moment(self.now), ..event };
        let derived = self.runner.feed_observed(&event, &mut self.trace);
        self.coverage.event(&event);
        self.scroll.push(event);
        for event in derived {
            if event.topic == "timer.set" {
                let due = event.data().map_or(self.now, |data| clock::due(data, self.now));
                self.timers.insert((due, self.scroll.len()), (event.id.clone(), event.attempt));
            }
            self.scroll.push(Event { at: clock::moment(self.now), ..event });
        }
    }

    /// A hydration that waits: its id, attempt and prompt.
    fn hydration(&self) -> Option<(String, u32, String)> {
        let open = self.runner.open_requests();
        let open = open.iter().find(|request| request.topic == "prompt.hydrate.request")?;
        let prompt = self.request_data(&open.id, open.attempt)?.get("prompt")?.as_str()?.to_owned();
        Some((open.id.clone(), open.attempt, prompt))
    }

    /// What a request says.
    pub(crate) fn request_data(&self, id: &str, attempt: u32) -> Option<&Value> {
        self.scroll.iter().rev().find(|event| event.id == id && event.attempt == attempt)?.data()
    }

    /// Lets time pass until this moment: every timer that falls due fires, in order.
    pub(crate) fn advance(&mut self, until: u64) {
        while let Some(entry) = self.timers.first_entry().filter(|entry| entry.key().0 <= until) {
            let (due, _) = *entry.key();
            let (id, attempt) = entry.remove();
            self.now = self.now.max(due);
            let is_open = |request: &weave_runner::OpenRequest<'_>| request.id == id && request.attempt == attempt;
            if self.runner.open_requests().iter().any(is_open) {
                self.comes_from_here(None, Vec::new());
                self.take(Event::answer(ids::fired(&id, attempt), "timer.fired", id, Value::Null).with_attempt(attempt));
            }
        }
        self.now = self.now.max(until);
    }

    /// When a timer is due that was set and has not fired.
    pub(crate) fn due(&self, id: &str, attempt: u32) -> Option<u64> {
        self.timers.iter().find(|(_, (timer, of))| *timer == id && *of == attempt).map(|((due, _), _)| *due)
    }

    /// When the next timer is due that is still open.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.timers.iter().find(|(_, (id, attempt))| self.runner.is_open(id, *attempt)).map(|((due, _), _)| *due)
    }

    /// When the pause before the next attempt of a slot is over.
    pub(crate) fn pause_ends(&self, slot: &Slot) -> Option<u64> {
        self.due(&slot.id, slot.attempt)
    }

    /// The number of the next turn in the loop of an attempt.
    pub(crate) fn next_turn(&mut self, slot: &Slot) -> u32 {
        let turn = self.turns.entry(format!("{}/{}", slot.id, slot.attempt)).or_default();
        *turn += 1;
        *turn
    }

    /// The nodes that have fired, in order, with the number of the firing.
    pub(crate) fn way(&self) -> impl Iterator<Item = (&str, u64)> {
        self.scroll.iter().filter(|event| event.topic == "workflow.step").filter_map(|event| {
            let data = event.data()?;
            Some((data.get("id")?.as_str()?, data.get("n")?.as_u64()?))
        })
    }

    /// What `workflow.done` says.
    pub(crate) fn done(&self) -> Option<&Value> {
        self.scroll.last().filter(|event| event.topic == "workflow.done")?.data()
    }

    /// How many times a node has fired.
    pub(crate) fn fired(&self, step: &StepRef) -> Option<u64> {
        let numbers = self.way().filter(|(node, _)| *node == step.node).map(|(_, number)| number);
        match step.number {
            Some(wanted) => numbers.into_iter().find(|number| *number == u64::from(wanted)),
            None => numbers.max(),
        }
    }
}
