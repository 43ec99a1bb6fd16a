//! Errors, events, prompts, agents and workflows.

use std::fmt::Write as _;

use weave_ir::package::{Shape, TypeReference};

use super::Module;
use super::imports::Imports;
use super::layout::{self, Code, assignment};
use super::literal::{docstring, json, text};
use super::names::{module, values};
use super::tools::template;
use crate::text::quoted;
use crate::tools::status;

impl Module<'_> {
    pub(super) fn errors(self) -> Option<String> {
        let mut imports = Imports::default();
        let mut out = String::new();
        for declaration in &self.package.types {
            let Shape::Error { code, category, status: chosen, .. } = &declaration.shape else { continue };
            let own = TypeReference { package: None, name: declaration.name.clone() };
            let (ty, codec) = self.typed(Some(&own), &mut imports);
            let base = Code::index(imports.shared("DeclaredError"), vec![ty]);
            let said = declaration.about.description.as_deref().unwrap_or(code);
            let docs = docstring(Some(said), declaration.about.deprecated.as_deref(), 4);
            _ = write!(out, "\n\n{}", Code::call(format!("class {}", self.own(&declaration.name)), vec![base]).statement(0, "", ":"));
            _ = writeln!(out, "{docs}");
            out.push_str(&layout::constant(4, "declared_code", &text(code)));
            _ = writeln!(out, "    declared_status = {}", chosen.unwrap_or(status(*category)));
            out.push_str(&layout::constant(4, "declared_message", &text(said)));
            out.push_str(&layout::constant(4, "codec", &codec.flat()));
        }
        (!out.is_empty()).then(|| format!("{}{out}", imports.top()))
    }

    pub(super) fn events(self) -> Option<String> {
        if self.package.events.is_empty() {
            return None;
        }
        let mut imports = Imports::default();
        let mut scope = module();
        let [topic_type, event_type] = ["Topic", "Event"].map(|name| scope.claim(name));
        let [decode, encode] = ["decode_event", "encode_event"].map(|name| scope.claim(name));
        let mut topics = values();
        let (base, dataclass, literal) =
            (imports.name("enum", "StrEnum"), imports.name("dataclasses", "dataclass"), imports.typing("Literal"));
        let mut out = format!("\n\nclass {topic_type}({base}):\n    \"\"\"The topics.\"\"\"\n\n");
        let [mut classes, mut decoded, mut encoded] = [const { String::new() }; 3];
        let mut members = Vec::new();
        for event in &self.package.events {
            let (topic, name) = (topics.claim(&shouting(&event.names.python)), scope.claim(&event.names.python));
            let (ty, codec) = self.typed(Some(&event.payload), &mut imports);
            let docs = (event.about.description.as_deref(), event.about.deprecated.as_deref());
            out.push_str(&layout::constant(4, &topic, &text(&event.topic)));
            out.push_str(&docstring(docs.0, docs.1, 4));
            let said = docstring(Some(docs.0.unwrap_or(&format!("The event `{}`.", event.topic))), docs.1, 4);
            let constant = format!("{topic_type}.{topic}");
            _ = write!(classes, "\n\n@{dataclass}(frozen=True, slots=True)\nclass {name}:\n{said}\n    payload: {}\n", ty.flat());
            let kind = Code::index(literal, vec![Code::text(&constant)]);
            classes.push_str(&assignment(4, "topic", &kind, &Code::text(&constant)));
            let read = Code::call(format!("{}.decode", codec.flat()), vec![Code::text("payload")]);
            let made = Code::call(&name, vec![read]).statement(12, "return ", "");
            _ = write!(decoded, "        case {constant}:\n{made}");
            let written = Code::call(format!("{}.encode", codec.flat()), vec![Code::text("event.payload")]).statement(12, "return ", "");
            _ = write!(encoded, "        case {name}():\n{written}");
            members.push(Code::text(name));
        }
        let union = if members.len() == 1 { members.remove(0) } else { Code::Either(members) };
        let alias = union.statement(0, &format!("{event_type}: {} = ", imports.typing("TypeAlias")), "");
        let json = imports.shared("JsonValue");
        let unknown = imports.shared("unknown_name");
        _ = write!(
            out,
            "{classes}\n\n{alias}\"\"\"An event with its payload: a `match` over its class or its topic is exhaustive.\"\"\"\n\n\n\
             def {decode}(topic: str, payload: object) -> {event_type}:\n    \
             \"\"\"Reads an event; raises a `DecodeError` if it does not fit, or if the topic is none of these.\"\"\"\n    \
             match topic:\n{decoded}        case _:\n            raise {unknown}(topic)\n\n\n\
             def {encode}(event: {event_type}) -> {json}:\n    \"\"\"Writes the payload of an event.\"\"\"\n    match event:\n{encoded}"
        );
        Some(format!("{}{out}", imports.top()))
    }

    pub(super) fn prompts(self) -> Option<String> {
        if self.package.prompts.is_empty() {
            return None;
        }
        let mut imports = Imports::default();
        let mut out = String::new();
        let [mut hydrators, mut cases] = [const { String::new() }; 2];
        let mut scope = module();
        let mut methods = super::names::scope();
        let hydrator_type = scope.claim("Hydrators");
        _ = self.found.hydrators.set(hydrator_type.clone());
        let functions: Vec<String> = self.package.prompts.iter().map(|prompt| scope.claim(&prompt.names.python)).collect();
        for (prompt, function) in self.package.prompts.iter().zip(&functions) {
            let (input, codec) = self.typed(Some(&prompt.input), &mut imports);
            let roots = imports.shared("roots_of");
            let own = Code::call(&roots, vec![codec.clone(), Code::text("input")]);
            let mut parameters = vec![input.clone().around("input: ", "")];
            let mut from = own.clone();
            if let Some(hydrates) = &prompt.hydrates {
                let (found, found_codec) = self.typed(Some(hydrates), &mut imports);
                let method = methods.claim(&prompt.names.python);
                let docs = (prompt.about.description.as_deref(), prompt.about.deprecated.as_deref());
                let parameters_of = vec![Code::text("self"), input.clone().around("input: ", ""), Code::text("/")];
                let signature = Code::call(format!("async def {method}"), parameters_of);
                _ = write!(hydrators, "\n{}", body(&signature, &found, docs, 4));
                let read = Code::call(format!("{}.decode", codec.flat()), vec![Code::text("args")]);
                let asked = Code::call(format!("hydrators.{method}"), vec![read]).around("await ", "");
                let written = Code::call(format!("{}.encode", found_codec.flat()), vec![asked]).statement(12, "return ", "");
                _ = write!(cases, "        case {}:\n{written}", text(&prompt.name));
                parameters.push(found.around("found: ", ""));
                let second = Code::call(&roots, vec![found_codec, Code::text("found")]);
                from = Code::Bracket {
                    head: String::new(),
                    open: '{',
                    items: vec![own.around("**", ""), second.around("**", "")],
                    close: "}",
                };
            }
            let signature = Code::call(format!("def {function}"), parameters).statement(0, "", " -> str:");
            let said = format!("The text of the prompt `{}`.", prompt.name);
            let docs = docstring(Some(prompt.about.description.as_deref().unwrap_or(&said)), prompt.about.deprecated.as_deref(), 4);
            let rendered =
                Code::call(imports.shared("render"), vec![template(&prompt.text, &mut imports), from]).statement(4, "return ", "");
            _ = write!(out, "\n\n{signature}{docs}{rendered}");
        }
        if !hydrators.is_empty() {
            let function = scope.claim("hydrate");
            let (protocol, json, unknown) = (imports.typing("Protocol"), imports.shared("JsonValue"), imports.shared("unknown_name"));
            let parameters =
                ["prompt: str", "args: object"].map(Code::text).into_iter().chain([Code::text(format!("hydrators: {hydrator_type}"))]);
            let signature = Code::call(format!("async def {function}"), parameters.collect()).statement(0, "", &format!(" -> {json}:"));
            _ = write!(
                out,
                "\n\nclass {hydrator_type}({protocol}):\n    \"\"\"Finds what prompts need at run time.\"\"\"\n{hydrators}\n\n{signature}    \
                 \"\"\"Answers a `prompt.hydrate.request` with the payload of its result.\"\"\"\n    match prompt:\n{cases}        \
                 case _:\n            raise {unknown}(prompt)\n"
            );
        }
        let name = scope.claim("PromptName");
        let prompts: Vec<&str> = self.package.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        let names = names(&name, &prompts, "The names of the prompts.", &mut imports);
        Some(format!("{}{names}{out}", imports.top()))
    }

    pub(super) fn agents(self) -> Option<String> {
        let mut imports = Imports::default();
        let mut out = String::new();
        let mut scope = module();
        for agent in &self.package.agents {
            let ((input, read), (output, answered)) =
                (self.typed(Some(&agent.input), &mut imports), self.typed(Some(&agent.output), &mut imports));
            let kind = imports.shared("AgentDefinition");
            let mut arguments =
                vec![Code::named("name", Code::text(text(&agent.name))), Code::named("input", read), Code::named("output", answered)];
            arguments.extend(agent.model.as_ref().map(|model| Code::named("model", Code::text(text(model)))));
            out.push('\n');
            out.push_str(&constant(&scope.claim(&agent.names.python), &kind, vec![input, output], arguments));
            out.push_str(&docstring(agent.about.description.as_deref(), agent.about.deprecated.as_deref(), 0));
        }
        (!out.is_empty()).then(|| format!("{}{out}", imports.top()))
    }

    pub(super) fn workflows(self) -> Option<String> {
        let mut imports = Imports::default();
        let mut out = String::new();
        let mut scope = module();
        for workflow in &self.package.workflows {
            let (input, read) = self.typed(Some(&workflow.input), &mut imports);
            let (output, answered) = self.typed(workflow.output.as_ref(), &mut imports);
            let mut notes = workflow.about.description.clone().unwrap_or_default();
            if !workflow.failures.is_empty() {
                let said = format!("It fails with {}.", quoted(&workflow.failures));
                notes = if notes.is_empty() { said } else { format!("{notes}\n\n{said}") };
            }
            let arguments = vec![
                Code::named("name", Code::text(text(&workflow.name))),
                Code::named("digest", Code::text(text(&workflow.digest))),
                Code::named("input", read),
                Code::named("output", answered),
                Code::named("definition_json", Code::text(json(&workflow.definition))),
            ];
            let kind = imports.shared("WorkflowDefinition");
            out.push('\n');
            out.push_str(&constant(&scope.claim(&workflow.names.python), &kind, vec![input, output], arguments));
            out.push_str(&docstring(Some(&notes), workflow.about.deprecated.as_deref(), 0));
            let name = scope.claim(&format!("{}Node", workflow.type_names.python.trim_start_matches('_')));
            out.push_str(&names(&name, &workflow.nodes(), &format!("The names of the nodes of `{}`.", workflow.name), &mut imports));
        }
        (!out.is_empty()).then(|| format!("{}{out}", imports.top()))
    }
}

/// A type of some names.
fn names(name: &str, values: &[&str], about: &str, imports: &mut Imports) -> String {
    let (alias, literal) = (imports.typing("TypeAlias"), imports.typing("Literal"));
    let literal = Code::index(literal, values.iter().map(|value| Code::text(text(value))).collect());
    format!("\n{}{}", assignment(0, name, &Code::text(alias), &literal), docstring(Some(about), None, 0))
}

/// A constant that an object of this kind is made for.
pub(super) fn constant(name: &str, kind: &str, types: Vec<Code>, arguments: Vec<Code>) -> String {
    assignment(0, name, &Code::index(kind, types), &Code::call(kind, arguments))
}

/// A method of a protocol, with what is said about it.
pub(super) fn body(signature: &Code, output: &Code, docs: (Option<&str>, Option<&str>), indent: usize) -> String {
    let said = docstring(docs.0, docs.1, indent + 4);
    if said.is_empty() {
        return signature.statement(indent, "", &format!(" -> {}: ...", output.flat()));
    }
    format!("{}{said}{}...\n", signature.statement(indent, "", &format!(" -> {}:", output.flat())), " ".repeat(indent + 4))
}

/// `OrderPlaced` as `ORDER_PLACED`.
fn shouting(name: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    for character in name.chars() {
        if lower && character.is_uppercase() {
            out.push('_');
        }
        lower = character.is_lowercase() || character.is_ascii_digit();
        out.extend(character.to_uppercase());
    }
    out
}
