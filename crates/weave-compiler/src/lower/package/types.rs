//! Types: declared ones, and the records in them that get names of their own.

use weave_analysis::model::declarations::{EnumType, UnionType};
use weave_analysis::model::naming::Role;
use weave_analysis::model::types::{self as model, RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_ir::package::{
    About, Bound, EnumValue, Field, ListUse, Literal, MapUse, Names, Record, Scalar, ScalarUse, Shape, TypeDeclaration, TypeReference,
    TypeUse, Variant,
};

use super::super::parts::category;
use super::Lowering;
use super::named::{about, called, said, suffixed, within};

/// What a record that stands here is called, if it has no name.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What identifies it.
    pub(super) identity: String,
    /// Its names.
    pub(super) names: Names,
}

impl Place {
    fn below(&self, part: &str) -> Self {
        Self { identity: format!("{}_{part}", self.identity), names: within(&self.names, part) }
    }
}

impl Lowering<'_> {
    /// Lowers a declared type.
    pub(super) fn declared(&mut self, id: DeclarationId, declaration: &Declaration) {
        let names = called(Role::Type, &declaration.name, &declaration.target_names);
        let place = Place { identity: declaration.name.to_string(), names };
        let definition = self.schemas.names.get(&id).cloned();
        let index = self.announce(&place, about(declaration), self.schemas.declaration(declaration), definition);
        let shape = match &declaration.kind {
            DeclarationKind::Type(Type::Record(record)) => Shape::Record(self.record(record, &place)),
            DeclarationKind::Type(ty) => Shape::Alias(self.ty(ty, &place.below("value"))),
            DeclarationKind::Enum(values) => enumeration(values),
            DeclarationKind::Union(union) => self.tagged_union(union, &place),
            DeclarationKind::Error(data) => Shape::Error {
                code: declaration.name.to_string(),
                category: declaration.category.map(category),
                status: declaration.status,
                data: self.record(data, &place),
            },
            // Nothing else is a type.
            _ => return,
        };
        self.shape(index, shape);
    }

    /// A record that gets the name of its place, or another name of a type.
    pub(super) fn named(&mut self, ty: &Type, place: &Place, about: About) -> TypeReference {
        let index = self.announce(place, about, self.schemas.of(ty), None);
        let shape = match ty {
            Type::Record(record) => Shape::Record(self.record(record, place)),
            other => Shape::Alias(self.ty(other, &place.below("value"))),
        };
        self.shape(index, shape);
        TypeReference { package: None, name: place.identity.clone() }
    }

    /// A name for what is made beside what was declared, which nothing else has.
    pub(super) fn claimed(&mut self, identity: &str, names: &Names) -> Place {
        let (identity, names) = self.taken.claim(identity, names);
        Place { identity, names }
    }

    /// Gives a type its place in the order, before those that stand in it.
    fn announce(&mut self, place: &Place, about: About, schema: serde_json::Value, definition: Option<String>) -> usize {
        let shape = Shape::Alias(TypeUse::Json);
        let (name, names, schema) = (place.identity.clone(), place.names.clone(), weave_ir::Schema(schema));
        self.types.push(TypeDeclaration { name, names, about, shape, schema, definition });
        self.types.len() - 1
    }

    fn shape(&mut self, index: usize, shape: Shape) {
        if let Some(declaration) = self.types.get_mut(index) {
            declaration.shape = shape;
        }
    }

    fn record(&mut self, record: &RecordType, place: &Place) -> Record {
        let mut fields = Vec::with_capacity(record.fields.len());
        for field in &record.fields {
            fields.push(Field {
                wire: field.wire_name().to_owned(),
                names: called(Role::Member, &field.name, &field.target_names),
                about: said(field.docs.as_deref(), field.deprecated.as_deref()),
                ty: self.ty(&field.ty, &place.below(&field.name)),
                optional: field.optional,
                default: field.default.as_deref().cloned(),
                secret: field.secret,
            });
        }
        Record { fields, open: record.open }
    }

    fn tagged_union(&mut self, union: &UnionType, place: &Place) -> Shape {
        let mut variants = Vec::with_capacity(union.variants.len());
        for variant in &union.variants {
            let below = place.below(&variant.name);
            let chosen = called(Role::Type, &variant.name, &variant.target_names);
            let names = if variant.target_names.is_empty() { below.names } else { chosen };
            let below = self.claimed(&below.identity, &names);
            let record = self.model.record(&variant.ty).cloned().unwrap_or_default();
            let record = self.record(&record, &below);
            let about = said(variant.docs.as_deref().or_else(|| self.docs_of(&variant.ty)), variant.deprecated.as_deref());
            variants.push(Variant { wire: variant.name.to_string(), names: below.names, about, record });
        }
        let tag_names = called(Role::Member, &union.tag, &Default::default());
        Shape::Union { tag: union.tag.to_string(), tag_names, variants }
    }

    fn docs_of(&self, ty: &Type) -> Option<&str> {
        let Type::Named(id) = ty else { return None };
        self.model.get(*id)?.docs.as_deref()
    }

    /// A type where it is used; a record in it gets the name of the place.
    fn ty(&mut self, ty: &Type, place: &Place) -> TypeUse {
        match ty {
            Type::Unknown | Type::Json => TypeUse::Json,
            Type::Null => TypeUse::Null,
            Type::Scalar(scalar, limits) => TypeUse::Scalar(scalar_use(*scalar, limits.as_deref())),
            Type::Literal(literal) => TypeUse::Literal(match literal {
                model::Literal::String(text) => Literal::String(text.to_string()),
                model::Literal::Number(number) => Literal::Number(number.clone()),
                model::Literal::Bool(value) => Literal::Bool(*value),
            }),
            Type::List(list) => {
                let item =
                    self.ty(&list.item, &Place { identity: format!("{}_item", place.identity), names: suffixed(&place.names, "Item") });
                TypeUse::List(Box::new(ListUse { item, min: list.min, max: list.max, unique: list.unique }))
            }
            Type::Map(map) => {
                let value =
                    self.ty(&map.value, &Place { identity: format!("{}_entry", place.identity), names: suffixed(&place.names, "Entry") });
                TypeUse::Map(Box::new(MapUse { value, min: map.min, max: map.max }))
            }
            Type::Record(_) => {
                let place = self.claimed(&place.identity, &place.names);
                TypeUse::Named(self.named(ty, &place, About::default()))
            }
            Type::Union(members) => TypeUse::Union(members.iter().map(|member| self.ty(member, place)).collect()),
            Type::Named(id) => TypeUse::Named(self.reference(*id)),
        }
    }

    /// How a declared type is named from here.
    pub(super) fn reference(&self, id: DeclarationId) -> TypeReference {
        let declaration = self.model.get(id);
        let other = declaration.map(|it| it.file).filter(|file| *file != self.file);
        let package = other.and_then(|file| self.folders.get(&file)).cloned();
        TypeReference { package, name: declaration.map(|it| it.name.to_string()).unwrap_or_default() }
    }
}

fn enumeration(values: &EnumType) -> Shape {
    let value = |value: &weave_analysis::model::declarations::EnumValue| EnumValue {
        wire: value.wire.to_string(),
        names: called(Role::Value, &value.name, &value.target_names),
        about: said(value.docs.as_deref(), value.deprecated.as_deref()),
    };
    Shape::Enum(values.values.iter().map(value).collect())
}

fn scalar_use(scalar: model::Scalar, limits: Option<&model::Limits>) -> ScalarUse {
    let bound = |bound: Option<&model::Bound>| {
        bound.map(|bound| match bound {
            model::Bound::Number(number) => Bound::Number(number.clone()),
            model::Bound::Text(text) => Bound::Text(text.to_string()),
        })
    };
    ScalarUse {
        scalar: match scalar {
            model::Scalar::String => Scalar::String,
            model::Scalar::Bool => Scalar::Bool,
            model::Scalar::Int => Scalar::Int,
            model::Scalar::Int64 => Scalar::Int64,
            model::Scalar::Float => Scalar::Float,
            model::Scalar::Decimal => Scalar::Decimal,
            model::Scalar::Bytes => Scalar::Bytes,
            model::Scalar::Timestamp => Scalar::Timestamp,
            model::Scalar::Date => Scalar::Date,
            model::Scalar::Duration => Scalar::Duration,
            model::Scalar::Uuid => Scalar::Uuid,
            model::Scalar::Uri => Scalar::Uri,
            model::Scalar::Email => Scalar::Email,
        },
        min: bound(limits.and_then(|limits| limits.min.as_ref())),
        max: bound(limits.and_then(|limits| limits.max.as_ref())),
        pattern: limits.and_then(|limits| limits.pattern.as_deref()).map(str::to_owned),
    }
}
