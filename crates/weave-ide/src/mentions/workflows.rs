//! The words of workflows: nodes, what makes them fire, and what they are aimed at.

use weave_analysis::model::workflow;
use weave_syntax::ast::{
    Action, Clause, Dotted, Expr, Name, Node, NodeBody, Root, Setting, SettingValue, Source, StepEntry, Wait, Workflow,
};

use super::{Role, Walk};
use crate::Symbol;

impl<'a> Walk<'a> {
    pub(super) fn workflow(&mut self, workflow: &'a Workflow) {
        let Some(own) = self.own else { return };
        if let Some(body) = self.analysis.body(own) {
            for (index, node) in body.nodes.iter().enumerate() {
                self.nodes.entry(&node.name).or_insert(index as u32);
            }
        }
        workflow.settings.iter().for_each(|setting| self.setting(setting));
        for node in &workflow.nodes {
            self.meta(&node.meta);
            self.step(node.name, Role::Declares);
            self.node(node);
        }
    }

    /// The name of a node.
    fn step(&mut self, name: Name, role: Role) {
        let found = self.nodes.get(self.text(name.span)).copied();
        if let (Some(own), Some(node)) = (self.own, found) {
            self.note(name.span, Symbol::Node(own, node), role);
        }
    }

    fn steps(&mut self, names: &[Name]) {
        names.iter().for_each(|name| self.step(*name, Role::Uses));
    }

    fn node(&mut self, node: &'a Node) {
        for clause in &node.clauses {
            match clause {
                Clause::On(triggers) => triggers.items.iter().for_each(|trigger| self.source(&trigger.source)),
                Clause::Each(each) => {
                    let place = self.place(each.variable.span);
                    self.note(each.variable.span, Symbol::Variable(place), Role::Declares);
                }
                Clause::Limit { .. } => {}
            }
        }
        if let NodeBody::Block { entries, .. } = &node.body {
            for entry in entries {
                match entry {
                    StepEntry::Action(action) => self.action(action),
                    StepEntry::Setting(setting) if self.text(setting.name.span) == "history" => self.history(setting),
                    StepEntry::Setting(setting) => self.setting(setting),
                }
            }
        }
    }

    fn source(&mut self, source: &'a Source) {
        match source {
            Source::Name(name) => self.step_or_topic(*name),
            Source::From { what, step } => {
                self.step(*step, Role::Uses);
                if what.is_topic { self.topic(*what, Role::Uses) } else { self.tool_from(*what) }
            }
            Source::All { steps } | Source::Settled { steps } | Source::Count { steps, .. } => self.steps(steps),
            Source::Failure { step } => self.step(*step, Role::Uses),
            Source::Timeout { step, .. } => step.iter().for_each(|step| self.step(*step, Role::Uses)),
        }
    }

    fn step_or_topic(&mut self, name: Dotted) {
        if name.is_topic {
            self.topic(name, Role::Uses);
        } else if let word @ ("start" | "failure") = name.text(self.item.context.text) {
            self.note(name.span, Symbol::BuiltIn(if word == "start" { "start" } else { "failure" }), Role::Uses);
        } else {
            self.step(Name { span: name.span }, Role::Uses);
        }
    }

    /// A tool may be named as its agent's list calls it; the compiler knows which one it is.
    fn tool_from(&mut self, what: Dotted) {
        let place = self.place(what.span);
        let own = self.own.and_then(|own| self.analysis.body(own));
        let triggers = own.into_iter().flat_map(|body| body.nodes.iter()).flat_map(|node| &node.triggers);
        let found = triggers.filter(|trigger| self.analysis.in_text(trigger.place).span.contains(place.span)).find_map(|trigger| {
            match &trigger.source {
                workflow::Source::ToolFrom { tool, .. } => Some(*tool),
                _ => None,
            }
        });
        match found {
            Some(tool) => self.note(what.span, Symbol::Declaration(tool), Role::Uses),
            None => self.name(Name { span: what.span }, Role::Uses),
        }
    }

    fn action(&mut self, action: &'a Action) {
        match action {
            Action::Invoke { name, .. } => self.name(*name, Role::Uses),
            Action::Emit { topic, .. } => self.topic(*topic, Role::Writes),
            Action::Wait { wait: Wait::Topics { topics, .. }, .. } => topics.iter().for_each(|topic| self.topic(*topic, Role::Uses)),
            Action::Wait { .. } => {}
            Action::Cancel { steps, .. } => self.steps(steps),
        }
    }

    fn history(&mut self, setting: &'a Setting) {
        if let SettingValue::Value { value, .. } = &setting.value {
            self.step_values(value);
        }
    }

    fn step_values(&mut self, value: &'a Expr) {
        match value {
            Expr::Path(path) => {
                if let (Root::Name(name), []) = (&path.root, &*path.segments) {
                    self.step(*name, Role::Uses);
                }
            }
            Expr::List(list) => list.items.iter().for_each(|item| self.step_values(&item.value)),
            _ => {}
        }
    }
}
