//! What occurred in programs and really happened in runs.

use std::collections::BTreeMap;

use weave_ir::{Approval, Condition, Definition, Node, On, Outcome, Trigger};

/// Counters by what they count.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// In how many programs something occurs.
    pub occurred: BTreeMap<String, u64>,
    /// How often it happened in runs.
    pub ran: BTreeMap<String, u64>,
}

impl Coverage {
    /// Counts what happened.
    pub fn happened(&mut self, what: &str) {
        if let Some(count) = self.ran.get_mut(what) {
            *count += 1;
        } else {
            self.ran.insert(what.to_owned(), 1);
        }
    }

    /// Counts what a program is made of.
    pub fn program(&mut self, definition: &Definition) {
        let mut all: Vec<_> = definition.nodes.iter().flat_map(|node| constructs(definition, node)).collect();
        all.sort_unstable();
        all.dedup();
        for construct in all {
            *self.occurred.entry(construct.to_owned()).or_default() += 1;
        }
    }

    /// Adds the counts of others.
    pub fn add(&mut self, other: &Self) {
        other.occurred.iter().for_each(|(what, count)| *self.occurred.entry(what.clone()).or_default() += count);
        other.ran.iter().for_each(|(what, count)| *self.ran.entry(what.clone()).or_default() += count);
    }
}

/// The constructs that must occur in clean programs and run.
pub const CONSTRUCTS: [&str; 58] = [
    "node: ask",
    "node: call",
    "node: run",
    "node: emit a request",
    "node: emit a fact",
    "node: wait for a time",
    "node: wait until",
    "node: mailbox",
    "node: cancel",
    "node: value",
    "node: end",
    "node: fail",
    "trigger: start",
    "trigger: step",
    "trigger: topic",
    "trigger: topic from outside",
    "trigger: topic from",
    "trigger: tool from",
    "trigger: all",
    "trigger: N of",
    "trigger: settled",
    "trigger: failure of a step",
    "trigger: any failure",
    "trigger: timeout of a step",
    "trigger: timeout of the run",
    "trigger: several",
    "trigger: join in a loop or branch",
    "condition: when",
    "condition: also when",
    "condition: else",
    "limit",
    "each",
    "each: parallel",
    "each: min",
    "setting: timeout",
    "setting: retry",
    "setting: history",
    "tool: approval",
    "tool: deferred",
    "prompt: hydrates",
    "read: .input",
    "read: step",
    "read: .a[]",
    "read: .a?",
    "read: ??",
    "read: .event",
    "read: .failure",
    "read: each",
    "read: [0]",
    "read: in a text",
    "read: in a guard",
    "world: approve",
    "world: edit",
    "world: reject",
    "world: an answer that does not fit",
    "world: a late answer",
    "world: a timer",
    "world: the run is cancelled",
];

/// What a node is made of.
#[must_use]
pub(super) fn constructs(definition: &Definition, node: &Node) -> Vec<&'static str> {
    let mut found = vec![action(definition, node)];
    let mut condition = |condition: &Condition| {
        found.extend(match condition {
            Condition::Always => None,
            Condition::When(_) => Some("condition: when"),
            Condition::Also(_) => Some("condition: also when"),
            Condition::Else => Some("condition: else"),
        });
    };
    match &node.on {
        None => {
            condition(&node.condition());
            found.push("trigger: start");
        }
        Some(On::One(trigger)) => {
            condition(&node.condition());
            found.extend(form(definition, trigger));
        }
        // Which of them made it fire is not to be seen from outside.
        Some(On::Any(any)) => {
            any.any.iter().for_each(|item| condition(&item.condition));
            found.push("trigger: several");
        }
    }
    if let Some(each) = &node.each {
        found.push("each");
        found.extend(each.parallel.map(|_| "each: parallel"));
        found.extend(each.min.map(|_| "each: min"));
    }
    found.extend(node.limit.map(|_| "limit"));
    found.extend(node.timeout.map(|_| "setting: timeout"));
    found.extend(node.retry.as_ref().map(|_| "setting: retry"));
    if !node.history.is_empty() {
        found.push("setting: history");
    }
    let name = |key: &str| node.payload.as_ref().and_then(|payload| payload.get(key)?.as_str());
    if let Some(tool) = name("name").and_then(|name| definition.tools.get(name)) {
        found.extend(tool.approval.as_ref().map(|approval| match approval {
            Approval::Always | Approval::When(_) => "tool: approval",
        }));
        found.extend(tool.deferred.as_ref().map(|_| "tool: deferred"));
    }
    let prompt = name("agent").and_then(|name| definition.agents.get(name)?.prompt.as_ref());
    if prompt.and_then(|name| definition.prompts.get(name)).is_some_and(|prompt| prompt.hydrates.is_some()) {
        found.push("prompt: hydrates");
    }
    found
}

fn action(definition: &Definition, node: &Node) -> &'static str {
    let payload = |key: &str| node.payload.as_ref().and_then(|payload| payload.get(key)).is_some();
    match node.emit.as_deref() {
        Some("tool.dispatch") => "node: call",
        Some("ai.request") => "node: ask",
        Some("workflow.start") => "node: run",
        Some("timer.set") if payload("at") => "node: wait until",
        Some("timer.set") => "node: wait for a time",
        Some(topic) if definition.events.get(topic).is_none_or(|event| event.answers.is_empty()) => "node: emit a fact",
        Some(_) => "node: emit a request",
        None if !node.awaits.is_empty() => "node: mailbox",
        None if !node.cancel.is_empty() => "node: cancel",
        None if node.terminal && node.outcome == Some(Outcome::Failed) => "node: fail",
        None if node.terminal => "node: end",
        None => "node: value",
    }
}

fn form(definition: &Definition, trigger: &Trigger) -> Vec<&'static str> {
    let joined = |form, per: &Option<String>| match per {
        Some(_) => vec![form, "trigger: join in a loop or branch"],
        None => vec![form],
    };
    match trigger {
        Trigger::Start => vec!["trigger: start"],
        Trigger::Step(_) => vec!["trigger: step"],
        Trigger::Topic(topic) => {
            let asked = definition.nodes.iter().filter_map(|node| definition.events.get(node.emit.as_ref()?));
            let is_answer = asked.into_iter().any(|event| event.answers.contains(topic));
            vec![if is_answer { "trigger: topic" } else { "trigger: topic from outside" }]
        }
        Trigger::Answer { .. } => vec!["trigger: topic from"],
        Trigger::Tool { .. } => vec!["trigger: tool from"],
        Trigger::All { per, .. } => joined("trigger: all", per),
        Trigger::Count { per, .. } => joined("trigger: N of", per),
        Trigger::Settled { per, .. } => joined("trigger: settled", per),
        Trigger::Failure { step: Some(_) } => vec!["trigger: failure of a step"],
        Trigger::Failure { step: None } => vec!["trigger: any failure"],
        Trigger::Timeout { from: Some(_), .. } => vec!["trigger: timeout of a step"],
        Trigger::Timeout { from: None, .. } => vec!["trigger: timeout of the run"],
    }
}
