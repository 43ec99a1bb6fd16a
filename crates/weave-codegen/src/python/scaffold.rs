//! Skeletons: a module a package with what implements its tools and finds what its prompts need, and an application of ASGI.

use serde_json::json;
use weave_ir::package::Package;

use super::imports::Imports;
use super::layout::{Code, import_line};
use super::literal::{docstring, text};
use super::names::{folder, names, scope};
use super::services::Signature;
use super::{Module, circles_of};
use crate::program::Program;
use crate::scaffold::{
    Implementation, Interfaces, Method, Place, Served, Skeleton, TemplateError, Templates, are_apart, entry, from_outside, skeleton,
    unhydrated,
};
use crate::scope::Scope;
use crate::text::pascal;
use crate::tools::{Role, role};

/// The templates.
pub(crate) const TEMPLATES: &[(&str, &str)] = &[
    ("__init__.py", include_str!("templates/__init__.py")),
    ("method.py", include_str!("templates/method.py")),
    ("server.py", include_str!("templates/server.py")),
    ("service.py", include_str!("templates/service.py")),
    ("type.py", include_str!("templates/type.py")),
];

pub(crate) fn scaffold(packages: &[Package], place: &Place, templates: &Templates) -> Result<Vec<Skeleton>, TemplateError> {
    let program = Program::new(packages, "object", names);
    let circles = circles_of(packages);
    let nothing = Default::default();
    // Seen from a package that is none of ours, all types have the names of their packages before them.
    let outside = Package::default();
    let (mut skeletons, mut served) = (Vec::new(), Vec::new());
    let mut taken = scope();
    let mut modules = scope();
    modules.claim("server");
    let apart = are_apart(packages);
    for package in packages {
        let found = Interfaces::default();
        let own = Module { program: &program, package, circles: &circles, taken: &nothing, found: &found };
        // What is asked for is named where it is written.
        _ = own.tools();
        _ = own.prompts();
        let module = Module { package: &outside, ..own };
        let mut imports = Imports::outside(&place.import_path);
        let service = module.implemented_tools(package, &mut imports, &mut taken);
        let hydrators = module.implemented_hydrators(package, &mut imports, &mut taken);
        let all: Vec<Implementation> = service.iter().cloned().chain(hydrators).collect();
        if all.is_empty() {
            continue;
        }
        let name = modules.claim(&package.name);
        let facts = json!({ "source": one_line(&package.source), "head": imports.top().trim_end() });
        let skeleton = skeleton(templates, format!("{name}.py"), "py", facts, &all)?;
        skeletons.push(Skeleton { imports: imports.all(), ..skeleton });
        if let (Some(service), Some((_, function))) = (service, found.service.get()) {
            let folder = folder(&package.name);
            let generated = import_line(&format!("{}.{folder}", place.import_path), &format!("tools as {}_tools", package.name), 0);
            let call = Code::call(format!("{}_tools.{function}", package.name), vec![Code::text(format!("{}()", service.name))]);
            let path = text(&format!("/{}", package.name));
            // It stands in a list or in a dictionary, behind a star or its key and before a comma.
            let tools = call.lines(4, if apart { path.len() + 6 } else { 5 }, 1);
            let own = import_line(&format!(".{name}"), &service.name, 0);
            served.push(Served { name: service.name, tools, path, generated, own });
        }
    }
    if !skeletons.is_empty() {
        let contents = templates.render("__init__.py", &json!({}))?;
        skeletons.push(Skeleton { path: "__init__.py".to_owned(), contents, parts: Vec::new(), imports: Vec::new() });
    }
    if !served.is_empty() {
        let package = place.package.clone().unwrap_or_else(|| place.folder.clone());
        skeletons.push(entry(
            templates,
            "server.py",
            json!({ "package": one_line(&package), "apart": apart, "root": place.import_path }),
            &served,
        )?);
    }
    Ok(skeletons)
}

/// A text that ends no docstring.
fn one_line(text: &str) -> String {
    text.replace(['"', '\\'], "'").chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}

impl Module<'_> {
    /// What implements the tools of a package, if there are some.
    fn implemented_tools(self, package: &Package, imports: &mut Imports, taken: &mut Scope) -> Option<Implementation> {
        let (interface, _) = self.found.service.get()?;
        let mut names = scope();
        let mut methods = Vec::new();
        for tool in package.tools.iter().filter(|tool| role(tool) == Role::Implemented) {
            let name = names.claim(&tool.names.python);
            let Signature { signature, output, .. } = self.signature(tool, Some(&package.name), &name, imports);
            let said = text(&format!("the tool {} is not implemented", tool.name));
            methods.push(method(name, &tool.name, (&signature, &output), &tool.about, &said));
        }
        (!methods.is_empty()).then(|| implementation(package, "Service", "What implements the tools.", interface, taken, methods))
    }

    /// What finds what the prompts of a package need, if they need something.
    fn implemented_hydrators(self, package: &Package, imports: &mut Imports, taken: &mut Scope) -> Option<Implementation> {
        let interface = self.found.hydrators.get()?;
        let mut names = scope();
        let mut methods = Vec::new();
        for prompt in &package.prompts {
            let Some(hydrates) = &prompt.hydrates else { continue };
            let name = names.claim(&prompt.names.python);
            let [input, found] = [&prompt.input, hydrates].map(|ty| self.ty(&from_outside(ty, &package.name), imports));
            let parameters = vec![Code::text("self"), input.around("input: ", ""), Code::text("/")];
            let signature = Code::call(format!("async def {name}"), parameters);
            methods.push(method(name, &prompt.name, (&signature, &found), &prompt.about, &text(&unhydrated(&prompt.name))));
        }
        Some(implementation(package, "Hydrators", "What finds what prompts need at run time.", interface, taken, methods))
    }
}

fn implementation(package: &Package, suffix: &str, said: &str, interface: &str, taken: &mut Scope, methods: Vec<Method>) -> Implementation {
    let module = if suffix == "Service" { "tools" } else { "prompts" };
    Implementation {
        name: taken.claim(&format!("{}{suffix}", pascal(&package.name))),
        interface: interface.to_owned(),
        told: format!("{}.{module}.{interface}", folder(&package.name)),
        docs: docstring(Some(said), None, 4).trim_end().to_owned(),
        methods,
    }
}

fn method(name: String, wire: &str, (signature, output): (&Code, &Code), about: &weave_ir::package::About, said: &str) -> Method {
    let error = Code::call("NotImplementedError", vec![Code::text(said)]);
    Method {
        name,
        wire: wire.to_owned(),
        docs: docstring(about.description.as_deref(), about.deprecated.as_deref(), 8),
        signature: signature.statement(4, "", &format!(" -> {}:", output.flat())),
        body: error.statement(8, "raise ", "").trim_end().to_owned(),
    }
}
