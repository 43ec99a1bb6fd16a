//! Toolkits.

use weave_diagnostics::Diagnostic;
use weave_syntax::ast::Toolkit as Written;

use super::reader::{Host, Settings};
use super::{tools, values};
use crate::declare::{Context, circles};
use crate::messages::settings as message;
use crate::model::declarations::Toolkit;
use crate::model::{DeclarationId, DeclarationKind, Model};

const TOOLKIT: Host = Host { noun: "a toolkit", settings: &["namespace", "tools", "middleware"] };

pub(super) fn read(context: &mut Context<'_>, it: &Written) -> Option<DeclarationKind> {
    let settings = Settings::of_block(context, TOOLKIT, it.settings.as_ref());
    settings.require(context, &["tools"], context.text(it.name.span), it.name.span);
    let mut toolkit = Toolkit::default();
    for (name, setting) in settings.given {
        match name {
            "namespace" => toolkit.namespace = values::string(context, setting, "a string, such as `\"desk\"`"),
            "tools" => toolkit.tools = tools::tools(context, setting),
            _ => toolkit.middleware = values::free_names(context, setting, "a list of names, such as `[authorization, logging]`"),
        }
    }
    Some(DeclarationKind::Toolkit(Box::new(toolkit)))
}

/// Reports toolkits that contain themselves, and takes the entry that closes the circle out of its list, so that whoever follows the
/// lists comes to an end.
pub(super) fn check_circles(model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for circle in circles(model.declarations.len(), |id| contained(model, id)) {
        diagnostics.extend(message::toolkit_circle(model, &circle));
        let (Some(first), Some(last)) = (circle.first(), circle.last()) else { continue };
        if let Some(DeclarationKind::Toolkit(toolkit)) = model.declarations.get_mut(last.0 as usize).map(|it| &mut it.kind) {
            toolkit.tools = std::mem::take(&mut toolkit.tools).into_iter().filter(|tool| tool.target != *first).collect();
        }
    }
}

/// The toolkits in a toolkit.
fn contained(model: &Model, id: DeclarationId) -> Vec<DeclarationId> {
    let Some(DeclarationKind::Toolkit(toolkit)) = model.get(id).map(|declaration| &declaration.kind) else { return Vec::new() };
    let targets = toolkit.tools.iter().map(|tool| tool.target);
    targets.filter(|id| matches!(model.get(*id).map(|it| &it.kind), Some(DeclarationKind::Toolkit(_)))).collect()
}
