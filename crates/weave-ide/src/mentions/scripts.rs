//! The words of tests. All names but that of the workflow are those of the workflow's file.

use weave_analysis::model::{DeclarationId, Lookup, Scope};
use weave_diagnostics::Span;
use weave_syntax::ast::{Line, LineKind, Name, OrderItem, StepRef, Test};

use super::{Role, Walk};
use crate::Symbol;

/// The workflow that a test runs.
struct Subject<'a> {
    workflow: DeclarationId,
    scope: &'a Scope,
}

impl<'a> Walk<'a> {
    pub(super) fn test(&mut self, test: &'a Test) {
        self.branches(test);
        let Some(name) = test.workflow else { return };
        self.name(name, Role::Uses);
        let analysis = self.analysis;
        let Lookup::Found(workflow) = self.scope.lookup(self.text(name.span), false) else { return };
        let Some(body) = analysis.body(workflow) else { return };
        let Some(scope) = analysis.model().get(workflow).and_then(|it| analysis.model().scope(it.file)) else { return };
        for (index, node) in body.nodes.iter().enumerate() {
            self.nodes.entry(&node.name).or_insert(index as u32);
        }
        let subject = Subject { workflow, scope };
        test.each_line(&mut |line| self.line(line, &subject));
    }

    /// What stands before inner tests.
    fn branches(&mut self, test: &'a Test) {
        for branch in test.branches() {
            self.meta(&branch.meta);
            self.branches(&branch.test);
        }
    }

    fn line(&mut self, line: &Line, subject: &Subject<'_>) {
        if let Some(step) = line.kind.step() {
            self.step_reference(step, subject);
        }
        match &line.kind {
            LineKind::Fail { kind, .. } | LineKind::ExpectFailure { kind, .. } => self.known(kind.span, false, subject),
            LineKind::Call { tool, .. } => self.known(tool.span, false, subject),
            LineKind::Send { topic, .. } if topic.is_topic => self.known(topic.span, true, subject),
            LineKind::ExpectOrder { items, .. } => {
                for item in items {
                    if let OrderItem::Node(name) = item {
                        self.node_of(*name, subject);
                    }
                }
            }
            LineKind::Open { steps, .. } => steps.iter().for_each(|step| self.step_reference(step, subject)),
            _ => {}
        }
    }

    fn step_reference(&mut self, step: &StepRef, subject: &Subject<'_>) {
        self.node_of(step.name, subject);
    }

    fn node_of(&mut self, name: Name, subject: &Subject<'_>) {
        if let Some(node) = self.nodes.get(self.text(name.span)).copied() {
            self.note(name.span, Symbol::Node(subject.workflow, node), Role::Uses);
        }
    }

    /// A name or a topic that the workflow's file knows.
    fn known(&mut self, span: Span, is_topic: bool, subject: &Subject<'_>) {
        if let Lookup::Found(id) = subject.scope.lookup(self.text(span), is_topic) {
            self.note(span, Symbol::Declaration(id), Role::Uses);
        }
    }
}
