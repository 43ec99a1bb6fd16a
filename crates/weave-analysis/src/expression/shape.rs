//! What a type is when its names are looked through.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::model::Model;
use crate::model::declarations::TargetNames;
use crate::model::declarations::{DeclarationKind, EnumType, UnionType};
use crate::model::types::{FieldType, Limits, ListType, Literal, MapType, RecordType, Scalar, Type};

/// A type with its names looked through, down to one alternative.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    /// Wrong, and reported.
    Unknown,
    /// Any JSON value.
    Json,
    /// `null`.
    Null,
    /// A scalar.
    Scalar(Scalar, Option<&'a Limits>),
    /// One value.
    Literal(&'a Literal),
    /// A list.
    List(&'a ListType),
    /// A map.
    Map(&'a MapType),
    /// A record.
    Record(&'a RecordType),
    /// An enum.
    Enum(&'a EnumType),
    /// A tagged union.
    Tagged(&'a UnionType),
}

/// One alternative of a type: how it was written, and what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    /// The type as it was written.
    pub(crate) ty: &'a Type,
    /// What it is.
    pub(crate) shape: Shape<'a>,
}

/// The alternatives of a type; exactly one if it is no union.
pub(crate) fn members<'a>(model: &'a Model, ty: &'a Type) -> Vec<Member<'a>> {
    if !matches!(ty, Type::Union(_) | Type::Named(_)) {
        return vec![Member { ty, shape: plain_shape(model, ty) }];
    }
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            Type::Union(alternatives) => open.extend(alternatives.iter().rev()),
            Type::Named(id) => {
                if !seen.insert(*id) {
                    continue;
                }
                match model.get(*id).map(|declaration| &declaration.kind) {
                    // The name of a record says more than its fields.
                    Some(DeclarationKind::Type(Type::Record(record))) => found.push(Member { ty, shape: Shape::Record(record) }),
                    Some(DeclarationKind::Type(next)) => open.push(next),
                    _ => found.push(Member { ty, shape: plain_shape(model, ty) }),
                }
            }
            _ => found.push(Member { ty, shape: plain_shape(model, ty) }),
        }
    }
    found
}

/// The only alternative of a type, or `None` if it has several.
pub(crate) fn single<'a>(model: &'a Model, ty: &'a Type) -> Option<Shape<'a>> {
    match model.resolve(ty) {
        Type::Union(_) => None,
        ty => Some(plain_shape(model, ty)),
    }
}

fn plain_shape<'a>(model: &'a Model, ty: &'a Type) -> Shape<'a> {
    match ty {
        Type::Unknown | Type::Union(_) => Shape::Unknown,
        Type::Json => Shape::Json,
        Type::Null => Shape::Null,
        Type::Scalar(scalar, limits) => Shape::Scalar(*scalar, limits.as_deref()),
        Type::Literal(literal) => Shape::Literal(literal),
        Type::List(list) => Shape::List(list),
        Type::Map(map) => Shape::Map(map),
        Type::Record(record) => Shape::Record(record),
        Type::Named(id) => match model.get(*id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Enum(values)) => Shape::Enum(values),
            Some(DeclarationKind::Union(union)) => Shape::Tagged(union),
            Some(DeclarationKind::Error(data)) => Shape::Record(data),
            // An alias, which leads to something else.
            Some(DeclarationKind::Type(_)) => plain_shape(model, model.resolve(ty)),
            _ => Shape::Unknown,
        },
    }
}

/// Whether a value of the type may be `null`; of `json` nobody knows, so that counts as no.
pub(crate) fn is_nullable(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Null => true,
        Type::Union(_) => members(model, ty).iter().any(|member| matches!(member.shape, Shape::Null)),
        Type::Named(_) => match model.resolve(ty) {
            through @ Type::Union(_) => is_nullable(model, through),
            through => matches!(through, Type::Null),
        },
        _ => false,
    }
}

/// The type without `null`; [`Type::Unknown`] if nothing is left.
pub(crate) fn without_null(model: &Model, ty: &Type) -> Type {
    if is_nullable(model, ty) { keep(model, ty, |member| !matches!(member.shape, Shape::Null)) } else { ty.clone() }
}

/// The type, and `null`.
pub(crate) fn with_null(model: &Model, ty: &Type) -> Type {
    if is_nullable(model, ty) || matches!(ty, Type::Unknown | Type::Json) { ty.clone() } else { join([ty.clone(), Type::Null]) }
}

/// The alternatives that are wanted; [`Type::Unknown`] if there are none.
pub(crate) fn keep(model: &Model, ty: &Type, wanted: impl Fn(&Member<'_>) -> bool) -> Type {
    join(members(model, ty).iter().filter(|member| wanted(member)).map(|member| member.ty.clone()))
}

/// Either of several types: flat, without duplicates.
pub(crate) fn join(types: impl IntoIterator<Item = Type>) -> Type {
    let mut joined = Joined::default();
    for ty in types {
        match ty {
            Type::Unknown => return Type::Unknown,
            Type::Union(alternatives) => alternatives.iter().for_each(|alternative| joined.add(alternative.clone())),
            ty => joined.add(ty),
        }
    }
    let mut all = joined.all;
    if all.contains(&Type::Json) {
        return Type::Json;
    }
    match all.len() {
        0 => Type::Unknown,
        1 => all.pop().unwrap_or(Type::Unknown),
        _ => Type::Union(all.into()),
    }
}

/// Different types in the order in which they came.
#[derive(Default)]
struct Joined {
    all: Vec<Type>,
    /// The strings among them, of which there may be many.
    strings: FxHashSet<Arc<str>>,
    /// The others, which may be many too: where those stand that have the same mark.
    others: FxHashMap<u64, Vec<usize>>,
}

impl Joined {
    fn add(&mut self, ty: Type) {
        if let Type::Literal(Literal::String(text)) = &ty {
            if self.strings.insert(Arc::clone(text)) {
                self.all.push(ty);
            }
            return;
        }
        let alike = self.others.entry(mark(&ty)).or_default();
        if !alike.iter().any(|other| self.all.get(*other) == Some(&ty)) {
            alike.push(self.all.len());
            self.all.push(ty);
        }
    }
}

/// A number that equal types share and most others do not.
fn mark(ty: &Type) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(ty).hash(&mut hasher);
    match ty {
        Type::Named(id) => id.hash(&mut hasher),
        // The variants of a union differ in their tags only, if they do.
        Type::Record(record) => record.fields.iter().for_each(|field| {
            field.name.hash(&mut hasher);
            if let Type::Literal(Literal::String(text)) = &field.ty {
                text.hash(&mut hasher);
            }
        }),
        Type::Scalar(scalar, _) => scalar.hash(&mut hasher),
        Type::Literal(literal) => match literal {
            Literal::String(text) => text.hash(&mut hasher),
            Literal::Number(number) => number.hash(&mut hasher),
            Literal::Bool(value) => value.hash(&mut hasher),
        },
        _ => {}
    }
    hasher.finish()
}

/// The record that a variant of a tagged union is on the wire: its tag, then its fields.
pub(crate) fn variant_record(model: &Model, union: &UnionType, index: usize) -> Type {
    let Some(variant) = union.variants.get(index) else { return Type::Unknown };
    let Some(Shape::Record(record)) = single(model, &variant.ty) else { return Type::Unknown };
    let tag = FieldType {
        name: Arc::clone(&union.tag),
        wire: None,
        ty: Type::Literal(Literal::String(Arc::clone(&variant.name))),
        optional: false,
        default: None,
        docs: None,
        secret: false,
        deprecated: None,
        target_names: TargetNames::default(),
        place: variant.place,
        ty_place: variant.place,
    };
    let fields = std::iter::once(tag).chain(record.fields.iter().cloned()).collect();
    Type::Record(Arc::new(RecordType::new(fields, record.open)))
}
