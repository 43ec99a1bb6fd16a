//! Loops that do again what costs money or should happen once, and limits that count too far.

use weave_syntax::ast::ToolKind;

use super::{Hazard, MOST};
use crate::flow::Flow;
use crate::flow::components::Components;
use crate::flow::graph::{Cause, Graph};
use crate::flow::speakers::waits_for_the_world;
use crate::model::value::PathRoot;
use crate::model::workflow::{Action, Node};
use crate::model::{DeclarationKind, Model};

/// The cycles of a workflow.
pub(super) struct Cycles(Components);

impl Cycles {
    pub(super) fn new(flow: &Flow<'_>) -> Self {
        Self(Components::new(&edges(&flow.graph, |_, _| false)))
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.0.has_cycle.contains(&true)
    }

    /// Whether two nodes are on a common cycle.
    pub(super) fn share(&self, one: u32, other: u32) -> bool {
        self.0.on_cycle(one) && self.0.together(one, other)
    }
}

/// What follows each vertex when it has answered or failed, without the nodes that are cut out.
fn edges(graph: &Graph<'_>, is_cut: impl Fn(u32, &Node) -> bool) -> Vec<Vec<u32>> {
    let stays = |vertex: u32| graph.fires(vertex) && graph.node(vertex).is_none_or(|node| !is_cut(vertex, node));
    let mut after = vec![Vec::new(); graph.len()];
    for vertex in (0..graph.len() as u32).filter(|vertex| stays(*vertex)) {
        let causes = graph.causes_of(vertex).iter().filter(|cause| !matches!(cause, Cause::Late(_) | Cause::Never(_)));
        for source in causes.flat_map(Cause::sources).filter(|source| stays(*source)) {
            if let Some(after) = after.get_mut(source as usize) {
                after.push(vertex);
            }
        }
    }
    after
}

const fn is_pause(node: &Node) -> bool {
    matches!(node.action, Action::WaitFor(_) | Action::WaitUntil(_))
}

/// Whether each round of a loop with this node waits for a person or an event.
fn waits_for_somebody(model: &Model, node: &Node) -> bool {
    waits_for_the_world(model, node) && !is_pause(node)
}

/// Finds loops that only a pause slows down and that ask a model, or call a tool that does more than read.
pub(super) fn paid(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let has_clock = || graph.causes.iter().flatten().any(|cause| matches!(cause, Cause::Clock));
    if !graph.nodes.iter().any(is_pause) || flow.has_timeout() || has_clock() {
        return;
    }
    let after = edges(graph, |_, node| node.limit.is_some() || waits_for_somebody(graph.model, node));
    let cycles = Components::new(&after);
    let mut pauses = first_in_each(&cycles, graph.indexed().filter(|(_, node)| is_pause(node)).map(|(pause, _)| pause));
    for (index, _) in graph.indexed().filter(|(index, node)| cycles.on_cycle(*index) && is_paid(graph.model, node)) {
        // One of each loop is enough.
        if let Some(pause) = cycles.of.get(index as usize).and_then(|component| pauses.get_mut(*component as usize)?.take()) {
            found.push(Hazard::PaidLoop { node: index, pause });
        }
    }
}

/// For each component the first of some vertices in it.
fn first_in_each(components: &Components, vertices: impl Iterator<Item = u32>) -> Vec<Option<u32>> {
    let mut first = vec![None; components.has_cycle.len()];
    for vertex in vertices {
        if let Some(slot) = components.of.get(vertex as usize).and_then(|component| first.get_mut(*component as usize)) {
            slot.get_or_insert(vertex);
        }
    }
    first
}

/// Whether each firing of a node costs something.
fn is_paid(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::Ask { .. } => true,
        Action::Call { tool, .. } => match model.get(*tool).map(|declaration| &declaration.kind) {
            // Of a tool without hints it is not known; most of those that are polled only read.
            Some(DeclarationKind::Tool(tool)) => tool.kind != ToolKind::Signal && tool.hints.is_some_and(|hints| !hints.read_only),
            _ => false,
        },
        _ => false,
    }
}

/// Finds calls of destructive tools that are not idempotent, in a loop that does not change their arguments.
pub(super) fn destruction(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    if !graph.nodes.iter().any(|node| is_destructive(graph.model, node)) {
        return;
    }
    let after = edges(graph, |_, node| node.limit == Some(1) || waits_for_somebody(graph.model, node));
    let cycles = Components::new(&after);
    let again = graph.indexed().filter(|(index, node)| cycles.on_cycle(*index) && is_destructive(graph.model, node));
    for (index, node) in again.take(MOST) {
        let mut changes = node.each.is_some();
        node.action.paths(&mut |path| {
            changes |= match path.root {
                PathRoot::Step { node, .. } => cycles.together(node, index),
                PathRoot::Input | PathRoot::Parameter(_) => false,
                _ => true,
            };
        });
        if !changes {
            found.push(Hazard::RepeatedDestruction { node: index, cycle: cycles.cycle(index, &after).into() });
        }
    }
}

fn is_destructive(model: &Model, node: &Node) -> bool {
    let Action::Call { tool, .. } = &node.action else { return false };
    let Some(DeclarationKind::Tool(tool)) = model.get(*tool).map(|declaration| &declaration.kind) else { return false };
    tool.approval.is_none() && tool.hints.is_some_and(|hints| hints.destructive && !hints.idempotent)
}

/// Finds limits in a loop that goes round without waiting, within a loop whose rounds begin with somebody outside.
pub(super) fn limits(flow: &Flow<'_>, cycles: &Cycles, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    if !graph.nodes.iter().any(|node| node.limit.is_some()) {
        return;
    }
    let outer = first_in_each(&cycles.0, graph.indexed().filter(|(_, node)| waits_for_somebody(graph.model, node)).map(|(index, _)| index));
    if outer.iter().all(Option::is_none) {
        return;
    }
    let inner = Components::new(&edges(graph, |_, node| waits_for_somebody(graph.model, node)));
    for (index, _) in graph.indexed().filter(|(index, node)| node.limit.is_some() && inner.on_cycle(*index)) {
        if let Some(outer) = cycles.0.of.get(index as usize).and_then(|component| *outer.get(*component as usize)?) {
            found.push(Hazard::LimitOfRun { node: index, outer });
        }
    }
}
