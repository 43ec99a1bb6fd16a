//! `codecs.ts` and `schemas.ts`: how values are read and written.

use std::fmt::Write as _;

use weave_ir::package::{Bound, Field, ListUse, MapUse, Record, Scalar, ScalarUse, Shape, TypeDeclaration, TypeReference, TypeUse};
use weave_pattern::ecmascript;

use super::Module;
use super::imports::{Imports, comment};
use super::literal::{json, property, text};
use super::names::member;
use super::types::{Home, literal, tag_member};

impl Module<'_> {
    pub(super) fn schemas(self) -> String {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            let name = self.own(&declaration.name);
            let shared = imports.shared();
            let schema = json(declaration.schema.as_value(), 0);
            let referred = self.program.referred(&self.package.name, declaration).into_iter().map(|(definition, ty)| {
                let (local, _) = self.program.ty(&self.package.name, &ty);
                let local = match ty.package.as_deref() {
                    None => local.to_owned(),
                    package => format!("{}.{local}", imports.values(package, "schemas")),
                };
                format!("{}: {local}", property(definition))
            });
            let referred = referred.collect::<Vec<_>>().join(", ");
            let schema = if referred.is_empty() { schema } else { format!("{shared}.schema({schema}, () => ({{ {referred} }}))") };
            _ = writeln!(out, "export const {name}: {shared}.JsonObject = {schema};\n");
        }
        if out.is_empty() {
            out.push_str("export {};\n");
        }
        imports.before(&out)
    }

    pub(super) fn codecs(self) -> String {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            let name = self.own(&declaration.name);
            let (shared, types, schemas) = (imports.shared(), imports.types(None), imports.values(None, "schemas"));
            let ty = format!("{types}.{name}");
            imports.uses(&declaration.about);
            let node = self.shape(declaration, &ty, &mut imports);
            out.push_str(&comment(None, declaration.about.deprecated.as_deref(), ""));
            _ = writeln!(out, "export const {name}: {shared}.Codec<{ty}> = {shared}.codec(\n  {node},\n  {schemas}.{name},\n);\n");
        }
        if out.is_empty() {
            out.push_str("export {};\n");
        }
        imports.before(&out)
    }

    fn own(self, name: &str) -> String {
        let reference = TypeReference { package: None, name: name.to_owned() };
        self.program.ty(&self.package.name, &reference).0.to_owned()
    }

    fn shape(self, declaration: &TypeDeclaration, ty: &str, imports: &mut Imports) -> String {
        match &declaration.shape {
            Shape::Record(record) | Shape::Error { data: record, .. } => self.record(record, None, ty, "  ", imports),
            Shape::Alias(used) => self.node(used, imports),
            Shape::Enum(values) => {
                let values = values.iter().map(|value| text(&value.wire)).collect::<Vec<_>>().join(", ");
                format!("{}.oneOf<{ty}>([{values}])", imports.shared())
            }
            Shape::Union { tag, tag_names, variants } => {
                let shared = imports.shared();
                let name = tag_member(&member(tag_names, tag), variants);
                let mut entries = String::new();
                for variant in variants {
                    let local = self.program.variant(&self.package.name, &declaration.name, &variant.wire);
                    imports.uses(&variant.about);
                    let ty = format!("{}.{local}", imports.types(None));
                    let record = self.record(&variant.record, Some((&name, tag, &variant.wire)), &ty, "    ", imports);
                    let key = property(&variant.wire);
                    _ = writeln!(entries, "    {key}: {record},");
                }
                format!("{shared}.tagged<{ty}>({}, {}, {{\n{entries}  }})", text(&name), text(tag))
            }
        }
    }

    /// A record, and the tag that stands before its fields.
    fn record(self, record: &Record, tag: Option<(&str, &str, &str)>, ty: &str, margin: &str, imports: &mut Imports) -> String {
        let shared = imports.shared();
        let mut fields = String::new();
        if let Some((name, wire, value)) = tag {
            let (name, wire, value) = (text(name), text(wire), text(value));
            _ = writeln!(fields, "{margin}  {shared}.required({name}, {wire}, {shared}.oneOf([{value}])),");
        }
        for field in &record.fields {
            let field = self.field_node(field, imports);
            _ = writeln!(fields, "{margin}  {field},");
        }
        let fields = if fields.is_empty() { "[]".to_owned() } else { format!("[\n{fields}{margin}]") };
        format!("{shared}.record<{ty}>({fields}, {})", record.open)
    }

    fn field_node(self, field: &Field, imports: &mut Imports) -> String {
        let shared = imports.shared();
        let (name, wire) = (text(&member(&field.names, &field.wire)), text(&field.wire));
        let node = self.node(&field.ty, imports);
        match &field.default {
            _ if field.optional => format!("{shared}.optional({name}, {wire}, {node})"),
            None => format!("{shared}.required({name}, {wire}, {node})"),
            Some(default) => format!("{shared}.defaulted({name}, {wire}, {node}, {})", json(default, 4)),
        }
    }

    fn node(self, ty: &TypeUse, imports: &mut Imports) -> String {
        let shared = imports.shared();
        match ty {
            TypeUse::Json => format!("{shared}.json()"),
            TypeUse::Null => format!("{shared}.nothing()"),
            TypeUse::Scalar(used) => scalar(shared, used),
            TypeUse::Literal(value) => format!("{shared}.oneOf([{}])", literal(value)),
            TypeUse::List(list) => {
                let ListUse { item, min, max, unique } = &**list;
                let unique = unique.then(|| "unique: true".to_owned());
                format!("{shared}.list({}{})", self.node(item, imports), sizes(*min, *max, unique))
            }
            TypeUse::Map(map) => {
                let MapUse { value, min, max } = &**map;
                format!("{shared}.map({}{})", self.node(value, imports), sizes(*min, *max, None))
            }
            TypeUse::Union(members) => self.union(members, imports),
            TypeUse::Named(reference) => {
                let (name, declaration) = self.program.ty(&self.package.name, reference);
                declaration.iter().for_each(|it| imports.uses(&it.about));
                let name = match reference.package.as_deref() {
                    None => name.to_owned(),
                    package => format!("{}.{name}", imports.values(package, "codecs")),
                };
                format!("{shared}.ref(() => {name})")
            }
        }
    }

    /// Literals of one union stand together, where the first of them stands; null is asked for first, for it costs least.
    fn union(self, members: &[TypeUse], imports: &mut Imports) -> String {
        let shared = imports.shared();
        let literals = members.iter().filter_map(|member| match member {
            TypeUse::Literal(value) => Some(literal(value)),
            _ => None,
        });
        let literals = format!("{shared}.oneOf([{}])", literals.collect::<Vec<_>>().join(", "));
        let mut nodes = Vec::new();
        let mut types = Vec::new();
        for member in members.iter().filter(|member| **member != TypeUse::Null) {
            let node = if matches!(member, TypeUse::Literal(_)) { literals.clone() } else { self.node(member, imports) };
            if !nodes.contains(&node) {
                nodes.push(node);
            }
            types.push(member.clone());
        }
        let node = match nodes.as_slice() {
            [node] => node.clone(),
            nodes => {
                let ty = self.ty(&TypeUse::Union(types), Home::Elsewhere, imports);
                format!("{shared}.either<{ty}>([{}])", nodes.join(", "))
            }
        };
        if members.contains(&TypeUse::Null) { format!("{shared}.nullable({node})") } else { node }
    }
}

fn sizes(min: Option<u64>, max: Option<u64>, unique: Option<String>) -> String {
    let bounds = [min.map(|min| format!("min: {min}")), max.map(|max| format!("max: {max}")), unique];
    let bounds = bounds.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if bounds.is_empty() { String::new() } else { format!(", {{ {bounds} }}") }
}

fn scalar(shared: &str, used: &ScalarUse) -> String {
    let name = match used.scalar {
        Scalar::String => "string",
        Scalar::Bool => "bool",
        Scalar::Int => "int",
        Scalar::Int64 => "int64",
        Scalar::Float => "float",
        Scalar::Decimal => "decimal",
        Scalar::Bytes => "bytes",
        Scalar::Timestamp => "timestamp",
        Scalar::Date => "date",
        Scalar::Duration => "duration",
        Scalar::Uuid => "uuid",
        Scalar::Uri => "uri",
        Scalar::Email => "email",
    };
    let bound = |name: &str, bound: &Option<Bound>| {
        bound.as_ref().map(|bound| match bound {
            Bound::Number(number) => format!("{name}: {number}"),
            Bound::Text(value) => format!("{name}: {}", text(value)),
        })
    };
    let pattern = used.pattern.as_deref().map(|pattern| format!("pattern: new RegExp({}, \"u\")", text(&ecmascript(pattern))));
    let limits = [bound("min", &used.min), bound("max", &used.max), pattern];
    let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if limits.is_empty() { format!("{shared}.{name}()") } else { format!("{shared}.{name}({{ {limits} }})") }
}
