//! Who uses what: which declarations a definition must carry.

use rustc_hash::FxHashSet;
use weave_analysis::model::declarations::{Agent, FailureName, Prompt, Retry, Tool};
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::workflow::{Action, Node, Source, WorkflowBody};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};

use super::BuiltIn;
use super::parts::said;

/// As what a declaration is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Use {
    /// As a type, which stands in `$defs`.
    Type(DeclarationId),
    /// As itself: a tool among the tools, an error among the errors.
    Part(DeclarationId),
}

/// What the declarations of a program use, looked up once for all definitions.
#[derive(Debug)]
pub(crate) struct Uses {
    /// By declaration.
    of: Vec<Box<[Use]>>,
}

impl Uses {
    pub(super) fn new(model: &Model) -> Self {
        let of = model.declarations.iter().map(|declaration| {
            let mut list = List::default();
            list.declaration(model, declaration);
            list.finish()
        });
        Self { of: of.collect() }
    }

    /// What a declaration uses itself.
    pub(super) fn of(&self, id: DeclarationId) -> &[Use] {
        self.of.get(id.0 as usize).map_or(&[], |uses| uses)
    }

    /// Everything that the definition of this workflow holds, in the order of the declarations.
    pub(super) fn contents(&self, model: &Model, workflow: DeclarationId, body: &WorkflowBody, built_in: &BuiltIn) -> Contents {
        let mut open = Vec::from(self.of(workflow));
        let mut list = List::default();
        for node in &body.nodes {
            list.node(node, built_in);
        }
        open.extend(list.finish());
        self.reached(model, open)
    }

    /// These declarations as parts, and all that they use.
    pub(super) fn of_parts(&self, model: &Model, parts: &[DeclarationId]) -> Contents {
        self.reached(model, parts.iter().map(|id| Use::Part(*id)).collect())
    }

    fn reached(&self, model: &Model, mut open: Vec<Use>) -> Contents {
        let mut seen: FxHashSet<Use> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            let (Use::Type(id) | Use::Part(id)) = next;
            // An agent that is used as a part brings its tools; a type brings the types in it, which are its uses too.
            open.extend(self.of(id).iter().copied().filter(|used| seen.insert(*used)));
        }
        Contents::new(model, seen)
    }
}

/// What a definition holds beside its nodes, each list in the order of the declarations.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) types: Vec<DeclarationId>,
    pub(crate) tools: Vec<DeclarationId>,
    pub(crate) toolkits: Vec<DeclarationId>,
    pub(crate) agents: Vec<DeclarationId>,
    pub(crate) prompts: Vec<DeclarationId>,
    pub(crate) events: Vec<DeclarationId>,
    pub(crate) errors: Vec<DeclarationId>,
    pub(crate) workflows: Vec<DeclarationId>,
}

impl Contents {
    fn new(model: &Model, seen: FxHashSet<Use>) -> Self {
        let mut contents = Self::default();
        let mut uses: Vec<Use> = seen.into_iter().collect();
        uses.sort_unstable();
        for used in uses {
            let (Use::Type(id) | Use::Part(id)) = used;
            let Some(declaration) = model.get(id) else { continue };
            match (used, &declaration.kind) {
                (Use::Type(_), _) => contents.types.push(id),
                (_, DeclarationKind::Tool(_)) => contents.tools.push(id),
                (_, DeclarationKind::Toolkit(_)) => contents.toolkits.push(id),
                (_, DeclarationKind::Agent(_)) => contents.agents.push(id),
                (_, DeclarationKind::Prompt(_)) => contents.prompts.push(id),
                (_, DeclarationKind::Event(_)) => contents.events.push(id),
                (_, DeclarationKind::Error(_)) => contents.errors.push(id),
                (_, DeclarationKind::Workflow(_)) => contents.workflows.push(id),
                // Types are no parts.
                _ => {}
            }
        }
        contents
    }
}

/// Collects uses.
#[derive(Default)]
struct List {
    uses: Vec<Use>,
}

impl List {
    fn finish(mut self) -> Box<[Use]> {
        self.uses.sort_unstable();
        self.uses.dedup();
        self.uses.into()
    }

    fn part(&mut self, id: DeclarationId) {
        self.uses.push(Use::Part(id));
    }

    fn declaration(&mut self, model: &Model, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Type(ty) => self.ty(ty),
            DeclarationKind::Enum(_) => {}
            // A variant is written out with its tag, so it brings what is in its record and not the record itself.
            DeclarationKind::Union(union) => {
                union.variants.iter().filter_map(|variant| model.record(&variant.ty)).for_each(|record| self.record(record));
            }
            DeclarationKind::Error(data) => self.record(data),
            DeclarationKind::Event(event) => {
                self.ty(&event.payload);
                event.answers.iter().for_each(|answer| self.part(*answer));
            }
            DeclarationKind::Tool(tool) => self.tool(tool),
            DeclarationKind::Toolkit(toolkit) => toolkit.tools.iter().for_each(|tool| self.part(tool.target)),
            DeclarationKind::Prompt(prompt) => self.prompt(prompt),
            DeclarationKind::Agent(agent) => self.agent(agent),
            DeclarationKind::Workflow(workflow) => {
                self.record(&workflow.input);
                self.optional(workflow.output.as_ref());
            }
        }
    }

    fn tool(&mut self, tool: &Tool) {
        self.record(&tool.input);
        for ty in [&tool.output, &tool.progress, &tool.artifacts] {
            self.optional(ty.as_ref());
        }
        self.failures(&tool.fails);
        self.retry(said(tool.retry.as_ref()));
    }

    fn prompt(&mut self, prompt: &Prompt) {
        self.record(&prompt.input);
        if let Some(hydrates) = &prompt.hydrates {
            self.record(hydrates);
        }
    }

    fn agent(&mut self, agent: &Agent) {
        self.record(&agent.input);
        self.optional(agent.output.as_ref());
        if let Some(prompt) = agent.prompt {
            self.part(prompt);
        }
        agent.tools.iter().for_each(|tool| self.part(tool.target));
        self.retry(said(agent.retry.as_ref()));
    }

    fn retry(&mut self, retry: Option<&Retry>) {
        if let Some(retry) = retry {
            self.failures(&retry.on);
        }
    }

    fn failures(&mut self, names: &[FailureName]) {
        for name in names {
            if let FailureName::Error(id) = name {
                self.part(*id);
            }
        }
    }

    fn optional(&mut self, ty: Option<&Type>) {
        if let Some(ty) = ty {
            self.ty(ty);
        }
    }

    fn record(&mut self, record: &RecordType) {
        record.fields.iter().for_each(|field| self.ty(&field.ty));
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) | Type::Literal(_) => {}
            Type::List(list) => self.ty(&list.item),
            Type::Map(map) => self.ty(&map.value),
            Type::Record(record) => self.record(record),
            Type::Union(members) => members.iter().for_each(|member| self.ty(member)),
            Type::Named(id) => {
                self.uses.push(Use::Type(*id));
            }
        }
    }

    fn node(&mut self, node: &Node, built_in: &BuiltIn) {
        for trigger in &node.triggers {
            match &trigger.source {
                Source::Topic(topic) | Source::TopicFrom(topic, _) => self.part(*topic),
                Source::ToolFrom { tool, .. } => self.part(*tool),
                _ => {}
            }
        }
        match &node.action {
            Action::Ask { agent: id, .. } | Action::Call { tool: id, .. } | Action::Run { workflow: id, .. } => self.part(*id),
            Action::WaitTopics { topics, .. } => topics.iter().for_each(|topic| self.part(*topic)),
            _ => {}
        }
        if let Some(event) = built_in.emitted(node) {
            self.part(event);
        }
        self.retry(node.retry.as_ref());
    }
}
