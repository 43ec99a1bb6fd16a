//! What may come next in a run.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::{Expr, On, Trigger};
use weave_sample::Sampler;

use crate::explore::values::{Pool, Values, literal};
use crate::play::Play;
use crate::record::{step, triggers};
use crate::script::{FailureName, LineKind};
use crate::subject::Subject;
use crate::target::{Phase, Slot};

/// Failures that any step can have.
const FAILURES: [&str; 2] = ["unavailable", "timeout"];
/// One in so many lines fails a step, even if that was done often.
const LEAST: u64 = 1;

/// What may happen, and how often each was done.
pub(crate) struct Actions {
    /// The topics that come from outside and that a node hears by itself.
    topics: Vec<String>,
    /// The calls in the loops of agents that a node hears: the tool and the step.
    calls: Vec<(String, String)>,
    /// Topics inside a step's loop that a node hears.
    inside: Vec<(String, String)>,
    /// How each step fails, beside what any step can fail with.
    failures: BTreeMap<String, Vec<FailureName>>,
    uses: BTreeMap<String, u64>,
}

/// Something that may happen.
enum Action<'a> {
    Answer(&'a Slot),
    Fail(&'a Slot, FailureName),
    Call(&'a Slot, String),
    Inside(&'a Slot, String),
    SendFrom(&'a Slot, usize),
    Send(String),
    Approve(&'a Slot),
    Reject(&'a Slot),
    Wait(u64),
}

impl Actions {
    pub(crate) fn new(subject: &Subject) -> Self {
        let definition = subject.definition();
        let is_external = |topic: &String| definition.events.get(topic).is_some_and(|event| event.external);
        let heard = triggers(subject).filter_map(|(_, trigger)| if let Trigger::Topic(topic) = trigger { Some(topic) } else { None });
        let awaited = definition.nodes.iter().flat_map(|node| &node.awaits);
        let topics: BTreeSet<&String> = heard.chain(awaited).filter(|topic| is_external(topic)).collect();
        let calls: BTreeSet<(String, String)> = triggers(subject)
            .filter_map(|(_, trigger)| if let Trigger::Tool { tool, from } = trigger { Some((tool.clone(), from.clone())) } else { None })
            .collect();
        let inside: BTreeSet<(String, String)> = triggers(subject)
            .filter_map(
                |(_, trigger)| if let Trigger::Answer { topic, from } = trigger { Some((topic.clone(), from.clone())) } else { None },
            )
            .collect();
        Self {
            topics: topics.into_iter().cloned().collect(),
            calls: calls.into_iter().collect(),
            inside: inside.into_iter().collect(),
            failures: failures(subject),
            uses: BTreeMap::new(),
        }
    }

    /// What happens next: what was done least is likeliest. In a calm run nothing fails and no time passes while there is something to
    /// answer. Nothing if nothing can happen.
    pub(crate) fn next(
        &mut self,
        play: &Play<'_>,
        sampler: &Sampler<'_>,
        values: &mut Values,
        pool: &Pool,
        calm: bool,
    ) -> Option<LineKind> {
        if play.scroll.is_empty() {
            let input = values.value(sampler, &play.subject.definition().input, pool);
            return Some(LineKind::Start { input: literal(input) });
        }
        let slots = play.slots();
        let mut possible = self.possible(play, &slots);
        if calm && possible.iter().any(|(_, _, action)| matches!(action, Action::Answer(_))) {
            possible.retain(|(_, _, action)| !matches!(action, Action::Fail(..) | Action::Wait(_)));
        }
        let weights: Vec<u64> = possible.iter().map(|(key, weight, _)| self.weight(key, *weight)).collect();
        let sum: u64 = weights.iter().sum();
        let mut place = if sum == 0 { return None } else { values.number() % sum };
        let mut chosen = None;
        for (action, weight) in possible.into_iter().zip(weights) {
            if place < weight {
                chosen = Some(action);
                break;
            }
            place -= weight;
        }
        let (key, _, action) = chosen?;
        *self.uses.entry(key).or_default() += 1;
        Some(line(play, sampler, values, pool, action))
    }

    fn weight(&self, key: &str, weight: u64) -> u64 {
        let uses = self.uses.get(key).copied().unwrap_or_default();
        (weight * 32 / (4 + uses)).max(weight.clamp(LEAST, 8))
    }

    /// All that may happen, with a name for what is counted, and how likely it is at first.
    fn possible<'a>(&self, play: &Play<'_>, slots: &'a [Slot]) -> Vec<(String, u64, Action<'a>)> {
        let mut found = Vec::new();
        for slot in slots {
            let node = &slot.node;
            match slot.phase {
                Phase::Approval => {
                    found.push((format!("approve {node}"), 16, Action::Approve(slot)));
                    found.push((format!("reject {node}"), 6, Action::Reject(slot)));
                }
                Phase::Request if matches!(slot.topic.as_str(), "tool.dispatch" | "ai.request" | "workflow.start") => {
                    found.push((format!("answer {node}"), 48, Action::Answer(slot)));
                    let own = self.failures.get(node).into_iter().flatten().cloned();
                    let any = FAILURES.iter().map(|kind| FailureName::Kind((*kind).to_owned()));
                    for name in own.chain(any) {
                        found.push((format!("fail {node} {}", name.word()), 2, Action::Fail(slot, name)));
                    }
                    for (tool, _) in self.calls.iter().filter(|(_, from)| from == node) {
                        found.push((format!("call {tool} from {node}"), 8, Action::Call(slot, tool.clone())));
                    }
                    let answers = |topic: &String| slot.answers.iter().any(|(answer, _)| answer == topic);
                    for (topic, _) in self.inside.iter().filter(|(topic, from)| from == node && !answers(topic)) {
                        found.push((format!("send {topic} from {node}"), 8, Action::Inside(slot, topic.clone())));
                    }
                }
                Phase::Request if slot.topic != "timer.set" => {
                    for (place, (topic, _)) in slot.answers.iter().enumerate() {
                        found.push((format!("send {topic} from {node}"), 24, Action::SendFrom(slot, place)));
                    }
                }
                Phase::Request | Phase::Pause => {}
            }
        }
        for topic in &self.topics {
            found.push((format!("send {topic}"), 12, Action::Send(topic.clone())));
        }
        if let Some(due) = play.next_due() {
            // Where only time can go on, it does.
            let weight = if slots.iter().any(|slot| slot.phase == Phase::Request && slot.topic != "timer.set") { 6 } else { 24 };
            found.push((format!("wait {}", slots.len()), weight, Action::Wait(due.saturating_sub(play.now))));
        }
        found
    }
}

/// The line of an action, with values.
fn line(play: &Play<'_>, sampler: &Sampler<'_>, values: &mut Values, pool: &Pool, action: Action<'_>) -> LineKind {
    let of = |slot: &Slot| step(play, &slot.node, slot.number, slot.element);
    let definition = play.subject.definition();
    match action {
        Action::Answer(slot) => {
            let schema = slot.answers.first().and_then(|(_, schema)| schema.as_ref());
            let value = schema.and_then(|schema| values.value(sampler, schema, pool));
            LineKind::Answer { step: of(slot), value: literal(value) }
        }
        Action::Fail(slot, failure) => {
            let data = definition.errors.get(failure.word()).filter(|_| matches!(failure, FailureName::Code(_)));
            let payload = data.and_then(|error| values.value(sampler, &error.data, pool));
            LineKind::Fail { step: of(slot), failure, payload: literal(payload), once: values.below(4) == 0 && may_try_again(play, slot) }
        }
        Action::Call(slot, tool) => {
            let schema = definition.tools.get(&tool).map(|tool| &tool.input);
            let schema = schema.or_else(|| definition.agents.get(&tool).map(|agent| &agent.input));
            let args = schema.and_then(|schema| values.value(sampler, schema, pool));
            LineKind::Call { tool, step: of(slot), args: literal(args) }
        }
        Action::Inside(slot, topic) => {
            let payload = definition.events.get(&topic).and_then(|event| values.value(sampler, &event.payload, pool));
            LineKind::Send { topic, from: Some(of(slot)), payload: literal(payload) }
        }
        Action::SendFrom(slot, place) => {
            let (topic, schema) = slot.answers.get(place).cloned().unwrap_or_default();
            let declared = definition.events.get(&topic).map(|event| &event.payload);
            let payload = schema.as_ref().or(declared).and_then(|schema| values.value(sampler, schema, pool));
            LineKind::Send { topic, from: Some(of(slot)), payload: literal(payload) }
        }
        Action::Send(topic) => {
            let payload = definition.events.get(&topic).and_then(|event| values.value(sampler, &event.payload, pool));
            LineKind::Send { topic, from: None, payload: literal(payload) }
        }
        Action::Approve(slot) => LineKind::Approve { step: of(slot), args: None },
        Action::Reject(slot) => LineKind::Reject { step: of(slot), reason: None },
        Action::Wait(milliseconds) => LineKind::Wait { milliseconds },
    }
}

/// Whether a step has retries at all; `once` means nothing without.
fn may_try_again(play: &Play<'_>, slot: &Slot) -> bool {
    let Some(node) = play.subject.definition().node(&slot.node) else { return false };
    let tool = node.payload.as_ref().and_then(|payload| play.subject.definition().tools.get(payload.get("name")?.as_str()?));
    node.retry.is_some() || tool.is_some_and(|tool| tool.retry.is_some())
}

/// How each step fails: as its tool or its child declares, and as guards of failures ask for.
fn failures(subject: &Subject) -> BTreeMap<String, Vec<FailureName>> {
    let definition = subject.definition();
    let mut found: BTreeMap<String, Vec<FailureName>> = BTreeMap::new();
    let guards = serde_json::to_string(&definition.nodes).unwrap_or_default();
    let codes: BTreeSet<String> = definition.nodes.iter().flat_map(failure_codes).collect();
    for node in &definition.nodes {
        let named = |key: &str| node.payload.as_ref().and_then(|payload| payload.get(key)).and_then(serde_json::Value::as_str);
        let names = found.entry(node.id.clone()).or_default();
        let is_kind = |word: &str| weave_ir::FAILURE_KINDS.contains(&word);
        let name = |word: &String| if is_kind(word) { FailureName::Kind(word.clone()) } else { FailureName::Code(word.clone()) };
        if let Some(tool) =
            named("name").and_then(|tool| definition.tools.get(tool)).filter(|_| node.emit.as_deref() == Some("tool.dispatch"))
        {
            names.extend(tool.fails.iter().map(name));
        }
        if named("workflow").is_some_and(|child| definition.workflows.contains_key(child)) {
            // Which `fail` nodes a child has is not in the definition of its parent; those that are asked for are in its guards.
            names.extend(codes.iter().filter(|code| !definition.errors.contains_key(*code)).map(name));
        }
        let asked = weave_ir::FAILURE_KINDS.iter().filter(|kind| guards.contains(&format!("\"{kind}\"")));
        let of_the_runner = |kind: &&&str| matches!(**kind, "stalled" | "runaway" | "elements");
        names.extend(asked.filter(|kind| !of_the_runner(kind)).map(|kind| FailureName::Kind((*kind).to_owned())));
        names.retain(|name| !FAILURES.contains(&name.word()));
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.word().to_owned()));
    }
    found
}

/// The strings that the guards of a node compare with which listens to failures.
fn failure_codes(node: &weave_ir::Node) -> Vec<String> {
    let on_failure = matches!(node.on, Some(On::One(Trigger::Failure { .. })));
    let Some(guard) = node.when.as_ref().filter(|_| on_failure) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![&guard.expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Const { value: serde_json::Value::String(text), .. } if is_name(text) => found.push(text.clone()),
            Expr::Apply { args, .. } => open.extend(args),
            _ => {}
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
