//! The steps and nodes that lines name.

use std::sync::Arc;

use weave_syntax::ast::{NodeKind, StepRef, ToolKind};

use super::Checker;
use crate::messages::scripts as message;
use crate::model::declarations::{Approval, Event, Tool};
use crate::model::script::{Element, Step};
use crate::model::types::{RecordType, Type};
use crate::model::workflow::{Action, Node};
use crate::model::{Declaration, DeclarationId, DeclarationKind};

/// What a line wants to say about the elements of a fan-out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// One of them, or each.
    Wanted,
    /// Perhaps one of them; without one, the whole.
    Possible,
}

impl<'a> Checker<'a> {
    /// The node of this name; nothing if there is none, which is reported.
    pub(super) fn reference(&self, written: &StepRef, elements: Elements) -> Option<Step> {
        if written.name.is_missing() {
            return None;
        }
        let word = self.text(written.name.span);
        let name_place = self.place(written.name.span);
        let Some(index) = self.nodes.iter().position(|node| *node.name == *word) else {
            self.report(message::unknown_node(word, &self.names(), name_place));
            return None;
        };
        let node = self.nodes.get(index)?;
        let number = written.number.and_then(|span| self.text(span).trim_start_matches('#').parse::<u32>().ok());
        let element = match written.element {
            None => None,
            Some(element) => match element.index {
                None => Some(Element::All),
                Some(span) => Some(Element::One(self.text(span).parse().ok()?)),
            },
        };
        match (&node.each, element) {
            (None, Some(_)) => {
                let span = written.element.map(|element| element.span)?;
                self.report(message::no_elements(word, self.place(span), node.name_place));
                return None;
            }
            (Some(_), None) if elements == Elements::Wanted => {
                self.report(message::which_element(word, self.place(written.span), node.place));
                return None;
            }
            _ => {}
        }
        Some(Step { node: index as u32, name: Arc::clone(&node.name), number, element, place: self.place(written.span), name_place })
    }

    /// Whether a limit allows the firing that a line names; if not, that is reported.
    pub(super) fn is_within_limit(&self, written: &StepRef, step: &Step) -> bool {
        let limit = self.node(step.node).and_then(|node| Some((node, node.limit?)));
        match (step.number, limit, written.number) {
            (Some(number), Some((node, limit)), Some(span)) if u64::from(number) > limit => {
                self.report(message::beyond_limit(&step.name, number, limit, self.place(span), node.place));
                false
            }
            _ => true,
        }
    }

    /// The step of this name; nothing if there is none, which is reported. An `end` is none.
    pub(super) fn step(&self, written: &StepRef, verb: &str) -> Option<(Step, &'a Node)> {
        let step = self.reference(written, Elements::Wanted)?;
        let node = self.node(step.node)?;
        if !self.is_within_limit(written, &step) {
            return None;
        }
        if node.kind != NodeKind::Step {
            self.report(message::node_takes_nothing(verb, &node.name, node.kind, step.name_place, node.name_place));
            return None;
        }
        Some((step, node))
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.nodes.iter().filter(|node| !node.name.is_empty()).map(|node| Arc::clone(&node.name)).collect()
    }

    /// What one firing, or one element of it, is answered with.
    pub(super) fn answer_of(node: &Node) -> Type {
        match (&node.answer, &node.each) {
            (Some(Type::List(list)), Some(_)) => list.item.clone(),
            (Some(ty), _) => ty.clone(),
            (None, _) => Type::Unknown,
        }
    }

    /// What goes into a step: its arguments or its payload, and what takes them.
    pub(super) fn input_of(&self, node: &Node) -> Option<(Input<'a>, &'a str)> {
        let (id, input) = match &node.action {
            Action::Ask { agent: id, .. } | Action::Call { tool: id, .. } | Action::Run { workflow: id, .. } => {
                let declaration = self.model.get(*id)?;
                let record = match &declaration.kind {
                    DeclarationKind::Agent(agent) => &agent.input,
                    DeclarationKind::Tool(tool) => &tool.input,
                    DeclarationKind::Workflow(workflow) => &workflow.input,
                    _ => return None,
                };
                (declaration, Input::Arguments(record))
            }
            Action::Emit { event, .. } => {
                let declaration = self.model.get(*event)?;
                let DeclarationKind::Event(event) = &declaration.kind else { return None };
                (declaration, Input::Payload(&event.payload))
            }
            _ => return None,
        };
        Some((input, &*id.name))
    }

    pub(super) fn tool_of(&self, node: &Node) -> Option<(&'a Tool, &'a Declaration)> {
        let Action::Call { tool, .. } = &node.action else { return None };
        let declaration = self.model.get(*tool)?;
        match &declaration.kind {
            DeclarationKind::Tool(tool) => Some((tool, declaration)),
            _ => None,
        }
    }

    pub(super) fn event(&self, id: DeclarationId) -> Option<(&'a Event, &'a Declaration)> {
        let declaration = self.model.get(id)?;
        match &declaration.kind {
            DeclarationKind::Event(event) => Some((event, declaration)),
            _ => None,
        }
    }

    /// Whether somebody is asked before the tool of a step runs.
    pub(super) fn asks_for_approval(tool: &Tool) -> bool {
        matches!(tool.approval, Some(Approval::Always | Approval::When(_))) && matches!(tool.kind, ToolKind::Local | ToolKind::Interaction)
    }
}

/// What goes into a step.
pub(super) enum Input<'a> {
    /// Arguments, by parameters.
    Arguments(&'a RecordType),
    /// A payload of this type.
    Payload(&'a Type),
}
