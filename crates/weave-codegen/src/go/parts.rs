//! Errors, events, prompts, agents and workflows.

use std::fmt::Write as _;

use weave_ir::package::{Shape, TypeReference};

use super::Module;
use super::declarations::constants;
use super::names::{self, called, identifier};
use super::text::{Imports, comment, function, json, text};
use super::tools::template;
use crate::scope::Scope;
use crate::text::{described, pascal, quoted};
use crate::tools::status;

impl<'a> Module<'a> {
    /// A type with what reads it; nothing where there is none.
    fn typed(self, reference: Option<&TypeReference>, imports: &mut Imports<'_>) -> (String, String) {
        match reference {
            Some(reference) => (self.reference(reference, imports), self.codec(reference, imports)),
            None => {
                let shared = imports.shared();
                (format!("{shared}.Nothing"), format!("{shared}.NothingCodec"))
            }
        }
    }

    pub(super) fn errors(self) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            let Shape::Error { code, category, status: chosen, .. } = &declaration.shape else { continue };
            let own = TypeReference { package: None, name: declaration.name.clone() };
            let shared = imports.shared();
            let (ty, codec) = self.typed(Some(&own), &mut imports);
            let status = chosen.unwrap_or(status(*category));
            let said = text(declaration.about.description.as_deref().unwrap_or(code));
            let code = text(code);
            _ = writeln!(
                out,
                "// Error says what has gone wrong.\nfunc (v {ty}) Error() string {{\n\treturn {said}\n}}\n\n\
                 // WeaveFailure is the error as callers see it.\nfunc (v {ty}) WeaveFailure() (*{shared}.Failure, error) {{\n\treturn {shared}.DeclaredFailure({code}, {codec}, v, {status}, v.Error())\n}}\n"
            );
        }
        (!out.is_empty()).then(|| imports.before(&self.names.folder, &out))
    }

    pub(super) fn events(self, scope: &mut Scope) -> Option<String> {
        if self.package.events.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let shared = imports.shared();
        let [mut topics, mut types, mut cases] = [const { String::new() }; 3];
        let (interface, decode) = (scope.claim("Event"), scope.claim("DecodeEvent"));
        for event in &self.package.events {
            let name = identifier(called(&event.names, &event.topic));
            let (topic, event_type) = (scope.claim(&format!("Topic{name}")), scope.claim(&format!("{name}Event")));
            let (ty, codec) = self.typed(Some(&event.payload), &mut imports);
            let docs = comment(event.about.description.as_deref(), event.about.deprecated.as_deref(), "");
            let docs = if docs.is_empty() { format!("// {topic} is a topic.\n") } else { docs };
            _ = writeln!(topics, "{docs}const {topic} = {}\n", text(&event.topic));
            _ = writeln!(
                types,
                "// {event_type} is an event with the topic [{topic}].\ntype {event_type} struct {{\n\tPayload {ty}\n}}\n\n\
                 // Topic is the topic of the event.\nfunc ({event_type}) Topic() string {{\n\treturn {topic}\n}}\n\n\
                 // Encode writes the payload as JSON.\nfunc (e {event_type}) Encode() ([]byte, error) {{\n\treturn {codec}.Encode(e.Payload)\n}}\n\n\
                 {}\n",
                function(&format!("func ({event_type}) is{interface}()"), "", "")
            );
            let made = function(&format!("func(v {ty}) {interface}"), &format!("return {event_type}{{Payload: v}}"), "\t\t");
            _ = writeln!(cases, "\tcase {topic}:\n\t\treturn {shared}.Decoded({codec}, payload, {made})");
        }
        _ = writeln!(
            topics,
            "// {interface} is an event with its payload: a switch over its types needs no others than those below.\ntype {interface} interface {{\n\t// Topic is the topic.\n\tTopic() string\n\n\t// Encode writes the payload as JSON.\n\tEncode() ([]byte, error)\n\n\tis{interface}()\n}}\n"
        );
        _ = writeln!(
            types,
            "// {decode} reads an event; a topic that is none of them fits nothing.\nfunc {decode}(topic string, payload []byte) ({interface}, error) {{\n\tswitch topic {{\n{cases}\tdefault:\n\t\treturn nil, {shared}.UnknownName(topic)\n\t}}\n}}\n"
        );
        Some(imports.before(&self.names.folder, &format!("{topics}{types}")))
    }

    pub(super) fn prompts(self, scope: &mut Scope) -> Option<String> {
        if self.package.prompts.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let shared = imports.shared();
        let mut out = String::new();
        let [mut cases, mut methods] = [const { Vec::new() }; 2];
        let mut method_names = names::methods();
        for prompt in &self.package.prompts {
            let function = scope.claim(&format!("Render{}", identifier(called(&prompt.type_names, &prompt.name))));
            let constant = scope.claim(&format!("{}Prompt", identifier(called(&prompt.type_names, &prompt.name))));
            let said = comment(Some(&format!("{constant} is the prompt `{}`.", prompt.name)), prompt.about.deprecated.as_deref(), "");
            _ = writeln!(out, "{said}const {constant} = {}\n", text(&prompt.name));
            let (input, codec) = self.typed(Some(&prompt.input), &mut imports);
            let docs = comment(prompt.about.description.as_deref(), prompt.about.deprecated.as_deref(), "");
            let docs = if docs.is_empty() { format!("// {function} gives the text of the prompt.\n") } else { docs };
            let parts = format!("[]{shared}.Part{{{}}}", template(&prompt.text, shared));
            let Some(hydrates) = &prompt.hydrates else {
                _ = writeln!(
                    out,
                    "{docs}func {function}(in {input}) (string, error) {{\n\treturn {shared}.Render({parts}, {shared}.From({codec}, in))\n}}\n"
                );
                continue;
            };
            let (found, found_codec) = self.typed(Some(hydrates), &mut imports);
            _ = writeln!(
                out,
                "{docs}func {function}(in {input}, found {found}) (string, error) {{\n\treturn {shared}.Render({parts}, {shared}.From({codec}, in), {shared}.From({found_codec}, found))\n}}\n"
            );
            let context = imports.standard("context");
            let method = method_names.claim(called(&prompt.names, &prompt.name));
            let docs = comment(prompt.about.description.as_deref(), prompt.about.deprecated.as_deref(), "\t");
            methods.push(format!("{docs}\t{method}(ctx {context}.Context, in {input}) ({found}, error)\n"));
            cases.push(format!(
                "\tcase {}:\n\t\tin, err := {codec}.Decode(args)\n\t\tif err != nil {{\n\t\t\treturn nil, err\n\t\t}}\n\t\tfound, err := hydrators.{method}(ctx, in)\n\t\tif err != nil {{\n\t\t\treturn nil, err\n\t\t}}\n\t\treturn {found_codec}.Encode(found)\n",
                text(&prompt.name)
            ));
        }
        if !methods.is_empty() {
            let context = imports.standard("context");
            let (interface, function) = (scope.claim("Hydrators"), scope.claim("Hydrate"));
            _ = self.found.hydrators.set(interface.clone());
            _ = writeln!(
                out,
                "// {interface} finds what prompts need at run time.\ntype {interface} interface {{\n{}}}\n\n\
                 // {function} answers a request of `prompt.hydrate.request` with the payload of its result.\n\
                 func {function}(ctx {context}.Context, prompt string, args []byte, hydrators {interface}) ([]byte, error) {{\n\tswitch prompt {{\n{}\tdefault:\n\t\treturn nil, {shared}.UnknownName(prompt)\n\t}}\n}}\n",
                methods.join("\n"),
                cases.concat(),
            );
        }
        Some(imports.before(&self.names.folder, &out))
    }

    pub(super) fn agents(self, scope: &mut Scope) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        for agent in &self.package.agents {
            let shared = imports.shared();
            let (_, read) = self.typed(Some(&agent.input), &mut imports);
            let (_, answered) = self.typed(Some(&agent.output), &mut imports);
            let name = scope.claim(&format!("{}Agent", identifier(called(&agent.type_names, &agent.name))));
            let what = format!("{name} is the agent `{}`.", agent.name);
            let docs = described(&what, agent.about.description.as_deref());
            out.push_str(&comment(Some(&docs), agent.about.deprecated.as_deref(), ""));
            let (wire, model) = (text(&agent.name), text(agent.model.as_deref().unwrap_or_default()));
            _ = writeln!(out, "var {name} = {shared}.NewAgent({wire}, {model}, {read}, {answered})\n");
        }
        (!out.is_empty()).then(|| imports.before(&self.names.folder, &out))
    }

    pub(super) fn workflows(self, scope: &mut Scope) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        for workflow in &self.package.workflows {
            let shared = imports.shared();
            let (_, read) = self.typed(Some(&workflow.input), &mut imports);
            let (_, answered) = self.typed(workflow.output.as_ref(), &mut imports);
            let name = scope.claim(&format!("{}Workflow", identifier(called(&workflow.type_names, &workflow.name))));
            let mut docs = described(&format!("{name} is the workflow `{}`.", workflow.name), workflow.about.description.as_deref());
            if !workflow.failures.is_empty() {
                _ = write!(docs, "\n\nIt fails with {}.", quoted(&workflow.failures));
            }
            out.push_str(&comment(Some(&docs), workflow.about.deprecated.as_deref(), ""));
            let (wire, digest, definition) = (text(&workflow.name), text(&workflow.digest), json(&workflow.definition));
            _ = writeln!(out, "var {name} = {shared}.NewWorkflow({wire}, {digest}, {definition}, {read}, {answered})\n");
            let node = scope.claim(&format!("{}Node", identifier(called(&workflow.type_names, &workflow.name))));
            let said = format!("{node} is the name of a node of `{}`.", workflow.name);
            _ = writeln!(out, "{}type {node} string\n", comment(Some(&said), workflow.about.deprecated.as_deref(), ""));
            let constant = |id: &'a str| (id, (scope.claim(&format!("{node}{}", identifier(&pascal(id)))), String::new()));
            out.push_str(&constants(&node, workflow.nodes().into_iter().map(constant).collect()));
        }
        (!out.is_empty()).then(|| imports.before(&self.names.folder, &out))
    }
}
