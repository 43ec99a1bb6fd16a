//! The log: one line for each thing that somebody who looks for a mistake wants to know.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use weave_diagnostics::Charset;

/// Where log lines go. It is shared by all parts of the server.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Box<dyn Write + Send>>>);

impl std::fmt::Debug for Log {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Log")
    }
}

impl Log {
    /// A log that is written to `output`.
    #[must_use]
    pub fn new(output: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes a line, in which the words of others are escaped. A log that cannot be written is no reason to stop.
    pub fn write(&self, line: &str) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writeln!(output, "weave lsp: {}", Charset::Unicode.line(line)).and_then(|()| output.flush());
        drop(written);
    }
}
