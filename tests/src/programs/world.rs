//! A world for a run: it sends whatever a real one could send, and what it should not.

use serde_json::{Map, Value, json};
use weave_expr::evaluate;
use weave_ir::{Condition, Definition, Expr, On, ToolKind, Trigger};
use weave_runner::{Event, Failure, FailureKind, Runner};

use super::schemas::Values;
use crate::random::Random;

/// How the failures of this world are told from those that the runner makes.
pub(super) const INJECTED: &str = "the world says so";

/// The kinds that a host may report.
pub(super) const KINDS: [FailureKind; 10] = [
    FailureKind::ExecutionError,
    FailureKind::InvalidInput,
    FailureKind::InvalidOutput,
    FailureKind::Timeout,
    FailureKind::Denied,
    FailureKind::Cancelled,
    FailureKind::Unavailable,
    FailureKind::UnknownTool,
    FailureKind::NonLocalTool,
    FailureKind::MaxTurns,
];

/// What stands open, without the runner.
#[derive(Clone, Debug)]
struct Open {
    id: String,
    attempt: u32,
    node: Option<String>,
    topic: String,
    answers: Vec<(String, Value)>,
}

/// Sends events.
pub(super) struct World<'d> {
    definition: &'d Definition,
    random: Random,
    constants: Vec<Value>,
    sent: usize,
    /// The external topics that somebody listens to.
    heard: Vec<&'d str>,
    /// The requests that there were.
    past: Vec<Open>,
    /// Events that were sent.
    known: Vec<Event>,
    /// How the world behaves in this run: of a hundred answers so many fail, or do not fit.
    trouble: usize,
}

impl<'d> World<'d> {
    pub(super) fn new(definition: &'d Definition, constants: Vec<Value>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let trouble = *random.pick(&[0, 10, 10, 25, 60]);
        let heard = heard(definition);
        Self { definition, random, constants, sent: 0, heard, past: Vec::new(), known: Vec::new(), trouble }
    }

    fn values(&self) -> Values<'_> {
        Values { definition: self.definition, constants: &self.constants }
    }

    fn value(&mut self, schema: &Value) -> Value {
        let mut random = self.random.clone();
        let value = self.values().value(&mut random, schema, 0);
        self.random = random;
        value
    }

    fn misfit(&mut self, schema: &Value) -> Value {
        let mut random = self.random.clone();
        let value = self.values().misfit(&mut random, schema);
        self.random = random;
        value
    }

    fn id(&mut self) -> String {
        self.sent += 1;
        format!("w{}", self.sent)
    }

    /// The event with which the run starts.
    pub(super) fn start(&mut self, digest: &str) -> Event {
        let schema = self.definition.input.as_value();
        let input = self.value(schema);
        Event::start("r", &self.definition.workflow, digest, input)
    }

    /// The next event, with the word for what it is; none if nothing can come any more.
    pub(super) fn next(&mut self, runner: &Runner) -> Option<(Event, &'static str)> {
        let open: Vec<Open> = runner
            .open_requests()
            .into_iter()
            .map(|request| Open {
                id: request.id,
                attempt: request.attempt,
                node: request.node.map(str::to_owned),
                topic: request.topic.to_owned(),
                answers: request
                    .answers
                    .into_iter()
                    .map(|(topic, schema)| (topic.to_owned(), schema.map_or_else(|| json!({}), |schema| schema.as_value().clone())))
                    .collect(),
            })
            .collect();
        for request in &open {
            if !self.past.iter().any(|past| past.id == request.id && past.attempt == request.attempt) {
                self.past.push(request.clone());
            }
        }
        if open.is_empty() && self.heard.is_empty() {
            return None;
        }
        let event = match self.random.below(1000) {
            0..=99 => self.outside(),
            100..=149 => self.late(),
            150..=229 => self.inside(&open),
            230..=232 => Some((Event::external(self.id(), "workflow.cancel", json!({ "re": "r" })), "world: the run is cancelled")),
            233..=329 => self.timer(&open),
            _ => self.answer(&open),
        };
        event.or_else(|| self.answer(&open)).or_else(|| self.timer(&open)).or_else(|| self.outside())
    }

    fn timer(&mut self, open: &[Open]) -> Option<(Event, &'static str)> {
        let timers: Vec<_> = open.iter().filter(|open| open.topic == "timer.set").collect();
        let timer = *timers.get(self.random.below(timers.len()))?;
        let event = Event::answer(self.id(), "timer.fired", timer.id.clone(), Value::Null).with_attempt(timer.attempt);
        Some((event, "world: a timer"))
    }

    /// An answer to something that is open.
    fn answer(&mut self, open: &[Open]) -> Option<(Event, &'static str)> {
        let requests: Vec<_> = open.iter().filter(|open| open.topic != "timer.set").collect();
        let request = (*requests.get(self.random.below(requests.len()))?).clone();
        let (topic, schema) = request.answers.get(self.random.below(request.answers.len()))?.clone();
        if request.topic == "tool.approval.requested" {
            return Some(self.decision(&request, &topic));
        }
        let id = self.id();
        if self.random.chance(self.trouble) {
            if self.random.chance(30) {
                let data = self.misfit(&schema);
                return Some((
                    Event::answer(id, topic, request.id, data).with_attempt(request.attempt),
                    "world: an answer that does not fit",
                ));
            }
            let failure = self.failure(&request);
            return Some((Event::failed(id, topic, request.id, failure).with_attempt(request.attempt), "world: a failure"));
        }
        let data = self.value(&schema);
        let event = Event::answer(id, topic, request.id, data).with_attempt(request.attempt);
        // Where only one request waits for this topic, the answer need not name it.
        let event = if request.attempt == 1 && self.random.chance(10) { Event { re: None, ..event } } else { event };
        Some((event, "world: an answer"))
    }

    fn failure(&mut self, request: &Open) -> Failure {
        let node = request.node.as_ref().and_then(|id| self.definition.node(id));
        let name = node.and_then(|node| node.payload.as_ref()?.get("name")?.as_str());
        let codes: Vec<_> =
            name.and_then(|name| self.definition.tools.get(name)).map(|tool| tool.fails.iter().cloned().collect()).unwrap_or_default();
        if !codes.is_empty() && self.random.chance(60) {
            let code: &String = self.random.pick(&codes);
            if let Some(error) = self.definition.errors.get(code) {
                let schema = error.data.as_value().clone();
                let data = if self.random.chance(80) { self.value(&schema) } else { self.misfit(&schema) };
                return Failure::coded(code, INJECTED, Some(data));
            }
        }
        Failure::new(*self.random.pick(&KINDS), INJECTED)
    }

    fn decision(&mut self, request: &Open, topic: &str) -> (Event, &'static str) {
        let (decision, what) = match self.random.below(6) {
            0..=2 => (json!({ "decision": "approve" }), "world: approve"),
            3 => {
                let node = request.node.as_ref().and_then(|id| self.definition.node(id));
                let name = node.and_then(|node| node.payload.as_ref()?.get("name")?.as_str());
                let schema =
                    name.and_then(|name| self.definition.tools.get(name)).map_or_else(|| json!({}), |tool| tool.input.as_value().clone());
                let args = if self.random.chance(80) { self.value(&schema) } else { self.misfit(&schema) };
                (json!({ "decision": "edit", "args": args }), "world: edit")
            }
            4 => (json!({ "decision": "reject", "reason": "no" }), "world: reject"),
            _ => (json!({ "decision": "dunno" }), "world: an answer that does not fit"),
        };
        (Event::answer(self.id(), topic, request.id.clone(), decision).with_attempt(request.attempt), what)
    }

    /// A fact that nobody asked for.
    fn outside(&mut self) -> Option<(Event, &'static str)> {
        let topic = *self.heard.get(self.random.below(self.heard.len()))?;
        let schema = self.definition.events.get(topic)?.payload.as_value().clone();
        let data = if self.random.chance(90) { self.value(&schema) } else { self.misfit(&schema) };
        Some((Event::external(self.id(), topic, data), "world: a fact"))
    }

    /// Something that comes too late, or twice.
    fn late(&mut self) -> Option<(Event, &'static str)> {
        if self.random.chance(30) {
            let known = self.known.get(self.random.below(self.known.len()))?.clone();
            return Some((known, "world: an event twice"));
        }
        let past = self.past.get(self.random.below(self.past.len()))?.clone();
        let (topic, schema) = past.answers.get(self.random.below(past.answers.len()))?.clone();
        let data = self.value(&schema);
        Some((Event::answer(self.id(), topic, past.id, data).with_attempt(past.attempt), "world: a late answer"))
    }

    /// Something inside an agent's loop.
    fn inside(&mut self, open: &[Open]) -> Option<(Event, &'static str)> {
        let asked: Vec<_> = open.iter().filter(|open| open.topic == "ai.request").collect();
        let request = (*asked.get(self.random.below(asked.len()))?).clone();
        let node = request.node.as_ref().and_then(|id| self.definition.node(id))?;
        let agent = node.payload.as_ref()?.get("agent")?.as_str()?;
        let offered: Vec<_> = self.definition.agents.get(agent)?.tools.iter().map(|tool| tool.name().to_owned()).collect();
        let id = self.id();
        let offered: Vec<_> = self.definition.tools.iter().filter(|(name, _)| offered.contains(name)).collect();
        let (name, tool) = match offered.get(self.random.below(offered.len())).copied() {
            Some(offered) if self.random.chance(70) => offered,
            _ => return Some((Event::external(id, "tool.progress", json!(1)).inside(request.id), "world: a tool's progress")),
        };
        let schema = tool.input.as_value().clone();
        let args = if self.random.chance(90) { self.value(&schema) } else { self.misfit(&schema) };
        let what = if tool.kind == ToolKind::Signal { "world: a signal" } else { "world: a call in a loop" };
        Some((Event::external(id, "tool.dispatch", json!({ "name": name, "args": args })).inside(request.id), what))
    }

    /// Keeps an event, so that it may come again.
    pub(super) fn remember(&mut self, event: &Event) {
        if self.known.len() < 20 {
            self.known.push(event.clone());
        }
    }
}

/// The constants of guards and templates, so that values meet them.
pub(super) fn constants(definition: &Definition) -> Vec<Value> {
    let mut found = Vec::new();
    let mut add = |condition: &Condition| {
        if let Condition::When(guard) | Condition::Also(guard) = condition {
            of_expression(&guard.expr, &mut found);
        }
    };
    for node in &definition.nodes {
        add(&node.condition());
        if let Some(On::Any(any)) = &node.on {
            any.any.iter().for_each(|item| add(&item.condition));
        }
        if let Some(guard) = &node.matches {
            add(&Condition::When(guard.clone()));
        }
    }
    found
}

fn of_expression(expr: &Expr, found: &mut Vec<Value>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Const { .. } => found.extend(evaluate(expr, &Map::new()).ok().into_iter().flat_map(|value| match value {
                Value::Array(items) => items,
                value => vec![value],
            })),
            Expr::List { items } => open.extend(items),
            Expr::Apply { args, .. } => open.extend(args),
            Expr::Quantify { list, body, .. } => open.extend([&**list, &**body]),
            _ => {}
        }
    }
}

/// The external topics that somebody listens to without having asked, or keeps a mailbox for.
fn heard(definition: &Definition) -> Vec<&str> {
    let mut topics: Vec<&str> = definition.nodes.iter().flat_map(|node| node.awaits.iter().map(String::as_str)).collect();
    for node in &definition.nodes {
        let mut add = |trigger: &'_ Trigger| {
            if let Trigger::Topic(topic) = trigger {
                topics.extend(definition.events.get_key_value(topic).map(|(topic, _)| topic.as_str()));
            }
        };
        match &node.on {
            Some(On::One(trigger)) => add(trigger),
            Some(On::Any(any)) => any.any.iter().for_each(|item| add(&item.trigger)),
            None => {}
        }
    }
    topics.retain(|topic| definition.events.get(*topic).is_some_and(|event| event.external) && !topic.starts_with("timer."));
    topics.sort_unstable();
    topics.dedup();
    topics
}
