//! One definition, put together.

use rustc_hash::FxHashSet;
use weave_analysis::flow::Dominators;
use weave_analysis::model::declarations::WorkflowSignature;
use weave_analysis::model::offered::offered;
use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_ir::{ChildWorkflow, Definition, Schema};

use super::children::Digests;
use super::nodes::Nodes;
use super::parts::{Parts, duration, entries, fields};
use super::places::Places;
use super::triggers::Triggers;
use super::uses::Contents;
use super::values::child;
use super::{Compiled, Program, names};
use crate::schema::Schemas;

impl Program<'_> {
    /// The definition of a workflow whose children have been lowered; nothing for what is no workflow.
    pub(super) fn definition(&self, id: DeclarationId, digests: &Digests) -> Result<Option<Compiled>, weave_ir::Error> {
        let Some((declaration, signature, body, contents)) = self.workflow(id) else { return Ok(None) };
        let names = names::names(self.model, &contents.types);
        let parts = Parts { model: self.model, schemas: Schemas { model: self.model, names: &names }, built_in: &self.built_in };
        let mut places = Places::default();
        let mut definition = self.head(declaration, signature, &parts, &mut places);
        self.nodes(body, digests, &mut definition, &mut places);
        self.parts(contents, digests, &parts, &mut definition, &mut places);
        for id in &contents.types {
            if let (Some(declaration), Some(name)) = (self.model.get(*id), names.get(id)) {
                let pointer = child("/$defs", name);
                places.add(pointer.clone(), declaration.place);
                if let Some(record) = self.model.record(&weave_analysis::Type::Named(*id)) {
                    fields(record, &pointer, &mut places);
                }
                definition.defs.insert(name.clone(), Schema(parts.schemas.declaration(declaration)));
            }
        }
        let declared: FxHashSet<&str> = contents.agents.iter().filter_map(|id| self.structured_agent(*id)).collect();
        definition.projections = weave_providers::projections(&definition, &|agent| declared.contains(agent));
        let digest = definition.digest()?;
        let name = declaration.name.to_string();
        let source_map = places.finish(&name, digest, self.sources, declaration.file);
        Ok(Some(Compiled { name, file: declaration.file, definition, source_map }))
    }

    /// The name of an agent that declares what it answers; others answer with plain text.
    fn structured_agent(&self, id: DeclarationId) -> Option<&str> {
        let declaration = self.model.get(id)?;
        let DeclarationKind::Agent(agent) = &declaration.kind else { return None };
        agent.output.as_ref().map(|_| &*declaration.name)
    }

    fn workflow(&self, id: DeclarationId) -> Option<(&Declaration, &WorkflowSignature, &WorkflowBody, &Contents)> {
        let declaration = self.model.get(id)?;
        let DeclarationKind::Workflow(signature) = &declaration.kind else { return None };
        Some((declaration, signature, self.bodies.get(&id)?, self.contents.get(&id)?))
    }

    fn head(&self, declaration: &Declaration, signature: &WorkflowSignature, parts: &Parts<'_>, places: &mut Places) -> Definition {
        let input = Schema(parts.schemas.record(&signature.input));
        let output = Schema(parts.schemas.output(signature.output.as_ref()));
        let mut definition = Definition::new(&*declaration.name, input, output);
        definition.title = signature.title.as_deref().map(str::to_owned);
        definition.description = declaration.docs.as_deref().map(str::to_owned);
        definition.deprecated = declaration.deprecated.as_deref().map(str::to_owned);
        definition.version = signature.version.as_deref().map(str::to_owned);
        definition.timeout = duration(signature.timeout);
        definition.meta = entries(signature.meta.as_ref());
        places.add("/workflow".to_owned(), declaration.place);
        fields(&signature.input, "/input", places);
        definition
    }

    fn nodes(&self, body: &WorkflowBody, digests: &Digests, definition: &mut Definition, places: &mut Places) {
        let dominators = Dominators::new(self.model, &body.nodes);
        let triggers = Triggers { model: self.model, nodes: &body.nodes, dominators: &dominators };
        let nodes = Nodes { model: self.model, triggers, digests };
        definition.nodes = body.nodes.iter().enumerate().map(|(index, node)| nodes.lower(index, node, places)).collect();
    }

    fn parts(&self, contents: &Contents, digests: &Digests, parts: &Parts<'_>, definition: &mut Definition, places: &mut Places) {
        let lists = [
            &contents.tools,
            &contents.toolkits,
            &contents.agents,
            &contents.prompts,
            &contents.events,
            &contents.errors,
            &contents.workflows,
        ];
        for id in lists.into_iter().flatten() {
            let Some(declaration) = self.model.get(*id) else { continue };
            let name = declaration.name.to_string();
            let mut at = |key: &str| {
                let pointer = child(key, &name);
                places.add(pointer.clone(), declaration.place);
                pointer
            };
            match &declaration.kind {
                DeclarationKind::Tool(tool) => {
                    let pointer = at("/tools");
                    definition.tools.insert(name, parts.tool(declaration, tool, &pointer, places));
                }
                DeclarationKind::Toolkit(toolkit) => {
                    let pointer = at("/toolkits");
                    definition.toolkits.insert(name, parts.toolkit(declaration, toolkit, &pointer, places));
                }
                DeclarationKind::Agent(agent) => {
                    let pointer = at("/agents");
                    let offer = offered(self.model, &agent.tools);
                    definition.agents.insert(name, parts.agent(declaration, agent, &offer.tools, &pointer, places));
                }
                DeclarationKind::Prompt(prompt) => {
                    let pointer = at("/prompts");
                    definition.prompts.insert(name, parts.prompt(declaration, prompt, &pointer, places));
                }
                DeclarationKind::Event(event) => {
                    at("/events");
                    definition.events.insert(name, parts.event(declaration, event));
                }
                DeclarationKind::Error(data) => {
                    let pointer = at("/errors");
                    definition.errors.insert(name, parts.error(declaration, data, &pointer, places));
                }
                DeclarationKind::Workflow(signature) => {
                    at("/workflows");
                    definition.workflows.insert(name, child_workflow(declaration, signature, digests.get(id), parts));
                }
                _ => {}
            }
        }
    }
}

pub(super) fn child_workflow(
    declaration: &Declaration,
    signature: &WorkflowSignature,
    digest: Option<&String>,
    parts: &Parts<'_>,
) -> ChildWorkflow {
    ChildWorkflow {
        description: declaration.docs.as_deref().map(str::to_owned),
        deprecated: declaration.deprecated.as_deref().map(str::to_owned),
        digest: digest.cloned().unwrap_or_default(),
        input: Schema(parts.schemas.record(&signature.input)),
        output: Schema(parts.schemas.output(signature.output.as_ref())),
    }
}
