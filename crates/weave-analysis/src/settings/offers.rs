//! Whether models can tell apart and call what they are offered, when all settings are known.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::ToolKind;

use crate::declare::Declaring;
use crate::messages::tools as message;
use crate::model::declarations::{Activation, Agent, ToolReference, Toolkit};
use crate::model::offered::{Clash, Offer, SEPARATOR, offered};
use crate::model::{Declaration, DeclarationId, DeclarationKind, Model};

/// Checks these declarations.
pub(super) fn check(items: &[Declaring<'_>], model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut check = Check { model, ids: FxHashMap::default(), parameters_seen: FxHashSet::default(), diagnostics };
    for declaring in items.iter().filter(|declaring| !declaring.repaired) {
        let Some(declaration) = model.get(declaring.id) else { continue };
        match &declaration.kind {
            DeclarationKind::Tool(tool) => {
                if declaration.name.contains(SEPARATOR) {
                    check.diagnostics.push(message::separator_in_name(&declaration.name, declaration.place, None));
                }
                if let Some((id, place)) = &tool.id {
                    check.id(id, *place);
                }
            }
            DeclarationKind::Toolkit(toolkit) => check.toolkit(declaration, toolkit),
            DeclarationKind::Agent(agent) => check.agent(declaration, agent),
            _ => {}
        }
    }
}

struct Check<'m, 'd> {
    model: &'m Model,
    /// The ids of tools, with where they were given first.
    ids: FxHashMap<&'m str, Place>,
    /// The tools whose parameters have been looked at.
    parameters_seen: FxHashSet<DeclarationId>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'m> Check<'m, '_> {
    fn id(&mut self, id: &'m str, place: Place) {
        if let Some(first) = self.ids.get(id) {
            self.diagnostics.push(message::duplicate_id(id, place, *first));
        } else {
            self.ids.insert(id, place);
        }
    }

    fn toolkit(&mut self, declaration: &Declaration, toolkit: &Toolkit) {
        self.names(&toolkit.tools);
        let offer = offered(self.model, &toolkit.tools);
        self.clashes(declaration, &toolkit.tools, &offer);
    }

    fn agent(&mut self, declaration: &Declaration, agent: &Agent) {
        self.names(&agent.tools);
        for reference in &agent.tools {
            let Some(target) = self.model.get(reference.target) else { continue };
            if matches!(&target.kind, DeclarationKind::Tool(tool) if tool.activation == Activation::Internal) {
                self.diagnostics.push(message::internal_tool(target, declaration, reference.place));
            }
        }
        let offer = offered(self.model, &agent.tools);
        self.clashes(declaration, &agent.tools, &offer);
        if offer.too_many {
            self.diagnostics.push(message::too_many_tools(declaration));
        }
        for offered in &offer.tools {
            let Some(target) = self.model.get(offered.target) else { continue };
            if offered.name.len() > message::LONGEST_NAME {
                let entry = agent.tools.get(offered.entry).map_or(offered.place, |entry| entry.place);
                self.diagnostics.push(message::long_name(offered, declaration, entry, target));
            }
            if self.parameters_seen.insert(offered.target) {
                self.parameters(target, offered.place);
            }
        }
    }

    /// The names that a list gives; that of a tool itself is looked at where it is declared.
    fn names(&mut self, list: &[ToolReference]) {
        for reference in list {
            let Some(target) = self.model.get(reference.target) else { continue };
            let declared = match &reference.alias {
                Some(_) => None,
                None if matches!(target.kind, DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)) => Some(target),
                None => continue,
            };
            let name = reference.name(target);
            if name.contains(SEPARATOR) {
                self.diagnostics.push(message::separator_in_name(name, reference.name_place, declared));
            }
        }
    }

    /// Reports what clashes in this list. What clashes within one toolkit is reported there.
    fn clashes(&mut self, owner: &Declaration, list: &[ToolReference], offer: &Offer) {
        let own = |clash: &&Clash| clash.first.entry != clash.second.entry;
        self.diagnostics.extend(offer.clashes.iter().filter(own).map(|clash| message::offered_twice(self.model, owner, list, clash)));
    }

    fn parameters(&mut self, declaration: &Declaration, offered: Place) {
        let input = match &declaration.kind {
            // What a provider's own tool takes is the provider's business.
            DeclarationKind::Tool(tool) if tool.kind != ToolKind::Provider => &tool.input,
            DeclarationKind::Agent(agent) => &agent.input,
            DeclarationKind::Workflow(workflow) => &workflow.input,
            _ => return,
        };
        for field in input.fields.iter().filter(|field| !is_plain(field.wire_name())) {
            self.diagnostics.push(message::parameter_name(field.wire_name(), field.place, declaration, offered));
        }
    }
}

/// Whether every provider takes a parameter of this name.
fn is_plain(name: &str) -> bool {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain && !name.is_empty() && name.len() <= message::LONGEST_NAME && !name.starts_with(|first: char| first.is_ascii_digit())
}
