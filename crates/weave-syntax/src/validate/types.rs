//! Types, fields and constraints.

use weave_diagnostics::Span;

use super::{Pass, messages};
use crate::ast::{Constraint, Constraints, Field, Key, MapType, OptionalType, Record, Type};

impl Pass<'_> {
    pub(super) fn parameters(&mut self, parameters: &[Field]) {
        self.fields(parameters, "parameter");
    }

    pub(super) fn record(&mut self, record: &Record) {
        for pair in record.fields.windows(2) {
            let [before, behind] = pair else { continue };
            if !self.bare_constraint(before, behind) {
                self.entries(pair);
            }
        }
        if let (Some(open), Some(last)) = (record.open, record.fields.last()) {
            self.separation(last.span, open.start);
        }
        self.fields(&record.fields, "field");
    }

    /// `int min: 1`, which reads like a field with the type `1` behind one without a comma.
    fn bare_constraint(&mut self, before: &Field, field: &Field) -> bool {
        let (Type::Literal(value), None, None) = (&field.ty, field.optional, &field.default) else { return false };
        let word = field.name.span.text(self.text);
        let between = self.between(before.span.end, field.span.start);
        let is_meant = matches!(word, "min" | "max" | "pattern" | "unique")
            && matches!(before.ty, Type::Named(_) | Type::List(_) | Type::Map(_))
            && before.default.is_none()
            && !between.is_empty()
            && between.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        if is_meant {
            self.report_shape(messages::bare_constraints(
                before.ty.span().text(self.text),
                word,
                field.span,
                value.span.text(self.text),
                before.span.end,
            ));
        }
        is_meant
    }

    fn fields(&mut self, fields: &[Field], what: &str) {
        for field in fields {
            self.meta(&field.meta);
            self.key(field.name);
            self.field(field);
        }
        self.duplicates(fields, |pass, word, place, earlier| pass.report(messages::duplicate_field(what, word, place, earlier)));
    }

    fn field(&mut self, field: &Field) {
        match &field.ty {
            Type::Optional(optional) => self.optional_field(field, optional),
            ty => self.ty(ty),
        }
        if let Some(default) = &field.default {
            self.scalar = scalar_name(&field.ty);
            self.constant(default);
            self.scalar = None;
            if let Some(question) = field.optional {
                self.report(messages::optional_with_default(question, default.span()));
            }
        }
    }

    /// A key of a field or an entry.
    pub(super) fn key(&mut self, key: Key) {
        if key.quoted {
            self.escapes(key.span);
        }
    }

    /// `name: T?`, where the question mark has a place that is near.
    fn optional_field(&mut self, field: &Field, optional: &OptionalType) {
        let name_end = field.name.span.end;
        let marked = field.optional.is_some() || field.default.is_some();
        let insertion = (!marked && !field.name.is_missing()).then_some(Span::at(name_end));
        self.report(messages::optional_field(optional.question, field.name.span.text(self.text), insertion));
        self.ty(&optional.inner);
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        // Lists of lists are walked in a loop: nothing bounds how many `[]` follow each other.
        let mut ty = ty;
        let mut outermost = true;
        loop {
            ty = match ty {
                Type::List(list) => {
                    self.constraints(list.constraints.as_ref());
                    &list.item
                }
                Type::Optional(optional) => {
                    self.report(messages::optional_type(optional.question, outermost));
                    &optional.inner
                }
                Type::Parenthesized(inner) => &inner.1,
                Type::Map(map) => {
                    self.map(map, outermost);
                    &map.value
                }
                Type::Named(named) => {
                    self.scalar = Some(named.name.span);
                    self.constraints(named.constraints.as_ref());
                    self.scalar = None;
                    return;
                }
                Type::Record(record) => return self.record(record),
                Type::Literal(literal) => return self.literal(*literal, super::values::Strings::Plain),
                Type::Union(union) => {
                    for alternative in &union.alternatives {
                        self.ty(alternative);
                    }
                    return;
                }
                Type::Missing(_) => return,
            };
            outermost = false;
        }
    }

    fn map(&mut self, map: &MapType, outermost: bool) {
        self.constraints(map.constraints.as_ref());
        let name = map.name.text(self.text);
        if map.name.is_missing() || name == "map" {
            return;
        }
        let is_list = matches!(name.to_ascii_lowercase().as_str(), "array" | "list" | "set" | "seq" | "sequence" | "vec" | "slice");
        let is_map = matches!(name.to_ascii_lowercase().as_str(), "map" | "record" | "dict" | "object" | "hashmap");
        let is_optional = matches!(name.to_ascii_lowercase().as_str(), "optional" | "option" | "maybe" | "nullable");
        let value = map.value.span().text(self.text);
        let meant = if is_list {
            let item = if matches!(map.value, Type::Union(_)) { format!("({value})") } else { value.to_owned() };
            Some(format!("{item}[]"))
        } else if is_optional {
            Some(if outermost { format!("{value} | null") } else { format!("({value} | null)") })
        } else {
            is_map.then(|| format!("map<{value}>"))
        };
        let end = map.constraints.as_ref().map_or(map.span.end, |constraints| constraints.span.start);
        self.report(messages::unknown_generic(Span::new(map.span.start, end), map.name.span, name, meant));
    }

    fn constraints(&mut self, constraints: Option<&Constraints>) {
        let Some(constraints) = constraints else { return };
        let mut given: Vec<(&str, Span)> = Vec::new();
        for constraint in &constraints.items {
            match constraint {
                Constraint::Named { span, name, value } => {
                    self.constant(value);
                    if !name.is_missing() {
                        self.constraint_once(&mut given, name.text(self.text), *span);
                    }
                }
                Constraint::Range { span, min, max } => {
                    for (end, name) in [(min, "min"), (max, "max")] {
                        if let Some(end) = end {
                            self.literal(*end, super::values::Strings::Plain);
                            self.constraint_once(&mut given, name, *span);
                        }
                    }
                }
                Constraint::Bare(value) => {
                    self.constant(value);
                    let raw = value.span().text(self.text);
                    if !raw.is_empty() {
                        self.report(messages::bare_constraint(value.span(), raw));
                    }
                }
            }
        }
    }

    fn constraint_once<'t>(&mut self, given: &mut Vec<(&'t str, Span)>, name: &'t str, span: Span) {
        match given.iter().find(|(other, _)| *other == name) {
            Some((_, earlier)) => {
                let twice = messages::duplicate_constraint(name, span, *earlier);
                // A range beside `min` and `max` is one mistake.
                if self.found.last().is_none_or(|last| (last.code, last.span) != (twice.code, span)) {
                    self.report(twice);
                }
            }
            None => given.push((name, span)),
        }
    }
}

/// The name of a type that has one.
fn scalar_name(ty: &Type) -> Option<Span> {
    if let Type::Named(named) = ty { Some(named.name.span) } else { None }
}
