//! A recorded run as a test.

use serde_json::{Value, json};
use weave_ir::{On, Trigger};
use weave_runner::{Body, Event, EventKind, Failure};
use weave_sample::Sampler;

use crate::clock;
use crate::play::{Play, RUN};
use crate::run::play;
use crate::script::{Element, Expected, FailureName, LineKind, Literal, OrderItem, Script, Span, StepRef};
use crate::subject::Subject;
use crate::tape::{Tape, branch};

/// The longest way that is written out.
const LONGEST_WAY: usize = 60;

/// The test of this name that does what a recorded run of the workflow did, and expects its end. It passes.
///
/// Time passes in it where a timer fired; if that is not enough, as much as passed when the run was recorded.
///
/// # Errors
///
/// In words, if the run cannot be written as a test.
pub fn recorded(subject: &Subject, events: &[Event], name: &str) -> Result<Script, String> {
    let mut reason = String::new();
    for exact_time in [false, true] {
        let lines = match Recorder::new(subject, events, exact_time).and_then(|mut recorder| recorder.lines()) {
            Ok(lines) => lines,
            Err(error) => {
                reason = error;
                continue;
            }
        };
        let script = Script { workflow: subject.definition().workflow.clone(), root: branch(name, None, lines) };
        match play(subject, &script).leaves.into_iter().find_map(|leaf| leaf.finding) {
            None => return Ok(script),
            Some(finding) => reason = format!("line {} of the test would fail: {}", finding.span.line, finding.message),
        }
    }
    Err(reason)
}

struct Recorder<'r> {
    subject: &'r Subject,
    events: &'r [Event],
    /// The id of the recorded run.
    run: &'r str,
    /// Time passes before each event as it did.
    exact_time: bool,
}

impl<'r> Recorder<'r> {
    fn new(subject: &'r Subject, events: &'r [Event], exact_time: bool) -> Result<Self, String> {
        let start = events.first().filter(|event| event.topic == "workflow.start").ok_or("it does not begin with `workflow.start`")?;
        Ok(Self { subject, events, run: &start.id, exact_time })
    }

    fn lines(&mut self) -> Result<Vec<LineKind>, String> {
        let sampler = Sampler::new(self.subject.definition());
        let tape = Tape::new(self.events.len() * 2 + 2);
        let mut play = Play::new(self.subject, &sampler, 0);
        let mut lines = Vec::new();
        let external: Vec<&Event> = self.events.iter().filter(|event| event.kind == EventKind::External).collect();
        for (place, event) in external.iter().enumerate() {
            for kind in self.line(&play, event, external.get(place + 1).copied())? {
                let played = tape.play(&mut play, kind.clone());
                played.map_err(|finding| format!("event {} cannot be written as a line: {}", event.seq, finding.message))?;
                lines.push(kind);
            }
        }
        lines.extend(ending(&play));
        Ok(lines)
    }

    /// What an external event is in a test. Nothing if it has no effect.
    fn line(&self, play: &Play<'_>, event: &Event, next: Option<&Event>) -> Result<Vec<LineKind>, String> {
        if event.seq == 0 {
            let input = event.data().and_then(|data| data.get("input")).map(Literal::from);
            return Ok(vec![LineKind::Start { input }]);
        }
        let mut lines = self.passed(play, event);
        if play.runner.is_done() {
            return Ok(Vec::new());
        }
        let request = event.re.as_deref().map(|id| self.renamed(id));
        match (&request, event.within.as_deref().map(|id| self.renamed(id))) {
            (Some(id), _) if event.topic == "timer.fired" => lines.extend(self.timer(play, id, event, next)),
            (Some(_), _) if event.topic == "prompt.hydrate.result" => {}
            (Some(id), _) if play.runner.is_open(id, event.attempt) => lines.extend(self.answer(play, id, event)?),
            (None, Some(id)) if play.runner.is_open(&id, event.attempt) => lines.extend(self.inside(play, &id, event)),
            // What answers a closed request is heard where its topic is.
            (Some(_) | None, _) if self.hears(&event.topic) => {
                lines.push(LineKind::Send { topic: event.topic.clone(), from: None, payload: event.data().map(Literal::from) });
            }
            _ => {}
        }
        Ok(lines)
    }

    /// The time that passed before an event, where it is to pass.
    fn passed(&self, play: &Play<'_>, event: &Event) -> Vec<LineKind> {
        let moment = |event: &Event| Some(clock::due(&json!({ "at": event.at.as_ref()? }), 0));
        let begun = self.events.first().and_then(moment).filter(|_| self.exact_time);
        let due = begun.and_then(|begun| Some(moment(event)?.saturating_sub(begun))).unwrap_or_default();
        let milliseconds = due.saturating_sub(play.now);
        if milliseconds == 0 { Vec::new() } else { vec![LineKind::Wait { milliseconds }] }
    }

    fn timer(&self, play: &Play<'_>, id: &str, event: &Event, next: Option<&Event>) -> Option<LineKind> {
        // A line that acts on the step lets the pause before its next attempt pass.
        let of = |id: &str| id.split('@').next().map(str::to_owned);
        let goes_on = next.and_then(|next| next.re.as_deref()).map(|id| self.renamed(id)).is_some_and(|next| of(&next) == of(id));
        if id.ends_with("@retry") && goes_on {
            return None;
        }
        let due = play.due(id, event.attempt)?;
        let milliseconds = due.saturating_sub(play.now);
        Some(LineKind::Wait { milliseconds })
    }

    fn answer(&self, play: &Play<'_>, id: &str, event: &Event) -> Result<Option<LineKind>, String> {
        let Some(slot) = play.slots().into_iter().find(|slot| slot.id == id && slot.attempt == event.attempt) else {
            return Err(format!("event {} answers a request of another kind", event.seq));
        };
        let step = step(play, &slot.node, slot.number, slot.element);
        if event.topic == "tool.approval.decided" {
            return Ok(decided(step, event));
        }
        let translated = Event { re: Some(id.to_owned()), ..event.clone() };
        if let Some(message) = play.runner.misfit(&translated) {
            let payload = Some(Literal::from(&Value::from(message)));
            return Ok(Some(LineKind::Fail { step, failure: FailureName::Kind("invalid_output".to_owned()), payload, once: true }));
        }
        Ok(Some(match &event.body {
            Body::Failure(failure) => {
                let (name, payload) = self.failure(failure);
                LineKind::Fail { step, failure: name, payload, once: true }
            }
            Body::Data(data) if matches!(slot.topic.as_str(), "tool.dispatch" | "ai.request" | "workflow.start") => {
                let has_schema = slot.answers.first().is_some_and(|(_, schema)| schema.is_some());
                LineKind::Answer { step, value: has_schema.then(|| data.into()) }
            }
            Body::Data(data) => LineKind::Send { topic: event.topic.clone(), from: Some(step), payload: Some(data.into()) },
        }))
    }

    fn failure(&self, failure: &Failure) -> (FailureName, Option<Literal>) {
        let message = || (!failure.message.is_empty()).then(|| Literal::from(&Value::from(failure.message.clone())));
        match &failure.code {
            Some(code) if self.subject.definition().errors.contains_key(code) => {
                (FailureName::Code(code.clone()), failure.data.as_ref().map(Literal::from))
            }
            Some(code) => (FailureName::Code(code.clone()), message()),
            None => (FailureName::Kind(failure.kind.word().to_owned()), message()),
        }
    }

    /// What happens inside the loop of an agent, as far as a node hears it.
    fn inside(&self, play: &Play<'_>, id: &str, event: &Event) -> Option<LineKind> {
        let slot = play.slots().into_iter().find(|slot| slot.id == id)?;
        let step = step(play, &slot.node, slot.number, slot.element);
        if event.topic == "tool.dispatch" {
            let data = event.data()?;
            let tool = data.get("name")?.as_str()?;
            let hears = |trigger: &Trigger| matches!(trigger, Trigger::Tool { tool: heard, from } if heard == tool && *from == slot.node);
            return self.has_trigger(hears).then(|| LineKind::Call {
                tool: tool.to_owned(),
                step,
                args: data.get("args").map(Literal::from),
            });
        }
        let hears = |trigger: &Trigger| matches!(trigger, Trigger::Answer { topic, from } if *topic == event.topic && *from == slot.node);
        let send = || LineKind::Send { topic: event.topic.clone(), from: Some(step), payload: event.data().map(Literal::from) };
        self.has_trigger(hears).then(send)
    }

    fn hears(&self, topic: &str) -> bool {
        let awaits = self.subject.definition().nodes.iter().any(|node| node.awaits.iter().any(|awaited| awaited == topic));
        awaits || self.has_trigger(|trigger| matches!(trigger, Trigger::Topic(heard) if heard == topic))
    }

    fn has_trigger(&self, is_it: impl Fn(&Trigger) -> bool) -> bool {
        triggers(self.subject).any(|(_, trigger)| is_it(trigger))
    }

    /// An id of the recorded run as an id of the test's run.
    fn renamed(&self, id: &str) -> String {
        match id.strip_prefix(self.run) {
            Some(rest) if rest.starts_with(['/', '@']) => format!("{RUN}{rest}"),
            _ => id.to_owned(),
        }
    }
}

/// All triggers of a workflow with their nodes.
pub(crate) fn triggers(subject: &Subject) -> impl Iterator<Item = (&str, &Trigger)> {
    subject.definition().nodes.iter().flat_map(|node| {
        let triggers: Vec<&Trigger> = match &node.on {
            None => Vec::new(),
            Some(On::One(trigger)) => vec![trigger],
            Some(On::Any(any)) => any.any.iter().map(|item| &item.trigger).collect(),
        };
        triggers.into_iter().map(|trigger| (node.id.as_str(), trigger))
    })
}

/// A step as a line names it: with its number only where an older firing is open too.
pub(crate) fn step(play: &Play<'_>, node: &str, number: u32, element: Option<u32>) -> StepRef {
    let is_oldest = !play.slots().iter().any(|slot| slot.node == node && slot.number < number);
    StepRef {
        span: Span::default(),
        node: node.to_owned(),
        number: (!is_oldest).then_some(number),
        element: element.map_or(Element::None, Element::At),
    }
}

pub(crate) fn plain(node: &str) -> StepRef {
    StepRef { span: Span::default(), node: node.to_owned(), number: None, element: Element::None }
}

fn decided(step: StepRef, event: &Event) -> Option<LineKind> {
    let data = event.data()?;
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    Some(match text("decision")? {
        "approve" => LineKind::Approve { step, args: None },
        "edit" => LineKind::Approve { step, args: data.get("args").map(Literal::from) },
        _ => LineKind::Reject { step, reason: text("reason").map(str::to_owned) },
    })
}

/// What a test expects at its end: the way of the run, and how it ended, or what it waits for.
fn ending(play: &Play<'_>) -> Vec<LineKind> {
    let mut lines = Vec::new();
    let way: Vec<&str> = play.way().map(|(node, _)| node).collect();
    if way.len() <= LONGEST_WAY {
        let items = way.iter().map(|node| OrderItem::Node { node: (*node).to_owned(), span: Span::default() });
        lines.push(LineKind::ExpectOrder { items: items.collect() });
    }
    lines.extend(end(play));
    lines
}

/// How the run ended, or what it waits for.
pub(crate) fn end(play: &Play<'_>) -> Option<LineKind> {
    let last = play.way().last().map(|(node, _)| node);
    let Some(done) = play.done() else {
        let mut steps: Vec<StepRef> = Vec::new();
        for (node, number) in play.open_firings() {
            let is_alone = play.open_firings().iter().filter(|(other, _)| *other == node).count() == 1;
            let number = u32::try_from(number).ok().filter(|_| !is_alone);
            steps.push(StepRef { number, ..plain(&node) });
        }
        return Some(LineKind::Open { steps });
    };
    let terminal = last.filter(|node| play.subject.definition().node(node).is_some_and(|node| node.terminal));
    if let Some(node) = terminal.filter(|node| done.get("output").is_some() || code(done) == Some(node)) {
        let expected =
            done.get("output").filter(|output| !output.is_null()).map_or(Expected::Fired, |output| Expected::Gave(output.into()));
        return Some(LineKind::Expect { firing: plain(node), expected });
    }
    let failure = done.get("failure")?;
    let name = match code(done) {
        Some(code) => FailureName::Code(code.to_owned()),
        None => FailureName::Kind(failure.get("kind")?.as_str()?.to_owned()),
    };
    Some(LineKind::ExpectFailure { failure: name, payload: None })
}

/// The code of the failure with which a run ended.
pub(crate) fn code(done: &Value) -> Option<&str> {
    done.get("failure")?.get("code")?.as_str()
}
