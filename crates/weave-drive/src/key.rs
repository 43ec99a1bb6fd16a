//! The identity of what is to be done.

use std::fmt;

use weave_scroll::RowKey;

/// One thing to be done in a run: a request, a timer, or a step of an agent's loop.
///
/// Its ids are computed, so that what is done again after a crash is the same thing (`docs/protocol.md`, *Identity*).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The id of the request, `RUN/node#n`.
    pub id: String,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The place inside the loop of an `ai.request`: `turn3`, `turn3.1`, `turn3.1@approval`. Empty: the request itself.
    pub part: String,
}

impl Key {
    /// A request, or a timer, of this id.
    #[must_use]
    pub fn request(id: impl Into<String>, attempt: u32) -> Self {
        Self { id: id.into(), attempt, part: String::new() }
    }

    /// The key of its row in the store.
    #[must_use]
    pub fn row(&self, run: &str) -> RowKey {
        RowKey { run: run.to_owned(), id: self.id.clone(), attempt: self.attempt, part: self.part.clone() }
    }

    /// What a row of the store is about.
    #[must_use]
    pub fn of_row(key: &RowKey) -> Self {
        Self { id: key.id.clone(), attempt: key.attempt, part: key.part.clone() }
    }

    /// A place below this one.
    #[must_use]
    pub fn below(&self, part: &str) -> Self {
        let part = if self.part.is_empty() { part.to_owned() } else { format!("{}@{part}", self.part) };
        Self { id: self.id.clone(), attempt: self.attempt, part }
    }

    /// The place that this one is below: the request, or the call whose approval or timer it is.
    #[must_use]
    pub fn above(&self) -> Option<Self> {
        let part = match self.part.rsplit_once('@') {
            Some((above, _)) => above.to_owned(),
            None if self.part.is_empty() => return None,
            None => String::new(),
        };
        Some(Self { id: self.id.clone(), attempt: self.attempt, part })
    }

    /// The place inside this loop whose event has this id, or which `re` names.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<Self> {
        let part = name.strip_prefix(&self.id)?.strip_prefix(&format!("/{}@", self.attempt))?;
        let place = Self { part: part.to_owned(), ..self.clone() };
        (place.part.is_empty() || place.is_below(self)).then_some(place)
    }

    /// Whether this is a place inside the loop of `other`, however deep.
    #[must_use]
    pub fn is_below(&self, other: &Self) -> bool {
        let inside = || self.part.strip_prefix(&other.part).is_some_and(|rest| rest.starts_with('@'));
        self.id == other.id && self.attempt == other.attempt && !self.part.is_empty() && (other.part.is_empty() || inside())
    }

    /// The id of the event that asked for it, which answers name in `re` and callees know as the key of idempotency.
    #[must_use]
    pub fn name(&self) -> String {
        if self.part.is_empty() { self.id.clone() } else { format!("{}/{}@{}", self.id, self.attempt, self.part) }
    }

    /// The id of an external event about it, such as `result` or `fired`.
    #[must_use]
    pub fn event(&self, what: &str) -> String {
        let part = if self.part.is_empty() { String::new() } else { format!("{}@", self.part) };
        format!("{}/{}@{part}{what}", self.id, self.attempt)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part.as_str() {
            "" => write!(out, "{}/{}", self.id, self.attempt),
            part => write!(out, "{}/{}@{part}", self.id, self.attempt),
        }
    }
}
