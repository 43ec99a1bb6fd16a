//! Types and fields.

use weave_syntax::TokenKind;
use weave_syntax::ast::{Constraint, Constraints, Field, Record, Type};

use super::blocks::{self, Style};
use super::values;
use crate::cursor::{Cursor, Gap};

/// `(parameters)`.
pub(super) fn parameters(cursor: &mut Cursor<'_>, parameters: &[Field]) {
    blocks::list(cursor, Style::Brackets, parameters, field);
}

/// ` -> Output`. The parameters before it break first: `) -> { id: string } {` reads better than a brace at each end of a line.
pub(super) fn output(cursor: &mut Cursor<'_>, output: Option<&Type>) {
    if let Some(output) = output {
        cursor.open_firm_group();
        cursor.spaced_token();
        cursor.gap(Gap::Space);
        ty(cursor, output);
        cursor.close_group();
    }
}

/// An element of a record: a field, or the `...` of an open one.
enum Part<'a> {
    Field(&'a Field),
    Rest,
}

/// `{ fields }`.
pub(super) fn record(cursor: &mut Cursor<'_>, record: &Record) {
    let rest = record.open.map(|_| Part::Rest);
    let parts: Vec<Part<'_>> = record.fields.iter().map(Part::Field).chain(rest).collect();
    blocks::list(cursor, Style::Braces, &parts, |cursor, part| match part {
        Part::Field(it) => field(cursor, it),
        Part::Rest => cursor.token(),
    });
}

/// `name?: T = default`.
fn field(cursor: &mut Cursor<'_>, field: &Field) {
    blocks::meta(cursor, &field.meta, false);
    cursor.tight(field.name.span.end);
    if field.optional.is_some() {
        cursor.token();
    }
    cursor.token();
    cursor.gap(Gap::Space);
    ty(cursor, &field.ty);
    if let Some(default) = &field.default {
        cursor.spaced_token();
        cursor.gap(Gap::Space);
        values::expression(cursor, default);
    }
}

/// A type.
pub(super) fn ty(cursor: &mut Cursor<'_>, of: &Type) {
    match of {
        Type::Named(named) => {
            cursor.tight(named.name.span.end);
            constraints(cursor, named.constraints.as_ref());
        }
        Type::List(list) => {
            ty(cursor, &list.item);
            cursor.token();
            cursor.token();
            constraints(cursor, list.constraints.as_ref());
        }
        Type::Map(map) => {
            cursor.tight(map.name.span.end);
            cursor.token();
            ty(cursor, &map.value);
            cursor.token();
            constraints(cursor, map.constraints.as_ref());
        }
        Type::Record(it) => record(cursor, it),
        Type::Union(union) => alternatives(cursor, &union.alternatives),
        Type::Parenthesized(inner) => {
            cursor.open_group();
            cursor.token();
            cursor.indent();
            cursor.gap(Gap::Soft);
            ty(cursor, &inner.1);
            cursor.close(Gap::Soft);
            cursor.close_group();
        }
        Type::Literal(literal) => cursor.tight(literal.span.end),
        // Neither is in a file without mistakes.
        Type::Optional(_) | Type::Missing(_) => cursor.spaced(of.span().end),
    }
}

/// `A | B | …`.
fn alternatives(cursor: &mut Cursor<'_>, alternatives: &[Type]) {
    if cursor.peek() == TokenKind::Pipe {
        cursor.open_group_around();
        cursor.indent();
        cursor.gap(Gap::Line);
        cursor.token();
        cursor.gap(Gap::Space);
    } else {
        cursor.open_group();
        cursor.indent();
    }
    for (index, alternative) in alternatives.iter().enumerate() {
        if index > 0 {
            cursor.gap(Gap::Line);
            cursor.token();
            cursor.gap(Gap::Space);
        }
        ty(cursor, alternative);
    }
    cursor.dedent();
    cursor.close_group();
}

fn constraints(cursor: &mut Cursor<'_>, constraints: Option<&Constraints>) {
    let Some(constraints) = constraints else { return };
    blocks::list(cursor, Style::Brackets, &constraints.items, |cursor, constraint| match constraint {
        Constraint::Named { name, value, .. } => {
            cursor.tight(name.span.end);
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, value);
        }
        Constraint::Range { span, .. } => cursor.tight(span.end),
        Constraint::Bare(value) => values::expression(cursor, value),
    });
}
