//! What is on its way: messages that have been read and are not yet in the queue.
//!
//! The owner of the workspace is quicker than the transport is. Without this it would look at states of a text that the next message, which
//! has already been read, changes again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The messages between the filter of frames and the queue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// How many have been handed to the transport and have not come out of it.
    under_way: AtomicUsize,
    /// Whether there are bytes of more.
    has_more: AtomicBool,
}

impl Traffic {
    /// A message is handed to the transport, where answers stay. `has_more` says whether bytes of another one have been read.
    pub(crate) fn departs(&self, is_answer: bool, has_more: bool) {
        self.0.under_way.fetch_add(usize::from(!is_answer), Ordering::SeqCst);
        self.0.has_more.store(has_more, Ordering::SeqCst);
    }

    /// A message has come out of the transport.
    pub(crate) fn arrives(&self) {
        _ = self.0.under_way.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| count.checked_sub(1));
    }

    /// Whether a message is about to be put into the queue.
    pub(crate) fn is_coming(&self) -> bool {
        self.0.under_way.load(Ordering::SeqCst) > 0 || self.0.has_more.load(Ordering::SeqCst)
    }

    /// What should have come has not: it is not waited for again.
    pub(crate) fn forget(&self) {
        self.0.under_way.store(0, Ordering::SeqCst);
        self.0.has_more.store(false, Ordering::SeqCst);
    }
}
