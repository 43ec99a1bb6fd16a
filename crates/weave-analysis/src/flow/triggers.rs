//! Triggers that nothing makes fire, and triggers that do not say whose answer they mean.

use rustc_hash::FxHashSet;
use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::ToolKind;

use super::Flow;
use super::components::Components;
use super::dominators::Dominators;
use super::graph::{Cause, Never};
use super::lineage::Lineage;
use crate::messages::flow as message;
use crate::model::workflow::{Action, Source};
use crate::model::{DeclarationId, DeclarationKind};

/// Joins of more steps than this are not searched for steps that exclude each other: each step would be compared with each other one.
const MOST_MEMBERS: usize = 64;

/// Reports triggers that never fire.
pub(super) fn check_firing(flow: &Flow<'_>, dominators: &Dominators) -> bool {
    let graph = &flow.graph;
    let mut found = false;
    let mut cycles: Option<Components> = None;
    for (index, node) in graph.indexed() {
        for (trigger, cause) in node.triggers.iter().zip(graph.causes_of(index)) {
            let (count, members) = match *cause {
                Cause::Never(why) => {
                    found = true;
                    flow.report(describe(flow, why, trigger.place));
                    continue;
                }
                Cause::All(members) | Cause::Settled(members) => (members.len() as u64, members),
                Cause::Count(count, members) => (count, members),
                _ => continue,
            };
            if members.len() > MOST_MEMBERS || !members.iter().all(|member| graph.fires(*member)) {
                continue;
            }
            let cycles = cycles.get_or_insert_with(|| Components::new(&graph.after));
            let exclusion = Exclusion { flow, dominators, cycles, fork: dominators.fork(members) };
            if let Some((one, other)) = exclusion.in_the_way_of(count, members) {
                found = true;
                let both = flow.labels(&[one, other]);
                flow.report(message::join_of_excluding(trigger.place, &both, matches!(cause, Cause::Settled(_))));
            }
        }
    }
    found
}

fn describe(flow: &Flow<'_>, why: Never, place: Place) -> Diagnostic {
    let topic = |id| flow.graph.model.get(id);
    match why {
        Never::NobodyEmits(id) => message::nobody_emits(flow.workflow, topic(id), place),
        Never::NoAnswer(step, id) => message::no_answer(&flow.name(step), flow.name_place(step), is_mailbox(flow, step), topic(id), place),
        Never::NotAsked(step, id) => message::not_asked(&flow.name(step), flow.name_place(step), topic(id), place),
        Never::Element(step, id) => message::answer_of_an_element(&flow.name(step), flow.name_place(step), topic(id), place),
        Never::Cancelled(step, by) => {
            message::cancelled_at_once(&flow.name(step), flow.name_place(step), &flow.name(by), flow.name_place(by), place)
        }
        Never::CannotFail(step) => message::cannot_fail(&flow.name(step), flow.name_place(step), place),
        Never::NothingFails => message::nothing_fails(place),
        Never::AtOnce(step) => message::never_late(&flow.name(step), flow.name_place(step), place),
        Never::RunIsOver(limit) => message::run_is_over(flow.workflow, flow.place, limit, place),
        Never::StepIsOver(step, limit) => message::step_is_over(&flow.name(step), flow.name_place(step), limit, place),
    }
}

/// A trigger of a vertex: what it is, and what makes it fire.
#[derive(Clone, Copy)]
struct Arm {
    vertex: u32,
    trigger: u32,
}

/// Looks for steps of a join that never answer together.
struct Exclusion<'f, 'a> {
    flow: &'f Flow<'a>,
    dominators: &'f Dominators,
    cycles: &'f Components,
    fork: Option<u32>,
}

impl<'a> Exclusion<'_, 'a> {
    /// Two members that exclude each other, if because of such pairs never as many answer as the join wants.
    fn in_the_way_of(&self, count: u64, members: &[u32]) -> Option<(u32, u32)> {
        // Of each bundle only one can answer.
        let mut bundles: Vec<Vec<u32>> = Vec::new();
        let mut pair = None;
        for member in members {
            let bundle = bundles.iter_mut().find(|bundle| bundle.iter().all(|other| self.excludes(*other, *member)));
            match bundle {
                Some(bundle) => {
                    pair = pair.or_else(|| Some((*bundle.first()?, *member)));
                    bundle.push(*member);
                }
                None => bundles.push(vec![*member]),
            }
        }
        pair.filter(|_| (bundles.len() as u64) < count)
    }

    /// Whether in one round of the fork never both answer.
    fn excludes(&self, one: u32, other: u32) -> bool {
        // A signal closes the step without its answer.
        if self.is_behind_signal_of(one, other) || self.is_behind_signal_of(other, one) {
            return true;
        }
        let Some((above, first, second)) = self.dominators.arms(one, other) else { return false };
        // What lies on a cycle may go one way in one round and the other way in the next, unless each round has a join of its own.
        if above != self.fork && above.is_some_and(|above| self.cycles.on_cycle(above)) {
            return false;
        }
        let (Some(first), Some(second)) = (self.arms(first), self.arms(second)) else { return false };
        first.iter().all(|of_first| second.iter().all(|of_second| self.excluding(*of_first, *of_second, above)))
    }

    /// Whether a step lies behind a signal that closes another one, and that one is not asked again.
    fn is_behind_signal_of(&self, step: u32, closed: u32) -> bool {
        let graph = &self.flow.graph;
        let closes = |vertex: u32| {
            let triggers = graph.node(vertex).map(|node| &*node.triggers).unwrap_or_default();
            let is_signal =
                |source: &Source| matches!(source, Source::ToolFrom { tool, step, .. } if *step == closed && self.is_signal(*tool));
            !triggers.is_empty() && !graph.doubts.is_unclear(vertex) && triggers.iter().all(|trigger| is_signal(&trigger.source))
        };
        if self.cycles.on_cycle(closed) && self.fork != Some(closed) {
            return false;
        }
        let handlers = graph.after_of(closed).iter().take(MOST_MEMBERS);
        handlers.copied().any(|handler| closes(handler) && self.dominators.is_before(handler, step))
    }

    fn is_signal(&self, tool: DeclarationId) -> bool {
        matches!(self.flow.graph.model.get(tool).map(|it| &it.kind), Some(DeclarationKind::Tool(tool)) if tool.kind == ToolKind::Signal)
    }

    /// The triggers of a vertex; none of one with very many.
    fn arms(&self, vertex: u32) -> Option<Vec<Arm>> {
        let count = self.flow.graph.causes_of(vertex).len();
        (count <= MOST_MEMBERS).then(|| (0..count as u32).map(|trigger| Arm { vertex, trigger }).collect())
    }

    fn cause(&self, arm: Arm) -> Option<Cause<'a>> {
        self.flow.graph.causes_of(arm.vertex).get(arm.trigger as usize).copied()
    }

    fn source(&self, arm: Arm) -> Option<&'a Source> {
        self.flow.graph.node(arm.vertex)?.triggers.get(arm.trigger as usize).map(|trigger| &trigger.source)
    }

    /// Whether of two triggers at most one fires in a round of what stands above them.
    fn excluding(&self, one: Arm, other: Arm, above: Option<u32>) -> bool {
        let groups = &self.flow.graph.groups;
        let (Some(first), Some(second)) = (groups.member(one.vertex, one.trigger), groups.member(other.vertex, other.trigger)) else {
            return false;
        };
        let (Some(first_cause), Some(second_cause)) = (self.cause(one), self.cause(other)) else { return false };
        let of_above = |cause: &Cause<'_>| match cause {
            Cause::Start => above.is_none(),
            Cause::Answer(step) | Cause::Failed(step) => Some(*step) == above,
            _ => false,
        };
        if !of_above(&first_cause) || !of_above(&second_cause) {
            return false;
        }
        if groups.id(one.vertex, one.trigger) == groups.id(other.vertex, other.trigger) {
            return first.in_choice && second.in_choice;
        }
        match (first_cause, second_cause) {
            (Cause::Failed(_), Cause::Answer(_)) | (Cause::Answer(_), Cause::Failed(_)) => true,
            // The first answer closes a request.
            (Cause::Answer(_), Cause::Answer(_)) => {
                matches!((self.source(one), self.source(other)), (Some(Source::TopicFrom(..)), Some(Source::TopicFrom(..))))
            }
            _ => false,
        }
    }
}

// ---- Whose answer ------------------------------------------------------------------------------------------------------

/// Reports `on TOPIC` where several steps may be in flight that an event of this topic answers.
pub(super) fn check_ambiguity(flow: &Flow<'_>, dominators: &Dominators) {
    let graph = &flow.graph;
    let mut seen = FxHashSet::default();
    for trigger in graph.nodes.iter().flat_map(|node| &node.triggers) {
        let Source::Topic(topic) = trigger.source else { continue };
        let Some(asking) = graph.asking.get(&topic).filter(|asking| asking.len() > 1) else { continue };
        if !seen.insert(topic) {
            continue;
        }
        let asking = asking.iter().copied().filter(|step| graph.fires(*step)).take(MOST_MEMBERS).collect::<Vec<_>>();
        let pairs = asking.iter().enumerate().flat_map(|(at, one)| asking.iter().skip(at + 1).map(move |other| (*one, *other)));
        let forked = pairs.filter(|(one, other)| are_forked(flow, dominators, *one, *other)).collect::<Vec<_>>();
        if forked.is_empty() {
            continue;
        }
        let possible = Lineage::possible(graph, &asking);
        if let Some((one, other)) = forked.into_iter().find(|(one, other)| !possible.has(*one, *other) && !possible.has(*other, *one)) {
            let topic = graph.model.get(topic).map(|it| &*it.name).unwrap_or_default();
            flow.report(message::ambiguous(topic, trigger.place, &flow.labels(&[one, other])));
        }
    }
}

/// Whether two steps are on two branches that start in the same moment.
pub(super) fn are_forked(flow: &Flow<'_>, dominators: &Dominators, one: u32, other: u32) -> bool {
    let graph = &flow.graph;
    let Some((above, first, second)) = dominators.arms(one, other) else { return false };
    let in_choice = |vertex: u32, trigger: u32| graph.groups.member(vertex, trigger).is_none_or(|member| member.in_choice);
    let causes = graph.causes_of(first).iter().enumerate().take(MOST_MEMBERS);
    causes.map(|(trigger, cause)| (trigger as u32, cause)).any(|(trigger, cause)| {
        let follows = match cause {
            Cause::Start => above.is_none(),
            cause => cause.sources().any(|source| Some(source) == above),
        };
        let group = graph.groups.id(first, trigger).filter(|_| follows);
        let mut same = graph.groups.of_node(second).iter().enumerate().take(MOST_MEMBERS).filter(|(_, other)| Some(**other) == group);
        same.any(|(second_trigger, _)| !(in_choice(first, trigger) && in_choice(second, second_trigger as u32)))
    })
}

/// Whether a step waits for what comes, and asks for nothing.
fn is_mailbox(flow: &Flow<'_>, step: u32) -> bool {
    flow.graph.node(step).is_some_and(|node| matches!(node.action, Action::WaitTopics { .. }))
}
