//! What comes back, and what it means.

use serde_json::{Map, Value, json};
use weave_runner::{Body, Event, Failure, FailureKind, next_attempt};
use weave_scroll::{RowState, Time};

use crate::agent::{MOST_NESTED, ModelTurn, Next, Target, numbers};
use crate::drive::{Drive, LoopName, Phase};
use crate::io::{Outcome, Output};
use crate::item::ItemKind;
use crate::key::Key;
use crate::rules::Rule;
use crate::time::later;
use crate::topics;

/// The pauses before a call is tried again that was refused without a word about when, in milliseconds; then it is `unavailable`.
const REFUSED: [u64; 2] = [200, 1_000];
/// The greatest pause before a repeatable call is sent again whose answer was lost, in milliseconds.
const MOST_LOST: u64 = 60_000;

impl Drive {
    /// Takes what became of something that was sent. What needs no event changes its row here and now.
    pub(crate) fn outcome(&mut self, key: Key, outcome: Outcome, now: Time) {
        let item = self.memory.items.get_mut(&key).filter(|_| self.phase == Phase::Loaded);
        let once_only = item.as_ref().is_some_and(|item| item.is_once_only(self.prepared.definition()));
        match (item, outcome) {
            (Some(item), Outcome::Refused { after, message }) => {
                let pause = usize::try_from(item.refusals).ok().and_then(|refusals| REFUSED.get(refusals).copied());
                item.refusals += 1;
                match after.or(pause) {
                    Some(pause) => self.release(key, later(now, pause)),
                    None => self.outcomes.push_back((key, Outcome::Failed(Failure::new(FailureKind::Unavailable, message)))),
                }
            }
            (Some(item), Outcome::Lost { .. }) if !once_only => {
                item.refusals += 1;
                let pause = 500u64.checked_shl(item.refusals).unwrap_or(MOST_LOST).min(MOST_LOST);
                self.release(key, later(now, pause));
            }
            (Some(item), Outcome::Accepted { handle }) => {
                let sent = item.state == RowState::Sent;
                (item.state, item.busy) = (RowState::Accepted, true);
                self.ours.remove(&key);
                self.out.push(Output::Accept { key, sent, handle });
            }
            (Some(item), Outcome::Unserved) => {
                item.asked = true;
                if item.state == RowState::Sent {
                    // Nothing has left, so a later process need not ask what happened.
                    self.release(key, now);
                } else {
                    self.ours.remove(&key);
                }
            }
            (_, outcome) => self.outcomes.push_back((key, outcome)),
        }
    }

    fn release(&mut self, key: Key, due: Time) {
        self.ours.remove(&key);
        let Some(item) = self.memory.items.get_mut(&key) else { return };
        let sent = item.state == RowState::Sent;
        (item.state, item.busy, item.due) = (RowState::Ready, true, due);
        let sendings = item.sendings;
        self.out.push(Output::Release { key, sendings, sent, due });
    }

    /// Takes an outcome to the scroll. Nothing is put there for what is closed.
    pub(crate) fn take_outcome(&mut self, key: &Key, outcome: Outcome, now: Time) {
        let Some(item) = self.memory.items.get(key) else { return };
        let (kind, topic) = (item.kind, item.topic.clone());
        let first = || crate::item::answers(self.prepared.definition(), &topic).into_iter().next().unwrap_or_default();
        match outcome {
            Outcome::Turn(turn) if kind == ItemKind::Model => self.model_said(key, *turn, now),
            Outcome::Failed(failure) if kind == ItemKind::Model => {
                if let Some(name) = self.loop_of(key) {
                    self.finish(&name, Body::Failure(failure), now);
                }
            }
            Outcome::Failed(failure) => self.answered(key, &first(), Body::Failure(failure), None, now),
            Outcome::Data(data) => self.answered(key, &first(), Body::Data(data), None, now),
            Outcome::Answer { topic, data } => self.answered(key, &topic, Body::Data(data), None, now),
            Outcome::Lost { .. } if kind == ItemKind::Call => self.take_lost(key, now),
            Outcome::Turn(_) | Outcome::Lost { .. } | Outcome::Refused { .. } | Outcome::Accepted { .. } | Outcome::Unserved => {
                // It was sent before the run was loaded again, and is due now.
                self.ours.remove(key);
            }
        }
    }

    /// A once-only call of which nobody knows whether it was carried out.
    pub(crate) fn take_lost(&mut self, key: &Key, now: Time) {
        let once_only = self.memory.items.get(key).is_some_and(|item| item.is_once_only(self.prepared.definition()));
        let Some(item) = self.memory.items.get_mut(key).filter(|item| item.state == RowState::Sent) else { return };
        if !once_only || !self.rules.hold(Rule::AskWhenUnknown) {
            item.state = RowState::Ready;
            return;
        }
        let (sending, name) = (item.sendings, item.name.clone());
        if let Some(draft) = &mut self.draft {
            draft.row = Some((key.clone(), RowState::Sent, sending));
        }
        let data = json!({ "attempt": key.attempt, "sending": sending });
        let id = key.event(&format!("unknown{sending}"));
        let event = Event { re: Some(key.name()), ..Event::external(id, topics::UNKNOWN, data) }.with_attempt(key.attempt);
        self.put(event, now);
        if self.settings.unknown_fails.contains(&name) {
            let failure = Failure::new(FailureKind::UnknownOutcome, "the call was sent, and no answer came");
            self.answered(key, topics::RESULT, Body::Failure(failure), None, now);
        }
    }

    /// Takes an event from the inbox.
    pub(crate) fn take_post(&mut self, event: Event, now: Time) {
        let event = Event { within: None, ..event };
        let key = event.re.as_deref().and_then(|re| self.key_of(re, event.attempt));
        let item = key.as_ref().and_then(|key| self.memory.items.get(key));
        let sending = match event.topic.as_str() {
            topics::AGAIN => event.data().and_then(|data| data.get("sending")).and_then(Value::as_u64),
            _ => event.meta.as_ref().and_then(|meta| meta.get("sending")).and_then(Value::as_u64),
        };
        let decides = event.topic == topics::AGAIN || sending.is_some();
        let (unknown, number) = item.map_or((false, 0), |item| (item.state == RowState::Unknown, item.sendings));
        let fits = unknown && (sending == Some(u64::from(number)) || !self.rules.hold(Rule::SendingInDecision));
        if decides && !fits {
            // Somebody decided earlier, or it was answered meanwhile. It stays on the scroll without effect.
            let data = json!({ "decision": event.topic, "without_effect": true });
            return self.put(Event { re: event.re, meta: event.meta, ..Event::external(event.id, topics::AGAIN, data) }, now);
        }
        if decides && let (Some(key), Some(draft)) = (&key, &mut self.draft) {
            draft.row = Some((key.clone(), RowState::Unknown, number));
        }
        match key.filter(|key| !key.part.is_empty() && event.topic != topics::AGAIN) {
            Some(key) => self.answered(&key, &event.topic.clone(), event.body.clone(), Some(event.clone()), now),
            None => return self.put(event, now),
        }
        if self.nothing_put() {
            let data = json!({ "answer": event.topic, "without_effect": true });
            self.put(Event { re: event.re, ..Event::external(event.id, topics::AGAIN, data) }, now);
        }
    }

    /// Puts an answer on the scroll: of a request, or of what is asked inside a loop.
    fn answered(&mut self, key: &Key, topic: &str, body: Body, posted: Option<Event>, now: Time) {
        if key.part.is_empty() {
            let id = if self.rules.hold(Rule::AttemptInId) { key.event("result") } else { format!("{}@result", key.id) };
            let event = Event::answer(id, topic, key.id.clone(), Value::Null).with_attempt(key.attempt);
            return self.put(Event { body, ..event }, now);
        }
        if key.part.ends_with("@approval") {
            return self.decided(key, body, posted, now);
        }
        self.call_ended(key, body, posted, false, now);
    }

    /// The loop that a place is in.
    fn loop_of(&self, place: &Key) -> Option<LoopName> {
        let above = place.above()?;
        Some((above.name(), above.attempt)).filter(|name| self.memory.loops.contains_key(name))
    }

    /// A model has had its turn: the turn and its calls are appended together.
    fn model_said(&mut self, place: &Key, turn: ModelTurn, now: Time) {
        let Some(name) = self.loop_of(place) else { return };
        let number = numbers(&place.part).map_or(1, |(turn, _)| turn);
        let mut data = serde_json::to_value(&turn).unwrap_or_default();
        if let Some(entries) = data.as_object_mut() {
            entries.insert("turn".to_owned(), json!(number));
        }
        let event = Event::external(place.name(), topics::TURN, data).inside(name.0.clone()).with_attempt(name.1);
        self.put(event, now);
        if let Some(call) = self.closing_signal(&name, &turn) {
            self.make_call(&name, number, call, now);
            return;
        }
        for call in 1..=turn.calls.len() {
            if !self.memory.loops.contains_key(&name) {
                return;
            }
            self.make_call(&name, number, call, now);
        }
        self.follow(&name, now);
    }

    /// The call of a turn, from 1, that closes the step: of a signal that a node of the workflow listens to.
    fn closing_signal(&self, name: &LoopName, turn: &ModelTurn) -> Option<usize> {
        let of = self.memory.loops.get(name).filter(|of| of.key.part.is_empty())?;
        let definition = self.prepared.definition();
        let step = step_of(&of.key.id, &self.place.run)?;
        let closes = |call: &crate::agent::ModelCall| match of.target(definition, &call.name) {
            Some(Target::Tool(tool)) => {
                let signal = definition.tools.get(tool).is_some_and(|tool| tool.kind == weave_ir::ToolKind::Signal);
                let fits = || self.prepared.take_in(&format!("/tools/{tool}/input"), &call.args).is_ok();
                signal && listens(definition, tool, step) && fits()
            }
            _ => false,
        };
        turn.calls.iter().position(closes).map(|place| place + 1)
    }

    /// Makes a call of a turn: asks for its approval, dispatches it, or says why not.
    fn make_call(&mut self, name: &LoopName, turn: usize, call: usize, now: Time) {
        let definition = self.definition();
        let Some(of) = self.memory.loops.get(name) else { return };
        let Some(said) = of.said(turn, call).cloned() else { return };
        let place = of.key.below(&format!("turn{turn}.{call}"));
        let target = of.target(&definition, &said.name);
        let nested = of.key.part.matches("turn").count();
        let refuse = |drive: &mut Self, failure: Failure| {
            drive.dispatch_call(name, &place, target.map_or(said.name.as_str(), Target::name), &said.args, now);
            drive.call_ended(&place, Body::Failure(failure), None, false, now);
        };
        let Some(target) = target else {
            return refuse(self, Failure::new(FailureKind::UnknownTool, format!("there is no tool `{}` here", said.name)));
        };
        if matches!(target, Target::Agent(_)) && nested >= MOST_NESTED {
            return refuse(self, Failure::new(FailureKind::ExecutionError, "agents call agents too deeply"));
        }
        let args = match self.prepared.take_in(&format!("/{}/{}/input", target.part(), target.name()), &said.args) {
            Ok(args) => args,
            Err(why) => return refuse(self, Failure::new(FailureKind::InvalidInput, why)),
        };
        let tool = definition.tools.get(target.name()).filter(|_| matches!(target, Target::Tool(_)));
        if tool.and_then(|tool| tool.approval.as_ref()).is_some_and(|approval| asks(approval, &args)) {
            let data = json!({ "name": target.name(), "args": said.args });
            let id = place.below("approval").name();
            return self.put(Event::external(id, topics::APPROVAL, data).inside(name.0.clone()).with_attempt(name.1), now);
        }
        self.dispatch_call(name, &place, target.name(), &said.args, now);
        self.answer_at_once(&place, now);
    }

    fn dispatch_call(&mut self, name: &LoopName, place: &Key, tool: &str, args: &Value, now: Time) {
        let data = json!({ "name": tool, "args": args });
        self.put(Event::external(place.name(), topics::DISPATCH, data).inside(name.0.clone()).with_attempt(name.1), now);
    }

    /// A signal that closes nothing is answered with `null`; what only a provider executes cannot be.
    fn answer_at_once(&mut self, place: &Key, now: Time) {
        let Some(item) = self.memory.items.get(place) else { return };
        match self.prepared.definition().tools.get(&item.name).filter(|_| item.kind == ItemKind::Call).map(|tool| tool.kind) {
            Some(weave_ir::ToolKind::Signal) => self.call_ended(place, Body::Data(Value::Null), None, false, now),
            Some(weave_ir::ToolKind::Provider) => {
                let failure = Failure::new(FailureKind::NonLocalTool, "only the model's provider can execute this tool");
                self.call_ended(place, Body::Failure(failure), None, false, now);
            }
            _ => {}
        }
    }

    /// Somebody has decided about a call inside a loop.
    fn decided(&mut self, place: &Key, body: Body, posted: Option<Event>, now: Time) {
        let (Some(call), Body::Data(data)) = (place.above(), body) else { return };
        let Some(name) = self.loop_of(&call) else { return };
        let Some(asked) = self.memory.items.get(place).map(|item| item.data.clone()) else { return };
        let event = posted.unwrap_or_else(|| Event::external(place.event("decided"), topics::DECISION, Value::Null));
        let event = Event { re: Some(place.name()), body: Body::Data(data.clone()), ..event };
        self.put(event.inside(name.0.clone()).with_attempt(name.1), now);
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        let tool = asked.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut args = asked.get("args").cloned().unwrap_or_default();
        match text("decision") {
            Some("approve") => {}
            Some("edit") => {
                args = data.get("args").cloned().unwrap_or_default();
                if let Err(why) = self.prepared.take_in(&format!("/tools/{tool}/input"), &args) {
                    let failure = Failure::new(FailureKind::InvalidInput, why);
                    return self.call_ended(&call, Body::Failure(failure), None, false, now);
                }
            }
            Some("reject") => {
                let failure = Failure::new(FailureKind::Denied, text("reason").unwrap_or_default());
                return self.call_ended(&call, Body::Failure(failure), None, false, now);
            }
            _ => {
                let failure = Failure::new(FailureKind::InvalidOutput, "the decision is neither approve nor edit nor reject");
                return self.call_ended(&call, Body::Failure(failure), None, false, now);
            }
        }
        self.dispatch_call(&name, &call, &tool, &args, now);
        self.answer_at_once(&call, now);
        self.follow(&name, now);
    }

    /// A call inside a loop has ended, for good or until its next try.
    pub(crate) fn call_ended(&mut self, place: &Key, body: Body, posted: Option<Event>, closes: bool, now: Time) {
        let Some(name) = self.loop_of(place) else { return };
        let definition = self.definition();
        let Some((turn, Some(call))) = numbers(&place.part) else { return };
        let Some(of) = self.memory.loops.get_mut(&name) else { return };
        let target = of.said(turn, call).and_then(|said| of.target(&definition, &said.name));
        let tries = of.call_mut(turn, call).map_or(0, |call| call.failed_tries) + 1;
        let body = match (body, target) {
            (Body::Data(data), Some(target)) => {
                match self.prepared.take_in(&format!("/{}/{}/output", target.part(), target.name()), &data) {
                    Ok(_) => Body::Data(data),
                    Err(why) => Body::Failure(Failure::new(FailureKind::InvalidOutput, why)),
                }
            }
            (body, _) => body,
        };
        let retry = match target {
            Some(Target::Tool(tool)) => definition.tools.get(tool).and_then(|tool| tool.retry.as_ref()),
            _ => None,
        };
        let sent = self.memory.items.contains_key(place);
        let pause = match (&body, retry) {
            (Body::Failure(failure), Some(retry)) if sent && !closes => next_attempt(retry, tries, failure),
            _ => None,
        };
        let mut meta = posted.as_ref().and_then(|event| event.meta.clone()).unwrap_or_default();
        let what = match pause {
            Some(pause) => {
                meta.insert("again".to_owned(), json!(pause.milliseconds()));
                format!("try{tries}")
            }
            None => "result".to_owned(),
        };
        if closes {
            meta.insert("closes".to_owned(), json!(true));
        }
        let id = posted.map_or_else(|| place.event(&what), |event| event.id);
        let meta = Some(meta).filter(|meta: &Map<String, Value>| !meta.is_empty());
        let event = Event { meta, body, ..Event::answer(id, topics::RESULT, place.name(), Value::Null) };
        self.put(event.inside(name.0.clone()).with_attempt(name.1), now);
        self.follow(&name, now);
    }

    /// Ends a loop, if it ends here.
    fn follow(&mut self, name: &LoopName, now: Time) {
        let Some(of) = self.memory.loops.get(name) else { return };
        match of.next(&self.prepared) {
            Next::Wait | Next::Turn(_) => {}
            Next::Answer(answer) => self.finish(name, Body::Data(answer), now),
            Next::Fail(failure) => self.finish(name, Body::Failure(failure), now),
        }
    }

    fn finish(&mut self, name: &LoopName, body: Body, now: Time) {
        let Some(key) = self.memory.loops.get(name).map(|of| of.key.clone()) else { return };
        if key.part.is_empty() {
            self.answered(&key, topics::RESPONSE, body, None, now);
        } else {
            self.call_ended(&key, body, None, false, now);
        }
    }
}

/// The node of a request id, `RUN/node#n`.
fn step_of<'i>(id: &'i str, run: &str) -> Option<&'i str> {
    id.strip_prefix(run)?.strip_prefix('/')?.split('#').next()
}

/// Whether some node listens to calls of a tool by the agent of a step.
fn listens(definition: &weave_ir::Definition, tool: &str, step: &str) -> bool {
    let is_it =
        |trigger: &weave_ir::Trigger| matches!(trigger, weave_ir::Trigger::Tool { tool: name, from } if name == tool && from == step);
    definition.nodes.iter().any(|node| match &node.on {
        Some(weave_ir::On::One(trigger)) => is_it(trigger),
        Some(weave_ir::On::Any(any)) => any.any.iter().any(|item| is_it(&item.trigger)),
        None => false,
    })
}

fn asks(approval: &weave_ir::Approval, args: &Value) -> bool {
    match approval {
        weave_ir::Approval::Always => true,
        weave_ir::Approval::When(guard) => {
            let none = Map::new();
            let scope: &dyn weave_expr::Scope = args.as_object().unwrap_or(&none);
            weave_expr::guard(guard, scope)
        }
    }
}
