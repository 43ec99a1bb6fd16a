//! Whether nodes are reached, whether a run can end, and what ends it too early.

use rustc_hash::FxHashMap;

use super::Flow;
use super::components::Components;
use super::graph::Cause;
use super::groups::{Groups, Key};
use crate::messages::flow as message;
use weave_syntax::ast::NodeKind;

/// Reports the nodes that only lead to themselves. What lies behind them, or behind a trigger that never fires, follows from that.
pub(super) fn check_reached(flow: &Flow<'_>) -> bool {
    let graph = &flow.graph;
    if (0..graph.len() as u32).all(|vertex| graph.fires(vertex)) {
        return false;
    }
    let components = Components::new(&graph.after);
    let mut excused = vec![false; components.has_cycle.len()];
    for vertex in (0..graph.len() as u32).filter(|vertex| !graph.fires(*vertex)) {
        for cause in graph.causes_of(vertex) {
            let follows = matches!(cause, Cause::Never(_))
                || cause.sources().any(|source| !graph.fires(source) && !components.together(source, vertex));
            if let Some(excused) = components.of.get(vertex as usize).and_then(|component| excused.get_mut(*component as usize)) {
                *excused |= follows;
            }
        }
    }
    let mut found = false;
    for (index, node) in graph.indexed().filter(|(index, _)| !graph.fires(*index)) {
        let Some(excused) = components.of.get(index as usize).and_then(|component| excused.get_mut(*component as usize)) else { continue };
        if std::mem::replace(excused, true) {
            continue;
        }
        // A join that is reached by some of its members only waits for those that are behind it.
        let cycle = components.cycle(index, &graph.after);
        found = true;
        flow.report(message::unreachable(&node.name, node.name_place, &flow.labels(&cycle)));
    }
    found
}

/// Reports a workflow that no node ends.
pub(super) fn check_has_end(flow: &Flow<'_>) -> bool {
    let has_end = flow.graph.nodes.iter().any(|node| node.kind != NodeKind::Step);
    if !has_end {
        flow.report(message::no_end(flow.workflow, flow.place));
    }
    has_end
}

/// Reports the nodes after which a run hangs: neither `end` nor `fail` can be reached from them, and nothing else goes on.
///
/// A failure that nobody handles ends a run too, but is no way to go on; so what follows only on a node's failure does not count.
/// Returns for each vertex whether it is one from which the run cannot end.
pub(super) fn check_dead_ends(flow: &Flow<'_>, groups: &Groups<'_>) -> Vec<bool> {
    let graph = &flow.graph;
    let ending = can_end(flow);
    let mut dead = (0..graph.len() as u32).map(|vertex| graph.fires(vertex) && !at(&ending, vertex)).collect::<Vec<_>>();
    if dead.iter().all(|dead| !dead) {
        return dead;
    }
    // As long as something may come from outside that ends the run, it does not hang.
    let stays_open =
        |vertex: u32| at(&ending, vertex) && graph.causes_of(vertex).iter().any(|cause| matches!(cause, Cause::Outside | Cause::Clock));
    if (0..graph.nodes.len() as u32).any(stays_open) {
        return vec![false; graph.len()];
    }
    let live = goes_on_elsewhere(flow, groups, &ending);
    for (vertex, dead) in dead.iter_mut().enumerate() {
        *dead &= !at(&live, vertex as u32);
    }
    // The last ones tell it all: those from which no other dead one is reached.
    let edges = (0..graph.len() as u32).map(|vertex| {
        let targets = graph.after_of(vertex).iter().copied().filter(|target| at(&dead, vertex) && at(&dead, *target));
        targets.filter(|target| goes_on(flow, vertex, *target)).collect::<Vec<_>>()
    });
    let edges = edges.collect::<Vec<_>>();
    let components = Components::new(&edges);
    let mut seen = vec![false; components.has_cycle.len()];
    for (vertex, targets) in edges.iter().enumerate() {
        if targets.iter().any(|target| !components.together(vertex as u32, *target))
            && let Some(seen) = components.of.get(vertex).and_then(|component| seen.get_mut(*component as usize))
        {
            *seen = true;
        }
    }
    for (index, node) in graph.indexed().filter(|(index, _)| at(&dead, *index)) {
        let Some(seen) = components.of.get(index as usize).and_then(|component| seen.get_mut(*component as usize)) else { continue };
        if !std::mem::replace(seen, true) {
            let cycle = if components.on_cycle(index) { components.cycle(index, &edges) } else { Vec::new() };
            flow.report(message::dead_end(&node.name, node.name_place, &flow.labels(&cycle)));
        }
    }
    dead
}

/// Whether one vertex makes another fire in another way than by its failure.
fn goes_on(flow: &Flow<'_>, from: u32, to: u32) -> bool {
    let causes = flow.graph.causes_of(to).iter();
    causes.filter(|cause| !matches!(cause, Cause::Failed(_))).any(|cause| cause.sources().any(|source| source == from))
}

/// The vertices from which an `end` or a `fail` can be reached.
fn can_end(flow: &Flow<'_>) -> Vec<bool> {
    let graph = &flow.graph;
    let mut ending = vec![false; graph.len()];
    let mut open = (0..graph.nodes.len() as u32).filter(|node| graph.is_end(*node) && graph.fires(*node)).collect::<Vec<_>>();
    while let Some(vertex) = open.pop() {
        if std::mem::replace(ending.get_mut(vertex as usize).unwrap_or(&mut true), true) {
            continue;
        }
        for cause in graph.causes_of(vertex).iter().filter(|cause| !matches!(cause, Cause::Failed(_) | Cause::Never(_))) {
            open.extend(cause.sources().filter(|source| graph.fires(*source)));
        }
    }
    ending
}

/// The vertices beside which something else goes on that can end the run, whenever they fire.
pub(super) fn live(flow: &Flow<'_>, groups: &Groups<'_>) -> Vec<bool> {
    goes_on_elsewhere(flow, groups, &can_end(flow))
}

fn goes_on_elsewhere(flow: &Flow<'_>, groups: &Groups<'_>, ending: &[bool]) -> Vec<bool> {
    let graph = &flow.graph;
    let mut live = vec![true; graph.len()];
    let companions = Companions::new(graph.nodes.len() as u32, groups, ending);
    let mut changed = true;
    while changed {
        changed = false;
        for vertex in graph.order.iter().copied().filter(|vertex| graph.fires(*vertex)) {
            let is_live = graph.causes_of(vertex).iter().enumerate().all(|(trigger, cause)| {
                let beside = companions.beside(groups, vertex, trigger as u32);
                beside
                    || match cause {
                        Cause::Never(_) => true,
                        // What they stand on is still open, or goes its own way.
                        Cause::Inner(step) | Cause::Late(step) | Cause::Emitted(step) => at(&live, *step) || at(ending, *step),
                        cause => cause.sources().any(|source| at(&live, source)),
                    }
            });
            if !is_live && at(&live, vertex) {
                changed = true;
                if let Some(live) = live.get_mut(vertex as usize) {
                    *live = false;
                }
            }
        }
    }
    live
}

/// The nodes from which the run can end, by what they listen to. Two of them are enough, for one of two is not the node that asks.
#[derive(Default)]
struct Companions<'a> {
    /// Whatever their part in a choice.
    all: FxHashMap<Key<'a>, Vec<u32>>,
    /// Outside of the choice.
    free: FxHashMap<Key<'a>, Vec<u32>>,
}

impl<'a> Companions<'a> {
    fn new(nodes: u32, groups: &Groups<'a>, ending: &[bool]) -> Self {
        let mut companions = Self::default();
        let note = |known: &mut FxHashMap<Key<'a>, Vec<u32>>, key: Key<'a>, node: u32| {
            let nodes = known.entry(key).or_default();
            if nodes.len() < 2 && !nodes.contains(&node) {
                nodes.push(node);
            }
        };
        for node in (0..nodes).filter(|node| at(ending, *node)) {
            for (trigger, key) in groups.keys(node).iter().enumerate() {
                note(&mut companions.all, *key, node);
                if groups.member(node, trigger as u32).is_some_and(|member| !member.in_choice) {
                    note(&mut companions.free, *key, node);
                }
            }
        }
        companions
    }

    /// Whether another node from which the run can end may fire in the same moment.
    fn beside(&self, groups: &Groups<'a>, node: u32, trigger: u32) -> bool {
        let (Some(own), Some(key)) = (groups.member(node, trigger), groups.key(node, trigger)) else { return false };
        let known = if own.in_choice { &self.free } else { &self.all };
        known.get(&key).is_some_and(|others| others.iter().any(|other| *other != node))
    }
}

/// Reports nodes that stand beside an `end` or a `fail` which fires in the same moment, whatever happens.
pub(super) fn check_beside_ends(flow: &Flow<'_>, groups: &Groups<'_>) {
    let graph = &flow.graph;
    for (index, node) in graph.indexed() {
        // Of two ends the later one stands beside the other.
        let ends = |key: Key<'_>| groups.end(key).filter(|end| *end < index || !graph.is_end(index));
        let end = groups.keys(index).iter().enumerate().find_map(|(trigger, key)| {
            // An answer of a step may be meant in several ways: by the step, by the topic, by both.
            let wider = || match (key, graph.causes_of(index).get(trigger)) {
                (Key::TopicFrom(topic, step), Some(Cause::Answer(_))) => ends(Key::Step(*step)).or_else(|| ends(Key::Topic(*topic))),
                (Key::Step(step), Some(Cause::Answer(_))) => match graph.answers_of(*step) {
                    [only] => ends(Key::Topic(*only)).or_else(|| ends(Key::TopicFrom(*only, *step))),
                    _ => None,
                },
                _ => None,
            };
            ends(*key).or_else(wider).map(|end| (trigger, end))
        });
        if let Some((trigger, end)) = end {
            let place = node.triggers.get(trigger).map_or(node.name_place, |trigger| trigger.place);
            flow.report(message::beside_end(&node.name, place, &flow.name(end), flow.name_place(end)));
        }
    }
}

fn at(values: &[bool], vertex: u32) -> bool {
    values.get(vertex as usize).copied().unwrap_or(false)
}
