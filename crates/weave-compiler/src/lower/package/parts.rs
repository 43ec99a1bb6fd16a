//! Events, tools, toolkits, prompts, agents and workflows.

use rustc_hash::FxHashSet;
use weave_analysis::model::declarations::{Agent, Event, FailureName, Prompt, PromptTier, Tool, ToolReference, Toolkit, WorkflowSignature};
use weave_analysis::model::naming::Role;
use weave_analysis::model::offered::offered;
use weave_analysis::model::types::Type;
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_ir::package::{
    About, Failure, Names, Package, PackageAgent, PackageEvent, PackagePrompt, PackageTool, PackageToolkit, PackageWorkflow, ServiceEntry,
    ToolUse, TypeReference,
};
use weave_ir::{Template, Tier};

use super::super::Compiled;
use super::super::parts::Parts;
use super::super::places::Places;
use super::super::values::template;
use super::Lowering;
use super::named::{about, called, suffixed};
use super::types::Place;

impl Lowering<'_> {
    /// Lowers what is no type.
    pub(super) fn part(&mut self, id: DeclarationId, declaration: &Declaration, compiled: &[Compiled], package: &mut Package) {
        match &declaration.kind {
            DeclarationKind::Event(event) => package.events.push(self.event(declaration, event)),
            DeclarationKind::Tool(tool) => package.tools.push(self.tool(declaration, tool)),
            DeclarationKind::Toolkit(toolkit) => package.toolkits.push(self.toolkit(id, declaration, toolkit)),
            DeclarationKind::Prompt(prompt) => package.prompts.push(self.prompt(declaration, prompt)),
            DeclarationKind::Agent(agent) => package.agents.push(self.agent(declaration, agent)),
            DeclarationKind::Workflow(workflow) => package.workflows.extend(self.workflow(declaration, workflow, compiled)),
            _ => {}
        }
    }

    /// A type that is called like a declaration with a suffix that the check for clashes knows.
    fn reserved(&mut self, declaration: &Declaration, suffix: &str, ty: &Type, said: &str) -> TypeReference {
        let names = suffixed(&type_names(declaration), suffix);
        let place = Place { identity: self.taken.beside(&declaration.name, suffix), names };
        self.named(ty, &place, described(said, declaration))
    }

    /// The same with another suffix, which may need a number behind it.
    fn beside(&mut self, declaration: &Declaration, suffix: &str, ty: &Type, said: &str) -> TypeReference {
        let names = suffixed(&type_names(declaration), suffix);
        let place = self.claimed(&format!("{}{suffix}", declaration.name.replace('.', "_")), &names);
        self.named(ty, &place, described(said, declaration))
    }

    fn event(&mut self, declaration: &Declaration, event: &Event) -> PackageEvent {
        let payload = self.beside(declaration, "Payload", &event.payload, "The payload of the event");
        let topic = |id: &DeclarationId| self.model.get(*id).map(|it| it.name.to_string());
        PackageEvent {
            topic: declaration.name.to_string(),
            names: called(Role::Type, &declaration.name, &declaration.target_names),
            about: about(declaration),
            external: event.external,
            payload,
            answers: event.answers.iter().filter_map(topic).collect(),
        }
    }

    fn tool(&mut self, declaration: &Declaration, tool: &Tool) -> PackageTool {
        let input = Type::Record(std::sync::Arc::clone(&tool.input));
        let is_provider = tool.kind == weave_syntax::ast::ToolKind::Provider;
        let (takes, gives) = ("The arguments of the tool", "The output of the tool");
        // Nothing is made for a provider's tool that the check for clashes would have compared.
        let input =
            if is_provider { self.beside(declaration, "Input", &input, takes) } else { self.reserved(declaration, "Input", &input, takes) };
        let output = tool.output.as_ref().map(|ty| match is_provider {
            true => self.beside(declaration, "Output", ty, gives),
            false => self.reserved(declaration, "Output", ty, gives),
        });
        let progress = tool.progress.as_ref().map(|ty| self.beside(declaration, "Progress", ty, "What the tool streams"));
        let artifacts =
            tool.artifacts.as_ref().map(|ty| self.beside(declaration, "Artifacts", ty, "What the tool hands to the application"));
        PackageTool {
            name: declaration.name.to_string(),
            names: called(Role::Member, &declaration.name, &declaration.target_names),
            type_names: type_names(declaration),
            about: about(declaration),
            descriptor: self.descriptor(declaration, tool),
            input,
            output,
            progress,
            artifacts,
            fails: tool.fails.iter().map(|name| self.failure(name)).collect(),
            action: tool.action.as_ref().map(read),
        }
    }

    fn descriptor(&self, declaration: &Declaration, tool: &Tool) -> weave_ir::Tool {
        let parts = Parts { model: self.model, schemas: self.schemas, built_in: &self.program.built_in };
        // Nobody asks where a part of a package was written.
        parts.tool(declaration, tool, "", &mut Places::default())
    }

    fn failure(&self, name: &FailureName) -> Failure {
        match name {
            FailureName::Error(id) => Failure::Error(self.reference(*id)),
            FailureName::Kind(kind) => Failure::Kind(kind.to_string()),
        }
    }

    fn toolkit(&self, id: DeclarationId, declaration: &Declaration, toolkit: &Toolkit) -> PackageToolkit {
        let list = [ToolReference { target: id, alias: None, place: declaration.place, name_place: declaration.place }];
        let offer = offered(self.model, &list);
        let entry = |tool: DeclarationId| {
            let names = offer.tools.iter().filter(|offered| offered.target == tool).map(|offered| offered.name.clone());
            let TypeReference { package, name } = self.reference(tool);
            ServiceEntry { offered: names.collect(), tool: ToolUse { package, name } }
        };
        PackageToolkit {
            name: declaration.name.to_string(),
            names: called(Role::Member, &declaration.name, &declaration.target_names),
            type_names: type_names(declaration),
            about: about(declaration),
            tools: self.tools_of(toolkit).into_iter().map(entry).collect(),
            middleware: toolkit.middleware.iter().map(|name| name.to_string()).collect(),
        }
    }

    /// The tools of a toolkit, those of the toolkits in it too, each once.
    fn tools_of(&self, toolkit: &Toolkit) -> Vec<DeclarationId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut open: Vec<DeclarationId> = toolkit.tools.iter().rev().map(|reference| reference.target).collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.model.get(id).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Tool(_)) => found.push(id),
                Some(DeclarationKind::Toolkit(inner)) => open.extend(inner.tools.iter().rev().map(|reference| reference.target)),
                _ => {}
            }
        }
        found
    }

    fn prompt(&mut self, declaration: &Declaration, prompt: &Prompt) -> PackagePrompt {
        let input =
            self.beside(declaration, "PromptInput", &Type::Record(std::sync::Arc::clone(&prompt.input)), "The parameters of the prompt");
        let hydrates = prompt.hydrates.as_ref().map(|record| {
            let record = Type::Record(std::sync::Arc::clone(record));
            self.beside(declaration, "Hydration", &record, "What is hydrated at run time for the prompt")
        });
        PackagePrompt {
            name: declaration.name.to_string(),
            names: called(Role::Member, &declaration.name, &declaration.target_names),
            type_names: type_names(declaration),
            about: about(declaration),
            tier: match prompt.tier {
                PromptTier::Static => Tier::Static,
                PromptTier::Bound => Tier::Bound,
                PromptTier::Dynamic => Tier::Dynamic,
            },
            input,
            hydrates,
            text: read(&prompt.text),
        }
    }

    fn agent(&mut self, declaration: &Declaration, agent: &Agent) -> PackageAgent {
        let input = self.reserved(declaration, "Input", &Type::Record(std::sync::Arc::clone(&agent.input)), "The input of the agent");
        let plain = self.program.built_in.plain_answer(self.model).cloned();
        let output = agent.output.clone().or(plain).unwrap_or(Type::Null);
        PackageAgent {
            name: declaration.name.to_string(),
            names: called(Role::Member, &declaration.name, &declaration.target_names),
            type_names: type_names(declaration),
            about: about(declaration),
            model: agent.model.as_deref().map(str::to_owned),
            input,
            output: self.reserved(declaration, "Output", &output, "The output of the agent"),
        }
    }

    fn workflow(&mut self, declaration: &Declaration, workflow: &WorkflowSignature, compiled: &[Compiled]) -> Option<PackageWorkflow> {
        let compiled = compiled.iter().find(|it| it.file == self.file && *it.name == *declaration.name)?;
        let definition = compiled.definition.to_json_compact().ok().and_then(|text| serde_json::from_str(&text).ok())?;
        let input = Type::Record(std::sync::Arc::clone(&workflow.input));
        Some(PackageWorkflow {
            name: declaration.name.to_string(),
            names: called(Role::Member, &declaration.name, &declaration.target_names),
            type_names: type_names(declaration),
            about: about(declaration),
            input: self.reserved(declaration, "Input", &input, "The input of the workflow"),
            output: workflow.output.as_ref().map(|ty| self.reserved(declaration, "Output", ty, "The output of the workflow")),
            failures: workflow.failures.iter().map(|code| code.to_string()).collect(),
            definition,
            digest: compiled.source_map.digest.clone(),
        })
    }
}

fn type_names(declaration: &Declaration) -> Names {
    called(Role::Type, &declaration.name, &declaration.target_names)
}

fn described(what: &str, declaration: &Declaration) -> About {
    About { description: Some(format!("{what} `{}`.", declaration.name)), deprecated: None }
}

/// A text with placeholders; the printed form of one is always read again.
fn read(text: &weave_analysis::model::value::Template) -> Template {
    let printed = template(text);
    Template::parse(&printed).unwrap_or_else(|_| Template::text(printed))
}
