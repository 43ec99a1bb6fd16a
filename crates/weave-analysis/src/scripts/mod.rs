//! The third pass: the tests of a file, against the workflows that they run.
//!
//! Names in a test are those of its workflow: its nodes, and the tools, topics and errors that the workflow's file can name. So
//! only the workflow has to be imported.

mod failures;
mod lines;
pub mod offers;
mod steps;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use weave_diagnostics::{Diagnostic, Place, Span};
use weave_syntax::ast::{self, ItemKind, Meta, TestEntry};

use crate::declare::{Context, Target, attributes, similar_name};
use crate::expression::Sink;
use crate::messages::{declarations, scripts as message};
use crate::model::declarations::WorkflowSignature;
use crate::model::script::{Line, LineKind, Script, Test};
use crate::model::workflow::{Node, WorkflowBody};
use crate::model::{DeclarationId, DeclarationKind, ItemContext, Lookup, Model, Scope, Unit};

/// What [`check_scripts`] finds out.
#[derive(Debug, Default)]
pub struct Scripts {
    /// The tests of the file, in the order of the text.
    pub tests: Vec<Arc<Test>>,
    /// What is wrong with them, in no particular order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves and types the tests of a file. `body` gives the nodes of a workflow, wherever it is declared.
#[must_use]
pub fn check_scripts<'b>(model: &Model, unit: &Unit, body: &dyn Fn(DeclarationId) -> Option<&'b WorkflowBody>) -> Scripts {
    let mut found = Scripts::default();
    let mut names: FxHashMap<&str, Place> = FxHashMap::default();
    for (index, slot) in unit.syntax.items.iter().enumerate() {
        let ItemKind::Test(test) = &slot.parsed.item.kind else { continue };
        let item = unit.context(index, slot);
        let Some(scope) = model.scope(unit.file) else { continue };
        let sink = Sink::default();
        let checked = look_at(model, scope, item, &sink, index as u32, (&slot.parsed.item, test), body);
        // Where the parser had to guess, what follows from its guess is not reported.
        if !slot.parsed.repaired {
            found.diagnostics.extend(sink.into_diagnostics());
            let mut context = Context { model, scope, item, diagnostics: &mut found.diagnostics, recorder: None };
            each_meta(&slot.parsed.item.meta, test, &mut |meta| {
                attributes(&mut context, meta, Target::Other);
            });
            let word = test.name.text(item.text);
            let place = item.place(test.name.span);
            match names.get(word) {
                Some(first) if !word.is_empty() => found.diagnostics.push(message::duplicate_test(word, place, *first)),
                _ => {
                    names.insert(word, place);
                }
            }
        }
        found.tests.push(Arc::new(checked));
    }
    found
}

fn each_meta(own: &Meta, test: &ast::Test, look: &mut dyn FnMut(&Meta)) {
    look(own);
    for branch in test.branches() {
        each_meta(&branch.meta, &branch.test, look);
    }
}

/// One test, for whoever writes down what is read too.
pub(crate) fn look_at<'b>(
    model: &Model,
    scope: &Scope,
    item: ItemContext<'_>,
    sink: &Sink,
    index: u32,
    (parsed, test): (&ast::Item, &ast::Test),
    body: &dyn Fn(DeclarationId) -> Option<&'b WorkflowBody>,
) -> Test {
    let workflow = workflow_of(model, scope, item, sink, test);
    let place = test.workflow.map_or(test.name.span, |name| name.span);
    let checker = workflow.and_then(|id| {
        let declaration = model.get(id)?;
        let DeclarationKind::Workflow(signature) = &declaration.kind else { return None };
        let body = body(id)?;
        Some(Checker { model, scope: model.scope(declaration.file)?, item, sink, signature, nodes: &body.nodes, workflow: id })
    });
    let way = Way { checks: false, over: None };
    let script = match &checker {
        Some(checker) => checker.script(&parsed.meta, parsed.span, test, way),
        None => unread(item, &parsed.meta, parsed.span, test),
    };
    Test { file: item.file, item: index, workflow, workflow_place: item.place(place), script }
}

/// The workflow that a test runs; nothing if there is none of this name, which is reported.
fn workflow_of(model: &Model, scope: &Scope, item: ItemContext<'_>, sink: &Sink, test: &ast::Test) -> Option<DeclarationId> {
    let name = test.workflow.filter(|name| !name.is_missing())?;
    let (word, place) = (name.text(item.text), item.place(name.span));
    match scope.lookup(word, false) {
        Lookup::Found(id) => {
            let found = model.get(id)?;
            if matches!(found.kind, DeclarationKind::Workflow(_)) {
                return Some(id);
            }
            sink.report(message::not_a_workflow(word, place, found));
        }
        Lookup::Excused => {}
        Lookup::Unknown => {
            let is_workflow = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Workflow(_));
            let similar = similar_name(model, item.file, word, false, is_workflow);
            sink.report(declarations::unknown_name(word, "a workflow", place, similar.as_deref()));
        }
    }
    None
}

/// A test whose workflow is not known: its names alone.
fn unread(item: ItemContext<'_>, meta: &Meta, span: Span, test: &ast::Test) -> Script {
    let inner = test.branches().map(|branch| unread(item, &branch.meta, branch.span, &branch.test)).collect();
    Script {
        name: Arc::from(test.name.text(item.text)),
        name_place: item.place(test.name.span),
        place: item.place(span),
        docs: meta.docs_text(item.text).map(Arc::from),
        lines: Box::default(),
        inner,
    }
}

/// What is known of the lines before a place of a test.
#[derive(Clone, Copy)]
struct Way {
    /// Whether one of them checks something.
    checks: bool,
    /// The line with which the run is over, if one says so.
    over: Option<Place>,
}

/// One test and the workflow that it runs.
struct Checker<'a> {
    model: &'a Model,
    /// What the file of the workflow can name.
    scope: &'a Scope,
    /// The item of the test.
    item: ItemContext<'a>,
    sink: &'a Sink,
    signature: &'a WorkflowSignature,
    nodes: &'a [Node],
    workflow: DeclarationId,
}

impl<'a> Checker<'a> {
    fn report(&self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.item.text)
    }

    fn place(&self, span: Span) -> Place {
        self.item.place(span)
    }

    fn node(&self, index: u32) -> Option<&'a Node> {
        self.nodes.get(index as usize)
    }

    fn script(&self, meta: &Meta, span: Span, test: &ast::Test, mut way: Way) -> Script {
        let (mut lines, mut inner) = (Vec::new(), Vec::new());
        for entry in &test.entries {
            match entry {
                TestEntry::Line(written) => {
                    let place = self.place(written.span);
                    if let Some(over) = way.over
                        && !written.kind.is_check()
                    {
                        self.report(message::line_after_end(written.kind.verb(), place, over));
                    }
                    way.checks |= written.kind.is_check();
                    if let Some(kind) = self.line(written) {
                        if way.over.is_none() && self.ends_run(&kind) {
                            way.over = Some(place);
                        }
                        lines.push(Line { place, kind });
                    }
                }
                TestEntry::Branch(branch) => inner.push(self.script(&branch.meta, branch.span, &branch.test, way)),
            }
        }
        if inner.is_empty() && !way.checks && !test.name.is_missing() {
            self.report(message::no_expectation(test.name.text(self.item.text), self.place(test.name.span)));
        }
        Script {
            name: Arc::from(test.name.text(self.item.text)),
            name_place: self.place(test.name.span),
            place: self.place(span),
            docs: meta.docs_text(self.item.text).map(Arc::from),
            lines: lines.into(),
            inner: inner.into(),
        }
    }

    /// Whether a line says that the run is over.
    fn ends_run(&self, kind: &LineKind) -> bool {
        match kind {
            LineKind::Expect { node, .. } => self.node(node.node).is_some_and(|node| node.kind != ast::NodeKind::Step),
            LineKind::ExpectFailure(_) => true,
            _ => false,
        }
    }
}
