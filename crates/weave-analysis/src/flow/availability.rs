//! Whether what a node reads has happened.

use rustc_hash::FxHashSet;

use super::Flow;
use super::graph::{Cause, Graph};
use super::lineage::{Lineage, Proofs};
use super::reads::{self, Read};
use super::ways::{self, Goal};
use crate::messages::flow::{self as message, NeverBefore};
use crate::model::workflow::Condition;

/// What the conditions of the triggers prove.
pub(super) fn proofs(graph: &Graph<'_>) -> Proofs {
    let mut proofs = Proofs::default();
    for (index, node) in graph.indexed() {
        for (place, trigger) in node.triggers.iter().enumerate() {
            if let Some(Condition::When(guard) | Condition::AlsoWhen(guard)) = &trigger.condition {
                let proven = reads::proofs(guard);
                if !proven.is_empty() {
                    proofs.insert((index, place as u32), proven);
                }
            }
        }
    }
    proofs
}

/// Reports each read of a step that may not have happened, or cannot have. Each step is reported once a node.
pub(super) fn check(flow: &Flow<'_>) {
    let graph = &flow.graph;
    let mut found: Vec<(Goal, Read)> = Vec::new();
    let mut possible: Option<Lineage> = None;
    let mut reported: FxHashSet<u32> = FxHashSet::default();
    for (index, node) in graph.indexed().filter(|(index, _)| graph.fires(*index)) {
        for (place, trigger) in node.triggers.iter().enumerate() {
            reads::of_trigger(trigger, &mut |read| found.push((Goal { node: index, trigger: Some(place as u32) }, read)));
        }
        reads::of_node(node, &mut |read| found.push((Goal { node: index, trigger: None }, read)));
        reported.clear();
        for (goal, read) in found.drain(..) {
            let cause = goal.cause(graph);
            if matches!(cause, Some(Cause::Never(_))) {
                continue;
            }
            let has = |lineage: &Lineage| match &cause {
                Some(cause) => lineage.holds(cause, read.step),
                None => lineage.has(index, read.step),
            };
            if has(&flow.sure) {
                continue;
            }
            let may_have = has(possible.get_or_insert_with(|| Lineage::possible(graph)));
            if may_have && read.optional || !reported.insert(read.step) {
                continue;
            }
            let step = flow.name(read.step);
            let step_place = flow.name_place(read.step);
            if may_have {
                let way = ways::without(flow, goal, read.step);
                flow.report(message::may_not_have_happened(&step, &node.name, read.place, goal.trigger.is_some(), &flow.describe(&way)));
            } else {
                let why = reason(graph, index, cause.as_ref(), read.step);
                flow.report(message::never_happened(&step, &node.name, read.place, step_place, why));
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
    } else if all(&|cause| *cause == Cause::Inner(step)) {
        NeverBefore::Open
    } else if all(&|cause| matches!(cause, Cause::Outside | Cause::Emitted(_))) {
        NeverBefore::Outside
    } else if all(&|cause| *cause == Cause::Clock) {
        NeverBefore::Clock
    } else {
        NeverBefore::NoWay
    }
}
