//! Strings that stand for something that has a name: the values of enums, the tags of unions, and the codes of errors.

use weave_analysis::model::types::{FieldType, Literal, Type};
use weave_analysis::model::{DeclarationId, Model};
use weave_analysis::trace::{LiteralReading, ReadFrom, Reading, Trace, enums_of, fields_of, unions_of};
use weave_diagnostics::Place;
use weave_syntax::ast::ItemKind;
use weave_syntax::text::string_value;

use super::{Mention, Role, Walk};
use crate::{Analysis, Symbol};

/// The strings of values and guards, as the compiler has read them.
pub(super) fn literals(walk: &mut Walk<'_>, trace: &Trace) {
    for literal in &trace.literals {
        let place = walk.analysis.in_text(literal.place);
        let written = walk.analysis.text_of(place);
        if !written.starts_with('"') {
            continue;
        }
        let text = string_value(written).into_owned();
        for symbol in meanings(walk, trace, literal, &text) {
            walk.found.push(Mention { place, symbol, role: Role::Says, ty: None, absent: false });
        }
    }
}

fn meanings(walk: &Walk<'_>, trace: &Trace, literal: &LiteralReading, text: &str) -> Vec<Symbol> {
    let (analysis, model) = (walk.analysis, walk.analysis.model());
    let values = enums_of(model, &literal.wanted).into_iter().flat_map(|it| it.values.iter().filter(|value| *value.wire == *text));
    let mut found: Vec<Symbol> = values.map(|value| Symbol::Member(analysis.in_text(value.place))).collect();
    let beside = literal.beside.and_then(|beside| last_word(trace, beside));
    if let Some(Reading { place, from: ReadFrom::Value(owner), .. }) = beside {
        let word = crate::references::word(analysis.text_of(analysis.in_text(*place)));
        let unions = unions_of(model, owner).into_iter().filter(|union| *union.tag == *word);
        let variants = unions.flat_map(|union| union.variants.iter().filter(|variant| *variant.name == *text));
        found.extend(variants.map(|variant| Symbol::Member(analysis.in_text(variant.place))));
        if word == "code" {
            found.extend(error(walk, model, owner, text).map(Symbol::Declaration));
        }
    }
    // In an object the tag is the key before.
    let behind = trace.keys.partition_point(|key| key.place.span.start < literal.place.span.start);
    if let Some(key) = behind.checked_sub(1).and_then(|index| trace.keys.get(index))
        && literal.wanted == Type::Literal(Literal::String(text.into()))
        && key.field.ty == literal.wanted
        && is_tag(analysis, &key.field, key.place)
    {
        found.push(Symbol::Member(analysis.in_text(key.field.place)));
    }
    found
}

/// The last word of a path.
fn last_word(trace: &Trace, path: Place) -> Option<&Reading> {
    let behind = trace.readings.partition_point(|reading| reading.place.span.start < path.span.end);
    let last = behind.checked_sub(1).and_then(|index| trace.readings.get(index));
    last.filter(|reading| path.span.contains(reading.place.span))
}

/// The declared error of this code, among those that a failure may be.
fn error(walk: &Walk<'_>, model: &Model, failure: &Type, code: &str) -> Option<DeclarationId> {
    let mut is_this = false;
    for field in fields_of(model, failure).into_iter().filter(|field| super::values::is_of_failure(walk, field)) {
        match (&*field.name, &field.ty) {
            ("code", ty) => is_this = *ty == Type::Literal(Literal::String(code.into())),
            ("data", Type::Named(id)) if is_this => return Some(*id),
            _ => {}
        }
    }
    None
}

/// Whether the key of an object is the tag of its union: it has the place of the variant, which is called otherwise.
pub(super) fn is_tag(analysis: &Analysis, field: &FieldType, key: Place) -> bool {
    let named = analysis.in_text(field.place);
    named != analysis.in_text(key) && crate::references::word(analysis.text_of(named)) != *field.name && tag_of(analysis, named).is_some()
}

/// The tag of the union that has a variant at this place, if it has a name of its own.
pub(super) fn tag_of(analysis: &Analysis, variant: Place) -> Option<Symbol> {
    let item = analysis.item_at(variant.file, variant.span.start)?;
    let ItemKind::Union(union) = &item.slot.parsed.item.kind else { return None };
    Some(Symbol::Member(item.place(union.tag?.span)))
}
