//! `tools.go`: tools and what binds them to their implementations, and the calls that nobody executes.

use std::fmt::Write as _;

use weave_ir::package::{Failure, PackageTool, TypeReference};
use weave_ir::{Segment, Template, TemplatePart};

use super::Module;
use super::names::ToolNames;
use super::text::{Imports, comment, function, json, text};
use crate::scope::Scope;
use crate::tools::{Role, role, said, schemas};

/// How a tool's implementation is written, seen from one package.
pub(super) struct Signature {
    /// `(ctx context.Context, in RefundInput) (RefundOutput, error)`
    pub(super) full: String,
    /// The same without names of parameters, and with names of results if there is one beside the error.
    pub(super) bare: String,
    /// `(ctx context.Context, in RefundInput) (out RefundOutput, err error)`
    pub(super) named: String,
    /// What stands before the names of the package that declares the tool.
    pub(super) from: String,
    pub(super) has_output: bool,
}

impl Module<'_> {
    pub(super) fn tool_names(self, package: Option<&str>, tool: &str) -> ToolNames {
        let package = self.packages.get(package.unwrap_or(&self.package.name));
        package.and_then(|package| package.tools.get(tool)).cloned().unwrap_or_default()
    }

    pub(super) fn tools(self, scope: &mut Scope) -> Option<String> {
        if self.package.tools.is_empty() && self.package.toolkits.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let mut out = String::new();
        for tool in &self.package.tools {
            self.tool(tool, &mut imports, &mut out);
        }
        self.decoded(Role::Signal, scope, &mut imports, &mut out);
        self.decoded(Role::Interaction, scope, &mut imports, &mut out);
        self.services(scope, &mut imports, &mut out);
        (!out.is_empty()).then(|| imports.before(&self.names.folder, &out))
    }

    fn tool(self, tool: &PackageTool, imports: &mut Imports<'_>, out: &mut String) {
        let names = self.tool_names(None, &tool.name);
        let constant = &names.constant;
        let said = json(&said(tool));
        let docs = comment(tool.about.description.as_deref(), tool.about.deprecated.as_deref(), "");
        let role = role(tool);
        if role == Role::Described {
            let docs = if docs.is_empty() { format!("// {constant} is what is known about the tool.\n") } else { docs };
            let made = self.with_schemas(format!("{}.NewDescription({}, {said})", imports.shared(), text(&tool.name)), tool, &[], imports);
            _ = writeln!(out, "{docs}var {constant} = {made}\n");
            return;
        }
        let docs = if docs.is_empty() { format!("// {constant} is the tool.\n") } else { docs };
        let shared = imports.shared();
        let input = self.codec(&tool.input, imports);
        let output = tool.output.as_ref().map_or_else(|| format!("{shared}.NothingCodec"), |output| self.codec(output, imports));
        let wire = text(&tool.name);
        if role != Role::Implemented {
            let made = format!("{shared}.NewCall({wire}, {said}, {input}, {output})");
            _ = writeln!(out, "{docs}var {constant} = {}\n", self.with_schemas(made, tool, &["input", "output"], imports));
            return;
        }
        let made = format!("{shared}.NewTool({wire}, {said}, {input}, {output})");
        let mut made = self.with_schemas(made, tool, &["input", "output"], imports);
        let codes: Vec<String> = tool
            .fails
            .iter()
            .map(|failure| match failure {
                Failure::Error(reference) => text(&reference.name),
                Failure::Kind(kind) => text(kind),
            })
            .collect();
        if !codes.is_empty() {
            _ = write!(made, ".Fails({})", codes.join(", "));
        }
        if tool.descriptor.deferred.is_some() {
            made.push_str(".Deferred()");
        }
        if let Some(action) = &tool.action {
            _ = write!(made, ".Saying({})", template(action, shared));
        }
        _ = writeln!(out, "{docs}var {constant} = {made}\n");
        self.call(tool, &names, imports, out);
        self.bind(tool, &names, imports, out);
    }

    /// What makes a tool, with the schemas in its descriptor but those that it has already.
    fn with_schemas(self, made: String, tool: &PackageTool, known: &[&str], imports: &mut Imports<'_>) -> String {
        let mut made = made;
        for (key, ty) in schemas(tool).filter(|(key, _)| !known.contains(key)) {
            let codec = match ty {
                Some(ty) => self.codec(ty, imports),
                None => format!("{}.NothingCodec", imports.shared()),
            };
            _ = write!(made, ".With({}, {codec})", text(key));
        }
        made
    }

    /// What an implementation may tell while it runs, for tools that tell something.
    fn call(self, tool: &PackageTool, names: &ToolNames, imports: &mut Imports<'_>, out: &mut String) {
        let mut lines = Vec::new();
        let told = [
            ("Emit", "tells how far the tool has come", &tool.progress),
            ("Attach", "hands something to the application in addition to the output", &tool.artifacts),
        ];
        for (name, what, ty) in told {
            if let Some(ty) = ty {
                let ty = self.reference(ty, imports);
                lines.push(format!("\t// {name} {what}.\n\t{name} func({ty}) error\n"));
            }
        }
        if !lines.is_empty() {
            let call = &names.call;
            _ = writeln!(out, "// {call} is what the tool may tell while it runs.\ntype {call} struct {{\n{}}}\n", lines.join("\n"));
        }
    }

    fn bind(self, tool: &PackageTool, names: &ToolNames, imports: &mut Imports<'_>, out: &mut String) {
        let ToolNames { constant, bind, handler, .. } = names;
        let signature = self.signature(tool, names, None, imports);
        let shared = imports.shared();
        let context = imports.standard("context");
        let http = imports.standard("net/http");
        let mut given = Vec::new();
        for (name, maker, ty) in [("Emit", "Emitter", &tool.progress), ("Attach", "Attacher", &tool.artifacts)] {
            if let Some(ty) = ty {
                given.push(format!("{name}: {shared}.{maker}(ctx, {})", self.codec(ty, imports)));
            }
        }
        let call = if given.is_empty() { String::new() } else { format!(", {}{{{}}}", names.call, given.join(", ")) };
        let input = self.reference(&tool.input, imports);
        let output = tool.output.as_ref().map_or_else(|| format!("{shared}.Nothing"), |output| self.reference(output, imports));
        let body = match (call.is_empty(), signature.has_output) {
            (true, true) => format!("\treturn {constant}.Bind(run)\n"),
            (_, has_output) => {
                let called = format!("run(ctx, in{call})");
                let called = if has_output { called } else { format!("{shared}.Nothing{{}}, {called}") };
                format!(
                    "\treturn {constant}.Bind(func(ctx {context}.Context, in {input}) ({output}, error) {{\n\t\treturn {called}\n\t}})\n"
                )
            }
        };
        let run = &signature.full;
        _ = writeln!(out, "// {bind} makes the tool of what implements it.\nfunc {bind}(run func{run}) {shared}.BoundTool {{\n{body}}}\n");
        _ = writeln!(
            out,
            "// {handler} serves the tool over HTTP.\nfunc {handler}(run func{run}, options ...{shared}.Option) {http}.Handler {{\n\treturn {shared}.ToolHandler({bind}(run), options...)\n}}\n"
        );
    }

    /// How the implementation of a tool of this or another package is written here.
    pub(super) fn signature(self, tool: &PackageTool, names: &ToolNames, home: Option<&str>, imports: &mut Imports<'_>) -> Signature {
        let context = imports.standard("context");
        let from = self.from(home, imports);
        let input = self.reference(&tool.input, imports);
        let tells = tool.progress.is_some() || tool.artifacts.is_some();
        let call = if tells { format!("{from}{}", names.call) } else { String::new() };
        let (named_call, bare_call) = if tells { (format!(", call {call}"), format!(", {call}")) } else { Default::default() };
        let output = tool.output.as_ref().map(|output| self.reference(output, imports));
        let (results, named_results) = match &output {
            Some(output) => (format!("({output}, error)"), format!("(out {output}, err error)")),
            None => ("error".to_owned(), "error".to_owned()),
        };
        Signature {
            full: format!("(ctx {context}.Context, in {input}{named_call}) {results}"),
            named: format!("(ctx {context}.Context, in {input}{named_call}) {named_results}"),
            bare: format!("({context}.Context, {input}{bare_call}) {named_results}"),
            from,
            has_output: output.is_some(),
        }
    }

    /// The calls of one role as the types of an interface, and what reads them.
    fn decoded(self, wanted: Role, scope: &mut Scope, imports: &mut Imports<'_>, out: &mut String) {
        let tools: Vec<&PackageTool> = self.package.tools.iter().filter(|tool| role(tool) == wanted).collect();
        if tools.is_empty() {
            return;
        }
        let (name, what) = if wanted == Role::Signal { ("Signal", "a signal") } else { ("Interaction", "a question to a person outside") };
        let shared = imports.shared();
        let (interface, decode) = (scope.claim(name), scope.claim(&format!("Decode{name}")));
        let mut cases = String::new();
        let mut types: Vec<(String, TypeReference)> = Vec::new();
        for tool in tools {
            let input = self.reference(&tool.input, imports);
            let codec = self.codec(&tool.input, imports);
            let wire = text(&tool.name);
            let made = function(&format!("func(v {input}) {interface}"), "return v", "\t\t");
            _ = writeln!(cases, "\tcase {wire}:\n\t\treturn {shared}.Decoded({codec}, args, {made})");
            types.push((input, tool.input.clone()));
        }
        let listed = types.iter().map(|(name, _)| format!("[{name}]")).collect::<Vec<_>>().join(", ");
        _ = writeln!(out, "// {interface} is the call of {what}: one of {listed}.\ntype {interface} interface{{ is{interface}() }}\n");
        for (ty, _) in &types {
            _ = writeln!(out, "{}\n", function(&format!("func ({ty}) is{interface}()"), "", ""));
        }
        _ = writeln!(
            out,
            "// {decode} reads the call of {what}; a name that is none of them fits nothing.\n\
             func {decode}(name string, args []byte) ({interface}, error) {{\n\tswitch name {{\n{cases}\tdefault:\n\t\treturn nil, {shared}.UnknownName(name)\n\t}}\n}}\n"
        );
    }
}

/// The parts of a text with placeholders, as arguments.
pub(super) fn template(template: &Template, shared: &str) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(value) => format!("{shared}.Words({})", text(value)),
        TemplatePart::Value(placeholder) => {
            let steps = placeholder.path.steps.iter().map(|step| match &step.segment {
                Segment::Key(key) => text(key),
                Segment::Index(index) => index.to_string(),
                // Only answers of steps are read so, of which there are none here.
                Segment::All => "\"[]\"".to_owned(),
            });
            let fallback = placeholder.default.as_ref().map(|value| format!(".Or({})", json(value))).unwrap_or_default();
            format!("{shared}.Slot({}){fallback}", steps.collect::<Vec<_>>().join(", "))
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}
