//! What several rules want to know about a whole program, found out once.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::Bodies;
use weave_analysis::model::declarations::Activation;
use weave_analysis::model::workflow::{Action, Source, WorkflowBody};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model, Unit};
use weave_diagnostics::{FileId, Place};

use crate::named::named;
use crate::parts::Parts;
use crate::secrets::Secrets;

/// Facts about a program.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    /// For each tool, agent and workflow that a model may call the first agent that is offered it, in the order of the declarations.
    offered: FxHashMap<DeclarationId, Place>,
    /// What another item than its own names, or may name: a field that is called like a type counts as a use of it.
    named: FxHashSet<DeclarationId>,
    /// The tools that steps call.
    called: FxHashSet<DeclarationId>,
    /// For each tool the first step that calls it and may wait for ever, as far as the step and its workflow say.
    unbounded: FxHashMap<DeclarationId, Place>,
    secrets: Secrets,
    /// What several rules go through, by file.
    parts: Vec<Parts<'a>>,
}

impl<'a> Facts<'a> {
    /// Finds them out.
    #[must_use]
    pub fn new(model: &'a Model, units: &'a [Unit], bodies: &'a [Arc<Bodies>]) -> Self {
        let parts = Parts::of_all(model, units, bodies);
        let mut facts = Self { named: named(model, units), secrets: Secrets::new(model), parts, ..Self::default() };
        facts.find_offers(model);
        for workflow in bodies.iter().flat_map(|bodies| &bodies.workflows) {
            facts.find_calls(model, workflow);
        }
        facts
    }

    fn find_offers(&mut self, model: &Model) {
        for declaration in &model.declarations {
            let DeclarationKind::Agent(agent) = &declaration.kind else { continue };
            let mut waiting: Vec<DeclarationId> = agent.tools.iter().rev().map(|tool| tool.target).collect();
            let mut seen = FxHashSet::default();
            // Toolkits may hold one another.
            while let Some(id) = waiting.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match model.get(id).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Toolkit(toolkit)) => waiting.extend(toolkit.tools.iter().rev().map(|tool| tool.target)),
                    // No model is offered it, whatever lists it.
                    Some(DeclarationKind::Tool(tool)) if tool.activation == Activation::Internal => {}
                    _ => _ = self.offered.entry(id).or_insert(declaration.place),
                }
            }
        }
    }

    fn find_calls(&mut self, model: &Model, workflow: &WorkflowBody) {
        let sources = || workflow.nodes.iter().flat_map(|node| &node.triggers).map(|trigger| &trigger.source);
        let watched: FxHashSet<u32> =
            sources().filter_map(|source| if let Source::Timeout { step, .. } = source { *step } else { None }).collect();
        let signature = model.get(workflow.declaration).map(|declaration| &declaration.kind);
        let has_timeout = matches!(signature, Some(DeclarationKind::Workflow(signature)) if signature.timeout.is_some());
        let is_bounded = has_timeout || sources().any(|source| matches!(source, Source::Timeout { step: None, .. }));
        for (index, node) in workflow.nodes.iter().enumerate() {
            let Action::Call { tool, .. } = &node.action else { continue };
            self.called.insert(*tool);
            if !is_bounded && node.timeout.is_none() && !watched.contains(&(index as u32)) {
                self.unbounded.entry(*tool).or_insert(node.name_place);
            }
        }
    }

    /// The name of the first agent that is offered something; nothing if no model may call it.
    #[must_use]
    pub fn offered_by(&self, id: DeclarationId) -> Option<Place> {
        self.offered.get(&id).copied()
    }

    /// Whether anything in the program names it, itself aside.
    #[must_use]
    pub fn is_named(&self, id: DeclarationId) -> bool {
        self.named.contains(&id)
    }

    /// Whether a step calls a tool.
    #[must_use]
    pub fn is_called(&self, id: DeclarationId) -> bool {
        self.called.contains(&id)
    }

    /// The first step that calls a tool where neither the step nor its workflow says how long that may take.
    #[must_use]
    pub fn unbounded_call(&self, id: DeclarationId) -> Option<Place> {
        self.unbounded.get(&id).copied()
    }

    /// What several rules go through in a file.
    pub(crate) fn parts(&self, file: FileId) -> Option<&Parts<'a>> {
        self.parts.get(file.0 as usize)
    }

    /// Which types hold a secret.
    pub(crate) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}
