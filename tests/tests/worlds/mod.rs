//! Random worlds for compiled programs: every request is answered, fails, or is late, in any order, with whatever its schema admits.

mod values;

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::{Event, EventKind, Failure, FailureKind, Observer, Prepared, Read, Runner, next};
use weave_tests::random::Random;

use crate::examples::examples;
use values::Values;

/// How many events of a world happen at most.
const MOST_EVENTS: usize = 200;

/// How a run went.
pub(crate) struct Played {
    /// The kind of the failure with which it ended; none if it succeeded.
    pub(crate) failed: Option<String>,
    /// It waits for nothing but the timeout of the whole run.
    pub(crate) hangs: bool,
    /// What a node read that was not there, though nothing says that it may be missing.
    pub(crate) missing: Vec<String>,
    /// The scroll.
    pub(crate) scroll: Vec<Event>,
}

impl Played {
    /// What the compiler should have ruled out.
    pub(crate) fn complaint(&self) -> Option<String> {
        match self.failed.as_deref() {
            _ if !self.missing.is_empty() => Some(format!("reads what is not there: {}", self.missing.join(", "))),
            _ if self.hangs => Some("waits for nothing but the timeout of the run".to_owned()),
            Some(kind @ ("stalled" | "runaway" | "invalid_input")) => Some(format!("ends as {kind}")),
            _ => None,
        }
    }
}

/// Notes what was read and not found.
struct Missing(Vec<String>);

impl Observer for Missing {
    fn read(&mut self, read: &Read<'_>) {
        if read.is_unsound() {
            self.0.push(format!("{}: {}", read.node, read.path));
        }
    }
}

/// Plays one run in a world of its own.
pub(crate) fn play(definition: &Definition, seed: u64) -> Played {
    let mut random = Random::new(seed);
    let mut missing = Missing(Vec::new());
    let mut runner = Runner::new(Prepared::new(definition.clone()));
    let mut scroll: Vec<Event> = Vec::new();
    let digest = definition.digest().expect("a definition has a digest");
    let input = Values { definition, random: &mut random }.value(&definition.input.0);
    let mut event = Some(Event::start("r", &definition.workflow, &digest, input));
    let mut hangs = false;
    while let Some(taken) = event.take() {
        let derived = runner.feed_observed(&taken, &mut missing);
        scroll.push(Event { seq: scroll.len() as u64, ..taken });
        scroll.extend(derived);
        if !runner.is_done() && scroll.len() < MOST_EVENTS {
            let only_timeout = runner.open_requests().iter().all(|request| request.node.is_none());
            hangs = only_timeout && outside(definition).is_empty();
            event = (!hangs).then(|| happens(definition, &runner, &mut random, scroll.len()));
        }
    }
    let done = scroll.last().filter(|event| event.topic == "workflow.done").and_then(Event::data);
    let failed = done.and_then(|done| done["failure"]["kind"].as_str()).map(str::to_owned);
    Played { failed, hangs, missing: missing.0, scroll }
}

/// What happens next: mostly an answer, sometimes a failure, a call inside an agent's loop, or something from outside.
fn happens(definition: &Definition, runner: &Runner, random: &mut Random, length: usize) -> Event {
    let id = format!("e{length}");
    let outside = outside(definition);
    let mut open = runner.open_requests();
    // The timeout of the whole run comes last, or nothing else would ever be seen.
    open.retain(|request| request.node.is_some());
    if open.is_empty() || (!outside.is_empty() && random.below(5) == 0) {
        let Some(topic) = outside.get(random.below(outside.len())) else {
            return Event::external(id, "nothing.happens", Value::Null);
        };
        let data = Values { definition, random }.value(&definition.events[topic].payload.0);
        return Event::external(id, topic.clone(), data);
    }
    let request = open[random.below(open.len())].clone();
    let calls = request.node.map(|node| calls(definition, node)).unwrap_or_default();
    if request.topic == "ai.request" && !calls.is_empty() && random.below(3) == 0 {
        let tool = &calls[random.below(calls.len())];
        let args = Values { definition, random }.value(&definition.tools[tool].input.0);
        return Event::external(id, "tool.dispatch", json!({ "name": tool, "args": args })).inside(request.id);
    }
    let (topic, schema) = request.answers[random.below(request.answers.len())];
    let event = if topic == "timer.fired" {
        Event::answer(id, topic, request.id, Value::Null)
    } else if random.below(6) == 0 {
        Event::failed(id, topic, request.id, failure(definition, random))
    } else {
        let data = schema.map_or(Value::Null, |schema| Values { definition, random }.value(&schema.0));
        Event::answer(id, topic, request.id, data)
    };
    event.with_attempt(request.attempt)
}

fn failure(definition: &Definition, random: &mut Random) -> Failure {
    let kinds = [FailureKind::ExecutionError, FailureKind::Timeout, FailureKind::Unavailable, FailureKind::Denied];
    let errors = definition.errors.keys().collect::<Vec<_>>();
    match errors.get(random.below(errors.len() + 1)) {
        Some(code) => {
            let data = Some(Values { definition, random }.value(&definition.errors[*code].data.0));
            Failure::coded(code.as_str(), "no", data)
        }
        None => Failure::new(kinds[random.below(kinds.len())], "no"),
    }
}

/// The topics that come from outside by themselves: those of mailboxes, and plain ones that answer nothing.
fn outside(definition: &Definition) -> Vec<String> {
    let answers = definition.events.values().flat_map(|event| event.answers.iter()).collect::<Vec<_>>();
    let document = serde_json::to_value(&definition.nodes).expect("nodes are JSON").to_string();
    let named = |topic: &String| document.contains(&format!("\"{topic}\""));
    let found = definition.events.iter().filter(|(topic, event)| event.external && !answers.contains(topic) && named(topic));
    found.map(|(topic, _)| topic.clone()).collect()
}

/// The tools whose calls by the agent of this step are listened to.
fn calls(definition: &Definition, step: &str) -> Vec<String> {
    let document = serde_json::to_value(&definition.nodes).expect("nodes are JSON").to_string();
    let listened = |tool: &&String| document.contains(&json!({ "tool": tool, "from": step }).to_string());
    definition.tools.keys().filter(listened).cloned().collect()
}

#[test]
fn the_examples_come_through_random_worlds() {
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    for (name, program) in examples() {
        for (workflow, definition) in program.check().definitions() {
            let definition = Definition::from_json(&definition).expect("a compiled definition is valid");
            for seed in 0..20 {
                let played = play(&definition, seed);
                if let Some(complaint) = played.complaint() {
                    panic!("{name}, {workflow}, world {seed}: {complaint}\n{}", drawn(&played.scroll));
                }
                *ends.entry(played.failed.unwrap_or_else(|| "an end".to_owned())).or_default() += 1;
                if seed < 2 {
                    replays(&definition, &played.scroll);
                }
            }
        }
    }
    println!("{ends:?}");
}

/// Each prefix of a scroll is continued in the same way.
fn replays(definition: &Definition, scroll: &[Event]) {
    let prepared = Prepared::new(definition.clone());
    for length in 0..=scroll.len() {
        let (there, rest) = scroll.split_at(length);
        let expected = rest.iter().take_while(|event| event.kind == EventKind::Derived).cloned().collect::<Vec<_>>();
        assert_eq!(next(&prepared, there), Ok(expected));
    }
}

fn drawn(scroll: &[Event]) -> String {
    scroll.iter().map(|event| serde_json::to_string(event).expect("an event is JSON") + "\n").collect()
}
