//! Whether what a node reads has happened.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::NodeKind;

use super::Flow;
use super::dominators::{Answered, Dominators};
use super::graph::{Cause, Graph};
use super::groups::{GroupId, Member};
use super::lineage::{Lineage, Proof, Proofs};
use super::reads::{self, Read};
use super::ways::{Budget, Goal};
use crate::choices::may_run_out;
use crate::messages::flow::{self as message, NeverBefore};
use crate::model::guard::Guard;
use crate::model::workflow::{Condition, Source, Trigger};

/// How many members of a choice prove something to those behind them. Each of them is looked at anew, so without a bound a choice of thousands
/// would take the square of their number.
const MOST_EARLIER: usize = 32;

/// What the conditions of the triggers prove: those that are true, and those before them in their choice, which were not true.
pub(super) fn proofs(graph: &Graph<'_>, earlier: &Earlier) -> Proofs {
    let mut proofs = Proofs::default();
    for (index, node) in graph.indexed() {
        for (place, trigger) in node.triggers.iter().enumerate() {
            let place = place as u32;
            let before = earlier.before(graph, index, place, trigger.condition.as_ref());
            let own = match &trigger.condition {
                Some(Condition::When(guard) | Condition::AlsoWhen(guard)) => known_proofs(graph, trigger, guard, true),
                _ => Some(Vec::new()),
            };
            let proof = before.zip(own).map(|(mut proven, own)| {
                proven.extend(own);
                proven
            });
            if proof.as_ref().is_none_or(|proven| !proven.is_empty()) {
                proofs.insert((index, place), proof.map_or(Proof::Anything, Proof::Steps));
            }
        }
    }
    proofs
}

/// The steps that have answered if a guard is true, or if it is not; nothing if something is wrong with it.
fn known_proofs(graph: &Graph<'_>, trigger: &Trigger, guard: &Guard, truth: bool) -> Option<Vec<u32>> {
    reads::proofs(guard, truth).filter(|_| !graph.doubts.has_mistake(trigger.place))
}

/// A member of a choice, and the steps that have answered if it is not true.
type NotTrue = (Member, Option<Vec<u32>>);

/// What the members of each choice prove by not being true; nothing for those of which it is not known.
pub(super) struct Earlier {
    by_group: FxHashMap<GroupId, Vec<NotTrue>>,
    /// The first trigger with a guard of which it is not known to which choice it belongs: perhaps to any.
    stray: Option<(u32, u32)>,
}

impl Earlier {
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        let mut by_group: FxHashMap<GroupId, Vec<NotTrue>> = FxHashMap::default();
        // A member whose limit is used up is passed over, whatever its guard says.
        for (index, node) in graph.indexed().filter(|(_, node)| node.limit.is_none()) {
            for (place, trigger) in node.triggers.iter().enumerate() {
                // An error that nothing absorbs ends a guard, whatever its parts say.
                if let Some(Condition::When(guard)) = &trigger.condition
                    && !may_run_out(graph.model, &guard.expression)
                    && let Some(group) = graph.groups.id(index, place as u32)
                    && let Some(member) = graph.groups.member(index, place as u32)
                {
                    let proven = known_proofs(graph, trigger, guard, false);
                    let known = by_group.entry(group).or_default();
                    if proven.as_ref().is_none_or(|proven| !proven.is_empty()) && known.len() < MOST_EARLIER {
                        known.push((member, proven));
                    }
                }
            }
        }
        let mut conditions = graph.indexed().flat_map(|(index, node)| (0..).zip(&node.triggers).map(move |it| (index, it)));
        let stray = conditions.find(|(_, (_, it))| it.source == Source::Unknown && matches!(it.condition, Some(Condition::When(_))));
        Self { by_group, stray: stray.map(|(index, (place, _))| (index, place)) }
    }

    /// The steps that have answered because the members which are asked before a trigger were not true; nothing if something is wrong
    /// with one of these.
    pub(super) fn before(&self, graph: &Graph<'_>, node: u32, trigger: u32, condition: Option<&Condition>) -> Option<Vec<u32>> {
        let is_else = match condition {
            // It is asked last, wherever it stands.
            Some(Condition::Else) => true,
            Some(Condition::When(_)) => false,
            // A limit alone makes it a member of the choice.
            None if graph.node(node).is_some_and(|node| node.limit.is_some()) => false,
            _ => return Some(Vec::new()),
        };
        if self.stray.is_some_and(|stray| is_else || stray < (node, trigger)) {
            return None;
        }
        let group = graph.groups.id(node, trigger).and_then(|group| self.by_group.get(&group));
        let before = group.into_iter().flatten().take_while(|(member, _)| is_else || (member.node, member.trigger) < (node, trigger));
        let mut all = Vec::new();
        for (_, proven) in before {
            all.extend(proven.as_ref()?);
        }
        Some(all)
    }
}

/// A read, and where it stands.
type Found = (Goal, Read);

/// What is wrong with reads.
#[derive(Default)]
struct Said {
    /// For each node without `on` the steps that it reads, and where.
    at_start: BTreeMap<u32, Vec<(u32, Place)>>,
    /// What else is to be reported about a node.
    others: Vec<(u32, Diagnostic)>,
}

/// Reports each read of a step that may not have happened, or cannot have. Each step is reported once a node. Returns the nodes that read so.
pub(super) fn check(flow: &Flow<'_>, dominators: &Dominators) -> FxHashSet<u32> {
    let graph = &flow.graph;
    let answered = Answered::new(graph);
    // Most reads are fine, and the ways alone show it. The others by their steps, each with its reads in the order of the nodes.
    let mut open: FxHashMap<u32, Vec<Found>> = FxHashMap::default();
    let mut steps = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    for (index, node) in graph.indexed().filter(|(index, _)| graph.fires(*index) && !graph.doubts.is_unread(*index)) {
        for (place, trigger) in node.triggers.iter().enumerate() {
            // Of a condition that is wrong nobody knows what it shows before it reads.
            if matches!(flow.proofs.get(&(index, place as u32)), Some(Proof::Anything)) {
                continue;
            }
            let proven = flow.earlier.before(graph, index, place as u32, trigger.condition.as_ref()).unwrap_or_default();
            reads::of_trigger(trigger, proven, &mut |read| found.push((Goal { node: index, trigger: Some(place as u32) }, read)));
        }
        reads::of_node(node, &mut |read| found.push((Goal { node: index, trigger: None }, read)));
        for (goal, read) in found.drain(..) {
            let cause = goal.cause(graph);
            let is_sure = cause.map_or_else(|| answered.when(index, read.step), |cause| answered.by(&cause, read.step));
            if is_sure || matches!(cause, Some(Cause::Never(_))) || graph.doubts.has_mistake(read.place) {
                continue;
            }
            let reads = open.entry(read.step).or_default();
            if reads.is_empty() {
                steps.push(read.step);
            }
            reads.push((goal, read));
        }
    }
    let mut budget = Budget::new(graph);
    let mut premature = FxHashSet::default();
    let mut said = Said::default();
    for steps in steps.chunks(Lineage::block(graph)) {
        let check = Check { flow, sure: Lineage::sure(graph, &flow.proofs, steps), steps };
        check.report(&open, &mut budget, &mut premature, &mut said);
    }
    // What is not there because an earlier node fires at the start follows from that.
    let follows = |node: u32| said.at_start.keys().any(|first| dominators.is_before(*first, node));
    for (_, diagnostic) in said.others.into_iter().filter(|(node, _)| !follows(*node)) {
        flow.report(diagnostic);
    }
    for (node, reads) in said.at_start {
        report_at_start(flow, dominators, node, reads);
    }
    premature
}

/// Reports a node that has no `on` and reads steps: one mistake, however much it reads.
fn report_at_start(flow: &Flow<'_>, dominators: &Dominators, node: u32, mut reads: Vec<(u32, Place)>) {
    reads.sort_by_key(|(_, place)| place.span.start);
    let last = reads.iter().find(|(last, _)| reads.iter().all(|(step, _)| dominators.is_before(*step, *last)));
    let last = last.map(|(step, _)| flow.name(*step));
    let reads: Vec<(Arc<str>, Place)> = reads.iter().map(|(step, place)| (flow.name(*step), *place)).collect();
    let kind = match flow.graph.node(node).map(|node| node.kind) {
        Some(NodeKind::End) => "end",
        Some(NodeKind::Fail) => "fail",
        Some(NodeKind::Step) | None => "step",
    };
    flow.report(message::fires_at_the_start(&flow.name(node), kind, flow.name_place(node), &reads, last.as_deref()));
}

/// The reads of some steps.
struct Check<'f, 'a> {
    flow: &'f Flow<'a>,
    steps: &'f [u32],
    sure: Lineage,
}

impl Check<'_, '_> {
    fn report(&self, open: &FxHashMap<u32, Vec<Found>>, budget: &mut Budget, premature: &mut FxHashSet<u32>, said: &mut Said) {
        let graph = &self.flow.graph;
        let has = |lineage: &Lineage, goal: &Goal, step: u32| match goal.cause(graph) {
            Some(cause) => lineage.holds(&cause, step),
            None => lineage.has(goal.node, step),
        };
        let reads = self.steps.iter().filter_map(|step| open.get(step)).flatten();
        let unsure = reads.filter(|(goal, read)| !has(&self.sure, goal, read.step)).collect::<Vec<_>>();
        if unsure.is_empty() {
            return;
        }
        let possible = Lineage::possible(graph, self.steps);
        let closed = unsure.iter().any(|(_, read)| read.exchange).then(|| Lineage::closed(graph, self.steps));
        let mut reported = FxHashSet::default();
        for (goal, read) in unsure {
            let lineage = closed.as_ref().filter(|_| read.exchange).unwrap_or(&possible);
            let may_have = has(lineage, goal, read.step);
            if may_have && read.optional || !reported.insert((goal.node, read.step)) {
                continue;
            }
            premature.insert(goal.node);
            let (step, node) = (self.flow.name(read.step), self.flow.name(goal.node));
            if may_have {
                let way = budget.way_without(self.flow, &self.sure, *goal, read.step);
                let way = self.flow.describe(&way);
                let missing = message::may_not_have_happened(&step, &node, read.place, goal.trigger.is_some(), &way);
                said.others.push((goal.node, missing));
            } else {
                let why = reason(graph, goal.node, goal.cause(graph).as_ref(), read.step);
                if why == NeverBefore::NoWay && graph.node(goal.node).is_some_and(|node| node.triggers.is_empty()) {
                    said.at_start.entry(goal.node).or_default().push((read.step, read.place));
                    continue;
                }
                let missing = message::never_happened(&step, &node, read.place, self.flow.name_place(read.step), why);
                said.others.push((goal.node, missing));
            }
        }
    }
}

/// Why a step never comes before a node, or before the trigger whose condition is looked at.
fn reason(graph: &Graph<'_>, node: u32, cause: Option<&Cause<'_>>, step: u32) -> NeverBefore {
    let all = |test: &dyn Fn(&Cause<'_>) -> bool| match cause {
        Some(cause) => test(cause),
        None => graph.causes_of(node).iter().all(test),
    };
    if node == step {
        NeverBefore::Itself
    } else if all(&|cause| *cause == Cause::Failed(step)) {
        NeverBefore::Failed
    } else if all(&|cause| *cause == Cause::Late(step)) {
        NeverBefore::Late
    } else if all(&|cause| matches!(*cause, Cause::Inner(of) | Cause::Closed(of) if of == step)) {
        NeverBefore::Open
    } else if all(&|cause| *cause == Cause::Emitted(step)) {
        NeverBefore::Emitted
    } else if all(&|cause| matches!(cause, Cause::Outside | Cause::Runtime | Cause::Emitted(_))) {
        NeverBefore::Outside
    } else if all(&|cause| *cause == Cause::Clock) {
        NeverBefore::Clock
    } else {
        NeverBefore::NoWay
    }
}
