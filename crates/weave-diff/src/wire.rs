//! The schemas of two definitions, with those who send and read what fits them.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::{Activation, Agent, Definition, Event, Prompt, Schema, Tool, ToolKind, ToolMode};

use crate::documents::{Documents, Pair};
use crate::roles::{self, Duty, Root};
use crate::schema::{Comparison, Side, child};
use crate::{Change, parts};

/// The comparison of the schemas of two definitions.
pub(crate) struct Context<'d> {
    old: &'d Definition,
    new: &'d Definition,
    comparison: Comparison<'d>,
    roots: Vec<Root>,
    /// The units of schemas by their pointers in the new definition.
    units: BTreeMap<String, usize>,
    /// What declarations say beside their schemas.
    said: Vec<Change>,
    narrowed: Option<Vec<bool>>,
}

/// A name that both versions have, of a kind of declaration.
type Names<'d> = BTreeSet<(&'static str, &'d str)>;

/// The comparisons of the pairs, in their order, and the changes of what both sets have, but no pair.
pub(crate) fn contexts<'d>(documents: &Documents<'d>) -> (Vec<Context<'d>>, Vec<Change>) {
    let mut compared = Names::new();
    let mut contexts = Vec::new();
    for pair in &documents.pairs {
        let mut context = Context::new(pair.old, pair.new);
        context.workflow(documents);
        context.declarations(documents, &mut |_| true, &mut compared);
        contexts.push(context);
    }
    // A declaration may have moved from one workflow to another, and be another one there.
    let mut changes = Vec::new();
    for (old, new) in crossed(documents, &compared) {
        let mut context = Context::new(old, new);
        let before = compared.clone();
        context.declarations(documents, &mut |name| !before.contains(name), &mut compared);
        changes.extend(context.changes());
    }
    (contexts, changes)
}

/// Definitions of different workflows that share declarations which no pair has on both sides.
fn crossed<'d>(documents: &Documents<'d>, compared: &Names<'d>) -> Vec<(&'d Definition, &'d Definition)> {
    let firsts = |definitions: &'d [&'d Definition]| -> BTreeMap<(&'static str, &'d str), usize> {
        let mut firsts = BTreeMap::new();
        for (index, definition) in definitions.iter().enumerate() {
            for name in names(definition) {
                firsts.entry(name).or_insert(index);
            }
        }
        firsts
    };
    let (old, new) = (firsts(documents.old), firsts(documents.new));
    let both = old.iter().filter(|(name, _)| !compared.contains(*name)).filter_map(|(name, before)| Some((*before, *new.get(name)?)));
    let indexes: BTreeSet<(usize, usize)> = both.collect();
    indexes.into_iter().filter_map(|(before, after)| Some((*documents.old.get(before)?, *documents.new.get(after)?))).collect()
}

fn names(definition: &Definition) -> impl Iterator<Item = (&'static str, &str)> {
    let tools = definition.tools.keys().map(|name| ("tools", name.as_str()));
    let agents = definition.agents.keys().map(|name| ("agents", name.as_str()));
    let prompts = definition.prompts.keys().map(|name| ("prompts", name.as_str()));
    let events = definition.events.keys().map(|name| ("events", name.as_str()));
    let errors = definition.errors.keys().map(|name| ("errors", name.as_str()));
    tools.chain(agents).chain(prompts).chain(events).chain(errors)
}

impl<'d> Context<'d> {
    fn new(old: &'d Definition, new: &'d Definition) -> Self {
        let comparison = Comparison::new(old, new);
        Self { old, new, comparison, roots: Vec::new(), units: BTreeMap::new(), said: Vec::new(), narrowed: None }
    }

    /// All that changed in the schemas and the declarations around them.
    pub(crate) fn changes(&mut self) -> Vec<Change> {
        let mut changes = std::mem::take(&mut self.said);
        changes.extend(roles::changes(&self.comparison, &self.roots, &self.old.workflow, &self.new.workflow));
        changes.extend(parts::texts_of_types(&self.comparison, &Pair { old: self.old, new: self.new }));
        changes
    }

    /// Whether values that fitted the schema at this pointer may fit no more.
    pub(crate) fn is_narrower(&mut self, pointer: &str) -> bool {
        let narrowed = self.narrowed.get_or_insert_with(|| roles::narrowed(&self.comparison));
        self.units.get(pointer).and_then(|unit| narrowed.get(*unit)).copied().unwrap_or_default()
    }

    /// Compares a schema that stands at the same place in both.
    fn schema(&mut self, owner: &str, name: String, pointer: String, schemas: (&'d Schema, &'d Schema), duties: Vec<Duty>) {
        let (old, new) = schemas;
        let unit = self.comparison.schemas(owner, Side::new(&pointer, old), Side::new(&pointer, new));
        self.units.insert(pointer, unit);
        self.roots.push(Root { unit, name, duties });
    }

    /// The input and the output of the workflow itself.
    fn workflow(&mut self, documents: &Documents<'d>) {
        let name = self.new.workflow.as_str();
        let offered = documents.offered.contains(name);
        let senders = if offered { vec![Duty::Producers, Duty::Models] } else { vec![Duty::Producers] };
        let (old, new) = (self.old, self.new);
        self.schema(&format!("{name}.input"), format!("the input of `{name}`"), "/input".to_owned(), (&old.input, &new.input), senders);
        let output = (&old.output, &new.output);
        self.schema(&format!("{name}.output"), format!("the output of `{name}`"), "/output".to_owned(), output, vec![Duty::Consumers]);
    }

    /// What both definitions declare, as far as it is wanted.
    fn declarations(&mut self, documents: &Documents<'d>, wanted: &mut dyn FnMut(&(&'static str, &str)) -> bool, compared: &mut Names<'d>) {
        let (old, new) = (self.old, self.new);
        for (kind, name) in names(new) {
            if !wanted(&(kind, name)) {
                continue;
            }
            let found = match kind {
                "tools" => old.tools.get(name).zip(new.tools.get(name)).map(|(old, new)| self.tool(name, old, new)),
                "agents" => old.agents.get(name).zip(new.agents.get(name)).map(|(old, new)| {
                    self.agent(name, old, new, documents.offered.contains(name));
                }),
                "prompts" => old.prompts.get(name).zip(new.prompts.get(name)).map(|(old, new)| self.prompt(name, old, new)),
                "events" => old.events.get(name).zip(new.events.get(name)).map(|(old, new)| self.event(name, old, new)),
                _ => old.errors.get(name).zip(new.errors.get(name)).map(|(before, after)| {
                    let schemas = (&before.data, &after.data);
                    self.declared("errors", name, "data", "the data of", schemas, vec![Duty::Consumers]);
                    self.said.extend(parts::error(name, before, after, &Pair { old, new }));
                }),
            };
            if found.is_some() {
                compared.insert((kind, name));
            }
        }
        // What is among the definitions is compared as what it is; of others only this is known.
        for (name, after) in new.workflows.iter().filter(|(name, _)| !documents.known.contains(name.as_str())) {
            let Some(before) = old.workflows.get(name) else { continue };
            let senders = if documents.offered.contains(name.as_str()) { Duty::Models } else { Duty::Own };
            self.declared("workflows", name, "input", "the input of", (&before.input, &after.input), vec![senders]);
            self.declared("workflows", name, "output", "the output of", (&before.output, &after.output), vec![Duty::OwnReaders]);
        }
    }

    fn declared(&mut self, part: &str, name: &str, key: &str, what: &str, schemas: (&'d Schema, &'d Schema), duties: Vec<Duty>) {
        let pointer = child(&child(&child("", part), name), key);
        let owner = if part == "events" { name.to_owned() } else { format!("{name}.{key}") };
        self.schema(&owner, format!("{what} `{name}`"), pointer, schemas, duties);
    }

    fn tool(&mut self, name: &'d str, old: &'d Tool, new: &'d Tool) {
        let is_internal = |tool: &Tool| tool.activation == Some(Activation::Internal);
        let (mut senders, mut readers) = match is_internal(old) && is_internal(new) {
            true => (vec![Duty::Own], vec![Duty::OwnReaders]),
            false => (vec![Duty::Models], vec![Duty::Consumers]),
        };
        if old.mode == ToolMode::Silent && new.mode == ToolMode::Silent {
            readers = vec![Duty::OwnReaders];
        }
        // Who executes it is somebody else, who reads the arguments and writes the answer.
        if matches!(new.kind, ToolKind::Remote | ToolKind::Provider | ToolKind::Interaction) {
            senders.push(Duty::Consumers);
            readers.push(Duty::Producers);
        }
        self.declared("tools", name, "input", "the input of", (&old.input, &new.input), senders);
        self.declared("tools", name, "output", "the output of", (&old.output, &new.output), readers);
        for (key, before, after) in [("progress", &old.progress, &new.progress), ("artifacts", &old.artifacts, &new.artifacts)] {
            if let (Some(before), Some(after)) = (before, after) {
                self.declared("tools", name, key, &format!("the {key} of"), (before, after), vec![Duty::Consumers]);
            }
        }
        self.said.extend(parts::tool(name, old, new, &Pair { old: self.old, new: self.new }));
    }

    fn agent(&mut self, name: &'d str, old: &'d Agent, new: &'d Agent, is_offered: bool) {
        let (senders, readers) = if is_offered { (Duty::Models, Duty::Consumers) } else { (Duty::Own, Duty::OwnReaders) };
        self.declared("agents", name, "input", "the input of", (&old.input, &new.input), vec![senders]);
        self.declared("agents", name, "output", "the output of", (&old.output, &new.output), vec![readers]);
    }

    fn prompt(&mut self, name: &'d str, old: &'d Prompt, new: &'d Prompt) {
        self.declared("prompts", name, "input", "the parameters of", (&old.input, &new.input), vec![Duty::Own]);
        if let (Some(before), Some(after)) = (&old.hydrates, &new.hydrates) {
            self.declared("prompts", name, "hydrates", "what is hydrated for", (before, after), vec![Duty::Producers]);
        }
    }

    fn event(&mut self, name: &'d str, old: &'d Event, new: &'d Event) {
        let duties = vec![Duty::Producers, Duty::Listeners];
        self.declared("events", name, "payload", "the payload of", (&old.payload, &new.payload), duties);
        self.said.extend(parts::event(name, old, new, &Pair { old: self.old, new: self.new }));
    }
}
