//! What people and programs see of runs.

use serde_json::Value;
use weave_drive::{Key, Work};
use weave_runner::Event;

/// Who watches runs.
pub trait Watch: Send + Sync {
    /// Something happened. It must return quickly.
    fn notice(&self, notice: &Notice<'_>);
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// A run was read from the store. Its events so far are given as [`Notice::Recorded`] next.
    Loaded {
        /// The run.
        run: &'a str,
        /// The run that started it.
        parent: Option<&'a str>,
        /// How many events it had.
        events: u64,
    },
    /// These events are on the scroll, durably.
    Recorded {
        /// The run.
        run: &'a str,
        /// The run that started it.
        parent: Option<&'a str>,
        /// The events, in order.
        events: &'a [Event],
    },
    /// Something was sent.
    Sent {
        /// The run.
        run: &'a str,
        /// What it is there.
        key: &'a Key,
        /// What was sent.
        work: &'a Work,
    },
    /// Something said how far it is.
    Progress {
        /// The run.
        run: &'a str,
        /// What it is there.
        key: &'a Key,
        /// What it said.
        data: &'a Value,
    },
    /// A call was refused, and is sent again later.
    Again {
        /// The run.
        run: &'a str,
        /// What it is there.
        key: &'a Key,
        /// When, in milliseconds since the start of 1970.
        due: weave_scroll::Time,
        /// What the transport said.
        message: &'a str,
    },
    /// The run is over; the data of `workflow.done`.
    Ended {
        /// The run.
        run: &'a str,
        /// How.
        done: &'a Value,
    },
}

/// The node of a request id, `RUN/node#n`.
pub(crate) fn node_of<'i>(run: &str, id: &'i str) -> Option<&'i str> {
    id.strip_prefix(run)?.strip_prefix('/')?.split(['#', '@']).next()
}
