//! Loops that hang when what bounds them has run out.
//!
//! A node with a limit fires so often and no more; a join fires once for each firing of its fork. What leads to such a node within a
//! loop is answered once more afterwards, and then something else must go on.

use rustc_hash::FxHashSet;

use super::Flow;
use super::components::Components;
use super::dominators::Dominators;
use super::endings::{Endings, at};
use super::graph::{Cause, Graph};
use crate::messages::flow::{self as message, Bound};

/// Reports one node of each knot of loops that cannot be left when it has run out. Returns these nodes.
pub(super) fn check(flow: &Flow<'_>, dominators: &Dominators, endings: &Endings, dead: &[bool]) -> Vec<u32> {
    let graph = &flow.graph;
    let has_joins = || graph.causes.iter().flatten().any(|cause| cause.members().is_some());
    if !graph.nodes.iter().any(|node| node.limit.is_some()) && !has_joins() {
        return Vec::new();
    }
    let components = Components::new(&graph.after);
    if !components.has_cycle.contains(&true) {
        return Vec::new();
    }
    // In each knot the node that runs out first.
    let mut first: Vec<Option<(u64, u32, Bound)>> = vec![None; components.has_cycle.len()];
    for (index, node) in graph.indexed().filter(|(index, _)| components.on_cycle(*index) && graph.fires(*index)) {
        let bound = match node.limit {
            Some(2..) if is_joined_from_outside(graph, dominators, &components, index) => Some((1, Bound::Join)),
            Some(limit) => Some((limit, Bound::Limit(limit))),
            None => is_joined_from_outside(graph, dominators, &components, index).then_some((1, Bound::Join)),
        };
        let slot = components.of.get(index as usize).and_then(|component| first.get_mut(*component as usize));
        if let (Some((limit, bound)), Some(slot)) = (bound, slot)
            && slot.is_none_or(|(least, ..)| limit < least)
        {
            *slot = Some((limit, index, bound));
        }
    }
    if first.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut exhausted = Vec::new();
    let knots = Knots::new(graph, &components, endings);
    for (_, node, bound) in first.into_iter().flatten() {
        let in_doubt = graph.doubts.is_touched(node) || graph.doubts.is_action_unknown(node) || at(dead, node);
        if let Some(step) = knots.stuck_without(node).filter(|_| !in_doubt) {
            let (name, place) = (flow.name(node), flow.name_place(node));
            flow.report(message::exhausted(&name, place, bound, &flow.name(step), flow.name_place(step)));
            exhausted.push(node);
        }
    }
    exhausted
}

/// Whether within its loops a node fires only through joins whose fork lies before them.
fn is_joined_from_outside(graph: &Graph<'_>, dominators: &Dominators, components: &Components, node: u32) -> bool {
    let is_own = |cause: &&Cause<'_>| cause.sources().any(|source| components.together(source, node));
    let is_outside = |members: &[u32]| dominators.fork(members).is_none_or(|fork| !components.together(fork, node));
    let mut own = graph.causes_of(node).iter().filter(is_own).peekable();
    own.peek().is_some() && own.all(|cause| cause.members().is_some_and(is_outside))
}

/// A way from one vertex of a knot to another.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    /// Whether it is taken when the one has answered, and not before.
    answered: bool,
}

/// Knots of loops.
struct Knots<'g, 'a> {
    graph: &'g Graph<'a>,
    components: &'g Components,
    endings: &'g Endings,
    /// The edges within the knots by the vertex that they start from, and by the one that they lead to.
    after: Vec<Vec<Edge>>,
    before: Vec<Vec<Edge>>,
    /// Whether a run can leave a knot from a vertex, somehow and by its answer.
    leaves: Vec<bool>,
    leaves_answered: Vec<bool>,
}

impl<'g, 'a> Knots<'g, 'a> {
    fn new(graph: &'g Graph<'a>, components: &'g Components, endings: &'g Endings) -> Self {
        let count = graph.len();
        let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let (mut leaves, mut leaves_answered) = (vec![false; count], vec![false; count]);
        for to in (0..count as u32).filter(|vertex| graph.fires(*vertex)) {
            for cause in graph.causes_of(to).iter().filter(|cause| !matches!(cause, Cause::Never(_))) {
                if let Cause::Failed(from) = *cause {
                    // What handles the failure of one step is a way out of a loop in which that step is asked again and again.
                    if graph.node(to).is_some() && !components.together(from, to) && endings.is_ending(to) {
                        mark(&mut leaves, from);
                    }
                    continue;
                }
                let answered = !matches!(cause, Cause::Late(_) | Cause::Inner(_) | Cause::Closed(_));
                for from in cause.sources() {
                    let edge = Edge { from, to, answered };
                    if components.together(from, to) {
                        push(&mut after, from, edge);
                        push(&mut before, to, edge);
                    } else if endings.is_ending(to) {
                        mark(&mut leaves, from);
                        if answered {
                            mark(&mut leaves_answered, from);
                        }
                    }
                }
            }
        }
        Self { graph, components, endings, after, before, leaves, leaves_answered }
    }

    /// A step that leads to a node of a knot, and behind whose answer nothing goes on without that node.
    fn stuck_without(&self, node: u32) -> Option<u32> {
        // What fires after it within the knot, without itself.
        let mut members: Vec<u32> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![node];
        while let Some(vertex) = open.pop() {
            for edge in edges(&self.after, vertex).iter().filter(|edge| edge.to != node) {
                if seen.insert(edge.to) {
                    members.push(edge.to);
                    open.push(edge.to);
                }
            }
        }
        let can_leave = |vertex: &u32| at(&self.leaves, *vertex) || self.graph.is_end(*vertex) || !self.endings.hangs(*vertex);
        let mut leaving = FxHashSet::default();
        let mut open = members.iter().copied().filter(can_leave).collect::<Vec<_>>();
        while let Some(vertex) = open.pop() {
            if leaving.insert(vertex) {
                open.extend(edges(&self.before, vertex).iter().map(|edge| edge.from).filter(|from| seen.contains(from)));
            }
        }
        let is_stuck = |vertex: &u32| {
            let goes_on = edges(&self.after, *vertex).iter().any(|edge| edge.answered && edge.to != node && leaving.contains(&edge.to));
            !goes_on && !at(&self.leaves_answered, *vertex) && self.endings.hangs(*vertex)
        };
        let leads = |vertex: &u32| edges(&self.after, *vertex).iter().any(|edge| edge.answered && self.is_way_to(edge.to, node));
        let is_step = |vertex: &u32| self.graph.node(*vertex).is_some() && self.components.together(*vertex, node);
        members.into_iter().filter(is_step).filter(|vertex| leads(vertex) && is_stuck(vertex)).min()
    }

    /// Whether a vertex is a node, or a hub that leads to it.
    fn is_way_to(&self, vertex: u32, node: u32) -> bool {
        vertex == node || self.graph.node(vertex).is_none() && edges(&self.after, vertex).iter().any(|edge| edge.to == node)
    }
}

fn edges(lists: &[Vec<Edge>], vertex: u32) -> &[Edge] {
    lists.get(vertex as usize).map(Vec::as_slice).unwrap_or_default()
}

fn push(lists: &mut [Vec<Edge>], vertex: u32, edge: Edge) {
    if let Some(list) = lists.get_mut(vertex as usize) {
        list.push(edge);
    }
}

fn mark(list: &mut [bool], vertex: u32) {
    if let Some(slot) = list.get_mut(vertex as usize) {
        *slot = true;
    }
}
