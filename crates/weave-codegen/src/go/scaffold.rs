//! Skeletons: a file a package with what implements its tools and finds what its prompts need, and a server.

use serde_json::json;
use weave_ir::package::{Package, ServiceEntry, ToolUse};

use super::names::called;
use super::text::{Imports, comment, text};
use super::{Module, names};
use crate::program::Program;
use crate::scaffold::{
    Implementation, Interfaces, Method, Place, Served, Skeleton, TemplateError, Templates, are_apart, entry, from_outside, skeleton,
    unhydrated,
};
use crate::scope::Scope;
use crate::text::one_line;
use crate::tools::all_tools;

/// The templates.
pub(crate) const TEMPLATES: &[(&str, &str)] = &[
    ("main.go", include_str!("templates/main.go")),
    ("method.go", include_str!("templates/method.go")),
    ("service.go", include_str!("templates/service.go")),
    ("type.go", include_str!("templates/type.go")),
];

/// What the server uses by these names, so that it imports no package under them.
const IN_MAIN: [&str; 12] = ["address", "err", "handler", "listener", "log", "mux", "net", "os", "server", "slices", "told", "tools"];

pub(crate) fn scaffold(packages: &[Package], place: &Place, templates: &Templates) -> Result<Vec<Skeleton>, TemplateError> {
    let program = Program::new(packages, "any", names::names);
    let known = names::packages(packages);
    // Seen from a package that is none of ours, all types have the names of their packages before them.
    let outside = Package::default();
    let mut written: Vec<(&Package, Vec<Implementation>, Imports<'_>)> = Vec::new();
    let mut served = Vec::new();
    let mut shared = Imports::new(&place.import_path);
    let mut taken = names::scope();
    let found: Vec<Interfaces> = packages.iter().map(|_| Interfaces::default()).collect();
    for (package, found) in packages.iter().zip(&found) {
        let Some(names) = known.get(&package.name) else { continue };
        let module = Module { program: &program, packages: &known, package, names, import_path: &place.import_path, found };
        // What is asked for is named where it is written.
        _ = module.files();
        let module = Module { package: &outside, ..module };
        let mut imports = module.imports();
        let service = module.implemented_tools(package, &mut imports, &mut taken);
        let hydrators = module.implemented_hydrators(package, &mut imports, &mut taken);
        if let (Some(service), Some((_, function))) = (&service, found.service.get()) {
            let mut alias = names.alias.clone();
            while IN_MAIN.contains(&alias.as_str()) {
                alias.push_str("pkg");
            }
            shared.package(&names.folder, &alias);
            let tools = format!("{alias}.{function}(&{}{{}})", service.name);
            let path = text(&format!("/{}", package.name));
            served.push(Served {
                name: service.name.clone(),
                tools,
                path,
                generated: shared.line(&names.folder, &alias),
                own: String::new(),
            });
        }
        let all: Vec<Implementation> = service.into_iter().chain(hydrators).collect();
        if !all.is_empty() {
            written.push((package, all, imports));
        }
    }
    // Without a server there is no command.
    let plain: String = place.folder.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let library = if plain.starts_with(|first: char| first.is_ascii_alphabetic()) { names::folder(&plain) } else { "service".to_owned() };
    let name = place.package.clone().unwrap_or(if served.is_empty() { library } else { "main".to_owned() });
    let mut skeletons = Vec::new();
    for (package, all, imports) in &written {
        let path = format!("{}.go", known.get(&package.name).map_or("", |names| names.folder.as_str()));
        let facts = json!({ "package": name, "source": package.source, "head": imports.before(&name, "").trim_end() });
        let skeleton = skeleton(templates, path, "go", facts, all)?;
        skeletons.push(Skeleton { imports: imports.all(), ..skeleton });
    }
    if name == "main" && !served.is_empty() {
        for path in ["log", "net", "net/http", "os", "time"] {
            shared.standard(path);
        }
        let apart = are_apart(packages);
        if !apart {
            shared.standard("slices");
        }
        shared.shared();
        let facts = json!({ "folder": one_line(&place.folder), "apart": apart, "head": shared.before(&name, "").trim_end() });
        skeletons.push(entry(templates, "main.go", facts, &served)?);
    }
    Ok(skeletons)
}

impl Module<'_> {
    /// What implements the tools of a package, if there are some.
    fn implemented_tools(self, package: &Package, imports: &mut Imports<'_>, taken: &mut Scope) -> Option<Implementation> {
        let (interface, _) = self.found.service.get()?;
        let home = Some(package.name.clone());
        let seen = |entry: ServiceEntry| ServiceEntry { tool: ToolUse { package: home.clone(), name: entry.tool.name }, ..entry };
        let entries: Vec<ServiceEntry> = all_tools(package).into_iter().map(seen).collect();
        let methods = self.methods(&entries, imports);
        if methods.is_empty() {
            return None;
        }
        let shared = imports.shared();
        let method = |it: super::services::Method| Method {
            docs: comment(it.about.description.as_deref(), it.about.deprecated.as_deref(), ""),
            signature: it.signature.named,
            body: format!("return {}{shared}.Unimplemented({})", if it.signature.has_output { "out, " } else { "" }, text(&it.tool)),
            name: it.name,
            wire: it.tool,
        };
        let methods = methods.into_iter().map(method).collect();
        let from = self.from(Some(&package.name), imports);
        let name = taken.claim(&format!("{}Service", names::identifier(&self.names.folder)));
        Some(Implementation {
            docs: comment(Some(&format!("{name} implements the tools of `{}`.", package.source)), None, ""),
            interface: format!("{from}{interface}"),
            told: format!("{from}{interface}"),
            name,
            methods,
        })
    }

    /// What finds what the prompts of a package need, if they need something.
    fn implemented_hydrators(self, package: &Package, imports: &mut Imports<'_>, taken: &mut Scope) -> Option<Implementation> {
        let interface = self.found.hydrators.get()?;
        let mut scope = names::methods();
        let mut methods = Vec::new();
        for prompt in &package.prompts {
            let Some(hydrates) = &prompt.hydrates else { continue };
            let context = imports.standard("context");
            let shared = imports.shared();
            let [input, found] = [&prompt.input, hydrates].map(|ty| self.reference(&from_outside(ty, &package.name), imports));
            let docs = comment(prompt.about.description.as_deref(), prompt.about.deprecated.as_deref(), "");
            methods.push(Method {
                name: scope.claim(called(&prompt.names, &prompt.name)),
                wire: prompt.name.clone(),
                docs,
                signature: format!("(ctx {context}.Context, in {input}) (out {found}, err error)"),
                body: format!("return out, {shared}.NewFailure({shared}.ExecutionError, {})", text(&unhydrated(&prompt.name))),
            });
        }
        let from = self.from(Some(&package.name), imports);
        let name = taken.claim(&format!("{}Hydrators", names::identifier(&self.names.folder)));
        Some(Implementation {
            docs: comment(Some(&format!("{name} finds what the prompts of `{}` need at run time.", package.source)), None, ""),
            interface: format!("{from}{interface}"),
            told: format!("{from}{interface}"),
            name,
            methods,
        })
    }
}
