//! Values, guards and settings.

use weave_diagnostics::Span;
use weave_syntax::ast::{Binary, BinaryOperator, Block, BlockEntry, Entry, Expr, Path, Root, Segment, Setting, SettingValue};

use super::blocks::{self, Style};
use super::types;
use crate::cursor::{Cursor, Gap};

/// An expression of any kind.
pub(super) fn expression(cursor: &mut Cursor<'_>, of: &Expr) {
    match of {
        Expr::Literal(literal) => cursor.tight(literal.span.end),
        Expr::Path(it) => path(cursor, it),
        Expr::Object(object) => with_rest(cursor, Style::Braces, &object.entries, object.rest, entry),
        Expr::List(list) => with_rest(cursor, Style::Brackets, &list.items, list.rest, |cursor, item| {
            expression(cursor, &item.value);
            if let Some(alias) = item.alias {
                cursor.spaced(alias.span.end);
            }
        }),
        Expr::Unary(unary) => {
            for _ in &unary.operators {
                cursor.token();
            }
            expression(cursor, &unary.operand);
        }
        Expr::Binary(it) => binary(cursor, it),
        Expr::Coalesce(coalesce) => {
            expression(cursor, &coalesce.value);
            cursor.spaced_token();
            cursor.gap(Gap::Space);
            expression(cursor, &coalesce.otherwise);
        }
        Expr::Parenthesized(inner) => parenthesized(cursor, &inner.1),
        // Not in a file without mistakes.
        Expr::Missing(span) => cursor.spaced(span.end),
    }
}

/// The elements of an object or a list, and the `...` behind them.
fn with_rest<T>(cursor: &mut Cursor<'_>, style: Style, elements: &[T], rest: Option<Span>, mut element: impl FnMut(&mut Cursor<'_>, &T)) {
    let Some(rest) = rest else { return blocks::list(cursor, style, elements, element) };
    let elements: Vec<Option<&T>> = elements.iter().map(Some).chain([None]).collect();
    blocks::list(cursor, style, &elements, |cursor, part| match part {
        Some(it) => element(cursor, it),
        None => cursor.tight(rest.end),
    });
}

fn parenthesized(cursor: &mut Cursor<'_>, inner: &Expr) {
    cursor.open_group();
    cursor.token();
    cursor.indent();
    cursor.gap(Gap::Soft);
    expression(cursor, inner);
    cursor.close(Gap::Soft);
    cursor.close_group();
}

/// `a && b && c`: a chain that is too long has an operand a line.
fn binary(cursor: &mut Cursor<'_>, of: &Binary) {
    cursor.open_group();
    cursor.indent();
    expression(cursor, &of.first);
    for (operator, _, operand) in &of.rest {
        let breaks = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
        cursor.gap(if breaks { Gap::Line } else { Gap::Space });
        cursor.token();
        cursor.gap(Gap::Space);
        expression(cursor, operand);
    }
    cursor.dedent();
    cursor.close_group();
}

/// `.a.b[0]?.contains(x)`.
fn path(cursor: &mut Cursor<'_>, of: &Path) {
    match &of.root {
        Root::Dot(dot) => cursor.tight(dot.end),
        Root::Name(name) => cursor.tight(name.span.end),
        Root::Expr(Expr::Parenthesized(inner)) => parenthesized(cursor, &inner.1),
        Root::Expr(inner) => expression(cursor, inner),
    }
    for segment in &of.segments {
        if let Segment::Call { span, arguments } = segment {
            cursor.tight(span.start);
            blocks::list(cursor, Style::Brackets, arguments, expression);
        }
    }
    cursor.tight(of.span.end);
}

/// `key: value`.
fn entry(cursor: &mut Cursor<'_>, entry: &Entry) {
    cursor.tight(entry.key.span.end);
    cursor.token();
    cursor.gap(Gap::Space);
    expression(cursor, &entry.value);
}

/// `{ settings }`, `{ data }`.
pub(super) fn block(cursor: &mut Cursor<'_>, block: &Block) {
    blocks::list(cursor, Style::Braces, &block.entries, |cursor, part| match part {
        BlockEntry::Setting(it) => setting(cursor, it),
        BlockEntry::Data(it) => entry(cursor, it),
    });
}

/// `name value`.
pub(super) fn setting(cursor: &mut Cursor<'_>, setting: &Setting) {
    cursor.tight(setting.name.span.end);
    cursor.gap(Gap::Space);
    match &setting.value {
        SettingValue::Value { value, block: behind } => {
            expression(cursor, value);
            if let Some(behind) = behind {
                cursor.gap(Gap::Space);
                block(cursor, behind);
            }
        }
        SettingValue::Block(it) => block(cursor, it),
        SettingValue::When { guard, .. } => {
            cursor.token();
            cursor.gap(Gap::Space);
            expression(cursor, guard);
        }
        SettingValue::Type(it) => types::ty(cursor, it),
        SettingValue::Example { input, output } => {
            expression(cursor, input);
            if let Some(output) = output {
                cursor.spaced_token();
                cursor.gap(Gap::Space);
                expression(cursor, output);
            }
        }
    }
    cursor.spaced(setting.span.end);
}
