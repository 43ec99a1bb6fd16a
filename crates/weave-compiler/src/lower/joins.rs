//! The fork that a join belongs to: the nearest node that each way from the start to each of its members passes.
//!
//! The dominators are found as Cooper, Harvey and Kennedy do it: repeatedly, over the nodes in reverse postorder, until nothing
//! changes. Graphs of workflows settle in two or three rounds.

use rustc_hash::FxHashMap;
use weave_analysis::model::workflow::{Action, Node, Source};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};

/// The vertex before all nodes; the node with index `n` is the vertex `n + 1`.
const START: usize = 0;

/// Which node comes before which in every run.
#[derive(Debug)]
pub(super) struct Dominators {
    /// The nearest dominator of each vertex; none where no way leads.
    nearest: Vec<Option<usize>>,
    /// The place of each vertex in reverse postorder.
    order: Vec<usize>,
}

impl Dominators {
    /// The dominators in the graph of triggers. `emits` says which event each node's action emits, if it emits one.
    pub(super) fn new(model: &Model, nodes: &[Node], emits: impl Fn(&Node) -> Option<DeclarationId>) -> Self {
        let before = predecessors(model, nodes, emits);
        let mut after = vec![Vec::new(); before.len()];
        for (vertex, sources) in before.iter().enumerate() {
            for source in sources {
                if let Some(targets) = after.get_mut(*source) {
                    targets.push(vertex);
                }
            }
        }
        let reverse_postorder = reverse_postorder(&after);
        let mut order = vec![usize::MAX; before.len()];
        for (place, vertex) in reverse_postorder.iter().enumerate() {
            set(&mut order, *vertex, place);
        }
        let mut dominators = Self { nearest: vec![None; before.len()], order };
        set(&mut dominators.nearest, START, Some(START));
        let mut changed = true;
        while changed {
            changed = false;
            for vertex in reverse_postorder.iter().copied().filter(|vertex| *vertex != START) {
                let sources = before.get(vertex).into_iter().flatten().copied();
                let nearest = sources.filter(|source| dominators.is_reached(*source)).reduce(|one, other| dominators.common(one, other));
                if dominators.nearest.get(vertex).copied().flatten() != nearest {
                    set(&mut dominators.nearest, vertex, nearest);
                    changed = true;
                }
            }
        }
        dominators
    }

    /// The nearest node that comes before all of these, or is one of them; none if that is the start of the run.
    pub(super) fn fork(&self, members: &[u32]) -> Option<u32> {
        let vertices = members.iter().map(|member| *member as usize + 1).filter(|vertex| self.is_reached(*vertex));
        let common = vertices.reduce(|one, other| self.common(one, other))?;
        u32::try_from(common.checked_sub(1)?).ok()
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
            *deeper = self.nearest.get(*deeper).copied().flatten().unwrap_or(START);
        }
        one
    }
}

fn set<T>(values: &mut [T], index: usize, value: T) {
    if let Some(slot) = values.get_mut(index) {
        *slot = value;
    }
}

/// For each vertex those from which an edge leads to it.
fn predecessors(model: &Model, nodes: &[Node], emits: impl Fn(&Node) -> Option<DeclarationId>) -> Vec<Vec<usize>> {
    // The steps that ask for each topic, so that a workflow with many nodes that listen to it stays cheap.
    let mut asking: FxHashMap<DeclarationId, Vec<usize>> = FxHashMap::default();
    let mut acting = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let vertex = index + 1;
        let event = emits(node);
        if event.is_some() || matches!(node.action, Action::WaitTopics { .. }) {
            acting.push(vertex);
        }
        if let Some(DeclarationKind::Event(event)) = event.and_then(|id| model.get(id)).map(|declaration| &declaration.kind) {
            for answer in &event.answers {
                asking.entry(*answer).or_default().push(vertex);
            }
        }
    }
    let mut before = vec![Vec::new()];
    before.extend(nodes.iter().map(|node| {
        let mut sources: Vec<usize> = Vec::new();
        if node.triggers.is_empty() {
            sources.push(START);
        }
        for trigger in &node.triggers {
            match &trigger.source {
                Source::Start | Source::Timeout { step: None, .. } => sources.push(START),
                Source::Step(step)
                | Source::TopicFrom(_, step)
                | Source::ToolFrom { step, .. }
                | Source::Failure(step)
                | Source::Timeout { step: Some(step), .. } => sources.push(*step as usize + 1),
                // What nobody here asked for comes from outside, at any time.
                Source::Topic(topic) => match asking.get(topic) {
                    Some(steps) => sources.extend(steps),
                    None => sources.push(START),
                },
                Source::All(steps) | Source::Count(_, steps) | Source::Settled(steps) => {
                    sources.extend(steps.iter().map(|step| *step as usize + 1));
                }
                Source::AnyFailure => sources.extend(&acting),
                Source::Unknown => {}
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }));
    before
}

/// The vertices that can be reached, each before those that only it leads to; without recursion, for a workflow may be long.
fn reverse_postorder(after: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; after.len()];
    let mut order = Vec::with_capacity(after.len());
    let mut open = vec![(START, 0)];
    set(&mut seen, START, true);
    while let Some((vertex, next)) = open.pop() {
        match after.get(vertex).and_then(|targets| targets.get(next)) {
            Some(target) => {
                open.push((vertex, next + 1));
                if !seen.get(*target).copied().unwrap_or(true) {
                    set(&mut seen, *target, true);
                    open.push((*target, 0));
                }
            }
            None => order.push(vertex),
        }
    }
    order.reverse();
    order
}
