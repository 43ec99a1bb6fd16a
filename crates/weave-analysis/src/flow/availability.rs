//! Whether what a node reads has happened.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Flow;
use super::graph::{Cause, Graph};
use super::groups::{Groups, Key, Member};
use super::lineage::{Lineage, Proofs};
use super::reads::{self, Read};
use super::ways::{self, Goal};
use crate::choices::may_run_out;
use crate::messages::flow::{self as message, NeverBefore};
use crate::model::workflow::Condition;

/// How many members of a choice prove something to those behind them. Each of them is looked at anew, so without a bound a choice of thousands
/// would take the square of their number.
const MOST_EARLIER: usize = 32;

/// What the conditions of the triggers prove: those that are true, and those before them in their choice, which were not true.
pub(super) fn proofs<'a>(graph: &Graph<'a>, groups: &Groups<'a>) -> Proofs {
    let mut proofs = Proofs::default();
    let earlier = Earlier::new(graph, groups);
    for (index, node) in graph.indexed() {
        for (place, trigger) in node.triggers.iter().enumerate() {
            let mut proven = earlier.before(groups, index, place as u32, trigger.condition.as_ref());
            if let Some(Condition::When(guard) | Condition::AlsoWhen(guard)) = &trigger.condition {
                proven.extend(reads::proofs(guard, true));
            }
            if !proven.is_empty() {
                proofs.insert((index, place as u32), proven);
            }
        }
    }
    proofs
}

/// What the members of each choice prove by not being true.
pub(super) struct Earlier<'a> {
    by_key: FxHashMap<Key<'a>, Vec<(Member, Vec<u32>)>>,
}

impl<'a> Earlier<'a> {
    pub(super) fn new(graph: &Graph<'a>, groups: &Groups<'a>) -> Self {
        let mut by_key: FxHashMap<Key<'a>, Vec<(Member, Vec<u32>)>> = FxHashMap::default();
        // A member whose limit is used up is passed over, whatever its guard says.
        for (index, node) in graph.indexed().filter(|(_, node)| node.limit.is_none()) {
            for (place, trigger) in node.triggers.iter().enumerate() {
                // An error that nothing absorbs ends a guard, whatever its parts say.
                if let Some(Condition::When(guard)) = &trigger.condition
                    && !may_run_out(graph.model, &guard.expression)
                    && let Some(key) = groups.key(index, place as u32)
                    && let Some(member) = groups.member(index, place as u32)
                {
                    let proven = reads::proofs(guard, false);
                    let known = by_key.entry(key).or_default();
                    if !proven.is_empty() && known.len() < MOST_EARLIER {
                        known.push((member, proven));
                    }
                }
            }
        }
        Self { by_key }
    }

    /// The steps that have answered because the members which are asked before a trigger were not true.
    pub(super) fn before(&self, groups: &Groups<'a>, node: u32, trigger: u32, condition: Option<&Condition>) -> Vec<u32> {
        let is_else = match condition {
            // It is asked last, wherever it stands.
            Some(Condition::Else) => true,
            Some(Condition::When(_)) => false,
            _ => return Vec::new(),
        };
        let members = groups.key(node, trigger).and_then(|key| self.by_key.get(&key)).map(Vec::as_slice).unwrap_or_default();
        let before = members.iter().take_while(|(member, _)| is_else || (member.node, member.trigger) < (node, trigger));
        before.flat_map(|(_, proven)| proven.iter().copied()).collect()
    }
}

/// Reports each read of a step that may not have happened, or cannot have. Each step is reported once a node.
pub(super) fn check<'a>(flow: &Flow<'a>, groups: &Groups<'a>) {
    let graph = &flow.graph;
    let mut earlier: Option<Earlier<'_>> = None;
    let mut found: Vec<(Goal, Read)> = Vec::new();
    let mut possible: Option<Lineage> = None;
    let mut reported: FxHashSet<u32> = FxHashSet::default();
    for (index, node) in graph.indexed().filter(|(index, _)| graph.fires(*index)) {
        for (place, trigger) in node.triggers.iter().enumerate() {
            let earlier = earlier.get_or_insert_with(|| Earlier::new(graph, groups));
            let proven = earlier.before(groups, index, place as u32, trigger.condition.as_ref());
            reads::of_trigger(trigger, proven, &mut |read| found.push((Goal { node: index, trigger: Some(place as u32) }, read)));
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
