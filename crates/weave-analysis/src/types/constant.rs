//! Constants, which are checked against the finished types.

use serde_json::Value as Json;
use weave_syntax::ast::Expr;

use crate::declare::Context;
use crate::expression::{Environment, Expected, check_constant};
use crate::messages::declarations as message;
use crate::model::types::Type;

/// A key that objects of JavaScript treat as something else: generated code refuses it in all languages, so no default can have it.
const POISON: &str = "__proto__";

fn has_poison(value: &Json) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Json::Object(entries) if entries.contains_key(POISON) => return true,
            Json::Object(entries) => open.extend(entries.values()),
            Json::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

/// The JSON of a constant, if it has the type.
pub(crate) fn constant(context: &mut Context<'_>, value: &Expr, ty: &Type) -> Option<Json> {
    let sink = context.sink();
    let found = check_constant(&Environment::new(context.model, context.item, &(), &sink), value, Expected::of(ty));
    context.diagnostics.extend(sink.into_diagnostics());
    if found.as_ref().is_some_and(has_poison) {
        context.report(message::reserved_key(context.item.place(value.span()), POISON));
    }
    found
}
