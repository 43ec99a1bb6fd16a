//! Lines on which something happens.
#![allow(clippy::result_large_err, reason = "a finding ends a test, so it is made once")]

use serde::de::IntoDeserializer;
use serde_json::{Value, json};
use weave_ir::Tool;
use weave_runner::{Event, Failure, FailureKind, ids};

use crate::coverage::Goal;
use crate::finding::{Finding, FindingId, FixPlace};
use crate::literal::whole;
use crate::play::{Play, RUN};
use crate::script::{Element, FailureName, Line, LineKind, Literal, LiteralKind, Span, StepRef};
use crate::target::{Phase, Slot};

/// How many attempts one line lets fail at most.
const MOST_ATTEMPTS: usize = 10_000;

impl Play<'_> {
    /// Does what a line says. Lines that only look are not acted on.
    pub(crate) fn act(&mut self, line: &Line) -> Result<(), Finding> {
        match &line.kind {
            LineKind::Start { input } => self.start(line.span, input.as_ref()),
            LineKind::Answer { step, value } => self.answer(line.span, step, value.as_ref()),
            LineKind::Fail { step, failure, payload, once } => self.fail(line.span, step, failure, payload.as_ref(), *once),
            LineKind::Call { tool, step, args } => self.call(line.span, tool, step, args.as_ref()),
            LineKind::Send { topic, from, payload } => self.send(line.span, topic, from.as_ref(), payload.as_ref()),
            LineKind::Approve { step, args } => self.approve(line.span, step, args.as_ref()),
            LineKind::Reject { step, reason } => self.reject(line.span, step, reason.as_deref()),
            LineKind::Wait { milliseconds } => {
                self.advance(self.now.saturating_add(*milliseconds));
                Ok(())
            }
            LineKind::WaitUntil { milliseconds } => {
                self.advance(*milliseconds);
                Ok(())
            }
            LineKind::Expect { .. }
            | LineKind::ExpectNot { .. }
            | LineKind::ExpectFailure { .. }
            | LineKind::ExpectOrder { .. }
            | LineKind::Open { .. } => Ok(()),
        }
    }

    fn start(&mut self, span: Span, input: Option<&Literal>) -> Result<(), Finding> {
        let subject = self.subject;
        let definition = subject.definition();
        let made = self.made(Some(&definition.input), input, None).ok_or_else(|| no_value(span, "the input"))?;
        self.comes_from_here(Some("input"), made.invented);
        let digest = subject.prepared().digest().unwrap_or_default();
        self.take(Event::start(RUN, &definition.workflow, digest, made.value));
        Ok(())
    }

    fn answer(&mut self, span: Span, step: &StepRef, value: Option<&Literal>) -> Result<(), Finding> {
        self.on_each(span, step, "answer", |play, slot| {
            let Some((topic, schema)) = slot.answers.first() else { return Ok(()) };
            let example = play.example(slot).cloned();
            let made = play.made(schema.as_ref(), value, example.as_ref()).ok_or_else(|| no_value(span, "the answer"))?;
            play.comes_from_here(Some(&slot.node), made.invented);
            let answer = Event::answer(ids::result(&slot.id, slot.attempt), topic.clone(), slot.id.clone(), made.value);
            play.take(answer.with_attempt(slot.attempt));
            Ok(())
        })
    }

    fn fail(&mut self, span: Span, step: &StepRef, name: &FailureName, payload: Option<&Literal>, once: bool) -> Result<(), Finding> {
        let failure = self.failure(span, name, payload)?;
        let fail = |play: &mut Self, slot: &Slot| {
            let Some((topic, _)) = slot.answers.first() else { return Ok(()) };
            play.comes_from_here(None, Vec::new());
            play.failed_by.insert(slot.node.clone(), play.lines.len().saturating_sub(1));
            play.coverage.reach(Goal::Failure { node: slot.node.clone(), code: name.word().to_owned() });
            let failed = Event::failed(ids::result(&slot.id, slot.attempt), topic.clone(), slot.id.clone(), failure.clone());
            play.take(failed.with_attempt(slot.attempt));
            Ok(())
        };
        if !once {
            return self.on_each_attempt(span, step, "fail", fail);
        }
        for slot in self.ready(span, step, "fail")? {
            fail(self, &slot)?;
        }
        Ok(())
    }

    fn failure(&self, span: Span, name: &FailureName, payload: Option<&Literal>) -> Result<Failure, Finding> {
        let message = match payload.map(|payload| &payload.kind) {
            Some(LiteralKind::String(text)) => text.clone(),
            _ => String::new(),
        };
        match name {
            FailureName::Kind(word) => {
                let reader: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = word.as_str().into_deserializer();
                let kind = serde::Deserialize::deserialize(reader).unwrap_or(FailureKind::ExecutionError);
                Ok(Failure::new(kind, message))
            }
            FailureName::Code(code) => {
                let data = match (self.subject.definition().errors.get(code), payload) {
                    (_, Some(Literal { kind: LiteralKind::String(_), .. })) | (None, None) => None,
                    (None, Some(payload)) => Some(whole(payload)),
                    (Some(error), payload) => {
                        Some(self.made(Some(&error.data), payload, None).ok_or_else(|| no_value(span, "the data of the error"))?.value)
                    }
                };
                Ok(Failure::coded(code.clone(), message, data))
            }
        }
    }

    fn call(&mut self, span: Span, tool: &str, step: &StepRef, args: Option<&Literal>) -> Result<(), Finding> {
        let definition = self.subject.definition();
        let declared = definition.tools.get(tool);
        let schema = declared.map(|tool| &tool.input);
        let schema = schema.or_else(|| definition.agents.get(tool).map(|agent| &agent.input));
        let schema = schema.or_else(|| definition.workflows.get(tool).map(|child| &child.input));
        let example = declared.and_then(|tool| tool.examples.first()).map(|example| example.input.clone());
        let made = self.made(schema, args, example.as_ref()).ok_or_else(|| no_value(span, "the arguments"))?;
        for slot in self.ready(span, step, "call")? {
            self.comes_from_here(None, made.invented.clone());
            let id = ids::call(&slot.id, slot.attempt, self.next_turn(&slot), 1);
            let call = Event::external(id, "tool.dispatch", json!({ "name": tool, "args": made.value }));
            self.take(call.inside(slot.id.clone()).with_attempt(slot.attempt));
        }
        Ok(())
    }

    fn send(&mut self, span: Span, topic: &str, from: Option<&StepRef>, payload: Option<&Literal>) -> Result<(), Finding> {
        let declared = self.subject.definition().events.get(topic).map(|event| event.payload.clone());
        let Some(step) = from else {
            let made = self.made(declared.as_ref(), payload, None).ok_or_else(|| no_value(span, "the event"))?;
            self.comes_from_here(None, made.invented);
            let event = Event::external(self.event_id(), topic, made.value);
            self.take(event);
            return Ok(());
        };
        for slot in self.ready(span, step, "send")? {
            let answers = slot.answers.iter().find(|(answer, _)| answer == topic);
            let schema = answers.and_then(|(_, schema)| schema.clone()).or_else(|| declared.clone());
            let made = self.made(schema.as_ref(), payload, None).ok_or_else(|| no_value(span, "the event"))?;
            if answers.is_some() {
                self.comes_from_here(Some(&slot.node), made.invented);
                let answer = Event::answer(ids::result(&slot.id, slot.attempt), topic, slot.id.clone(), made.value);
                self.take(answer.with_attempt(slot.attempt));
            } else {
                self.comes_from_here(None, made.invented);
                let event = Event::external(self.event_id(), topic, made.value);
                self.take(event.inside(slot.id.clone()).with_attempt(slot.attempt));
            }
        }
        Ok(())
    }

    fn approve(&mut self, span: Span, step: &StepRef, args: Option<&Literal>) -> Result<(), Finding> {
        for slot in self.asked(span, step, "approve")? {
            let asked = self.request_data(&slot.id, slot.attempt).and_then(|data| data.get("args")).cloned().unwrap_or_default();
            let decision = match args {
                None => json!({ "decision": "approve" }),
                Some(edited) => json!({ "decision": "edit", "args": edited_args(edited, &asked) }),
            };
            let goal = if args.is_some() { "edit" } else { "approve" };
            self.coverage.reach(Goal::Approval { node: slot.node.clone(), decision: goal });
            self.decide(&slot, decision);
        }
        Ok(())
    }

    fn reject(&mut self, span: Span, step: &StepRef, reason: Option<&str>) -> Result<(), Finding> {
        for slot in self.asked(span, step, "reject")? {
            self.failed_by.insert(slot.node.clone(), self.lines.len().saturating_sub(1));
            self.coverage.reach(Goal::Approval { node: slot.node.clone(), decision: "reject" });
            let decision =
                reason.map_or_else(|| json!({ "decision": "reject" }), |reason| json!({ "decision": "reject", "reason": reason }));
            self.decide(&slot, decision);
        }
        Ok(())
    }

    fn decide(&mut self, slot: &Slot, decision: Value) {
        self.comes_from_here(None, Vec::new());
        let answer = Event::answer(ids::result(&slot.id, slot.attempt), "tool.approval.decided", slot.id.clone(), decision);
        self.take(answer.with_attempt(slot.attempt));
    }

    /// The open approvals that a line means.
    fn asked(&self, span: Span, step: &StepRef, verb: &str) -> Result<Vec<Slot>, Finding> {
        let asked: Vec<_> = self.target(step).into_iter().filter(|slot| slot.phase == Phase::Approval).collect();
        if asked.is_empty() { Err(self.not_open(span, step, verb)) } else { Ok(asked) }
    }

    /// The open requests that a line means. A pause before a further attempt passes.
    fn ready(&mut self, span: Span, step: &StepRef, verb: &str) -> Result<Vec<Slot>, Finding> {
        let mut target = self.target(step);
        let paused = target.iter().filter(|slot| slot.phase == Phase::Pause).filter_map(|slot| self.pause_ends(slot)).max();
        if let Some(due) = paused {
            self.advance(due);
            target = self.target(step);
        }
        if target.is_empty() {
            return Err(self.not_open(span, step, verb));
        }
        // A failure may stand in the place of an approval, an answer may not.
        let ready: Vec<_> = target.iter().filter(|slot| slot.phase == Phase::Request || verb == "fail").cloned().collect();
        match target.iter().find(|slot| slot.phase == Phase::Approval) {
            Some(asked) if ready.is_empty() => {
                Err(Finding::new(FindingId::NotOpen, span, format!("`{}` waits for an approval before it calls its tool", asked.name()))
                    .fix(
                        format!("add `approve {}` before this line", asked.name()),
                        FixPlace::Before(span),
                        format!("approve {}", asked.name()),
                    ))
            }
            _ => Ok(ready),
        }
    }

    /// Does this to what a line means: for `web[]` to each element, also to those that start meanwhile.
    fn on_each(
        &mut self,
        span: Span,
        step: &StepRef,
        verb: &str,
        mut act: impl FnMut(&mut Self, &Slot) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let first = self.ready(span, step, verb)?;
        let number = first.first().map(|slot| slot.number);
        let mut next = first.into_iter().next();
        let mut rounds = 0;
        while let Some(slot) = next.take() {
            act(self, &slot)?;
            rounds += 1;
            if step.element == Element::All && rounds < MOST_ATTEMPTS {
                let again = StepRef { number, ..step.clone() };
                next = self.open_again(&again);
            }
        }
        Ok(())
    }

    /// The same, until nothing that the line means is open: further attempts too.
    fn on_each_attempt(
        &mut self,
        span: Span,
        step: &StepRef,
        verb: &str,
        mut act: impl FnMut(&mut Self, &Slot) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let first = self.ready(span, step, verb)?;
        let again = StepRef { number: first.first().map(|slot| slot.number), ..step.clone() };
        let mut next = first.into_iter().next();
        let mut rounds = 0;
        while let Some(slot) = next {
            if rounds == MOST_ATTEMPTS {
                return Err(Finding::new(FindingId::Runaway, span, format!("`{}` is tried again more than {rounds} times", slot.name())));
            }
            rounds += 1;
            act(self, &slot)?;
            next = self.open_again(&again);
        }
        Ok(())
    }

    /// What is still open of what a line means, after pauses.
    fn open_again(&mut self, step: &StepRef) -> Option<Slot> {
        for _ in 0..2 {
            let target = self.target(step);
            if let Some(slot) = target.iter().find(|slot| slot.phase == Phase::Request) {
                return Some(slot.clone());
            }
            let due = target.iter().filter(|slot| slot.phase == Phase::Pause).filter_map(|slot| self.pause_ends(slot)).min()?;
            self.advance(due);
        }
        None
    }

    /// What the example of the called tool gives: that of the same arguments, else the first.
    pub(crate) fn example(&self, slot: &Slot) -> Option<&Value> {
        if slot.topic != "tool.dispatch" {
            return None;
        }
        let data = self.request_data(&slot.id, slot.attempt)?;
        let tool: &Tool = self.subject.definition().tools.get(data.get("name")?.as_str()?)?;
        let same = tool.examples.iter().find(|example| Some(&example.input) == data.get("args") && example.output.is_some());
        same.or_else(|| tool.examples.iter().find(|example| example.output.is_some()))?.output.as_ref()
    }
}

/// Edited arguments: what an open object leaves out is as asked.
fn edited_args(edited: &Literal, asked: &Value) -> Value {
    let LiteralKind::Object { entries, rest } = &edited.kind else { return whole(edited) };
    let mut args = match (asked, rest) {
        (Value::Object(asked), Some(_)) => asked.clone(),
        _ => serde_json::Map::new(),
    };
    for entry in entries {
        let asked = asked.get(&entry.key).unwrap_or(&Value::Null);
        args.insert(entry.key.clone(), edited_args(&entry.value, asked));
    }
    Value::Object(args)
}

fn no_value(span: Span, what: &str) -> Finding {
    Finding::new(FindingId::NoValue, span, format!("no value can be made up for {what}; write it out"))
}
