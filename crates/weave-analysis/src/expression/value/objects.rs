//! Objects: the fields that they give, against those that are wanted.

use std::sync::Arc;

use serde_json::{Map, Value as Json};
use weave_diagnostics::{Span, closest};
use weave_syntax::ast::{Entry, Object};
use weave_syntax::text::quoted_string;

use super::choose::string_literal;
use super::{Checker, Strings};
use crate::expression::fits::fits;
use crate::expression::shape::{Member, Shape, members, variant_record};
use crate::expression::{Environment, Expected};
use crate::messages::bodies as message;
use crate::model::declarations::UnionType;
use crate::model::types::{FieldType, RecordType, Type};
use crate::model::value::{Value, ValueKind};

/// Who has the fields that are given, for messages.
pub(super) struct Owner<'a> {
    /// What it is called.
    pub(super) name: OwnerName<'a>,
    /// Where it is said that some are missing.
    pub(super) missing_at: Span,
}

/// What the owner of fields is called. It is put into words only if something is wrong.
pub(super) enum OwnerName<'a> {
    /// Something that is called or emitted.
    Callee(&'a str),
    /// A type.
    Type(&'a Type),
    /// A variant of a tagged union: the union, its tag, and what the tag says.
    Variant(&'a Type, &'a str, &'a str),
}

impl Owner<'_> {
    fn in_words(&self, env: &Environment<'_>) -> String {
        match self.name {
            OwnerName::Callee(name) => format!("`{name}`"),
            OwnerName::Type(ty) => format!("`{}`", env.display(ty)),
            OwnerName::Variant(ty, tag, said) => format!("`{}` with `{tag}: {}`", env.display(ty), quoted_string(said)),
        }
    }
}

impl Checker<'_, '_> {
    pub(super) fn object(self, object: &Object, expected: Expected<'_>) -> Value {
        let all = members(self.env.model, expected.ty);
        if all.iter().any(|member| matches!(member.shape, Shape::Json | Shape::Unknown)) {
            return self.infer_object(object).0;
        }
        let candidates = all.into_iter().filter(|member| matches!(member.shape, Shape::Record(_) | Shape::Map(_) | Shape::Tagged(_)));
        let candidates = candidates.collect::<Vec<_>>();
        let Some(chosen) = self.choose(object, &candidates) else {
            self.infer_object(object);
            self.env.report(message::wrong_shape(self.env, self.opening(object.span), "an object", expected));
            return self.unknown(object.span);
        };
        match chosen.shape {
            Shape::Record(record) => {
                self.record(object, record, &Owner { name: OwnerName::Type(chosen.ty), missing_at: self.opening(object.span) })
            }
            Shape::Map(map) => self.map(object, &map.value, (map.min, map.max), expected),
            Shape::Tagged(_) => self.tagged(object, chosen, expected),
            _ => self.unknown(object.span),
        }
    }

    /// The span of an object if it stands on one line, else its opening brace.
    pub(super) fn opening(self, span: Span) -> Span {
        if self.env.text(span).contains('\n') { Span::new(span.start, span.start + 1) } else { span }
    }

    pub(super) fn record(self, object: &Object, record: &RecordType, owner: &Owner<'_>) -> Value {
        self.fields(&object.entries, object.span, object.rest, record, owner)
    }

    /// The fields of a record. `rest` is the `...` behind them, which stands for those that are not given.
    pub(super) fn fields(self, entries: &[Entry], span: Span, rest: Option<Span>, record: &RecordType, owner: &Owner<'_>) -> Value {
        let mut given = vec![false; record.fields.len()];
        let mut strange: Vec<&Entry> = Vec::new();
        let mut values: Vec<(Arc<str>, Value)> = Vec::with_capacity(entries.len());
        for entry in entries {
            if entry.key.is_missing() {
                continue;
            }
            let key = entry.key.text(self.env.item.text);
            let Some(position) = record.position(&key) else {
                let (value, _, _) = self.infer(&entry.value);
                if record.open && record.field_on_wire(&key).is_none() {
                    values.push((Arc::from(key), value));
                } else {
                    strange.push(entry);
                }
                continue;
            };
            let (Some(field), Some(seen)) = (record.fields.get(position), given.get_mut(position)) else { continue };
            if let Some(recorder) = self.env.sink.recorder() {
                recorder.key(self.env.place(entry.key.span), field);
            }
            // Of a key that is given twice the first one counts; the second has been reported.
            if std::mem::replace(seen, true) {
                continue;
            }
            let value = self.value(&entry.value, Expected::field(field));
            values.push((Arc::clone(field.wire.as_ref().unwrap_or(&field.name)), value));
        }
        if let Some(recorder) = self.env.sink.recorder() {
            recorder.object(self.env.place(span), span, record, &given);
        }
        // Of one that is strange and one that is missing, the one is meant to be the other.
        let mut open = record.fields.iter().zip(&given).enumerate().filter(|(_, (field, given))| !**given && !field.may_be_left_out());
        let (first, second) = (open.next(), open.next());
        let only = first.filter(|_| strange.len() == 1 && second.is_none()).map(|(only, _)| only);
        for entry in strange {
            if let Some(meant) = self.strange(entry, record, &given, owner).or(only).and_then(|meant| given.get_mut(meant)) {
                // What was meant is not missing too.
                *meant = true;
            }
        }
        let missing = record.fields.iter().zip(given).filter(|(field, given)| !given && !field.may_be_left_out());
        let missing = missing.map(|(field, _)| field).collect::<Vec<_>>();
        if !missing.is_empty() && rest.is_none() {
            let mut found = message::missing_fields(self.env, &owner.in_words(self.env), &missing, owner.missing_at);
            if self.strings == Strings::Script {
                found = message::rest_may_be_left_out(found, self.env, entries, span);
            }
            self.env.report(found);
        }
        self.opened(self.folded(values, span), rest)
    }

    /// A value with `...` behind it.
    pub(super) fn opened(self, value: Value, rest: Option<Span>) -> Value {
        let place = value.place;
        if rest.is_some() { Value { kind: ValueKind::Open(Box::new(value)), place } } else { value }
    }

    /// Reports an entry that is no declared field, and says which field was meant by it.
    fn strange(self, entry: &Entry, record: &RecordType, given: &[bool], owner: &Owner<'_>) -> Option<usize> {
        let key = entry.key.text(self.env.item.text);
        let worth = self.env.sink.worth_a_suggestion();
        let renamed = record.fields.iter().position(|field| field.wire_name() == key);
        let open = record.fields.iter().zip(given).filter(|(_, given)| !**given).map(|(field, _)| &*field.name);
        let meant = renamed.or_else(|| {
            let similar = worth.then(|| closest(&key, open)).flatten()?;
            record.position(similar)
        });
        let names = record.fields.iter().map(|field| Arc::clone(&field.name)).collect::<Vec<_>>();
        let (renamed, similar) = match (renamed, meant) {
            (Some(index), _) => (record.fields.get(index), None),
            (None, meant) => (None, meant.and_then(|index| names.get(index))),
        };
        let place = self.env.place(entry.key.span);
        self.env.report(message::unknown_entry(
            &key,
            &owner.in_words(self.env),
            worth.then_some(&names),
            similar.map(|name| &**name),
            renamed,
            place,
        ));
        meant
    }

    /// An object of constants is a constant.
    pub(super) fn folded(self, values: Vec<(Arc<str>, Value)>, span: Span) -> Value {
        if self.strings != Strings::Script && values.iter().all(|(_, value)| matches!(value.kind, ValueKind::Constant(_))) {
            let constants = values.into_iter().filter_map(|(key, value)| match value.kind {
                ValueKind::Constant(json) => Some((key.to_string(), json)),
                _ => None,
            });
            return self.made(ValueKind::Constant(Json::Object(constants.collect::<Map<_, _>>())), span);
        }
        self.made(ValueKind::Object(values), span)
    }

    fn map(self, object: &Object, item: &Type, counts: (Option<u64>, Option<u64>), expected: Expected<'_>) -> Value {
        let values = object.entries.iter().filter(|entry| !entry.key.is_missing()).map(|entry| {
            let key = entry.key.text(self.env.item.text);
            (Arc::from(&*key), self.value(&entry.value, expected.part(item)))
        });
        let values = values.collect::<Vec<_>>();
        if object.rest.is_none() {
            self.count(values.len(), counts, object.span, expected);
        }
        self.opened(self.folded(values, object.span), object.rest)
    }

    /// Has written down that the tag comes first, as long as nobody knows which variant is meant.
    fn record_tag(self, object: &Object, union: &UnionType, tag: Option<&Entry>) {
        let Some(recorder) = self.env.sink.recorder() else { return };
        if let Some(tag) = tag {
            recorder.wanted(tag.value.span(), union.tag_type());
        }
        if let Type::Record(record) = variant_record(self.env.model, union, 0)
            && let Some(field) = record.fields.first()
        {
            let field = FieldType { ty: union.tag_type().clone(), ..field.clone() };
            recorder.object(self.env.place(object.span), object.span, &RecordType::new([field].into(), false), &[tag.is_some()]);
        }
    }

    /// An object where a tagged union is wanted: its tag, a literal, says which variant it is.
    fn tagged(self, object: &Object, chosen: Member<'_>, expected: Expected<'_>) -> Value {
        let Shape::Tagged(union) = chosen.shape else { return self.unknown(object.span) };
        let text = self.env.item.text;
        let names = union.variants.iter().map(|variant| Arc::clone(&variant.name)).collect::<Vec<_>>();
        let tag = object.entries.iter().find(|entry| !entry.key.is_missing() && entry.key.text(text) == *union.tag);
        self.record_tag(object, union, tag);
        let Some(tag) = tag else {
            if object.rest.is_some() {
                return self.infer_object(object).0;
            }
            let name = Owner { name: OwnerName::Type(chosen.ty), missing_at: object.span }.in_words(self.env);
            self.env.report(message::missing_tag(&name, &union.tag, &names, self.env.place(self.opening(object.span))));
            return self.infer_object(object).0;
        };
        let Some(literal) = string_literal(self.env, &tag.value, self.strings) else {
            // The tag is read from somewhere: all of it together must fit.
            let (value, ty, _) = self.infer_object(object);
            if !matches!(value.kind, ValueKind::Unknown)
                && let Err(mismatch) = fits(self.env.model, &ty, chosen.ty)
            {
                self.env.report(message::wrong_type(self.env, self.opening(object.span), &ty, Some(&mismatch), expected));
            }
            return value;
        };
        let said = weave_syntax::text::literal_value(text, literal);
        let Some(index) = union.variants.iter().position(|variant| *variant.name == *said) else {
            self.env.report(message::wrong_literal(self.env, literal, &names, expected.part(chosen.ty)));
            return self.infer_object(object).0;
        };
        match variant_record(self.env.model, union, index) {
            Type::Record(record) => {
                let name = OwnerName::Variant(chosen.ty, &union.tag, &said);
                self.record(object, &record, &Owner { name, missing_at: self.opening(object.span) })
            }
            _ => self.infer_object(object).0,
        }
    }
}
