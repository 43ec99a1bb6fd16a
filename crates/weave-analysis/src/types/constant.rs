//! Constants, which are checked against the finished types.

use serde_json::Value as Json;
use weave_syntax::ast::{Expr, LiteralKind};
use weave_syntax::text;

use crate::declare::Context;
use crate::model::types::Type;

/// The JSON of a constant, if it has the type.
pub(crate) fn constant(context: &mut Context<'_>, value: &Expr, _ty: &Type) -> Option<Json> {
    let Expr::Literal(literal) = value else { return None };
    let raw = context.text(literal.span);
    Some(match literal.kind {
        LiteralKind::String | LiteralKind::TextBlock => text::literal_value(context.item.text, *literal).into(),
        LiteralKind::True => true.into(),
        LiteralKind::False => false.into(),
        LiteralKind::Null => Json::Null,
        LiteralKind::Number => match text::number(raw).ok()? {
            text::Number::Integer(value) => value.into(),
            text::Number::Float(value) => value.into(),
        },
        LiteralKind::Duration => return None,
    })
}
