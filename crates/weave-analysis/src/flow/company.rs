//! Whether anything else may be under way when something happens.
//!
//! A run stalls only where nothing is open any more. So what is asked here is not what surely goes on, but what might.

use rustc_hash::FxHashSet;

use super::Flow;
use super::endings;
use super::graph::Cause;
use super::groups::{Group, GroupId, Groups, Key};
use crate::model::DeclarationId;
use crate::model::workflow::Source;

/// The vertices beside which something else may be under way.
pub(super) struct Company {
    accompanied: Vec<bool>,
    /// The steps whose answer a join waits for.
    joined: FxHashSet<u32>,
    /// The vertices beside which something else surely goes on that can end the run.
    live: Vec<bool>,
    /// The vertices that fire only because something came from outside; that may well lead to nothing.
    reactive: Vec<bool>,
    /// Whether something from outside, or the clock, may fire a node at any time.
    pub(super) is_open: bool,
}

impl Company {
    pub(super) fn new(flow: &Flow<'_>) -> Self {
        let graph = &flow.graph;
        let mut company = Self {
            accompanied: vec![false; graph.len()],
            joined: FxHashSet::default(),
            live: endings::live(graph),
            reactive: reactive(flow),
            is_open: false,
        };
        for (index, node) in graph.indexed() {
            for (trigger, cause) in node.triggers.iter().zip(graph.causes_of(index)) {
                if let Source::All(members) | Source::Settled(members) | Source::Count(_, members) = &trigger.source {
                    company.joined.extend(members);
                }
                company.is_open |= matches!(cause, Cause::Outside | Cause::Runtime | Cause::Clock | Cause::Unknown);
            }
        }
        let mut next = vec![Vec::new(); graph.len()];
        let mut open = Vec::new();
        for vertex in 0..graph.len() as u32 {
            if company.starts(flow, vertex) {
                open.push(vertex);
            }
            for (trigger, cause) in graph.causes_of(vertex).iter().enumerate() {
                let before = match *cause {
                    // What is beside a join was beside its fork.
                    Cause::All(members) | Cause::Settled(members) => {
                        graph.groups.id(vertex, trigger as u32).and_then(|key| fork(flow, key, members)).map(|(_, cause)| cause)
                    }
                    cause => Some(cause),
                };
                for source in before.iter().flat_map(Cause::sources) {
                    if let Some(next) = next.get_mut(source as usize) {
                        next.push(vertex);
                    }
                }
            }
        }
        while let Some(vertex) = open.pop() {
            if std::mem::replace(company.accompanied.get_mut(vertex as usize).unwrap_or(&mut true), true) {
                continue;
            }
            open.extend(next.get(vertex as usize).into_iter().flatten());
        }
        company
    }

    /// Whether something else may be under way when a vertex fires, whatever was before.
    fn starts(&self, flow: &Flow<'_>, vertex: u32) -> bool {
        let graph = &flow.graph;
        graph.causes_of(vertex).iter().enumerate().any(|(trigger, cause)| {
            let beside = graph.groups.id(vertex, trigger as u32).is_some_and(|key| is_beside(&graph.groups, vertex, trigger as u32, key));
            beside
                || match *cause {
                    Cause::Outside
                    | Cause::Runtime
                    | Cause::Clock
                    | Cause::Unknown
                    | Cause::Inner(_)
                    | Cause::Closed(_)
                    | Cause::Late(_)
                    | Cause::Emitted(_) => true,
                    Cause::Answer(step) => graph.groups.id(vertex, trigger as u32).is_some_and(|key| self.is_shared(flow, step, key)),
                    Cause::Failed(step) => self.joined.contains(&step),
                    Cause::All(members) | Cause::Settled(members) => {
                        let fork = graph.groups.id(vertex, trigger as u32).and_then(|key| fork(flow, key, members));
                        fork.is_none_or(|(key, cause)| matches!(cause, Cause::Answer(step) if self.is_shared(flow, step, key)))
                    }
                    Cause::Count(..) => true,
                    Cause::Start | Cause::Hub(_) | Cause::Never(_) => false,
                }
        })
    }

    /// Whether the answer of a step may make other nodes fire than those of one group.
    pub(super) fn is_shared(&self, flow: &Flow<'_>, step: u32, own: GroupId) -> bool {
        let groups = &flow.graph.groups;
        let first = groups.members(own).first();
        let first = first.and_then(|own| flow.graph.node(own.node)?.triggers.get(own.trigger as usize));
        // A trigger that names a topic is satisfied by no other one.
        let is_meant = |topic: &&DeclarationId| match first.map(|trigger| &trigger.source) {
            Some(Source::Topic(own) | Source::TopicFrom(own, _)) => own == *topic,
            _ => true,
        };
        let topics = flow.graph.answers_of(step).iter().filter(is_meant);
        let others = topics.flat_map(|topic| [Key::Topic(*topic), Key::TopicFrom(*topic, step)]);
        self.joined.contains(&step) || others.chain([Key::Step(step)]).any(|key| groups.find_id(&key).is_some_and(|id| id != own))
    }

    /// Whether nothing is missing if a trigger leads to nothing: something else surely goes on, or a fact from outside is just ignored.
    pub(super) fn may_be_idle(&self, cause: &Cause<'_>) -> bool {
        let is = |of: &[bool], step: u32| of.get(step as usize).copied().unwrap_or(false);
        matches!(*cause, Cause::Answer(step) if is(&self.live, step) || is(&self.reactive, step))
    }

    /// Whether the answer of a step is heard whatever the guards of one group say: by a node without a condition,
    /// by a choice that is `handled` in each case, or by a join.
    pub(super) fn is_heard(&self, flow: &Flow<'_>, step: u32, (own, handled): (GroupId, &FxHashSet<GroupId>)) -> bool {
        let groups = &flow.graph.groups;
        let hears_in = |id: GroupId| id != own && (handled.contains(&id) || groups.members(id).iter().any(|member| member.always));
        let hears = |key: Key| groups.find_id(&key).is_some_and(hears_in);
        // Of several topics only one comes, so who listens to one of them does not hear the others.
        let by_topic = match flow.graph.answers_of(step) {
            [only] => hears(Key::Topic(*only)) || hears(Key::TopicFrom(*only, step)),
            _ => false,
        };
        self.joined.contains(&step) || by_topic || hears(Key::Step(step))
    }

    /// Whether something else may be under way when a trigger is satisfied.
    pub(super) fn at(&self, flow: &Flow<'_>, key: GroupId, cause: &Cause<'_>) -> bool {
        let accompanied = |vertex: u32| self.accompanied.get(vertex as usize).copied().unwrap_or(true);
        match *cause {
            Cause::Start => false,
            Cause::Answer(step) => accompanied(step) || self.is_shared(flow, step, key),
            Cause::Hub(hub) => {
                let mut speakers = flow.graph.causes_of(hub).iter();
                speakers.any(|cause| !matches!(*cause, Cause::Answer(step) if !accompanied(step) && !self.is_shared(flow, step, key)))
            }
            Cause::All(members) | Cause::Settled(members) => {
                fork(flow, key, members).is_none_or(|(fork, cause)| self.at(flow, fork, &cause))
            }
            _ => true,
        }
    }
}

/// The trigger that makes all members of a join fire in one moment, with nothing beside them, if nobody but the join listens to them.
fn fork<'a>(flow: &Flow<'a>, key: GroupId, members: &[u32]) -> Option<(GroupId, Cause<'a>)> {
    let (graph, groups) = (&flow.graph, &flow.graph.groups);
    let alone = |member: &u32| match (groups.of_node(*member), graph.causes_of(*member)) {
        ([fork], [cause]) => Some((*fork, *cause)),
        _ => None,
    };
    let (fork, cause) = members.first().and_then(alone).filter(|(_, cause)| matches!(cause, Cause::Start | Cause::Answer(_)))?;
    let together = members.iter().all(|member| {
        let speaks_elsewhere = graph.after_of(*member).iter().any(|target| !groups.of_node(*target).iter().all(|other| *other == key));
        alone(member).is_some_and(|(other, _)| other == fork) && !speaks_elsewhere
    });
    let only = groups.members(fork).iter().all(|other| members.contains(&other.node));
    (together && only).then_some((fork, cause))
}

/// Whether another node of a group may fire in the same moment.
fn is_beside(groups: &Groups, node: u32, trigger: u32, key: GroupId) -> bool {
    let Some(own) = groups.member(node, trigger) else { return true };
    let (choice, beside) = groups.get(key).map(Group::sizes).unwrap_or_default();
    // A node may hold one trigger twice; that it counts as company only makes the answer more careful.
    if own.in_choice { beside > 0 } else { choice + beside > 1 }
}

/// The vertices to which no way leads from the start of the run.
fn reactive(flow: &Flow<'_>) -> Vec<bool> {
    let graph = &flow.graph;
    let mut reactive = vec![true; graph.len()];
    let starts = |vertex: &u32| graph.causes_of(*vertex).iter().any(|cause| matches!(cause, Cause::Start | Cause::Clock | Cause::Unknown));
    let mut open = (0..graph.len() as u32).filter(starts).collect::<Vec<_>>();
    while let Some(vertex) = open.pop() {
        if std::mem::replace(reactive.get_mut(vertex as usize).unwrap_or(&mut false), false) {
            open.extend(graph.after_of(vertex));
        }
    }
    reactive
}
