//! The second pass: the nodes of workflows, against the signatures of everything that is declared.
//!
//! A workflow is looked at in this order: the names of its nodes, what their triggers fire on and what their actions are aimed
//! at, the types of their answers, and then each node by itself. Only the answers depend on one another, and only where a step
//! has a value; so nothing here goes through the workflow more than a few times.

mod actions;
mod answers;
mod choices;
mod events;
mod names;
mod nodes;
mod scope;
mod settings;
mod sources;
mod targets;
mod triggers;

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::{self, ItemKind, NodeKind};

use crate::expression::{MANY, Sink};
use crate::flow::{self, Mistakes};
use crate::model::declarations::WorkflowSignature;
use crate::model::types::Type;
use crate::model::watch::{Looks, watch};
use crate::model::workflow::{Node, Source, WorkflowBody};
use crate::model::{Declaration, DeclarationId, DeclarationKind, ItemContext, Model, Scope, Unit};
use choices::Choices;
use targets::Target;
use triggers::WrongGuard;

/// What [`check_bodies`] finds out.
#[derive(Debug)]
pub struct Bodies {
    /// The workflows of the file, in the order of the text.
    pub workflows: Vec<Arc<WorkflowBody>>,
    /// What is wrong with them, in no particular order.
    pub diagnostics: Vec<Diagnostic>,
    /// For each workflow where what is known of it stands.
    parts: Vec<Part>,
}

/// What is known of one workflow.
#[derive(Debug)]
struct Part {
    /// Its item.
    item: u32,
    /// How many of the diagnostics are about it and those before it.
    end: usize,
    /// The declarations that it depends on, if somebody wants to know.
    looks: Arc<Looks>,
}

impl Bodies {
    /// Whether a workflow depends on one of these declarations.
    #[must_use]
    pub fn depend_on(&self, changed: &FxHashSet<DeclarationId>) -> bool {
        self.parts.iter().any(|part| part.looks.at_any(changed))
    }
}

/// Resolves and types the nodes of a file's workflows.
#[must_use]
pub fn check_bodies(model: &Model, unit: &Unit) -> Bodies {
    check(model, unit, true)
}

/// The same for somebody who goes on with [`check_bodies_again`].
#[must_use]
pub fn check_bodies_to_edit(model: &Model, unit: &Unit) -> Bodies {
    check_each(model, unit, true, |work| watch(work))
}

/// The same for a file of which an earlier state was checked against a model of which only some declarations have `changed`, in less time: only
/// those workflows are looked at that depend on one of them, and those of items that have changed themselves.
#[must_use]
pub fn check_bodies_again(
    model: &Model,
    unit: &Unit,
    earlier: &Bodies,
    has_changed: impl Fn(usize) -> bool,
    changed: &FxHashSet<DeclarationId>,
) -> Bodies {
    // Once there are many diagnostics, what is said about a workflow depends on how many there are about those before it.
    if earlier.diagnostics.len() >= MANY {
        return check_bodies_to_edit(model, unit);
    }
    let known = |index: usize| {
        let place = earlier.parts.binary_search_by_key(&(index as u32), |part| part.item).ok().filter(|_| !has_changed(index))?;
        let start = place.checked_sub(1).and_then(|before| earlier.parts.get(before)).map_or(0, |part| part.end);
        let part = earlier.parts.get(place).filter(|part| !part.looks.at_any(changed))?;
        Some((Arc::clone(earlier.workflows.get(place)?), earlier.diagnostics.get(start..part.end)?, Arc::clone(&part.looks)))
    };
    let mut found = Bodies { workflows: Vec::new(), diagnostics: Vec::new(), parts: Vec::new() };
    for index in 0..unit.syntax.items.len() {
        let looks = if let Some((body, diagnostics, looks)) = known(index) {
            found.workflows.push(body);
            found.diagnostics.extend_from_slice(diagnostics);
            looks
        } else {
            let sink = Sink::default();
            let (body, looks) = watch(|| workflow(model, unit, index, &sink, true));
            let Some(body) = body else { continue };
            found.workflows.push(Arc::new(body));
            found.diagnostics.extend(sink.into_diagnostics());
            Arc::new(looks)
        };
        found.parts.push(Part { item: index as u32, end: found.diagnostics.len(), looks });
    }
    if found.diagnostics.len() >= MANY { check_bodies_to_edit(model, unit) } else { found }
}

/// The same, and perhaps without a look at the graphs.
pub(crate) fn check(model: &Model, unit: &Unit, with_graphs: bool) -> Bodies {
    check_each(model, unit, with_graphs, |work| (work(), Looks::default()))
}

/// The same, where `each` does the work for a workflow and says what it has looked at.
fn check_each(
    model: &Model,
    unit: &Unit,
    with_graphs: bool,
    each: impl Fn(&dyn Fn() -> Option<WorkflowBody>) -> (Option<WorkflowBody>, Looks),
) -> Bodies {
    let (mut workflows, mut parts) = (Vec::new(), Vec::new());
    let sink = Sink::default();
    for index in 0..unit.syntax.items.len() {
        let (body, looks) = each(&|| workflow(model, unit, index, &sink, with_graphs));
        if let Some(body) = body {
            workflows.push(Arc::new(body));
            parts.push(Part { item: index as u32, end: sink.len(), looks: Arc::new(looks) });
        }
    }
    Bodies { workflows, diagnostics: sink.into_diagnostics(), parts }
}

/// The body of the workflow that an item declares, if it declares one.
fn workflow(model: &Model, unit: &Unit, index: usize, sink: &Sink, with_graphs: bool) -> Option<WorkflowBody> {
    let slot = unit.syntax.items.get(index)?;
    let ItemKind::Workflow(workflow) = &slot.parsed.item.kind else { return None };
    let id = model.declared_by(unit.file, index as u32)?;
    let declaration = model.get(id)?;
    let DeclarationKind::Workflow(signature) = &declaration.kind else { return None };
    let (scope, item) = (model.scope(unit.file)?, unit.context(index, slot));
    // Where the parser had to guess, what follows from its guess is not reported.
    let ignored = Sink::default();
    let sink = if slot.parsed.repaired { &ignored } else { sink };
    let owner = Owner { declaration, signature, written: workflow };
    let before = sink.len();
    let body = Body::new(model, scope, item, sink, owner);
    let nodes = body.check();
    sink.keep_first_since(before, |diagnostic| said_once(&nodes, diagnostic));
    let mut known = flow::Known::default();
    if with_graphs && !slot.parsed.repaired {
        let mistakes = Mistakes {
            lost: body.lost(),
            gap: workflow.settings.iter().any(|setting| !crate::settings::is_workflow_setting(setting.name.text(item.text))),
            syntax: slot.parsed.errors.iter().map(|error| item.place(error.span)).collect(),
            diagnostics: sink.since(before),
        };
        known = flow::check(model, declaration, &nodes, &mistakes, sink);
    }
    Some(WorkflowBody { declaration: id, nodes, choices: known.choices, hazards: known.hazards })
}

/// What is said only once: that a node cannot read `.event` or its like, for which another trigger was meant, and which is one mistake however often it reads it.
fn said_once(nodes: &[Node], diagnostic: &Diagnostic) -> Option<(usize, String)> {
    let start = diagnostic.primary.place.span.start;
    let node = nodes.partition_point(|node| node.place.span.start <= start);
    (diagnostic.code.id == "unavailable-value").then(|| (node, diagnostic.message.clone()))
}

/// Looks at the nodes of a workflow, for whoever writes down what is read.
pub(crate) fn look_at(model: &Model, scope: &Scope, item: ItemContext<'_>, sink: &Sink, owner: Owner<'_>) {
    Body::new(model, scope, item, sink, owner).check();
}

/// The workflow whose nodes are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) signature: &'a WorkflowSignature,
    pub(crate) written: &'a ast::Workflow,
}

/// One workflow, and what is known of its nodes so far.
///
/// Nodes are known by their index. The first ones, up to `kept`, are the nodes of the model; behind them stand those whose name
/// is taken, which are only looked at.
struct Body<'a> {
    model: &'a Model,
    scope: &'a Scope,
    item: ItemContext<'a>,
    sink: &'a Sink,
    owner: Owner<'a>,
    nodes: Vec<&'a ast::Node>,
    kept: usize,
    /// The names of the nodes.
    names: Vec<Arc<str>>,
    by_name: FxHashMap<&'a str, u32>,
    /// What the triggers of each node fire on.
    sources: Vec<Box<[Source]>>,
    /// The choices that these make up.
    choices: Choices<'a>,
    /// The guards with a mistake, each by its node and its trigger.
    wrong_guards: RefCell<FxHashMap<(usize, usize), WrongGuard>>,
    /// What the action of each node is aimed at.
    targets: Vec<Target>,
    /// The type of what `.NAME` yields, for each node; unknown for those that have no answer.
    answers: RefCell<Vec<Type>>,
    /// The steps that an event answers, by the event.
    answered_by: FxHashMap<DeclarationId, Vec<u32>>,
    /// The type of an event as a trigger of this workflow.
    topics: RefCell<FxHashMap<DeclarationId, Type>>,
    /// All failure kinds, as a type.
    failure_kinds: OnceCell<Type>,
}

impl<'a> Body<'a> {
    fn new(model: &'a Model, scope: &'a Scope, item: ItemContext<'a>, sink: &'a Sink, owner: Owner<'a>) -> Self {
        let mut body = Self {
            model,
            scope,
            item,
            sink,
            owner,
            nodes: Vec::new(),
            kept: 0,
            names: Vec::new(),
            by_name: FxHashMap::default(),
            sources: Vec::new(),
            choices: Choices::default(),
            wrong_guards: RefCell::default(),
            targets: Vec::new(),
            answers: RefCell::default(),
            answered_by: FxHashMap::default(),
            topics: RefCell::default(),
            failure_kinds: OnceCell::new(),
        };
        body.name_nodes();
        body.targets = body.nodes.iter().map(|node| body.target(node)).collect();
        body.sources = body.nodes.iter().map(|node| body.node_sources(node)).collect();
        body.choices = body.find_choices();
        body.find_answers();
        body
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    fn text(&self, span: weave_diagnostics::Span) -> &'a str {
        span.text(self.item.text)
    }

    fn place(&self, span: weave_diagnostics::Span) -> Place {
        self.item.place(span)
    }

    /// The kind of a node.
    fn kind(&self, index: u32) -> Option<NodeKind> {
        self.nodes.get(index as usize).map(|node| node.kind)
    }

    /// The name of a node.
    fn name(&self, index: u32) -> Arc<str> {
        self.names.get(index as usize).cloned().unwrap_or_default()
    }

    /// The answer of a step; for a fan-out the list.
    fn answer(&self, index: u32) -> Type {
        self.answers.borrow().get(index as usize).cloned().unwrap_or(Type::Unknown)
    }

    fn target_of(&self, index: u32) -> &Target {
        self.targets.get(index as usize).unwrap_or(&Target::None)
    }

    fn sources_of(&self, index: usize) -> &[Source] {
        self.sources.get(index).map(|sources| &**sources).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
