//! `codecs.py` and `schemas.py`: how values are read and written.

use std::fmt::Write as _;

use weave_ir::package::TypeReference;

use super::Module;
use super::imports::Imports;
use super::layout::{Code, assignment};
use super::literal::json;

impl Module<'_> {
    pub(super) fn schemas(self) -> Option<String> {
        let mut out = String::new();
        for declaration in &self.package.types {
            _ = writeln!(out, "\n{} = {}", self.own(&declaration.name), json(declaration.schema.as_value()));
        }
        (!out.is_empty()).then(|| format!("{}{out}", Imports::default().top()))
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
