//! What goes on beside a node: what else fires in the moment in which it does.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::endings::at;
use super::graph::{Cause, Graph};
use super::groups::{Group, GroupId, Key};
use super::speakers::answers_at_once;
use crate::model::DeclarationId;
use crate::model::workflow::{Action, Source};

/// What fires in the same moment and can end the run.
pub(super) struct Beside<'g, 'a> {
    graph: &'g Graph<'a>,
    ending: &'g [bool],
    /// For each group how many of its members can end the run: those in the choice, and the others.
    counts: Vec<(usize, usize)>,
    /// Steps whose answer is taken to go on in a join.
    joined: FxHashSet<u32>,
    /// Whether what listens to the topics of a step can end the run, whichever of them answers it.
    heard: RefCell<FxHashMap<u32, bool>>,
}

impl<'g, 'a> Beside<'g, 'a> {
    pub(super) fn new(graph: &'g Graph<'a>, ending: &'g [bool], joined: FxHashSet<u32>) -> Self {
        let count = |group: Option<&Group>| {
            let members = || group.into_iter().flat_map(|group| &group.members).filter(|member| at(ending, member.node));
            (members().filter(|member| member.in_choice).count(), members().filter(|member| !member.in_choice).count())
        };
        let counts = (0..graph.groups.len()).map(|id| count(graph.groups.get(id as u32))).collect();
        Self { graph, ending, counts, joined, heard: RefCell::default() }
    }

    /// Whether another node from which the run can end may fire in the same moment.
    pub(super) fn goes_on(&self, node: u32, trigger: u32) -> bool {
        let Some(own) = self.graph.groups.member(node, trigger) else { return false };
        let (chosen, others) = self.graph.groups.id(node, trigger).map(|id| self.others(node, id)).unwrap_or_default();
        others > 0 || chosen > 0 && (!own.in_choice || self.graph.doubts.is_unclear(node))
    }

    /// Whether the answer that makes a vertex fire is heard by another name too, and what hears it can end the run: each answer satisfies
    /// `on STEP`, `on TOPIC` and `on TOPIC from STEP`, and these are no choice.
    pub(super) fn is_heard_otherwise(&self, vertex: u32, trigger: u32, cause: &Cause<'_>) -> bool {
        let Cause::Answer(step) = *cause else { return false };
        let hears = |key: Key| self.graph.groups.find_id(&key).is_some_and(|id| self.others(vertex, id) != (0, 0));
        let hears_topic = |topic: DeclarationId| hears(Key::TopicFrom(topic, step)) || hears(Key::Topic(topic));
        let is_heard = match self.source(vertex, trigger) {
            Some(Source::TopicFrom(topic, _)) => hears(Key::Step(step)) || hears(Key::Topic(*topic)),
            Some(Source::Topic(topic)) => hears(Key::Step(step)) || hears(Key::TopicFrom(*topic, step)),
            // Only one of the topics comes. (The answer of a fan-out has none.)
            Some(Source::Step(_)) if self.graph.node(step).is_some_and(|node| node.each.is_none()) => {
                let is_heard = || {
                    let mut topics = self.graph.answers_of(step).iter().filter(|topic| self.graph.comes(**topic)).peekable();
                    topics.peek().is_some() && topics.all(|topic| hears_topic(*topic))
                };
                // For all that cancel nothing it is the same. (Those that can end the run themselves do not need it.)
                match self.graph.node(vertex).map(|node| &node.action) {
                    Some(Action::Cancel(_)) => is_heard(),
                    _ => *self.heard.borrow_mut().entry(step).or_insert_with(is_heard),
                }
            }
            _ => false,
        };
        is_heard || self.joined.contains(&step)
    }

    /// What a trigger of a node waits for; those of a hub are alike.
    fn source(&self, vertex: u32, trigger: u32) -> Option<&'a Source> {
        if let Some(node) = self.graph.node(vertex) {
            return node.triggers.get(trigger as usize).map(|trigger| &trigger.source);
        }
        let listener = *self.graph.after_of(vertex).first()?;
        let place = self.graph.causes_of(listener).iter().position(|cause| *cause == Cause::Hub(vertex))?;
        self.graph.node(listener)?.triggers.get(place).map(|trigger| &trigger.source)
    }

    /// How many other nodes of a group can end the run: those in the choice, and those beside it.
    fn others(&self, node: u32, id: GroupId) -> (usize, usize) {
        let Some((mut chosen, mut others)) = self.counts.get(id as usize).copied() else { return (0, 0) };
        let mut leave_out = |node: u32| {
            let trigger = self.graph.groups.of_node(node).iter().position(|group| *group == id);
            match trigger.and_then(|trigger| self.graph.groups.member(node, trigger as u32)) {
                Some(_) if !at(self.ending, node) => {}
                Some(member) if member.in_choice => chosen = chosen.saturating_sub(1),
                Some(_) => others = others.saturating_sub(1),
                None => {}
            }
        };
        leave_out(node);
        // What it cancels does not go on.
        if let Some(Action::Cancel(steps)) = self.graph.node(node).map(|node| &node.action) {
            steps.iter().map(|step| step.node).filter(|step| *step != node && self.waits(*step)).for_each(leave_out);
        }
        (chosen, others)
    }

    /// Whether a node cancels a step that waits for its answer.
    pub(super) fn cancels(&self, node: u32, step: u32) -> bool {
        let Some(Action::Cancel(steps)) = self.graph.node(node).map(|node| &node.action) else { return false };
        node != step && self.waits(step) && steps.iter().any(|other| other.node == step)
    }

    fn waits(&self, step: u32) -> bool {
        self.graph.node(step).is_some_and(|node| !answers_at_once(self.graph.model, node)) && !self.graph.doubts.is_action_unknown(step)
    }
}
