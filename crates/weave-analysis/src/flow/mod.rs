//! The graph of a workflow as a whole: what has happened when a node fires, whether a run can end, what never fires.
//!
//! Each node has been looked at by itself before. Only a workflow in which nothing else is wrong is looked at here, so that nothing
//! is reported that follows from another mistake.

mod availability;
mod choices;
mod company;
mod components;
mod dominators;
mod endings;
mod firings;
mod graph;
mod groups;
mod lineage;
mod loops;
mod reads;
#[cfg(test)]
mod tests;
mod triggers;
mod ways;

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, Place};

pub use dominators::Dominators;
use graph::{BuiltIn, Graph};
use groups::Groups;
use lineage::{Lineage, Proofs};
use ways::{Goal, Hop};

use crate::choices::Choice;
use crate::expression::Sink;
use crate::model::types::RecordType;
use crate::model::workflow::{Action, Node, Source, WorkflowBody};
use crate::model::{Declaration, DeclarationKind, Model};

/// A workflow that is looked at.
struct Flow<'a> {
    graph: Graph<'a>,
    declaration: &'a Declaration,
    workflow: &'a str,
    place: Place,
    proofs: Proofs,
    /// What has happened for sure.
    sure: Lineage,
    sink: &'a Sink,
}

/// What the guards of a workflow say about each other, for each trigger of which a node has a guard or a limit. A workflow in which
/// something is not known has none.
#[must_use]
pub fn choices(model: &Model, body: &WorkflowBody) -> Vec<Choice> {
    let Some(declaration) = model.get(body.declaration).filter(|_| is_known(&body.nodes)) else { return Vec::new() };
    let (built_in, sink) = (BuiltIn::new(model), Sink::default());
    let graph = Graph::new(model, &built_in, &body.nodes);
    let groups = Groups::new(&graph);
    let flow = Flow::new(graph, &groups, declaration, &sink);
    let dominators = Dominators::of(&flow.graph);
    flow.input().map(|input| choices::find(&flow, &groups, &dominators, input)).unwrap_or_default()
}

fn is_known(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| {
        let unknown = |source: &Source| matches!(source, Source::Unknown);
        !matches!(node.action, Action::Unknown) && !node.triggers.iter().any(|trigger| unknown(&trigger.source))
    })
}

/// Reports what is wrong with the graph of a workflow.
pub(crate) fn check(model: &Model, declaration: &Declaration, nodes: &[Node], sink: &Sink) {
    if !is_known(nodes) {
        return;
    }
    let built_in = BuiltIn::new(model);
    let graph = Graph::new(model, &built_in, nodes);
    let groups = Groups::new(&graph);
    let flow = Flow::new(graph, &groups, declaration, sink);
    let dominators = Dominators::of(&flow.graph);
    let mut is_whole = endings::check_has_end(&flow);
    is_whole &= !triggers::check_firing(&flow, &groups, &dominators);
    is_whole &= !endings::check_reached(&flow);
    // Where something never fires, the run may well hang; that is no second mistake.
    let dead = if is_whole { endings::check_dead_ends(&flow, &groups) } else { Vec::new() };
    loops::check(&flow, &dominators, &dead);
    endings::check_beside_ends(&flow, &groups);
    triggers::check_ambiguity(&flow, &groups, &dominators);
    availability::check(&flow, &groups);
    if let Some(input) = flow.input() {
        choices::check(&flow, &groups, &choices::find(&flow, &groups, &dominators, input));
    }
}

impl<'a> Flow<'a> {
    fn new(graph: Graph<'a>, groups: &Groups<'a>, declaration: &'a Declaration, sink: &'a Sink) -> Self {
        let proofs = availability::proofs(&graph, groups);
        let sure = Lineage::sure(&graph, &proofs);
        Self { graph, declaration, workflow: &declaration.name, place: declaration.place, proofs, sure, sink }
    }

    /// The parameters of the workflow.
    fn input(&self) -> Option<&'a Arc<RecordType>> {
        match &self.declaration.kind {
            DeclarationKind::Workflow(signature) => Some(&signature.input),
            _ => None,
        }
    }
}

impl Flow<'_> {
    fn report(&self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    fn name(&self, node: u32) -> Arc<str> {
        self.graph.node(node).map(|node| Arc::clone(&node.name)).unwrap_or_default()
    }

    fn name_place(&self, node: u32) -> Place {
        self.graph.node(node).map_or(self.place, |node| node.name_place)
    }

    /// The names of nodes and where they stand, hubs left out.
    fn labels(&self, vertices: &[u32]) -> Vec<(Arc<str>, Place)> {
        vertices.iter().filter_map(|vertex| self.graph.node(*vertex)).map(|node| (Arc::clone(&node.name), node.name_place)).collect()
    }

    /// Whether the condition of a trigger shows that a step has answered; a condition proves nothing for itself.
    fn is_proven(&self, vertex: u32, trigger: u32, step: u32, goal: Goal) -> bool {
        !(vertex == goal.node && goal.trigger == Some(trigger))
            && self.proofs.get(&(vertex, trigger)).is_some_and(|steps| steps.contains(&step))
    }

    /// The nodes of a way, each with what makes it fire there.
    fn describe(&self, way: &[Hop]) -> Vec<(Arc<str>, Place, String)> {
        let nodes = way.iter().filter_map(|hop| Some((self.graph.node(hop.vertex)?, hop.trigger)));
        nodes
            .map(|(node, trigger)| {
                let fires_on = node.triggers.get(trigger as usize).map(|trigger| &trigger.source);
                (Arc::clone(&node.name), node.name_place, fires_on.map_or_else(|| "at the start".to_owned(), |source| self.fires(source)))
            })
            .collect()
    }

    fn fires(&self, source: &Source) -> String {
        let step = |step: &u32| format!("`{}`", self.name(*step));
        let steps = |steps: &[u32]| steps.iter().map(|step| self.name(*step).to_string()).collect::<Vec<_>>().join(", ");
        let declared = |id| self.graph.model.get(id).map(|it| it.name.to_string()).unwrap_or_default();
        match source {
            Source::Start | Source::Unknown => "at the start".to_owned(),
            Source::Step(source) => format!("on {}", step(source)),
            Source::Topic(topic) => format!("on `{}`", declared(*topic)),
            Source::TopicFrom(topic, source) => format!("on `{} from {}`", declared(*topic), self.name(*source)),
            Source::ToolFrom { name, step, .. } => format!("on `{name} from {}`", self.name(*step)),
            Source::All(members) => format!("on `all({})`", steps(members)),
            Source::Count(count, members) => format!("on `{count} of ({})`", steps(members)),
            Source::Settled(members) => format!("on `settled({})`", steps(members)),
            Source::Failure(source) => format!("when {} fails", step(source)),
            Source::AnyFailure => "on a failure".to_owned(),
            Source::Timeout { step: Some(source), .. } => format!("when {} is late", step(source)),
            Source::Timeout { step: None, .. } => "when the time is up".to_owned(),
        }
    }
}
