//! What can be wrong with a definition although its program is legal.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use weave_analysis::model::declarations::Approval;
use weave_analysis::model::guard::Guard;
use weave_analysis::model::workflow::{Action, Condition, Source, Time, WorkflowBody};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_diagnostics::{Diagnostic, Place};

use super::guard::{GREATEST_HEIGHT, height};
use super::{Program, children};
use crate::messages;

impl Program<'_> {
    /// What keeps the program from having its definitions.
    pub(crate) fn problems(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        self.cycles(&mut diagnostics);
        let mut tools: FxHashSet<DeclarationId> = FxHashSet::default();
        let mut workflows: Vec<DeclarationId> = self.contents.keys().copied().collect();
        workflows.sort_unstable();
        for id in workflows {
            let Some(contents) = self.contents.get(&id) else { continue };
            self.same_names(id, &mut diagnostics);
            tools.extend(&contents.tools);
            if let Some(body) = self.bodies.get(&id) {
                guards_of(body).for_each(|guard| deep(guard, &mut diagnostics));
                diagnostics.extend(computed_timeouts(body).map(messages::computed_timeout));
            }
        }
        for declaration in tools.iter().filter_map(|id| self.model.get(*id)) {
            if let DeclarationKind::Tool(tool) = &declaration.kind
                && let Some(Approval::When(guard)) = &tool.approval
            {
                deep(guard, &mut diagnostics);
            }
        }
        diagnostics
    }

    fn cycles(&self, diagnostics: &mut Vec<Diagnostic>) {
        for cycle in children::order(&self.roots, &self.children()).cycles {
            let way: Vec<&Declaration> = cycle.iter().filter_map(|id| self.model.get(*id)).collect();
            diagnostics.extend(messages::runs_itself(&way));
        }
    }

    /// Different declarations of one kind and one name, which are different things in the program and would be one in its definition.
    fn same_names(&self, workflow: DeclarationId, diagnostics: &mut Vec<Diagnostic>) {
        let (Some(contents), Some(workflow)) = (self.contents.get(&workflow), self.model.get(workflow)) else { return };
        // What an agent calls is known by its name alone, whether it is a tool, an agent or a workflow.
        let called = [&contents.tools, &contents.agents, &contents.workflows];
        let kinds = [&called[..], &[&contents.toolkits], &[&contents.prompts], &[&contents.events], &[&contents.errors]];
        for lists in kinds {
            let mut by_name: BTreeMap<&str, &Declaration> = BTreeMap::new();
            let mut ids: Vec<DeclarationId> = lists.iter().flat_map(|list| list.iter().copied()).collect();
            ids.sort_unstable();
            for declaration in ids.into_iter().filter_map(|id| self.model.get(id)) {
                match by_name.get(&*declaration.name) {
                    Some(first) => diagnostics.push(messages::same_name(first, declaration, workflow)),
                    None => {
                        by_name.insert(&declaration.name, declaration);
                    }
                }
            }
        }
    }
}

fn deep(guard: &Guard, diagnostics: &mut Vec<Diagnostic>) {
    if height(&guard.expression) > GREATEST_HEIGHT {
        diagnostics.push(messages::deep_guard(guard.place));
    }
}

/// The times of timeouts that are read from the scroll.
fn computed_timeouts(body: &WorkflowBody) -> impl Iterator<Item = Place> {
    body.nodes.iter().flat_map(|node| &node.triggers).filter_map(|trigger| match &trigger.source {
        Source::Timeout { after: Time::Path(path), .. } => Some(path.place),
        _ => None,
    })
}

/// All guards of a workflow.
fn guards_of(body: &WorkflowBody) -> impl Iterator<Item = &Guard> {
    body.nodes.iter().flat_map(|node| {
        let conditions = node.triggers.iter().filter_map(|trigger| match &trigger.condition {
            Some(Condition::When(guard) | Condition::AlsoWhen(guard)) => Some(guard),
            _ => None,
        });
        let mailbox = match &node.action {
            Action::WaitTopics { guard, .. } => guard.as_ref(),
            _ => None,
        };
        conditions.chain(mailbox)
    })
}
