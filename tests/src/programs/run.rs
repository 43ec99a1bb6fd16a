//! One run of a clean program in a random world, and everything that must not happen in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use weave_expr::EvalError;
use weave_ir::{Condition, Definition, Guard, On, Segment, Trigger};
use weave_runner::{Event, EventKind, Failure, FailureKind, Observer, Prepared, Read, ReadPlace, Runner, next};

use super::coverage::{Coverage, constructs};
use super::schemas::fits;
use super::world::{World, constants};

/// How many events a world sends at most.
const MOST_EVENTS: usize = 80;

/// How large a payload may become before a run is left alone, in parts and characters.
const MOST_CONTENT: usize = 20_000;

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// What it is.
    pub kind: &'static str,
    /// Where, and with which values.
    pub detail: String,
}

/// What became of a run.
#[derive(Debug)]
pub struct Ended {
    /// What must not have happened.
    pub findings: Vec<Finding>,
    /// The scroll.
    pub scroll: Vec<Event>,
    /// How many events the world sent.
    pub sent: usize,
    /// Whether the run is over.
    pub is_done: bool,
}

/// A compiled workflow that is to be run often.
pub struct Subject {
    prepared: Arc<Prepared>,
    digest: String,
    constants: Vec<Value>,
    /// Each failure is handled by some node.
    handles_all: bool,
}

/// What was seen in a run.
#[derive(Default)]
struct Seen {
    findings: BTreeSet<Finding>,
    reads: BTreeSet<&'static str>,
}

#[derive(Default)]
struct Watch(Seen);

impl Observer for Watch {
    fn read(&mut self, read: &Read<'_>) {
        let seen = &mut self.0;
        let list_without_value = read.place == ReadPlace::List && !read.is_found();
        if read.is_unsound() || list_without_value {
            let detail = format!("`{}` reads `{}`, of which {} steps are there", read.node, read.path, read.found);
            seen.findings.insert(Finding { kind: "missing value", detail });
        }
        let steps = &read.path.steps;
        seen.reads.insert(match steps.first().map(|step| &step.segment) {
            Some(Segment::Key(root)) if root == "input" => "read: .input",
            Some(Segment::Key(root)) if root == "event" => "read: .event",
            Some(Segment::Key(root)) if root == "failure" => "read: .failure",
            Some(Segment::Key(root)) if root == "item" => "read: each",
            _ => "read: step",
        });
        for step in steps {
            if step.segment == Segment::All {
                seen.reads.insert("read: .a[]");
            }
            if matches!(step.segment, Segment::Index(_)) {
                seen.reads.insert("read: [0]");
            }
            if step.optional {
                seen.reads.insert("read: .a?");
            }
        }
        if read.has_default {
            seen.reads.insert("read: ??");
        }
        seen.reads.insert(if read.place == ReadPlace::Guard { "read: in a guard" } else { "read: in a text" });
    }

    fn guard(&mut self, node: &str, _item: Option<usize>, guard: &Guard, result: &Result<Value, EvalError>) {
        let kind = match result {
            // Which value a division or a sum meets is not known when a program is compiled.
            Ok(Value::Bool(_))
            | Err(EvalError::DivisionByZero | EvalError::Overflow | EvalError::OutOfRange { .. } | EvalError::NotFinite) => return,
            Ok(_) => "a guard that is no boolean",
            Err(_) => "a guard that ends in an error",
        };
        let text = guard.cel.clone().unwrap_or_else(|| format!("{:?}", guard.expr));
        self.0.findings.insert(Finding { kind, detail: format!("`{node}`: {text}: {result:?}") });
    }

    fn refused(&mut self, node: &str, failure: &Failure) {
        let detail = format!("`{node}`: {}", failure.message);
        self.0.findings.insert(Finding { kind: "arguments that do not fit", detail });
    }
}

impl Subject {
    /// A workflow without the bounds of its types, as they hold for values of a run only.
    ///
    /// # Panics
    ///
    /// If it is not a definition that was compiled.
    #[must_use]
    pub fn new(definition: &Definition) -> Self {
        let definition = super::schemas::without_bounds(definition);
        let prepared = Prepared::new(definition.clone());
        let digest = prepared.digest().expect("a definition has a digest").to_owned();
        let constants = constants(&definition);
        let items = items(&definition);
        let handles_all = items.iter().any(|(key, sure, always)| key.contains(r#"{"failure":"*"}"#) && *sure && *always);
        Self { prepared, digest, constants, handles_all }
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        self.prepared.definition()
    }

    /// Runs it in the world of this seed.
    #[must_use]
    pub fn run(&self, seed: u64, coverage: &mut Coverage) -> Ended {
        let mut seen = Watch::default();
        let mut runner = Runner::new(Arc::clone(&self.prepared));
        let mut world = World::new(self.definition(), self.constants.clone(), seed);
        let mut scroll: Vec<Event> = Vec::new();
        let mut findings = BTreeSet::new();
        let mut sent = 0;
        let mut upcoming = Some((world.start(&self.digest), "world: the start"));
        while let Some((event, what)) = upcoming.take() {
            sent += 1;
            coverage.happened(what);
            let derived = runner.feed_observed(&event, &mut seen);
            world.remember(&event);
            scroll.push(Event { seq: scroll.len() as u64, ..event });
            let mut ending = false;
            for event in derived {
                if event.topic == "workflow.step" {
                    ending =
                        event.data().and_then(|data| self.definition().node(data.get("id")?.as_str()?)).is_some_and(|node| node.terminal);
                }
                self.look_at(&event, ending, &mut findings, coverage);
                scroll.push(event);
            }
            // What is copied round after round grows without bound, and so does what it costs.
            let grown = scroll.iter().rev().take(20).any(|event| event.data().is_some_and(|data| larger_than(data, MOST_CONTENT)));
            if runner.is_done() || sent >= MOST_EVENTS || grown {
                break;
            }
            upcoming = world.next(&runner);
            if upcoming.is_none() {
                let detail = "nothing is open that the world could answer, and the run is not over".to_owned();
                findings.insert(Finding { kind: "hang", detail });
            }
        }
        let is_done = runner.is_done();
        let seen = seen.0;
        seen.reads.iter().for_each(|read| coverage.happened(read));
        findings.extend(seen.findings);
        Ended { findings: findings.into_iter().collect(), scroll, sent, is_done }
    }

    /// Holds a derived event to the definition; it may follow from a node that ends the run.
    fn look_at(&self, event: &Event, ending: bool, findings: &mut BTreeSet<Finding>, coverage: &mut Coverage) {
        let Some(data) = event.data() else { return };
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        if event.topic == "workflow.step" {
            let node = text("id").and_then(|id| self.definition().node(id));
            return node.into_iter().flat_map(|node| constructs(self.definition(), node)).for_each(|what| coverage.happened(what));
        }
        let part = |key: &str| data.get(key).cloned().unwrap_or_default();
        let (schema, value) = match event.topic.as_str() {
            "workflow.done" => return self.look_at_end(data, ending, findings, coverage),
            "workflow.cancel" => return,
            "tool.dispatch" | "tool.approval.requested" => {
                (text("name").and_then(|name| self.definition().tools.get(name)).map(|tool| &tool.input), part("args"))
            }
            "ai.request" => (text("agent").and_then(|name| self.definition().agents.get(name)).map(|agent| &agent.input), part("args")),
            "workflow.start" => {
                (text("workflow").and_then(|name| self.definition().workflows.get(name)).map(|child| &child.input), part("input"))
            }
            topic => (self.definition().events.get(topic).map(|event| &event.payload), data.clone()),
        };
        if let Some(schema) = schema
            && let Err(problem) = fits(self.definition(), schema.as_value(), &value, "")
        {
            findings.insert(Finding { kind: "a payload that does not fit", detail: format!("{}: {problem}", event.id) });
        }
        if event.topic == "timer.set" && data.get("after").or(data.get("at")).is_none_or(|time| !time.is_string()) {
            findings.insert(Finding { kind: "a timer without a time", detail: format!("{}: {data}", event.id) });
        }
    }

    fn look_at_end(&self, data: &Value, ending: bool, findings: &mut BTreeSet<Finding>, coverage: &mut Coverage) {
        if data.get("outcome").and_then(Value::as_str) == Some("succeeded") {
            coverage.happened("end: succeeded");
            let output = data.get("output").cloned().unwrap_or_default();
            if let Err(problem) = fits(self.definition(), self.definition().output.as_value(), &output, "") {
                findings.insert(Finding { kind: "an output that does not fit", detail: problem });
            }
            return;
        }
        let failure = |key: &str| data.get("failure").and_then(|failure| failure.get(key)).and_then(Value::as_str).unwrap_or_default();
        let (kind, code) = (failure("kind"), failure("code"));
        coverage.happened(&format!("end: {kind}"));
        let from_node = self.definition().node(code).is_some_and(|node| node.terminal);
        let mut add = |kind| findings.insert(Finding { kind, detail: data.to_string() });
        if kind == FailureKind::Stalled.word() {
            add("stalled");
        } else if kind == FailureKind::Runaway.word() {
            add("runaway");
        } else if kind == FailureKind::InvalidOutput.word() && ending {
            // What an `end` says does not fit the workflow.
            add("an output that does not fit");
        } else if self.handles_all && !from_node && !matches!(kind, "cancelled" | "timeout") {
            add("a failure that nobody took");
        }
    }

    /// Whether each prefix of a scroll is continued exactly as it was.
    ///
    /// # Errors
    ///
    /// With the first prefix that is not.
    pub fn replay(&self, scroll: &[Event]) -> Result<(), String> {
        for length in 1..=scroll.len() {
            let (there, rest) = scroll.split_at(length);
            let expected: Vec<_> = rest.iter().take_while(|event| event.kind == EventKind::Derived).cloned().collect();
            let found = next(&self.prepared, there).map_err(|error| format!("the first {length} events: {error}"))?;
            if found != expected {
                return Err(format!("the first {length} events are followed by {found:?} in place of {expected:?}"));
            }
        }
        Ok(())
    }
}

/// The triggers of a definition by what they listen to, with whether the node fires, or an `else` does, whatever else holds, and
/// whether it has no condition at all.
fn items(definition: &Definition) -> Vec<(String, bool, bool)> {
    let mut items = Vec::new();
    for node in &definition.nodes {
        let mut add = |trigger: &Trigger, condition: &Condition| {
            let free = matches!(condition, Condition::Always | Condition::Else) && node.limit.is_none();
            let key = serde_json::to_string(trigger).unwrap_or_default();
            items.push((key, free, *condition == Condition::Always));
        };
        match &node.on {
            None => add(&Trigger::Start, &node.condition()),
            Some(On::One(trigger)) => add(trigger, &node.condition()),
            Some(On::Any(any)) => any.any.iter().for_each(|item| add(&item.trigger, &item.condition)),
        }
    }
    items
}

/// Whether a value has more than so many parts and characters.
fn larger_than(value: &Value, most: usize) -> bool {
    let (mut open, mut size) = (vec![value], 0);
    while let Some(value) = open.pop() {
        size += 1;
        match value {
            Value::String(text) => size += text.len(),
            Value::Array(items) => open.extend(items),
            Value::Object(entries) => open.extend(entries.values()),
            _ => {}
        }
        if size > most {
            return true;
        }
    }
    false
}
