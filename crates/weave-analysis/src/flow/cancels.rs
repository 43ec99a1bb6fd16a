//! Steps that are cancelled when there is nothing to cancel.

use super::Flow;
use super::components::Components;
use super::dominators::{Answered, Dominators};
use super::graph::{Cause, Graph};
use crate::messages::flow::{self as message, NothingOpen};
use crate::model::workflow::Action;

/// Reports the steps in a `cancel` that are never open when it fires.
pub(super) fn check(flow: &Flow<'_>, dominators: &Dominators) {
    let graph = &flow.graph;
    if !graph.nodes.iter().any(|node| matches!(node.action, Action::Cancel(_))) {
        return;
    }
    let cycles = Components::new(&graph.after);
    let answered = Answered::surely(graph);
    let once = once(graph);
    for (index, node) in graph.indexed().filter(|(index, _)| graph.fires(*index)) {
        let Action::Cancel(steps) = &node.action else { continue };
        for reference in steps.iter().filter(|step| graph.fires(step.node) && !graph.doubts.is_action_unknown(step.node)) {
            let step = reference.node;
            let why = if step == index {
                NothingOpen::Itself
            } else if graph.answers_at_once(step) {
                NothingOpen::AtOnce
            } else if dominators.is_before(index, step) && !cycles.together(index, step) {
                NothingOpen::Later
            } else if once.get(step as usize).copied().unwrap_or(false) && answered.when(index, step) {
                NothingOpen::Answered
            } else {
                continue;
            };
            flow.report(message::nothing_to_cancel(&flow.name(step), flow.name_place(step), &node.name, reference.place, why));
        }
    }
}

/// The vertices that fire once a run at most.
fn once(graph: &Graph<'_>) -> Vec<bool> {
    let mut once = vec![false; graph.len()];
    for vertex in &graph.order {
        let is_once = match graph.causes_of(*vertex) {
            [Cause::Start | Cause::Clock] => true,
            [Cause::Answer(step) | Cause::Failed(step) | Cause::Late(step)] => once.get(*step as usize).copied().unwrap_or(false),
            [cause] => cause.members().is_some_and(|members| members.iter().all(|step| once.get(*step as usize).copied().unwrap_or(false))),
            _ => false,
        };
        if let Some(slot) = once.get_mut(*vertex as usize) {
            *slot = is_once;
        }
    }
    once
}
