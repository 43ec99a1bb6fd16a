//! The graph of a workflow as a whole: what has happened when a node fires, whether a run can end, what never fires; and who says
//! what in the whole project.
//!
//! Each node has been looked at by itself before. Where something was wrong with it, what it does and what makes it fire is taken to be
//! whatever would be right, so that nothing is reported that follows from another mistake.

mod availability;
mod beside;
mod cancels;
mod cause;
mod choices;
mod company;
mod components;
mod dominators;
mod doubts;
mod endings;
mod firings;
mod graph;
mod groups;
mod hazards;
mod limits;
mod lineage;
mod loops;
mod reads;
mod speakers;
mod stalls;
#[cfg(test)]
mod tests;
pub mod topics;
mod tree;
mod triggers;
mod ways;

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, Place};

use availability::Earlier;
pub use dominators::Dominators;
use doubts::Doubts;
pub(crate) use doubts::Mistakes;
use endings::Endings;
use graph::Graph;
pub use hazards::Hazard;
use lineage::Proofs;
use speakers::BuiltIn;
use stalls::{Stalls, Standstills};
pub use topics::{Consumption, TopicFlow};
use ways::{Goal, Hop};

use crate::choices::Choice;
use crate::expression::Sink;
use crate::model::types::RecordType;
use crate::model::workflow::{Action, Condition, Node, Source, Trigger, WorkflowBody};
use crate::model::{Declaration, DeclarationKind, Model};

/// The name of a node, and where it stands.
type Named = (Arc<str>, Place);

/// A workflow that is looked at.
struct Flow<'a> {
    graph: Graph<'a>,
    earlier: Earlier,
    declaration: &'a Declaration,
    workflow: &'a str,
    place: Place,
    proofs: Proofs,
    sink: &'a Sink,
}

/// What the guards of a workflow say about each other, for each trigger of which a node has a guard or a limit. A workflow in which
/// something is not known has none.
#[must_use]
pub fn choices(model: &Model, body: &WorkflowBody) -> Vec<Choice> {
    let Some(declaration) = model.get(body.declaration).filter(|_| is_known(&body.nodes)) else { return Vec::new() };
    let (built_in, doubts, sink) = (BuiltIn::new(model), Doubts::none(&body.nodes), Sink::default());
    let flow = Flow::new(Graph::new(model, &built_in, &body.nodes, &doubts), declaration, &sink);
    flow.input().map(|input| choices::find(&flow, &Dominators::of(&flow.graph), input)).unwrap_or_default()
}

/// The steps that may have answered when a node fires, in the order of the text. Nothing is left out because of a mistake elsewhere.
#[must_use]
pub fn answered_before(model: &Model, body: &WorkflowBody, node: u32) -> Vec<u32> {
    let (built_in, doubts) = (BuiltIn::new(model), Doubts::none(&body.nodes));
    let graph = Graph::new(model, &built_in, &body.nodes, &doubts);
    let is_step = |index: &u32| body.nodes.get(*index as usize).is_some_and(|node| node.kind == weave_syntax::ast::NodeKind::Step);
    let steps: Vec<u32> = (0..body.nodes.len() as u32).filter(is_step).collect();
    let mut found = Vec::new();
    for steps in steps.chunks(lineage::Lineage::block(&graph).max(1)) {
        let possible = lineage::Lineage::possible(&graph, steps);
        found.extend(steps.iter().copied().filter(|step| possible.has(node, *step)));
    }
    found
}

fn is_known(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| {
        let is_known = |trigger: &Trigger| match (&trigger.source, &trigger.condition) {
            (Source::Unknown, _) => false,
            (_, Some(Condition::When(guard) | Condition::AlsoWhen(guard))) => reads::is_known(&guard.expression),
            _ => true,
        };
        !matches!(node.action, Action::Unknown) && node.triggers.iter().all(is_known)
    })
}

/// What is known of a workflow with nothing wrong in its nodes.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What the guards of its choices say about each other.
    pub(crate) choices: Box<[Choice]>,
    /// What is legal in it and most likely wrong.
    pub(crate) hazards: Box<[Hazard]>,
}

/// Reports what is wrong with the graph of a workflow. The answer is what is known of it, if nothing is wrong with its nodes.
pub(crate) fn check(model: &Model, declaration: &Declaration, nodes: &[Node], mistakes: &Mistakes, sink: &Sink) -> Known {
    let built_in = BuiltIn::new(model);
    let doubts = Doubts::new(model, nodes, mistakes);
    let limit = match &declaration.kind {
        DeclarationKind::Workflow(workflow) => workflow.timeout,
        _ => None,
    };
    let flow = Flow::new(Graph::with_limit(model, &built_in, nodes, &doubts, limit), declaration, sink);
    let dominators = Dominators::of(&flow.graph);
    let mut is_whole = endings::check_has_end(&flow);
    is_whole &= !triggers::check_firing(&flow, &dominators);
    is_whole &= !endings::check_reached(&flow);
    // What a choice leaves out depends on each word of it: it is looked at when all nodes are right.
    let input = flow.input().filter(|_| mistakes.is_empty() && is_known(nodes));
    let choices = input.map(|input| choices::find(&flow, &dominators, input));
    let endings = Endings::new(&flow, choices.is_some());
    let (mut dead, mut exhausted, mut stalls) = (Vec::new(), Vec::new(), Stalls::default());
    // Where something never fires, the run may well hang; that is no second mistake.
    if is_whole {
        dead = endings::find_dead_ends(&flow, &endings);
        let found = choices.as_ref().map(|choices| stalls::find(&flow, &dominators, &endings, choices));
        let never_stalls = found.as_ref().is_some_and(Standstills::are_none);
        endings::check_dead_ends(&flow, &endings, &dead, never_stalls);
        exhausted = limits::check(&flow, &dominators, &endings, &dead);
        if exhausted.is_empty() && (never_stalls || !dead.contains(&true)) {
            stalls = found.map(|found| stalls::check(&flow, found)).unwrap_or_default();
        }
    }
    loops::check(&flow, &dominators, &dead);
    let premature = availability::check(&flow, &dominators);
    endings::check_beside_ends(&flow, &premature);
    cancels::check(&flow, &dominators);
    triggers::check_ambiguity(&flow, &dominators);
    let Some(choices) = choices else { return Known::default() };
    choices::check(&flow, &choices, &exhausted, &stalls);
    Known { choices: choices.into(), hazards: hazards::find(&flow, &dominators) }
}

impl<'a> Flow<'a> {
    fn new(graph: Graph<'a>, declaration: &'a Declaration, sink: &'a Sink) -> Self {
        let earlier = Earlier::new(&graph);
        let proofs = availability::proofs(&graph, &earlier);
        Self { graph, earlier, declaration, workflow: &declaration.name, place: declaration.place, proofs, sink }
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
    /// Whether a run may take only so long.
    fn has_timeout(&self) -> bool {
        matches!(&self.declaration.kind, DeclarationKind::Workflow(signature) if signature.timeout.is_some())
    }

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
            && self.proofs.get(&(vertex, trigger)).is_some_and(|proof| proof.includes(step))
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
            Source::Timeout { step: Some(source), .. } => format!("when {} times out", step(source)),
            Source::Timeout { step: None, .. } => "when the run times out".to_owned(),
        }
    }
}
