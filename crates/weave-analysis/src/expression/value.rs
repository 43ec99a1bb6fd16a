//! Values: literals, paths, strings with placeholders, and objects and lists of them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json};
use weave_diagnostics::Span;
use weave_syntax::ast::{Coalesce, Expr, List, Literal, Object, Path, Root, Segment};

use super::fits::fits;
use super::literal::{LiteralFault, known_strings, literal_as, literal_json, literal_type};
use super::shape::{Member, Shape, is_nullable, join, members, variant_record, without_null};
use super::template::{is_template, template_parts};
use super::{Environment, Expected, Lookup, Reading, Sink, only_path, resolve_path};
use crate::messages::bodies as message;
use crate::model::types::{FieldType, ListType, RecordType, Scalar, Type};
use crate::model::value::{PathValue, Value, ValueKind};

/// Records with more fields are looked up through a map.
const SHORT: usize = 16;

/// What strings of a place mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    /// `{{` opens a placeholder, and paths are read.
    Templates,
    /// Everything is what it is: only constants have a meaning.
    Constants,
}

/// A value where a type is wanted.
pub(crate) fn check_value(env: &Environment<'_>, expression: &Expr, expected: &Type) -> Value {
    check_expected(env, expression, Expected::of(expected))
}

/// A value where a type is wanted by somebody.
pub(crate) fn check_expected(env: &Environment<'_>, expression: &Expr, expected: Expected<'_>) -> Value {
    Checker { env, strings: Strings::Templates }.value(expression, expected)
}

/// A constant where a type is wanted. Paths, which the second pass over the syntax has reported, give nothing.
pub(crate) fn check_constant(env: &Environment<'_>, expression: &Expr, expected: Expected<'_>) -> Option<Json> {
    match (Checker { env, strings: Strings::Constants }).value(expression, expected).kind {
        ValueKind::Constant(json) => Some(json),
        _ => None,
    }
}

/// The arguments of something that is called, by its parameters; `at` is where it is named.
pub(crate) fn check_arguments(env: &Environment<'_>, payload: Option<&Expr>, parameters: &RecordType, at: Span, callee: &str) -> Value {
    let checker = Checker { env, strings: Strings::Templates };
    match payload {
        Some(Expr::Object(object)) => checker.record(object, parameters, &Owner { name: callee, missing_at: at }),
        None => checker.fields(&[], at, parameters, &Owner { name: callee, missing_at: at }),
        Some(Expr::Missing(span)) => Value { kind: ValueKind::Unknown, place: env.place(*span) },
        Some(other) => checker.value(other, Expected::of(&Type::Record(Arc::new(parameters.clone())))),
    }
}

/// A value where nothing is wanted, its type, and whether it may be absent.
pub(crate) fn infer_value(env: &Environment<'_>, expression: &Expr) -> (Value, Type, bool) {
    Checker { env, strings: Strings::Templates }.infer(expression)
}

/// What stands behind `??`: a literal, or a list or an object of literals.
pub(crate) fn default_of(
    env: &Environment<'_>,
    expression: &Expr,
    check: impl FnOnce(&Environment<'_>, &Expr) -> Option<Json>,
) -> Option<Json> {
    match expression {
        Expr::Parenthesized(inner) => default_of(env, &inner.1, check),
        // Another path has been reported with the syntax.
        Expr::Path(path) if !is_bare(path) => None,
        _ => check(env, expression),
    }
}

fn is_bare(path: &Path) -> bool {
    matches!(path.root, Root::Name(_)) && path.segments.iter().all(|segment| matches!(segment, Segment::Optional(_)))
}

/// Who has the fields that are given, for messages.
struct Owner<'a> {
    name: &'a str,
    /// Where it is said that some are missing.
    missing_at: Span,
}

#[derive(Clone, Copy)]
struct Checker<'e, 'a> {
    env: &'e Environment<'a>,
    strings: Strings,
}

impl Checker<'_, '_> {
    fn made(self, kind: ValueKind, span: Span) -> Value {
        Value { kind, place: self.env.place(span) }
    }

    fn unknown(self, span: Span) -> Value {
        self.made(ValueKind::Unknown, span)
    }

    fn value(self, expression: &Expr, expected: Expected<'_>) -> Value {
        let span = expression.span();
        match expression {
            Expr::Literal(literal) if self.strings == Strings::Templates && is_template(self.env, *literal) => {
                self.template(*literal, expected)
            }
            Expr::Literal(literal) => self.literal(*literal, expected),
            Expr::Path(path) => self.path(path, expected),
            Expr::Coalesce(coalesce) if self.strings == Strings::Templates => self.coalesce(coalesce, expected),
            Expr::Object(object) => self.object(object, expected),
            Expr::List(list) => self.list(list, expected),
            Expr::Parenthesized(inner) => self.value(&inner.1, expected),
            // Operators have been reported with the syntax, and what is missing too.
            Expr::Coalesce(_) | Expr::Unary(_) | Expr::Binary(_) | Expr::Missing(_) => self.unknown(span),
        }
    }

    // ---- Literals ------------------------------------------------------------------------------------------------------

    fn literal(self, literal: Literal, expected: Expected<'_>) -> Value {
        match literal_as(self.env, literal, expected.ty) {
            Ok(json) => self.made(ValueKind::Constant(json), literal.span),
            Err(fault) => {
                self.literal_fault(literal, fault, expected);
                self.unknown(literal.span)
            }
        }
    }

    fn literal_fault(self, literal: Literal, fault: LiteralFault, expected: Expected<'_>) {
        let env = self.env;
        match fault {
            LiteralFault::Reported => {}
            LiteralFault::Limit(limit) => env.report(message::broken_limit(env, literal, &limit, expected)),
            LiteralFault::Format(scalar) => env.report(message::wrong_format(env, literal, scalar, expected)),
            LiteralFault::Kind => {
                let known = known_strings(env, expected.ty);
                env.report(message::wrong_literal(env, literal, &known, expected));
            }
        }
    }

    fn template(self, literal: Literal, expected: Expected<'_>) -> Value {
        let parsed = weave_syntax::template(self.env.item.text, literal);
        // One placeholder and nothing else yields the value itself.
        if let Some(value) = parsed.single() {
            let inner = match value {
                Expr::Path(_) | Expr::Coalesce(_) => self.value(value, expected),
                _ => self.unknown(literal.span),
            };
            return Value { place: self.env.place(literal.span), ..inner };
        }
        let has_errors = !parsed.errors.is_empty();
        let template = template_parts(self.env, parsed, literal.span);
        let takes_text = members(self.env.model, expected.ty).iter().any(|member| takes_text(member.shape));
        if !takes_text && !has_errors {
            self.env.report(message::text_where_not_wanted(self.env, literal.span, expected));
            return self.unknown(literal.span);
        }
        self.made(ValueKind::Template(template), literal.span)
    }

    // ---- Paths ---------------------------------------------------------------------------------------------------------

    fn path(self, path: &Path, expected: Expected<'_>) -> Value {
        if self.explains_bare_word(path, expected) || self.strings == Strings::Constants {
            return self.unknown(path.span);
        }
        let Some(reading) = resolve_path(self.env, path) else { return self.unknown(path.span) };
        self.judge(path.span, &reading, expected);
        self.made(ValueKind::Path(PathValue { path: reading.path, default: None }), path.span)
    }

    /// A word without quotes and without a dot.
    fn explains_bare_word(self, path: &Path, expected: Expected<'_>) -> bool {
        let env = self.env;
        let word = env.text(path.span);
        if !is_bare(path) || word.is_empty() || !matches!(env.values.lookup(word), Lookup::Unknown) {
            return false;
        }
        env.report(message::bare_word(word, &known_strings(env, expected.ty), env.place(path.span)));
        true
    }

    /// Whether what a path yields may stand where it stands.
    fn judge(self, span: Span, reading: &Reading, expected: Expected<'_>) {
        let (env, path) = (self.env, &reading.path);
        if let Err(mismatch) = fits(env.model, &path.ty, expected.ty) {
            let only_null = is_nullable(env.model, &path.ty) && !is_nullable(env.model, expected.ty) && {
                let rest = without_null(env.model, &path.ty);
                !matches!(rest, Type::Unknown) && fits(env.model, &rest, expected.ty).is_ok()
            };
            env.report(if only_null {
                message::may_be_null(env, span, reading, expected)
            } else {
                message::wrong_type(env, span, &path.ty, Some(&mismatch), expected)
            });
        } else if path.absent && !expected.may_be_absent {
            env.report(message::may_be_absent(env, span, reading, expected));
        }
    }

    fn coalesce(self, coalesce: &Coalesce, expected: Expected<'_>) -> Value {
        let reading = only_path(self.env, &coalesce.value);
        let default = default_of(self.env, &coalesce.otherwise, |env, expression| check_constant(env, expression, expected));
        let (Some(reading), Some(default)) = (reading, default) else { return self.unknown(coalesce.span) };
        let rest = without_null(self.env.model, &reading.path.ty);
        if let Err(mismatch) = fits(self.env.model, &rest, expected.ty) {
            self.env.report(message::wrong_type(self.env, coalesce.value.span(), &rest, Some(&mismatch), expected));
        }
        self.made(ValueKind::Path(PathValue { path: reading.path, default: Some(default) }), coalesce.span)
    }

    // ---- Objects -------------------------------------------------------------------------------------------------------

    fn object(self, object: &Object, expected: Expected<'_>) -> Value {
        let all = members(self.env.model, expected.ty);
        if all.iter().any(|member| matches!(member.shape, Shape::Json | Shape::Unknown)) {
            return self.infer_object(object).0;
        }
        let candidates = all.into_iter().filter(|member| matches!(member.shape, Shape::Record(_) | Shape::Map(_) | Shape::Tagged(_)));
        let candidates = candidates.collect::<Vec<_>>();
        let Some(chosen) = self.choose(object, &candidates) else {
            let (_, ty, _) = self.infer_object(object);
            self.env.report(message::wrong_type(self.env, self.opening(object.span), &ty, None, expected));
            return self.unknown(object.span);
        };
        match chosen.shape {
            Shape::Record(record) => {
                let name = self.env.display(chosen.ty);
                self.record(object, record, &Owner { name: &name, missing_at: self.opening(object.span) })
            }
            Shape::Map(map) => self.map(object, &map.value, (map.min, map.max), expected),
            Shape::Tagged(_) => self.tagged(object, chosen, expected),
            _ => self.unknown(object.span),
        }
    }

    /// The span of an object if it stands on one line, else its opening brace.
    fn opening(self, span: Span) -> Span {
        if self.env.text(span).contains('\n') { Span::new(span.start, span.start + 1) } else { span }
    }

    fn record(self, object: &Object, record: &RecordType, owner: &Owner<'_>) -> Value {
        self.fields(&object.entries, object.span, record, owner)
    }

    fn fields(self, entries: &[weave_syntax::ast::Entry], span: Span, record: &RecordType, owner: &Owner<'_>) -> Value {
        let mut given = vec![false; record.fields.len()];
        let mut values: Vec<(Arc<str>, Value)> = Vec::with_capacity(entries.len());
        let index = FieldIndex::of(record);
        for entry in entries {
            if entry.key.is_missing() {
                continue;
            }
            let key = entry.key.text(self.env.item.text);
            let Some(position) = index.get(record, &key) else {
                values.extend(self.extra(&key, entry, record, owner));
                continue;
            };
            let (Some(field), Some(seen)) = (record.fields.get(position), given.get_mut(position)) else { continue };
            // Of a key that is given twice the first one counts; the second has been reported.
            if std::mem::replace(seen, true) {
                continue;
            }
            let value = self.value(&entry.value, Expected::field(field));
            values.push((Arc::clone(field.wire.as_ref().unwrap_or(&field.name)), value));
        }
        let missing = record.fields.iter().zip(given).filter(|(field, given)| !given && !field.may_be_left_out());
        let missing = missing.map(|(field, _)| field).collect::<Vec<_>>();
        if !missing.is_empty() {
            self.env.report(message::missing_fields(self.env, owner.name, &missing, owner.missing_at));
        }
        self.folded(values, span)
    }

    /// An entry that is no declared field.
    fn extra(self, key: &str, entry: &weave_syntax::ast::Entry, record: &RecordType, owner: &Owner<'_>) -> Option<(Arc<str>, Value)> {
        let (value, _, _) = self.infer(&entry.value);
        let renamed = record.fields.iter().find(|field| field.wire_name() == key);
        if record.open && renamed.is_none() {
            return Some((Arc::from(key), value));
        }
        let names = record.fields.iter().map(|field| Arc::clone(&field.name)).collect::<Vec<_>>();
        self.env.report(message::unknown_entry(key, owner.name, &names, renamed, self.env.place(entry.key.span)));
        None
    }

    /// An object of constants is a constant.
    fn folded(self, values: Vec<(Arc<str>, Value)>, span: Span) -> Value {
        if values.iter().all(|(_, value)| matches!(value.kind, ValueKind::Constant(_))) {
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
        self.count(values.len(), counts, object.span, expected);
        self.folded(values, object.span)
    }

    /// An object where a tagged union is wanted: its tag, a literal, says which variant it is.
    fn tagged(self, object: &Object, chosen: Member<'_>, expected: Expected<'_>) -> Value {
        let Shape::Tagged(union) = chosen.shape else { return self.unknown(object.span) };
        let text = self.env.item.text;
        let name = self.env.display(chosen.ty);
        let names = union.variants.iter().map(|variant| Arc::clone(&variant.name)).collect::<Vec<_>>();
        let Some(tag) = object.entries.iter().find(|entry| !entry.key.is_missing() && entry.key.text(text) == *union.tag) else {
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
                let name = format!("{name} with `{}: {said:?}`", union.tag);
                self.record(object, &record, &Owner { name: &name, missing_at: self.opening(object.span) })
            }
            _ => self.infer_object(object).0,
        }
    }

    // ---- Choosing among alternatives -----------------------------------------------------------------------------------

    /// The alternative that an object is most likely meant to be.
    fn choose<'m>(self, object: &Object, candidates: &[Member<'m>]) -> Option<Member<'m>> {
        if let [] | [_] = candidates {
            return candidates.first().copied();
        }
        let rank = |member: &Member<'_>| self.rank(object, member.shape);
        let best = candidates.iter().map(rank).max()?;
        let mut equal = candidates.iter().filter(|member| rank(member) == best);
        let (first, second) = (equal.next()?, equal.next());
        if second.is_none() {
            return Some(*first);
        }
        // The names do not tell: the types do.
        let ty = self.silent(|checker| checker.infer_object(object).1);
        let fitting = candidates.iter().filter(|member| rank(member) == best).find(|member| fits(self.env.model, &ty, member.ty).is_ok());
        Some(*fitting.unwrap_or(first))
    }

    /// How well the keys and the literals of an object go with an alternative: conflicts of literals, then of names, then what is known.
    fn rank(self, object: &Object, shape: Shape<'_>) -> (i64, i64, i64) {
        let text = self.env.item.text;
        match shape {
            Shape::Record(record) => {
                let index = FieldIndex::of(record);
                let (mut conflicts, mut unknown, mut known) = (0, 0, 0);
                let mut given = 0;
                for entry in &object.entries {
                    match index.get(record, &entry.key.text(text)).and_then(|position| record.fields.get(position)) {
                        Some(field) => {
                            known += 1;
                            given += i64::from(!field.may_be_left_out());
                            conflicts += i64::from(self.conflicts(&entry.value, field));
                        }
                        None => unknown += i64::from(!record.open),
                    }
                }
                let missing = record.fields.iter().filter(|field| !field.may_be_left_out()).count() as i64 - given;
                (-conflicts, -(unknown + missing.max(0)), known)
            }
            Shape::Tagged(union) => {
                let tag = object.entries.iter().find(|entry| entry.key.text(text) == *union.tag);
                let said = tag.and_then(|tag| string_literal(self.env, &tag.value, self.strings));
                let said = said.map(|literal| weave_syntax::text::literal_value(text, literal));
                let known = said.is_some_and(|said| union.variants.iter().any(|variant| *variant.name == *said));
                (if known { 0 } else { -1 }, if tag.is_some() { 0 } else { -1 }, i64::from(known) * object.entries.len() as i64)
            }
            _ => (0, 0, 0),
        }
    }

    /// Whether an entry says a literal that a field, which is made of literals, does not have.
    fn conflicts(self, value: &Expr, field: &FieldType) -> bool {
        let Expr::Literal(literal) = value else { return false };
        if self.strings == Strings::Templates && is_template(self.env, *literal) {
            return false;
        }
        let of_literals =
            members(self.env.model, &field.ty).iter().all(|member| matches!(member.shape, Shape::Literal(_) | Shape::Enum(_)));
        of_literals && matches!(literal_as(self.env, *literal, &field.ty), Err(LiteralFault::Kind))
    }

    /// Does something without reporting anything.
    fn silent<R>(self, work: impl FnOnce(Checker<'_, '_>) -> R) -> R {
        let sink = Sink::default();
        let facts = self.env.facts.borrow().clone();
        let env = Environment::with_facts(self.env.model, self.env.item, self.env.values, &sink, facts);
        work(Checker { env: &env, strings: self.strings })
    }

    // ---- Lists ---------------------------------------------------------------------------------------------------------

    fn list(self, list: &List, expected: Expected<'_>) -> Value {
        let all = members(self.env.model, expected.ty);
        if all.iter().any(|member| matches!(member.shape, Shape::Json | Shape::Unknown)) {
            return self.infer_list(list).0;
        }
        let lists = all.iter().filter_map(|member| if let Shape::List(list) = member.shape { Some((list, member.ty)) } else { None });
        let lists = lists.collect::<Vec<_>>();
        let chosen = match &*lists {
            [] | [_] => lists.first(),
            several => {
                let ty = self.silent(|checker| checker.infer_list(list).1);
                several.iter().find(|(_, candidate)| fits(self.env.model, &ty, candidate).is_ok()).or_else(|| several.first())
            }
        };
        let Some((wanted, _)) = chosen else {
            let (_, ty, _) = self.infer_list(list);
            self.env.report(message::wrong_type(self.env, self.opening(list.span), &ty, None, expected));
            return self.unknown(list.span);
        };
        let values = list.items.iter().map(|item| self.value(&item.value, expected.part(&wanted.item))).collect::<Vec<_>>();
        self.count(values.len(), (wanted.min, wanted.max), list.span, expected);
        if wanted.unique {
            self.unique(&values, expected);
        }
        self.folded_list(values, list.span)
    }

    fn folded_list(self, values: Vec<Value>, span: Span) -> Value {
        if values.iter().all(|value| matches!(value.kind, ValueKind::Constant(_))) {
            let constants =
                values.into_iter().filter_map(|value| if let ValueKind::Constant(json) = value.kind { Some(json) } else { None });
            return self.made(ValueKind::Constant(Json::Array(constants.collect())), span);
        }
        self.made(ValueKind::List(values), span)
    }

    /// The number of elements that are written out.
    fn count(self, count: usize, (min, max): (Option<u64>, Option<u64>), span: Span, expected: Expected<'_>) {
        let count = count as u64;
        let broken = match (min, max) {
            (Some(min), _) if count < min => format!("min: {min}"),
            (_, Some(max)) if count > max => format!("max: {max}"),
            _ => return,
        };
        self.env.report(message::broken_count(self.env, self.opening(span), count, &broken, expected));
    }

    /// No constant of a list stands in it twice.
    fn unique(self, values: &[Value], expected: Expected<'_>) {
        let mut seen = FxHashMap::default();
        for value in values {
            let ValueKind::Constant(json) = &value.kind else { continue };
            if let Some(earlier) = seen.insert(json.to_string(), value.place) {
                self.env.report(message::not_unique(value.place, earlier, expected));
                return;
            }
        }
    }

    // ---- Types of what is written --------------------------------------------------------------------------------------

    fn infer(self, expression: &Expr) -> (Value, Type, bool) {
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
                if self.explains_bare_word(path, Expected::of(&Type::Unknown)) || self.strings == Strings::Constants {
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
        (self.made(ValueKind::Path(PathValue { path: reading.path, default: Some(default) }), coalesce.span), ty, false)
    }

    fn infer_object(self, object: &Object) -> (Value, Type, bool) {
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
                place: self.env.place(entry.key.span),
            });
        }
        let ty = Type::Record(Arc::new(RecordType { fields: fields.into(), open: false }));
        (self.folded(values, object.span), ty, false)
    }

    fn infer_list(self, list: &List) -> (Value, Type, bool) {
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
        let ty = Type::List(Arc::new(ListType { min: Some(list.items.len() as u64), ..ListType::of(join(types)) }));
        (self.folded_list(values, list.span), ty, false)
    }
}

/// The positions of a record's fields by their names.
enum FieldIndex<'a> {
    Few,
    Many(FxHashMap<&'a str, usize>),
}

impl<'a> FieldIndex<'a> {
    fn of(record: &'a RecordType) -> Self {
        if record.fields.len() <= SHORT {
            return Self::Few;
        }
        Self::Many(record.fields.iter().enumerate().map(|(index, field)| (&*field.name, index)).collect())
    }

    fn get(&self, record: &RecordType, name: &str) -> Option<usize> {
        match self {
            Self::Few => record.fields.iter().position(|field| *field.name == *name),
            Self::Many(index) => index.get(name).copied(),
        }
    }
}

/// A string literal without placeholders.
fn string_literal(env: &Environment<'_>, expression: &Expr, strings: Strings) -> Option<Literal> {
    use weave_syntax::ast::LiteralKind;
    match expression {
        Expr::Literal(literal) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) => {
            (strings == Strings::Constants || !is_template(env, *literal)).then_some(*literal)
        }
        _ => None,
    }
}

/// Whether text with values in it may stand here.
fn takes_text(shape: Shape<'_>) -> bool {
    matches!(shape, Shape::Unknown | Shape::Json | Shape::Scalar(Scalar::String | Scalar::Uri | Scalar::Email, _))
}
