//! The plan: a definition taken apart once, so that each event finds at once what it may concern.

mod action;
pub(crate) mod topics;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use weave_ir::{Condition, Definition, Duration, Guard, Node, On, Template, Trigger};

pub(crate) use action::{Action, Request};

/// The place of an item, and of its group, among all items of the workflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ItemId(usize);

/// A definition, taken apart.
pub(crate) struct Plan<'d> {
    pub(crate) definition: &'d Definition,
    /// In source order.
    pub(crate) nodes: Vec<NodePlan<'d>>,
    names: HashMap<&'d str, usize>,
    groups: Vec<Vec<Member<'d>>>,
    pub(crate) joins: Vec<Join>,
    pub(crate) start: Option<ItemId>,
    /// The plain topics that answer something here.
    pub(crate) answer_topics: HashMap<&'d str, ItemId>,
    /// The plain topics that answer nothing here.
    pub(crate) plain_topics: HashMap<&'d str, ItemId>,
    pub(crate) any_failure: Option<ItemId>,
    /// The timeouts of the run, in ascending order, with the item of the trigger; none: the setting of the workflow alone.
    pub(crate) run_timers: BTreeMap<Duration, Option<ItemId>>,
    /// The nodes that await a topic.
    pub(crate) mailboxes: HashMap<&'d str, Vec<usize>>,
    /// The nodes that listen to a plain external topic that answers nothing here: as long as one is free, the run can go on.
    pub(crate) listeners: BTreeSet<usize>,
}

/// A node, with the items that what happens to it satisfies.
pub(crate) struct NodePlan<'d> {
    pub(crate) node: &'d Node,
    pub(crate) action: Action<'d>,
    /// The list of a fan-out.
    pub(crate) list: Option<Template>,
    pub(crate) answered: Option<ItemId>,
    /// `{"topic", "from"}`, by topic.
    pub(crate) topics: HashMap<&'d str, ItemId>,
    /// `{"tool", "from"}`, by tool.
    pub(crate) tools: HashMap<&'d str, ItemId>,
    pub(crate) failure: Option<ItemId>,
    /// The triggers on its timeouts, in ascending order.
    pub(crate) timeouts: BTreeMap<Duration, ItemId>,
    /// The joins that it belongs to.
    pub(crate) joins: BTreeSet<usize>,
    /// It is a member of a `settled` join, which counts its failure.
    pub(crate) settles: bool,
}

/// A node of a group.
#[derive(Clone, Copy)]
pub(crate) struct Member<'d> {
    pub(crate) node: usize,
    /// Which of the node's items it is.
    pub(crate) place: usize,
    pub(crate) condition: When<'d>,
}

/// The condition of a member.
#[derive(Clone, Copy)]
pub(crate) enum When<'d> {
    Always,
    Choice(&'d Guard),
    Also(&'d Guard),
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

impl<'d> Plan<'d> {
    pub(crate) fn new(definition: &'d Definition) -> Self {
        let names: HashMap<_, _> = definition.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), index)).collect();
        let mut mailboxes: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, node) in definition.nodes.iter().enumerate() {
            node.awaits.iter().for_each(|topic| mailboxes.entry(topic).or_default().push(index));
        }
        let nodes = definition.nodes.iter().map(|node| NodePlan::new(definition, node, &names)).collect();
        let mut plan = Self {
            definition,
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
        };
        plan.connect(definition);
        plan
    }

    /// Puts each trigger of each node into its group.
    fn connect(&mut self, definition: &'d Definition) {
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
    fn item(&mut self, node: usize, trigger: Option<&'d Trigger>, answers: &BTreeSet<&str>) -> Option<ItemId> {
        let new = ItemId(self.groups.len());
        let of = |names: &HashMap<&str, usize>, nodes: &'_ [NodePlan<'d>], name: &str| {
            names.get(name).copied().filter(|index| *index < nodes.len())
        };
        let item = match trigger {
            None | Some(Trigger::Start) => *self.start.get_or_insert(new),
            Some(Trigger::Topic(topic)) if answers.contains(topic.as_str()) => *self.answer_topics.entry(topic).or_insert(new),
            Some(Trigger::Topic(topic)) => {
                if self.definition.events.get(topic).is_none_or(|event| event.external) {
                    self.listeners.insert(node);
                }
                *self.plain_topics.entry(topic).or_insert(new)
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
                    Some(Trigger::Answer { topic, .. }) => *step.topics.entry(topic).or_insert(new),
                    Some(Trigger::Tool { tool, .. }) => *step.tools.entry(tool).or_insert(new),
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
        steps: &'d [String],
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
    pub(crate) fn group(&self, item: ItemId) -> &[Member<'d>] {
        self.groups.get(item.0).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn node(&self, index: usize) -> Option<&NodePlan<'d>> {
        self.nodes.get(index)
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Whether an event of this topic concerns somebody without being an answer.
    pub(crate) fn listens(&self, topic: &str) -> bool {
        self.plain_topics.contains_key(topic) || self.mailboxes.contains_key(topic)
    }
}

impl<'d> NodePlan<'d> {
    fn new(definition: &'d Definition, node: &'d Node, names: &HashMap<&'d str, usize>) -> Self {
        Self {
            node,
            action: Action::new(definition, node, names),
            list: node.each.as_ref().and_then(|each| Template::parse(&each.list).ok()),
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

/// The triggers of a node with their conditions; no trigger is the start.
fn triggers(node: &Node) -> Vec<(Option<&Trigger>, When<'_>)> {
    let own = || match (&node.when, node.also, node.otherwise) {
        (Some(guard), false, _) => When::Choice(guard),
        (Some(guard), true, _) => When::Also(guard),
        (None, _, true) => When::Else,
        (None, _, false) => When::Always,
    };
    match &node.on {
        None => vec![(None, own())],
        Some(On::One(trigger)) => vec![(Some(trigger), own())],
        Some(On::Any(any)) => {
            let condition = |condition| match condition {
                &Condition::Always => When::Always,
                Condition::When(guard) => When::Choice(guard),
                Condition::Also(guard) => When::Also(guard),
                Condition::Else => When::Else,
            };
            any.any.iter().map(|item| (Some(&item.trigger), condition(&item.condition))).collect()
        }
    }
}
