//! From a request to its answer: arguments, approval, hydration, attempts (rules 6 to 8, 22, 30 and 31).

use std::sync::Arc;

use serde_json::{Map, Value, json};
use weave_expr::Scope;
use weave_ir::{Approval, Backoff, Duration, Retry};

use crate::event::{Body, Event};
use crate::failure::{Failure, FailureKind};
use crate::lineage::FiringId;
use crate::plan::{Action, Request, topics};
use crate::schemas::SchemaId;
use crate::state::{Slot, SlotId, SlotPhase};
use crate::turn::{Happening, Turn};

impl Turn<'_> {
    /// Begins what a firing, or one element of it, waits for.
    pub(crate) fn open_slot(&mut self, firing: FiringId, element: Option<(usize, Arc<Value>)>, happening: &mut Happening) -> SlotId {
        let slot = Slot { firing, element, phase: SlotPhase::Closed, attempt: 1, payload: Value::Null, order: None, acted: false };
        let slot = self.state.add_slot(slot);
        match self.view().action(slot) {
            Some(Action::Request(request)) => self.open_request(slot, request, happening),
            Some(Action::Event(topic)) => self.emit_element(slot, topic, happening),
            _ => self.open_mailbox(slot, happening),
        }
        slot
    }

    fn open_request(&mut self, slot: SlotId, request: &Request, happening: &mut Happening) {
        let payload = self.fill_in_payload(slot);
        let args = request.typed.map(|(key, schema)| (payload.get(key).cloned().unwrap_or_default(), schema));
        if let Some(stored) = self.state.slot_mut(slot) {
            stored.payload = payload;
        }
        let Some((args, schema)) = args else { return self.begin_attempt(slot) };
        if let Err(message) = self.schemas.check(schema, &args) {
            let failure = Failure::new(FailureKind::InvalidInput, message);
            self.tell_refusal(slot, &failure);
            return self.slot_failed(slot, failure, happening);
        }
        match &request.approval {
            Some((name, approval)) if self.asks(approval, schema, &args) => {
                let data = json!({ "name": name, "args": args });
                self.append_request(slot, SlotPhase::Approval, topics::APPROVAL, data);
            }
            _ => self.begin_attempt(slot),
        }
    }

    fn tell_refusal(&mut self, slot: SlotId, failure: &Failure) {
        let firing = self.state.slot(slot).and_then(|slot| self.state.firing(slot.firing));
        let node = firing.and_then(|firing| self.plan.node(firing.node));
        if let (Some(observer), Some(node)) = (self.observer.as_deref_mut(), node) {
            observer.refused(&node.node.id, failure);
        }
    }

    /// The payload with its values filled in, and the exchanges that it continues.
    fn fill_in_payload(&mut self, slot: SlotId) -> Value {
        let Some((firing, element)) = self.state.slot(slot).map(|slot| (slot.firing, slot.element.clone())) else { return Value::Null };
        let Some(node) = self.state.firing(firing).and_then(|firing| self.plan.node(firing.node)) else { return Value::Null };
        let element = element.as_ref().map(|(_, element)| &**element);
        let mut payload = self.fill_in(firing, element, &node.payload);
        if let (false, Some(entries)) = (node.node.history.is_empty(), payload.as_object_mut()) {
            let history = node.node.history.iter().filter_map(|step| self.exchange(firing, step)).flatten();
            entries.insert("history".to_owned(), history.collect());
        }
        payload
    }

    /// The ids of the latest requests of a step that were answered, or that a signal has closed, among the ancestors of a firing.
    fn exchange(&self, firing: FiringId, step: &str) -> Option<Vec<String>> {
        let lineage = self.state.firing(firing)?.lineage;
        let latest = self.state.firing(self.state.latest_exchange(lineage, self.plan.index(step)?)?)?;
        let Some(fan) = &latest.fan else { return Some(vec![latest.id.clone()]) };
        let answered = fan.answers.iter().enumerate().filter(|(_, answer)| answer.is_some());
        Some(answered.map(|(index, _)| format!("{}[{index}]", latest.id)).collect())
    }

    /// Whether somebody is asked before the call. The guard reads the arguments as the tool will see them.
    fn asks(&self, approval: &Approval, schema: SchemaId, args: &Value) -> bool {
        match approval {
            Approval::Always => true,
            Approval::When(guard) => {
                let args = self.schemas.take_in(schema, args).unwrap_or_default();
                let none = Map::new();
                let roots: &dyn Scope = args.as_object().unwrap_or(&none);
                weave_expr::guard(guard, roots)
            }
        }
    }

    /// Appends what an attempt begins with.
    fn begin_attempt(&mut self, slot: SlotId) {
        let Some(request) = self.view().request(slot) else { return };
        let Some((prompt, _)) = &request.hydration else { return self.send(slot, None) };
        let args = self.state.slot(slot).and_then(|slot| slot.payload.get("args")).cloned().unwrap_or_default();
        let data = json!({ "prompt": prompt, "args": args });
        self.append_request(slot, SlotPhase::Hydration, topics::HYDRATE, data);
    }

    fn send(&mut self, slot: SlotId, hydrated: Option<Value>) {
        let Some(request) = self.view().request(slot) else { return };
        let Some(mut payload) = self.state.slot(slot).map(|slot| slot.payload.clone()) else { return };
        if let (Some(hydrated), Some(entries)) = (hydrated, payload.as_object_mut()) {
            entries.insert("hydrated".to_owned(), hydrated);
        }
        self.append_request(slot, SlotPhase::Request, &request.topic, payload);
    }

    /// Appends a request, which is open from now on.
    fn append_request(&mut self, slot: SlotId, phase: SlotPhase, topic: &str, data: Value) {
        let order = self.state.tick();
        let Some(stored) = self.state.slot_mut(slot) else { return };
        stored.phase = phase;
        stored.order = Some(order);
        let firing = stored.firing;
        if let Some(firing) = self.state.firing_mut(firing) {
            firing.open.insert(order);
        }
        let (id, attempt) = (self.view().request_id(slot), self.view().named_attempt(slot));
        self.state.requests.insert(id.clone(), slot);
        self.state.open.insert(order, slot);
        for answer in self.view().accepted(slot) {
            self.state.accepting.entry(answer.to_owned()).or_default().insert(order);
        }
        self.append(topic, id, attempt, data);
    }

    /// Closes what a slot has open.
    pub(crate) fn close_request(&mut self, slot: SlotId) {
        let (id, answers) = (self.view().request_id(slot), self.view().accepted(slot));
        let Some(stored) = self.state.slot_mut(slot) else { return };
        stored.phase = SlotPhase::Closed;
        let (order, firing) = (stored.order.take(), stored.firing);
        let Some(order) = order else { return };
        self.state.requests.remove(&id);
        self.state.open.remove(&order);
        if let Some(firing) = self.state.firing_mut(firing) {
            firing.open.remove(&order);
        }
        for answer in answers {
            if let Some(orders) = self.state.accepting.get_mut(answer) {
                orders.remove(&order);
            }
        }
    }

    /// Closes what a slot has open, and tells the callee.
    pub(crate) fn cancel_request(&mut self, slot: SlotId) {
        let id = self.view().request_id(slot);
        self.close_request(slot);
        self.append(topics::CANCEL, format!("{id}@cancel"), 1, json!({ "re": id }));
    }

    /// Takes an answer to what a slot has open.
    pub(crate) fn answer(&mut self, slot: SlotId, event: &Event, happening: &mut Happening) {
        let Some((phase, firing)) = self.state.slot(slot).map(|slot| (slot.phase, slot.firing)) else { return };
        self.close_request(slot);
        match (phase, &event.body) {
            (SlotPhase::Pause, _) => self.next_attempt(slot),
            (SlotPhase::Approval, Body::Data(decision)) => self.decided(slot, decision, happening),
            (SlotPhase::Approval, Body::Failure(failure)) => self.slot_failed(slot, failure.clone(), happening),
            (SlotPhase::Hydration, Body::Data(found)) => self.hydrated(slot, found, happening),
            (SlotPhase::Request, Body::Data(data)) => self.request_answered(slot, &event.topic, data, happening),
            (SlotPhase::Hydration | SlotPhase::Request, Body::Failure(failure)) => {
                let failure = self.read_failure(failure);
                self.attempt_failed(slot, failure, happening);
            }
            (SlotPhase::Mailbox | SlotPhase::Closed, _) => {}
        }
        self.advance(firing, happening);
    }

    fn request_answered(&mut self, slot: SlotId, topic: &str, data: &Value, happening: &mut Happening) {
        let schema = self.view().request(slot).and_then(|request| request.schema_of(topic));
        match self.take_in(schema, data) {
            Ok(value) => self.slot_answered(slot, value, Some(topic), happening),
            Err(message) => self.attempt_failed(slot, Failure::new(FailureKind::InvalidOutput, message), happening),
        }
    }

    fn hydrated(&mut self, slot: SlotId, found: &Value, happening: &mut Happening) {
        let schema = self.view().request(slot).and_then(|request| request.hydration.as_ref()?.1);
        match self.take_in(schema, found) {
            Ok(found) => self.send(slot, Some(found)),
            Err(message) => self.attempt_failed(slot, Failure::new(FailureKind::InvalidOutput, message), happening),
        }
    }

    /// Takes the decision about a call.
    fn decided(&mut self, slot: SlotId, decision: &Value, happening: &mut Happening) {
        let Some(request) = self.view().request(slot) else { return };
        let failure = match decision.get("decision").and_then(Value::as_str) {
            Some("approve") => None,
            Some("edit") => {
                let args = decision.get("args").unwrap_or(&Value::Null);
                let taken = request.typed.map(|(_, schema)| self.schemas.take_in(schema, args));
                match taken {
                    Some(Ok(args)) => {
                        let payload = self.state.slot_mut(slot).and_then(|slot| slot.payload.as_object_mut());
                        payload.map(|entries| entries.insert("args".to_owned(), args));
                        None
                    }
                    Some(Err(message)) => Some(Failure::new(FailureKind::InvalidInput, message)),
                    None => None,
                }
            }
            Some("reject") => {
                let reason = decision.get("reason").and_then(Value::as_str).unwrap_or_default();
                Some(Failure::new(FailureKind::Denied, reason))
            }
            _ => Some(Failure::new(FailureKind::InvalidOutput, "a decision is `approve`, `edit` or `reject`")),
        };
        match failure {
            Some(failure) => self.slot_failed(slot, failure, happening),
            None => {
                self.begin_attempt(slot);
                self.set_attempt_timer(slot, "@approval");
            }
        }
    }

    /// What the data of a declared error must fit.
    fn read_failure(&self, failure: &Failure) -> Failure {
        let declared = failure.code.as_ref().and_then(|code| Some((code, *self.plan.errors.get(code)?)));
        let Some((code, schema)) = declared else { return failure.clone() };
        let data = failure.data.clone().unwrap_or_else(|| json!({}));
        match self.schemas.take_in(schema, &data) {
            Ok(data) => Failure { data: Some(data), ..failure.clone() },
            Err(message) => Failure::new(FailureKind::InvalidOutput, format!("the data of the error `{code}` does not fit: {message}")),
        }
    }

    /// Tries again if that is left (rule 22).
    pub(crate) fn attempt_failed(&mut self, slot: SlotId, failure: Failure, happening: &mut Happening) {
        let retry = self.view().request(slot).and_then(|request| request.retry.as_ref());
        let Some((attempt, repeatable)) = self.state.slot(slot).map(|slot| (slot.attempt, !slot.acted)) else { return };
        match retry.filter(|retry| repeatable && attempt <= retry.max && tries_again(retry, &failure)) {
            None => self.slot_failed(slot, failure, happening),
            Some(retry) => match pause(retry, attempt) {
                Some(pause) => self.append_request(slot, SlotPhase::Pause, topics::TIMER, json!({ "after": pause.to_string() })),
                None => self.next_attempt(slot),
            },
        }
    }

    fn next_attempt(&mut self, slot: SlotId) {
        if let Some(slot) = self.state.slot_mut(slot) {
            slot.attempt += 1;
        }
        self.begin_attempt(slot);
        self.set_attempt_timer(slot, "");
    }
}

pub(crate) fn tries_again(retry: &Retry, failure: &Failure) -> bool {
    if retry.on.is_empty() { failure.kind.is_tried_again() } else { retry.on.contains(failure.code_or_kind()) }
}

/// The pause after this attempt.
pub(crate) fn pause(retry: &Retry, attempt: u32) -> Option<Duration> {
    let base = retry.base?.milliseconds();
    let factor = match retry.backoff {
        None => 1,
        Some(Backoff::Linear) => u64::from(attempt),
        Some(Backoff::Exponential) => 1u64.checked_shl(attempt - 1).unwrap_or(u64::MAX),
    };
    let pause = base.saturating_mul(factor);
    Some(Duration::from_milliseconds(retry.cap.map_or(pause, |cap| pause.min(cap.milliseconds()))))
}
