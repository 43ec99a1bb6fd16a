//! What the lines of a test can name, for editors that offer it.

use std::sync::Arc;

use weave_diagnostics::FileId;
use weave_syntax::ast::NodeKind;

use super::Checker;
use crate::expression::Sink;
use crate::model::workflow::{Action, Source, WorkflowBody};
use crate::model::{DeclarationId, DeclarationKind, ItemContext, Model};

/// What the lines of a test of a workflow can name. Steps are indices of nodes, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// What `answer` takes.
    pub answerable: Vec<u32>,
    /// What `fail` takes, with the kinds of each.
    pub failures: Vec<(u32, Vec<Arc<str>>)>,
    /// What `expect failure` takes.
    pub failures_of_run: Vec<Arc<str>>,
    /// What `call` takes: the tool and the step.
    pub calls: Vec<(Arc<str>, u32)>,
    /// What `send` takes: the topic, and the steps that it answers.
    pub topics: Vec<(Arc<str>, Vec<u32>)>,
    /// What `approve` and `reject` take.
    pub approvable: Vec<u32>,
}

/// What the lines of a test of a workflow can name; nothing if there is no such workflow.
#[must_use]
pub fn of(model: &Model, workflow: DeclarationId, body: &WorkflowBody) -> Option<Offers> {
    let declaration = model.get(workflow)?;
    let DeclarationKind::Workflow(signature) = &declaration.kind else { return None };
    let sink = Sink::default();
    let item = ItemContext { file: FileId(0), start: 0, text: "" };
    let checker = Checker { model, scope: model.scope(declaration.file)?, item, sink: &sink, signature, nodes: &body.nodes, workflow };
    let mut offers = Offers { failures_of_run: checker.possible_of_run().names(), ..Offers::default() };
    for (index, node) in (0..).zip(&body.nodes).filter(|(_, node)| node.kind == NodeKind::Step) {
        if checker.is_answerable(node) {
            offers.answerable.push(index);
        }
        offers.failures.extend(checker.possible(node).map(|possible| (index, possible.names())));
        if checker.tool_of(node).is_some_and(|(tool, _)| Checker::asks_for_approval(tool)) {
            offers.approvable.push(index);
        }
        for topic in checker.answers(node) {
            offers.topic(model, topic, Some(index));
        }
        if let Action::WaitTopics { topics, .. } = &node.action {
            topics.iter().for_each(|topic| offers.topic(model, *topic, None));
        }
    }
    for trigger in body.nodes.iter().flat_map(|node| &node.triggers) {
        match &trigger.source {
            Source::Topic(topic) => offers.topic(model, *topic, None),
            Source::ToolFrom { name, step, .. } if !offers.calls.contains(&(Arc::clone(name), *step)) => {
                offers.calls.push((Arc::clone(name), *step));
            }
            _ => {}
        }
    }
    Some(offers)
}

impl Offers {
    fn topic(&mut self, model: &Model, topic: DeclarationId, step: Option<u32>) {
        let Some(event) = model.get(topic).filter(|event| matches!(&event.kind, DeclarationKind::Event(it) if it.external)) else { return };
        match self.topics.iter_mut().find(|(name, _)| *name == event.name) {
            Some((_, steps)) => steps.extend(step),
            None => self.topics.push((Arc::clone(&event.name), step.into_iter().collect())),
        }
    }
}
