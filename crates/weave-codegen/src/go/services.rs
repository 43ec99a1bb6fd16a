//! What implements toolkits: an interface each, and the tools that are made of it.

use std::fmt::Write as _;

use weave_ir::package::{About, PackageTool, ServiceEntry};

use super::Module;
use super::names::{called, identifier, methods};
use super::text::{Imports, comment, text};
use super::tools::Signature;
use crate::scope::Scope;
use crate::text::{described, quoted};
use crate::tools::{Role, all_tools, labelled, role, seen_from};

/// What becomes a service.
struct Service {
    /// What the interface is called.
    interface: String,
    /// What the functions are called that make the tools and the handler, and the base without implementations.
    tools: String,
    handler: String,
    base: String,
    docs: String,
    entries: Vec<ServiceEntry>,
    middleware: Vec<String>,
}

/// A method of a service.
pub(super) struct Method {
    pub(super) name: String,
    pub(super) about: About,
    pub(super) signature: Signature,
    bind: String,
    offered: Vec<String>,
    pub(super) tool: String,
}

impl Module<'_> {
    pub(super) fn services(self, scope: &mut Scope, imports: &mut Imports<'_>, out: &mut String) {
        for toolkit in &self.package.toolkits {
            let name = identifier(called(&toolkit.type_names, &toolkit.name));
            let service = Service {
                // Its name is kept for it, so nothing else has it.
                interface: format!("{name}Service"),
                tools: scope.claim(&format!("{name}Tools")),
                handler: scope.claim(&format!("New{name}Handler")),
                base: scope.claim(&format!("Unimplemented{name}Service")),
                docs: described(
                    &format!("{name}Service is what implements the toolkit `{}`.", toolkit.name),
                    toolkit.about.description.as_deref(),
                ),
                entries: toolkit.tools.clone(),
                middleware: toolkit.middleware.clone(),
            };
            self.service(&service, imports, out);
        }
        let interface = scope.claim("Service");
        let all = Service {
            docs: format!("{interface} is what implements all tools of this package."),
            interface,
            tools: scope.claim("AllTools"),
            handler: scope.claim("NewHandler"),
            base: scope.claim("UnimplementedService"),
            entries: all_tools(self.package),
            middleware: Vec::new(),
        };
        _ = self.found.service.set((all.interface.clone(), all.tools.clone()));
        self.service(&all, imports, out);
    }

    fn method(self, entry: &ServiceEntry, tool: &PackageTool, scope: &mut Scope, imports: &mut Imports<'_>) -> Method {
        let home = entry.tool.package.as_deref();
        let names = self.tool_names(home, &tool.name);
        let seen = seen_from(self.package, tool, home);
        Method {
            name: scope.claim(&names.method),
            about: tool.about.clone(),
            signature: self.signature(&seen, &names, home, imports),
            bind: names.bind,
            offered: entry.offered.clone(),
            tool: tool.name.clone(),
        }
    }

    /// The methods of the service that has these entries.
    pub(super) fn methods(self, entries: &[ServiceEntry], imports: &mut Imports<'_>) -> Vec<Method> {
        let mut names = methods();
        let known = entries.iter().filter_map(|entry| self.program.tool(&self.package.name, &entry.tool).map(|(_, tool)| (entry, tool)));
        let implemented = known.filter(|(_, tool)| role(tool) == Role::Implemented);
        implemented.map(|(entry, tool)| self.method(entry, tool, &mut names, imports)).collect()
    }

    fn service(self, service: &Service, imports: &mut Imports<'_>, out: &mut String) {
        let methods = self.methods(&service.entries, imports);
        if methods.is_empty() {
            return;
        }
        let shared = imports.shared();
        let http = imports.standard("net/http");
        let Service { interface, tools, handler, base, docs, middleware, .. } = service;
        let mut notes = docs.clone();
        if !middleware.is_empty() {
            _ = write!(notes, "\n\nIts calls go through the middleware {}, the first one outermost.", quoted(middleware));
        }
        let line = |method: &Method| {
            let docs = comment(method.about.description.as_deref(), method.about.deprecated.as_deref(), "\t");
            format!("{docs}\t{}{}\n", method.name, method.signature.full)
        };
        let lines: Vec<String> = methods.iter().map(line).collect();
        _ = writeln!(out, "{}type {interface} interface {{\n{}}}\n", comment(Some(&notes), None, ""), lines.join("\n"));
        _ = writeln!(out, "// {base} implements no tool; a service that has it in it need not implement all.\ntype {base} struct{{}}\n");
        let label = text(&labelled(self.package, interface));
        let mut bound = String::new();
        for method in &methods {
            let Method { name, signature, bind, offered, tool, .. } = method;
            let wire = text(tool);
            let result = if signature.has_output { "out, " } else { "" };
            _ = writeln!(
                out,
                "// {name} says that nothing implements it.\nfunc ({base}) {name}{} {{\n\treturn {result}{shared}.Unimplemented({wire})\n}}\n",
                signature.bare,
            );
            let offered = offered.iter().map(|name| text(name)).collect::<Vec<_>>().join(", ");
            _ = writeln!(bound, "\t\t{}{bind}(service.{name}).OfferedAs({offered}).Of({label}),", signature.from);
        }
        _ = writeln!(
            out,
            "// {tools} are the tools of a [{interface}], each with its implementation.\nfunc {tools}(service {interface}) []{shared}.BoundTool {{\n\treturn []{shared}.BoundTool{{\n{bound}\t}}\n}}\n\n\
             // {handler} serves the tools of a [{interface}] over HTTP.\nfunc {handler}(service {interface}, options ...{shared}.Option) {http}.Handler {{\n\treturn {shared}.Handler({tools}(service), options...)\n}}\n"
        );
    }
}
