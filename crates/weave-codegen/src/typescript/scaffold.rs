//! Skeletons: a module a package with what implements its tools and finds what its prompts need, a handler, and a server for Node.

use serde_json::json;
use weave_ir::package::{About, Package};

use super::imports::{comment, implemented};
use super::layout::laid_out;
use super::literal::text;
use super::names::{key, member, names, scope};
use super::{Module, SHARED};
use crate::program::Program;
use crate::scaffold::{
    Implementation, Import, Interfaces, Method, Place, Served, Skeleton, TemplateError, Templates, are_apart, entry, skeleton, unhydrated,
};
use crate::scope::Scope;
use crate::text::camel;
use crate::tools::{Role, role};

/// The templates.
pub(crate) const TEMPLATES: &[(&str, &str)] = &[
    ("handler.ts", include_str!("templates/handler.ts")),
    ("method.ts", include_str!("templates/method.ts")),
    ("server.ts", include_str!("templates/server.ts")),
    ("service.ts", include_str!("templates/service.ts")),
    ("type.ts", include_str!("templates/type.ts")),
];

/// The templates that make the file of a package.
const SERVICE: [&str; 3] = ["service.ts", "type.ts", "method.ts"];

pub(crate) fn scaffold(packages: &[Package], place: &Place, templates: &Templates) -> Result<Vec<Skeleton>, TemplateError> {
    let program = Program::new(packages, "never", names);
    let root = &place.import_path;
    let (mut skeletons, mut served) = (Vec::new(), Vec::new());
    let mut taken = scope();
    // What the handler uses by these names, and the modules that lie beside it.
    let mut modules = scope();
    for name in ["fetchHandler", "fetchHandlers", "handler", "application", "console"] {
        taken.claim(name);
    }
    for name in ["handler", "server"] {
        modules.claim(name);
    }
    for package in packages {
        let found = Interfaces::default();
        let module = Module { program: &program, package, found: &found };
        // What is asked for is named where it is written.
        _ = module.tools();
        _ = module.prompts();
        let (service, hydrators) = (module.implemented_tools(&mut taken), module.implemented_hydrators(&mut taken));
        let all: Vec<Implementation> = service.iter().cloned().chain(hydrators).collect();
        if all.is_empty() {
            continue;
        }
        let import = |it: &Implementation| {
            let module = if it.told.contains(".tools.") { "tools" } else { "prompts" };
            let line = format!("import type {{ {} }} from {};", it.interface, text(&format!("{root}/{}/{module}.js", package.name)));
            Import { name: it.interface.clone(), text: line }
        };
        let imports: Vec<Import> = all.iter().map(import).collect();
        let head = imports.iter().map(|import| format!("{}\n", import.text)).collect::<String>();
        let name = modules.claim(&package.name);
        let facts = json!({ "source": package.source, "head": head.trim_end() });
        let skeleton = skeleton(templates, format!("{name}.ts"), "ts", facts, &all)?;
        skeletons.push(Skeleton { imports, ..skeleton });
        if let (Some(service), Some((_, function))) = (service, found.service.get()) {
            let alias = taken.claim(&format!("{}Tools", camel(&package.name)));
            let generated = format!("import * as {alias} from {};", text(&format!("{root}/{}/tools.js", package.name)));
            let own = format!("import {{ {} }} from {};", service.name, text(&format!("./{name}.js")));
            let tools = format!("{alias}.{function}({})", service.name);
            let path = text(&format!("/{}", package.name));
            served.push(Served { name: service.name, tools, path, generated, own });
        }
    }
    if !served.is_empty() {
        let facts = json!({ "shared": text(&format!("{root}/{SHARED}/index.js")), "apart": are_apart(packages) });
        skeletons.push(entry(templates, "handler.ts", facts, &served)?);
        let contents = templates.render("server.ts", &json!({}))?;
        skeletons.push(Skeleton { path: "server.ts".to_owned(), contents, parts: Vec::new(), imports: Vec::new() });
    }
    for skeleton in &mut skeletons {
        // What somebody has written a template for is laid out as that says.
        let sources: &[&str] = if matches!(&*skeleton.path, "handler.ts" | "server.ts") { &[&skeleton.path] } else { &SERVICE };
        if !templates.are_replaced(sources) {
            skeleton.contents = laid_out(&skeleton.contents);
        }
    }
    Ok(skeletons)
}

impl Module<'_> {
    /// What implements the tools, if there are some.
    fn implemented_tools(self, taken: &mut Scope) -> Option<Implementation> {
        let (interface, _) = self.found.service.get()?;
        let tools = self.package.tools.iter().filter(|tool| role(tool) == Role::Implemented);
        let methods: Vec<Method> = tools
            .map(|tool| {
                method(&member(&tool.names, &tool.name), &tool.name, &tool.about, &format!("the tool {} is not implemented", tool.name))
            })
            .collect();
        let said = format!("Implements the tools of `{}`. Each is given its input and the context of the call.", self.package.source);
        (!methods.is_empty()).then(|| self.implementation("Service", ".tools", &said, interface, taken, methods))
    }

    /// What finds what prompts need, if they need something.
    fn implemented_hydrators(self, taken: &mut Scope) -> Option<Implementation> {
        let interface = self.found.hydrators.get()?;
        let hydrated = self.package.prompts.iter().filter(|prompt| prompt.hydrates.is_some());
        let methods =
            hydrated.map(|prompt| method(&prompt.names.typescript, &prompt.name, &prompt.about, &unhydrated(&prompt.name))).collect();
        let said = format!("Finds what the prompts of `{}` need. Each is given its input and a signal.", self.package.source);
        Some(self.implementation("Hydrators", ".prompts", &said, interface, taken, methods))
    }

    fn implementation(
        self,
        suffix: &str,
        module: &str,
        said: &str,
        interface: &str,
        taken: &mut Scope,
        methods: Vec<Method>,
    ) -> Implementation {
        Implementation {
            name: taken.claim(&format!("{}{suffix}", camel(&self.package.name))),
            interface: interface.to_owned(),
            told: format!("{}{module}.{interface}", self.package.name),
            docs: comment(Some(said), None, ""),
            methods,
        }
    }
}

fn method(name: &str, wire: &str, about: &About, said: &str) -> Method {
    Method {
        name: name.to_owned(),
        wire: wire.to_owned(),
        docs: implemented(about),
        signature: key(name),
        body: format!("throw new Error({});", text(said)),
    }
}
