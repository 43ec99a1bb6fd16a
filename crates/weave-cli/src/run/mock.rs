//! A world that is made up: every model, tool and person answers at once, from examples and schemas.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};
use weave_host::{Ask, Context, Drive, ItemKind, ModelTurn, Models, Outcome, Outside, Pending, People, Question, ToolCall, Tools};
use weave_ir::{Definition, Expr, Operator, Segment};
use weave_runner::Event;

use super::made_up::Maker;

/// Words in a topic that say that something did not go well. What is made up goes well.
const BAD_WORDS: &[&str] = &[
    "aborted",
    "cancel",
    "declined",
    "denied",
    "disputed",
    "error",
    "expired",
    "failed",
    "late",
    "lost",
    "missing",
    "overdue",
    "refused",
    "rejected",
    "withdrawn",
];

/// Answers to everything.
#[derive(Default)]
pub(crate) struct Mock {
    /// What was made up from outside: the run, and the step or topic that waited.
    made: Mutex<BTreeSet<(String, String)>>,
}

impl Models for Mock {
    fn turn<'a>(&'a self, ask: &'a Ask, context: &'a Context) -> Pending<'a, Outcome> {
        let agent = ask.agent.as_ref().and_then(|agent| ask.definition.agents.get(agent));
        let text = match agent {
            Some(agent) => Maker::new(&ask.definition).varied(variant(context)).value(&agent.output).to_string(),
            None => "made up".to_owned(),
        };
        ready(Outcome::Turn(Box::new(ModelTurn { text: Some(text), ..ModelTurn::default() })))
    }
}

impl Tools for Mock {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        let Some(tool) = call.tool else { return ready(Outcome::Data(Value::Null)) };
        let outputs = || tool.examples.iter().filter(|example| example.output.is_some());
        let example = outputs().find(|example| example.input == *call.args).or_else(|| outputs().next());
        let output = example.and_then(|example| example.output.clone());
        ready(Outcome::Data(
            output.unwrap_or_else(|| echoed(Maker::new(&context.definition).varied(variant(context)).value(&tool.output), call.args)),
        ))
    }

    fn hydrate<'a>(&'a self, prompt: &'a str, _: &'a Value, context: &'a Context) -> Pending<'a, Outcome> {
        let schema = context.definition.prompts.get(prompt).and_then(|prompt| prompt.hydrates.as_ref());
        let found = schema.map(|schema| Maker::new(&context.definition).value(schema));
        ready(Outcome::Data(found.unwrap_or_else(|| json!({}))))
    }
}

impl People for Mock {
    fn ask<'a>(&'a self, question: Question<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        let topic = preferred(question.answers.iter().map(String::as_str)).unwrap_or_default().to_owned();
        let definition = &context.definition;
        let data = match question.topic {
            "tool.approval.requested" => json!({ "decision": "approve", "by": "mock" }),
            "tool.dispatch" => match definition.tools.get(question.name) {
                Some(tool) => Maker::new(definition).varied(variant(context)).value(&tool.output),
                None => Value::Null,
            },
            _ => payload(definition, &topic),
        };
        ready(Outcome::Answer { topic, data })
    }
}

impl Outside for Mock {
    fn event(&self, run: &Drive) -> Option<Event> {
        let definition = run.definition();
        let timers = run.items().any(|(_, item)| item.kind == ItemKind::Timer);
        let busy = run.items().any(|(_, item)| item.kind == ItemKind::Child);
        let mailboxes = run.runner().mailboxes();
        let waits = mailboxes.iter().map(|mailbox| (mailbox.node, mailbox.topics.clone()));
        // A topic that a node listens to from start to end is only made up when nothing else can happen.
        let listened: Vec<_> = if timers || busy || !mailboxes.is_empty() { Vec::new() } else { plain_topics(&definition) };
        let plain = listened.iter().map(|topic| (*topic, vec![*topic]));
        for (node, topics) in waits.chain(plain) {
            let Some(topic) = preferred(topics.iter().copied()) else { continue };
            // Time passes rather than that something bad is made up.
            if is_bad(topic) && timers || busy {
                continue;
            }
            if !self.made.lock().unwrap_or_else(PoisonError::into_inner).insert((run.run().to_owned(), node.to_owned())) {
                continue;
            }
            let data = fitting(run, node, payload(&definition, topic));
            return Some(Event::external(format!("mock:{}:{topic}", run.run()), topic, data));
        }
        None
    }
}

/// Which values are taken for a request: the first ones for the first firing of its node.
pub(crate) fn variant(context: &Context) -> u32 {
    let firing = context.key.id.rsplit_once('#').map(|(_, number)| number.split(['[', '@', '/']).next().unwrap_or_default());
    firing.and_then(|number| number.parse::<u32>().ok()).map_or(0, |number| number.saturating_sub(1))
}

fn ready<'a>(outcome: Outcome) -> Pending<'a, Outcome> {
    Box::pin(std::future::ready(outcome))
}

/// The first topic that sounds well, else the first.
pub(crate) fn preferred<'t>(topics: impl Iterator<Item = &'t str> + Clone) -> Option<&'t str> {
    topics.clone().find(|topic| !is_bad(topic)).or_else(|| topics.clone().next())
}

fn is_bad(topic: &str) -> bool {
    BAD_WORDS.iter().any(|word| topic.contains(word))
}

fn payload(definition: &Definition, topic: &str) -> Value {
    let schema = definition.events.get(topic).map(|event| &event.payload);
    schema.map(|schema| Maker::new(definition).value(schema)).unwrap_or_default()
}

/// What a tool gives back of what it got: a property of the same name and type.
fn echoed(mut output: Value, args: &Value) -> Value {
    if let (Some(output), Some(args)) = (output.as_object_mut(), args.as_object()) {
        for (name, value) in output {
            if let Some(given) = args.get(name).filter(|given| std::mem::discriminant(*given) == std::mem::discriminant(value)) {
                *value = given.clone();
            }
        }
    }
    output
}

/// The external topics that some node listens to from start to end.
fn plain_topics(definition: &Definition) -> Vec<&str> {
    let external = |topic: &&str| definition.events.get(*topic).is_some_and(|event| event.external);
    let triggers = definition.nodes.iter().filter_map(|node| node.on.as_ref()).flat_map(|on| match on {
        weave_ir::On::One(trigger) => vec![trigger],
        weave_ir::On::Any(any) => any.any.iter().map(|item| &item.trigger).collect(),
    });
    let topics = triggers.filter_map(|trigger| match trigger {
        weave_ir::Trigger::Topic(topic) => Some(topic.as_str()),
        _ => None,
    });
    topics.filter(external).collect()
}

/// The payload with what the step asks for: where its guard says that a field is equal to something, that something.
fn fitting(run: &Drive, node: &str, mut payload: Value) -> Value {
    let definition = run.definition();
    let Some(guard) = definition.node(node).and_then(|node| node.matches.as_ref()) else { return payload };
    let values = Map::from_iter(run.runner().answers());
    let mut open = vec![&guard.expr];
    while let Some(expr) = open.pop() {
        let Expr::Apply { op, args, .. } = expr else { continue };
        if *op != Operator::Equal {
            open.extend(args);
            continue;
        }
        let [one, other] = args.as_slice() else { continue };
        for (field, value) in [(one, other), (other, one)] {
            let scope: &dyn weave_expr::Scope = &values;
            if let Some(place) = event_field(field)
                && let Ok(value) = weave_expr::evaluate(value, scope)
            {
                put(&mut payload, &place, value);
            }
        }
    }
    payload
}

/// The field of `.event` that a path reads.
fn event_field(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Path { path, .. } = expr else { return None };
    let mut keys = path.iter().map(|segment| match segment {
        Segment::Key(key) => Some(key.clone()),
        _ => None,
    });
    (keys.next()?.as_deref() == Some("event")).then(|| keys.collect::<Option<Vec<_>>>()).flatten()
}

fn put(value: &mut Value, place: &[String], new: Value) {
    let mut at = value;
    for key in place {
        let Some(entries) = at.as_object_mut() else { return };
        at = entries.entry(key.clone()).or_insert(Value::Null);
    }
    *at = new;
}
