//! Lists of tools: what agents offer their models, and what is in toolkits.

use weave_analysis::model::declarations::{ToolReference, Toolkit};
use weave_analysis::model::offered::Offered;
use weave_analysis::model::{Declaration, DeclarationKind, Model};
use weave_ir::{OfferedTool, ToolkitEntry};

use super::parts::{Parts, entries, text};
use super::places::Places;

/// An offer as an agent's list has it.
pub(super) fn offer(offered: &Offered, model: &Model) -> OfferedTool {
    let name = offered.name.clone();
    let middleware = offered.middleware.iter().map(|name| name.to_string()).collect();
    let declaration = model.get(offered.target);
    let declared = declaration.map(|declaration| declaration.name.to_string()).unwrap_or_default();
    match declaration.map(|declaration| &declaration.kind) {
        Some(DeclarationKind::Agent(_)) => OfferedTool::Agent { name, agent: declared, middleware },
        Some(DeclarationKind::Workflow(_)) => OfferedTool::Workflow { name, workflow: declared, middleware },
        _ => OfferedTool::Tool { name, tool: declared, middleware },
    }
}

fn entry(reference: &ToolReference, declaration: &Declaration) -> ToolkitEntry {
    let name = reference.name(declaration).to_owned();
    let declared = declaration.name.to_string();
    match declaration.kind {
        DeclarationKind::Agent(_) => ToolkitEntry::Agent { name, agent: declared },
        DeclarationKind::Workflow(_) => ToolkitEntry::Workflow { name, workflow: declared },
        DeclarationKind::Toolkit(_) => ToolkitEntry::Toolkit { toolkit: declared },
        _ => ToolkitEntry::Tool { name, tool: declared },
    }
}

impl Parts<'_> {
    pub(super) fn toolkit(&self, name: &Declaration, toolkit: &Toolkit, pointer: &str, places: &mut Places) -> weave_ir::Toolkit {
        let mut tools = Vec::with_capacity(toolkit.tools.len());
        for reference in &toolkit.tools {
            let Some(declaration) = self.model.get(reference.target) else { continue };
            places.add(format!("{pointer}/tools/{}", tools.len()), reference.place);
            tools.push(entry(reference, declaration));
        }
        weave_ir::Toolkit {
            title: text(&toolkit.title),
            description: text(&name.docs),
            deprecated: text(&name.deprecated),
            version: text(&toolkit.version),
            namespace: text(&toolkit.namespace),
            tools,
            middleware: toolkit.middleware.iter().map(|name| name.to_string()).collect(),
            meta: entries(toolkit.meta.as_ref()),
        }
    }
}
