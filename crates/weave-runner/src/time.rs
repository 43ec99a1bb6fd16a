//! Timeouts (rule 21).

use serde_json::json;
use weave_ir::Duration;

use crate::failure::{Failure, FailureKind};
use crate::lineage::{FiringId, Lineage};
use crate::plan::{ItemId, topics};
use crate::state::{SlotId, SlotPhase, Timer};
use crate::turn::{Happening, Turn};

impl Turn<'_> {
    /// Sets the timers of the run itself.
    pub(crate) fn set_run_timers(&mut self) {
        let plan = self.plan;
        for (length, item) in &plan.run_timers {
            let ends = plan.definition.timeout == Some(*length);
            let id = format!("{}@{length}", self.state.run);
            self.state.run_timers += 1;
            self.append_timer(id, 1, *length, Timer::Run { item: *item, ends });
        }
    }

    /// Sets a timer of a step: for the setting, which closes an attempt, for the trigger, or for both.
    pub(crate) fn set_timer(
        &mut self,
        id: String,
        attempt: u32,
        length: Duration,
        firing: FiringId,
        closes: Option<(SlotId, u32)>,
        item: Option<ItemId>,
    ) {
        self.append_timer(id, attempt, length, Timer::Step { firing, closes, item });
    }

    fn append_timer(&mut self, id: String, attempt: u32, length: Duration, timer: Timer) {
        self.state.timers.insert((id.clone(), attempt), timer);
        self.append(topics::TIMER, id, attempt, json!({ "after": length.to_string() }));
    }

    /// Sets the timer of an attempt that began by itself: an element's, a further one, or one after an approval.
    pub(crate) fn set_attempt_timer(&mut self, slot: SlotId, after: &str) {
        let Some(state) = self.state.slot(slot) else { return };
        if matches!(state.phase, SlotPhase::Closed | SlotPhase::Approval) {
            return;
        }
        let (firing, attempt) = (state.firing, state.attempt);
        let plan = self.plan;
        let length = self.state.firing(firing).and_then(|firing| plan.node(firing.node)?.timeout());
        if let Some(length) = length {
            let id = format!("{}{after}@{length}", self.view().slot_id(slot));
            self.set_timer(id, attempt, length, firing, Some((slot, attempt)), None);
        }
    }

    /// A timer of a timeout has fired.
    pub(crate) fn lapse(&mut self, timer: Timer, happening: &mut Happening) {
        match timer {
            Timer::Run { item, ends } => {
                self.state.run_timers -= 1;
                happening.satisfied.extend(item.map(|item| Self::nothing_happened(item, Lineage::default())));
                if ends {
                    happening.ends = Some(Failure::new(FailureKind::Timeout, "the run took too long"));
                }
            }
            Timer::Step { firing, closes, item } => {
                if let Some(item) = item.filter(|_| self.state.is_open(firing)) {
                    let lineage = self.state.behind(firing);
                    happening.satisfied.push(Self::nothing_happened(item, lineage));
                }
                if let Some((slot, attempt)) = closes {
                    self.close_attempt(slot, attempt, happening);
                    self.advance(firing, happening);
                }
            }
        }
    }

    /// Closes an attempt that took too long, if it is the one that is open.
    fn close_attempt(&mut self, slot: SlotId, attempt: u32, happening: &mut Happening) {
        let Some(state) = self.state.slot(slot) else { return };
        if state.attempt != attempt || !matches!(state.phase, SlotPhase::Hydration | SlotPhase::Request | SlotPhase::Mailbox) {
            return;
        }
        let (place, firing) = ((state.firing, state.element.as_ref().map_or(0, |(element, _)| *element)), state.firing);
        let node = self.state.firing(firing).map(|firing| firing.node);
        if let Some(node) = node.and_then(|node| self.state.nodes.get_mut(node)) {
            node.mailboxes.remove(&place);
        }
        self.close_request(slot);
        self.attempt_failed(slot, Failure::new(FailureKind::Timeout, "there was no answer in time"), happening);
    }
}
