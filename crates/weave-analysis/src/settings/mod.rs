//! The settings of tools, toolkits, agents and workflows, and the texts of prompts.
//!
//! They are read when all types are known, because they hold values: templates and guards over the parameters, examples, data.

mod agent;
mod failures;
mod offers;
mod prompt;
mod reader;
mod step;
mod tool;
mod toolkit;
mod tools;
mod values;
mod workflow;

/// The names of settings, by what has them.
pub(crate) mod vocabulary {
    pub(crate) const AGENT: &[&str] = super::agent::AGENT.settings;
    pub(crate) const DEFERRED: &[&str] = super::tool::DEFERRED.settings;
    pub(crate) const RETRY: &[&str] = super::failures::RETRY.settings;
    pub(crate) const STEP: &[&str] = super::step::STEP.settings;
    pub(crate) const TOOL: &[&str] = super::tool::TOOL.settings;
    pub(crate) const TOOLKIT: &[&str] = super::toolkit::TOOLKIT.settings;
    pub(crate) const WORKFLOW: &[&str] = super::workflow::WORKFLOW.settings;
}

pub(crate) use step::{History, is_step_setting, step};
pub(crate) use workflow::is_workflow_setting;

use weave_diagnostics::Diagnostic;
use weave_syntax::ast::ItemKind;

use crate::declare::{Context, Declaring, Log, declaring, replace_each};
use crate::model::{DeclarationId, DeclarationKind, Model, Unit};
use crate::types::touches_repaired;

/// Gives every declaration what its settings say.
/// Whether nothing is wrong with what models are offered is the answer, even where it is not said because the parser had to guess.
pub(crate) fn declare(units: &[Unit], model: &mut Model, diagnostics: &mut Vec<Diagnostic>, log: &mut Log) -> bool {
    let has_settings = |kind: &ItemKind| {
        matches!(kind, ItemKind::Tool(_) | ItemKind::Toolkit(_) | ItemKind::Prompt(_) | ItemKind::Agent(_) | ItemKind::Workflow(_))
    };
    let items = declaring(units, model).into_iter().filter(|declaring| has_settings(&declaring.item.kind)).collect::<Vec<_>>();
    read_items(&items, model, diagnostics, log);
    let mut found = Vec::new();
    toolkit::check_cycles(model, &mut found);
    offers::check(&items, model, &mut found);
    // What the parser had to guess may be what closes a cycle, or what takes the name of another tool.
    let sound = found.is_empty();
    found.retain(|diagnostic| !touches_repaired(units, diagnostic));
    diagnostics.append(&mut found);
    sound
}

/// Gives these declarations what their settings say.
pub(crate) fn read_items(items: &[Declaring<'_>], model: &mut Model, diagnostics: &mut Vec<Diagnostic>, log: &mut Log) {
    replace_each(items, model, diagnostics, log, |context, declaring| {
        let known = &context.model.get(declaring.id)?.kind;
        read(context, &declaring.item.kind, known)
    });
}

/// Whether this would still find nothing wrong with what models are offered if these declarations became what they are; before it has
/// found nothing.
pub(crate) fn are_sound(units: &[Unit], model: &Model, changed: &[DeclarationId]) -> bool {
    let is_offered = |id: &DeclarationId| model.get(*id).is_some_and(|it| tools::is_offered(&it.kind));
    if !changed.iter().any(is_offered) {
        return true;
    }
    let mut found = Vec::new();
    offers::check(&declaring(units, model), model, &mut found);
    found.is_empty() && !changed.iter().any(|id| toolkit::contains_itself(model, *id))
}

/// Reads the settings of a declaration of which the signature is known.
pub(crate) fn read(context: &mut Context<'_>, written: &ItemKind, known: &DeclarationKind) -> Option<DeclarationKind> {
    match written {
        ItemKind::Tool(it) => tool::read(context, it, known),
        ItemKind::Toolkit(it) => toolkit::read(context, it),
        ItemKind::Prompt(it) => prompt::read(context, it, known),
        ItemKind::Agent(it) => agent::read(context, it, known),
        ItemKind::Workflow(it) => workflow::read(context, it, known),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
