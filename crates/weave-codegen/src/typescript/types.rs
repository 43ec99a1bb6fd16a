//! `types.ts`: what values are.

use std::fmt::Write as _;

use weave_ir::package::{Field, Literal, Record, Scalar, Shape, TypeDeclaration, TypeReference, TypeUse, Variant};

use super::Module;
use super::imports::{Imports, comment};
use super::names::{key, member};

/// In which module a type is named: the types of the package itself are there without a prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// In `types.ts`.
    Types,
    /// In another one.
    Elsewhere,
}

impl Module<'_> {
    pub(super) fn types(self) -> String {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            self.declaration(declaration, &mut imports, &mut out);
            out.push('\n');
        }
        if self.package.types.is_empty() {
            out.push_str("export {};\n");
        }
        imports.before(&out)
    }

    fn declaration(self, declaration: &TypeDeclaration, imports: &mut Imports, out: &mut String) {
        let own = TypeReference { package: None, name: declaration.name.clone() };
        let (name, _) = self.program.ty(&self.package.name, &own);
        let docs = comment(declaration.about.description.as_deref(), declaration.about.deprecated.as_deref(), "");
        out.push_str(&docs);
        match &declaration.shape {
            Shape::Record(record) | Shape::Error { data: record, .. } => self.interface(name, None, record, imports, out),
            Shape::Alias(ty) => {
                let ty = self.ty(ty, Home::Types, imports);
                _ = writeln!(out, "export type {name} = {ty};");
            }
            Shape::Enum(values) => {
                _ = writeln!(out, "export const {name} = {{");
                for value in values {
                    out.push_str(&comment(value.about.description.as_deref(), value.about.deprecated.as_deref(), "  "));
                    let (key, wire) = (key(&member(&value.names, &value.wire)), super::literal::text(&value.wire));
                    _ = writeln!(out, "  {key}: {wire},");
                }
                // The type is made of the constant.
                imports.uses(&declaration.about);
                _ = writeln!(out, "}} as const;\n{docs}export type {name} = (typeof {name})[keyof typeof {name}];");
            }
            Shape::Union { tag, tag_names, variants } => {
                let tag = tag_member(&member(tag_names, tag), variants);
                let names = variants.iter().map(|variant| self.program.variant(&self.package.name, &declaration.name, &variant.wire));
                _ = writeln!(out, "export type {name} = {};", names.collect::<Vec<_>>().join(" | "));
                for variant in variants {
                    imports.uses(&variant.about);
                    out.push('\n');
                    out.push_str(&comment(variant.about.description.as_deref(), variant.about.deprecated.as_deref(), ""));
                    let name = self.program.variant(&self.package.name, &declaration.name, &variant.wire);
                    let tag = (tag.as_str(), super::literal::text(&variant.wire));
                    self.interface(name, Some(tag), &variant.record, imports, out);
                }
            }
        }
    }

    fn interface(self, name: &str, tag: Option<(&str, String)>, record: &Record, imports: &mut Imports, out: &mut String) {
        if record.fields.is_empty() && tag.is_none() && !record.open {
            let shared = imports.shared();
            _ = writeln!(out, "export type {name} = {shared}.Empty;");
            return;
        }
        _ = writeln!(out, "export interface {name} {{");
        if let Some((name, value)) = tag {
            _ = writeln!(out, "  readonly {}: {value};", key(name));
        }
        for field in &record.fields {
            self.field(field, imports, out);
        }
        if record.open {
            let shared = imports.shared();
            _ = writeln!(
                out,
                "  /** What else it has, by the names in JSON. */\n  readonly $extra?: {shared}.Dictionary<{shared}.JsonValue>;"
            );
        }
        out.push_str("}\n");
    }

    fn field(self, field: &Field, imports: &mut Imports, out: &mut String) {
        let mut description = field.about.description.clone().unwrap_or_default();
        if field.secret {
            let secret = "It is secret: keep it out of logs.";
            description = if description.is_empty() { secret.to_owned() } else { format!("{description}\n\n{secret}") };
        }
        out.push_str(&comment(Some(&description), field.about.deprecated.as_deref(), "  "));
        let mark = if field.optional { "?" } else { "" };
        let ty = self.ty(&field.ty, Home::Types, imports);
        _ = writeln!(out, "  readonly {}{mark}: {ty};", key(&member(&field.names, &field.wire)));
    }

    /// How a named type is written.
    pub(super) fn reference(self, reference: &TypeReference, home: Home, imports: &mut Imports) -> String {
        let (name, declaration) = self.program.ty(&self.package.name, reference);
        declaration.iter().for_each(|it| imports.uses(&it.about));
        match (&reference.package, home) {
            (None, Home::Types) => name.to_owned(),
            (package, _) => format!("{}.{name}", imports.types(package.as_deref())),
        }
    }

    /// How a type is written where it is used.
    pub(super) fn ty(self, ty: &TypeUse, home: Home, imports: &mut Imports) -> String {
        match ty {
            TypeUse::Json => format!("{}.JsonValue", imports.shared()),
            TypeUse::Null => "null".to_owned(),
            TypeUse::Scalar(used) => match brand(used.scalar) {
                Ok(plain) => plain.to_owned(),
                Err(brand) => format!("{}.{brand}", imports.shared()),
            },
            TypeUse::Literal(literal) => self::literal(literal),
            TypeUse::List(list) => match self.ty(&list.item, home, imports) {
                item if item.contains([' ', '|']) => format!("readonly ({item})[]"),
                item => format!("readonly {item}[]"),
            },
            TypeUse::Map(map) => {
                let value = self.ty(&map.value, home, imports);
                format!("{}.Dictionary<{value}>", imports.shared())
            }
            TypeUse::Union(members) => {
                let members = members.iter().map(|member| match self.ty(member, home, imports) {
                    list if list.starts_with("readonly ") => format!("({list})"),
                    other => other,
                });
                members.collect::<Vec<_>>().join(" | ")
            }
            TypeUse::Named(reference) => self.reference(reference, home, imports),
        }
    }
}

/// The tag's property, which no field of a variant may be called like.
pub(super) fn tag_member(tag: &str, variants: &[Variant]) -> String {
    let fields = || variants.iter().flat_map(|variant| &variant.record.fields);
    let mut name = tag.to_owned();
    while fields().any(|field| member(&field.names, &field.wire) == name) {
        name.insert(0, '$');
    }
    name
}

/// A literal type, which is written like its value.
pub(super) fn literal(literal: &Literal) -> String {
    match literal {
        Literal::String(text) => super::literal::text(text),
        Literal::Number(number) => number.to_string(),
        Literal::Bool(value) => value.to_string(),
    }
}

/// The type of a scalar: one of the language, or one that only a text of that form has.
const fn brand(scalar: Scalar) -> Result<&'static str, &'static str> {
    match scalar {
        Scalar::String | Scalar::Bytes | Scalar::Timestamp | Scalar::Date | Scalar::Duration => Ok("string"),
        Scalar::Bool => Ok("boolean"),
        Scalar::Int | Scalar::Float => Ok("number"),
        Scalar::Int64 => Err("Int64"),
        Scalar::Decimal => Err("Decimal"),
        Scalar::Uuid => Err("Uuid"),
        Scalar::Uri => Err("Uri"),
        Scalar::Email => Err("Email"),
    }
}
