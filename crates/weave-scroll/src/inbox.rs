//! Events that were accepted and are not on a scroll yet.

use crate::Time;

/// An event for a run, from outside, another run, or a process that does not own it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Post {
    /// The run.
    pub run: String,
    /// The event's id.
    pub id: String,
    /// The event as a JSON object. Its `seq` means nothing.
    pub event: String,
    /// When it was accepted.
    pub at: Time,
}

/// What a post came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Posted {
    /// It is durable, at this place in the store's order.
    Posted(u64),
    /// The same event is in the inbox or on the scroll already.
    Known,
    /// Another event with its id is in the inbox or on the scroll.
    Differs,
    /// There is no such run.
    NoRun,
    /// The run was pruned.
    Pruned,
}

/// An event that waits for the owner of its run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InboxRow {
    /// Its place in the store's order of acceptance.
    pub pos: u64,
    /// The event.
    pub post: Post,
}

/// Whether two texts are the same event, apart from `seq` and `at`, which are set when it is appended.
#[must_use]
pub fn same_event(one: &str, other: &str) -> bool {
    let read = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).ok()?;
        let fields = value.as_object_mut()?;
        fields.shift_remove("seq");
        fields.shift_remove("at");
        Some(value)
    };
    one == other || read(one).is_some_and(|value| read(other) == Some(value))
}
