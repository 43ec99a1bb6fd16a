//! Cycles that nothing bounds.

use rustc_hash::FxHashSet;

use super::Flow;
use super::components::Components;
use super::dominators::Dominators;
use super::graph::Cause;
use super::lineage::Lineage;
use super::speakers::waits_for_the_world;
use crate::messages::flow as message;
use crate::model::workflow::{Node, Source};

/// Reports one cycle of each knot of nodes in which no node has a limit or waits for the world outside.
///
/// A delay bounds a cycle, for it takes time. So does a join whose fork lies outside of the cycle: it fires once for each firing of it.
pub(super) fn check(flow: &Flow<'_>, dominators: &Dominators, dead: &[bool]) {
    let graph = &flow.graph;
    let bounds = |vertex: u32, node: &Node| {
        node.limit.is_some()
            || waits_for_the_world(graph.model, node)
            || graph.doubts.is_touched(vertex)
            || graph.doubts.is_action_unknown(vertex)
    };
    let bounded = |vertex: u32| graph.node(vertex).is_some_and(|node| bounds(vertex, node));
    let handled = Handled::new(flow);
    let mut after = vec![Vec::new(); graph.len()];
    let mut joins = Vec::new();
    for vertex in (0..graph.len() as u32).filter(|vertex| graph.fires(*vertex) && !bounded(*vertex)) {
        for cause in graph.causes_of(vertex) {
            if matches!(cause, Cause::Late(_) | Cause::Never(_)) {
                continue;
            }
            if let Some(members) = cause.members() {
                joins.push((vertex, members));
            }
            for source in cause.sources().filter(|source| graph.fires(*source) && !bounded(*source)) {
                // Whoever handles a failure may fail too; that is not the way that a loop takes.
                let is_own = matches!(cause, Cause::Failed(_)) && graph.node(vertex).is_none() && handled.includes(source);
                if !is_own && let Some(after) = after.get_mut(source as usize) {
                    after.push(vertex);
                }
            }
        }
    }
    let mut components = Components::new(&after);
    if !components.has_cycle.contains(&true) {
        return;
    }
    let mut cut = FxHashSet::default();
    for (vertex, members) in joins.into_iter().filter(|(vertex, _)| components.on_cycle(*vertex)) {
        if !dominators.fork(members).is_some_and(|fork| components.together(fork, vertex)) {
            cut.extend(members.iter().map(|member| (*member, vertex)));
        }
    }
    if !cut.is_empty() {
        for (member, after) in after.iter_mut().enumerate() {
            after.retain(|target| !cut.contains(&(member as u32, *target)));
        }
        components = Components::new(&after);
    }
    let mut seen = vec![false; components.has_cycle.len()];
    for (index, node) in graph.indexed().filter(|(index, _)| components.on_cycle(*index)) {
        let Some(seen) = components.of.get(index as usize).and_then(|component| seen.get_mut(*component as usize)) else { continue };
        // Where a run is trapped anyway, that has been reported.
        if std::mem::replace(seen, true) || dead.get(index as usize).copied().unwrap_or(false) {
            continue;
        }
        let cycle = components.cycle(index, &after);
        flow.report(message::unbounded_loop(&node.name, node.name_place, &flow.labels(&cycle)));
    }
}

/// The steps behind a handler of all failures, and the handlers.
struct Handled {
    handlers: Vec<u32>,
    lineage: Option<Lineage>,
}

impl Handled {
    fn new(flow: &Flow<'_>) -> Self {
        let handles = |node: &Node| node.triggers.iter().any(|trigger| trigger.source == Source::AnyFailure);
        let handlers = flow.graph.indexed().filter(|(_, node)| handles(node)).map(|(index, _)| index).collect::<Vec<_>>();
        let lineage = (!handlers.is_empty()).then(|| Lineage::any_sure(&flow.graph, &handlers));
        Self { handlers, lineage }
    }

    fn includes(&self, step: u32) -> bool {
        let (Some(lineage), Some(first)) = (&self.lineage, self.handlers.first()) else { return false };
        self.handlers.binary_search(&step).is_ok() || lineage.has(step, *first)
    }
}
