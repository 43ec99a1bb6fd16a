//! What a run reads and decides, and which line of the test the values come from.

use std::collections::BTreeMap;

use serde_json::Value;
use weave_expr::EvalError;
use weave_ir::{Guard, Path, Segment};
use weave_runner::{Failure, Observer, Read, ReadPlace};

use crate::literal::escape;

/// What a run has read and decided so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) decisions: Vec<Decision>,
    /// What was read for payloads, outputs and messages.
    pub(crate) texts: Vec<(String, ReadValue)>,
    /// The triggers by which nodes were chosen.
    pub(crate) chosen: Vec<(String, usize)>,
    /// The nodes that failed before anything was asked, because their own arguments or lists did not fit, with the reason.
    pub(crate) refused: Vec<(String, String)>,
    /// What the guard that is evaluated now has read.
    pending: Vec<ReadValue>,
    /// The lines that the values come from, by the root of their paths.
    pub(crate) origins: BTreeMap<String, Origin>,
}

/// A guard that was evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) node: String,
    pub(crate) item: Option<usize>,
    pub(crate) result: bool,
    pub(crate) reads: Vec<ReadValue>,
}

/// A path that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadValue {
    /// As it is written.
    pub(crate) path: String,
    /// Its way below the root, as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) value: Value,
    /// Where the root comes from; none: not from a line.
    pub(crate) origin: Option<Origin>,
}

/// The line of a test that a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Its number in the test: see [`crate::play::Play::lines`].
    pub(crate) line: usize,
    /// The parts that are made up, as JSON pointers.
    pub(crate) invented: Vec<String>,
}

impl ReadValue {
    /// Whether the value is made up.
    pub(crate) fn is_invented(&self) -> bool {
        let covers = |part: &String| self.pointer == *part || self.pointer.starts_with(&format!("{part}/"));
        self.origin.as_ref().is_some_and(|origin| origin.invented.iter().any(covers))
    }
}

impl Observer for Trace {
    fn read(&mut self, read: &Read<'_>) {
        let (root, pointer) = taken_apart(read.path);
        let value = read.value.cloned().unwrap_or_default();
        let plain = Path { steps: read.path.steps.iter().map(|step| step.segment.clone().into()).collect() };
        let entry = ReadValue { path: plain.to_string(), pointer, value, origin: self.origins.get(root).cloned() };
        if read.place == ReadPlace::Guard {
            self.pending.push(entry);
        } else {
            self.texts.push((read.node.to_owned(), entry));
        }
    }

    fn guard(&mut self, node: &str, item: Option<usize>, _: &Guard, result: &Result<Value, EvalError>) {
        let reads = std::mem::take(&mut self.pending);
        self.decisions.push(Decision { node: node.to_owned(), item, result: *result == Ok(Value::Bool(true)), reads });
    }

    fn chosen(&mut self, node: &str, item: usize) {
        self.chosen.push((node.to_owned(), item));
    }

    fn refused(&mut self, node: &str, failure: &Failure) {
        self.refused.push((node.to_owned(), failure.message.clone()));
    }
}

/// The root of a path, and the rest as a JSON pointer, up to what is read from each answer.
fn taken_apart(path: &Path) -> (&str, String) {
    let mut segments = path.steps.iter().map(|step| &step.segment);
    let root = if let Some(Segment::Key(root)) = segments.next() { root.as_str() } else { "" };
    let mut pointer = String::new();
    for segment in segments {
        match segment {
            Segment::Key(key) => pointer += &format!("/{}", escape(key)),
            Segment::Index(index) => pointer += &format!("/{index}"),
            Segment::All => break,
        }
    }
    (root, pointer)
}
