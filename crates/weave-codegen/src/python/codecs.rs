//! `codecs.py` and `schemas.py`: how values are read and written.

use std::fmt::Write as _;

use weave_ir::package::TypeReference;

use super::Module;
use super::imports::Imports;
use super::layout::{Code, assignment};
use super::literal::{json, text};

impl Module<'_> {
    pub(super) fn schemas(self) -> Option<String> {
        let mut imports = Imports::default();
        // Types may contain each other, so what they refer to stands behind all of them.
        let (mut out, mut referred) = (String::new(), String::new());
        for declaration in &self.package.types {
            let name = self.own(&declaration.name);
            let schema = imports.shared("Schema");
            _ = writeln!(out, "\n_own_{name} = {}", json(declaration.schema.as_value()));
            let made = Code::call(schema.clone(), vec![Code::text(format!("_own_{name}"))]);
            out.push_str(&assignment(0, name, &Code::text(schema), &made));
            for (definition, ty) in self.program.referred(&self.package.name, declaration) {
                let (local, _) = self.program.ty(&self.package.name, &ty);
                let found = ty.package.as_deref().map(|package| imports.of(Some(package), "schemas", local));
                let found = Code::Lambda(found.unwrap_or_else(|| local.to_owned()));
                let made = Code::call(format!("{name}.refer"), vec![Code::text(text(definition)), found]);
                referred.push_str(&made.statement(0, "", ""));
            }
        }
        if !referred.is_empty() {
            referred.insert(0, '\n');
        }
        (!out.is_empty()).then(|| format!("{}{out}{referred}", imports.top()))
    }

    pub(super) fn codecs(self) -> Option<String> {
        let mut imports = Imports::default();
        let mut out = String::new();
        for declaration in &self.package.types {
            let name = self.own(&declaration.name);
            let ty = Code::text(imports.of(None, "types", name));
            let schema = Code::text(imports.of(None, "schemas", name));
            let kind = Code::index(imports.shared("Codec"), vec![ty.clone()]);
            let made = Code::call(imports.shared("codec"), vec![ty, schema]);
            out.push_str(&assignment(0, name, &kind, &made));
        }
        (!out.is_empty()).then(|| format!("{}\n{out}", imports.top()))
    }

    /// A type as other modules name it.
    pub(super) fn ty(self, reference: &TypeReference, imports: &mut Imports) -> Code {
        let (name, _) = self.program.ty(&self.package.name, reference);
        Code::text(imports.of(reference.package.as_deref(), "types", name))
    }

    /// What reads and writes a type.
    pub(super) fn codec(self, reference: &TypeReference, imports: &mut Imports) -> Code {
        let (name, _) = self.program.ty(&self.package.name, reference);
        Code::text(imports.of(reference.package.as_deref(), "codecs", name))
    }

    /// A type with what reads it; nothing where there is none.
    pub(super) fn typed(self, reference: Option<&TypeReference>, imports: &mut Imports) -> (Code, Code) {
        match reference {
            Some(reference) => (self.ty(reference, imports), self.codec(reference, imports)),
            None => (Code::text("None"), Code::text(imports.shared("NOTHING"))),
        }
    }
}
