//! TypeScript: a folder a package, and one with what all packages share. The modules need nothing but the language.

mod builders;
mod codecs;
mod imports;
mod layout;
mod literal;
mod names;
mod parts;
mod scaffold;
mod services;
mod tools;
mod types;

use weave_ir::package::Package;

use crate::program::Program;
use crate::scaffold::Interfaces;
use crate::text::header;
use crate::{Options, OutputFile};
use imports::Imports;

/// The folder of what all packages share; no package has such a name.
const SHARED: &str = "_weave";

/// What all packages share.
const RUNTIME: &[(&str, &str)] = &[
    ("codec.ts", include_str!("runtime/codec.ts")),
    ("guard.ts", include_str!("runtime/guard.ts")),
    ("http.ts", include_str!("runtime/http.ts")),
    ("index.ts", include_str!("runtime/index.ts")),
    ("operators.ts", include_str!("runtime/operators.ts")),
    ("paths.ts", include_str!("runtime/paths.ts")),
    ("patterns.ts", include_str!("runtime/patterns.ts")),
    ("models.ts", include_str!("runtime/models.ts")),
    ("scalars.ts", include_str!("runtime/scalars.ts")),
    ("structures.ts", include_str!("runtime/structures.ts")),
    ("template.ts", include_str!("runtime/template.ts")),
    ("templates.ts", include_str!("runtime/templates.ts")),
    ("tools.ts", include_str!("runtime/tools.ts")),
    ("values.ts", include_str!("runtime/values.ts")),
];

pub(crate) use scaffold::{TEMPLATES, scaffold};

/// What serves tools over the Model Context Protocol.
const MCP: (&str, &str) = ("mcp.ts", include_str!("runtime/mcp.ts"));

pub(crate) fn generate(packages: &[Package], options: &Options) -> Vec<OutputFile> {
    let program = Program::new(packages, "never", names::names);
    let shared = RUNTIME
        .iter()
        .chain(options.mcp.then_some(&MCP))
        .map(|(name, text)| OutputFile { path: format!("{SHARED}/{name}"), contents: format!("{}{text}", header("//", None)) });
    let mut files: Vec<OutputFile> = shared.collect();
    for package in packages {
        let found = Interfaces::default();
        files.extend(Module { program: &program, package, found: &found }.files());
    }
    if let Some(all) = &options.builders {
        files.extend(builders::files(packages, all));
    }
    files
}

/// One package on its way to modules.
#[derive(Clone, Copy)]
struct Module<'a> {
    program: &'a Program<'a>,
    package: &'a Package,
    /// What the interfaces are called, once they are written.
    found: &'a Interfaces,
}

impl Module<'_> {
    fn files(self) -> Vec<OutputFile> {
        let written: [(&str, Option<String>); 8] = [
            ("types", Some(self.types())),
            ("schemas", Some(self.schemas())),
            ("codecs", Some(self.codecs())),
            ("errors", self.errors()),
            ("events", self.events()),
            ("tools", self.tools()),
            ("prompts", self.prompts()),
            ("workflows", self.workflows()),
        ];
        let mut files: Vec<(&str, String)> = written.into_iter().filter_map(|(name, text)| Some((name, text?))).collect();
        files.extend(self.agents().map(|text| ("agents", text)));
        let mut index = String::new();
        if let Some(description) = &self.package.description {
            index.push_str(&imports::comment(Some(description), None, ""));
        }
        files.sort_by_key(|(name, _)| *name);
        for (name, _) in &files {
            index.push_str(&match *name {
                "types" => "export * from \"./types.js\";\n".to_owned(),
                name => format!("export * as {name} from \"./{name}.js\";\n"),
            });
        }
        files.push(("index", index));
        let header = header("//", Some(&self.package.source));
        files
            .into_iter()
            .map(|(name, text)| OutputFile {
                path: format!("{}/{name}.ts", self.package.name),
                contents: format!("{header}{}", layout::laid_out(&text)),
            })
            .collect()
    }

    fn imports(self) -> Imports {
        Imports::default()
    }
}
