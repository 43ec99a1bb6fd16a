//! `tools.py`: what implements tools, and the calls that nobody executes.

use std::fmt::Write as _;

use weave_ir::package::{Failure, PackageTool, ToolUse};
use weave_ir::{Segment, Template, TemplatePart};

use super::Module;
use super::imports::Imports;
use super::layout::{Code, assignment};
use super::literal::{docstring, json, text};
use super::names::{identifier, module};
use super::parts::constant;
use crate::scope::Scope;
use crate::tools::{Role, role, said, schemas};

impl<'a> Module<'a> {
    pub(super) fn tools(self) -> Option<String> {
        if self.package.tools.is_empty() && self.package.toolkits.is_empty() {
            return None;
        }
        let mut imports = Imports::default();
        let mut out = String::new();
        let mut scope = module();
        for tool in &self.package.tools {
            self.tool(tool, &mut imports, &mut out);
            scope.claim(self.constant(tool));
        }
        self.decoded(Role::Signal, &mut scope, &mut imports, &mut out);
        self.decoded(Role::Interaction, &mut scope, &mut imports, &mut out);
        self.services(&mut scope, &mut imports, &mut out);
        Some(format!("{}{out}", imports.top()))
    }

    /// What the constant of an own tool is called.
    fn constant(self, tool: &PackageTool) -> &'a str {
        let used = ToolUse { package: None, name: tool.name.clone() };
        self.program.tool(&self.package.name, &used).map_or("unnamed", |(name, _)| name)
    }

    fn tool(self, tool: &PackageTool, imports: &mut Imports, out: &mut String) {
        let name = self.constant(tool);
        let docs = docstring(tool.about.description.as_deref(), tool.about.deprecated.as_deref(), 0);
        let descriptor = Code::named("said", Code::text(json(&said(tool))));
        let mut arguments = vec![Code::named("name", Code::text(text(&tool.name)))];
        out.push('\n');
        if role(tool) == Role::Described {
            arguments.push(descriptor);
            for (key, ty) in schemas(tool) {
                arguments.push(Code::named(key, self.typed(ty, imports).1));
            }
            let made = Code::call(imports.shared("ToolDescription"), arguments);
            _ = write!(out, "{}{docs}", made.statement(0, &format!("{name} = "), ""));
            return;
        }
        let (input, read) = self.typed(Some(&tool.input), imports);
        let (output, written) = self.typed(tool.output.as_ref(), imports);
        arguments.push(Code::named("input", read));
        if role(tool) != Role::Implemented {
            arguments.extend([Code::named("response", written), descriptor]);
            _ = write!(out, "{}{docs}", constant(name, &imports.shared("CallDefinition"), vec![input, output], arguments));
            return;
        }
        arguments.extend([Code::named("output", written), descriptor]);
        for (name, ty) in [("progress", &tool.progress), ("artifacts", &tool.artifacts)] {
            arguments.extend(ty.as_ref().map(|ty| Code::named(name, self.codec(ty, imports))));
        }
        if !tool.fails.is_empty() {
            let code = |failure: &Failure| match failure {
                Failure::Error(reference) => Code::text(text(&reference.name)),
                Failure::Kind(kind) => Code::text(text(kind)),
            };
            arguments.push(Code::named("fails", Code::tuple(tool.fails.iter().map(code).collect())));
        }
        if tool.descriptor.deferred.is_some() {
            arguments.push(Code::text("deferred=True"));
        }
        if let Some(action) = &tool.action {
            arguments.push(Code::named("action_parts", template(action, imports)));
        }
        let types = [input, output].into_iter().chain(self.streamed(tool, imports)).collect();
        _ = write!(out, "{}{docs}", constant(name, &imports.shared("ToolDefinition"), types, arguments));
    }

    /// The types of what a tool streams and hands over beside its output.
    pub(super) fn streamed(self, tool: &PackageTool, imports: &mut Imports) -> [Code; 2] {
        [&tool.progress, &tool.artifacts].map(|ty| match ty {
            Some(ty) => self.ty(ty, imports),
            None => Code::text(imports.typing("Never")),
        })
    }

    /// The calls of one role as a union, and what reads them.
    fn decoded(self, wanted: Role, scope: &mut Scope, imports: &mut Imports, out: &mut String) {
        let tools: Vec<&PackageTool> = self.package.tools.iter().filter(|tool| role(tool) == wanted).collect();
        if tools.is_empty() {
            return;
        }
        let (suffix, what) =
            if wanted == Role::Signal { ("Signal", "a signal") } else { ("Interaction", "a question to a person outside") };
        let function = scope.claim(&format!("decode_{}", suffix.to_lowercase()));
        let union = scope.claim(suffix);
        let (dataclass, literal) = (imports.name("dataclasses", "dataclass"), imports.typing("Literal"));
        let mut cases = String::new();
        let mut members = Vec::new();
        for tool in tools {
            let (input, codec) = self.typed(Some(&tool.input), imports);
            let class = scope.claim(&format!("{}{suffix}", identifier(&tool.type_names.python)));
            let wire = text(&tool.name);
            let said = docstring(Some(&format!("The call of `{}`.", tool.name)), None, 4);
            _ = write!(out, "\n\n@{dataclass}(frozen=True, slots=True)\nclass {class}:\n{said}\n    input: {}\n", input.flat());
            let kind = Code::index(literal, vec![Code::text(&wire)]);
            out.push_str(&assignment(4, "name", &kind, &Code::text(&wire)));
            let read = Code::call(format!("{}.decode", codec.flat()), vec![Code::text("args")]);
            _ = write!(cases, "        case {wire}:\n{}", Code::call(&class, vec![read]).statement(12, "return ", ""));
            members.push(Code::text(class));
        }
        let members = if members.len() == 1 { members.remove(0) } else { Code::Either(members) };
        let alias = members.statement(0, &format!("{union}: {} = ", imports.typing("TypeAlias")), "");
        let unknown = imports.shared("unknown_name");
        _ = write!(
            out,
            "\n\n{alias}\"\"\"The call of {what}.\"\"\"\n\n\ndef {function}(name: str, args: object) -> {union}:\n    \
             \"\"\"Reads the call of {what}; raises a `DecodeError` if it does not fit.\"\"\"\n    \
             match name:\n{cases}        case _:\n            raise {unknown}(name)\n"
        );
    }
}

/// A text with placeholders as a tuple of its parts.
pub(super) fn template(template: &Template, imports: &mut Imports) -> Code {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Text(value) => Code::text(text(value)),
        TemplatePart::Value(placeholder) => {
            let steps = placeholder.path.steps.iter().map(|step| match &step.segment {
                Segment::Key(key) => Code::text(text(key)),
                Segment::Index(index) => Code::text(index.to_string()),
                // Only answers of steps are read so, of which there are none here.
                Segment::All => Code::text("\"[]\""),
            });
            let fallback = placeholder.default.as_ref().map(|value| Code::named("fallback", Code::text(text(&value.to_string()))));
            Code::call(imports.shared("Placeholder"), steps.chain(fallback).collect())
        }
    };
    Code::tuple(template.parts.iter().map(part).collect())
}
