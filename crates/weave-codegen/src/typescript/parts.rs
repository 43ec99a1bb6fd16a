//! Errors, events, prompts, agents and workflows.

use std::fmt::Write as _;

use weave_ir::package::{PackagePrompt, Shape, TypeReference};

use super::Module;
use super::imports::{Imports, comment, implemented};
use super::literal::{entry, json, text};
use super::names::{key, scope};
use super::tools::{either, template};
use super::types::Home;
use crate::text::quoted;
use crate::tools::status;

impl Module<'_> {
    pub(super) fn codec_of(self, reference: &TypeReference, imports: &mut Imports) -> String {
        let (name, declaration) = self.program.ty(&self.package.name, reference);
        declaration.iter().for_each(|it| imports.uses(&it.about));
        format!("{}.{name}", imports.values(reference.package.as_deref(), "codecs"))
    }

    /// A type with what reads it; nothing where there is none.
    fn typed(self, reference: Option<&TypeReference>, imports: &mut Imports) -> (String, String) {
        match reference {
            Some(reference) => (self.reference(reference, Home::Elsewhere, imports), self.codec_of(reference, imports)),
            None => ("void".to_owned(), format!("{}.NOTHING", imports.shared())),
        }
    }

    pub(super) fn errors(self) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        for declaration in &self.package.types {
            let Shape::Error { code, category, status: chosen, data } = &declaration.shape else { continue };
            let own = TypeReference { package: None, name: declaration.name.clone() };
            let shared = imports.shared();
            let (ty, codec) = self.typed(Some(&own), &mut imports);
            let name = self.error_function(&own);
            let status = chosen.unwrap_or(status(*category));
            let said = text(declaration.about.description.as_deref().unwrap_or(code));
            let argument = if data.fields.is_empty() { format!("data: {ty} = {{}}") } else { format!("data: {ty}") };
            out.push_str(&comment(declaration.about.description.as_deref(), declaration.about.deprecated.as_deref(), ""));
            _ = writeln!(
                out,
                "export function {name}({argument}, message = {said}): {shared}.ToolFailure {{\n  return {shared}.declaredFailure({}, {codec}.encode(data), {status}, message);\n}}\n",
                text(code),
            );
        }
        (!out.is_empty()).then(|| imports.before(&out))
    }

    pub(super) fn events(self) -> Option<String> {
        if self.package.events.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let shared = imports.shared();
        let mut scope = scope();
        let mut one = String::new();
        let [mut topics, mut payloads, mut payload_types, mut cases, mut encoded] = [const { String::new() }; 5];
        let mut members = Vec::new();
        for event in &self.package.events {
            let topic = text(&event.topic);
            let (ty, codec) = self.typed(Some(&event.payload), &mut imports);
            let docs = comment(event.about.description.as_deref(), event.about.deprecated.as_deref(), "  ");
            let mut name: String = event.names.typescript.clone();
            if let Some(first) = name.get(..1).map(str::to_ascii_lowercase) {
                name.replace_range(..1, &first);
            }
            _ = writeln!(topics, "{docs}  {}: {topic},", key(&scope.claim(&name)));
            _ = writeln!(payload_types, "  readonly {topic}: {shared}.Codec<{ty}>;");
            _ = writeln!(payloads, "  {topic}: {codec},");
            members.push(format!("{{ readonly topic: {topic}; readonly payload: {ty} }}"));
            _ = writeln!(cases, "    case {topic}:\n      return {shared}.payloadOf({topic}, {codec}.decode(payload));");
            _ = writeln!(encoded, "    case {topic}:\n      return {codec}.encode(event.payload);");
            one = format!("  return {codec}.encode(event.payload);\n");
        }
        // There is nothing to compare the only topic with.
        let several = self.package.events.len() > 1;
        let encoded = if several { format!("  switch (event.topic) {{\n{encoded}  }}\n") } else { one };
        let out = format!(
            "/** The topics. */\nexport const topics = {{\n{topics}}} as const;\n\n\
             /** One of the topics. */\nexport type Topic = (typeof topics)[keyof typeof topics];\n\n\
             /** What reads and writes the payload of each topic. */\nexport const payloads: {{\n{payload_types}}} = {{\n{payloads}}};\n\n\
             /** An event with its payload: a `switch` over its topic is exhaustive. */\n{}\n\n\
             /** Reads an event; a topic that is none of them fits nothing. */\n\
             export function decodeEvent(topic: string, payload: unknown): {shared}.Result<Event> {{\n  switch (topic) {{\n{cases}    default:\n      return {shared}.unknownName(topic);\n  }}\n}}\n\n\
             /** Writes the payload of an event. */\n\
             export function encodeEvent(event: Event): {shared}.JsonValue {{\n{encoded}}}\n",
            either("Event", &members),
        );
        Some(imports.before(&out))
    }

    pub(super) fn prompts(self) -> Option<String> {
        if self.package.prompts.is_empty() {
            return None;
        }
        let mut imports = self.imports();
        let mut out = String::new();
        let [mut hydrators, mut cases] = [const { String::new() }; 2];
        let mut scope = scope();
        let functions: Vec<String> = self.package.prompts.iter().map(|prompt| scope.claim(&prompt.names.typescript)).collect();
        for (prompt, function) in self.package.prompts.iter().zip(&functions) {
            let shared = imports.shared();
            let (input, codec) = self.typed(Some(&prompt.input), &mut imports);
            let parts = template(&prompt.text, 2);
            out.push_str(&comment(prompt.about.description.as_deref(), prompt.about.deprecated.as_deref(), ""));
            let roots = match &prompt.hydrates {
                None => {
                    _ = writeln!(out, "export function {function}(input: {input}): string {{");
                    format!("{shared}.asJson({codec}, input)")
                }
                Some(hydrates) => {
                    let (found, found_codec) = self.typed(Some(hydrates), &mut imports);
                    let (name, wire) = (key(&prompt.names.typescript), text(&prompt.name));
                    let docs = implemented(&prompt.about);
                    _ = writeln!(hydrators, "{docs}  {name}(input: {input}, signal: AbortSignal): {shared}.Awaitable<{found}>;");
                    let method = if name.starts_with('"') { format!("[{name}]") } else { format!(".{name}") };
                    _ = writeln!(
                        cases,
                        "    case {wire}:\n      return {found_codec}.encode(await hydrators{method}({codec}.parse(request.args), signal));"
                    );
                    _ = writeln!(out, "export function {function}(input: {input}, found: {found}): string {{");
                    format!("{{ ...{shared}.asJson({codec}, input), ...{shared}.asJson({found_codec}, found) }}")
                }
            };
            _ = writeln!(out, "  return {shared}.render({parts}, {roots});\n}}\n");
        }
        let [types, values] = [("readonly ", ";"), ("", ",")].map(|(before, after)| {
            let line = |prompt: &PackagePrompt| format!("  {before}{}: {}{after}\n", entry(&prompt.name), text(&prompt.name));
            self.package.prompts.iter().map(line).collect::<String>()
        });
        let names = scope.claim("prompts");
        _ = writeln!(out, "/** The names of the prompts. */\nexport const {names}: {{\n{types}}} = {{\n{values}}};\n");
        if !hydrators.is_empty() {
            let shared = imports.shared();
            let function = scope.claim("hydrate");
            _ = self.found.hydrators.set("Hydrators".to_owned());
            _ = writeln!(
                out,
                "/** Finds what prompts need at run time. */\nexport interface Hydrators {{\n{hydrators}}}\n\n\
                 /** Answers a `prompt.hydrate.request` with the payload of its result. */\n\
                 export async function {function}(\n  request: {{ readonly prompt: string; readonly args: unknown }},\n  hydrators: Hydrators,\n  signal: AbortSignal = new AbortController().signal,\n\
                 ): Promise<{shared}.JsonValue> {{\n  switch (request.prompt) {{\n{cases}    default:\n      throw new {shared}.ValidationError({{ message: \"is not a prompt that is hydrated here\", path: [\"prompt\"] }});\n  }}\n}}\n"
            );
        }
        Some(imports.before(&out))
    }

    pub(super) fn agents(self) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        let mut scope = scope();
        for agent in &self.package.agents {
            let shared = imports.shared();
            let ((input, read), (output, answered)) =
                (self.typed(Some(&agent.input), &mut imports), self.typed(Some(&agent.output), &mut imports));
            let model = agent.model.as_ref().map(|model| format!("  model: {},\n", text(model))).unwrap_or_default();
            let name = scope.claim(&agent.names.typescript);
            out.push_str(&comment(agent.about.description.as_deref(), agent.about.deprecated.as_deref(), ""));
            _ = writeln!(
                out,
                "export const {name}: {shared}.AgentDefinition<{input}, {output}> = {{\n  name: {},\n{model}  input: {read},\n  output: {answered},\n}};\n",
                text(&agent.name),
            );
        }
        (!out.is_empty()).then(|| imports.before(&out))
    }

    pub(super) fn workflows(self) -> Option<String> {
        let mut imports = self.imports();
        let mut out = String::new();
        let mut scope = scope();
        for workflow in &self.package.workflows {
            let shared = imports.shared();
            let (input, read) = self.typed(Some(&workflow.input), &mut imports);
            let (output, answered) = self.typed(workflow.output.as_ref(), &mut imports);
            let name = scope.claim(&workflow.names.typescript);
            let mut notes = workflow.about.description.clone().unwrap_or_default();
            if !workflow.failures.is_empty() {
                let said = format!("It fails with {}.", quoted(&workflow.failures));
                notes = if notes.is_empty() { said } else { format!("{notes}\n\n{said}") };
            }
            out.push_str(&comment(Some(&notes), workflow.about.deprecated.as_deref(), ""));
            let names = workflow.nodes();
            _ = writeln!(
                out,
                "export const {name}: {shared}.WorkflowDefinition<{input}, {output}, {}> = {{\n  name: {},\n  digest: {},\n  input: {read},\n  output: {answered},\n  nodes: {{\n{}  }},\n  definition: {},\n}};\n",
                names.iter().map(|id| text(id)).collect::<Vec<_>>().join(" | "),
                text(&workflow.name),
                text(&workflow.digest),
                names.iter().map(|id| format!("    {}: {},\n", entry(id), text(id))).collect::<String>(),
                json(&workflow.definition, 2),
            );
        }
        (!out.is_empty()).then(|| imports.before(&out))
    }
}
