//! Which node comes before which in every run, and the fork that a join belongs to: the nearest node that each way from the start
//! to each of its members passes.

use super::doubts::Doubts;
use super::graph::{Cause, Graph};
use super::speakers::BuiltIn;
use super::tree::Tree;
use crate::model::Model;
use crate::model::workflow::Node;

/// The vertex before all others; the vertex with index `n` of the graph is `n + 1` here.
const START: u32 = 0;

/// Which node comes before which in every run.
#[derive(Debug)]
pub struct Dominators {
    /// How many of the vertices are nodes.
    nodes: usize,
    tree: Tree,
}

impl Dominators {
    /// The dominators in the graph of triggers of a workflow.
    #[must_use]
    pub fn new(model: &Model, nodes: &[Node]) -> Self {
        let doubts = Doubts::none(nodes);
        Self::of(&Graph::new(model, &BuiltIn::new(model), nodes, &doubts))
    }

    pub(super) fn of(graph: &Graph<'_>) -> Self {
        let mut after = vec![Vec::new(); graph.len() + 1];
        for vertex in graph.order.iter().copied() {
            for cause in graph.causes_of(vertex) {
                // What nobody here asked for comes at any time, and brings no ancestors.
                let is_fresh = matches!(cause, Cause::Emitted(_)) || cause.is_root();
                let sources = is_fresh
                    .then_some(START)
                    .into_iter()
                    .chain((!is_fresh).then(|| cause.sources()).into_iter().flatten().map(|source| source + 1));
                for source in sources {
                    if let Some(after) = after.get_mut(source as usize) {
                        after.push(vertex + 1);
                    }
                }
            }
        }
        Self { nodes: graph.nodes.len(), tree: Tree::new(&after, START) }
    }

    /// The nearest node that comes before all of these, or is one of them; none if that is the start of the run.
    #[must_use]
    pub fn fork(&self, members: &[u32]) -> Option<u32> {
        let vertices = members.iter().map(|member| *member + 1).filter(|vertex| self.tree.is_reached(*vertex));
        let mut common = vertices.reduce(|one, other| self.tree.common(one, other))?;
        // What stands between steps and those that listen to many of them is no node.
        while common as usize > self.nodes {
            common = self.tree.above(common);
        }
        common.checked_sub(1)
    }

    /// Whether every way to a node passes another one, or the two are one.
    pub(super) fn is_before(&self, other: u32, node: u32) -> bool {
        self.tree.is_above(other + 1, node + 1)
    }

    /// The vertices on the ways from the nearest common dominator of two vertices to each of them, that follow it directly; none if
    /// one of the two comes before the other in every run.
    pub(super) fn arms(&self, one: u32, other: u32) -> Option<(Option<u32>, u32, u32)> {
        let (one, other) = (one + 1, other + 1);
        if !self.tree.is_reached(one) || !self.tree.is_reached(other) {
            return None;
        }
        let common = self.tree.common(one, other);
        let (first, second) = (self.tree.arm(one, common)?, self.tree.arm(other, common)?);
        Some((common.checked_sub(1), first.checked_sub(1)?, second.checked_sub(1)?))
    }
}

/// Which answers are there in every run when a node fires, as far as that follows from the ways to it alone: joins and conditions may
/// bring more.
pub(super) struct Answered(Tree);

impl Answered {
    /// Where another trigger was meant, everything counts as answered: what is said to be missing is surely missing.
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        Self::with(graph, false)
    }

    /// Where another trigger was meant, nothing counts as answered: what is said to be there is surely there.
    pub(super) fn surely(graph: &Graph<'_>) -> Self {
        Self::with(graph, true)
    }

    fn with(graph: &Graph<'_>, surely: bool) -> Self {
        // A vertex fires at `2n + 1` and is answered at `2n + 2`.
        let mut after = vec![Vec::new(); graph.len() * 2 + 1];
        let mut edge = |from: u32, to: u32| {
            if let Some(after) = after.get_mut(from as usize) {
                after.push(to);
            }
        };
        for vertex in graph.order.iter().copied().filter(|vertex| graph.fires(*vertex)) {
            let fires = vertex * 2 + 1;
            edge(fires, fires + 1);
            let causes = if graph.doubts.is_unclear(vertex) && !surely { &[] } else { graph.causes_of(vertex) };
            for cause in causes {
                match cause {
                    Cause::Unknown if surely => edge(START, fires),
                    // From there everything counts as answered.
                    Cause::Unknown | Cause::Never(_) => {}
                    Cause::Emitted(_) => edge(START, fires),
                    Cause::Answer(_) | Cause::All(_) | Cause::Count(..) => cause.sources().for_each(|source| edge(source * 2 + 2, fires)),
                    cause if cause.is_root() => edge(START, fires),
                    cause => cause.sources().for_each(|source| edge(source * 2 + 1, fires)),
                }
            }
        }
        Self(Tree::new(&after, START))
    }

    /// Whether a step has answered in every run in which a cause has come about.
    pub(super) fn by(&self, cause: &Cause<'_>, step: u32) -> bool {
        let answer = step * 2 + 2;
        match cause {
            Cause::Unknown => true,
            Cause::Never(_) | Cause::Emitted(_) => false,
            Cause::Answer(source) => self.0.is_above(answer, source * 2 + 2),
            cause => cause.sources().next().is_some_and(|first| {
                let fires = first * 2 + 1;
                matches!(cause, Cause::Inner(_) | Cause::Closed(_) | Cause::Failed(_) | Cause::Late(_) | Cause::Hub(_))
                    && self.0.is_above(answer, fires)
            }),
        }
    }

    /// Whether a step has answered in every run in which a vertex fires.
    pub(super) fn when(&self, vertex: u32, step: u32) -> bool {
        self.0.is_above(step * 2 + 2, vertex * 2 + 1)
    }
}
