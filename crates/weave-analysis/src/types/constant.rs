//! Constants, which are checked against the finished types.

use serde_json::Value as Json;
use weave_syntax::ast::Expr;

use crate::declare::Context;
use crate::expression::{Environment, Expected, check_constant};
use crate::model::types::Type;

/// The JSON of a constant, if it has the type.
pub(crate) fn constant(context: &mut Context<'_>, value: &Expr, ty: &Type) -> Option<Json> {
    let sink = context.sink();
    let found = check_constant(&Environment::new(context.model, context.item, &(), &sink), value, Expected::of(ty));
    context.diagnostics.extend(sink.into_diagnostics());
    found
}
