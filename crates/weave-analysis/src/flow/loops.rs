//! Cycles that nothing bounds.

use super::Flow;
use super::components::Components;
use super::dominators::Dominators;
use super::graph::{Cause, waits_for_the_world};
use crate::messages::flow as message;

/// Reports one cycle of each knot of nodes in which no node has a limit or waits for the world outside.
///
/// A delay bounds a cycle, for it takes time. So does a join whose fork lies outside of the cycle: it fires once for each firing of it.
pub(super) fn check(flow: &Flow<'_>, dominators: &Dominators, dead: &[bool]) {
    let graph = &flow.graph;
    let bounded = |vertex: u32| graph.node(vertex).is_some_and(|node| node.limit.is_some() || waits_for_the_world(graph.model, node));
    let mut after = vec![Vec::new(); graph.len()];
    let mut joins = Vec::new();
    for vertex in (0..graph.len() as u32).filter(|vertex| graph.fires(*vertex) && !bounded(*vertex)) {
        for cause in graph.causes_of(vertex) {
            let is_join = match cause {
                Cause::Late(_) | Cause::Never(_) => continue,
                Cause::All(_) | Cause::Count(..) | Cause::Settled(_) => true,
                _ => false,
            };
            if is_join {
                joins.push((vertex, *cause));
            }
            for source in cause.sources().filter(|source| graph.fires(*source) && !bounded(*source)) {
                // Whoever handles a failure may fail too; that is not the way that a loop takes.
                let is_own = matches!(cause, Cause::Failed(_))
                    && graph.after_of(vertex).iter().any(|handler| graph.node(vertex).is_none() && flow.sure.includes(source, *handler));
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
    let before = joins.len();
    for (vertex, cause) in joins {
        let Some(members) = members(&cause) else { continue };
        let fork = dominators.fork(members);
        if components.on_cycle(vertex) && !fork.is_some_and(|fork| components.together(fork, vertex)) {
            for member in members {
                if let Some(after) = after.get_mut(*member as usize) {
                    after.retain(|target| *target != vertex);
                }
            }
        }
    }
    if before > 0 {
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

fn members<'a>(cause: &Cause<'a>) -> Option<&'a [u32]> {
    match cause {
        Cause::All(members) | Cause::Count(_, members) | Cause::Settled(members) => Some(members),
        _ => None,
    }
}
