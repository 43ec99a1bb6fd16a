//! Whether a value of one type may stand where another one is wanted.
//!
//! Constraints are not compared: a value that breaks one is found when it comes, not before. Everything else is decided here,
//! structurally, so that two records with the same fields are the same to each other whatever they are called.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use super::formats;
use super::literal::same_value;
use super::shape::{Member, Shape, join, members, single, variant_record};
use crate::model::declarations::{EnumType, UnionType};
use crate::model::types::{FieldType, Literal, RecordType, Scalar, Type};
use crate::model::{DeclarationId, Model};

/// Types that nest deeper than this are taken to fit; the value itself is checked when it comes.
const DEEPEST: usize = 100;

/// The same for comparisons that branch too often.
const MOST_STEPS: u32 = 50_000;

/// Where and why a type does not fit.
#[derive(Debug, PartialEq)]
pub(crate) struct Mismatch {
    /// The way to the part that does not fit, from the inside out: names of fields, `[]` for items.
    pub(crate) path: Vec<Arc<str>>,
    /// What is wrong there.
    pub(crate) kind: MismatchKind,
}

/// Why a part does not fit.
#[derive(Debug, PartialEq)]
pub(crate) enum MismatchKind {
    /// It has another type.
    Type {
        /// What it has.
        from: Type,
        /// What is wanted.
        to: Type,
    },
    /// A field is wanted that is not there.
    Missing(Arc<str>),
    /// A field is wanted that may be absent.
    MayBeAbsent(Arc<str>),
    /// A field is there that is not allowed.
    Extra(Arc<str>),
    /// Any field may be there, which is not allowed.
    Open,
}

type Outcome = Result<(), Box<Mismatch>>;

/// Whether a value of the type `from` may stand where `to` is wanted.
pub(crate) fn fits(model: &Model, from: &Type, to: &Type) -> Outcome {
    Comparison { model, assumed: Vec::new(), depth: 0, steps: 0 }.types(from, to)
}

struct Comparison<'a> {
    model: &'a Model,
    /// Pairs of names that are being compared: inside of them they are taken to fit, which is how recursive types end.
    assumed: Vec<(DeclarationId, DeclarationId)>,
    depth: usize,
    steps: u32,
}

impl Comparison<'_> {
    fn types(&mut self, from: &Type, to: &Type) -> Outcome {
        let pair = match (from, to) {
            (Type::Unknown, _) | (_, Type::Unknown | Type::Json) => return Ok(()),
            (Type::Named(from), Type::Named(to)) if from == to => return Ok(()),
            (Type::Named(from), Type::Named(to)) => Some((*from, *to)),
            (Type::Record(from), Type::Record(to)) if Arc::ptr_eq(from, to) => return Ok(()),
            (Type::Union(from), Type::Union(to)) if Arc::ptr_eq(from, to) => return Ok(()),
            _ => None,
        };
        self.steps += 1;
        if self.depth >= DEEPEST || self.steps > MOST_STEPS || pair.is_some_and(|pair| self.assumed.contains(&pair)) {
            return Ok(());
        }
        self.depth += 1;
        self.assumed.extend(pair);
        let outcome = self.alternatives(from, to);
        if pair.is_some() {
            self.assumed.pop();
        }
        self.depth -= 1;
        outcome
    }

    fn alternatives(&mut self, from: &Type, to: &Type) -> Outcome {
        if let (Some(from_shape), Some(to_shape)) = (single(self.model, from), single(self.model, to)) {
            return self.shapes(Member { ty: from, shape: from_shape }, Member { ty: to, shape: to_shape });
        }
        let wanted = members(self.model, to);
        let mut strings: Option<FxHashSet<&str>> = None;
        for member in members(self.model, from) {
            // Each of many strings is looked up, not compared with each of many others.
            let strings = strings.get_or_insert_with(|| wanted.iter().flat_map(|member| strings_of(member.shape)).collect());
            let mut own = strings_of(member.shape).peekable();
            if own.peek().is_some() && own.all(|text| strings.contains(text)) {
                continue;
            }
            self.member(member, &wanted, to)?;
        }
        Ok(())
    }

    /// One alternative against all that are wanted.
    fn member(&mut self, from: Member<'_>, wanted: &[Member<'_>], to: &Type) -> Outcome {
        let mut last = None;
        for member in wanted {
            match self.shapes(from, *member) {
                Ok(()) => return Ok(()),
                Err(mismatch) => last = Some(mismatch),
            }
        }
        // What is made of several values may be spread over several alternatives.
        match from.shape {
            Shape::Enum(values) if values_are_spread(values, wanted) => return Ok(()),
            Shape::Scalar(Scalar::Bool, _) if [true, false].iter().all(|value| takes(wanted, &Json::Bool(*value))) => return Ok(()),
            Shape::Tagged(union) => return self.variants(union, |comparison, record| comparison.types(record, to)),
            _ => {}
        }
        match last {
            // With one alternative, what is wrong inside of it says more.
            Some(mismatch) if wanted.iter().filter(|member| !matches!(member.shape, Shape::Null)).count() == 1 => Err(mismatch),
            _ => mismatch(from.ty, to),
        }
    }

    fn shapes(&mut self, from: Member<'_>, to: Member<'_>) -> Outcome {
        let fits = match (from.shape, to.shape) {
            (Shape::Unknown, _) | (_, Shape::Unknown | Shape::Json) | (Shape::Null, Shape::Null) => true,
            (Shape::Scalar(from, _), Shape::Scalar(to, _)) => scalar_fits(from, to),
            (Shape::Literal(literal), Shape::Scalar(scalar, _)) => literal_fits(literal, scalar),
            (Shape::Literal(from), Shape::Literal(to)) => same_value(to, &json(from)),
            (Shape::Literal(Literal::String(text)), Shape::Enum(values)) => has_value(values, text),
            (Shape::Enum(_), Shape::Scalar(Scalar::String, _)) => true,
            (Shape::Enum(_), Shape::Enum(_)) => {
                let strings: FxHashSet<&str> = strings_of(to.shape).collect();
                strings_of(from.shape).all(|text| strings.contains(text))
            }
            (Shape::Enum(values), Shape::Literal(_)) => values_are_spread(values, &[to]),
            (Shape::List(from), Shape::List(to)) => return self.types(&from.item, &to.item).map_err(|it| inside("[]", it)),
            (Shape::Map(from), Shape::Map(to)) => return self.types(&from.value, &to.value).map_err(|it| inside("[]", it)),
            (Shape::Record(record), Shape::Map(map)) if !record.open => {
                let mut fields = record.fields.iter();
                return fields.try_for_each(|field| self.types(&field.ty, &map.value).map_err(|it| inside(&field.name, it)));
            }
            (Shape::Record(from), Shape::Record(to)) => return self.records(from, to),
            (Shape::Record(record), Shape::Tagged(union)) => return self.variant(record, from.ty, union, to.ty),
            (Shape::Tagged(union), Shape::Record(_)) => return self.variants(union, |comparison, record| comparison.types(record, to.ty)),
            (Shape::Tagged(from), Shape::Tagged(_)) => {
                return self.variants(from, |comparison, record| comparison.types(record, to.ty));
            }
            _ => false,
        };
        if fits { Ok(()) } else { mismatch(from.ty, to.ty) }
    }

    fn records(&mut self, from: &RecordType, to: &RecordType) -> Outcome {
        for wanted in &to.fields {
            match from.field_on_wire(wanted.wire_name()) {
                Some(field) if field.optional && !wanted.may_be_left_out() => {
                    return Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::MayBeAbsent(Arc::clone(&wanted.name)) }));
                }
                Some(field) => self.types(&field.ty, &wanted.ty).map_err(|it| inside(&wanted.name, it))?,
                None if wanted.may_be_left_out() => {}
                None => return Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::Missing(Arc::clone(&wanted.name)) })),
            }
        }
        if to.open {
            return Ok(());
        }
        if let Some(extra) = from.fields.iter().find(|field| to.field_on_wire(field.wire_name()).is_none()) {
            return Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::Extra(Arc::clone(&extra.name)) }));
        }
        if from.open { Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::Open })) } else { Ok(()) }
    }

    /// A record where a tagged union is wanted: it needs a tag that says which variant it is.
    fn variant(&mut self, record: &RecordType, from: &Type, union: &UnionType, to: &Type) -> Outcome {
        let tag = record.field_on_wire(&union.tag);
        let Some(tag) = tag else {
            return Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::Missing(Arc::clone(&union.tag)) }));
        };
        for member in members(self.model, &tag.ty) {
            let Shape::Literal(Literal::String(name)) = member.shape else { return mismatch(from, to) };
            let Some(index) = union.variants.iter().position(|variant| variant.name == *name) else {
                let names = union.variants.iter().map(|variant| Type::Literal(Literal::String(Arc::clone(&variant.name))));
                return mismatch(member.ty, &join(names)).map_err(|it| inside(&tag.name, it));
            };
            let wanted = variant_record(self.model, union, index);
            let Some(Shape::Record(wanted)) = single(self.model, &wanted) else { continue };
            // The tag is decided: it may be one of several that the record can have.
            let only = FieldType { ty: member.ty.clone(), ..tag.clone() };
            let fields = record.fields.iter().map(|field| if field.wire_name() == tag.wire_name() { &only } else { field });
            self.records(&RecordType::new(fields.cloned().collect(), record.open), wanted)?;
        }
        Ok(())
    }

    fn variants(&mut self, union: &UnionType, mut check: impl FnMut(&mut Self, &Type) -> Outcome) -> Outcome {
        (0..union.variants.len()).try_for_each(|index| {
            let record = variant_record(self.model, union, index);
            check(self, &record)
        })
    }
}

fn mismatch(from: &Type, to: &Type) -> Outcome {
    Err(Box::new(Mismatch { path: Vec::new(), kind: MismatchKind::Type { from: from.clone(), to: to.clone() } }))
}

fn inside(part: &str, mut mismatch: Box<Mismatch>) -> Box<Mismatch> {
    mismatch.path.push(Arc::from(part));
    mismatch
}

fn scalar_fits(from: Scalar, to: Scalar) -> bool {
    from == to || matches!((from, to), (Scalar::Int, Scalar::Float) | (Scalar::Uuid | Scalar::Uri | Scalar::Email, Scalar::String))
}

fn literal_fits(literal: &Literal, scalar: Scalar) -> bool {
    match (literal, scalar) {
        (Literal::String(text), _) => formats::is_valid(scalar, text),
        (Literal::Bool(_), Scalar::Bool) | (Literal::Number(_), Scalar::Float) => true,
        (Literal::Number(number), Scalar::Int) => number.is_i64() || number.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

/// The strings that a literal or an enum is made of.
fn strings_of(shape: Shape<'_>) -> impl Iterator<Item = &str> {
    let (literal, values) = match shape {
        Shape::Literal(Literal::String(text)) => (Some(&**text), &[][..]),
        Shape::Enum(values) => (None, &*values.values),
        _ => (None, &[][..]),
    };
    literal.into_iter().chain(values.iter().map(|value| &*value.wire))
}

fn has_value(values: &EnumType, text: &str) -> bool {
    values.values.iter().any(|value| *value.wire == *text)
}

/// Whether each value of an enum is one of the literals or enums that are wanted.
fn values_are_spread(values: &EnumType, wanted: &[Member<'_>]) -> bool {
    values.values.iter().all(|value| takes(wanted, &Json::String(value.wire.to_string())))
}

fn takes(wanted: &[Member<'_>], value: &Json) -> bool {
    wanted.iter().any(|member| match (member.shape, value) {
        (Shape::Literal(literal), _) => same_value(literal, value),
        (Shape::Enum(values), Json::String(text)) => has_value(values, text),
        _ => false,
    })
}

/// The JSON of a literal type.
pub(crate) fn json(literal: &Literal) -> Json {
    match literal {
        Literal::String(text) => Json::String(text.to_string()),
        Literal::Number(number) => Json::Number(number.clone()),
        Literal::Bool(value) => Json::Bool(*value),
    }
}
