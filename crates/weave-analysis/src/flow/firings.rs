//! How often nodes fire in a run, at most: whether a limit can be used up.

use super::components::Components;
use super::dominators::Dominators;
use super::graph::{Cause, Graph};

/// A number of firings; none for "without a bound".
pub(super) type Bound = Option<u64>;

/// How often each vertex fires at most.
pub(super) struct Firings {
    bounds: Vec<Bound>,
}

impl Firings {
    /// A node with a limit cuts the cycles that it lies on: it fires no more often than that. What lies on a cycle without one has no bound.
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        let is_cut = |vertex: u32| graph.node(vertex).is_some_and(|node| node.limit.is_some());
        let edges = (0..graph.len() as u32).map(|vertex| {
            let targets = if is_cut(vertex) { &[] } else { graph.after_of(vertex) };
            targets.iter().copied().filter(|target| !is_cut(*target)).collect::<Vec<_>>()
        });
        let components = Components::new(&edges.collect::<Vec<_>>());
        let limits = (0..graph.len() as u32).map(|vertex| graph.node(vertex).and_then(|node| node.limit));
        let mut firings = Self { bounds: limits.collect() };
        // A component leads only to those with smaller numbers.
        let mut order = (0..graph.len() as u32).filter(|vertex| !is_cut(*vertex)).collect::<Vec<_>>();
        order.sort_by_key(|vertex| std::cmp::Reverse(components.of.get(*vertex as usize).copied()));
        for vertex in order {
            let bound = if components.on_cycle(vertex) { None } else { firings.asked(graph, vertex) };
            if let Some(slot) = firings.bounds.get_mut(vertex as usize) {
                *slot = bound;
            }
        }
        firings
    }

    /// How often a vertex fires.
    pub(super) fn of_vertex(&self, vertex: u32) -> Bound {
        self.bounds.get(vertex as usize).copied().flatten()
    }

    /// How often a vertex would fire without its limit.
    pub(super) fn asked(&self, graph: &Graph<'_>, vertex: u32) -> Bound {
        graph.causes_of(vertex).iter().try_fold(0, |sum: u64, cause| sum.checked_add(self.of(graph, cause)?))
    }

    /// Whether a node may have used up its limit when one of its triggers is satisfied.
    pub(super) fn runs_out(&self, graph: &Graph<'_>, dominators: &Dominators, node: u32, trigger: u32) -> bool {
        let limit = graph.node(node).and_then(|node| node.limit);
        limit.is_some_and(|limit| self.asked(graph, node).is_none_or(|asked| asked > limit))
            && !self.is_before_all(graph, dominators, node, trigger)
    }

    /// Whether what satisfies a trigger happens once, before the node has ever fired.
    fn is_before_all(&self, graph: &Graph<'_>, dominators: &Dominators, node: u32, trigger: u32) -> bool {
        let follows = |source: u32| dominators.fork(&[node, source]) == Some(node);
        graph.causes_of(node).iter().enumerate().all(|(index, cause)| {
            if index as u32 == trigger {
                matches!(cause, Cause::Start) || self.of(graph, cause) == Some(1)
            } else {
                cause.sources().next().is_some() && cause.sources().all(follows)
            }
        })
    }

    fn of(&self, graph: &Graph<'_>, cause: &Cause<'_>) -> Bound {
        let of = |vertex: u32| self.bounds.get(vertex as usize).copied().flatten();
        match *cause {
            Cause::Never(_) => Some(0),
            Cause::Start | Cause::Clock => Some(1),
            Cause::Outside | Cause::Runtime | Cause::Unknown | Cause::Inner(_) | Cause::Closed(_) => None,
            Cause::Answer(step) | Cause::Hub(step) => of(step),
            // Each element of a fan-out speaks for itself.
            Cause::Emitted(step) | Cause::Failed(step) | Cause::Late(step) => {
                of(step).filter(|_| graph.node(step).is_none_or(|node| node.each.is_none()))
            }
            Cause::All(members) | Cause::Settled(members) => members.iter().filter_map(|member| of(*member)).min(),
            Cause::Count(_, members) => members.iter().try_fold(0, |sum: u64, member| sum.checked_add(of(*member)?)),
        }
    }
}
