//! From the typed model to what builders in other languages are made from.

mod written;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use weave_analysis::model::offered::offered;
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_diagnostics::FileId;
use weave_ir::package::{Builders, BuiltWorkflow, Part, PartKey, PartKind};
use weave_ir::{Agent, Definition, OfferedTool, Schema};

use super::children::Digests;
use super::definition::child_workflow;
use super::package::{PRELUDE, declaring, folders, ids, is_type};
use super::parts::{Parts, duration, retry, said};
use super::places::Places;
use super::uses::{Contents, Use, Uses};
use super::{Compiled, Program, names};
use crate::schema::{Schemas, TypeNames};

/// What the definitions of a program are put together from, and how.
pub(crate) fn builders(program: &Program<'_>, compiled: &[Compiled]) -> Builders {
    let model = program.model;
    let folders = folders(&declaring(model), program.sources);
    let types: Vec<DeclarationId> = ids(model).filter(|(_, it)| is_type(it)).map(|(id, _)| id).collect();
    let names = names::names(model, &types);
    let schemas = Schemas { model, names: &names };
    let mut bare = Definition::new("", Schema(json!({})), Schema(json!({})));
    let named = |id: &DeclarationId| Some((names.get(id)?.clone(), Schema(schemas.declaration(model.get(*id)?))));
    bare.defs = types.iter().filter_map(named).collect();
    let mut lowering = Lowering {
        program,
        parts: Parts { model, schemas, built_in: &program.built_in },
        names: &names,
        folders: &folders,
        uses: Uses::new(model),
        digests: digests(program, compiled),
        bare,
    };
    let mut builders = Builders::default();
    for (id, declaration) in ids(model) {
        for (kind, part) in lowering.parts_of(id, declaration) {
            builders.parts.insert(lowering.key(kind, declaration), part);
        }
    }
    for (id, declaration) in ids(model) {
        if let (Some(contents), Some(body)) = (program.contents.get(&id), program.bodies.get(&id)) {
            let built = BuiltWorkflow { parts: lowering.contents(contents), guards: written::guards(model, &body.nodes) };
            let package = folders.get(&declaration.file).cloned().unwrap_or_default();
            builders.workflows.insert((package, declaration.name.to_string()), built);
        }
    }
    builders
}

/// The digests of the workflows.
fn digests(program: &Program<'_>, compiled: &[Compiled]) -> Digests {
    let found = ids(program.model).filter_map(|(id, declaration)| {
        let is_workflow = matches!(declaration.kind, DeclarationKind::Workflow(_));
        let mut same = compiled.iter().filter(|it| is_workflow && it.file == declaration.file && *it.name == *declaration.name);
        Some((id, same.next()?.source_map.digest.clone()))
    });
    found.collect()
}

struct Lowering<'a> {
    program: &'a Program<'a>,
    parts: Parts<'a>,
    names: &'a TypeNames,
    folders: &'a FxHashMap<FileId, String>,
    uses: Uses,
    digests: Digests,
    /// A definition with all types of the program and nothing else, for projections.
    bare: Definition,
}

impl Lowering<'_> {
    fn key(&self, kind: PartKind, declaration: &Declaration) -> PartKey {
        let package = (declaration.file != PRELUDE).then(|| self.folders.get(&declaration.file).cloned().unwrap_or_default());
        PartKey { package, kind, name: declaration.name.to_string() }
    }

    fn contents(&self, contents: &Contents) -> BTreeSet<PartKey> {
        let lists = [
            (PartKind::Type, &contents.types),
            (PartKind::Tool, &contents.tools),
            (PartKind::Toolkit, &contents.toolkits),
            (PartKind::Agent, &contents.agents),
            (PartKind::Prompt, &contents.prompts),
            (PartKind::Event, &contents.events),
            (PartKind::Error, &contents.errors),
            (PartKind::Workflow, &contents.workflows),
        ];
        let keys = lists.into_iter().flat_map(|(kind, list)| list.iter().map(move |id| (kind, *id)));
        keys.filter_map(|(kind, id)| Some(self.key(kind, self.program.model.get(id)?))).collect()
    }

    /// A declaration as parts: an error is a type as well.
    fn parts_of(&mut self, id: DeclarationId, declaration: &Declaration) -> Vec<(PartKind, Part)> {
        let mut found = Vec::new();
        if is_type(declaration) {
            let schema = self.parts.schemas.declaration(declaration);
            let name = self.names.get(&id).cloned().unwrap_or_default();
            found.push((PartKind::Type, self.part(id, name, schema)));
        }
        // Nobody asks where a part was written.
        let (name, mut places) = (declaration.name.to_string(), Places::default());
        let parts = &self.parts;
        let lowered = match &declaration.kind {
            DeclarationKind::Tool(tool) => {
                let tool = parts.tool(declaration, tool, "", &mut places);
                let entry = value(&tool);
                self.bare.tools.insert(name.clone(), tool);
                let offered = self.offered(OfferedTool::Tool { name: String::new(), tool: name.clone(), middleware: Vec::new() });
                self.bare.tools.clear();
                Some((PartKind::Tool, Part { offered, ..self.part(id, name, entry) }))
            }
            DeclarationKind::Agent(agent) => {
                let offers = offered(self.program.model, &agent.tools);
                let lowered = parts.agent(declaration, agent, &offers.tools, "", &mut places);
                let entry = value(&lowered);
                // What this one is offered is no matter of its own projections.
                self.bare.agents.insert(name.clone(), Agent { tools: Vec::new(), ..lowered });
                let projections = value(&weave_providers::projections(&self.bare, &|_| agent.output.is_some()));
                let offered = self.offered(OfferedTool::Agent { name: String::new(), agent: name.clone(), middleware: Vec::new() });
                self.bare.agents.clear();
                let timeout = duration(agent.timeout);
                let retry = said(agent.retry.as_ref()).map(|it| retry(self.program.model, it));
                Some((PartKind::Agent, Part { projections: some(projections), offered, timeout, retry, ..self.part(id, name, entry) }))
            }
            DeclarationKind::Workflow(signature) => {
                let child = child_workflow(declaration, signature, self.digests.get(&id), parts);
                let entry = value(&child);
                self.bare.workflows.insert(name.clone(), child);
                let offered = self.offered(OfferedTool::Workflow { name: String::new(), workflow: name.clone(), middleware: Vec::new() });
                self.bare.workflows.clear();
                Some((PartKind::Workflow, Part { offered, ..self.part(id, name, entry) }))
            }
            DeclarationKind::Toolkit(toolkit) => {
                let entry = value(&parts.toolkit(declaration, toolkit, "", &mut places));
                Some((PartKind::Toolkit, self.part(id, name, entry)))
            }
            DeclarationKind::Prompt(prompt) => {
                let entry = value(&parts.prompt(declaration, prompt, "", &mut places));
                Some((PartKind::Prompt, self.part(id, name, entry)))
            }
            DeclarationKind::Event(event) => Some((PartKind::Event, self.part(id, name, value(&parts.event(declaration, event))))),
            DeclarationKind::Error(data) => {
                Some((PartKind::Error, self.part(id, name, value(&parts.error(declaration, data, "", &mut places)))))
            }
            DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) => None,
        };
        found.extend(lowered);
        found
    }

    fn part(&self, id: DeclarationId, name: String, entry: Json) -> Part {
        let kind = |used: &Use, declaration: &Declaration| match (used, &declaration.kind) {
            (Use::Type(_), _) => Some(PartKind::Type),
            (_, DeclarationKind::Tool(_)) => Some(PartKind::Tool),
            (_, DeclarationKind::Toolkit(_)) => Some(PartKind::Toolkit),
            (_, DeclarationKind::Agent(_)) => Some(PartKind::Agent),
            (_, DeclarationKind::Prompt(_)) => Some(PartKind::Prompt),
            (_, DeclarationKind::Event(_)) => Some(PartKind::Event),
            (_, DeclarationKind::Error(_)) => Some(PartKind::Error),
            (_, DeclarationKind::Workflow(_)) => Some(PartKind::Workflow),
            // Types are no parts.
            _ => None,
        };
        let key = |used: &Use| {
            let (Use::Type(id) | Use::Part(id)) = *used;
            let declaration = self.program.model.get(id)?;
            Some(self.key(kind(used, declaration)?, declaration))
        };
        let uses = self.uses.of(id).iter().filter_map(key).collect();
        Part { name, entry, uses, projections: Json::Null, offered: Json::Null, timeout: None, retry: None }
    }

    /// The projections of what an agent is offered.
    fn offered(&mut self, tool: OfferedTool) -> Json {
        let nothing = || Schema(json!({}));
        // No declaration has an empty name.
        let host = Agent { tools: vec![tool], ..Agent::new(nothing(), nothing()) };
        self.bare.agents.insert(String::new(), host);
        let projections = value(&weave_providers::projections(&self.bare, &|_| false));
        self.bare.agents.remove("");
        some(projections)
    }
}

/// A part as JSON. What the types of `weave-ir` hold always has a form in it.
fn value(part: &impl serde::Serialize) -> Json {
    serde_json::to_value(part).unwrap_or_default()
}

/// Null in place of an empty object.
fn some(projections: Json) -> Json {
    if projections.as_object().is_some_and(serde_json::Map::is_empty) { Json::Null } else { projections }
}
