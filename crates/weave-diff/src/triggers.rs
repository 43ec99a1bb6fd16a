//! Triggers, conditions and actions in words.

use serde_json::Value;
use weave_ir::{Condition, Duration, Node, On, Outcome, Trigger, TriggerItem};

/// A text in a message is cut behind so many characters.
const LONGEST: usize = 120;

/// What a node listens to, one after the other; the start of the run where nothing is written.
pub(crate) fn items(node: &Node) -> Vec<TriggerItem> {
    match &node.on {
        None => vec![TriggerItem { trigger: Trigger::Start, condition: node.condition() }],
        Some(On::One(trigger)) => vec![TriggerItem { trigger: trigger.clone(), condition: node.condition() }],
        Some(On::Any(several)) => several.any.clone(),
    }
}

/// A trigger as one writes it.
pub(crate) fn trigger_text(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Start => "start".to_owned(),
        Trigger::Step(name) | Trigger::Topic(name) => name.clone(),
        Trigger::Answer { topic, from } => format!("{topic} from {from}"),
        Trigger::Tool { tool, from } => format!("{tool} from {from}"),
        Trigger::All { steps, .. } => format!("all({})", steps.join(", ")),
        Trigger::Count { count, steps, .. } => format!("{count} of ({})", steps.join(", ")),
        Trigger::Settled { steps, .. } => format!("settled({})", steps.join(", ")),
        Trigger::Failure { step: Some(step) } => format!("failure({step})"),
        Trigger::Failure { step: None } => "failure".to_owned(),
        Trigger::Timeout { after, from: Some(step) } => format!("timeout({step}, {})", after.words()),
        Trigger::Timeout { after, from: None } => format!("timeout({})", after.words()),
    }
}

/// The members of a join.
pub(crate) fn members(trigger: &Trigger) -> Option<&[String]> {
    match trigger {
        Trigger::All { steps, .. } | Trigger::Count { steps, .. } | Trigger::Settled { steps, .. } => Some(steps),
        _ => None,
    }
}

/// The steps that a trigger waits for.
pub(crate) fn steps(trigger: &Trigger) -> Vec<&str> {
    match trigger {
        Trigger::Start | Trigger::Topic(_) => Vec::new(),
        Trigger::Step(step) => vec![step],
        Trigger::Answer { from, .. } | Trigger::Tool { from, .. } => vec![from],
        Trigger::All { steps, .. } | Trigger::Count { steps, .. } | Trigger::Settled { steps, .. } => {
            steps.iter().map(String::as_str).collect()
        }
        Trigger::Failure { step } => step.iter().map(String::as_str).collect(),
        Trigger::Timeout { from, .. } => from.iter().map(String::as_str).collect(),
    }
}

/// When a node fires: `always`, ``when `G` ``, ``also when `G` ``, `else`.
pub(crate) fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Always => "always".to_owned(),
        Condition::When(guard) => format!("when `{}`", cut(&guard.text())),
        Condition::Also(guard) => format!("also when `{}`", cut(&guard.text())),
        Condition::Else => "`else`".to_owned(),
    }
}

/// Whether two conditions mean the same; the text beside the tree of a guard means nothing.
pub(crate) fn same_condition(one: &Condition, other: &Condition) -> bool {
    match (one, other) {
        (Condition::When(one), Condition::When(other)) | (Condition::Also(one), Condition::Also(other)) => one.expr == other.expr,
        (one, other) => one == other,
    }
}

/// What a node does, in a few words.
pub(crate) fn action_text(node: &Node) -> String {
    if node.terminal {
        return if node.outcome == Some(Outcome::Failed) { "fails the run" } else { "ends the run" }.to_owned();
    }
    if !node.awaits.is_empty() {
        let topics: Vec<&str> = node.awaits.iter().map(String::as_str).collect();
        return format!("waits for `{}`", topics.join(" | "));
    }
    if !node.cancel.is_empty() {
        return format!("cancels `{}`", node.cancel.join(", "));
    }
    let Some(topic) = &node.emit else { return "is a value".to_owned() };
    match callee(node) {
        Some(("tool.dispatch", name)) => format!("calls `{name}`"),
        Some(("ai.request", name)) => format!("asks `{name}`"),
        Some((_, name)) => format!("runs `{name}`"),
        None if topic == "timer.set" => "waits".to_owned(),
        None => format!("emits `{topic}`"),
    }
}

/// Whom a request is for, with its topic.
pub(crate) fn callee(node: &Node) -> Option<(&str, &str)> {
    let topic = node.emit.as_deref()?;
    let key = match topic {
        "tool.dispatch" => "name",
        "ai.request" => "agent",
        "workflow.start" => "workflow",
        _ => return None,
    };
    Some((topic, node.payload.as_ref()?.get(key)?.as_str()?))
}

/// A value in a message, if it is short enough to be read there.
pub(crate) fn value_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => match text.parse::<Duration>() {
            Ok(duration) => duration.words(),
            _ => text.clone(),
        },
        Value::Object(_) | Value::Array(_) => return None,
        other => other.to_string(),
    };
    (text.chars().count() <= LONGEST && !text.contains('\n') && !text.contains('`')).then(|| format!("`{text}`"))
}

/// A long text without its end.
fn cut(text: &str) -> String {
    let text = text.replace('`', "'");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// `a, b and c`.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
