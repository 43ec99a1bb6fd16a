//! The nodes: one action each, keys that belong to it, and names that are there.

use std::collections::BTreeSet;

use serde_json::Value;

use super::expressions::Scope;
use super::{Check, RESERVED};
use crate::node::Condition;
use crate::problem::child;
use crate::wire::is_name;
use crate::{Node, On, Retry, Template, Trigger};

/// What a node does, as its keys say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Emit,
    Await,
    Cancel,
    Value,
    End,
    Fail,
}

/// The action of a node; none if its keys say none or several.
fn action(node: &Node) -> Option<Action> {
    match (node.emit.is_some(), !node.awaits.is_empty(), !node.cancel.is_empty(), node.terminal, node.output.is_some(), node.outcome) {
        (true, false, false, false, false, None) => Some(Action::Emit),
        (false, true, false, false, false, None) => Some(Action::Await),
        (false, false, true, false, false, None) => Some(Action::Cancel),
        (false, false, false, false, true, None) => Some(Action::Value),
        (false, false, false, true, _, None) => Some(Action::End),
        (false, false, false, true, false, Some(_)) => Some(Action::Fail),
        _ => None,
    }
}

impl<'d> Check<'d> {
    pub(super) fn nodes(&mut self) {
        if self.definition.nodes.is_empty() {
            self.report("/nodes", "a workflow has one node at least");
        }
        let mut seen = BTreeSet::new();
        for (index, node) in self.definition.nodes.iter().enumerate() {
            let pointer = format!("/nodes/{index}");
            self.id(&child(&pointer, "id"), node, !seen.insert(node.id.as_str()));
            self.node(&pointer, node);
        }
    }

    fn id(&mut self, pointer: &str, node: &Node, again: bool) {
        let id = node.id.as_str();
        if !is_name(id) {
            self.report(pointer, format!("`{id}` is not a name"));
        } else if RESERVED.contains(&id) && !node.terminal {
            self.report(pointer, format!("`{id}` is reserved and cannot be the name of a node that answers"));
        } else if again {
            self.report(pointer, format!("`{id}` is the name of two nodes"));
        }
    }

    fn node(&mut self, pointer: &str, node: &'d Node) {
        let scope = Scope::Node { variable: node.each.as_ref().map(|each| each.variable.as_str()) };
        if let Some(on) = &node.on {
            self.on(&child(pointer, "on"), node, on);
        }
        self.condition(pointer, node.when.is_some(), node.also, node.otherwise);
        // The element is not known yet when a guard is asked and when the list is read.
        self.guard(&child(pointer, "when"), node.when.as_ref(), Scope::NODE);
        if node.limit == Some(0) {
            self.report(child(pointer, "limit"), "a limit is 1 at least");
        }
        if let Some(each) = &node.each {
            self.list(&child(pointer, "each"), each);
        }
        self.keys(pointer, node);
        if let Some(topic) = &node.emit {
            self.known_topic(&child(pointer, "emit"), topic);
            self.payload(pointer, topic, node.payload.as_ref());
        }
        for value in [("payload", &node.payload), ("output", &node.output)] {
            if let (key, Some(value)) = value {
                self.templates(&child(pointer, key), value, scope);
            }
        }
        if let Some(message) = &node.message {
            self.template(&child(pointer, "message"), message, scope);
        }
        for (index, topic) in node.awaits.iter().enumerate() {
            self.known_topic(&child(&child(pointer, "await"), index), topic);
        }
        self.guard(&child(pointer, "match"), node.matches.as_ref(), scope);
        for (key, steps) in [("cancel", &node.cancel), ("history", &node.history)] {
            self.steps(&child(pointer, key), steps);
        }
        if let Some(retry) = &node.retry {
            self.retry(&child(pointer, "retry"), retry);
            // A child run fails with the name of one of its own nodes, and whoever answers a topic has codes of its own.
            if node.emit.as_deref() == Some("tool.dispatch") {
                self.retried_codes(&child(pointer, "retry"), retry);
            }
        }
    }

    /// Demands that a node has one action and only keys that belong to it.
    fn keys(&mut self, pointer: &str, node: &Node) {
        let Some(action) = action(node) else {
            self.report(
                pointer,
                "a node has one action: `emit`, `await`, `cancel`, `output`, or `terminal` (with `outcome` or `output` at most)",
            );
            return;
        };
        let waits = matches!(action, Action::Emit | Action::Await);
        let keys = [
            ("payload", node.payload.is_some(), action == Action::Emit, "`emit`"),
            ("match", node.matches.is_some(), action == Action::Await, "`await`"),
            ("message", node.message.is_some(), action == Action::Fail, "`outcome`"),
            ("each", node.each.is_some(), waits, "`emit` or `await`"),
            ("timeout", node.timeout.is_some(), waits, "`emit` or `await`"),
            ("retry", node.retry.is_some(), action == Action::Emit, "`emit`"),
            ("history", !node.history.is_empty(), node.emit.as_deref() == Some("ai.request"), "`emit` of `ai.request`"),
        ];
        for (key, present, allowed, with) in keys {
            if present && !allowed {
                self.report(child(pointer, key), format!("`{key}` only goes with {with}"));
            }
        }
        if action == Action::Emit && node.payload.is_none() {
            self.report(pointer, "`emit` needs a `payload`, which is `{}` if there is nothing to say");
        }
    }

    fn payload(&mut self, pointer: &str, topic: &str, payload: Option<&Value>) {
        let Some(digest) = payload.filter(|_| topic == "workflow.start").and_then(|payload| payload.get("digest")) else { return };
        let name = payload.and_then(|payload| payload.get("workflow")).and_then(Value::as_str).unwrap_or_default();
        let pinned = self.definition.workflows.get(name).is_some_and(|workflow| digest.as_str() == Some(&workflow.digest));
        if !pinned {
            self.report(child(&child(pointer, "payload"), "digest"), format!("this is not the digest of `{name}` in `workflows`"));
        }
    }

    fn on(&mut self, pointer: &str, node: &'d Node, on: &'d On) {
        let any = match on {
            On::One(Trigger::Start) => return self.report(pointer, "`start` alone is left out: a node without `on` fires at the start"),
            On::One(trigger) => return self.trigger(pointer, trigger),
            On::Any(any) => &any.any,
        };
        if any.len() < 2 {
            self.report(child(pointer, "any"), "one trigger alone stands bare");
        }
        if node.condition() != Condition::Always {
            self.report(pointer, "with several triggers, a condition belongs to its trigger");
        }
        for (index, item) in any.iter().enumerate() {
            let pointer = child(&child(pointer, "any"), index);
            if let Condition::When(guard) | Condition::Also(guard) = &item.condition {
                self.guard(&child(&pointer, "when"), Some(guard), Scope::NODE);
            }
            let pointer = if item.condition == Condition::Always { pointer } else { child(&pointer, "on") };
            self.trigger(&pointer, &item.trigger);
        }
    }

    fn condition(&mut self, pointer: &str, when: bool, also: bool, otherwise: bool) {
        if also && !when {
            self.report(child(pointer, "also"), "`also` goes with `when`");
        }
        if otherwise && (when || also) {
            self.report(child(pointer, "else"), "`else` stands alone");
        }
    }

    fn trigger(&mut self, pointer: &str, trigger: &'d Trigger) {
        match trigger {
            Trigger::Start | Trigger::Failure { step: None } | Trigger::Timeout { from: None, .. } => {}
            Trigger::Step(step) => self.known_node(pointer, step),
            Trigger::Topic(topic) => self.known_topic(pointer, topic),
            Trigger::Answer { topic, from } => {
                self.known_topic(&child(pointer, "topic"), topic);
                self.known_node(&child(pointer, "from"), from);
            }
            Trigger::Tool { tool, from } => {
                let definition = self.definition;
                let called = definition.agents.contains_key(tool) || definition.workflows.contains_key(tool);
                let known = called || definition.tools.contains_key(tool);
                self.known(&child(pointer, "tool"), tool, known, "declared under `tools`, `agents` or `workflows`");
                self.known_node(&child(pointer, "from"), from);
            }
            Trigger::All { steps, per } => self.join(pointer, "all", steps, per.as_deref()),
            Trigger::Settled { steps, per } => self.join(pointer, "settled", steps, per.as_deref()),
            Trigger::Count { count, steps, per } => {
                if *count == 0 || usize::try_from(*count).is_ok_and(|count| count > steps.len()) {
                    self.report(child(pointer, "count"), format!("{count} of {} steps cannot be", steps.len()));
                }
                self.join(pointer, "of", steps, per.as_deref());
            }
            Trigger::Failure { step: Some(step) } => self.known_node(&child(pointer, "failure"), step),
            Trigger::Timeout { from: Some(step), .. } => self.known_node(&child(pointer, "from"), step),
        }
    }

    fn join(&mut self, pointer: &str, key: &str, steps: &[String], per: Option<&str>) {
        let at = child(pointer, key);
        if steps.is_empty() {
            self.report(&at, "a join has one member at least");
        }
        self.steps(&at, steps);
        if let Some(per) = per {
            self.known_node(&child(pointer, "per"), per);
        }
    }

    /// Demands that these are nodes and that none is named twice.
    fn steps(&mut self, pointer: &str, steps: &[String]) {
        let mut seen = BTreeSet::new();
        for (index, step) in steps.iter().enumerate() {
            let pointer = child(pointer, index);
            self.known_node(&pointer, step);
            if !seen.insert(step.as_str()) {
                self.report(pointer, format!("`{step}` is named twice"));
            }
        }
    }

    fn list(&mut self, pointer: &str, each: &'d crate::Each) {
        let at = child(pointer, "in");
        match Template::parse(&each.list) {
            Ok(template) if template.whole().is_none() => self.report(&at, "the list is one placeholder and nothing else"),
            _ => self.template(&at, &each.list, Scope::NODE),
        }
        let variable = each.variable.as_str();
        if !is_name(variable) || RESERVED.contains(&variable) || self.ids.contains(variable) {
            self.report(child(pointer, "as"), format!("`{variable}` cannot be the name of an element"));
        }
        if each.parallel == Some(0) {
            self.report(child(pointer, "parallel"), "one element at least is open at a time");
        }
    }

    pub(super) fn retry(&mut self, pointer: &str, retry: &Retry) {
        for (key, present) in [("backoff", retry.backoff.is_some()), ("cap", retry.cap.is_some())] {
            if present && retry.base.is_none() {
                self.report(child(pointer, key), format!("`{key}` needs a `base`"));
            }
        }
    }

    pub(super) fn retried_codes(&mut self, pointer: &str, retry: &Retry) {
        for (index, code) in retry.on.iter().enumerate() {
            self.failure_code(&child(&child(pointer, "on"), index), code);
        }
    }
}
