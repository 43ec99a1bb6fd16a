//! Whether a run can come to a standstill without having ended.
//!
//! The other checks look at one node at a time. Here a whole run is looked at: what may become of each step that waits, and what fires
//! then, up to a state in which nothing waits any more. Values are not known, so a guard may be true or not, as far as the choice that
//! it belongs to leaves that open, and what has been decided about the same values before.

mod atoms;
mod deals;
mod net;
mod presence;
mod search;
mod state;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::Place;
use weave_syntax::ast::NodeKind;

use super::Flow;
use super::dominators::Dominators;
use super::endings::{self, Endings, at};
use super::graph::Cause;
use super::groups::{GroupId, Key};
use super::speakers::answers_at_once;
use crate::choices::Choice;
use crate::messages::stalls::{self as message, Happens, Waiting};
use crate::model::DeclarationId;
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};
use crate::model::workflow::{Condition, Source};
use deals::Deal;
use net::{Net, What};
use search::{Event, Found, Stall};

/// What is known about standstills.
#[derive(Default)]
pub(super) struct Stalls {
    /// Whether all that can happen was looked at.
    is_known: bool,
    /// The choices of which nothing fires before a standstill, with whether it is certain that their guards can be so together.
    gaps: FxHashMap<GroupId, bool>,
}

impl Stalls {
    /// Whether a run hangs when no node of a choice fires; nothing if that is not known.
    pub(super) fn hangs(&self, group: GroupId) -> Option<bool> {
        self.is_known.then(|| self.gaps.get(&group).copied().unwrap_or(false))
    }

    /// Whether a run hangs when no node of a choice fires, if guards of several choices can be so together.
    pub(super) fn may_hang(&self, group: GroupId) -> bool {
        self.gaps.contains_key(&group)
    }
}

/// What is to blame for a standstill.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Blame {
    /// No node of a choice fires.
    Gap(GroupId),
    /// Nobody listens to what becomes of a step.
    Unheard(u32),
    /// What happens together.
    Together,
}

/// What was found out about a workflow.
pub(super) enum Standstills {
    /// There are none.
    None,
    /// These were found.
    Found(Box<Net>, Found),
    /// It is too large for what is looked at.
    Unknown,
}

impl Standstills {
    /// Whether it is known that there are none.
    pub(super) fn are_none(&self) -> bool {
        match self {
            Self::None => true,
            Self::Found(_, found) => found.is_complete && found.stalls.is_empty(),
            Self::Unknown => false,
        }
    }
}

/// Looks for standstills. `choices` are those of the workflow.
pub(super) fn find(flow: &Flow<'_>, dominators: &Dominators, endings: &Endings, choices: &[Choice]) -> Standstills {
    if is_open(flow, endings) {
        return Standstills::None;
    }
    match Net::new(flow, dominators, choices, endings) {
        None => Standstills::Unknown,
        Some(net) if net.goes_on_everywhere() => Standstills::None,
        Some(mut net) => {
            let mut found = search::find(&net);
            // What is known of values makes for more states. If they are too many, it is better to know less of more ways.
            if !found.is_complete && net.forget_values() {
                found = search::find(&net);
            }
            Standstills::Found(Box::new(net), found)
        }
    }
}

/// Reports standstills that no choice is to blame for, and says of which choices the others come.
pub(super) fn check(flow: &Flow<'_>, standstills: Standstills) -> Stalls {
    let (net, found) = match standstills {
        Standstills::None => return Stalls { is_known: true, ..Stalls::default() },
        Standstills::Unknown => {
            check_unheard(flow);
            return Stalls::default();
        }
        Standstills::Found(net, found) => (net, found),
    };
    if !found.is_complete && found.stalls.is_empty() {
        check_unheard(flow);
    }
    let teller = Teller { flow, net: &net };
    let mut gaps = FxHashMap::default();
    let mut blamed: Vec<(Blame, &Stall)> = Vec::new();
    for stall in &found.stalls {
        let blame = teller.blame(stall);
        if let Blame::Gap(group) = blame {
            *gaps.entry(group).or_default() |= teller.is_certain(stall);
        } else if !blamed.iter().any(|(other, _)| *other == blame) {
            blamed.push((blame, stall));
        }
    }
    let has_others = !gaps.is_empty() || blamed.iter().any(|(blame, _)| *blame != Blame::Together);
    for (blame, stall) in blamed.into_iter().filter(|(blame, _)| *blame != Blame::Together || !has_others) {
        teller.report(blame, stall);
    }
    Stalls { is_known: found.is_complete, gaps }
}

/// Whether something may come from outside at any time, however often, that can end the run.
fn is_open(flow: &Flow<'_>, endings: &Endings) -> bool {
    let graph = &flow.graph;
    let comes = |index: u32| graph.causes_of(index).iter().any(|cause| matches!(cause, Cause::Outside | Cause::Unknown));
    graph.indexed().any(|(index, node)| node.limit.is_none() && endings.is_ending(index) && comes(index))
}

/// Reports the answers that nobody listens to, where nothing else goes on, in a workflow that is too large to look at all its runs.
fn check_unheard(flow: &Flow<'_>) {
    let graph = &flow.graph;
    let live = endings::live(graph);
    let joined = graph.causes.iter().flatten().filter_map(Cause::members).flatten().copied().collect::<FxHashSet<_>>();
    let waits = |node: &crate::model::workflow::Node| node.kind == NodeKind::Step && !answers_at_once(graph.model, node);
    for (index, node) in graph.indexed().filter(|(index, node)| waits(node) && graph.fires(*index) && !at(&live, *index)) {
        let unheard = unheard_topics(flow, index);
        let is_heard = joined.contains(&index) || graph.groups.find_id(&Key::Step(index)).is_some();
        if !unheard.is_empty() && !is_heard && node.each.is_none() {
            flow.report(message::unheard(&node.name, node.name_place, &names(flow, index, &unheard), &[], &[]));
        }
    }
}

/// The topics that may answer a step and that nobody listens to.
fn unheard_topics(flow: &Flow<'_>, step: u32) -> Vec<DeclarationId> {
    let graph = &flow.graph;
    let hears = |key: Key| graph.groups.find_id(&key).is_some();
    let is_heard =
        |topic: DeclarationId| hears(Key::TopicFrom(topic, step)) || graph.asking.contains_key(&topic) && hears(Key::Topic(topic));
    graph.answers_of(step).iter().copied().filter(|topic| graph.is_external(*topic) && !is_heard(*topic)).collect()
}

/// The names of topics that may answer a step; none if only one may, which needs no name.
fn names(flow: &Flow<'_>, step: u32, topics: &[DeclarationId]) -> Vec<Arc<str>> {
    let topics = if flow.graph.answers_of(step).len() > 1 { topics } else { &[] };
    topics.iter().filter_map(|topic| flow.graph.model.get(*topic)).map(|topic| Arc::clone(&topic.name)).collect()
}

/// Tells how a standstill comes about.
struct Teller<'f, 'a> {
    flow: &'f Flow<'a>,
    net: &'f Net,
}

impl Teller<'_, '_> {
    fn blame(&self, stall: &Stall) -> Blame {
        let lost = stall.events.iter().rev().filter(|event| event.is_lost).filter_map(|event| self.lost(event)).collect::<Vec<_>>();
        let is_told = |blame: &&Blame| match blame {
            Blame::Gap(group) => self.net.deals.get(*group as usize).is_some_and(Deal::asks),
            Blame::Unheard(step) => self.is_heard(*step),
            Blame::Together => false,
        };
        // What nobody ever listens to is meant to stand beside the rest.
        lost.iter().find(is_told).copied().unwrap_or(Blame::Together)
    }

    /// Why nothing follows from an event.
    fn lost(&self, event: &Event) -> Option<Blame> {
        match (event.idle.last(), event.last) {
            (Some(group), _) => Some(Blame::Gap(*group)),
            (None, Some((node, What::Answered(_)))) if !self.is_joined(node) => Some(Blame::Unheard(node)),
            _ => None,
        }
    }

    /// Whether a join counts what becomes of a step.
    fn is_joined(&self, step: u32) -> bool {
        self.net.behaviour(step).is_some_and(|behaviour| !behaviour.joins.is_empty())
    }

    /// Whether anything that becomes of a step makes a node fire.
    fn is_heard(&self, step: u32) -> bool {
        self.net
            .behaviour(step)
            .is_some_and(|behaviour| behaviour.failure.is_some() || behaviour.outcomes.iter().any(|outcome| !outcome.groups.is_empty()))
            || self.heard(step).next().is_some()
    }

    /// The triggers that name a step, and the times that are set for it.
    fn heard(&self, step: u32) -> impl Iterator<Item = Place> + '_ {
        let names = move |source: &Source| match source {
            Source::TopicFrom(_, of) | Source::ToolFrom { step: of, .. } | Source::Timeout { step: Some(of), .. } => *of == step,
            _ => false,
        };
        let triggers = self.flow.graph.nodes.iter().flat_map(|node| &node.triggers);
        triggers.filter(move |trigger| names(&trigger.source)).map(|trigger| trigger.place)
    }

    /// Whether all that guards decide on a way can be so: no two choices look at the same values, or what they ask of them agrees.
    fn is_certain(&self, stall: &Stall) -> bool {
        // Whoever stands beside a choice decides for itself.
        let mut seen: FxHashMap<String, (GroupId, Option<u32>)> = FxHashMap::default();
        let groups =
            stall.events.iter().flat_map(|event| event.chosen.iter().map(|(group, _)| group).chain(&event.idle).chain(&event.passed));
        groups.copied().collect::<FxHashSet<_>>().into_iter().all(|group| {
            let told = self.net.joins.iter().any(|join| join.tells && join.group == group);
            let mut reads = Vec::new();
            let mut asks_who_answered = false;
            self.guards(group, &mut |path, source, beside| {
                asks_who_answered |= is_about_presence(path);
                reads.extend(read(path, source).map(|read| (read, (group, beside))));
            });
            (told || !asks_who_answered)
                && reads.into_iter().all(|(read, by)| self.net.atoms.are_exact(&read) || *seen.entry(read).or_insert(by) == by)
        })
    }

    /// What the guards of a choice look at, with the node that stands beside the choice, if it is one.
    fn guards(&self, group: GroupId, found: &mut impl FnMut(&ResolvedPath, &Source, Option<u32>)) {
        let graph = &self.flow.graph;
        for member in graph.groups.members(group) {
            let Some(trigger) = graph.node(member.node).and_then(|node| node.triggers.get(member.trigger as usize)) else { continue };
            match &trigger.condition {
                Some(Condition::When(guard)) => guard.expression.paths().for_each(|path| found(path, &trigger.source, None)),
                Some(Condition::AlsoWhen(guard)) => {
                    guard.expression.paths().for_each(|path| found(path, &trigger.source, Some(member.node)));
                }
                Some(Condition::Else) | None => {}
            }
        }
    }

    fn report(&self, blame: Blame, stall: &Stall) {
        let Some(last) = stall.events.last() else { return };
        match blame {
            Blame::Unheard(step) => {
                let way = stall.events.iter().take_while(|event| event.last.map(|(node, _)| node) != Some(step)).collect::<Vec<_>>();
                let heard = self.heard(step).take(message::SHOWN).collect::<Vec<_>>();
                let diagnostic = message::unheard(
                    &self.flow.name(step),
                    self.flow.name_place(step),
                    &names(self.flow, step, &unheard_topics(self.flow, step)),
                    &heard,
                    &self.way(&way),
                );
                self.flow.report(message::graded(diagnostic, self.is_certain(stall)));
            }
            _ => {
                let way = stall.events.iter().take(stall.events.len() - 1).collect::<Vec<_>>();
                let follows = last.last.map(|(node, _)| node).filter(|node| Some(*node) != last.node);
                let follows = follows.map(|node| (self.flow.name(node), self.flow.name_place(node)));
                let (last, place) = (self.happens(last), last.node.map_or(self.flow.place, |node| self.flow.name_place(node)));
                let way = message::Way { events: &self.way(&way), last: last.as_ref(), place, follows, passed: self.passed(stall) };
                let diagnostic = message::stuck(&way, &self.waiting(stall));
                self.flow.report(message::graded(diagnostic, self.is_certain(stall)));
            }
        }
    }

    fn way(&self, events: &[&Event]) -> Vec<Happens> {
        events.iter().filter_map(|event| self.happens(event)).collect()
    }

    fn happens(&self, event: &Event) -> Option<Happens> {
        let chosen = event.chosen.iter().flat_map(|(_, nodes)| nodes).copied().collect::<Vec<_>>();
        let Some(node) = event.node else {
            // At the start only what is chosen is of interest.
            let first = chosen.first().filter(|_| event.what != What::Outside)?;
            let (node, place) = (self.flow.name(*first), self.flow.name_place(*first));
            return Some(Happens { text: format!("`{node}` fires at the start"), node, place, settles: false });
        };
        let name = self.flow.name(node);
        let declared = |id: DeclarationId| self.flow.graph.model.get(id).map(|it| it.name.to_string()).unwrap_or_default();
        let text = match event.what {
            What::Answered(None) => format!("`{name}` answers"),
            What::Answered(Some(topic)) => format!("`{}` answers `{name}`", declared(topic)),
            What::Failed => format!("`{name}` fails"),
            What::Closed(tool) => format!("the agent of `{name}` calls `{}`", declared(tool)),
            What::Meanwhile(group) => {
                let fires = self.flow.graph.groups.members(group).first().map(|member| self.flow.name(member.node)).unwrap_or_default();
                format!("`{fires}` fires while `{name}` is open")
            }
            What::Time | What::Outside => return None,
        };
        let text = match chosen.first() {
            _ if !event.idle.is_empty() || !event.passed.is_empty() => format!("{text}, and no guard is true"),
            Some(first) => format!("{text}, and `{}` fires", self.flow.name(*first)),
            None => text,
        };
        let settles = self.net.behaviour(node).is_some_and(|behaviour| behaviour.settles);
        Some(Happens { node: name, place: self.flow.name_place(node), text, settles: settles && event.what == What::Failed })
    }

    /// The step whose answer no guard of a choice takes, although others go on.
    fn passed(&self, stall: &Stall) -> Option<Arc<str>> {
        let event = stall.events.iter().rev().find(|event| !event.passed.is_empty())?;
        Some(self.flow.name(event.node?))
    }

    /// The joins that have counted something, and the steps that they still wait for.
    fn waiting(&self, stall: &Stall) -> Vec<Waiting> {
        let graph = &self.flow.graph;
        let last = stall.events.last().and_then(|event| event.last).map(|(node, _)| node);
        let waiting = stall.state.counted.iter().filter_map(|counted| {
            let join = self.net.joins.get(counted.join as usize)?;
            let has_fired = counted.is_satisfied;
            if has_fired && !last.is_some_and(|last| join.members.contains(&last)) {
                return None;
            }
            let missing = join.members.iter().enumerate().filter(|(place, _)| counted.members & 1_u64 << place == 0);
            let first = graph.groups.members(join.group).first()?;
            let place = graph.node(first.node)?.triggers.get(first.trigger as usize)?.place;
            let missing = if has_fired { Vec::new() } else { missing.map(|(_, member)| self.flow.name(*member)).collect() };
            Some(Waiting { place, missing })
        });
        waiting.collect()
    }
}

/// What a path reads: the first two parts of it are enough to tell most values apart.
fn read(path: &ResolvedPath, source: &Source) -> Option<String> {
    let root = match (&path.root, source) {
        (PathRoot::Input, _) => "input".to_owned(),
        (PathRoot::Step { node, .. }, _) | (PathRoot::Event, Source::Step(node) | Source::TopicFrom(_, node)) => node.to_string(),
        _ => return None,
    };
    let field = path.segments.iter().find_map(|segment| match segment {
        PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => Some(Arc::clone(name)),
        _ => None,
    });
    Some(format!("{root}.{}", field.unwrap_or_default()))
}

/// Whether a path is about whether a step has answered at all.
fn is_about_presence(path: &ResolvedPath) -> bool {
    let is_step = path.absent && matches!(path.root, PathRoot::Step { .. });
    is_step && path.segments.first().is_none_or(|first| *first == PathSegment::Optional)
}
