//! Toolkits.

use std::sync::Arc;

use weave_diagnostics::Diagnostic;
use weave_syntax::ast::{Setting, Toolkit as Written};

use super::reader::{Host, Settings};
use super::{tools, values};
use crate::declare::{Context, cycles, leads_back};
use crate::messages::settings as message;
use crate::messages::tools as tool_message;
use crate::model::declarations::Toolkit;
use crate::model::offered::SEPARATOR;
use crate::model::{DeclarationId, DeclarationKind, Model};

pub(super) const TOOLKIT: Host = Host { noun: "a toolkit", settings: &["title", "version", "namespace", "tools", "middleware", "meta"] };

pub(super) fn read(context: &mut Context<'_>, it: &Written) -> Option<DeclarationKind> {
    let before = context.diagnostics.len();
    let settings = Settings::of_block(context, TOOLKIT, it.settings.as_ref());
    settings.require(context, &["tools"], context.text(it.name.span), it.name.span);
    let mut toolkit = Toolkit::default();
    for (name, setting) in settings.given {
        match name {
            "namespace" => toolkit.namespace = namespace(context, setting),
            "tools" => {
                toolkit.tools = tools::tools(context, setting);
                toolkit.doubtful = values::is_short_of(setting, toolkit.tools.len());
            }
            "title" => toolkit.title = values::string(context, setting, "a string, such as `\"Service desk\"`"),
            "version" => toolkit.version = values::string(context, setting, "a string, such as `\"v2\"`"),
            "meta" => toolkit.meta = values::data_block(context, setting, "a block of data, such as `meta { owner: \"support\" }`"),
            _ => toolkit.middleware = values::free_names(context, setting, "a list of names, such as `[authorization, logging]`"),
        }
    }
    toolkit.doubtful |= context.diagnostics.len() > before;
    Some(DeclarationKind::Toolkit(Box::new(toolkit)))
}

/// What stands before the names of tools, so that it may have in it what these have.
fn namespace(context: &mut Context<'_>, setting: &Setting) -> Option<Arc<str>> {
    let found = values::string(context, setting, "a string, such as `\"desk\"`")?;
    let begins = found.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_name = found.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !begins || !is_name || found.contains(SEPARATOR) {
        let place = context.item.place(values::value_span(setting));
        context.report(tool_message::namespace(&found, place));
    }
    Some(found)
}

/// Reports toolkits that contain themselves, and takes the entry that closes the cycle out of its list, so that whoever follows the
/// lists comes to an end.
pub(super) fn check_cycles(model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for cycle in cycles(model.declarations.len(), |id| contained(model, id)) {
        diagnostics.extend(message::toolkit_cycle(model, &cycle));
        let (Some(first), Some(last)) = (cycle.first(), cycle.last()) else { continue };
        if let Some(DeclarationKind::Toolkit(toolkit)) = model.get_mut(*last).map(|it| &mut it.kind) {
            toolkit.tools = std::mem::take(&mut toolkit.tools).into_iter().filter(|tool| tool.target != *first).collect();
        }
    }
}

/// Whether a toolkit leads back to itself.
pub(super) fn contains_itself(model: &Model, id: DeclarationId) -> bool {
    leads_back(id, |id| contained(model, id))
}

/// The toolkits in a toolkit.
fn contained(model: &Model, id: DeclarationId) -> Vec<DeclarationId> {
    let Some(DeclarationKind::Toolkit(toolkit)) = model.get(id).map(|declaration| &declaration.kind) else { return Vec::new() };
    let targets = toolkit.tools.iter().map(|tool| tool.target);
    targets.filter(|id| matches!(model.get(*id).map(|it| &it.kind), Some(DeclarationKind::Toolkit(_)))).collect()
}
