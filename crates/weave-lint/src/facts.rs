//! What several rules want to know about a whole program, found out once.

use rustc_hash::FxHashMap;
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_diagnostics::Place;

/// Facts about a program.
#[derive(Debug, Default)]
pub struct Facts {
    /// For each tool, agent and workflow that a model may call the first agent that is offered it, in the order of the declarations.
    offered: FxHashMap<DeclarationId, Place>,
}

impl Facts {
    /// Finds them out.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut facts = Self::default();
        for declaration in &model.declarations {
            let DeclarationKind::Agent(agent) = &declaration.kind else { continue };
            let mut waiting: Vec<DeclarationId> = agent.tools.iter().rev().map(|tool| tool.target).collect();
            let mut seen = rustc_hash::FxHashSet::default();
            // Toolkits may hold one another.
            while let Some(id) = waiting.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match model.get(id).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Toolkit(toolkit)) => waiting.extend(toolkit.tools.iter().rev().map(|tool| tool.target)),
                    _ => _ = facts.offered.entry(id).or_insert(declaration.place),
                }
            }
        }
        facts
    }

    /// The name of the first agent that is offered something; nothing if no model may call it.
    #[must_use]
    pub fn offered_by(&self, id: DeclarationId) -> Option<Place> {
        self.offered.get(&id).copied()
    }
}
