//! From a definition to its graph.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weave_ir::{Backoff, Condition, Definition, Node, On, Outcome, Template, Trigger};

use crate::text::duration;
use crate::{Edge, EdgeCondition, Graph, GraphNode, Join, NodeKind, TriggerKind};

/// The id of the start of the run; no node may have it.
const START: &str = "start";
/// The id of the failures that no other node takes; no node may have it.
pub(crate) const ANY_FAILURE: &str = "failure";

impl Graph {
    /// What follows what in this workflow.
    #[must_use]
    pub fn of(definition: &Definition) -> Self {
        let mut reader = Reader::new(definition);
        for node in &definition.nodes {
            reader.node(node);
        }
        reader.nodes.append(&mut reader.outside);
        Self { workflow: definition.workflow.clone(), nodes: reader.nodes, edges: reader.edges }
    }
}

struct Reader<'a> {
    definition: &'a Definition,
    /// Which nodes ask for an answer of a topic, in source order.
    askers: BTreeMap<&'a str, Vec<&'a str>>,
    /// Which nodes emit a topic, in source order.
    emitters: BTreeMap<&'a str, Vec<&'a str>>,
    nodes: Vec<GraphNode>,
    outside: Vec<GraphNode>,
    /// The ids in `outside`.
    seen: BTreeSet<String>,
    edges: Vec<Edge>,
}

impl<'a> Reader<'a> {
    fn new(definition: &'a Definition) -> Self {
        let mut askers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut emitters: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for node in &definition.nodes {
            let Some(topic) = node.emit.as_deref() else { continue };
            emitters.entry(topic).or_default().push(&node.id);
            for answer in definition.events.get(topic).into_iter().flat_map(|event| &event.answers) {
                askers.entry(answer).or_default().push(&node.id);
            }
        }
        let notes = definition.timeout.map(|timeout| format!("timeout {}", duration(timeout))).into_iter().collect();
        let title = definition.title.clone().unwrap_or_else(|| definition.workflow.clone());
        let start = GraphNode { notes, description: definition.description.clone(), ..plain(START, NodeKind::Start, title) };
        Self { definition, askers, emitters, nodes: vec![start], outside: Vec::new(), seen: BTreeSet::new(), edges: Vec::new() }
    }

    fn node(&mut self, node: &'a Node) {
        let mut joins = 0;
        match &node.on {
            None => self.edge(START, &node.id, TriggerKind::Start, &node.condition()),
            Some(On::One(trigger)) => self.trigger(node, trigger, &node.condition(), &mut joins),
            Some(On::Any(any)) => {
                for item in &any.any {
                    self.trigger(node, &item.trigger, &item.condition, &mut joins);
                }
            }
        }
        for topic in &node.awaits {
            self.topic(topic, &node.id, &Condition::Always, true);
        }
        let (kind, title) = action(self.definition, node);
        self.nodes.push(GraphNode { notes: notes(node), description: node.description.clone(), ..plain(&node.id, kind, title) });
    }

    fn trigger(&mut self, node: &Node, trigger: &Trigger, condition: &Condition, joins: &mut u32) {
        let to = &node.id;
        match trigger {
            Trigger::Start => self.edge(START, to, TriggerKind::Start, condition),
            Trigger::Step(step) => self.edge(step, to, TriggerKind::Answer, condition),
            Trigger::Topic(topic) => self.topic(topic, to, condition, false),
            Trigger::Answer { topic, from } => self.edge(from, to, TriggerKind::Topic(topic.clone()), condition),
            Trigger::Tool { tool, from } => self.edge(from, to, TriggerKind::Tool(tool.clone()), condition),
            Trigger::All { steps, per } => self.join(node, Join::All, steps, per.as_deref(), condition, joins),
            Trigger::Count { count, steps, per } => self.join(node, Join::Count(*count), steps, per.as_deref(), condition, joins),
            Trigger::Settled { steps, per } => self.join(node, Join::Settled, steps, per.as_deref(), condition, joins),
            Trigger::Failure { step: Some(step) } => self.edge(step, to, TriggerKind::Failure, condition),
            Trigger::Failure { step: None } => {
                self.outside(ANY_FAILURE, NodeKind::Failure, "any other failure");
                self.edge(ANY_FAILURE, to, TriggerKind::Failure, condition);
            }
            Trigger::Timeout { after, from } => {
                self.edge(from.as_deref().unwrap_or(START), to, TriggerKind::Timeout(duration(*after)), condition);
            }
        }
    }

    /// A topic means the answers to those who ask for one; what nobody asks for comes from outside.
    ///
    /// A mailbox takes every event of its topics, so there those who emit it count as well.
    fn topic(&mut self, topic: &str, to: &str, condition: &Condition, mailbox: bool) {
        let mut sources = self.askers.get(topic).cloned().unwrap_or_default();
        if mailbox {
            sources.extend(self.emitters.get(topic).into_iter().flatten());
        }
        if sources.is_empty() {
            self.outside(topic, NodeKind::Event, topic);
            self.edge(topic, to, TriggerKind::Topic(topic.to_owned()), condition);
        }
        for source in sources {
            self.edge(source, to, TriggerKind::Topic(topic.to_owned()), condition);
        }
    }

    fn join(&mut self, node: &Node, join: Join, steps: &[String], per: Option<&str>, condition: &Condition, joins: &mut u32) {
        *joins += 1;
        let id = format!("{}/{joins}", node.id);
        let title = match join {
            Join::All => "all".to_owned(),
            Join::Count(count) => format!("{count} of {}", steps.len()),
            Join::Settled => "settled".to_owned(),
        };
        let notes = per.map(|fork| format!("per {fork}")).into_iter().collect();
        self.nodes.push(GraphNode { notes, ..plain(&id, NodeKind::Join, title) });
        for step in steps {
            self.edge(step, &id, TriggerKind::Member, &Condition::Always);
        }
        self.edge(&id, &node.id, TriggerKind::Join(join), condition);
    }

    fn outside(&mut self, id: &str, kind: NodeKind, title: &str) {
        if self.seen.insert(id.to_owned()) {
            let event = self.definition.events.get(id);
            let description = event.and_then(|event| event.description.clone());
            self.outside.push(GraphNode { description, ..plain(id, kind, title) });
        }
    }

    fn edge(&mut self, from: &str, to: &str, trigger: TriggerKind, condition: &Condition) {
        let condition = match condition {
            Condition::Always => EdgeCondition::Always,
            Condition::When(guard) => EdgeCondition::When(guard.text()),
            Condition::Also(guard) => EdgeCondition::Also(guard.text()),
            Condition::Else => EdgeCondition::Else,
        };
        self.edges.push(Edge { from: from.to_owned(), to: to.to_owned(), trigger, condition });
    }
}

fn plain(id: &str, kind: NodeKind, title: impl Into<String>) -> GraphNode {
    GraphNode { id: id.to_owned(), kind, title: title.into(), notes: Vec::new(), description: None, problems: Vec::new() }
}

/// What a node does, in the words of the language.
fn action(definition: &Definition, node: &Node) -> (NodeKind, String) {
    if node.terminal {
        return if node.outcome == Some(Outcome::Failed) { (NodeKind::Fail, "fail".into()) } else { (NodeKind::End, "end".into()) };
    }
    if let Some(topic) = &node.emit {
        return emission(definition, topic, node.payload.as_ref());
    }
    if !node.awaits.is_empty() {
        let topics = node.awaits.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
        return (NodeKind::Mailbox, format!("await {topics}"));
    }
    if !node.cancel.is_empty() {
        return (NodeKind::Cancel, format!("cancel {}", node.cancel.join(", ")));
    }
    (NodeKind::Value, "value".into())
}

fn emission(definition: &Definition, topic: &str, payload: Option<&Value>) -> (NodeKind, String) {
    let field = |key: &str| payload.and_then(|payload| payload.get(key)).and_then(Value::as_str);
    let typed = payload.is_some_and(|payload| payload.get("args").is_some());
    match topic {
        "ai.request" if typed => {
            if let Some(agent) = field("agent").filter(|agent| definition.agents.contains_key(*agent)) {
                return (NodeKind::Ask, format!("ask {agent}"));
            }
        }
        "tool.dispatch" if typed => {
            if let Some(tool) = field("name").filter(|tool| definition.tools.contains_key(*tool)) {
                return (NodeKind::Call, format!("call {tool}"));
            }
        }
        "workflow.start" => {
            if let Some(workflow) = field("workflow") {
                return (NodeKind::Run, format!("run {workflow}"));
            }
        }
        "timer.set" => {
            if let Some(after) = field("after") {
                return (NodeKind::Wait, format!("wait {}", moment(after)));
            }
            if let Some(at) = field("at") {
                return (NodeKind::Wait, format!("wait until {}", moment(at)));
            }
        }
        _ => {}
    }
    (NodeKind::Emit, format!("emit {topic}"))
}

/// A length or moment as the language writes it; `{{.input.at}}` is `.input.at`.
fn moment(text: &str) -> String {
    text.parse().map_or_else(|_| value(text), duration)
}

/// The path of a template that is one placeholder; any other text is itself.
fn value(text: &str) -> String {
    let template = Template::parse(text).ok();
    template.and_then(|template| template.whole().map(|placeholder| placeholder.path.to_string())).unwrap_or_else(|| text.to_owned())
}

/// The settings of a node, one a line.
fn notes(node: &Node) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(each) = &node.each {
        notes.push(format!("each {} in {}", each.variable, value(&each.list)));
        let parallel = each.parallel.map(|parallel| format!("{parallel} at a time"));
        let least = each.min.map(|least| format!("min {least}"));
        notes.extend(joined(parallel.into_iter().chain(least)));
    }
    if let Some(guard) = &node.matches {
        notes.push(format!("match {}", guard.text()));
    }
    let limit = node.limit.map(|limit| format!("limit {limit}"));
    let timeout = node.timeout.map(|timeout| format!("timeout {}", duration(timeout)));
    let retry = node.retry.as_ref().map(|retry| match retry.backoff {
        Some(Backoff::Exponential) => format!("retry {} exponential", retry.max),
        Some(Backoff::Linear) => format!("retry {} linear", retry.max),
        None => format!("retry {}", retry.max),
    });
    notes.extend(joined(limit.into_iter().chain(timeout).chain(retry)));
    if !node.history.is_empty() {
        notes.push(format!("history {}", node.history.join(", ")));
    }
    notes
}

/// Short settings share a line.
fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let line = parts.collect::<Vec<_>>().join(" · ");
    (!line.is_empty()).then_some(line)
}
