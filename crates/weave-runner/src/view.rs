//! What a run waits for.

use std::collections::BTreeSet;

use weave_ir::Schema;

use crate::plan::{Action, Request, topics};
use crate::prepared::Prepared;
use crate::runner::OpenRequest;
use crate::schemas::SchemaId;
use crate::state::{SlotId, SlotPhase, State, Timer};

/// A run that is only read.
#[derive(Clone, Copy)]
pub(crate) struct View<'p, 's> {
    pub(crate) prepared: &'p Prepared,
    pub(crate) state: &'s State,
}

impl<'p> View<'p, '_> {
    /// Open requests in the order of their appending, then the timers of timeouts by their ids.
    pub(crate) fn open_requests(self) -> Vec<OpenRequest<'p>> {
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

    fn describe(self, slot: SlotId) -> Option<OpenRequest<'p>> {
        let state = self.state.slot(slot)?;
        let plan = &self.prepared.plan;
        let node = &plan.node(self.state.firing(state.firing)?.node)?.node;
        let request = self.request(slot)?;
        let topic = match state.phase {
            SlotPhase::Approval => topics::APPROVAL,
            SlotPhase::Hydration => topics::HYDRATE,
            SlotPhase::Pause => topics::TIMER,
            _ => &request.topic,
        };
        let schema = |topic: &str| -> Option<&'p Schema> { self.prepared.schemas.schema(self.answer_schema(slot, topic)?) };
        let answers = self.accepted(slot).into_iter().map(|topic| (topic, schema(topic))).collect();
        Some(OpenRequest { id: self.request_id(slot), attempt: self.named_attempt(slot), node: Some(&node.id), topic, answers })
    }

    /// What an answer of this topic to what a slot has open must fit.
    pub(crate) fn answer_schema(self, slot: SlotId, topic: &str) -> Option<SchemaId> {
        if !self.accepts(slot, topic) {
            return None;
        }
        let request = self.request(slot)?;
        match self.state.slot(slot)?.phase {
            SlotPhase::Request => request.schema_of(topic),
            SlotPhase::Hydration => request.hydration.as_ref()?.1,
            _ => self.prepared.plan.payloads.get(topic).copied(),
        }
    }

    /// The node whose timeout a timer is.
    fn timed_node(self, id: &str, attempt: u32) -> Option<&'p str> {
        let Timer::Step { firing, .. } = self.state.timers.get(&(id.to_owned(), attempt))? else { return None };
        Some(&self.prepared.plan.node(self.state.firing(*firing)?.node)?.node.id)
    }

    /// Whether something may still happen when a timer fires.
    pub(crate) fn is_due(self, timer: &Timer) -> bool {
        match timer {
            Timer::Run { .. } => true,
            Timer::Step { firing, .. } => self.state.is_open(*firing),
        }
    }

    /// The request that a slot is for; none: it is a mailbox.
    pub(crate) fn request(self, slot: SlotId) -> Option<&'p Request> {
        match self.action(slot)? {
            Action::Request(request) => Some(request),
            _ => None,
        }
    }

    pub(crate) fn action(self, slot: SlotId) -> Option<&'p Action> {
        let firing = self.state.firing(self.state.slot(slot)?.firing)?;
        Some(&self.prepared.plan.node(firing.node)?.action)
    }

    /// The id of a slot without what is open for it.
    pub(crate) fn slot_id(self, slot: SlotId) -> String {
        let Some(slot) = self.state.slot(slot) else { return String::new() };
        let id = self.state.firing(slot.firing).map(|firing| firing.id.as_str()).unwrap_or_default();
        slot.element.as_ref().map_or_else(|| id.to_owned(), |(index, _)| format!("{id}[{index}]"))
    }

    /// The id of what a slot has open.
    pub(crate) fn request_id(self, slot: SlotId) -> String {
        let suffix = match self.state.slot(slot).map(|slot| slot.phase) {
            Some(SlotPhase::Approval) => "@approval",
            Some(SlotPhase::Hydration) => "@hydrate",
            Some(SlotPhase::Pause) => "@retry",
            _ => "",
        };
        self.slot_id(slot) + suffix
    }

    /// The attempt that an answer to what a slot has open must name.
    pub(crate) fn named_attempt(self, slot: SlotId) -> u32 {
        self.state.slot(slot).map_or(1, |slot| slot.attempt + u32::from(slot.phase == SlotPhase::Pause))
    }

    /// The topics that answer what a slot has open.
    pub(crate) fn accepted(self, slot: SlotId) -> Vec<&'p str> {
        match self.state.slot(slot).map(|slot| slot.phase) {
            Some(SlotPhase::Approval) => vec![topics::DECISION],
            Some(SlotPhase::Hydration) => vec![topics::HYDRATED],
            Some(SlotPhase::Pause) => vec![topics::FIRED],
            Some(SlotPhase::Request) => {
                self.request(slot).map(|request| request.answers.iter().map(|(topic, _)| &**topic).collect()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a topic answers what a slot has open.
    pub(crate) fn accepts(self, slot: SlotId, topic: &str) -> bool {
        match self.state.slot(slot).map(|slot| slot.phase) {
            Some(SlotPhase::Approval) => topic == topics::DECISION,
            Some(SlotPhase::Hydration) => topic == topics::HYDRATED,
            Some(SlotPhase::Pause) => topic == topics::FIRED,
            Some(SlotPhase::Request) => self.request(slot).is_some_and(|request| request.accepts(topic)),
            _ => false,
        }
    }
}
