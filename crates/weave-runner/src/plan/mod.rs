//! The plan: a definition taken apart once, so that each event finds at once what it may concern.

mod action;
pub(crate) mod topics;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;
use weave_expr::Payload;
use weave_ir::{Condition, Definition, Duration, Guard, Hint, Node, On, Template, ToolKind, Trigger};

pub(crate) use action::{Action, Request};

use self::action::payload_of;
use self::topics::pointer;
use crate::schemas::{SchemaId, Schemas};

/// The place of an item, and of its group, among all items of the workflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ItemId(usize);

/// A definition, taken apart.
pub(crate) struct Plan {
    pub(crate) definition: Arc<Definition>,
    /// In source order.
    pub(crate) nodes: Vec<NodePlan>,
    names: HashMap<String, usize>,
    groups: Vec<Vec<Member>>,
    pub(crate) joins: Vec<Join>,
    pub(crate) start: Option<ItemId>,
    /// The plain topics that answer something here.
    pub(crate) answer_topics: HashMap<String, ItemId>,
    /// The plain topics that answer nothing here.
    pub(crate) plain_topics: HashMap<String, ItemId>,
    pub(crate) any_failure: Option<ItemId>,
    /// The timeouts of the run, in ascending order, with the item of the trigger; none: the setting of the workflow alone.
    pub(crate) run_timers: BTreeMap<Duration, Option<ItemId>>,
    /// The nodes that await a topic.
    pub(crate) mailboxes: HashMap<String, Vec<usize>>,
    /// The nodes that listen to a plain external topic that answers nothing here: as long as one is free, the run can go on.
    pub(crate) listeners: BTreeSet<usize>,
    /// The schemas of the payloads of declared topics.
    pub(crate) payloads: HashMap<String, SchemaId>,
    /// The schemas of the data of declared errors.
    pub(crate) errors: HashMap<String, SchemaId>,
    /// What a model may call in its loop: the schemas of their arguments.
    pub(crate) calls: HashMap<String, SchemaId>,
    pub(crate) input: Option<SchemaId>,
    pub(crate) output: Option<SchemaId>,
}

/// A node, with the items that what happens to it satisfies.
pub(crate) struct NodePlan {
    pub(crate) node: Node,
    pub(crate) action: Action,
    /// The list of a fan-out.
    pub(crate) list: Option<Template>,
    /// What it emits.
    pub(crate) payload: Payload,
    /// The output of the run, if it ends it.
    pub(crate) output: Payload,
    /// What a failed run says.
    pub(crate) message: Option<Payload>,
    pub(crate) answered: Option<ItemId>,
    /// `{"topic", "from"}`, by topic.
    pub(crate) topics: HashMap<String, ItemId>,
    /// `{"tool", "from"}`, by tool.
    pub(crate) tools: HashMap<String, ItemId>,
    pub(crate) failure: Option<ItemId>,
    /// The triggers on its timeouts, in ascending order.
    pub(crate) timeouts: BTreeMap<Duration, ItemId>,
    /// The joins that it belongs to.
    pub(crate) joins: BTreeSet<usize>,
    /// It is a member of a `settled` join, which counts its failure.
    pub(crate) settles: bool,
}

/// A node of a group.
pub(crate) struct Member {
    pub(crate) node: usize,
    /// Which of the node's items it is.
    pub(crate) place: usize,
    pub(crate) condition: When,
}

/// The condition of a member.
#[derive(Clone)]
pub(crate) enum When {
    Always,
    Choice(Guard),
    Also(Guard),
    Else,
}

/// A join: how many of which members.
pub(crate) struct Join {
    pub(crate) item: ItemId,
    pub(crate) kind: JoinKind,
    pub(crate) members: BTreeSet<usize>,
    pub(crate) per: Per,
}

/// Whose firings a join belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Per {
    /// It happens once a run.
    Run,
    /// The fork.
    Node(usize),
    /// A node that is not there: it never happens.
    Nobody,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinKind {
    All,
    Count(usize),
    Settled,
}

impl Plan {
    pub(crate) fn new(definition: &Arc<Definition>, schemas: &Schemas) -> Self {
        let names: HashMap<_, _> = definition.nodes.iter().enumerate().map(|(index, node)| (node.id.clone(), index)).collect();
        let mut mailboxes: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, node) in definition.nodes.iter().enumerate() {
            node.awaits.iter().for_each(|topic| mailboxes.entry(topic.clone()).or_default().push(index));
        }
        let nodes = definition.nodes.iter().map(|node| NodePlan::new(definition, schemas, node, &names)).collect();
        let payloads =
            definition.events.keys().filter_map(|topic| Some((topic.clone(), schemas.id(&pointer("events", topic, "payload"))?)));
        let errors = definition.errors.keys().filter_map(|code| Some((code.clone(), schemas.id(&pointer("errors", code, "data"))?)));
        let mut plan = Self {
            definition: Arc::clone(definition),
            nodes,
            names,
            groups: Vec::new(),
            joins: Vec::new(),
            start: None,
            answer_topics: HashMap::new(),
            plain_topics: HashMap::new(),
            any_failure: None,
            run_timers: definition.timeout.iter().map(|timeout| (*timeout, None)).collect(),
            mailboxes,
            listeners: BTreeSet::new(),
            payloads: payloads.collect(),
            errors: errors.collect(),
            calls: calls(definition, schemas),
            input: schemas.id("/input"),
            output: schemas.id("/output"),
        };
        plan.connect(definition);
        plan
    }

    /// Puts each trigger of each node into its group.
    fn connect(&mut self, definition: &Definition) {
        let emitted = definition.nodes.iter().filter_map(|node| node.emit.as_ref());
        let answers = emitted.flat_map(|topic| topics::answers(definition, topic)).collect();
        let mut joined = HashMap::new();
        for (node, source) in definition.nodes.iter().enumerate() {
            for (place, (trigger, condition)) in triggers(source).into_iter().enumerate() {
                let item = match trigger {
                    Some(Trigger::All { steps, per }) => self.join(&mut joined, trigger, JoinKind::All, steps, per.as_deref()),
                    Some(Trigger::Settled { steps, per }) => self.join(&mut joined, trigger, JoinKind::Settled, steps, per.as_deref()),
                    Some(Trigger::Count { count, steps, per }) => {
                        let kind = JoinKind::Count(usize::try_from(*count).unwrap_or(usize::MAX));
                        self.join(&mut joined, trigger, kind, steps, per.as_deref())
                    }
                    trigger => self.item(node, trigger, &answers),
                };
                if let Some(group) = item.and_then(|item| self.groups.get_mut(item.0)) {
                    group.push(Member { node, place, condition });
                }
            }
        }
    }

    /// The item of a trigger that is no join; none if the trigger names a node that is not there.
    fn item(&mut self, node: usize, trigger: Option<&Trigger>, answers: &BTreeSet<&str>) -> Option<ItemId> {
        let new = ItemId(self.groups.len());
        let of =
            |names: &HashMap<String, usize>, nodes: &[NodePlan], name: &str| names.get(name).copied().filter(|index| *index < nodes.len());
        let item = match trigger {
            None | Some(Trigger::Start) => *self.start.get_or_insert(new),
            Some(Trigger::Topic(topic)) if answers.contains(topic.as_str()) => *self.answer_topics.entry(topic.clone()).or_insert(new),
            Some(Trigger::Topic(topic)) => {
                if self.definition.events.get(topic).is_none_or(|event| event.external) {
                    self.listeners.insert(node);
                }
                *self.plain_topics.entry(topic.clone()).or_insert(new)
            }
            Some(Trigger::Failure { step: None }) => *self.any_failure.get_or_insert(new),
            Some(Trigger::Timeout { after, from: None }) => *self.run_timers.entry(*after).or_default().get_or_insert(new),
            Some(
                Trigger::Step(from)
                | Trigger::Answer { from, .. }
                | Trigger::Tool { from, .. }
                | Trigger::Failure { step: Some(from) }
                | Trigger::Timeout { from: Some(from), .. },
            ) => {
                let step = of(&self.names, &self.nodes, from).and_then(|index| self.nodes.get_mut(index))?;
                match trigger {
                    Some(Trigger::Answer { topic, .. }) => *step.topics.entry(topic.clone()).or_insert(new),
                    Some(Trigger::Tool { tool, .. }) => *step.tools.entry(tool.clone()).or_insert(new),
                    Some(Trigger::Failure { .. }) => *step.failure.get_or_insert(new),
                    Some(Trigger::Timeout { after, .. }) => *step.timeouts.entry(*after).or_insert(new),
                    _ => *step.answered.get_or_insert(new),
                }
            }
            Some(Trigger::All { .. } | Trigger::Count { .. } | Trigger::Settled { .. }) => return None,
        };
        if item == new {
            self.groups.push(Vec::new());
        }
        Some(item)
    }

    /// The item of a join. Two joins are the same if their JSON is.
    fn join(
        &mut self,
        joined: &mut HashMap<String, ItemId>,
        trigger: Option<&Trigger>,
        kind: JoinKind,
        steps: &[String],
        per: Option<&str>,
    ) -> Option<ItemId> {
        let key = serde_json::to_string(&trigger).unwrap_or_default();
        if let Some(item) = joined.get(&key) {
            return Some(*item);
        }
        let item = ItemId(self.groups.len());
        joined.insert(key, item);
        self.groups.push(Vec::new());
        let per = per.map_or(Per::Run, |name| self.names.get(name).map_or(Per::Nobody, |index| Per::Node(*index)));
        let members: BTreeSet<_> = steps.iter().filter_map(|name| self.names.get(name.as_str()).copied()).collect();
        for member in &members {
            if let Some(node) = self.nodes.get_mut(*member) {
                node.joins.insert(self.joins.len());
                node.settles |= kind == JoinKind::Settled;
            }
        }
        // A member that is not there never answers.
        let missing = steps.iter().any(|name| !self.names.contains_key(name.as_str()));
        let kind = if missing && !matches!(kind, JoinKind::Count(_)) { JoinKind::Count(usize::MAX) } else { kind };
        self.joins.push(Join { item, kind, members, per });
        Some(item)
    }

    /// The nodes that hold an item, in source order.
    pub(crate) fn group(&self, item: ItemId) -> &[Member] {
        self.groups.get(item.0).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn node(&self, index: usize) -> Option<&NodePlan> {
        debug_assert!(index < self.nodes.len(), "there is no node {index}");
        self.nodes.get(index)
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Whether a call of this name in an agent's loop must not be made twice: of a tool that is neither read-only nor idempotent,
    /// and of an agent or workflow, which may call such a tool.
    pub(crate) fn acts(&self, name: &str) -> bool {
        match self.definition.tools.get(name) {
            Some(tool) if tool.kind == ToolKind::Signal => false,
            Some(tool) => !tool.hints.iter().flatten().any(|hint| matches!(hint, Hint::ReadOnly | Hint::Idempotent)),
            None => self.calls.contains_key(name),
        }
    }

    /// Whether an event of this topic concerns somebody without being an answer.
    pub(crate) fn listens(&self, topic: &str) -> bool {
        self.plain_topics.contains_key(topic) || self.mailboxes.contains_key(topic)
    }
}

impl NodePlan {
    fn new(definition: &Definition, schemas: &Schemas, node: &Node, names: &HashMap<String, usize>) -> Self {
        Self {
            node: node.clone(),
            action: Action::new(definition, schemas, node, names),
            list: node.each.as_ref().and_then(|each| Template::parse(&each.list).ok()),
            payload: payload_of(node.payload.as_ref()),
            output: payload_of(node.output.as_ref().filter(|_| node.terminal)),
            message: node.message.as_ref().map(|message| payload_of(Some(&Value::from(message.as_str())))),
            answered: None,
            topics: HashMap::new(),
            tools: HashMap::new(),
            failure: None,
            timeouts: BTreeMap::new(),
            joins: BTreeSet::new(),
            settles: false,
        }
    }

    /// The setting `timeout`, the tool's included.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        match &self.action {
            Action::Request(request) => request.timeout,
            _ => self.node.timeout,
        }
    }
}

/// What a model may call in its loop. Tools, agents and workflows share their names.
fn calls(definition: &Definition, schemas: &Schemas) -> HashMap<String, SchemaId> {
    let workflows = definition.workflows.keys().map(|name| ("workflows", name));
    let agents = definition.agents.keys().map(|name| ("agents", name));
    let tools = definition.tools.keys().map(|name| ("tools", name));
    let named = workflows.chain(agents).chain(tools);
    named.filter_map(|(part, name)| Some((name.clone(), schemas.id(&pointer(part, name, "input"))?))).collect()
}

/// The triggers of a node with their conditions; no trigger is the start.
fn triggers(node: &Node) -> Vec<(Option<&Trigger>, When)> {
    let own = || match (&node.when, node.also, node.otherwise) {
        (Some(guard), false, _) => When::Choice(guard.clone()),
        (Some(guard), true, _) => When::Also(guard.clone()),
        (None, _, true) => When::Else,
        (None, _, false) => When::Always,
    };
    match &node.on {
        None => vec![(None, own())],
        Some(On::One(trigger)) => vec![(Some(trigger), own())],
        Some(On::Any(any)) => {
            let condition = |condition: &Condition| match condition {
                Condition::Always => When::Always,
                Condition::When(guard) => When::Choice(guard.clone()),
                Condition::Also(guard) => When::Also(guard.clone()),
                Condition::Else => When::Else,
            };
            any.any.iter().map(|item| (Some(&item.trigger), condition(&item.condition))).collect()
        }
    }
}
