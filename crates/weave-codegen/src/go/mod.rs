//! Go: a package for each of ours, and one with what all of them share. They need nothing but the standard library.

mod builders;
mod declarations;
mod names;
mod parts;
mod pattern;
mod scaffold;
mod services;
mod text;
mod tools;
mod types;

use std::collections::BTreeMap;

use weave_ir::package::Package;

use crate::program::Program;
use crate::scaffold::Interfaces;
use crate::text::header;
use crate::uses::cycle;
use crate::{GenerateError, Options, OutputFile};
use names::{GoPackage, SHARED};
use text::Imports;

/// What all packages share.
const RUNTIME: &[(&str, &str)] = &[
    ("bytes.go", include_str!("runtime/bytes.go")),
    ("codec.go", include_str!("runtime/codec.go")),
    ("failures.go", include_str!("runtime/failures.go")),
    ("guard.go", include_str!("runtime/guard.go")),
    ("http.go", include_str!("runtime/http.go")),
    ("json.go", include_str!("runtime/json.go")),
    ("operators.go", include_str!("runtime/operators.go")),
    ("paths.go", include_str!("runtime/paths.go")),
    ("patterns.go", include_str!("runtime/patterns.go")),
    ("scalars.go", include_str!("runtime/scalars.go")),
    ("schemas.go", include_str!("runtime/schemas.go")),
    ("structures.go", include_str!("runtime/structures.go")),
    ("template.go", include_str!("runtime/template.go")),
    ("templates.go", include_str!("runtime/templates.go")),
    ("tools.go", include_str!("runtime/tools.go")),
    ("values.go", include_str!("runtime/values.go")),
];

pub(crate) use scaffold::{TEMPLATES, scaffold};

/// What serves tools over the Model Context Protocol, with the SDK for it: a package below the shared one.
const MCP: (&str, &str) = ("weavemcp/weavemcp.go", include_str!("runtime/weavemcp/weavemcp.go"));

/// Under which path `MCP` imports the shared package, before it is put into a module.
const UNPLACED: &str = "weave.test/gen/";

pub(crate) fn generate(packages: &[Package], options: &Options) -> Result<Vec<OutputFile>, GenerateError> {
    if let Some(sources) = cycle(packages) {
        return Err(GenerateError::Cycle(sources));
    }
    let program = Program::new(packages, "any", names::names);
    let named = names::packages(packages);
    let shared =
        |(name, text): (&str, &str)| OutputFile { path: format!("{SHARED}/{name}"), contents: format!("{}{text}", header("//", None)) };
    let mut files: Vec<OutputFile> = RUNTIME.iter().copied().map(shared).collect();
    if options.mcp {
        files.push(shared((MCP.0, &MCP.1.replace(UNPLACED, &format!("{}/", options.import_path)))));
    }
    for package in packages {
        if let Some(names) = named.get(&package.name) {
            let found = Interfaces::default();
            let module = Module { program: &program, packages: &named, package, names, import_path: &options.import_path, found: &found };
            files.extend(module.files());
        }
    }
    if let Some(all) = &options.builders {
        files.extend(builders::files(packages, &named, all, options));
    }
    Ok(files)
}

/// One package on its way to Go.
#[derive(Clone, Copy)]
struct Module<'a> {
    program: &'a Program<'a>,
    packages: &'a BTreeMap<String, GoPackage>,
    package: &'a Package,
    names: &'a GoPackage,
    import_path: &'a str,
    /// What the interfaces are called, once they are written.
    found: &'a Interfaces,
}

impl<'a> Module<'a> {
    fn files(self) -> Vec<OutputFile> {
        // What is made beside types and tools takes its names in this order.
        let mut scope = self.names.scope.clone();
        let written: [(&str, Option<String>); 9] = [
            ("doc", Some(self.doc())),
            ("types", (!self.package.types.is_empty()).then(|| self.types())),
            ("schemas", (!self.package.types.is_empty()).then(|| self.schemas())),
            ("codecs", (!self.package.types.is_empty()).then(|| self.codecs())),
            ("errors", self.errors()),
            ("events", self.events(&mut scope)),
            ("tools", self.tools(&mut scope)),
            ("prompts", self.prompts(&mut scope)),
            ("agents", self.agents(&mut scope)),
        ];
        let workflows = self.workflows(&mut scope);
        let header = header("//", Some(&self.package.source));
        let file = |(name, text): (&str, String)| OutputFile {
            path: format!("{}/{name}.go", self.names.folder),
            contents: format!("{header}{text}"),
        };
        let written = written.into_iter().chain([("workflows", workflows)]);
        written.filter_map(|(name, text)| Some((name, text?))).map(file).collect()
    }

    fn doc(self) -> String {
        let what = format!("Package {} is what `{}` declares.", self.names.folder, self.package.source);
        let said = crate::text::described(&what, self.package.description.as_deref());
        format!("{}package {}\n", text::comment(Some(&said), None, ""), self.names.folder)
    }

    fn imports(self) -> Imports<'a> {
        Imports::new(self.import_path)
    }
}
