//! `types.go`, `codecs.go` and `schemas.go`: what values are, and how they are read and written.

use std::fmt::Write as _;

use weave_ir::package::{Field, Record, Shape, TypeDeclaration, TypeReference, Variant};

use super::Module;
use super::names::{called, fields};
use super::text::{Imports, comment, function, json, text};

/// A field with its name.
type Named<'a> = (&'a Field, String);

/// The fields with their names, and what the one is called that has what else an open record holds.
fn named(record: &Record) -> (Vec<Named<'_>>, Option<String>) {
    let mut scope = fields();
    let names: Vec<&str> = record.fields.iter().map(|field| called(&field.names, &field.wire)).collect();
    let named: Vec<Named<'_>> = record.fields.iter().zip(scope.claim_all(&names)).collect();
    let extra = record.open.then(|| scope.claim("Extra"));
    (named, extra)
}

impl Module<'_> {
    fn own(self, declaration: &TypeDeclaration) -> (TypeReference, String) {
        let reference = TypeReference { package: None, name: declaration.name.clone() };
        let name = self.program.ty(&self.package.name, &reference).0.to_owned();
        (reference, name)
    }

    fn variant(self, declaration: &TypeDeclaration, variant: &Variant) -> String {
        self.program.variant(&self.package.name, &declaration.name, &variant.wire).to_owned()
    }

    pub(super) fn types(self) -> String {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            self.declaration(declaration, &mut imports, &mut out);
        }
        imports.before(&self.names.folder, &out)
    }

    fn declaration(self, declaration: &TypeDeclaration, imports: &mut Imports<'_>, out: &mut String) {
        let (_, name) = self.own(declaration);
        out.push_str(&comment(declaration.about.description.as_deref(), declaration.about.deprecated.as_deref(), ""));
        match &declaration.shape {
            Shape::Record(record) | Shape::Error { data: record, .. } => self.structure(&name, record, imports, out),
            Shape::Alias(ty) => {
                // A name that stands for a type in which it stands itself is a type of its own.
                let mark = if self.names_itself(&declaration.name, ty) { "" } else { "= " };
                let mut all = self.imports();
                let ty = self.used(ty, &mut all).ty;
                imports.for_code(&ty, &all);
                _ = writeln!(out, "type {name} {mark}{ty}\n");
            }
            Shape::Enum(values) => {
                _ = writeln!(out, "type {name} string\n");
                let constant =
                    |wire: &str| self.names.values.get(&(declaration.name.clone(), wire.to_owned())).cloned().unwrap_or_default();
                let names: Vec<(String, String)> = values
                    .iter()
                    .map(|value| {
                        (constant(&value.wire), comment(value.about.description.as_deref(), value.about.deprecated.as_deref(), "\t"))
                    })
                    .collect();
                let values = values.iter().map(|value| value.wire.as_str()).zip(names);
                out.push_str(&constants(&name, values.collect()));
            }
            Shape::Union { variants, .. } => {
                let interface = self.names.unions.get(&declaration.name).cloned().unwrap_or_default();
                let names: Vec<String> = variants.iter().map(|variant| self.variant(declaration, variant)).collect();
                let listed = names.iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
                _ = writeln!(out, "type {name} struct {{\n\t// Value is one of {listed}.\n\tValue {interface}\n}}\n");
                _ = writeln!(
                    out,
                    "// {interface} is what a [{name}] may be: a switch over its types needs no others.\ntype {interface} interface{{ is{name}() }}\n"
                );
                for (variant, struct_name) in variants.iter().zip(&names) {
                    out.push_str(&comment(variant.about.description.as_deref(), variant.about.deprecated.as_deref(), ""));
                    self.structure(struct_name, &variant.record, imports, out);
                    _ = writeln!(out, "{}\n", function(&format!("func ({struct_name}) is{name}()"), "", ""));
                }
            }
        }
    }

    fn structure(self, name: &str, record: &Record, imports: &mut Imports<'_>, out: &mut String) {
        let (fields, extra) = named(record);
        if fields.is_empty() && extra.is_none() {
            _ = writeln!(out, "type {name} struct{{}}\n");
            return;
        }
        let mut lines: Vec<String> = Vec::new();
        for (field, name) in &fields {
            let mut description = field.about.description.clone().unwrap_or_default();
            if field.secret {
                let secret = "It is secret: keep it out of logs.";
                description = if description.is_empty() { secret.to_owned() } else { format!("{description}\n\n{secret}") };
            }
            let docs = comment(Some(&description), field.about.deprecated.as_deref(), "\t");
            let mut all = self.imports();
            let ty = self.field(field, &mut all).0;
            imports.for_code(&ty, &all);
            lines.push(format!("{docs}\t{name} {ty}{}\n", tag(field)));
        }
        if let Some(extra) = extra {
            let package = imports.standard("encoding/json");
            lines.push(format!("\t// {extra} is what else it has, by the names in JSON.\n\t{extra} map[string]{package}.RawMessage\n"));
        }
        // With empty lines between them, nothing is aligned.
        _ = writeln!(out, "type {name} struct {{\n{}}}\n", lines.join("\n"));
    }

    /// The type of a field, and the beginning of what reads and writes it.
    fn field(self, field: &Field, imports: &mut Imports<'_>) -> (String, String) {
        let used = self.used(&field.ty, imports);
        let shared = imports.shared();
        let (wire, node) = (text(&field.wire), used.node);
        let about = used.about;
        match &field.default {
            Some(default) if !field.optional => (used.ty, format!("{shared}.Defaulted({wire}, {node}, {}", json(default))),
            _ if !field.optional => (used.ty, format!("{shared}.Required({wire}, {node}")),
            _ if about.json || about.nilable && !about.nullable => (used.ty, format!("{shared}.AbsentNil({wire}, {node}")),
            _ if about.nullable => (format!("{shared}.Optional[{}]", used.ty), format!("{shared}.AbsentOrNull({wire}, {node}")),
            _ => (format!("*{}", used.ty), format!("{shared}.Absent({wire}, {node}")),
        }
    }

    pub(super) fn schemas(self) -> String {
        let mut out = String::new();
        for declaration in &self.package.types {
            let (_, name) = self.own(declaration);
            _ = writeln!(out, "const schema{name} = {}\n", json(declaration.schema.as_value()));
        }
        self.imports().before(&self.names.folder, &out)
    }

    pub(super) fn codecs(self) -> String {
        let mut imports = self.imports();
        let mut out = String::new();
        let mut defined = String::new();
        for declaration in &self.package.types {
            let (reference, name) = self.own(declaration);
            let shared = imports.shared();
            let codec = self.codec(&reference, &mut imports);
            let node = self.node(declaration, &name, &mut imports);
            _ = writeln!(out, "// {codec} reads and writes values of [{name}].\nvar {codec} = {shared}.NewCodec[{name}](schema{name})\n");
            _ = writeln!(defined, "\t{codec}.Define({node})");
            let referred = self.program.referred(&self.package.name, declaration).into_iter();
            let referred = referred.map(|(name, ty)| format!("{shared}.To({}, {})", text(name), self.codec(&ty, &mut imports)));
            let referred = referred.collect::<Vec<_>>().join(", ");
            if !referred.is_empty() {
                _ = writeln!(defined, "\t{codec}.Refer({referred})");
            }
            if !matches!(declaration.shape, Shape::Alias(_)) {
                _ = writeln!(
                    out,
                    "// Validate says whether the value fits its type.\nfunc (v {name}) Validate() error {{\n\treturn {codec}.Validate(v)\n}}\n\n\
                     // MarshalJSON writes the value; what does not fit its type is an error.\nfunc (v {name}) MarshalJSON() ([]byte, error) {{\n\treturn {codec}.Encode(v)\n}}\n\n\
                     // UnmarshalJSON reads a value; what does not fit its type is an error.\nfunc (v *{name}) UnmarshalJSON(text []byte) error {{\n\treturn {codec}.DecodeTo(text, v)\n}}\n"
                );
            }
        }
        if !defined.is_empty() {
            // Types may contain themselves, which initial values of variables may not.
            _ = writeln!(out, "func init() {{\n{defined}}}");
        }
        imports.before(&self.names.folder, &out)
    }

    fn node(self, declaration: &TypeDeclaration, name: &str, imports: &mut Imports<'_>) -> String {
        match &declaration.shape {
            Shape::Record(record) | Shape::Error { data: record, .. } => self.record(name, record, None, "\t", imports),
            Shape::Alias(ty) => {
                let own = self.names_itself(&declaration.name, ty).then_some(name);
                let mut all = self.imports();
                let node = self.used_as(ty, own, &mut all).node;
                imports.for_code(&node, &all);
                node
            }
            Shape::Enum(values) => {
                let shared = imports.shared();
                let names = values.iter().filter_map(|value| self.names.values.get(&(declaration.name.clone(), value.wire.clone())));
                format!("{shared}.OneOf({})", names.cloned().collect::<Vec<_>>().join(", "))
            }
            Shape::Union { tag, variants, .. } => {
                let shared = imports.shared();
                let interface = self.names.unions.get(&declaration.name).cloned().unwrap_or_default();
                let mut cases = String::new();
                for variant in variants {
                    let struct_name = self.variant(declaration, variant);
                    let record = self.record(&struct_name, &variant.record, Some((tag, &variant.wire)), "\t\t", imports);
                    let wire = text(&variant.wire);
                    let made = function(&format!("func(v {struct_name}) {interface}"), "return v", "\t\t");
                    _ = writeln!(cases, "\t\t{shared}.Case({wire}, {record}, {made}),");
                }
                let wire = text(tag);
                let accessor = function(&format!("func(v *{name}) *{interface}"), "return &v.Value", "\t");
                format!("{shared}.Tagged({wire}, {accessor},\n{cases}\t)")
            }
        }
    }

    fn record(self, name: &str, record: &Record, tag: Option<(&str, &str)>, margin: &str, imports: &mut Imports<'_>) -> String {
        let shared = imports.shared();
        let (fields, extra) = named(record);
        let mut lines = String::new();
        if let Some((wire, value)) = tag {
            _ = writeln!(lines, "{margin}\t{shared}.Tag[{name}]({}, {}),", text(wire), text(value));
        }
        for (field, field_name) in &fields {
            let (ty, beginning) = self.field(field, imports);
            let accessor = function(&format!("func(v *{name}) *{ty}"), &format!("return &v.{field_name}"), &format!("{margin}\t"));
            _ = writeln!(lines, "{margin}\t{beginning}, {accessor}),");
        }
        match (extra, lines.is_empty()) {
            (None, true) => format!("{shared}.Record[{name}]()"),
            (None, false) => format!("{shared}.Record[{name}](\n{lines}{margin})"),
            (Some(extra), _) => {
                let package = imports.standard("encoding/json");
                let header = format!("func(v *{name}) *map[string]{package}.RawMessage");
                let accessor = function(&header, &format!("return &v.{extra}"), &format!("{margin}\t"));
                format!("{shared}.OpenRecord[{name}](\n{margin}\t{accessor},\n{lines}{margin})")
            }
        }
    }
}

/// The values of a type of strings, each with its constant and what is said about that.
pub(super) fn constants(name: &str, values: Vec<(&str, (String, String))>) -> String {
    let (wires, names): (Vec<&str>, Vec<(String, String)>) = values.into_iter().unzip();
    let mut out = format!("// The values of [{name}].\nconst (\n");
    for ((wire, (constant, docs)), width) in wires.iter().zip(&names).zip(widths(&names)) {
        let gap = " ".repeat(width.saturating_sub(constant.chars().count()));
        _ = writeln!(out, "{docs}\t{constant}{gap} {name} = {}", text(wire));
    }
    out.push_str(")\n\n");
    out
}

/// How wide each of some names stands: as the widest of those that follow one another without a comment between them.
fn widths(names: &[(String, String)]) -> Vec<usize> {
    let mut widths = Vec::with_capacity(names.len());
    for block in names.chunk_by(|_, (_, docs)| docs.is_empty()) {
        let width = block.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        widths.extend(block.iter().map(|_| width));
    }
    widths
}

/// The name in JSON, for those who read the type; what cannot stand there is left out.
fn tag(field: &Field) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.' | '$');
    let wire = &field.wire;
    if wire == "-" || !wire.chars().all(is_plain) || wire.is_empty() {
        return String::new();
    }
    let may_be_absent = if field.optional { ",omitempty" } else { "" };
    format!(" `json:\"{wire}{may_be_absent}\"`")
}
