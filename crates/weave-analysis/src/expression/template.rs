//! Strings with placeholders.

use std::sync::Arc;

use weave_diagnostics::Span;
use weave_syntax::Part;
use weave_syntax::ast::{Expr, Literal};
use weave_syntax::text;

use super::path::resolve_path;
use super::shape::is_nullable;
use super::value::default_of;
use super::{Environment, Expected, check_constant};
use crate::messages::bodies as message;
use crate::model::types::Type;
use crate::model::value::{PathValue, Template, TemplatePart};

/// Whether a literal is to be taken apart where placeholders have a meaning.
pub(crate) fn is_template(env: &Environment<'_>, literal: Literal) -> bool {
    use weave_syntax::ast::LiteralKind;
    matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) && text::has_placeholder(env.text(literal.span))
}

/// The parts of a string or a text block, its placeholders typed. A placeholder that is wrong is left out, after it has been reported.
pub(crate) fn check_template(env: &Environment<'_>, literal: Literal) -> Template {
    let place = env.place(literal.span);
    if !is_template(env, literal) {
        let text = text::literal_value(env.item.text, literal);
        let parts = if text.is_empty() { Box::default() } else { Box::new([TemplatePart::Text(Arc::from(text))]) as Box<[_]> };
        return Template { parts, place };
    }
    template_parts(env, weave_syntax::template(env.item.text, literal), literal.span)
}

/// The same for a template that has been taken apart. What is wrong in the syntax of its placeholders has been reported with the item.
pub(crate) fn template_parts(env: &Environment<'_>, template: weave_syntax::Template, span: Span) -> Template {
    let mut parts = Vec::with_capacity(template.parts.len());
    for part in template.parts {
        match part {
            Part::Text(text) => parts.push(TemplatePart::Text(Arc::from(text))),
            Part::Placeholder { value, .. } => parts.extend(placeholder(env, &value).map(TemplatePart::Placeholder)),
        }
    }
    Template { parts: parts.into(), place: env.place(span) }
}

/// A placeholder in text: anything that is there can be written as text.
fn placeholder(env: &Environment<'_>, value: &Expr) -> Option<PathValue> {
    match value {
        Expr::Parenthesized(inner) => placeholder(env, &inner.1),
        Expr::Path(path) => {
            let reading = resolve_path(env, path)?;
            if reading.path.absent || is_nullable(env.model, &reading.path.ty) {
                env.report(message::nothing_in_text(env, path.span, &reading));
            }
            Some(PathValue { path: reading.path, default: None })
        }
        Expr::Coalesce(coalesce) => {
            let reading = super::only_path(env, &coalesce.value);
            let otherwise =
                default_of(env, &coalesce.otherwise, |env, expression| check_constant(env, expression, Expected::of(&Type::Json)));
            // Anything may stand there; likely is what the path could be.
            if let (Some(recorder), Some(reading)) = (env.sink.recorder(), &reading) {
                recorder.wanted(coalesce.otherwise.span(), &reading.path.ty);
                recorder.literal(env.place(coalesce.otherwise.span()), &reading.path.ty, None);
            }
            Some(PathValue { path: reading?.path, default: Some(Box::new(otherwise?)) })
        }
        // Operators and calls have been reported with the syntax.
        _ => None,
    }
}
