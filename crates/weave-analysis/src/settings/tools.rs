//! The `tools` of agents and toolkits.

use std::sync::Arc;

use weave_syntax::ast::{Expr, ListItem, Setting};

use super::values::{self, Once, bare_name, wrong_value};
use crate::declare::{Context, similar_name, worth_a_suggestion};
use crate::messages::{declarations, settings as message};
use crate::model::declarations::ToolReference;
use crate::model::{DeclarationId, DeclarationKind, Lookup};

const EXPECTED: &str = "a list of tools, such as `[find_order, web_search as search]`";

/// Whether a declaration may stand in a list of tools: workflows and agents may stand wherever a tool is named.
pub(super) const fn is_offered(kind: &DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Tool(_) | DeclarationKind::Toolkit(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_))
}

/// A list of tools, toolkits, agents and workflows.
pub(super) fn tools(context: &mut Context<'_>, setting: &Setting) -> Box<[ToolReference]> {
    let Some(list) = values::list(context, setting, EXPECTED) else { return Box::default() };
    let mut found = Vec::with_capacity(list.items.len());
    let mut once = Once::default();
    for item in &list.items {
        let Some(target) = target(context, setting, &item.value) else { continue };
        let Some(alias) = alias(context, item, target) else { continue };
        // The same tool may be offered under two names.
        if once.is_new(context, (target, alias.clone()), item.value.span()) {
            let place = context.item.place(item.value.span());
            let name_place = item.alias.filter(|_| alias.is_some()).map_or(place, |alias| context.item.place(alias.span));
            found.push(ToolReference { target, alias, place, name_place });
        }
    }
    found.into_boxed_slice()
}

fn target(context: &mut Context<'_>, setting: &Setting, value: &Expr) -> Option<DeclarationId> {
    let Some(name) = bare_name(value) else {
        if !matches!(value, Expr::Missing(_)) {
            wrong_value(context, setting, value.span(), EXPECTED);
        }
        return None;
    };
    named(context, name.text(context.item.text), name.span, "a tool", is_offered)
}

/// The name behind `as`; nothing at all if it cannot stand there.
#[allow(clippy::option_option, reason = "no alias is an answer")]
fn alias(context: &mut Context<'_>, item: &ListItem, target: DeclarationId) -> Option<Option<Arc<str>>> {
    let Some(alias) = item.alias.filter(|alias| !alias.is_missing()) else { return Some(None) };
    let text = context.text(alias.span);
    if let Some(found) = context.model.get(target)
        && matches!(found.kind, DeclarationKind::Toolkit(_))
    {
        context.report(message::toolkit_alias(&found.name, context.item.place(alias.span)));
        return None;
    }
    Some(Some(Arc::from(text)))
}

/// What a name refers to, which must be of an accepted kind; `expected` says of which, with its article.
pub(super) fn named(
    context: &mut Context<'_>,
    text: &str,
    span: weave_diagnostics::Span,
    expected: &str,
    accepts: fn(&DeclarationKind) -> bool,
) -> Option<DeclarationId> {
    let place = context.item.place(span);
    match context.scope.lookup(text, false) {
        Lookup::Found(id) => match context.model.get(id) {
            Some(found) if accepts(&found.kind) => return Some(id),
            Some(found) => context.report(declarations::wrong_kind(text, expected, place, found)),
            None => {}
        },
        Lookup::Excused => {}
        Lookup::Unknown => {
            let worth = worth_a_suggestion(context.diagnostics);
            let similar = worth.then(|| similar_name(context.model, context.item.file, text, false, accepts)).flatten();
            context.report(declarations::unknown_name(text, expected, place, similar.as_deref()));
        }
    }
    None
}
