//! The settings of steps.

use weave_syntax::ast::{Expr, Name, Node, NodeBody, NodeKind, Root, Segment, StepEntry};

use super::Body;
use super::targets::{self, Target};
use crate::declare::Context;
use crate::messages::bodies as message;
use crate::model::DeclarationKind;
use crate::model::declarations::Retry;
use crate::model::workflow::StepReference;
use crate::settings;

/// What the settings of a step say.
#[derive(Default)]
pub(super) struct StepSettings {
    pub(super) timeout: Option<u64>,
    pub(super) retry: Option<Retry>,
    pub(super) history: Box<[StepReference]>,
}

impl Body<'_> {
    /// The settings of a node; only a step has any.
    pub(super) fn settings(&self, index: usize, node: &Node) -> StepSettings {
        let NodeBody::Block { entries, .. } = &node.body else { return StepSettings::default() };
        let given = entries.iter().filter_map(|entry| if let StepEntry::Setting(setting) = entry { Some(setting) } else { None });
        // Where a step has no action, what is no setting was meant to be one; that it does nothing has been reported with the syntax.
        let has_action = targets::action(node).is_some();
        let mut given = given.filter(|setting| has_action || settings::is_step_setting(self.text(setting.name.span))).peekable();
        if node.kind != NodeKind::Step || given.peek().is_none() {
            return StepSettings::default();
        }
        let target = self.target_of(index as u32);
        let tool = match target {
            Target::Tool(id) => self.model.get(*id),
            _ => None,
        };
        let fails = tool.and_then(|declaration| match &declaration.kind {
            DeclarationKind::Tool(tool) if !tool.fails.is_empty() => Some((&*tool.fails, &*declaration.name)),
            _ => None,
        });
        let mut diagnostics = Vec::new();
        let mut context = Context {
            model: self.model,
            scope: self.scope,
            item: self.item,
            diagnostics: &mut diagnostics,
            recorder: self.sink.recorder(),
        };
        let read = settings::step(&mut context, given, fails);
        diagnostics.into_iter().for_each(|diagnostic| self.report(diagnostic));
        StepSettings { timeout: read.timeout, retry: read.retry, history: self.history(target, read.history) }
    }

    /// The steps whose exchanges an `ask` continues.
    fn history(&self, target: &Target, history: Option<settings::History<'_>>) -> Box<[StepReference]> {
        let Some(history) = history else { return Box::default() };
        match target {
            Target::Agent(_) => {}
            Target::None => return Box::default(),
            _ => {
                self.report(message::history_without_ask(self.place(history.name)));
                return Box::default();
            }
        }
        let steps = history.steps.iter().filter_map(|written| {
            let step = self.step(self.step_name(written)?)?;
            match self.target_of(step) {
                Target::Agent(_) => return Some(StepReference { node: step, place: self.place(written.span()) }),
                Target::None => {}
                _ => self.report(message::history_of_no_ask(&self.name(step), self.place(written.span()), self.name_place(step))),
            }
            None
        });
        steps.collect()
    }

    /// The name of a step in a list; a path is a name with a dot too much.
    fn step_name(&self, written: &Expr) -> Option<Name> {
        match written {
            Expr::Path(path) => match (&path.root, &*path.segments) {
                (Root::Name(name), []) => return Some(*name),
                (Root::Dot(_), [Segment::Field(name)]) if !name.is_missing() => {
                    self.report(message::superfluous_dot(self.text(name.span), self.place(path.span)));
                    return None;
                }
                _ => {}
            },
            Expr::Missing(_) => return None,
            _ => {}
        }
        self.report(message::history_entry(self.place(written.span())));
        None
    }
}
