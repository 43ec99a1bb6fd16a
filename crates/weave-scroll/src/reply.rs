//! Results that are given later.

use std::fmt;
use std::sync::mpsc;

use crate::StoreError;

/// What is called, once, with the result of a write when it is durable, on a thread of the store. It must return quickly: it holds
/// up the results of other writes.
pub struct Reply<T>(Box<dyn FnOnce(Result<T, StoreError>) + Send>);

impl<T: Send + 'static> Reply<T> {
    /// A reply that calls this function.
    #[must_use]
    pub fn new(function: impl FnOnce(Result<T, StoreError>) + Send + 'static) -> Self {
        Self(Box::new(function))
    }

    /// Gives the result.
    pub fn send(self, result: Result<T, StoreError>) {
        (self.0)(result);
    }

    /// Hands a reply to `submit` and waits for its result.
    ///
    /// # Errors
    ///
    /// The write's error, or [`StoreError::Stopped`] if the store went away without a result.
    pub fn wait(submit: impl FnOnce(Self)) -> Result<T, StoreError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        submit(Self::new(move |result| drop(sender.send(result))));
        receiver.recv().unwrap_or_else(|_| Err(StoreError::Stopped("it was closed before the write was durable".to_owned())))
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}
