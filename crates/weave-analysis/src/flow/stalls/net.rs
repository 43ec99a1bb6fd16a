//! A workflow as what can happen in it: what each node may come to, and which nodes that concerns.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::{Atoms, Gatherer};
use super::deals::Deal;
use super::presence::Formula;
use crate::choices::{Choice, Member};
use crate::flow::Flow;
use crate::flow::dominators::Dominators;
use crate::flow::endings::Endings;
use crate::flow::firings::Firings;
use crate::flow::graph::{Cause, Graph};
use crate::flow::groups::GroupId;
use crate::flow::speakers::answers_at_once;
use crate::model::DeclarationId;
use crate::model::workflow::{Action, Node, Source, Time};
use weave_syntax::ast::NodeKind;

/// The place of a limit among those that may be used up.
pub(super) type LimitId = usize;

/// Joins of more steps than this are not looked at: who has answered is kept in the bits of a number.
const MOST_MEMBERS: usize = 64;

/// Forks with several rounds are kept in the parts of a number.
const MOST_FORKS: usize = 16;

/// Going round a loop more often shows nothing new, but for what counts the rounds.
const MOST_FIRINGS: u64 = 2;

/// What a node does when it fires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Conduct {
    /// It ends the run.
    End,
    /// It is answered at once.
    AtOnce,
    /// It waits.
    #[default]
    Waits,
}

/// What becomes of a step that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// It is answered, by an event of this topic if several may answer it.
    Answered(Option<DeclarationId>),
    /// It fails.
    Failed,
    /// Its agent sends this signal, which closes it.
    Closed(DeclarationId),
    /// Something happens while it is open, which satisfies this trigger.
    Meanwhile(GroupId),
    /// Time has passed since the start of the run.
    Time,
    /// Something comes from outside.
    Outside,
}

/// One way in which a step is closed, and the triggers that this satisfies.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) what: What,
    pub(super) groups: Vec<GroupId>,
}

/// What a node may come to. Behind the nodes stand the times that pass since the start of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Behaviour {
    pub(super) conduct: Conduct,
    pub(super) outcomes: Vec<Outcome>,
    /// What may be satisfied while it is open, as far as that matters.
    pub(super) inner: Vec<GroupId>,
    /// What is satisfied as soon as it fires, by the event that it emits.
    pub(super) emitted: Vec<GroupId>,
    pub(super) cancels: Vec<u32>,
    pub(super) joins: Vec<u32>,
    pub(super) limit: Option<LimitId>,
    /// The place of its rounds, if joins are counted anew in each of them.
    pub(super) fork: Option<u32>,
    pub(super) failure: Option<GroupId>,
    /// Whether a `settled` join counts its failure.
    pub(super) settles: bool,
    /// What is asked of its answer, as bits: that is open again when it is answered.
    pub(super) reopens: u64,
    /// Whether it makes no difference when it is closed, only how.
    pub(super) is_calm: bool,
}

/// A join.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub(super) group: GroupId,
    pub(super) members: Vec<u32>,
    pub(super) needed: u32,
    pub(super) settles: bool,
    /// The fork whose rounds it counts.
    pub(super) fork: Option<u32>,
    /// Whether guards behind it look at who has answered.
    pub(super) tells: bool,
}

/// A workflow as what can happen in it.
#[derive(Debug, Default)]
pub(in crate::flow) struct Net {
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) deals: Vec<Deal>,
    pub(super) joins: Vec<Join>,
    /// What guards ask of values.
    pub(super) atoms: Atoms,
    pub(super) start: Option<GroupId>,
    pub(super) any_failure: Option<GroupId>,
    /// The times that pass since the start of the run, as indices of behaviours.
    pub(super) clocks: Vec<u32>,
    /// What may come from outside, as far as that matters.
    pub(super) outside: Vec<GroupId>,
    /// The limits of nodes that listen to the world outside: the run goes on as long as one of them is free.
    pub(super) listeners: Vec<LimitId>,
    /// How often what is counted may fire.
    pub(super) limits: Vec<u8>,
    /// Whether it matters in which order things happen: something is counted or cancelled.
    pub(super) is_ordered: bool,
}

impl Net {
    /// The net of a workflow; none if it is beyond what is looked at.
    pub(super) fn new(flow: &Flow<'_>, dominators: &Dominators, choices: &[Choice], endings: &Endings) -> Option<Self> {
        let graph = &flow.graph;
        let mut net = Self::default();
        let mut limits = FxHashMap::default();
        for member in choices.iter().flat_map(|choice| &choice.members).filter(|member| member.runs_out) {
            limits.entry(member.node).or_insert_with(|| {
                net.limits.push(graph.node(member.node).and_then(|node| node.limit).unwrap_or(1).clamp(1, MOST_FIRINGS) as u8);
                net.limits.len() - 1
            });
        }
        let at = |choice: &Choice| choice.members.first().and_then(|first| graph.groups.id(first.node, first.trigger));
        let asked = choices.iter().filter_map(|choice| Some((at(choice)?, choice))).collect::<FxHashMap<_, _>>();
        let firings = Firings::new(graph);
        let gatherer = RefCell::new(Gatherer::new(flow, &firings));
        net.deals = (0..graph.groups.len() as GroupId)
            .map(|id| match asked.get(&id) {
                Some(choice) => Deal::choice(choice, &limits, |member| asked_by(&mut gatherer.borrow_mut(), (id, choice), member)),
                None => Deal::plain(unasked(graph, id)),
            })
            .collect();
        let (atoms, kept, reopened) = gatherer.into_inner().finish();
        net.atoms = atoms;
        net.deals.iter_mut().for_each(|deal| deal.keep(&kept));
        let mut builder = Builder { flow, net, limits, plain: FxHashMap::default(), asked: FxHashMap::default() };
        builder.add_nodes();
        let mut reopened: Vec<_> = reopened.into_iter().collect();
        reopened.sort_unstable();
        for (step, atoms) in reopened {
            builder.change(step, |behaviour| behaviour.reopens = atoms);
        }
        builder.connect(dominators, endings, &firings)?;
        builder.emit();
        builder.settle();
        Some(builder.net)
    }

    /// Leaves open what guards ask of values. Returns whether something was known of that.
    pub(super) fn forget_values(&mut self) -> bool {
        self.deals.iter_mut().for_each(|deal| deal.keep(&[]));
        !std::mem::take(&mut self.atoms).is_empty()
    }

    pub(super) fn behaviour(&self, node: u32) -> Option<&Behaviour> {
        debug_assert!((node as usize) < self.behaviours.len(), "the node {node} is not in the net");
        self.behaviours.get(node as usize)
    }

    /// Whether some node of a group always goes on when the trigger is satisfied.
    pub(super) fn is_sure(&self, group: GroupId) -> bool {
        self.deals.get(group as usize).is_some_and(Deal::is_sure)
    }

    /// Whether each thing that can happen makes some node fire, without a join. Then there is always something that goes on.
    pub(super) fn goes_on_everywhere(&self) -> bool {
        let sure = |groups: &[GroupId]| groups.iter().any(|group| self.is_sure(*group));
        let goes_on = |behaviour: &Behaviour, outcome: &Outcome| match outcome.what {
            What::Failed => !behaviour.settles || behaviour.failure.into_iter().chain(self.any_failure).any(|group| self.is_sure(group)),
            _ => sure(&outcome.groups),
        };
        let always = |behaviour: &Behaviour| behaviour.outcomes.iter().all(|outcome| goes_on(behaviour, outcome));
        self.behaviours.iter().all(|behaviour| behaviour.cancels.is_empty() && always(behaviour))
            && self.start.is_some_and(|start| self.is_sure(start))
    }
}

/// The nodes that fire where no guard is asked: all of them, but of those with limits the first.
fn unasked(graph: &Graph<'_>, id: GroupId) -> Vec<u32> {
    let members = graph.groups.members(id);
    let limited = members.iter().find(|member| member.in_choice);
    members.iter().filter(|member| member.always).chain(limited).map(|member| member.node).collect()
}

/// What the guard of a member of a choice asks: of values, and of the members of the join that it stands behind.
fn asked_by(gatherer: &mut Gatherer<'_, '_>, (group, choice): (GroupId, &Choice), member: &Member) -> Formula {
    let mut members = if let Source::Settled(members) = &choice.source { members.to_vec() } else { Vec::new() };
    members.sort_unstable();
    members.dedup();
    let nodes = choice.members.iter().map(|member| member.node);
    gatherer.guard(member, &members, group, nodes)
}

/// A net that is being made.
struct Builder<'f, 'a> {
    flow: &'f Flow<'a>,
    net: Net,
    limits: FxHashMap<u32, LimitId>,
    /// The groups of plain topics that answer nothing here, and of those that do.
    plain: FxHashMap<DeclarationId, GroupId>,
    asked: FxHashMap<DeclarationId, GroupId>,
}

impl<'a> Builder<'_, 'a> {
    fn graph(&self) -> &Graph<'a> {
        &self.flow.graph
    }

    fn add_nodes(&mut self) {
        for (index, node) in self.flow.graph.indexed() {
            let behaviour = Behaviour {
                conduct: match node.kind {
                    NodeKind::Step if answers_at_once(self.graph().model, node) => Conduct::AtOnce,
                    NodeKind::Step => Conduct::Waits,
                    _ => Conduct::End,
                },
                cancels: match &node.action {
                    Action::Cancel(steps) => steps.iter().map(|step| step.node).filter(|step| *step != index).collect(),
                    _ => Vec::new(),
                },
                limit: self.limits.get(&index).copied(),
                ..Behaviour::default()
            };
            self.net.behaviours.push(behaviour);
        }
        let waits = |net: &Net, step: u32| net.behaviour(step).is_some_and(|behaviour| behaviour.conduct == Conduct::Waits);
        for index in 0..self.net.behaviours.len() {
            let cancels = self.net.behaviours.get(index).map(|behaviour| behaviour.cancels.clone()).unwrap_or_default();
            let kept = cancels.into_iter().filter(|step| waits(&self.net, *step)).collect();
            if let Some(behaviour) = self.net.behaviours.get_mut(index) {
                behaviour.cancels = kept;
            }
        }
    }

    fn change(&mut self, node: u32, change: impl FnOnce(&mut Behaviour)) {
        if let Some(behaviour) = self.net.behaviours.get_mut(node as usize) {
            change(behaviour);
        }
    }

    /// Notes for each trigger what satisfies it. The answers follow when all groups are known.
    fn connect(&mut self, dominators: &Dominators, endings: &Endings, firings: &Firings) -> Option<()> {
        let mut forks: FxHashMap<u32, u32> = FxHashMap::default();
        let mut heard = Heard::default();
        let mut seen = FxHashSet::default();
        let graph = &self.flow.graph;
        for (index, node) in graph.indexed() {
            if node.triggers.is_empty() {
                self.net.start = graph.groups.id(index, 0);
            }
            for (place, (trigger, cause)) in node.triggers.iter().zip(graph.causes_of(index)).enumerate() {
                let group = graph.groups.id(index, place as u32)?;
                if matches!(cause, Cause::Outside) && endings.is_ending(index) {
                    self.net.listeners.extend(self.limits.get(&index));
                }
                if !seen.insert(group) {
                    continue;
                }
                match &trigger.source {
                    Source::Start => self.net.start = Some(group),
                    Source::Step(step) => drop(heard.steps.insert(*step, group)),
                    Source::Topic(topic) if graph.asking.contains_key(topic) => drop(self.asked.insert(*topic, group)),
                    Source::Topic(topic) => drop(self.plain.insert(*topic, group)),
                    Source::TopicFrom(topic, step) if graph.answers_of(*step).contains(topic) => {
                        heard.answers.insert((*topic, *step), group);
                    }
                    Source::TopicFrom(topic, step) => heard.inner.entry(*step).or_default().push((Some(*topic), group)),
                    Source::ToolFrom { tool, step, .. } if graph.is_signal(*tool) => {
                        heard.signals.entry(*step).or_default().push((*tool, group));
                    }
                    Source::ToolFrom { step, .. } | Source::Timeout { step: Some(step), .. } => {
                        heard.inner.entry(*step).or_default().push((None, group));
                    }
                    Source::All(members) => self.join(members, members.len() as u64, false, group, (dominators, firings, &mut forks))?,
                    Source::Count(count, members) => self.join(members, *count, false, group, (dominators, firings, &mut forks))?,
                    Source::Settled(members) => {
                        self.join(members, members.len() as u64, true, group, (dominators, firings, &mut forks))?;
                    }
                    Source::Failure(step) => self.change(*step, |behaviour| behaviour.failure = Some(group)),
                    Source::AnyFailure => self.net.any_failure = Some(group),
                    Source::Timeout { step: None, after } => self.clock(after, group),
                    Source::Unknown => return None,
                }
            }
        }
        for (index, node) in graph.indexed().filter(|(_, node)| node.kind == NodeKind::Step) {
            let outcomes = self.outcomes(index, node, &heard);
            let inner = heard.inner.remove(&index).unwrap_or_default().into_iter().map(|(_, group)| group).collect();
            self.change(index, |behaviour| (behaviour.outcomes, behaviour.inner) = (outcomes, inner));
        }
        Some(())
    }

    fn clock(&mut self, after: &Time, group: GroupId) {
        if matches!(after, Time::Constant(_)) {
            self.net.clocks.push(self.net.behaviours.len() as u32);
            let outcomes = vec![Outcome { what: What::Time, groups: vec![group] }];
            self.net.behaviours.push(Behaviour { outcomes, ..Behaviour::default() });
        }
    }

    fn join(
        &mut self,
        members: &[u32],
        count: u64,
        settles: bool,
        group: GroupId,
        (dominators, firings, forks): (&Dominators, &Firings, &mut FxHashMap<u32, u32>),
    ) -> Option<()> {
        let mut members = members.to_vec();
        members.sort_unstable();
        members.dedup();
        if members.len() > MOST_MEMBERS {
            return None;
        }
        // Where a fork fires once, its rounds are the run.
        let fork = dominators.fork(&members).filter(|fork| firings.of_vertex(*fork) != Some(1));
        let fork = fork.map(|node| {
            let next = forks.len() as u32;
            let fork = *forks.entry(node).or_insert(next);
            self.change(node, |behaviour| behaviour.fork = Some(fork));
            fork
        });
        if forks.len() > MOST_FORKS {
            return None;
        }
        let number = self.net.joins.len() as u32;
        for member in &members {
            self.change(*member, |behaviour| {
                behaviour.joins.push(number);
                behaviour.settles |= settles;
            });
        }
        let needed = u32::try_from(count).unwrap_or(u32::MAX).min(if settles { members.len() as u32 } else { u32::MAX });
        // What answers once has answered or not; of several rounds it is not known which is meant.
        let tells = settles
            && self.net.deals.get(group as usize).is_some_and(Deal::tells)
            && members.iter().all(|member| firings.of_vertex(*member) == Some(1));
        self.net.joins.push(Join { group, members, needed, settles, fork, tells });
        Some(())
    }

    /// The ways in which a step is closed.
    fn outcomes(&self, index: u32, node: &Node, heard: &Heard) -> Vec<Outcome> {
        let graph = self.graph();
        let answered = heard.steps.get(&index).copied();
        if answers_at_once(graph.model, node) {
            return vec![Outcome { what: What::Answered(None), groups: answered.into_iter().collect() }];
        }
        let is_mailbox = matches!(node.action, Action::WaitTopics { .. });
        let comes = |topic: &&DeclarationId| if is_mailbox { graph.comes(**topic) } else { graph.is_external(**topic) };
        let topics = graph.answers_of(index);
        let mut outcomes: Vec<Outcome> = Vec::new();
        for topic in topics.iter().filter(comes) {
            let plain = self.asked.get(topic).filter(|_| !is_mailbox && node.each.is_none());
            let from = heard.answers.get(&(*topic, index)).filter(|_| node.each.is_none());
            let groups = answered.iter().chain(plain).chain(from).copied().collect::<Vec<_>>();
            let what = What::Answered((topics.len() > 1).then_some(*topic));
            if !outcomes.iter().any(|outcome| outcome.groups == groups) {
                outcomes.push(Outcome { what, groups });
            }
        }
        if graph.can_fail(index) {
            outcomes.push(Outcome { what: What::Failed, groups: Vec::new() });
        }
        let called = |topic: &Option<DeclarationId>| {
            topic.and_then(|topic| graph.model.get(topic)).is_some_and(|topic| &*topic.name == "tool.dispatch")
        };
        let inner = heard.inner.get(&index).into_iter().flatten().filter(|(topic, _)| called(topic)).map(|(_, group)| *group);
        let inner = inner.collect::<Vec<_>>();
        for (tool, group) in heard.signals.get(&index).into_iter().flatten() {
            outcomes.push(Outcome { what: What::Closed(*tool), groups: std::iter::once(*group).chain(inner.iter().copied()).collect() });
        }
        outcomes
    }

    /// Notes what listens to the events that are emitted, and to those from outside.
    fn emit(&mut self) {
        let plain = std::mem::take(&mut self.plain);
        let mut topics = plain.into_iter().collect::<Vec<_>>();
        topics.sort_unstable_by_key(|(_, group)| *group);
        for (topic, group) in topics {
            let steps = self.flow.graph.emitting.get(&topic).cloned().unwrap_or_default();
            if steps.is_empty() {
                self.net.outside.push(group);
            }
            for step in steps {
                let node = self.flow.graph.node(step);
                // A fan-out may have no elements, and a call may be refused before it is sent.
                let is_sure = node.is_some_and(|node| node.each.is_none() && matches!(node.action, Action::Emit { .. }));
                self.change(step, |behaviour| if is_sure { behaviour.emitted.push(group) } else { behaviour.inner.push(group) });
            }
        }
    }

    /// Finds out where the order of what happens matters, and leaves out what does not.
    fn settle(&mut self) {
        let cancelled = self.net.behaviours.iter().flat_map(|behaviour| &behaviour.cancels).copied().collect::<FxHashSet<_>>();
        self.net.is_ordered = !self.net.limits.is_empty() || !cancelled.is_empty();
        let unquiet = self.spread(&cancelled);
        let matters = self.reaching();
        let quiet = |group: &GroupId| !unquiet.contains(group);
        let group_matters = |net: &Net, group: &GroupId| {
            net.deals.get(*group as usize).is_some_and(|deal| deal.nodes().any(|node| matters.get(node as usize).copied().unwrap_or(true)))
        };
        let inner = self
            .net
            .behaviours
            .iter()
            .map(|behaviour| behaviour.inner.iter().copied().filter(|group| group_matters(&self.net, group)).collect::<Vec<_>>());
        let inner = inner.collect::<Vec<_>>();
        let calm = self.net.behaviours.iter().zip(&inner).enumerate().map(|(index, (behaviour, inner))| {
            let failures = behaviour.failure.iter().chain(&self.net.any_failure);
            let joins = behaviour.joins.iter().filter_map(|join| self.net.joins.get(*join as usize)).map(|join| &join.group);
            let groups = behaviour.outcomes.iter().flat_map(|outcome| &outcome.groups);
            !cancelled.contains(&(index as u32)) && inner.is_empty() && groups.chain(failures).chain(joins).all(quiet)
        });
        let calm = calm.collect::<Vec<_>>();
        let outside = self.net.outside.iter().copied().filter(|group| group_matters(&self.net, group)).collect();
        self.net.outside = outside;
        for ((behaviour, inner), is_calm) in self.net.behaviours.iter_mut().zip(inner).zip(calm) {
            (behaviour.inner, behaviour.is_calm) = (inner, is_calm);
        }
    }

    /// The groups that count or cancel in the moment in which they are satisfied, or make something wait that is cancelled.
    fn spread(&self, cancelled: &FxHashSet<u32>) -> FxHashSet<GroupId> {
        let mut holders: FxHashMap<u32, Vec<GroupId>> = FxHashMap::default();
        for (group, deal) in self.net.deals.iter().enumerate() {
            deal.nodes().for_each(|node| holders.entry(node).or_default().push(group as GroupId));
        }
        // The nodes that satisfy a group as soon as they fire.
        let mut at_once: FxHashMap<GroupId, Vec<u32>> = FxHashMap::default();
        for (index, behaviour) in self.net.behaviours.iter().enumerate() {
            let joins = behaviour.joins.iter().filter_map(|join| self.net.joins.get(*join as usize)).map(|join| join.group);
            let own = behaviour.outcomes.iter().flat_map(|outcome| outcome.groups.iter().copied()).chain(joins);
            let own = own.filter(|_| behaviour.conduct == Conduct::AtOnce).chain(behaviour.emitted.iter().copied());
            own.for_each(|group| at_once.entry(group).or_default().push(index as u32));
        }
        let is_unquiet =
            |behaviour: &Behaviour, index: u32| behaviour.limit.is_some() || !behaviour.cancels.is_empty() || cancelled.contains(&index);
        let indexed = self.net.behaviours.iter().enumerate().map(|(index, behaviour)| (index as u32, behaviour));
        let mut open = indexed.filter(|(index, behaviour)| is_unquiet(behaviour, *index)).map(|(index, _)| index).collect::<Vec<_>>();
        let (mut nodes, mut groups) = (FxHashSet::default(), FxHashSet::default());
        while let Some(node) = open.pop() {
            if nodes.insert(node) {
                for group in holders.get(&node).into_iter().flatten() {
                    if groups.insert(*group) {
                        open.extend(at_once.get(group).into_iter().flatten());
                    }
                }
            }
        }
        groups
    }

    /// For each vertex whether what follows from it may count or cancel something.
    fn reaching(&self) -> Vec<bool> {
        let graph = self.graph();
        let mut reaching = vec![false; graph.len()];
        let counts = |(_, behaviour): &(usize, &Behaviour)| behaviour.limit.is_some() || !behaviour.cancels.is_empty();
        let mut open = self.net.behaviours.iter().enumerate().filter(counts).map(|(index, _)| index as u32).collect::<Vec<_>>();
        while let Some(vertex) = open.pop() {
            if !std::mem::replace(reaching.get_mut(vertex as usize).unwrap_or(&mut true), true) {
                open.extend(graph.causes_of(vertex).iter().flat_map(Cause::sources));
            }
        }
        reaching
    }
}

/// The groups by what satisfies them.
#[derive(Default)]
struct Heard {
    steps: FxHashMap<u32, GroupId>,
    answers: FxHashMap<(DeclarationId, u32), GroupId>,
    signals: FxHashMap<u32, Vec<(DeclarationId, GroupId)>>,
    /// What may happen while a step is open, with its topic if it is one.
    inner: FxHashMap<u32, Vec<(Option<DeclarationId>, GroupId)>>,
}
