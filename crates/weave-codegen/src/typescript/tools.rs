//! `tools.ts`: what implements tools, and the calls that nobody executes.

use std::fmt::Write as _;

use weave_ir::package::{Failure, PackageTool, TypeReference};
use weave_ir::{Segment, Template, TemplatePart};

use super::Module;
use super::imports::{Imports, comment, implemented};
use super::literal::{json, text};
use super::names::{identifier, key, member, scope};
use super::types::Home;
use crate::scope::Scope;
use crate::text::camel;
use crate::tools::{Role, role, said, schemas, seen_from};

/// What a tool is called in this and other modules.
pub(super) struct Named<'a> {
    /// The constant.
    pub(super) constant: &'a str,
    /// What stands before the constant and the types in this module: nothing, or the module of another package.
    pub(super) module: String,
}

impl<'a> Module<'a> {
    pub(super) fn tools(self) -> Option<String> {
        if self.package.tools.is_empty() && self.package.toolkits.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let mut out = String::new();
        for tool in &self.package.tools {
            self.tool(tool, &mut imports, &mut out);
        }
        let mut scope = scope();
        for tool in &self.package.tools {
            scope.claim(self.constant(tool));
        }
        self.decoded(Role::Signal, &mut scope, &mut imports, &mut out);
        self.decoded(Role::Interaction, &mut scope, &mut imports, &mut out);
        self.services(&mut scope, &mut imports, &mut out);
        Some(imports.before(&out))
    }

    /// What the constant of an own tool is called.
    pub(super) fn constant(self, tool: &PackageTool) -> &'a str {
        let used = weave_ir::package::ToolUse { package: None, name: tool.name.clone() };
        self.program.tool(&self.package.name, &used).map_or("never", |(name, _)| name)
    }

    fn tool(self, tool: &PackageTool, imports: &mut Imports, out: &mut String) {
        let shared = imports.shared();
        let name = self.constant(tool);
        let docs = comment(tool.about.description.as_deref(), tool.about.deprecated.as_deref(), "");
        let role = role(tool);
        if role == Role::Described {
            _ = writeln!(out, "{docs}export const {name}: {shared}.JsonObject = {};\n", self.descriptor(tool, 0, imports));
            return;
        }
        let mut parts = format!("  name: {},\n  descriptor: {},\n", text(&tool.name), self.descriptor(tool, 2, imports));
        let output = tool.output.as_ref().map_or_else(|| format!("{shared}.NOTHING"), |output| self.codec_of(output, imports));
        _ = writeln!(parts, "  input: {},", self.codec_of(&tool.input, imports));
        if role != Role::Implemented {
            _ = writeln!(parts, "  response: {output},");
            let [input, output] = [self.reference(&tool.input, Home::Elsewhere, imports), self.output(tool, imports)];
            _ = writeln!(out, "{docs}export const {name}: {shared}.CallDefinition<{input}, {output}> = {{\n{parts}}};\n");
            return;
        }
        _ = writeln!(parts, "  output: {output},");
        for (key, ty) in [("progress", &tool.progress), ("artifacts", &tool.artifacts)] {
            if let Some(ty) = ty {
                _ = writeln!(parts, "  {key}: {},", self.codec_of(ty, imports));
            }
        }
        self.failures(tool, imports, &mut parts);
        _ = writeln!(parts, "  deferred: {},", tool.descriptor.deferred.is_some());
        if let Some(action) = &tool.action {
            let input = self.codec_of(&tool.input, imports);
            let rendered = template(action, 2);
            _ = writeln!(parts, "  action: (input) => {shared}.render({rendered}, {shared}.asJson({input}, input)),");
        }
        let types = self.type_arguments(tool, "", imports);
        let errors = self.errors_type(tool, imports);
        let type_name = identifier(&tool.type_names.typescript);
        let errors = match errors.as_str() {
            "" => format!("export type {type_name}Errors = {shared}.Empty;"),
            errors => format!("export interface {type_name}Errors {{\n{errors}}}"),
        };
        _ = writeln!(out, "/** The failures that `{}` declares. */\n{errors}\n", tool.name);
        _ = writeln!(out, "{docs}export const {name}: {shared}.ToolDefinition<{types}> = {{\n{parts}}};\n");
    }

    /// What a definition says about a tool, with the schemas of its types.
    fn descriptor(self, tool: &PackageTool, indent: usize, imports: &mut Imports) -> String {
        let margin = " ".repeat(indent);
        let said = json(&said(tool), indent);
        let mut out = said.strip_suffix('}').unwrap_or(&said).trim_end().to_owned();
        for (key, ty) in schemas(tool) {
            let codec = match ty {
                Some(ty) => self.codec_of(ty, imports),
                None => format!("{}.NOTHING", imports.shared()),
            };
            _ = write!(out, ",\n{margin}  {}: {codec}.schema", text(key));
        }
        format!("{out},\n{margin}}}")
    }

    /// The type of what a tool gives.
    fn output(self, tool: &PackageTool, imports: &mut Imports) -> String {
        tool.output.as_ref().map_or_else(|| "void".to_owned(), |output| self.reference(output, Home::Elsewhere, imports))
    }

    /// Input, output, progress, artifacts and errors of a tool; the errors are in this module or in `module`.
    fn type_arguments(self, tool: &PackageTool, module: &str, imports: &mut Imports) -> String {
        let optional = |ty: &Option<TypeReference>, imports: &mut Imports| {
            ty.as_ref().map_or_else(|| "never".to_owned(), |ty| self.reference(ty, Home::Elsewhere, imports))
        };
        let arguments = [
            self.reference(&tool.input, Home::Elsewhere, imports),
            self.output(tool, imports),
            optional(&tool.progress, imports),
            optional(&tool.artifacts, imports),
            format!("{module}{}Errors", identifier(&tool.type_names.typescript)),
        ];
        arguments.join(", ")
    }

    /// The method of a service that implements a tool, as an own or another package declares it.
    pub(super) fn method(self, tool: &PackageTool, named: &Named<'_>, home: Option<&str>, imports: &mut Imports) -> String {
        let shared = imports.shared();
        // The types of another package's tool are named from here.
        let seen = seen_from(self.package, tool, home);
        let is_deferred = tool.descriptor.deferred.is_some();
        let arguments = self.type_arguments(&seen, &named.module, imports);
        let context = arguments.split(", ").skip(2).collect::<Vec<_>>().join(", ");
        let input = self.reference(&seen.input, Home::Elsewhere, imports);
        let output = self.output(&seen, imports);
        let (kind, output) = match (is_deferred, output.as_str()) {
            (false, _) => ("Tool", output),
            // `void` stands in no union.
            (true, "void") => ("Deferred", format!("{shared}.Pending | undefined")),
            (true, _) => ("Deferred", format!("{output} | {shared}.Pending")),
        };
        let docs = implemented(&tool.about);
        let name = key(&member(&tool.names, &tool.name));
        format!("{docs}  {name}(input: {input}, context: {shared}.{kind}Context<{context}>): {shared}.Awaitable<{output}>;\n")
    }

    /// The failures of a tool, as properties with functions that make them.
    fn errors_type(self, tool: &PackageTool, imports: &mut Imports) -> String {
        let mut scope = scope();
        let mut out = String::new();
        for failure in &tool.fails {
            let (name, made) = self.failure(failure, imports);
            _ = writeln!(out, "  readonly {}: typeof {made};", scope.claim(&name));
        }
        out
    }

    fn failures(self, tool: &PackageTool, imports: &mut Imports, parts: &mut String) {
        let mut scope = scope();
        let mut entries = String::new();
        let mut codes = Vec::new();
        for failure in &tool.fails {
            let (name, made) = self.failure(failure, imports);
            _ = writeln!(entries, "    {}: {made},", scope.claim(&name));
            codes.push(match failure {
                Failure::Error(reference) => text(&reference.name),
                Failure::Kind(kind) => text(kind),
            });
        }
        let entries = if entries.is_empty() { "{}".to_owned() } else { format!("{{\n{entries}  }}") };
        _ = writeln!(parts, "  errors: {entries},\n  fails: [{}],", codes.join(", "));
    }

    /// What a failure is called, and what makes it.
    fn failure(self, failure: &Failure, imports: &mut Imports) -> (String, String) {
        match failure {
            Failure::Error(reference) => {
                let name = self.error_function(reference);
                let module = imports.values(reference.package.as_deref(), "errors");
                let (_, declaration) = self.program.ty(&self.package.name, reference);
                declaration.iter().for_each(|it| imports.uses(&it.about));
                (name.to_owned(), format!("{module}.{name}"))
            }
            Failure::Kind(kind) => {
                let name = camel(kind);
                (name.clone(), format!("{}.kinds.{name}", imports.shared()))
            }
        }
    }

    /// What the function is called that makes an error.
    pub(super) fn error_function(self, reference: &TypeReference) -> &'a str {
        self.program.error(&self.package.name, reference)
    }

    /// The calls of one role as a union, and what reads them.
    fn decoded(self, wanted: Role, scope: &mut Scope, imports: &mut Imports, out: &mut String) {
        let shared = imports.shared();
        let tools: Vec<&PackageTool> = self.package.tools.iter().filter(|tool| role(tool) == wanted).collect();
        if tools.is_empty() {
            return;
        }
        let (name, what) = if wanted == Role::Signal { ("Signal", "a signal") } else { ("Interaction", "a question to a person outside") };
        let function = scope.claim(&format!("decode{name}"));
        let mut members = Vec::new();
        let mut cases = String::new();
        for tool in tools {
            let input = self.reference(&tool.input, Home::Elsewhere, imports);
            let (wire, constant) = (text(&tool.name), self.constant(tool));
            imports.uses(&tool.about);
            members.push(format!("{{ readonly name: {wire}; readonly input: {input} }}"));
            _ = writeln!(cases, "    case {wire}:\n      return {shared}.named({wire}, {constant}.input.decode(args));");
        }
        _ = writeln!(out, "/** The call of {what}. */\n{}\n", either(name, &members));
        _ = writeln!(
            out,
            "/** Reads the call of {what}; a name that is none of them fits nothing. */\n\
             export function {function}(name: string, args: unknown): {shared}.Result<{name}> {{\n  switch (name) {{\n{cases}    \
             default:\n      return {shared}.unknownName(name);\n  }}\n}}\n"
        );
    }
}

/// A type that is one of these objects, which is an interface if there is only one.
pub(super) fn either(name: &str, members: &[String]) -> String {
    match members {
        [one] => format!("export interface {name} {one}"),
        all => format!("export type {name} = {};", all.join(" | ")),
    }
}

/// A text with placeholders as the list of its parts.
pub(super) fn template(template: &Template, indent: usize) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(value) => text(value),
        TemplatePart::Value(placeholder) => {
            let steps = placeholder.path.steps.iter().map(|step| match &step.segment {
                Segment::Key(key) => text(key),
                Segment::Index(index) => index.to_string(),
                // Only answers of steps are read so, of which there are none here.
                Segment::All => "\"[]\"".to_owned(),
            });
            let fallback = placeholder.default.as_ref().map(|value| format!(", fallback: {}", json(value, indent)));
            format!("{{ path: [{}]{} }}", steps.collect::<Vec<_>>().join(", "), fallback.unwrap_or_default())
        }
    });
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}
