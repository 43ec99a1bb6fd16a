//! What keeps a provider from holding a model to the schema of a strict tool.
//!
//! The projections of a definition say the same about JSON Schema; here it is found in the types, which know where they were written. A
//! test compares both. Each named type is looked at once, however many tools take it.

mod alternatives;
mod counts;
mod walk;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::declarations::{Activation, Tool, ToolReference};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};
use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::ToolKind;

use crate::messages::strict as message;

/// The tools that agents are offered and whose schemas OpenAI's strict mode refuses.
pub(crate) fn problems(model: &Model) -> Vec<Diagnostic> {
    let offers = offers(model);
    let mut walk = walk::Walk::new(model);
    let mut diagnostics = Vec::new();
    let mut sizes = counts::Sizes::new(model);
    for (declaration, tool, place) in offers.iter().filter_map(|offer| strict_tool(model, offer)) {
        diagnostics.extend(walk.tool(declaration, tool, place));
        if let Some(why) = sizes.too_much(tool) {
            diagnostics.push(message::size(declaration, place, &why));
        }
    }
    diagnostics
}

fn strict_tool<'m>(model: &'m Model, offer: &Offer) -> Option<(&'m Declaration, &'m Tool, Place)> {
    let declaration = model.get(offer.tool)?;
    match &declaration.kind {
        DeclarationKind::Tool(tool) => {
            let is_shown = tool.kind != ToolKind::Provider && tool.activation != Activation::Internal;
            (tool.strict && is_shown).then_some((declaration, tool, offer.place))
        }
        _ => None,
    }
}

/// A tool that an agent is offered.
struct Offer {
    tool: DeclarationId,
    /// Where the first agent, or the toolkit by which it comes to one, names it.
    place: Place,
}

/// The tools that agents are offered, in the order in which they were declared.
fn offers(model: &Model) -> Vec<Offer> {
    let mut found: FxHashMap<DeclarationId, Place> = FxHashMap::default();
    let mut toolkits: FxHashSet<DeclarationId> = FxHashSet::default();
    for declaration in &model.declarations {
        let DeclarationKind::Agent(agent) = &declaration.kind else { continue };
        let mut open: Vec<&ToolReference> = agent.tools.iter().collect();
        while let Some(reference) = open.pop() {
            match model.get(reference.target).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Toolkit(toolkit)) if toolkits.insert(reference.target) => open.extend(&toolkit.tools),
                Some(DeclarationKind::Tool(_)) => {
                    found.entry(reference.target).or_insert(reference.place);
                }
                _ => {}
            }
        }
    }
    let mut offers: Vec<Offer> = found.into_iter().map(|(tool, place)| Offer { tool, place }).collect();
    offers.sort_unstable_by_key(|offer| offer.tool);
    offers
}
