//! Failures: what stands in the place of an answer.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why a step, or a run, has no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Wire")]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// Which of the callee's own failures it is: a declared error, or the `fail` node of a child run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What people read.
    pub message: String,
    /// What the declared error carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The kinds of failure (rule 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The callee failed.
    ExecutionError,
    /// An input does not fit its schema.
    InvalidInput,
    /// An answer does not fit its schema.
    InvalidOutput,
    /// No answer in time.
    Timeout,
    /// An approval was rejected.
    Denied,
    /// The callee, or the run, was cancelled from outside.
    Cancelled,
    /// The callee cannot be reached.
    Unavailable,
    /// A tool that was not offered, or that nobody has.
    UnknownTool,
    /// A tool that the host cannot execute.
    NonLocalTool,
    /// The call left, its answer was lost, and it may not be repeated: whether it was carried out is not known.
    UnknownOutcome,
    /// The model gave no answer in so many turns.
    MaxTurns,
    /// Too few elements of a fan-out can succeed.
    Elements,
    /// The run cannot go on.
    Stalled,
    /// The run fired too often.
    Runaway,
}

impl FailureKind {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExecutionError => "execution_error",
            Self::InvalidInput => "invalid_input",
            Self::InvalidOutput => "invalid_output",
            Self::Timeout => "timeout",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::UnknownTool => "unknown_tool",
            Self::NonLocalTool => "non_local_tool",
            Self::UnknownOutcome => "unknown_outcome",
            Self::MaxTurns => "max_turns",
            Self::Elements => "elements",
            Self::Stalled => "stalled",
            Self::Runaway => "runaway",
        }
    }

    /// Whether it is tried again where `on` of a retry does not say what is.
    pub(crate) const fn is_tried_again(self) -> bool {
        !matches!(self, Self::InvalidInput | Self::Denied | Self::Cancelled | Self::UnknownTool | Self::NonLocalTool | Self::UnknownOutcome)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

impl Failure {
    /// A failure of this kind with no code.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, code: None, message: message.into(), data: None }
    }

    /// A failure of the callee's own, with its code and data.
    #[must_use]
    pub fn coded(code: impl Into<String>, message: impl Into<String>, data: Option<Value>) -> Self {
        Self { kind: FailureKind::ExecutionError, code: Some(code.into()), message: message.into(), data }
    }

    /// The code, or the kind where there is none.
    #[must_use]
    pub fn code_or_kind(&self) -> &str {
        self.code.as_deref().unwrap_or_else(|| self.kind.word())
    }

    /// What a node reads as `.failure`.
    pub(crate) fn as_read(&self) -> Value {
        let mut value = json!({ "kind": self.kind.word(), "code": self.code_or_kind(), "message": self.message });
        if let (Some(data), Some(entries)) = (&self.data, value.as_object_mut()) {
            entries.insert("data".to_owned(), data.clone());
        }
        value
    }
}

/// A failure as a host may write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    kind: String,
    code: Option<String>,
    #[serde(default)]
    message: String,
    #[serde(default, deserialize_with = "present")]
    data: Option<Value>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl From<Wire> for Failure {
    fn from(wire: Wire) -> Self {
        let Wire { kind, mut code, message, data } = wire;
        let known = FailureKind::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(&kind));
        // Only the built-in kinds exist; what an application calls otherwise is a failure of its own.
        let kind = known.unwrap_or_else(|_| {
            code.get_or_insert(kind);
            FailureKind::ExecutionError
        });
        Self { kind, code, message, data }
    }
}
