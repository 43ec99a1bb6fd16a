//! What the runner itself knows about the built-in topics.

use std::collections::BTreeSet;

use weave_ir::Definition;

pub(crate) const START: &str = "workflow.start";
pub(crate) const STEP: &str = "workflow.step";
pub(crate) const CANCEL: &str = "workflow.cancel";
pub(crate) const DONE: &str = "workflow.done";
pub(crate) const TIMER: &str = "timer.set";
pub(crate) const FIRED: &str = "timer.fired";
pub(crate) const DISPATCH: &str = "tool.dispatch";
pub(crate) const ASK: &str = "ai.request";
pub(crate) const APPROVAL: &str = "tool.approval.requested";
pub(crate) const DECISION: &str = "tool.approval.decided";
pub(crate) const UNKNOWN: &str = "tool.unknown";
pub(crate) const AGAIN: &str = "tool.again";
pub(crate) const HYDRATE: &str = "prompt.hydrate.request";
pub(crate) const HYDRATED: &str = "prompt.hydrate.result";

/// The topics that answer a topic. The built-in ones have theirs also where the definition does not mention them.
pub(crate) fn answers<'d>(definition: &'d Definition, topic: &str) -> BTreeSet<&'d str> {
    if let Some(event) = definition.events.get(topic) {
        return event.answers.iter().map(String::as_str).collect();
    }
    let answer = match topic {
        ASK => "ai.response",
        DISPATCH => "tool.result",
        START => DONE,
        TIMER => FIRED,
        APPROVAL => DECISION,
        HYDRATE => HYDRATED,
        _ => return BTreeSet::new(),
    };
    BTreeSet::from([answer])
}

/// The JSON pointer of a part of the definition.
pub(crate) fn pointer(part: &str, name: &str, key: &str) -> String {
    format!("/{part}/{}/{key}", name.replace('~', "~0").replace('/', "~1"))
}
