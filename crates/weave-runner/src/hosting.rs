//! What a host asks beside the events: what is open, what fits, and whether there is another attempt.

use serde_json::Value;
use weave_ir::{Duration, Retry};

use crate::failure::Failure;
use crate::prepared::Prepared;
use crate::requests::{pause, tries_again};
use crate::runner::Runner;
use crate::state::{FiringState, SlotPhase};
use crate::view::View;

/// A step that waits for an event from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenMailbox<'r> {
    /// The node.
    pub node: &'r str,
    /// The topics that it takes.
    pub topics: Vec<&'r str>,
}

impl Runner {
    /// Whether a request, or a timer, of this id and attempt is open.
    #[must_use]
    pub fn is_open(&self, id: &str, attempt: u32) -> bool {
        if self.is_done() {
            return false;
        }
        let view = View { prepared: self.prepared(), state: self.state() };
        if let Some(slot) = self.state().requests.get(id).copied() {
            let phase = self.state().slot(slot).map(|slot| slot.phase);
            let open = !matches!(phase, None | Some(SlotPhase::Closed | SlotPhase::Mailbox));
            if open && view.request_id(slot) == id && view.named_attempt(slot) == attempt {
                return true;
            }
        }
        self.state().timers.get(&(id.to_owned(), attempt)).is_some_and(|timer| view.is_due(timer))
    }

    /// What was answered so far: the input under `input`, and the latest answer of each step under its name, in source order.
    #[must_use]
    pub fn answers(&self) -> Vec<(String, Value)> {
        let mut latest: Vec<Option<&Value>> = vec![None; self.prepared().plan.nodes.len()];
        for firing in &self.state().firings {
            if let (FiringState::Answered(_, value), Some(place)) = (&firing.state, latest.get_mut(firing.node)) {
                *place = Some(value);
            }
        }
        let named = self.prepared().plan.nodes.iter().zip(latest).filter_map(|(plan, value)| Some((plan.node.id.clone(), value?.clone())));
        std::iter::once(("input".to_owned(), self.state().input.clone())).chain(named).collect()
    }

    /// The steps that wait for an event from outside, in source order.
    #[must_use]
    pub fn mailboxes(&self) -> Vec<OpenMailbox<'_>> {
        if self.is_done() {
            return Vec::new();
        }
        let nodes = self.prepared().plan.nodes.iter().zip(&self.state().nodes);
        let open = nodes.filter(|(_, state)| !state.mailboxes.is_empty()).map(|(plan, _)| &plan.node);
        open.map(|node| OpenMailbox { node: &node.id, topics: node.awaits.iter().map(String::as_str).collect() }).collect()
    }
}

impl Prepared {
    /// The value as a run sees it that is held to the schema at this JSON pointer of the definition: with defaults filled in.
    ///
    /// # Errors
    ///
    /// In words, if it does not fit, or if there is no such schema.
    pub fn take_in(&self, pointer: &str, value: &Value) -> Result<Value, String> {
        let id = self.schemas.id(pointer).ok_or_else(|| format!("the definition has no schema at {pointer}"))?;
        self.schemas.take_in(id, value)
    }
}

/// The pause before the next attempt after this failure, or nothing if there is none. Attempts count from 1.
///
/// Runners follow it for steps; hosts follow it for the calls inside an agent's loop.
#[must_use]
pub fn next_attempt(retry: &Retry, attempt: u32, failure: &Failure) -> Option<Duration> {
    let more = attempt <= retry.max && tries_again(retry, failure);
    more.then(|| pause(retry, attempt).unwrap_or_else(|| Duration::from_milliseconds(0)))
}
