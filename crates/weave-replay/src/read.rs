//! Scrolls as text: one event a line.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde_json::Value;
use weave_diagnostics::Code;
use weave_runner::{Event, EventKind};

use crate::codes;

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// What a line must be.
const FORM: &str = "a scroll has one event a line, as `weave export` writes it";

/// Reads a scroll line by line, and checks what can be seen without its definition.
#[derive(Debug, Default)]
pub struct Lines {
    line: usize,
    events: u64,
    ids: HashSet<(String, u32)>,
}

/// What is wrong with a scroll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub code: &'static Code,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, in one line.
    pub message: String,
    /// What helps.
    pub help: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Problem {}

impl Lines {
    /// Reads the next line. Nothing if it is empty.
    ///
    /// # Errors
    ///
    /// If the line is not the next event of a scroll.
    pub fn read(&mut self, text: &str) -> Result<Option<Event>, Problem> {
        self.line += 1;
        if text.trim().is_empty() {
            return Ok(None);
        }
        if text.len() > LONGEST_LINE {
            return Err(self.problem(&codes::SCROLL_FORM, format!("the line is longer than {LONGEST_LINE} bytes")));
        }
        let mut value: Value = serde_json::from_str(text.trim_end()).map_err(|error| self.no_json(&error))?;
        // Commands that print the events of several runs name the run on each line.
        if let Some(entries) = value.as_object_mut() {
            entries.remove("run");
        }
        let event = Event::deserialize(value)
            .map_err(|error| self.problem(&codes::SCROLL_FORM, format!("this is not an event: {error}")).help(FORM))?;
        if self.events == 0 && (event.topic != "workflow.start" || event.kind != EventKind::External) {
            let message = format!("the scroll does not begin with `workflow.start`, but with `{}`", event.topic);
            return Err(self.problem(&codes::SCROLL_GAP, message).help("each file is the scroll of one run, from its beginning"));
        }
        if self.events == 0 {
            self.digest(&event)?;
        }
        if event.seq != self.events {
            let message = format!("event {} is missing: this one has the number {}", self.events, event.seq);
            let (code, message) = match event.seq < self.events {
                true => (&codes::SCROLL_REPEAT, format!("event {} is here a second time", event.seq)),
                false => (&codes::SCROLL_GAP, message),
            };
            return Err(self.problem(code, message).help("a scroll has every event once, in order, counted from 0"));
        }
        if !self.ids.insert((event.id.clone(), event.attempt)) && event.kind == EventKind::Derived {
            let problem = self.problem(&codes::SCROLL_REPEAT, format!("the id `{}` is on the scroll already", event.id));
            return Err(problem.help("the runner gives each event an id of its own, so this line was copied or written by hand"));
        }
        self.events += 1;
        Ok(Some(event))
    }

    /// Says whether the scroll may end here.
    ///
    /// # Errors
    ///
    /// If it has no event.
    pub fn finish(&self) -> Result<(), Problem> {
        if self.events == 0 {
            Err(Problem { code: &codes::SCROLL_GAP, line: 1, message: "the file has no event".to_owned(), help: None })
        } else {
            Ok(())
        }
    }

    fn no_json(&self, error: &serde_json::Error) -> Problem {
        if error.is_eof() {
            return self.problem(&codes::SCROLL_CUT_OFF, "the line is cut off").help("the file may have been copied while it was written");
        }
        self.problem(&codes::SCROLL_FORM, format!("this is not JSON from column {} on", error.column())).help(FORM)
    }

    /// The digest that the run was started with must at least be one.
    fn digest(&self, start: &Event) -> Result<(), Problem> {
        let digest = start.data().and_then(|data| data.get("digest")).and_then(Value::as_str);
        let is_hex = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
        if digest.and_then(|digest| digest.strip_prefix("sha256:")).is_some_and(is_hex) {
            return Ok(());
        }
        let message = match digest {
            Some(digest) => format!("`{digest}` is not the digest of a definition"),
            None => "the first event does not say the digest of its definition".to_owned(),
        };
        Err(self.problem(&codes::SCROLL_DIGEST, message).help("`weave compile` and `weave run` write `sha256:` and 64 hexadecimal digits"))
    }

    fn problem(&self, code: &'static Code, message: impl Into<String>) -> Problem {
        Problem { code, line: self.line, message: message.into(), help: None }
    }
}

impl Problem {
    /// A problem of a line.
    #[must_use]
    pub fn new(code: &'static Code, line: usize, message: impl Into<String>) -> Self {
        Self { code, line, message: message.into(), help: None }
    }

    /// The same with what helps.
    #[must_use]
    pub fn help(self, help: &str) -> Self {
        Self { help: Some(help.to_owned()), ..self }
    }
}
