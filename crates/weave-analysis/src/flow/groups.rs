//! The nodes that hold the same trigger: what may fire in one moment.

use rustc_hash::FxHashMap;

use super::graph::{Graph, in_choice};
use crate::model::DeclarationId;
use crate::model::workflow::{Source, Time};

/// What makes two triggers the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Start,
    Step(u32),
    Topic(DeclarationId),
    TopicFrom(DeclarationId, u32),
    ToolFrom(DeclarationId, u32),
    All(&'a [u32]),
    Count(u64, &'a [u32]),
    Settled(&'a [u32]),
    Failure(u32),
    AnyFailure,
    Late(Option<u32>, u64),
    /// One of its kind.
    Alone(u32, u32),
}

impl<'a> Key<'a> {
    fn new(source: &'a Source, node: u32, trigger: u32) -> Self {
        match source {
            Source::Start => Self::Start,
            Source::Step(step) => Self::Step(*step),
            Source::Topic(topic) => Self::Topic(*topic),
            Source::TopicFrom(topic, step) => Self::TopicFrom(*topic, *step),
            Source::ToolFrom { tool, step, .. } => Self::ToolFrom(*tool, *step),
            Source::All(steps) => Self::All(steps),
            Source::Count(count, steps) => Self::Count(*count, steps),
            Source::Settled(steps) => Self::Settled(steps),
            Source::Failure(step) => Self::Failure(*step),
            Source::AnyFailure => Self::AnyFailure,
            Source::Timeout { step, after: Time::Constant(after) } => Self::Late(*step, *after),
            Source::Timeout { .. } | Source::Unknown => Self::Alone(node, trigger),
        }
    }
}

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

/// The nodes by what they listen to.
pub(super) struct Groups<'a> {
    /// The key of each trigger of each node; a node without triggers has that of the start.
    keys: Vec<Vec<Key<'a>>>,
    members: FxHashMap<Key<'a>, Vec<Member>>,
    /// The first `end` or `fail` that fires whenever the trigger does.
    ends: FxHashMap<Key<'a>, u32>,
    sizes: FxHashMap<Key<'a>, (usize, usize)>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(graph: &Graph<'a>) -> Self {
        let mut groups = Self {
            keys: Vec::with_capacity(graph.nodes.len()),
            members: FxHashMap::default(),
            ends: FxHashMap::default(),
            sizes: FxHashMap::default(),
        };
        for (index, node) in graph.indexed() {
            let mut keys = Vec::with_capacity(node.triggers.len().max(1));
            let mut add = |key: Key<'a>, trigger: u32, condition| {
                let in_choice = in_choice(node, condition);
                let always = condition.is_none() && !in_choice;
                let sizes = groups.sizes.entry(key).or_default();
                *if in_choice { &mut sizes.0 } else { &mut sizes.1 } += 1;
                if always && graph.is_end(index) {
                    groups.ends.entry(key).or_insert(index);
                }
                groups.members.entry(key).or_default().push(Member { node: index, trigger, in_choice, always });
                keys.push(key);
            };
            if node.triggers.is_empty() {
                add(Key::Start, 0, None);
            }
            for (place, trigger) in node.triggers.iter().enumerate() {
                let place = place as u32;
                add(Key::new(&trigger.source, index, place), place, trigger.condition.as_ref());
            }
            groups.keys.push(keys);
        }
        groups
    }

    /// What a trigger of a node is the same as.
    pub(super) fn key(&self, node: u32, trigger: u32) -> Option<Key<'a>> {
        self.keys.get(node as usize)?.get(trigger as usize).copied()
    }

    /// All keys of a node.
    pub(super) fn keys(&self, node: u32) -> &[Key<'a>] {
        self.keys.get(node as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// How many triggers are members of the choice of a key, and how many stand beside it.
    pub(super) fn sizes(&self, key: Key<'a>) -> (usize, usize) {
        self.sizes.get(&key).copied().unwrap_or_default()
    }

    /// All triggers that are the same, in the order of the nodes.
    pub(super) fn of(&self, key: Key<'a>) -> &[Member] {
        self.members.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    /// The first `end` or `fail` that fires whenever this trigger does.
    pub(super) fn end(&self, key: Key<'a>) -> Option<u32> {
        self.ends.get(&key).copied()
    }

    /// Whether a trigger is a member of the choice of its key.
    pub(super) fn member(&self, node: u32, trigger: u32) -> Option<Member> {
        // Within a group the members stand in the order of the nodes.
        let members = self.of(self.key(node, trigger)?);
        let at = members.partition_point(|member| (member.node, member.trigger) < (node, trigger));
        members.get(at).copied().filter(|member| (member.node, member.trigger) == (node, trigger))
    }
}
