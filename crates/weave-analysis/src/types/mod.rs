//! From written types to types as data.

mod aliases;
mod ambiguity;
mod constant;
mod constraints;
mod defaults;
mod finite;
mod pattern;
mod variants;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde_json::{Number, Value as Json};
use weave_diagnostics::{Diagnostic, Place, Span};
use weave_syntax::ast;
use weave_syntax::text;

pub(crate) use ambiguity::ambiguity;
pub(crate) use constant::constant;
pub(crate) use defaults::fill_defaults;
pub(crate) use pattern::{PatternProblem, pattern_problem};

use crate::declare::{Context, Target, attributes, clashes, similar_name, worth_a_suggestion};
use crate::messages::declarations as message;
use crate::model::types::{FieldType, ListType, Literal, MapType, RecordType, Scalar, Type};
use crate::model::{DeclarationId, DeclarationKind, Lookup, Model, Unit};

/// How many `[]` may follow each other; more have no use, and every reader of the type would have to go that deep.
const MOST_LISTS: usize = 32;

/// Records with more fields are looked up through a set.
const SHORT: usize = 16;

/// What can only be said when all types are known: aliases and records that form cycles, variants that are no records.
/// Whether nothing is wrong is the answer, even where it is not said because the parser had to guess.
pub(crate) fn check_shapes(units: &[Unit], model: &mut Model, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut found = Vec::new();
    aliases::break_cycles(model, &mut found);
    finite::check(model, &mut found);
    variants::check(units, model, &mut found);
    model.shorten_aliases();
    // What the parser had to guess may be what closes a cycle.
    let sound = found.is_empty();
    found.retain(|diagnostic| !is_repaired(units, diagnostic.primary.place));
    diagnostics.append(&mut found);
    sound
}

/// Whether this would still find nothing if these declarations became what they are; before it has found nothing.
pub(crate) fn are_sound(units: &[Unit], model: &Model, changed: &[DeclarationId]) -> bool {
    let mut found = Vec::new();
    variants::check(units, model, &mut found);
    found.is_empty() && changed.iter().all(|id| !finite::needs_itself(model, *id))
}

/// Whether an alias stands for itself.
pub(crate) fn is_alias_of_itself(model: &Model, id: DeclarationId) -> bool {
    aliases::leads_back(model, id)
}

/// Whether a place is in an item that the parser had to guess parts of.
fn is_repaired(units: &[Unit], place: Place) -> bool {
    let slot = units.get(place.file.0 as usize).and_then(|unit| unit.item_at(place));
    slot.is_some_and(|slot| slot.parsed.repaired)
}

/// Whether any of the places of a diagnostic is in an item that the parser had to guess parts of.
pub(crate) fn touches_repaired(units: &[Unit], diagnostic: &Diagnostic) -> bool {
    std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).any(|label| is_repaired(units, label.place))
}

/// A default whose type names another one, so that it cannot be checked before all types are known.
pub(crate) struct Pending<'u> {
    /// Where the field's name stands.
    pub(crate) field: Place,
    /// The default.
    pub(crate) default: &'u ast::Expr,
    /// The type of the field.
    pub(crate) ty: Type,
}

/// Reads the types of one item.
pub(crate) struct Types<'c, 'a, 'u> {
    pub(crate) context: &'c mut Context<'a>,
    /// Whether all types are known.
    all_known: bool,
    /// The defaults that are left to check.
    pub(crate) pending: Vec<Pending<'u>>,
}

impl<'c, 'a, 'u> Types<'c, 'a, 'u> {
    /// Types of an item while others may not be known yet.
    pub(crate) fn early(context: &'c mut Context<'a>) -> Self {
        Self { context, all_known: false, pending: Vec::new() }
    }

    /// Types of an item when all declarations are known.
    pub(crate) fn late(context: &'c mut Context<'a>) -> Self {
        Self { context, all_known: true, pending: Vec::new() }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.context.report(diagnostic);
    }

    fn text(&self, span: Span) -> &'a str {
        self.context.text(span)
    }

    /// The type that was written.
    pub(crate) fn ty(&mut self, ty: &'u ast::Type) -> Type {
        // Lists of lists are walked in a loop, because nothing bounds how many `[]` follow each other.
        let mut lists = Vec::new();
        // How many lists stand around a question mark, which the parser has reported: what it means there is not known.
        let mut unknown = None;
        let mut inner = ty;
        loop {
            inner = match inner {
                ast::Type::List(list) => {
                    lists.push(list);
                    &list.item
                }
                ast::Type::Parenthesized(parentheses) => &parentheses.1,
                ast::Type::Optional(optional) => {
                    unknown.get_or_insert(lists.len());
                    &optional.inner
                }
                _ => break,
            };
        }
        if let (true, Some(outermost)) = (lists.len() > MOST_LISTS, lists.first()) {
            let place = self.context.item.place(outermost.span);
            self.report(message::too_many_lists(place, MOST_LISTS));
            return Type::Unknown;
        }
        let mut found = self.plain(inner);
        for (around, list) in lists.into_iter().enumerate().rev() {
            if unknown == Some(around + 1) {
                found = Type::Unknown;
            }
            found = self.list(list, found);
        }
        if unknown == Some(0) { Type::Unknown } else { found }
    }

    fn plain(&mut self, ty: &'u ast::Type) -> Type {
        match ty {
            ast::Type::Named(named) => self.named(named),
            ast::Type::Map(map) => self.map(map),
            ast::Type::Record(record) => Type::Record(Arc::new(self.record(record))),
            ast::Type::Literal(literal) => literal_type(self.context.item.text, *literal),
            ast::Type::Union(union) => self.union(union),
            ast::Type::List(_) | ast::Type::Parenthesized(_) | ast::Type::Optional(_) | ast::Type::Missing(_) => Type::Unknown,
        }
    }

    fn named(&mut self, named: &ast::NamedType) -> Type {
        let name = self.text(named.name.span);
        if name.is_empty() {
            return Type::Unknown;
        }
        if let Some(scalar) = Scalar::from_name(name) {
            let limits = named.constraints.as_ref().and_then(|constraints| self.limits(scalar, constraints));
            return Type::Scalar(scalar, limits.map(Arc::new));
        }
        let found = match name {
            "json" => Type::Json,
            "map" => {
                let place = self.context.item.place(named.name.span);
                self.report(message::map_without_type(place));
                return Type::Unknown;
            }
            _ => self.declared(named.name, name),
        };
        if let (Some(constraints), true) = (&named.constraints, found != Type::Unknown) {
            let place = self.context.item.place(constraints.span);
            self.report(message::no_constraints(name, place));
        }
        found
    }

    /// A declared type.
    fn declared(&mut self, name: ast::Name, text: &str) -> Type {
        let place = self.context.item.place(name.span);
        match self.context.scope.lookup(text, false) {
            Lookup::Found(id) => match self.context.model.get(id) {
                Some(declaration) if is_type(&declaration.kind) => return Type::Named(id),
                Some(declaration) => self.report(message::not_a_type(text, place, declaration)),
                None => {}
            },
            Lookup::Excused => {}
            Lookup::Unknown => {
                let similar = if worth_a_suggestion(self.context.diagnostics) { self.similar_type(text) } else { None };
                self.report(message::unknown_type(text, place, similar.as_deref()));
            }
        }
        Type::Unknown
    }

    fn similar_type(&self, text: &str) -> Option<Arc<str>> {
        if let Some(own) = own_name(text) {
            return Some(Arc::from(own));
        }
        let declared = similar_name(self.context.model, self.context.item.file, text, false, is_type);
        let builtin = Scalar::ALL.map(Scalar::name);
        let candidates = declared.as_deref().into_iter().chain(builtin).chain(["json", "map"]);
        weave_diagnostics::closest(text, candidates).map(Arc::from)
    }

    fn list(&mut self, list: &ast::ListType, item: Type) -> Type {
        let counts = list.constraints.as_ref().map(|constraints| self.counts(constraints, "a list", true)).unwrap_or_default();
        Type::List(Arc::new(ListType { item, min: counts.min, max: counts.max, unique: counts.unique }))
    }

    fn map(&mut self, map: &'u ast::MapType) -> Type {
        let value = self.ty(&map.value);
        let counts = map.constraints.as_ref().map(|constraints| self.counts(constraints, "a map", false)).unwrap_or_default();
        // Another name has been reported; what was meant is not known.
        if self.text(map.name.span) != "map" {
            return Type::Unknown;
        }
        Type::Map(Arc::new(MapType { value, min: counts.min, max: counts.max }))
    }

    fn union(&mut self, union: &'u ast::UnionType) -> Type {
        let mut found: Vec<Type> = Vec::new();
        let mut seen = Seen::default();
        for alternative in &union.alternatives {
            let ty = self.ty(alternative);
            let flat = match &ty {
                Type::Union(inner) => inner.to_vec(),
                _ => vec![ty],
            };
            for ty in flat {
                if seen.is_new(&ty, &found) {
                    found.push(ty);
                } else {
                    let place = self.context.item.place(alternative.span());
                    let shown = self.context.model.display(&ty);
                    self.report(message::duplicate_alternative(&shown, place));
                }
            }
        }
        if found.contains(&Type::Unknown) {
            return Type::Unknown;
        }
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                found.push(last);
                Type::Union(found.into())
            }
            (None, _) => Type::Unknown,
        }
    }

    /// The fields of a record.
    pub(crate) fn record(&mut self, record: &'u ast::Record) -> RecordType {
        RecordType::new(self.fields(&record.fields), record.open.is_some())
    }

    /// Parameters, as a record.
    pub(crate) fn parameters(&mut self, parameters: &'u [ast::Field]) -> Arc<RecordType> {
        Arc::new(RecordType::new(self.fields(parameters), false))
    }

    fn fields(&mut self, fields: &'u [ast::Field]) -> Box<[FieldType]> {
        let mut found: Vec<FieldType> = Vec::with_capacity(fields.len());
        // A name that is given twice has been reported; the first one counts.
        let mut names = FxHashSet::default();
        for field in fields {
            let name = field.name.text(self.context.item.text);
            let is_new = if fields.len() <= SHORT { found.iter().all(|it| *it.name != *name) } else { names.insert(name.clone()) };
            if is_new && !field.name.is_missing() {
                found.push(self.field(field, Arc::from(name)));
            }
        }
        if found.iter().any(|field| field.wire.is_some()) {
            self.wire_names(&found);
        }
        clashes::fields(self.context, &found);
        found.into_boxed_slice()
    }

    fn field(&mut self, field: &'u ast::Field, name: Arc<str>) -> FieldType {
        let attributes = attributes(self.context, &field.meta, Target::Field);
        let ty = self.ty(&field.ty);
        // Reported by the parser: it may be left out.
        let misplaced = matches!(field.ty, ast::Type::Optional(_));
        let place = self.context.item.place(field.name.span);
        let default = field.default.as_ref().map(|default| Box::new(self.default(default, &ty, place)));
        FieldType {
            name,
            wire: attributes.wire,
            // Both a question mark and a default has been reported; the default counts.
            optional: (field.optional.is_some() || misplaced) && field.default.is_none(),
            ty,
            default,
            docs: field.meta.docs_text(self.context.item.text).map(Arc::from),
            secret: attributes.secret,
            deprecated: attributes.deprecated,
            target_names: attributes.target_names,
            place,
            ty_place: self.context.item.place(field.ty.span()),
        }
    }

    fn default(&mut self, default: &'u ast::Expr, ty: &Type, field: Place) -> Json {
        if !self.all_known && names_another(ty) {
            self.pending.push(Pending { field, default, ty: ty.clone() });
            // Until then only that there is one matters.
            return Json::Null;
        }
        // A default that is wrong has been reported, and the field still has one.
        constant(self.context, default, ty).unwrap_or(Json::Null)
    }

    /// No two fields may have one name on the wire.
    fn wire_names(&mut self, fields: &[FieldType]) {
        let mut seen = rustc_hash::FxHashMap::default();
        for field in fields {
            if let Some(first) = seen.insert(field.wire_name(), field.place) {
                self.report(message::duplicate_wire_name(field.wire_name(), field.place, first));
            }
        }
    }
}

/// Alternatives of a union that have been met. Those that come in great numbers are looked up, the others compared.
#[derive(Default)]
struct Seen {
    texts: FxHashSet<String>,
    named: FxHashSet<DeclarationId>,
}

impl Seen {
    fn is_new(&mut self, ty: &Type, found: &[Type]) -> bool {
        match ty {
            Type::Unknown => true,
            Type::Literal(Literal::String(text)) => self.texts.insert(format!("\"{text}")),
            Type::Literal(Literal::Number(number)) => self.texts.insert(number.to_string()),
            Type::Named(id) => self.named.insert(*id),
            _ => !found.contains(ty),
        }
    }
}

/// Whether a type names a declared one, and so means nothing by itself.
fn names_another(ty: &Type) -> bool {
    match ty {
        Type::Named(_) => true,
        Type::List(list) => names_another(&list.item),
        Type::Map(map) => names_another(&map.value),
        Type::Record(record) => record.fields.iter().any(|field| names_another(&field.ty)),
        Type::Union(alternatives) => alternatives.iter().any(names_another),
        Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) | Type::Literal(_) => false,
    }
}

/// Whether a declaration may stand where a type is expected.
pub(crate) const fn is_type(kind: &DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_))
}

/// The type of one value.
fn literal_type(item: &str, literal: ast::Literal) -> Type {
    let raw = literal.span.text(item);
    match literal.kind {
        ast::LiteralKind::String | ast::LiteralKind::TextBlock => {
            Type::Literal(Literal::String(Arc::from(text::literal_value(item, literal))))
        }
        ast::LiteralKind::Number => match text::number(raw) {
            Ok(number) => json_number(number).map_or(Type::Unknown, |number| Type::Literal(Literal::Number(number))),
            // Reported by the parser.
            Err(_) => Type::Unknown,
        },
        ast::LiteralKind::True => Type::Literal(Literal::Bool(true)),
        ast::LiteralKind::False => Type::Literal(Literal::Bool(false)),
        ast::LiteralKind::Null => Type::Null,
        ast::LiteralKind::Duration => Type::Unknown,
    }
}

fn json_number(number: text::Number) -> Option<Number> {
    match number {
        text::Number::Integer(value) => Some(Number::from(value)),
        text::Number::Float(value) if value.fract() == 0.0 => Some(Number::from(value as i64)),
        text::Number::Float(value) => Number::from_f64(value),
    }
}

/// What a type is called here that other languages call so.
fn own_name(foreign: &str) -> Option<&'static str> {
    Some(match foreign.to_ascii_lowercase().as_str() {
        "str" | "text" | "char" | "varchar" => "string",
        "boolean" => "bool",
        "integer" | "i32" | "int32" | "uint" | "u32" | "short" | "safeint" => "int",
        "long" | "i64" | "u64" | "uint64" | "bigint" => "int64",
        "number" | "double" | "f64" | "float64" | "f32" | "float32" => "float",
        "bigdecimal" | "numeric" | "money" => "decimal",
        "any" | "object" | "unknown" | "value" | "jsonvalue" | "dynamic" => "json",
        "datetime" | "date_time" | "instant" | "timestamptz" => "timestamp",
        "timedelta" | "interval" => "duration",
        "url" => "uri",
        "guid" => "uuid",
        "blob" | "binary" | "bytearray" => "bytes",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
