//! What a firing does (rule 16).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use weave_expr::Payload;
use weave_ir::{Duration, Outcome};

use crate::failure::{Failure, FailureKind};
use crate::lineage::FiringId;
use crate::plan::{Action, ItemId, NodePlan, topics};
use crate::state::{Firing, FiringState, SlotId, SlotPhase};
use crate::turn::{Happening, Satisfied, Turn};

/// How many firings a run may have (rule 28).
pub const MOST_FIRINGS: usize = 10_000;

impl<'r> Turn<'r> {
    /// Lets a node fire.
    pub(crate) fn fire(&mut self, index: usize, from: Satisfied, cause: &str) {
        let Some(node) = self.plan.node(index) else { return };
        if self.state.firings.len() >= MOST_FIRINGS {
            let message = format!("the run has fired {MOST_FIRINGS} times");
            return self.fail_run(&Failure::new(FailureKind::Runaway, message));
        }
        let n = self.count_firing(index, node);
        let id = format!("{}/{}#{n}", self.state.run, node.node.id);
        self.append(topics::STEP, format!("{id}@step"), 1, json!({ "id": node.node.id, "n": n, "cause": cause }));
        let firing = self.state.add_firing(Firing {
            node: index,
            id,
            lineage: from.lineage,
            behind: None,
            event: from.event,
            failure: from.failure,
            state: FiringState::Open,
            open: BTreeSet::new(),
            fan: None,
            slots: Vec::new(),
        });
        self.act(node, firing);
    }

    fn count_firing(&mut self, index: usize, node: &NodePlan) -> u32 {
        let Some(state) = self.state.nodes.get_mut(index) else { return 0 };
        state.fired += 1;
        if node.node.limit == Some(state.fired) && self.plan.listeners.contains(&index) {
            self.state.listeners -= 1;
        }
        state.fired
    }

    fn act(&mut self, node: &NodePlan, firing: FiringId) {
        match &node.action {
            Action::Request(_) | Action::Event(_) | Action::Await if node.node.each.is_some() => self.fan_out(node, firing),
            Action::Request(_) | Action::Await => {
                let mut happening = self.at_once(firing);
                let slot = self.open_slot(firing, None, &mut happening);
                self.queue_if_any(happening);
                self.set_step_timers(node, firing, Some(slot));
            }
            Action::Event(topic) => self.emit(node, firing, topic),
            Action::Cancel(steps) => {
                for step in steps {
                    self.cancel_step(*step);
                }
                self.answer_at_once(firing, Value::Null);
            }
            Action::Value(value) => {
                let value = self.fill_in(firing, None, value);
                self.answer_at_once(firing, value);
            }
            Action::End => self.end(node, firing),
        }
    }

    /// An event that nobody answers: the firing is answered with its payload.
    fn emit(&mut self, node: &NodePlan, firing: FiringId, topic: &str) {
        let payload = self.fill_in(firing, None, &node.payload);
        let Some(id) = self.state.firing(firing).map(|firing| firing.id.clone()) else { return };
        self.append_quietly(topic, id.clone(), 1, payload.clone());
        // One event: its own topic and the answer are decided together.
        let value = Arc::new(payload.clone());
        let post = self.plan.listens(topic).then(|| Arc::new(crate::state::Post { id, topic: topic.to_owned(), value }));
        let mut happening = self.at_once(firing);
        self.close_answered(firing, payload, None, &mut happening);
        self.queue.push_back(Happening { post, ..happening });
    }

    /// The same for one element of a fan-out.
    pub(crate) fn emit_element(&mut self, slot: SlotId, topic: &str, happening: &mut Happening) {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.clone())) else { return };
        let Some(node) = self.state.firing(firing).and_then(|firing| self.plan.node(firing.node)) else { return };
        let element = element.as_ref().map(|(_, element)| &**element);
        let payload = self.fill_in(firing, element, &node.payload);
        self.append(topic, self.view().slot_id(slot), 1, payload.clone());
        self.slot_answered(slot, payload, None, happening);
    }

    fn end(&mut self, node: &NodePlan, firing: FiringId) {
        if node.node.outcome == Some(Outcome::Failed) {
            let message = node.message.as_ref().map(|message| self.fill_in(firing, None, message));
            let message = message.map(|message| message.as_str().map_or_else(|| message.to_string(), str::to_owned));
            return self.fail_run(&Failure::coded(&node.node.id, message.unwrap_or_default(), None));
        }
        let output = self.fill_in(firing, None, &node.output);
        match self.plan.output.map_or(Ok(()), |schema| self.schemas.check(schema, &output)) {
            Ok(()) => self.end_run(json!({ "outcome": "succeeded", "output": output })),
            Err(message) => self.fail_run(&Failure::new(FailureKind::InvalidOutput, message)),
        }
    }

    /// A payload, output or message with its values filled in, as this firing, or this element of it, reads them.
    pub(crate) fn fill_in(&mut self, firing: FiringId, element: Option<&Value>, payload: &Payload) -> Value {
        let Some((node, from)) = self.reading(firing) else { return Value::Null };
        let name = node.node.each.as_ref().map(|each| each.variable.as_str());
        self.reader(&node.node.id, &from, name.zip(element)).payload(payload)
    }

    /// The node of a firing, and what it reads.
    pub(crate) fn reading(&self, firing: FiringId) -> Option<(&'r NodePlan, Satisfied)> {
        let plan = self.plan;
        let firing = self.state.firing(firing)?;
        let (event, failure) = (firing.event.clone(), firing.failure.clone());
        // Which item it was no longer matters.
        Some((plan.node(firing.node)?, Satisfied { item: ItemId::default(), lineage: firing.lineage, event, failure }))
    }

    /// What happens when a firing is answered or fails at once: nothing yet.
    pub(crate) fn at_once(&self, firing: FiringId) -> Happening {
        let cause = self.state.firing(firing).map(|firing| firing.id.clone()).unwrap_or_default();
        Happening { cause, ..Happening::default() }
    }

    pub(crate) fn queue_if_any(&mut self, happening: Happening) {
        if happening.answered.is_some() || happening.failed.is_some() {
            self.queue.push_back(happening);
        }
    }

    fn answer_at_once(&mut self, firing: FiringId, value: Value) {
        let mut happening = self.at_once(firing);
        self.close_answered(firing, value, None, &mut happening);
        self.queue.push_back(happening);
    }

    /// Closes a firing that was answered, by an event of this topic if there is one.
    pub(crate) fn close_answered(&mut self, firing: FiringId, value: Value, topic: Option<String>, happening: &mut Happening) {
        let order = self.state.tick();
        self.state.close_firing(firing, FiringState::Answered(order, Arc::new(value)));
        happening.answered = Some((firing, topic));
    }

    /// Closes a firing that failed for good.
    pub(crate) fn close_failed(&mut self, firing: FiringId, failure: Failure, happening: &mut Happening) {
        self.state.close_firing(firing, FiringState::Failed);
        happening.failed = Some((firing, failure));
    }

    /// Sets the timers of a firing that is open: the triggers on its timeouts, and the setting of its first attempt if that has begun.
    pub(crate) fn set_step_timers(&mut self, node: &NodePlan, firing: FiringId, slot: Option<SlotId>) {
        let Some(id) = self.state.firing(firing).map(|firing| firing.id.clone()).filter(|_| self.state.is_open(firing)) else { return };
        let begun = slot.filter(|slot| self.state.slot(*slot).is_some_and(|slot| slot.phase != SlotPhase::Approval));
        let setting = node.timeout().zip(begun);
        let lengths: BTreeSet<Duration> = node.timeouts.keys().copied().chain(setting.map(|(length, _)| length)).collect();
        for length in lengths {
            let closes = setting.filter(|(own, _)| *own == length).map(|(_, slot)| (slot, 1));
            self.set_timer(format!("{id}@{length}"), 1, length, firing, closes, node.timeouts.get(&length).copied());
        }
    }
}
