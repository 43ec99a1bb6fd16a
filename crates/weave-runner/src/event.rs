//! Events: the entries of a scroll.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::Failure;

/// One entry of a scroll (rule 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub struct Event {
    /// Its place on the scroll, from 0.
    pub seq: u64,
    /// Its identity on the scroll; a further attempt keeps the id of the first.
    pub id: String,
    /// What kind of thing happened.
    pub topic: String,
    /// Who says it.
    pub kind: EventKind,
    /// When it was appended. The runner neither reads nor writes it.
    pub at: Option<String>,
    /// The id of the request that it answers.
    pub re: Option<String>,
    /// The id of the `ai.request` inside whose loop it happened; on the wire `in`.
    pub within: Option<String>,
    /// Which attempt it is, or answers; 1, which is not written, for the first.
    pub attempt: u32,
    /// What hosts add. It means nothing to the runner.
    pub meta: Option<Map<String, Value>>,
    /// What it says.
    pub body: Body,
}

/// Who appends an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Anybody but the runner: hosts, people, other systems.
    External,
    /// The runner: it follows from the events before it.
    Derived,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// The payload; of an answer, the typed output itself.
    Data(Value),
    /// An answer that says that there is none.
    Failure(Failure),
}

impl Event {
    /// An external event with this payload.
    #[must_use]
    pub fn external(id: impl Into<String>, topic: impl Into<String>, data: Value) -> Self {
        Self::new(EventKind::External, id.into(), topic.into(), data)
    }

    /// The event with which the run of this id starts.
    #[must_use]
    pub fn start(run: impl Into<String>, workflow: &str, digest: &str, input: Value) -> Self {
        Self::external(run, "workflow.start", serde_json::json!({ "workflow": workflow, "digest": digest, "input": input }))
    }

    /// The external answer `data` to the request of the id `re`.
    #[must_use]
    pub fn answer(id: impl Into<String>, topic: impl Into<String>, re: impl Into<String>, data: Value) -> Self {
        Self { re: Some(re.into()), ..Self::external(id, topic, data) }
    }

    /// The external answer to the request of the id `re` that says that it failed.
    #[must_use]
    pub fn failed(id: impl Into<String>, topic: impl Into<String>, re: impl Into<String>, failure: Failure) -> Self {
        Self { body: Body::Failure(failure), ..Self::answer(id, topic, re, Value::Null) }
    }

    /// The same event as an answer to this attempt.
    #[must_use]
    pub fn with_attempt(self, attempt: u32) -> Self {
        Self { attempt, ..self }
    }

    /// The same event inside the loop of the agent that was asked by the request of this id.
    #[must_use]
    pub fn inside(self, request: impl Into<String>) -> Self {
        Self { within: Some(request.into()), ..self }
    }

    pub(crate) fn derived(id: String, topic: &str, data: Value) -> Self {
        Self::new(EventKind::Derived, id, topic.to_owned(), data)
    }

    fn new(kind: EventKind, id: String, topic: String, data: Value) -> Self {
        Self { seq: 0, id, topic, kind, at: None, re: None, within: None, attempt: 1, meta: None, body: Body::Data(data) }
    }

    /// The payload, if it is no failed answer.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        match &self.body {
            Body::Data(data) => Some(data),
            Body::Failure(_) => None,
        }
    }
}

/// An event as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    seq: u64,
    id: String,
    topic: String,
    kind: EventKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    re: Option<String>,
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    #[serde(default = "first", skip_serializing_if = "is_first")]
    attempt: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    meta: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

const fn first() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_first(attempt: &u32) -> bool {
    *attempt == 1
}

/// Keeps a written `null` apart from an absent key.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl From<Event> for Wire {
    fn from(event: Event) -> Self {
        let (data, failure) = match event.body {
            Body::Data(data) => (Some(data), None),
            Body::Failure(failure) => (None, Some(failure)),
        };
        Self {
            seq: event.seq,
            id: event.id,
            topic: event.topic,
            kind: event.kind,
            at: event.at,
            re: event.re,
            within: event.within,
            attempt: event.attempt,
            meta: event.meta,
            data,
            failure,
        }
    }
}

impl TryFrom<Wire> for Event {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        let body = match (wire.data, wire.failure) {
            (Some(data), None) => Body::Data(data),
            (None, Some(failure)) => Body::Failure(failure),
            _ => return Err("an event has either `data` or `failure`"),
        };
        if wire.attempt == 0 {
            return Err("attempts are counted from 1");
        }
        Ok(Self {
            seq: wire.seq,
            id: wire.id,
            topic: wire.topic,
            kind: wire.kind,
            at: wire.at,
            re: wire.re,
            within: wire.within,
            attempt: wire.attempt,
            meta: wire.meta,
            body,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::FailureKind;

    #[test]
    fn events_are_written_and_read() {
        for text in [
            json!({ "seq": 0, "id": "r1", "topic": "workflow.start", "kind": "external", "data": { "input": {} } }),
            json!({ "seq": 7, "id": "e7", "topic": "timer.fired", "kind": "external", "at": "2027-01-31T12:00:00Z",
                "re": "r1/a#1@PT4H", "attempt": 2, "meta": { "host": "h1" }, "data": null }),
            json!({ "seq": 8, "id": "e8", "topic": "tool.result", "kind": "external", "re": "r1/a#1",
                "failure": { "kind": "execution_error", "code": "gone", "message": "no", "data": { "x": 1 } } }),
            json!({ "seq": 9, "id": "e9", "topic": "tool.dispatch", "kind": "external", "in": "r1/a#1", "data": 1 }),
        ] {
            let event: Event = serde_json::from_value(text.clone()).unwrap();
            assert_eq!(serde_json::to_value(event).unwrap(), text);
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        let good = json!({ "seq": 0, "id": "e", "topic": "a.b", "kind": "external", "data": 1 });
        for (key, value, reason) in [
            ("failure", json!({ "kind": "timeout", "message": "" }), "either `data` or `failure`"),
            ("attempt", json!(0), "attempts are counted from 1"),
            ("kind", json!("other"), "unknown variant `other`"),
            ("more", json!(1), "unknown field `more`"),
        ] {
            let mut bad = good.clone();
            bad[key] = value;
            let error = serde_json::from_value::<Event>(bad).unwrap_err().to_string();
            assert!(error.contains(reason), "{key}: {error}");
        }
        let mut bad = good;
        bad.as_object_mut().unwrap().remove("data");
        let error = serde_json::from_value::<Event>(bad).unwrap_err().to_string();
        assert!(error.contains("either `data` or `failure`"), "{error}");
    }

    #[test]
    fn a_kind_of_failure_that_nobody_knows_is_the_callees_own() {
        let failure: Failure = serde_json::from_value(json!({ "kind": "out_of_stock", "message": "none left" })).unwrap();
        assert_eq!((failure.kind, failure.code.as_deref()), (FailureKind::ExecutionError, Some("out_of_stock")));
        let failure: Failure = serde_json::from_value(json!({ "kind": "shop", "code": "gone" })).unwrap();
        assert_eq!((failure.kind, failure.code.as_deref()), (FailureKind::ExecutionError, Some("gone")));
    }
}
