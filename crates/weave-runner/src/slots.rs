//! Answers and failures of firings and their elements; fan-outs, cancellation, mailboxes (rules 10, 20 and 24).

use std::sync::Arc;

use serde_json::Value;

use crate::failure::{Failure, FailureKind};
use crate::lineage::FiringId;
use crate::plan::NodePlan;
use crate::state::{Fan, FiringState, Post, SlotId, SlotPhase};
use crate::turn::{Happening, Turn};

impl Turn<'_> {
    /// An answer of a firing, or of one element.
    pub(crate) fn slot_answered(&mut self, slot: SlotId, value: Value, topic: Option<&str>, happening: &mut Happening) {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.as_ref().map(|(index, _)| *index)))
        else {
            return;
        };
        let Some(element) = element else {
            return self.close_answered(firing, value, topic.map(str::to_owned), happening);
        };
        if let Some(fan) = self.state.firing_mut(firing).and_then(|firing| firing.fan.as_mut()) {
            fan.open -= 1;
            if let Some(answer) = fan.answers.get_mut(element) {
                *answer = Some(Arc::new(value));
            }
        }
    }

    /// A failure of a firing, or of one element, that no further attempt mends.
    pub(crate) fn slot_failed(&mut self, slot: SlotId, failure: Failure, happening: &mut Happening) {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.is_some())) else { return };
        if !element {
            return self.close_failed(firing, failure, happening);
        }
        if let Some(fan) = self.state.firing_mut(firing).and_then(|firing| firing.fan.as_mut()) {
            fan.open -= 1;
            fan.failed += 1;
        }
    }

    /// Begins a fan-out.
    pub(crate) fn fan_out(&mut self, node: &NodePlan, firing: FiringId) {
        let mut happening = self.at_once(firing);
        match self.list(node, firing) {
            Some(list) => {
                let each = node.node.each.as_ref();
                let least = |number: Option<u32>| number.map_or(list.len(), |number| usize::try_from(number).unwrap_or(usize::MAX));
                let fan = Fan {
                    answers: vec![None; list.len()],
                    started: 0,
                    open: 0,
                    failed: 0,
                    parallel: least(each.and_then(|each| each.parallel)).max(1),
                    min: if list.is_empty() { 0 } else { least(each.and_then(|each| each.min)) },
                    list,
                };
                if let Some(firing) = self.state.firing_mut(firing) {
                    firing.fan = Some(fan);
                }
                self.advance(firing, &mut happening);
            }
            None => {
                let failure = Failure::new(FailureKind::InvalidInput, "the value of `each` is not a list");
                if let Some(observer) = self.observer.as_deref_mut() {
                    observer.refused(&node.node.id, &failure);
                }
                self.close_failed(firing, failure, &mut happening);
            }
        }
        self.queue_if_any(happening);
        self.set_step_timers(node, firing, None);
    }

    fn list(&mut self, node: &NodePlan, firing: FiringId) -> Option<Vec<Value>> {
        let (_, from) = self.reading(firing)?;
        match self.reader(&node.node.id, &from, None).list(node.list.as_ref()?)? {
            Value::Array(list) => Some(list),
            _ => None,
        }
    }

    /// Goes on with a fan-out: starts elements, or ends it.
    pub(crate) fn advance(&mut self, firing: FiringId, happening: &mut Happening) {
        while self.state.is_open(firing) {
            let Some(fan) = self.state.firing_mut(firing).and_then(|firing| firing.fan.as_mut()) else { return };
            if fan.list.len() - fan.failed < fan.min {
                return self.fail_fan(firing, happening);
            }
            if fan.started == fan.list.len() && fan.open == 0 {
                let answers = fan.answers.iter().flatten().map(|answer| (**answer).clone()).collect();
                return self.close_answered(firing, answers, None, happening);
            }
            if fan.started == fan.list.len() || fan.open >= fan.parallel {
                return;
            }
            let index = fan.started;
            let element = fan.list.get_mut(index).map(Value::take).unwrap_or_default();
            fan.started += 1;
            fan.open += 1;
            let slot = self.open_slot(firing, Some((index, Arc::new(element))), happening);
            self.set_attempt_timer(slot, "");
        }
    }

    fn fail_fan(&mut self, firing: FiringId, happening: &mut Happening) {
        self.cancel_requests(firing);
        let Some(fan) = self.state.firing(firing).and_then(|firing| firing.fan.as_ref()) else { return };
        let message = format!("{} of {} elements failed, and {} must succeed", fan.failed, fan.list.len(), fan.min);
        self.close_failed(firing, Failure::new(FailureKind::Elements, message), happening);
    }

    /// Closes the open firings of a step.
    pub(crate) fn cancel_step(&mut self, node: usize) {
        let Some(open) = self.state.nodes.get(node).map(|node| node.open.clone()) else { return };
        let mut requests: Vec<_> =
            open.iter().filter_map(|firing| self.state.firing(*firing)).flat_map(|firing| firing.open.iter().copied()).collect();
        requests.sort_unstable();
        for order in requests {
            if let Some(slot) = self.state.open.get(&order).copied() {
                self.cancel_request(slot);
            }
        }
        for firing in open {
            self.close_cancelled(firing);
        }
    }

    /// Closes a firing whose agent has sent a signal.
    pub(crate) fn close_signalled(&mut self, firing: FiringId) {
        self.cancel_requests(firing);
        let order = self.state.tick();
        self.state.close_firing(firing, FiringState::Signalled(order));
    }

    fn close_cancelled(&mut self, firing: FiringId) {
        self.state.close_firing(firing, FiringState::Cancelled);
    }

    fn cancel_requests(&mut self, firing: FiringId) {
        let Some(open) = self.state.firing(firing).map(|firing| firing.open.clone()) else { return };
        for order in open {
            if let Some(slot) = self.state.open.get(&order).copied() {
                self.cancel_request(slot);
            }
        }
    }

    /// Looks into the mailbox: what lies there is taken at once, else the slot waits.
    pub(crate) fn open_mailbox(&mut self, slot: SlotId, happening: &mut Happening) {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.clone())) else { return };
        let Some(index) = self.state.firing(firing).map(|firing| firing.node) else { return };
        let Some(post) = self.state.nodes.get(index).map(|node| node.post.len()) else { return };
        for place in 0..post {
            let Some(post) = self.state.nodes.get(index).and_then(|node| node.post.get(place)).map(Arc::clone) else { return };
            if self.matches(slot, &post) {
                self.state.nodes.get_mut(index).and_then(|node| node.post.remove(place));
                return self.slot_answered(slot, (*post.value).clone(), Some(&post.topic), happening);
            }
        }
        if let Some(slot) = self.state.slot_mut(slot) {
            slot.phase = SlotPhase::Mailbox;
        }
        if let Some(node) = self.state.nodes.get_mut(index) {
            node.mailboxes.insert((firing, element.map_or(0, |(element, _)| element)), slot);
        }
    }

    /// Offers an event to the open mailboxes, in the order of their firings; who does not take it keeps it for later.
    pub(crate) fn offer(&mut self, post: &Arc<Post>) {
        let plan = self.plan;
        let mut takers = Vec::new();
        for index in plan.mailboxes.get(post.topic.as_str()).into_iter().flatten() {
            let Some(waiting) = self.state.nodes.get(*index).map(|node| node.mailboxes.clone()) else { continue };
            match waiting.into_iter().find(|(_, slot)| self.matches(*slot, post)) {
                Some((place, slot)) => takers.push((place, *index, slot)),
                None => self.state.nodes.get_mut(*index).into_iter().for_each(|node| node.post.push_back(Arc::clone(post))),
            }
        }
        takers.sort_unstable();
        for (place, index, slot) in takers {
            self.state.nodes.get_mut(index).map(|node| node.mailboxes.remove(&place));
            if let Some(slot) = self.state.slot_mut(slot) {
                slot.phase = SlotPhase::Closed;
            }
            let mut happening = Happening { cause: post.id.clone(), ..Happening::default() };
            self.slot_answered(slot, (*post.value).clone(), Some(&post.topic), &mut happening);
            self.advance(place.0, &mut happening);
            self.queue_if_any(happening);
        }
    }

    /// Whether a mailbox takes an event.
    fn matches(&mut self, slot: SlotId, post: &Post) -> bool {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.clone())) else { return false };
        let plan = self.plan;
        let Some(node) = self.state.firing(firing).and_then(|firing| plan.node(firing.node)) else { return false };
        let Some(guard) = &node.node.matches else { return true };
        let Some((_, mut from)) = self.reading(firing) else { return false };
        from.event = Some(Arc::clone(&post.value));
        let name = node.node.each.as_ref().map(|each| each.variable.as_str());
        let element = element.as_ref().map(|(_, element)| &**element);
        self.reader(&node.node.id, &from, name.zip(element)).guard(None, guard)
    }
}
