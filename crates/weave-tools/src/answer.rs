//! What an answer means, from a command or a service.

use serde_json::Value;
use weave_host::Outcome;
use weave_runner::{Failure, FailureKind};

/// A line of an answer that is streamed.
pub(crate) enum Line {
    /// How far the call is, or an artifact.
    Progress(Value),
    /// The end.
    Answer(Outcome),
}

impl Line {
    /// Reads a line: a JSON object with one of `progress`, `artifacts`, `result`, `failure` and `pending`.
    pub(crate) fn read(text: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(text).map_err(|error| format!("a line of its output is not JSON: {error}"))?;
        let one = value.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.iter().next());
        match one.map(|(key, data)| (key.as_str(), data)) {
            Some(("progress" | "artifacts", _)) => Ok(Self::Progress(value)),
            Some(("result", data)) => Ok(Self::Answer(Outcome::Data(data.clone()))),
            Some(("pending", Value::String(handle))) => Ok(Self::Answer(Outcome::Accepted { handle: handle.clone() })),
            Some(("failure", _)) => failed(&value).map(Self::Answer).ok_or_else(|| "its `failure` is not a failure".to_owned()),
            _ => {
                Err("a line of its output is not an object with one of `progress`, `artifacts`, `result`, `failure` and `pending`"
                    .to_owned())
            }
        }
    }
}

/// The failure in `{ "failure": … }`.
pub(crate) fn failed(body: &Value) -> Option<Outcome> {
    serde_json::from_value(body.get("failure")?.clone()).ok().map(Outcome::Failed)
}

/// The failure of a callee that gave no reason in JSON.
pub(crate) fn failure(kind: FailureKind, message: impl Into<String>) -> Outcome {
    Outcome::Failed(Failure { kind, code: None, message: message.into(), data: None })
}

/// The failure of an answer that cannot be read.
pub(crate) fn invalid(why: impl Into<String>) -> Outcome {
    failure(FailureKind::InvalidOutput, why)
}
