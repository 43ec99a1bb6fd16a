//! The types of values where nothing is wanted.

use std::sync::Arc;

use weave_syntax::ast::{Coalesce, Expr, List, Object};

use super::{Checker, Strings, default_of};
use crate::expression::fits::fits;
use crate::expression::literal::{literal_json, literal_type};
use crate::expression::shape::{join, without_null};
use crate::expression::template::{is_template, template_parts};
use crate::expression::{Expected, Reading, only_path, resolve_path};
use crate::messages::bodies as message;
use crate::model::declarations::TargetNames;
use crate::model::types::{FieldType, ListType, Literal, RecordType, Scalar, Type};
use crate::model::value::{PathValue, Value, ValueKind};

/// Of so many different types of items more is not kept: the list is one of anything.
const MOST_ALTERNATIVES: usize = 32;

impl Checker<'_, '_> {
    pub(super) fn infer(self, expression: &Expr) -> (Value, Type, bool) {
        let span = expression.span();
        let unknown = || (self.unknown(span), Type::Unknown, false);
        match expression {
            Expr::Literal(literal) if self.strings == Strings::Templates && is_template(self.env, *literal) => {
                let parsed = weave_syntax::template(self.env.item.text, *literal);
                if let Some(value @ (Expr::Path(_) | Expr::Coalesce(_))) = parsed.single() {
                    let (value, ty, absent) = self.infer(value);
                    return (Value { place: self.env.place(span), ..value }, ty, absent);
                }
                let template = template_parts(self.env, parsed, span);
                (self.made(ValueKind::Template(template), span), Type::Scalar(Scalar::String, None), false)
            }
            Expr::Literal(literal) => match literal_json(self.env, *literal) {
                Some(json) => {
                    let ty = literal_type(*literal, &json);
                    (self.made(ValueKind::Constant(json), span), ty, false)
                }
                None => unknown(),
            },
            Expr::Path(path) => {
                if self.explains_bare_word(path, Expected::of(&Type::Unknown)) || self.strings != Strings::Templates {
                    return unknown();
                }
                let Some(Reading { path, .. }) = resolve_path(self.env, path) else { return unknown() };
                let (ty, absent) = (path.ty.clone(), path.absent);
                (self.made(ValueKind::Path(PathValue { path, default: None }), span), ty, absent)
            }
            Expr::Coalesce(coalesce) if self.strings == Strings::Templates => self.infer_coalesce(coalesce),
            Expr::Object(object) => self.infer_object(object),
            Expr::List(list) => self.infer_list(list),
            Expr::Parenthesized(inner) => self.infer(&inner.1),
            Expr::Coalesce(_) | Expr::Unary(_) | Expr::Binary(_) | Expr::Missing(_) => unknown(),
        }
    }

    fn infer_coalesce(self, coalesce: &Coalesce) -> (Value, Type, bool) {
        let reading = only_path(self.env, &coalesce.value);
        let mut ty = Type::Unknown;
        let default = default_of(self.env, &coalesce.otherwise, |env, expression| {
            let (value, default, _) = Checker { env, strings: Strings::Constants }.infer(expression);
            ty = default;
            if let ValueKind::Constant(json) = value.kind { Some(json) } else { None }
        });
        let (Some(reading), Some(default)) = (reading, default) else { return (self.unknown(coalesce.span), Type::Unknown, false) };
        let rest = without_null(self.env.model, &reading.path.ty);
        // A literal of the path's own type adds nothing to it.
        let ty = if fits(self.env.model, &ty, &rest).is_ok() { rest } else { join([rest, ty]) };
        (self.made(ValueKind::Path(PathValue { path: reading.path, default: Some(Box::new(default)) }), coalesce.span), ty, false)
    }

    pub(super) fn infer_object(self, object: &Object) -> (Value, Type, bool) {
        let text = self.env.item.text;
        let mut values = Vec::with_capacity(object.entries.len());
        let mut fields: Vec<FieldType> = Vec::with_capacity(object.entries.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for entry in &object.entries {
            let key: Arc<str> = Arc::from(&*entry.key.text(text));
            if entry.key.is_missing() || !seen.insert(Arc::clone(&key)) {
                continue;
            }
            let (value, ty, optional) = self.infer(&entry.value);
            values.push((Arc::clone(&key), value));
            fields.push(FieldType {
                name: key,
                wire: None,
                ty,
                optional,
                default: None,
                docs: None,
                secret: false,
                deprecated: None,
                target_names: TargetNames::default(),
                place: self.env.place(entry.key.span),
                ty_place: self.env.place(entry.key.span),
            });
            if let (Some(recorder), Some(field)) = (self.env.sink.recorder(), fields.last()) {
                recorder.key(field.place, field);
            }
        }
        let ty = Type::Record(Arc::new(RecordType::new(fields.into(), false)));
        (self.opened(self.folded(values, object.span), object.rest), ty, false)
    }

    pub(super) fn infer_list(self, list: &List) -> (Value, Type, bool) {
        let mut values = Vec::with_capacity(list.items.len());
        let mut types = Vec::with_capacity(list.items.len());
        for item in &list.items {
            let (value, ty, absent) = self.infer(&item.value);
            if let (true, ValueKind::Path(path)) = (absent, &value.kind) {
                let reading = Reading { path: path.path.clone(), absence: None };
                self.env.report(message::may_be_absent(self.env, item.value.span(), &reading, Expected::of(&Type::Json)));
            }
            values.push(value);
            types.push(ty);
        }
        // Of a list without items nothing is known, so it fits every list.
        let ty = Type::List(Arc::new(ListType { min: Some(list.items.len() as u64), ..ListType::of(item_type(types)) }));
        (self.opened(self.folded_list(values, list.span), list.rest), ty, false)
    }
}

/// Either of the types of a list's items; a long list is not told apart item by item.
fn item_type(types: Vec<Type>) -> Type {
    if types.len() <= MOST_ALTERNATIVES {
        return join(types);
    }
    let mut different: Vec<Type> = Vec::new();
    for ty in types {
        let ty = match ty {
            Type::Literal(Literal::String(_)) => Type::Scalar(Scalar::String, None),
            Type::Literal(Literal::Bool(_)) => Type::Scalar(Scalar::Bool, None),
            Type::Literal(Literal::Number(number)) => Type::Scalar(if number.is_i64() { Scalar::Int } else { Scalar::Float }, None),
            other => other,
        };
        if !different.contains(&ty) {
            different.push(ty);
        }
        if different.len() > MOST_ALTERNATIVES {
            return Type::Json;
        }
    }
    join(different)
}
