//! What nodes listen to.

use weave_analysis::flow::Dominators;
use weave_analysis::model::Model;
use weave_analysis::model::guard::Guard;
use weave_analysis::model::workflow::{Condition, Node, Source, Time, Trigger};
use weave_ir::{Duration, On, TriggerItem};

use super::guard::guard;
use super::places::Places;
use super::values::small;

/// Lowers the triggers of one workflow.
#[derive(Clone, Copy)]
pub(super) struct Triggers<'a> {
    pub(super) model: &'a Model,
    pub(super) nodes: &'a [Node],
    pub(super) dominators: &'a Dominators,
}

impl Triggers<'_> {
    /// Puts a node's triggers and conditions where they belong.
    pub(super) fn lower(self, node: &Node, target: &mut weave_ir::Node, pointer: &str, places: &mut Places) {
        match &*node.triggers {
            [] => {}
            // A node without `on` fires at the start.
            [only] => {
                if only.source != Source::Start {
                    places.add(format!("{pointer}/on"), only.place);
                    target.on = Some(On::One(self.source(&only.source)));
                }
                target.set_condition(self.condition(only, pointer, places));
            }
            several => {
                let mut items = Vec::with_capacity(several.len());
                for (index, trigger) in several.iter().enumerate() {
                    let pointer = format!("{pointer}/on/any/{index}");
                    places.add(pointer.clone(), trigger.place);
                    let condition = self.condition(trigger, &pointer, places);
                    items.push(TriggerItem { trigger: self.source(&trigger.source), condition });
                }
                target.on = On::from_items(items).map(|(on, _)| on);
            }
        }
    }

    fn condition(self, trigger: &Trigger, pointer: &str, places: &mut Places) -> weave_ir::Condition {
        let mut lower = |condition: &Guard| {
            places.add(format!("{pointer}/when"), condition.place);
            guard(self.model, condition)
        };
        match &trigger.condition {
            None => weave_ir::Condition::Always,
            Some(Condition::When(condition)) => weave_ir::Condition::When(lower(condition)),
            Some(Condition::AlsoWhen(condition)) => weave_ir::Condition::Also(lower(condition)),
            Some(Condition::Else) => weave_ir::Condition::Else,
        }
    }

    /// The name of the node with this index.
    pub(super) fn step(self, index: u32) -> String {
        self.nodes.get(index as usize).map(|node| node.name.to_string()).unwrap_or_default()
    }

    /// The members of a join, in the order of the nodes: joins of the same steps are one trigger, however they were written.
    fn steps(self, indices: &[u32]) -> Vec<String> {
        let mut indices = indices.to_vec();
        indices.sort_unstable();
        indices.into_iter().map(|index| self.step(index)).collect()
    }

    fn per(self, members: &[u32]) -> Option<String> {
        self.dominators.fork(members).map(|node| self.step(node))
    }

    fn declared(self, id: weave_analysis::model::DeclarationId) -> String {
        self.model.get(id).map(|declaration| declaration.name.to_string()).unwrap_or_default()
    }

    fn source(self, source: &Source) -> weave_ir::Trigger {
        use weave_ir::Trigger;
        match source {
            Source::Start | Source::Unknown => Trigger::Start,
            Source::Step(step) => Trigger::Step(self.step(*step)),
            Source::Topic(topic) => Trigger::Topic(self.declared(*topic)),
            Source::TopicFrom(topic, step) => Trigger::Answer { topic: self.declared(*topic), from: self.step(*step) },
            Source::ToolFrom { tool, step, .. } => Trigger::Tool { tool: self.declared(*tool), from: self.step(*step) },
            Source::All(steps) => Trigger::All { steps: self.steps(steps), per: self.per(steps) },
            Source::Count(count, steps) => Trigger::Count { count: small(*count), steps: self.steps(steps), per: self.per(steps) },
            Source::Settled(steps) => Trigger::Settled { steps: self.steps(steps), per: self.per(steps) },
            Source::Failure(step) => Trigger::Failure { step: Some(self.step(*step)) },
            Source::AnyFailure => Trigger::Failure { step: None },
            Source::Timeout { step, after } => {
                let after = match after {
                    Time::Constant(milliseconds) => Duration::from_milliseconds(*milliseconds),
                    // A time that is read from the scroll has been refused.
                    Time::Path(_) | Time::Unknown => Duration::default(),
                };
                Trigger::Timeout { after, from: step.map(|step| self.step(step)) }
            }
        }
    }
}
