//! `types.py`: what values are.

use std::fmt::Write as _;

use serde_json::Value;
use weave_ir::package::{About, Field, Literal, Record, Scalar, Shape, TypeDeclaration, TypeReference, TypeUse};

use super::hints::{alias, annotated, either, truth};
use super::imports::Imports;
use super::layout::{Code, assignment, class, constant};
use super::literal::{docstring, text};
use super::names::{fields, values};
use super::{Module, own};

impl Module<'_> {
    pub(super) fn types(self) -> String {
        let mut imports = Imports::default();
        let [mut enums, mut records] = [const { String::new() }; 2];
        for declaration in &self.package.types {
            match &declaration.shape {
                Shape::Enum(_) => self.enumeration(declaration, &mut imports, &mut enums),
                Shape::Record(record) | Shape::Error { data: record, .. } => {
                    let name = self.own(&declaration.name);
                    self.record(name, &declaration.about, None, record, &mut imports, &mut records);
                }
                Shape::Union { tag, tag_names, variants } => {
                    let tag_name = self.tag_name(tag_names, tag, variants);
                    for variant in variants {
                        let name = self.program.variant(&self.package.name, &declaration.name, &variant.wire);
                        let tag = (tag_name.as_str(), tag.as_str(), variant.wire.as_str());
                        self.record(name, &variant.about, Some(tag), &variant.record, &mut imports, &mut records);
                    }
                }
                Shape::Alias(_) => {}
            }
        }
        let mut aliases = String::new();
        let (order, lazy) = self.order();
        for declaration in order {
            self.alias(declaration, lazy.contains(declaration.name.as_str()), &mut imports, &mut aliases);
        }
        // Names in annotations are those of this module, whatever names the one who first reads a value has.
        let end = if records.is_empty() { String::new() } else { format!("{}()\n", imports.shared("complete")) };
        let parts = [imports.top(), enums, records, imports.bottom(), aliases, end];
        let mut out = String::new();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            if !out.is_empty() {
                out.push_str("\n\n");
            }
            out.push_str(part.trim_matches('\n'));
            out.push('\n');
        }
        out
    }

    /// What a type of this package is called.
    pub(super) fn own(&self, name: &str) -> &str {
        self.program.ty(&self.package.name, &own(name)).0
    }

    fn enumeration(self, declaration: &TypeDeclaration, imports: &mut Imports, out: &mut String) {
        let Shape::Enum(found) = &declaration.shape else { return };
        let base = imports.name("enum", "StrEnum");
        _ = write!(out, "\n\n{}", class(self.own(&declaration.name), &[base]));
        let docs = docstring(declaration.about.description.as_deref(), declaration.about.deprecated.as_deref(), 4);
        if !docs.is_empty() {
            _ = writeln!(out, "{docs}");
        }
        let mut scope = values();
        for value in found {
            out.push_str(&constant(4, &scope.claim(&value.names.python), &text(&value.wire)));
            out.push_str(&docstring(value.about.description.as_deref(), value.about.deprecated.as_deref(), 4));
        }
        if found.is_empty() && docs.is_empty() {
            out.push_str("    pass\n");
        }
    }

    fn record(self, name: &str, about: &About, tag: Option<(&str, &str, &str)>, record: &Record, imports: &mut Imports, out: &mut String) {
        let base = imports.shared(if record.open { "OpenModel" } else { "Model" });
        _ = write!(out, "\n\n{}", class(name, &[&base]));
        let docs = docstring(about.description.as_deref(), about.deprecated.as_deref(), 4);
        let is_empty = record.fields.is_empty() && tag.is_none();
        out.push_str(&docs);
        if is_empty {
            if docs.is_empty() {
                out.push_str("    pass\n");
            }
            return;
        }
        if !docs.is_empty() {
            out.push('\n');
        }
        if let Some((name, wire, value)) = tag {
            let mut hint = vec![Code::index(imports.typing("Literal"), vec![Code::text(text(value))])];
            hint.extend(alias(name, wire, false, imports));
            let hint = annotated(hint, imports);
            out.push_str(&assignment(4, name, &hint, &Code::text(text(value))));
        }
        let names = fields(record, tag.map(|(name, ..)| name), self.taken);
        for (field, name) in record.fields.iter().zip(names) {
            self.field(field, &name, imports, out);
        }
    }

    fn field(self, field: &Field, name: &str, imports: &mut Imports, out: &mut String) {
        let mut hint = vec![self.hint(&field.ty, imports)];
        let mut default = None;
        if field.optional {
            let nullable = self.nullable(&field.ty);
            if !matches!(&field.ty, TypeUse::Union(members) if members.contains(&TypeUse::Null)) {
                hint = vec![either(hint, Code::text("None"))];
            }
            hint.push(Code::text(imports.shared(if nullable { "ABSENT_OR_NULL" } else { "ABSENT" })));
            default = Some(Code::text("None"));
        } else if let Some(value) = &field.default {
            default = Some(self.default(&field.ty, value, imports));
        }
        hint.extend(alias(name, &field.wire, field.secret, imports));
        let hint = annotated(hint, imports);
        match default {
            Some(default) => out.push_str(&assignment(4, name, &hint, &default)),
            None => out.push_str(&hint.statement(4, &format!("{name}: "), "")),
        }
        out.push_str(&docstring(field.about.description.as_deref(), field.about.deprecated.as_deref(), 4));
    }

    /// What a reader finds where a writer left out a field.
    fn default(self, ty: &TypeUse, value: &Value, imports: &mut Imports) -> Code {
        let (home, ty) = self.stands_for(ty);
        let plain = match (&ty, value) {
            (_, Value::Null) => Some("None".to_owned()),
            (TypeUse::Scalar(used), Value::String(value)) if used.scalar == Scalar::String => Some(text(value)),
            (TypeUse::Scalar(used), Value::Bool(value)) if used.scalar == Scalar::Bool => Some(truth(*value).to_owned()),
            (TypeUse::Scalar(used), Value::Number(number)) if used.scalar == Scalar::Int => number.as_i64().map(|it| it.to_string()),
            (TypeUse::Scalar(used), Value::Number(number)) if used.scalar == Scalar::Float => number.as_f64().map(|it| format!("{it:?}")),
            (TypeUse::Literal(Literal::String(_)), Value::String(value)) => Some(text(value)),
            (TypeUse::Union(members), Value::String(value)) if members.contains(&TypeUse::Literal(Literal::String(value.clone()))) => {
                Some(text(value))
            }
            (TypeUse::Named(named), Value::String(value)) => self.value_of(home.as_deref(), named, value, imports),
            _ => None,
        };
        let plain = plain.map(Code::text);
        let json = || Code::call(imports.shared("default"), vec![Code::text(text(&value.to_string()))]);
        plain.unwrap_or_else(json)
    }

    /// The value of an enum by its name, if its module can be asked for it.
    fn value_of(self, home: Option<&str>, named: &TypeReference, wire: &str, imports: &mut Imports) -> Option<String> {
        let package = named.package.as_deref().or(home).filter(|package| *package != self.package.name);
        if package.is_some_and(|package| self.is_in_circle_with(package)) {
            return None;
        }
        let reference = TypeReference { package: package.map(str::to_owned), name: named.name.clone() };
        let (name, declaration) = self.program.ty(&self.package.name, &reference);
        let Shape::Enum(found) = &declaration?.shape else { return None };
        let mut scope = values();
        let members: Vec<String> = found.iter().map(|value| scope.claim(&value.names.python)).collect();
        let member = found.iter().zip(members).find(|(value, _)| value.wire == wire)?.1;
        let name = match package {
            None => name.to_owned(),
            package => imports.of(package, "types", name),
        };
        Some(format!("{name}.{member}"))
    }

    fn alias(self, declaration: &TypeDeclaration, lazy: bool, imports: &mut Imports, out: &mut String) {
        let name = self.own(&declaration.name);
        let hint = match &declaration.shape {
            Shape::Alias(ty) => self.hint(ty, imports),
            Shape::Union { tag, tag_names, variants } => {
                let variant = |wire: &str| Code::text(self.program.variant(&self.package.name, &declaration.name, wire));
                match variants.as_slice() {
                    [only] => variant(&only.wire),
                    variants => {
                        let members = variants.iter().map(|it| variant(&it.wire)).collect();
                        let tag_name = self.tag_name(tag_names, tag, variants);
                        let mark = Code::call(imports.shared("Tag"), vec![Code::text(text(&tag_name)), Code::text(text(tag))]);
                        Code::index(imports.typing("Annotated"), vec![Code::Either(members), mark])
                    }
                }
            }
            _ => return,
        };
        let kind = imports.typing("TypeAlias");
        out.push('\n');
        if lazy {
            let checking = imports.typing("TYPE_CHECKING");
            let quoted = Code::text(text(&hint.flat()));
            let lambda = hint.around("lambda: ", "");
            _ = writeln!(out, "if {checking}:");
            out.push_str(&quoted.statement(4, &format!("{name}: {kind} = "), ""));
            _ = writeln!(out, "else:");
            let found = Code::call(imports.shared("recursive"), vec![lambda]);
            out.push_str(&found.statement(4, &format!("{name} = "), ""));
        } else {
            out.push_str(&hint.statement(0, &format!("{name}: {kind} = "), ""));
        }
        out.push_str(&docstring(declaration.about.description.as_deref(), declaration.about.deprecated.as_deref(), 0));
    }
}
