//! Results that are given later.

use std::fmt;
use std::sync::mpsc;

use crate::StoreError;

/// What is called, once, with the result of a write when it is durable, on a thread of the store. It must return quickly: it holds
/// up the results of other writes. One that is dropped unused gives [`StoreError::Stopped`], so that no caller waits for ever.
pub struct Reply<T>(Option<Function<T>>);

type Function<T> = Box<dyn FnOnce(Result<T, StoreError>) + Send>;

impl<T: Send + 'static> Reply<T> {
    /// A reply that calls this function.
    #[must_use]
    pub fn new(function: impl FnOnce(Result<T, StoreError>) + Send + 'static) -> Self {
        Self(Some(Box::new(function)))
    }

    /// Gives the result.
    pub fn send(mut self, result: Result<T, StoreError>) {
        if let Some(function) = self.0.take() {
            function(result);
        }
    }

    /// Hands a reply to `submit` and waits for its result.
    ///
    /// # Errors
    ///
    /// The write's error, or [`StoreError::Stopped`] if the store went away without a result.
    pub fn wait(submit: impl FnOnce(Self)) -> Result<T, StoreError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        submit(Self::new(move |result| drop(sender.send(result))));
        receiver.recv().unwrap_or_else(|_| Err(closed()))
    }
}

fn closed() -> StoreError {
    StoreError::Stopped("it was closed before the write was durable".to_owned())
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(function) = self.0.take() {
            function(Err(closed()));
        }
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}
