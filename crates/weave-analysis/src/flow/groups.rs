//! The nodes that hold the same trigger: what may fire in one moment.

use rustc_hash::FxHashMap;
use weave_syntax::ast::NodeKind;

use super::doubts::Doubts;
use crate::model::DeclarationId;
use crate::model::workflow::{Condition, Node, Source, Time};

/// What makes two triggers the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Start,
    Step(u32),
    Topic(DeclarationId),
    TopicFrom(DeclarationId, u32),
    ToolFrom(DeclarationId, u32),
    /// A join; its members in ascending order.
    All(Box<[u32]>),
    Count(u64, Box<[u32]>),
    Settled(Box<[u32]>),
    Failure(u32),
    AnyFailure,
    Late(Option<u32>, u64),
    /// One of its kind.
    Alone(u32, u32),
}

impl Key {
    fn new(source: &Source, node: u32, trigger: u32) -> Self {
        match source {
            Source::Start => Self::Start,
            Source::Step(step) => Self::Step(*step),
            Source::Topic(topic) => Self::Topic(*topic),
            Source::TopicFrom(topic, step) => Self::TopicFrom(*topic, *step),
            Source::ToolFrom { tool, step, .. } => Self::ToolFrom(*tool, *step),
            Source::All(steps) => Self::All(sorted(steps)),
            Source::Count(count, steps) => Self::Count(*count, sorted(steps)),
            Source::Settled(steps) => Self::Settled(sorted(steps)),
            Source::Failure(step) => Self::Failure(*step),
            Source::AnyFailure => Self::AnyFailure,
            Source::Timeout { step, after: Time::Constant(after) } => Self::Late(*step, *after),
            Source::Timeout { .. } | Source::Unknown => Self::Alone(node, trigger),
        }
    }
}

fn sorted(steps: &[u32]) -> Box<[u32]> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps.into()
}

/// The place of a group among all groups.
pub(super) type GroupId = u32;

/// A trigger of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) node: u32,
    pub(super) trigger: u32,
    /// Whether it is a member of the choice: of these at most one fires.
    pub(super) in_choice: bool,
    /// Whether it fires whenever the trigger does.
    pub(super) always: bool,
}

/// The nodes that hold one trigger.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// In the order of the nodes.
    pub(super) members: Vec<Member>,
    /// The first node that ends the run whenever the trigger fires.
    pub(super) end: Option<u32>,
    /// How many of the members are in the choice.
    chosen: usize,
}

impl Group {
    /// How many members are in the choice, and how many stand beside it.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.chosen, self.members.len() - self.chosen)
    }
}

/// The nodes by what they listen to.
pub(super) struct Groups {
    /// The group of each trigger of each node; a node without triggers has that of the start.
    of: Vec<Vec<GroupId>>,
    groups: Vec<Group>,
    ids: FxHashMap<Key, GroupId>,
}

impl Groups {
    pub(super) fn new(nodes: &[Node], doubts: &Doubts) -> Self {
        let mut groups = Self { of: Vec::with_capacity(nodes.len()), groups: Vec::new(), ids: FxHashMap::default() };
        for (index, node) in nodes.iter().enumerate() {
            let index = index as u32;
            let unclear = doubts.is_unclear(index);
            let mut of = Vec::with_capacity(node.triggers.len().max(1));
            if node.triggers.is_empty() {
                of.push(groups.add(Key::Start, index, 0, node, None, unclear));
            }
            for (place, trigger) in node.triggers.iter().enumerate() {
                let place = place as u32;
                of.push(groups.add(Key::new(&trigger.source, index, place), index, place, node, trigger.condition.as_ref(), unclear));
            }
            groups.of.push(of);
        }
        groups
    }

    fn add(&mut self, key: Key, index: u32, trigger: u32, node: &Node, condition: Option<&Condition>, unclear: bool) -> GroupId {
        let in_choice = unclear || in_choice(node, condition);
        let member = Member { node: index, trigger, in_choice, always: condition.is_none() && !in_choice };
        let next = self.groups.len() as GroupId;
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.groups.push(Group::default());
        }
        if let Some(group) = self.groups.get_mut(id as usize) {
            group.members.push(member);
            group.chosen += usize::from(in_choice);
            if member.always && node.kind != NodeKind::Step && group.end.is_none() {
                group.end = Some(index);
            }
        }
        id
    }

    /// The group of a trigger of a node.
    pub(super) fn id(&self, node: u32, trigger: u32) -> Option<GroupId> {
        self.of.get(node as usize)?.get(trigger as usize).copied()
    }

    /// The groups of all triggers of a node.
    pub(super) fn of_node(&self, node: u32) -> &[GroupId] {
        self.of.get(node as usize).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn get(&self, id: GroupId) -> Option<&Group> {
        debug_assert!((id as usize) < self.groups.len(), "there is no group {id}");
        self.groups.get(id as usize)
    }

    /// The group of what is the same as this.
    pub(super) fn find(&self, key: &Key) -> Option<&Group> {
        self.get(self.find_id(key)?)
    }

    /// The place of the group of what is the same as this.
    pub(super) fn find_id(&self, key: &Key) -> Option<GroupId> {
        self.ids.get(key).copied()
    }

    /// The members of a group, in the order of the nodes.
    pub(super) fn members(&self, id: GroupId) -> &[Member] {
        self.get(id).map(|group| group.members.as_slice()).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// A trigger of a node as a member of its group.
    pub(super) fn member(&self, node: u32, trigger: u32) -> Option<Member> {
        let members = &self.get(self.id(node, trigger)?)?.members;
        let at = members.partition_point(|member| (member.node, member.trigger) < (node, trigger));
        members.get(at).copied().filter(|member| (member.node, member.trigger) == (node, trigger))
    }
}

/// Whether a node is a member of the choice of its trigger: of these at most one fires.
fn in_choice(node: &Node, condition: Option<&Condition>) -> bool {
    match condition {
        Some(Condition::When(_) | Condition::Else) => true,
        Some(Condition::AlsoWhen(_)) => false,
        None => node.limit.is_some(),
    }
}
