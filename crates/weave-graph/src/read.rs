//! From a definition to its graph.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::{Condition, Definition, Guard, Node, On, Trigger};

use crate::words::{Source, Words};
use crate::{Edge, EdgeCondition, Graph, GraphNode, Join, NodeKind, TriggerKind};

const START: &str = "start";
/// The id of the failures that no other node takes; no node may have it.
pub(crate) const ANY_FAILURE: &str = "failure";

impl Graph {
    /// The id of the start of the run; no node of a workflow may have it.
    pub const START: &'static str = START;

    /// What follows what in this workflow. Conditions are in CEL, and durations and values as the language would write them.
    #[must_use]
    pub fn of(definition: &Definition) -> Self {
        Self::read(definition, None)
    }

    /// The same in the words of the author: conditions, durations and values are those of the program.
    #[must_use]
    pub fn written(definition: &Definition, source: Source<'_>) -> Self {
        Self::read(definition, Some(source))
    }

    fn read(definition: &Definition, source: Option<Source<'_>>) -> Self {
        let mut reader = Reader::new(definition, Words::new(definition, source));
        for (index, node) in definition.nodes.iter().enumerate() {
            reader.node(node, &format!("/nodes/{index}"));
        }
        reader.nodes.append(&mut reader.outside);
        Self { workflow: definition.workflow.clone(), nodes: reader.nodes, edges: reader.edges }
    }
}

struct Reader<'a> {
    definition: &'a Definition,
    words: Words<'a>,
    /// Which nodes ask for an answer of a topic, in source order.
    askers: BTreeMap<&'a str, Vec<&'a str>>,
    /// Which nodes emit a topic, in source order.
    emitters: BTreeMap<&'a str, Vec<&'a str>>,
    nodes: Vec<GraphNode>,
    outside: Vec<GraphNode>,
    /// The ids in `outside`.
    seen: BTreeSet<String>,
    /// The joins by what they wait for: several nodes that listen to the same join choose between its completions.
    joins: BTreeMap<String, String>,
    edges: Vec<Edge>,
}

impl<'a> Reader<'a> {
    fn new(definition: &'a Definition, words: Words<'a>) -> Self {
        let mut askers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut emitters: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for node in &definition.nodes {
            let Some(topic) = node.emit.as_deref() else { continue };
            emitters.entry(topic).or_default().push(&node.id);
            for answer in definition.events.get(topic).into_iter().flat_map(|event| &event.answers) {
                askers.entry(answer).or_default().push(&node.id);
            }
        }
        let timeout = definition.timeout.map(|timeout| format!("timeout {}", words.duration(timeout, &["/workflow"])));
        let title = definition.title.clone().unwrap_or_else(|| definition.workflow.clone());
        let start = GraphNode {
            notes: timeout.into_iter().collect(),
            description: definition.description.clone(),
            ..plain(START, NodeKind::Start, title)
        };
        Self {
            definition,
            words,
            askers,
            emitters,
            nodes: vec![start],
            outside: Vec::new(),
            seen: BTreeSet::new(),
            joins: BTreeMap::new(),
            edges: Vec::new(),
        }
    }

    fn node(&mut self, node: &'a Node, pointer: &str) {
        let mut joins = 0;
        let condition = || self.condition(&node.condition(), pointer);
        match &node.on {
            None => {
                let condition = condition();
                self.edge(START, &node.id, TriggerKind::Start, condition);
            }
            Some(On::One(trigger)) => {
                let condition = condition();
                self.trigger(node, trigger, condition, &format!("{pointer}/on"), &mut joins);
            }
            Some(On::Any(any)) => {
                for (index, item) in any.any.iter().enumerate() {
                    let pointer = format!("{pointer}/on/any/{index}");
                    let condition = self.condition(&item.condition, &pointer);
                    self.trigger(node, &item.trigger, condition, &pointer, &mut joins);
                }
            }
        }
        for topic in &node.awaits {
            self.topic(topic, &node.id, &EdgeCondition::Always, true);
        }
        self.nodes.push(self.words.node(node, pointer));
    }

    /// A condition, in the words of the author if they are known.
    fn condition(&self, condition: &Condition, pointer: &str) -> EdgeCondition {
        let text = |guard: &Guard| self.words.guard(guard, &format!("{pointer}/when"));
        match condition {
            Condition::Always => EdgeCondition::Always,
            Condition::When(guard) => EdgeCondition::When(text(guard)),
            Condition::Also(guard) => EdgeCondition::Also(text(guard)),
            Condition::Else => EdgeCondition::Else,
        }
    }

    fn trigger(&mut self, node: &Node, trigger: &Trigger, condition: EdgeCondition, pointer: &str, joins: &mut u32) {
        let to = &node.id;
        match trigger {
            Trigger::Start => self.edge(START, to, TriggerKind::Start, condition),
            Trigger::Step(step) => self.edge(step, to, TriggerKind::Answer, condition),
            Trigger::Topic(topic) => self.topic(topic, to, &condition, false),
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
                let after = self.words.duration(*after, &[pointer]);
                self.edge(from.as_deref().unwrap_or(START), to, TriggerKind::Timeout(after), condition);
            }
        }
    }

    /// A topic means the answers to the nodes that ask for one; without such a node it comes from outside.
    ///
    /// A mailbox takes every event of its topics, so it also has an edge from each node that emits one.
    fn topic(&mut self, topic: &str, to: &str, condition: &EdgeCondition, mailbox: bool) {
        let mut sources = self.askers.get(topic).cloned().unwrap_or_default();
        if mailbox {
            sources.extend(self.emitters.get(topic).into_iter().flatten());
        }
        if sources.is_empty() {
            self.outside(topic, NodeKind::Event, topic);
            self.edge(topic, to, TriggerKind::Topic(topic.to_owned()), condition.clone());
        }
        for source in sources {
            self.edge(source, to, TriggerKind::Topic(topic.to_owned()), condition.clone());
        }
    }

    /// The edge from a join, which is drawn once, however many nodes listen to it.
    fn join(&mut self, node: &Node, join: Join, steps: &[String], per: Option<&str>, condition: EdgeCondition, joins: &mut u32) {
        let key = format!("{join:?} {steps:?} {per:?}");
        if let Some(id) = self.joins.get(&key).cloned() {
            self.edge(&id, &node.id, TriggerKind::Join(join), condition);
            return;
        }
        *joins += 1;
        let id = format!("{}/{joins}", node.id);
        self.joins.insert(key, id.clone());
        let title = match join {
            Join::All => "all".to_owned(),
            Join::Count(count) => format!("{count} of {}", steps.len()),
            Join::Settled => "settled".to_owned(),
        };
        let notes = per.map(|fork| format!("per {fork}")).into_iter().collect();
        self.nodes.push(GraphNode { notes, ..plain(&id, NodeKind::Join, title) });
        for step in steps {
            self.edge(step, &id, TriggerKind::Member, EdgeCondition::Always);
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

    fn edge(&mut self, from: &str, to: &str, trigger: TriggerKind, condition: EdgeCondition) {
        self.edges.push(Edge { from: from.to_owned(), to: to.to_owned(), trigger, condition });
    }
}

/// A node of which nothing but this is known.
pub(crate) fn plain(id: &str, kind: NodeKind, title: impl Into<String>) -> GraphNode {
    let (notes, problems) = (Vec::new(), Vec::new());
    GraphNode { id: id.to_owned(), kind, title: title.into(), notes, output: None, description: None, problems }
}
