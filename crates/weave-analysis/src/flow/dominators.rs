//! Which node comes before which in every run, and the fork that a join belongs to: the nearest node that each way from the start
//! to each of its members passes.
//!
//! The dominators are found as Cooper, Harvey and Kennedy do it: repeatedly, over the nodes in reverse postorder, until nothing
//! changes. Graphs of workflows settle in two or three rounds.

use super::graph::{BuiltIn, Cause, Graph};
use crate::model::Model;
use crate::model::workflow::Node;

/// The vertex before all others; the vertex with index `n` of the graph is `n + 1` here.
const START: usize = 0;

/// Which node comes before which in every run.
#[derive(Debug)]
pub struct Dominators {
    /// How many of the vertices are nodes.
    nodes: usize,
    /// The nearest dominator of each vertex; none where no way leads.
    nearest: Vec<Option<usize>>,
    /// The place of each vertex in reverse postorder.
    order: Vec<usize>,
}

impl Dominators {
    /// The dominators in the graph of triggers of a workflow.
    #[must_use]
    pub fn new(model: &Model, nodes: &[Node]) -> Self {
        Self::of(&Graph::new(model, &BuiltIn::new(model), nodes))
    }

    pub(super) fn of(graph: &Graph<'_>) -> Self {
        let mut dominators =
            Self { nodes: graph.nodes.len(), nearest: vec![None; graph.len() + 1], order: vec![usize::MAX; graph.len() + 1] };
        set(&mut dominators.nearest, START, Some(START));
        set(&mut dominators.order, START, 0);
        for (place, vertex) in graph.order.iter().enumerate() {
            set(&mut dominators.order, *vertex as usize + 1, place + 1);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for vertex in &graph.order {
                let mut nearest = None;
                for cause in graph.causes_of(*vertex) {
                    // What nobody here asked for comes at any time.
                    if matches!(cause, Cause::Start | Cause::Outside | Cause::Clock) {
                        nearest = Some(START);
                    }
                    for source in cause.sources().map(|source| source as usize + 1).filter(|source| dominators.is_reached(*source)) {
                        nearest = Some(nearest.map_or(source, |nearest| dominators.common(nearest, source)));
                    }
                }
                let vertex = *vertex as usize + 1;
                if dominators.nearest.get(vertex).copied().flatten() != nearest {
                    set(&mut dominators.nearest, vertex, nearest);
                    changed = true;
                }
            }
        }
        dominators
    }

    /// The nearest node that comes before all of these, or is one of them; none if that is the start of the run.
    #[must_use]
    pub fn fork(&self, members: &[u32]) -> Option<u32> {
        let vertices = members.iter().map(|member| *member as usize + 1).filter(|vertex| self.is_reached(*vertex));
        let mut common = vertices.reduce(|one, other| self.common(one, other))?;
        // What stands between steps and those that listen to many of them is no node.
        while common > self.nodes {
            common = self.before(common);
        }
        u32::try_from(common.checked_sub(1)?).ok()
    }

    /// The vertices on the ways from the nearest common dominator of two vertices to each of them, that follow it directly; none if
    /// one of the two comes before the other in every run.
    pub(super) fn arms(&self, one: u32, other: u32) -> Option<(Option<u32>, u32, u32)> {
        let (one, other) = (one as usize + 1, other as usize + 1);
        if !self.is_reached(one) || !self.is_reached(other) {
            return None;
        }
        let common = self.common(one, other);
        let vertex = |vertex: usize| u32::try_from(vertex.checked_sub(1)?).ok();
        Some((vertex(common), vertex(self.arm(one, common)?)?, vertex(self.arm(other, common)?)?))
    }

    fn arm(&self, mut vertex: usize, above: usize) -> Option<usize> {
        while vertex != START {
            let before = self.before(vertex);
            if before == above {
                return Some(vertex);
            }
            vertex = before;
        }
        None
    }

    fn before(&self, vertex: usize) -> usize {
        self.nearest.get(vertex).copied().flatten().unwrap_or(START)
    }

    fn is_reached(&self, vertex: usize) -> bool {
        self.nearest.get(vertex).copied().flatten().is_some()
    }

    fn place(&self, vertex: usize) -> usize {
        self.order.get(vertex).copied().unwrap_or(usize::MAX)
    }

    /// The nearest common dominator: from whichever lies further from the start one goes up, until both meet.
    fn common(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            let deeper = if self.place(one) > self.place(other) { &mut one } else { &mut other };
            *deeper = self.before(*deeper);
        }
        one
    }
}

fn set<T>(values: &mut [T], index: usize, value: T) {
    if let Some(slot) = values.get_mut(index) {
        *slot = value;
    }
}
