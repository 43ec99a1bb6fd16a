//! The built-in topics that a host deals with.

pub(crate) const START: &str = "workflow.start";
pub(crate) const STEP: &str = "workflow.step";
pub(crate) const CANCEL: &str = "workflow.cancel";
pub(crate) const DONE: &str = "workflow.done";
pub(crate) const TIMER: &str = "timer.set";
pub(crate) const FIRED: &str = "timer.fired";
pub(crate) const DISPATCH: &str = "tool.dispatch";
pub(crate) const RESULT: &str = "tool.result";
pub(crate) const UNKNOWN: &str = "tool.unknown";
pub(crate) const AGAIN: &str = "tool.again";
pub(crate) const ASK: &str = "ai.request";
pub(crate) const TURN: &str = "ai.turn";
pub(crate) const RESPONSE: &str = "ai.response";
pub(crate) const APPROVAL: &str = "tool.approval.requested";
pub(crate) const DECISION: &str = "tool.approval.decided";
pub(crate) const HYDRATE: &str = "prompt.hydrate.request";
