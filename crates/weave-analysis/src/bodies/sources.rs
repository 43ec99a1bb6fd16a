//! What triggers fire on.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use weave_syntax::ast::{self, Dotted, Name, Node};
use weave_syntax::text::{self, Number};

use super::Body;
use super::targets::Target;
use crate::messages::{bodies as message, declarations};
use crate::model::declarations::{Activation, ToolReference};
use crate::model::offered::{SEPARATOR, offered};
use crate::model::workflow::{Source, Time};
use crate::model::{DeclarationId, DeclarationKind, Lookup};

impl Body<'_> {
    /// What the triggers of a node fire on; none for a node that fires at the start of the run.
    pub(super) fn node_sources(&self, node: &Node) -> Box<[Source]> {
        let triggers = node.on().map(|triggers| &*triggers.items).unwrap_or_default();
        triggers.iter().map(|trigger| self.source(&trigger.source).unwrap_or(Source::Unknown)).collect()
    }

    fn source(&self, source: &ast::Source) -> Option<Source> {
        Some(match source {
            ast::Source::Name(name) => self.named_source(*name)?,
            ast::Source::From { what, step } => self.source_from(*what, *step)?,
            ast::Source::All { steps } => Source::All(self.joined(steps)?),
            ast::Source::Settled { steps } => Source::Settled(self.joined(steps)?),
            ast::Source::Count { count, steps } => {
                let steps = self.joined(steps)?;
                match text::number(self.text(count.span)) {
                    // Anything else has been reported with the syntax.
                    Ok(Number::Integer(count)) => {
                        Source::Count(u64::try_from(count).ok().filter(|count| *count <= steps.len() as u64)?, steps)
                    }
                    _ => return None,
                }
            }
            ast::Source::Failure { step } => Source::Failure(self.step(*step)?),
            ast::Source::Timeout { step, .. } => {
                let step = match step {
                    Some(step) => Some(self.step(*step)?),
                    None => None,
                };
                // The time is read when the answers of steps are known.
                Source::Timeout { step, after: Time::Unknown }
            }
        })
    }

    fn named_source(&self, name: Dotted) -> Option<Source> {
        if name.is_missing(self.item.text) {
            return None;
        }
        if name.is_topic {
            return self.topic(name).map(Source::Topic);
        }
        match name.text(self.item.text) {
            "start" => Some(Source::Start),
            "failure" => Some(Source::AnyFailure),
            word => {
                if !self.by_name.contains_key(word)
                    && let Lookup::Found(id) = self.scope.lookup(word, false)
                    && let Some(found) = self.model.get(id)
                {
                    self.report(message::declaration_as_trigger(word, self.place(name.span), found));
                    return None;
                }
                self.step(Name { span: name.span }).map(Source::Step)
            }
        }
    }

    /// `TOPIC from STEP`, `TOOL from STEP`.
    fn source_from(&self, what: Dotted, step: Name) -> Option<Source> {
        let missing = what.is_missing(self.item.text);
        if missing || !what.is_topic {
            let step = self.step(step);
            return if missing { None } else { self.tool_from(what, step?) };
        }
        let (topic, step) = (self.topic(what), self.step(step));
        let (topic, step) = (topic?, step?);
        let target = self.target_of(step);
        if *target == Target::None {
            return Some(Source::TopicFrom(topic, step));
        }
        let answers = self.answers_of(target);
        let declaration = self.model.get(topic)?;
        if !answers.contains(&topic) && !self.is_inner(target, declaration) && !self.is_doubtful(target) {
            let names = answers.iter().filter_map(|id| self.model.get(*id)).map(|it| Arc::clone(&it.name)).collect::<Vec<_>>();
            let by = match target {
                Target::Event(event) => self.model.get(*event),
                _ => None,
            };
            self.report(message::not_an_answer(
                &declaration.name,
                &self.name(step),
                &names,
                by,
                self.place(what.span),
                self.name_place(step),
            ));
            return None;
        }
        Some(Source::TopicFrom(topic, step))
    }

    /// The events that answer a step.
    pub(super) fn answers_of(&self, target: &Target) -> Vec<DeclarationId> {
        let built_in = |topic: &str| self.scope.topics.get(topic).copied().into_iter().collect();
        match target {
            Target::Agent(_) => built_in("ai.response"),
            Target::Tool(_) => built_in("tool.result"),
            Target::Workflow(_) => built_in("workflow.done"),
            Target::Time => built_in("timer.fired"),
            Target::Mailbox(topics) => topics.to_vec(),
            Target::Event(id) => match self.model.get(*id).map(|declaration| &declaration.kind) {
                // An event that nobody answers is answered at once, by itself.
                Some(DeclarationKind::Event(event)) if event.answers.is_empty() => vec![*id],
                Some(DeclarationKind::Event(event)) => event.answers.to_vec(),
                _ => Vec::new(),
            },
            Target::None | Target::Cancel | Target::Value => Vec::new(),
        }
    }

    /// Whether there may be more answers to what a step emits, because its event is broken.
    fn is_doubtful(&self, target: &Target) -> bool {
        let Target::Event(event) = target else { return false };
        matches!(self.model.get(*event).map(|it| &it.kind), Some(DeclarationKind::Event(event)) if event.doubtful)
    }

    /// Whether an event comes from within what a step does: the loop of its agent, or the execution of its tool.
    fn is_inner(&self, target: &Target, topic: &crate::model::Declaration) -> bool {
        // What the runner ignores is heard by no node.
        let built_in = topic.file.0 == 0 && !["tool.unknown", "tool.again"].contains(&&*topic.name);
        match target {
            Target::Agent(_) => built_in && ["ai.", "tool.", "prompt."].iter().any(|prefix| topic.name.starts_with(prefix)),
            Target::Tool(_) => built_in && (&*topic.name == "tool.progress" || topic.name.starts_with("tool.approval.")),
            _ => false,
        }
    }

    fn tool_from(&self, what: Dotted, step: u32) -> Option<Source> {
        let word = what.text(self.item.text);
        let place = self.place(what.span);
        let agent = match self.target_of(step) {
            Target::None => return None,
            Target::Agent(id) => Some(*id),
            _ => None,
        };
        let looked_up = self.scope.lookup(word, false);
        let Some(DeclarationKind::Agent(agent)) = agent.and_then(|id| self.model.get(id)).map(|declaration| &declaration.kind) else {
            if looked_up != Lookup::Excused {
                self.report(message::tool_from_no_agent(word, &self.name(step), place, self.name_place(step)));
            }
            return None;
        };
        let mut offered = Vec::new();
        self.offered(&agent.tools, &mut offered, &mut FxHashSet::default());
        let declared = match looked_up {
            Lookup::Excused => return None,
            Lookup::Found(id) => Some(id),
            Lookup::Unknown => None,
        };
        // A tool may be named as it is declared, as a list calls it, or as this agent's model knows it.
        let by_alias = || offered.iter().find(|(_, alias)| alias.as_deref() == Some(word)).map(|(tool, _)| *tool);
        let found = declared
            .filter(|id| offered.iter().any(|(tool, _)| tool == id))
            .or_else(by_alias)
            .or_else(|| self.offered_as(&agent.tools, word));
        let Some(tool) = found else {
            if agent.doubtful || self.has_doubtful_toolkit(&agent.tools) {
                return None;
            }
            let names = offered.iter().map(|(tool, alias)| alias.clone().unwrap_or_else(|| self.declared_name(*tool))).collect::<Vec<_>>();
            let agent_name = match self.target_of(step) {
                Target::Agent(id) => self.declared_name(*id),
                _ => self.name(step),
            };
            match declared.and_then(|id| self.model.get(id)) {
                Some(found)
                    if !matches!(found.kind, DeclarationKind::Tool(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)) =>
                {
                    self.report(declarations::wrong_kind(word, "a tool", place, found));
                }
                Some(found) if is_internal(&found.kind) => {
                    self.report(message::internal_tool_from(word, &agent_name, found, place));
                }
                _ => self.report(message::tool_not_offered(word, &agent_name, &names, place)),
            }
            return None;
        };
        Some(Source::ToolFrom { tool, name: self.declared_name(tool), step })
    }

    /// Whether it is not known what a list offers, because a toolkit in it is broken.
    fn has_doubtful_toolkit(&self, tools: &[ToolReference]) -> bool {
        let (mut open, mut seen) = (vec![tools], FxHashSet::default());
        while let Some(tools) = open.pop() {
            for reference in tools {
                if let Some(DeclarationKind::Toolkit(toolkit)) = self.model.get(reference.target).map(|declaration| &declaration.kind) {
                    if toolkit.doubtful {
                        return true;
                    }
                    open.extend(seen.insert(reference.target).then_some(&*toolkit.tools));
                }
            }
        }
        false
    }

    /// What a model is offered under this name, namespaces included.
    fn offered_as(&self, tools: &[ToolReference], name: &str) -> Option<DeclarationId> {
        if !name.contains(SEPARATOR) {
            return None;
        }
        offered(self.model, tools).tools.into_iter().find(|offered| offered.name == name).map(|offered| offered.target)
    }

    fn declared_name(&self, id: DeclarationId) -> Arc<str> {
        self.model.get(id).map(|declaration| Arc::clone(&declaration.name)).unwrap_or_default()
    }

    /// The tools that a list offers, toolkits looked into, with the names that it gives them.
    fn offered(&self, tools: &[ToolReference], found: &mut Vec<(DeclarationId, Option<Arc<str>>)>, seen: &mut FxHashSet<DeclarationId>) {
        // Toolkits nest as deep as somebody likes, so they are taken from a list of those that are still to be looked into.
        let mut open = vec![tools];
        while let Some(tools) = open.pop() {
            for reference in tools {
                match self.model.get(reference.target).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Toolkit(toolkit)) => {
                        open.extend(seen.insert(reference.target).then_some(&*toolkit.tools));
                    }
                    Some(kind) if is_internal(kind) => {}
                    Some(_) => found.push((reference.target, reference.alias.clone())),
                    None => {}
                }
            }
        }
    }
}

/// Whether it is a tool that no model is offered.
fn is_internal(kind: &DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Tool(tool) if tool.activation == Activation::Internal)
}
