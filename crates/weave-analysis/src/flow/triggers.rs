//! Triggers that nothing makes fire, and triggers that do not say whose answer they mean.

use rustc_hash::FxHashSet;

use super::Flow;
use super::components::Components;
use super::dominators::Dominators;
use super::graph::{Cause, Never};
use super::groups::{Groups, Key};
use super::lineage::Lineage;
use crate::messages::flow as message;
use crate::model::workflow::Source;

/// Joins of more steps than this are not searched for steps that exclude each other: each step would be compared with each other one.
const MOST_MEMBERS: usize = 64;

/// Reports triggers that never fire.
pub(super) fn check_firing(flow: &Flow<'_>, groups: &Groups<'_>, dominators: &Dominators) -> bool {
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
            let exclusion = Exclusion { flow, groups, dominators, cycles, fork: dominators.fork(members) };
            if let Some((one, other)) = exclusion.in_the_way_of(count, members) {
                found = true;
                let both = flow.labels(&[one, other]);
                flow.report(message::join_of_excluding(trigger.place, &both, matches!(cause, Cause::Settled(_))));
            }
        }
    }
    found
}

fn describe(flow: &Flow<'_>, why: Never, place: weave_diagnostics::Place) -> weave_diagnostics::Diagnostic {
    let topic = |id| flow.graph.model.get(id);
    match why {
        Never::NobodyEmits(id) => message::nobody_emits(flow.workflow, topic(id), place),
        Never::NoAnswer(step, id) => message::no_answer(&flow.name(step), flow.name_place(step), topic(id), place),
        Never::CannotFail(step) => message::cannot_fail(&flow.name(step), flow.name_place(step), place),
        Never::NothingFails => message::nothing_fails(place),
        Never::AtOnce(step) => message::never_late(&flow.name(step), flow.name_place(step), place),
    }
}

/// Looks for steps of a join that never answer together.
struct Exclusion<'f, 'a> {
    flow: &'f Flow<'a>,
    groups: &'f Groups<'a>,
    dominators: &'f Dominators,
    cycles: &'f Components,
    fork: Option<u32>,
}

impl Exclusion<'_, '_> {
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
        let Some((above, first, second)) = self.dominators.arms(one, other) else { return false };
        // What lies on a cycle may go one way in one round and the other way in the next, unless each round has a join of its own.
        if above != self.fork && above.is_some_and(|above| self.cycles.on_cycle(above)) {
            return false;
        }
        let causes = |arm: u32| 0..self.flow.graph.causes_of(arm).len() as u32;
        causes(first).all(|of_first| causes(second).all(|of_second| self.excluding((first, of_first), (second, of_second), above)))
    }

    /// Whether of two triggers at most one fires in a round of what stands above them.
    fn excluding(&self, one: (u32, u32), other: (u32, u32), above: Option<u32>) -> bool {
        let (Some(first), Some(second)) = (self.groups.member(one.0, one.1), self.groups.member(other.0, other.1)) else { return false };
        let (Some(first_key), Some(second_key)) = (self.groups.key(one.0, one.1), self.groups.key(other.0, other.1)) else { return false };
        let outcome = |node: u32, trigger: u32| self.flow.graph.causes_of(node).get(trigger as usize).copied();
        let (Some(first_cause), Some(second_cause)) = (outcome(one.0, one.1), outcome(other.0, other.1)) else { return false };
        let of_above = |cause: &Cause<'_>| match cause {
            Cause::Start => above.is_none(),
            Cause::Answer(step) | Cause::Failed(step) => Some(*step) == above,
            _ => false,
        };
        if !of_above(&first_cause) || !of_above(&second_cause) {
            return false;
        }
        if first_key == second_key {
            return first.in_choice && second.in_choice;
        }
        match (first_cause, second_cause) {
            (Cause::Failed(_), Cause::Answer(_)) | (Cause::Answer(_), Cause::Failed(_)) => true,
            // The first answer closes a request.
            (Cause::Answer(_), Cause::Answer(_)) => matches!((first_key, second_key), (Key::TopicFrom(..), Key::TopicFrom(..))),
            _ => false,
        }
    }
}

// ---- Whose answer ------------------------------------------------------------------------------------------------------

/// Reports `on TOPIC` where several steps may be in flight that an event of this topic answers.
pub(super) fn check_ambiguity(flow: &Flow<'_>, groups: &Groups<'_>, dominators: &Dominators) {
    let graph = &flow.graph;
    let mut possible: Option<Lineage> = None;
    let mut seen = FxHashSet::default();
    for node in graph.nodes {
        for trigger in &node.triggers {
            let Source::Topic(topic) = trigger.source else { continue };
            let Some(asking) = graph.asking.get(&topic).filter(|asking| asking.len() > 1) else { continue };
            if !seen.insert(topic) {
                continue;
            }
            let possible = possible.get_or_insert_with(|| Lineage::possible(graph));
            let asking = asking.iter().copied().filter(|step| graph.fires(*step)).take(MOST_MEMBERS).collect::<Vec<_>>();
            let pairs = asking.iter().enumerate().flat_map(|(at, one)| asking.iter().skip(at + 1).map(move |other| (*one, *other)));
            let mut together = pairs.filter(|(one, other)| {
                !possible.has(*one, *other) && !possible.has(*other, *one) && are_forked(flow, groups, dominators, *one, *other)
            });
            if let Some((one, other)) = together.next() {
                let topic = graph.model.get(topic).map(|it| &*it.name).unwrap_or_default();
                flow.report(message::ambiguous(topic, trigger.place, &flow.labels(&[one, other])));
            }
        }
    }
}

/// Whether two steps are on two branches that start in the same moment.
fn are_forked(flow: &Flow<'_>, groups: &Groups<'_>, dominators: &Dominators, one: u32, other: u32) -> bool {
    let Some((above, first, second)) = dominators.arms(one, other) else { return false };
    let triggers = |arm: u32| 0..flow.graph.causes_of(arm).len() as u32;
    triggers(first).any(|of_first| {
        triggers(second).any(|of_second| {
            let key = groups.key(first, of_first);
            let follows = flow.graph.causes_of(first).get(of_first as usize).is_some_and(|cause| match cause {
                Cause::Start => above.is_none(),
                cause => cause.sources().any(|source| Some(source) == above),
            });
            let in_choice = |arm, trigger| groups.member(arm, trigger).is_none_or(|member| member.in_choice);
            follows
                && key.is_some()
                && key == groups.key(second, of_second)
                && !(in_choice(first, of_first) && in_choice(second, of_second))
        })
    })
}
