//! What implements toolkits: an interface each, and the tools that are made of it.

use std::fmt::Write as _;

use weave_ir::package::{PackageTool, ServiceEntry};

use super::Module;
use super::imports::{Imports, comment};
use super::literal::text;
use super::names::{identifier, key, member};
use super::tools::Named;
use crate::scope::Scope;
use crate::text::{described, quoted};
use crate::tools::{Role, all_tools, labelled, role};

/// What becomes a service.
struct Service {
    /// What the interface is called.
    interface: String,
    /// What the function is called that makes the tools.
    function: String,
    docs: String,
    entries: Vec<ServiceEntry>,
    middleware: Vec<String>,
}

impl Module<'_> {
    pub(super) fn services(self, scope: &mut Scope, imports: &mut Imports, out: &mut String) {
        for toolkit in &self.package.toolkits {
            let service = Service {
                interface: format!("{}Service", identifier(&toolkit.type_names.typescript)),
                function: scope.claim(&format!("{}Tools", toolkit.names.typescript)),
                docs: described(&format!("What implements the toolkit `{}`.", toolkit.name), toolkit.about.description.as_deref()),
                entries: toolkit.tools.clone(),
                middleware: toolkit.middleware.clone(),
            };
            self.service(&service, imports, out);
        }
        let all = Service {
            interface: "Service".to_owned(),
            function: scope.claim("allTools"),
            docs: "What implements all tools of this package.".to_owned(),
            entries: all_tools(self.package),
            middleware: Vec::new(),
        };
        _ = self.found.service.set((all.interface.clone(), all.function.clone()));
        self.service(&all, imports, out);
    }

    fn service(self, service: &Service, imports: &mut Imports, out: &mut String) {
        let entries: Vec<(&ServiceEntry, &str, &PackageTool)> = service
            .entries
            .iter()
            .filter_map(|entry| self.program.tool(&self.package.name, &entry.tool).map(|(name, tool)| (entry, name, tool)))
            .filter(|(_, _, tool)| role(tool) == Role::Implemented)
            .collect();
        if entries.is_empty() {
            return;
        }
        let shared = imports.shared();
        // A parameter would hide a constant of the module that has its name.
        let [given, overrides] = ["service", "overrides"].map(|wanted| {
            let mut name = wanted.to_owned();
            while entries.iter().any(|(_, constant, _)| **constant == name) {
                name.push('_');
            }
            name
        });
        let label = text(&labelled(self.package, &service.interface));
        let mut methods = String::new();
        let mut bound = String::new();
        for (entry, constant, tool) in entries {
            let home = entry.tool.package.as_deref();
            let module = home.map(|package| format!("{}.", imports.values(Some(package), "tools"))).unwrap_or_default();
            let named = Named { constant, module };
            imports.uses(&tool.about);
            methods.push_str(&self.method(tool, &named, home, imports));
            let method = access(&key(&member(&tool.names, &tool.name)));
            let offered = entry.offered.iter().map(|name| text(name)).collect::<Vec<_>>().join(", ");
            let Named { constant, module } = named;
            let chosen =
                format!("{overrides}{method} === undefined ? {given}{method}(input, context) : {overrides}{method}(input, context)");
            _ = writeln!(bound, "    {shared}.bind({module}{constant}, (input, context) => ({chosen}), [{offered}], {label}),");
        }
        let Service { interface, function, docs, middleware, .. } = service;
        let mut notes = docs.clone();
        if !middleware.is_empty() {
            _ = write!(notes, "\n\nIts calls go through the middleware {}, the first one outermost.", quoted(middleware));
        }
        _ = writeln!(out, "{}export interface {interface} {{\n{methods}}}\n", comment(Some(&notes), None, ""));
        let made = format!("The tools of `{interface}`, each with its implementation. Entries in `{overrides}` replace methods.");
        _ = writeln!(
            out,
            "{}export function {function}({given}: {interface}, {overrides}: {shared}.Some<{interface}> = {{}}): readonly {shared}.BoundTool[] {{\n  return [\n{bound}  ];\n}}\n",
            comment(Some(&made), None, ""),
        );
    }
}

/// How a property is read.
fn access(key: &str) -> String {
    if key.starts_with('"') { format!("[{key}]") } else { format!(".{key}") }
}
