//! What implements toolkits: a protocol each, and the tools that are made of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use weave_ir::package::{PackageTool, ServiceEntry};

use super::Module;
use super::imports::Imports;
use super::layout::{Code, class};
use super::literal::{docstring, text};
use super::names::{identifier, scope};
use super::parts::body;
use crate::scope::Scope;
use crate::text::{described, quoted};
use crate::tools::{Role, all_tools, labelled, role, seen_from};

/// What becomes a service.
struct Service {
    /// What the protocol is called.
    protocol: String,
    /// What the function is called that makes the tools.
    function: String,
    docs: String,
    entries: Vec<ServiceEntry>,
    middleware: Vec<String>,
}

/// How the implementation of a tool is written.
pub(super) struct Signature {
    /// `async def refund(self, input: RefundInput, context: ToolContext[Never, Never], /)`
    pub(super) signature: Code,
    input: Code,
    context: Code,
    pub(super) output: Code,
}

impl Module<'_> {
    pub(super) fn services(self, scope: &mut Scope, imports: &mut Imports, out: &mut String) {
        for toolkit in &self.package.toolkits {
            let service = Service {
                protocol: scope.claim(&format!("{}Service", identifier(&toolkit.type_names.python))),
                function: scope.claim(&format!("{}_tools", toolkit.names.python)),
                docs: described(&format!("What implements the toolkit `{}`.", toolkit.name), toolkit.about.description.as_deref()),
                entries: toolkit.tools.clone(),
                middleware: toolkit.middleware.clone(),
            };
            self.service(&service, scope, imports, out);
        }
        let all = Service {
            protocol: scope.claim("Service"),
            function: scope.claim("all_tools"),
            docs: "What implements all tools of this package.".to_owned(),
            entries: all_tools(self.package),
            middleware: Vec::new(),
        };
        _ = self.found.service.set((all.protocol.clone(), all.function.clone()));
        self.service(&all, scope, imports, out);
    }

    fn service(self, service: &Service, names: &mut Scope, imports: &mut Imports, out: &mut String) {
        let entries: Vec<(&ServiceEntry, &str, &PackageTool)> = service
            .entries
            .iter()
            .filter_map(|entry| self.program.tool(&self.package.name, &entry.tool).map(|(name, tool)| (entry, name, tool)))
            .filter(|(_, _, tool)| role(tool) == Role::Implemented)
            .collect();
        if entries.is_empty() {
            return;
        }
        let Service { protocol, function, docs, middleware, .. } = service;
        let label = text(&labelled(self.package, protocol));
        let chosen = names.claim(&format!("{protocol}Overrides"));
        let [mut methods, mut overrides] = [const { String::new() }; 2];
        let mut bound = Vec::new();
        let mut method_names = scope();
        let mut known: BTreeMap<(&str, Option<&str>), String> = BTreeMap::new();
        for (entry, constant, tool) in entries {
            let home = entry.tool.package.as_deref();
            // The same tool under two names is one method.
            let method = known.entry((tool.name.as_str(), home)).or_insert_with(|| {
                let method = method_names.claim(&tool.names.python);
                self.method(tool, home, &method, imports, (&mut methods, &mut overrides));
                method
            });
            let constant = match home {
                None => constant.to_owned(),
                home => imports.of(home, "tools", constant),
            };
            let offered = Code::tuple(entry.offered.iter().map(|name| Code::text(text(name))).collect());
            let implementation = vec![Code::text("overrides"), Code::text(text(method)), Code::text(format!("service.{method}"))];
            let arguments = vec![Code::text(constant), Code::call(imports.shared("chosen"), implementation), offered, Code::text(&label)];
            bound.push(Code::call(imports.shared("BoundTool"), arguments));
        }
        let mut notes = docs.clone();
        if !middleware.is_empty() {
            _ = write!(notes, "\n\nIts calls go through the middleware {}, the first one outermost.", quoted(middleware));
        }
        let (base, dictionary) = (imports.typing("Protocol"), imports.typing("TypedDict"));
        let parameters = vec![
            Code::text(format!("service: {protocol}")),
            Code::Either(vec![Code::text(&chosen), Code::text("None")]).around("overrides: ", " = None"),
        ];
        let signature = Code::call(format!("def {function}"), parameters);
        let made = format!("The tools of `{protocol}`, each with its implementation.\n\nEntries in `overrides` replace methods.");
        _ = write!(
            out,
            "\n\n{}{}{methods}\n\n{}    \
             \"\"\"What is called in the place of methods, for tests.\"\"\"\n\n{overrides}\n\n{}{}{}",
            class(protocol, &[base]),
            docstring(Some(&notes), None, 4),
            class(&chosen, &[dictionary, "total=False"]),
            signature.statement(0, "", &format!(" -> list[{}]:", imports.shared("BoundTool"))),
            docstring(Some(&made), None, 4),
            Code::list(bound).statement(4, "return ", ""),
        );
    }

    /// The method that implements a tool, as an own or another package declares it, and what may stand in its place.
    fn method(
        self,
        tool: &PackageTool,
        home: Option<&str>,
        name: &str,
        imports: &mut Imports,
        (methods, overrides): (&mut String, &mut String),
    ) {
        let Signature { signature, input, context, output } = self.signature(tool, home, name, imports);
        let docs = (tool.about.description.as_deref(), tool.about.deprecated.as_deref());
        _ = write!(methods, "\n{}", body(&signature, &output, docs, 4));
        let (callable, awaitable) = (imports.name("collections.abc", "Callable"), imports.name("collections.abc", "Awaitable"));
        let function = Code::index(callable, vec![Code::list(vec![input, context]), Code::index(awaitable, vec![output])]);
        overrides.push_str(&function.statement(4, &format!("{name}: "), ""));
    }

    /// How the implementation of a tool is written.
    pub(super) fn signature(self, tool: &PackageTool, home: Option<&str>, name: &str, imports: &mut Imports) -> Signature {
        let seen = seen_from(self.package, tool, home);
        let deferred = tool.descriptor.deferred.is_some();
        let kind = imports.shared(if deferred { "DeferredContext" } else { "ToolContext" });
        let context = Code::index(kind, self.streamed(&seen, imports).to_vec());
        let input = self.ty(&seen.input, imports);
        let mut output = seen.output.as_ref().map_or_else(|| Code::text("None"), |output| self.ty(output, imports));
        if deferred {
            output = Code::Either(vec![output, Code::text(imports.shared("Pending"))]);
        }
        let parameters =
            vec![Code::text("self"), input.clone().around("input: ", ""), context.clone().around("context: ", ""), Code::text("/")];
        Signature { signature: Code::call(format!("async def {name}"), parameters), input, context, output }
    }
}
