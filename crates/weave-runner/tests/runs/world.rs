//! Plays the world for a run, and replays the run when it is over.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use weave_ir::Definition;
use weave_runner::{Body, Event, EventKind, Failure, FailureKind, Prepared, Runner, next};

/// A definition around these nodes, with topics to play with:
///
/// - `ask.first` and `ask.second` are both answered by `ask.yes`, and `ask.first` by `ask.no` too;
/// - `news.came`, `news.went` come from outside, `note.made` is emitted and answered by nobody;
/// - the tool `work` takes and gives `{"n": integer}`.
pub(crate) fn flow(nodes: Value) -> Value {
    let any = json!({});
    let asked = |answers: Value| json!({ "external": false, "payload": {}, "answers": answers });
    let outside = json!({ "external": true, "payload": any });
    let numbered =
        json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"], "additionalProperties": false });
    json!({
        "weave": "1", "workflow": "flow",
        "input": { "type": "object" }, "output": {},
        "nodes": nodes,
        "errors": { "gone": { "data": { "type": "object" } }, "card_declined": { "data": { "type": "object" } } },
        "tools": {
            "work": { "kind": "local", "mode": "feedback", "strict": true, "input": numbered, "output": numbered },
        },
        "events": {
            "ask.first": asked(json!(["ask.no", "ask.yes"])),
            "ask.second": asked(json!(["ask.yes"])),
            "ask.yes": outside, "ask.no": outside, "news.came": outside, "news.went": outside,
            "note.made": { "external": false, "payload": {} },
            "tool.dispatch": asked(json!(["tool.result"])), "tool.result": outside, "tool.progress": outside,
            "ai.turn": outside, "tool.unknown": outside, "tool.again": outside,
            "ai.request": asked(json!(["ai.response"])), "ai.response": outside,
            "timer.set": asked(json!(["timer.fired"])), "timer.fired": { "external": true, "payload": { "type": "null" } },
            "workflow.start": asked(json!(["workflow.done"])), "workflow.done": { "external": false, "payload": {} },
        },
    })
}

/// The flow with more said at a JSON pointer.
pub(crate) fn with(mut flow: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = match flow.pointer_mut(parent) {
        Some(parent) => parent,
        None => {
            flow = with(flow, parent, json!({}));
            flow.pointer_mut(parent).unwrap()
        }
    };
    match parent {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        parent => parent[key] = value,
    }
    flow
}

/// A node that calls the tool `work`.
pub(crate) fn call(id: &str, more: Value) -> Value {
    merge(json!({ "id": id, "emit": "tool.dispatch", "payload": { "name": "work", "args": { "n": 1 } } }), more)
}

/// A node that asks, answered by `ask.yes` or `ask.no`.
pub(crate) fn ask(id: &str, more: Value) -> Value {
    merge(json!({ "id": id, "emit": "ask.first", "payload": { "who": id } }), more)
}

/// A node with a value.
pub(crate) fn value(id: &str, value: Value, more: Value) -> Value {
    merge(json!({ "id": id, "output": value }), more)
}

/// An end of the run.
pub(crate) fn end(id: &str, on: Value, more: Value) -> Value {
    merge(json!({ "id": id, "on": on, "terminal": true }), more)
}

fn merge(mut node: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("more is an object") };
    node.as_object_mut().unwrap().extend(more);
    node
}

/// The guard `path == value` on an `int`, a `string` or a `bool`.
pub(crate) fn is(path: &[&str], value: Value) -> Value {
    let kind = if value.is_string() {
        "string"
    } else if value.is_boolean() {
        "bool"
    } else {
        "int"
    };
    json!({ "expr": { "op": "==", "type": kind, "args": [{ "path": path, "type": kind }, { "const": value, "type": kind }] } })
}

/// A run that is being played. Its id is `r`.
pub(crate) struct World {
    runner: Runner,
    pub(crate) scroll: Vec<Event>,
    last: Vec<Event>,
}

impl World {
    /// Starts a run of the flow with this input.
    pub(crate) fn start(flow: &Value, input: Value) -> Self {
        let definition = Definition::from_json(&flow.to_string()).unwrap_or_else(|error| panic!("{error}\n{flow}"));
        let prepared = Prepared::new(definition);
        let start = Event::start("r", "flow", prepared.digest().unwrap(), input);
        let mut world = Self { runner: Runner::new(prepared), scroll: Vec::new(), last: Vec::new() };
        world.take(start);
        world
    }

    pub(crate) fn prepared(&self) -> &Arc<Prepared> {
        self.runner.prepared()
    }

    /// What waits for an answer.
    pub(crate) fn open(&mut self) -> Vec<String> {
        self.runner.open_requests().into_iter().map(|request| request.id.trim_start_matches("r/").to_owned()).collect()
    }

    /// What waits for an answer: id, attempt, and the topics that answer it.
    pub(crate) fn requests(&mut self) -> Vec<(String, u32, Vec<String>)> {
        let answers = |request: &weave_runner::OpenRequest<'_>| request.answers.iter().map(|(topic, _)| (*topic).to_owned()).collect();
        self.runner.open_requests().iter().map(|request| (request.id.clone(), request.attempt, answers(request))).collect()
    }

    /// An external event comes.
    pub(crate) fn take(&mut self, event: Event) -> &mut Self {
        let event = Event { seq: self.scroll.len() as u64, ..event };
        self.last = self.runner.feed(&event);
        self.scroll.push(event);
        self.scroll.extend(self.last.iter().cloned());
        self
    }

    /// An event with a new id.
    pub(crate) fn event(&self, topic: &str, data: Value) -> Event {
        Event::external(format!("e{}", self.scroll.len()), topic, data)
    }

    /// An event that answers nothing by its id comes.
    pub(crate) fn post(&mut self, topic: &str, data: Value) -> &mut Self {
        let event = self.event(topic, data);
        self.take(event)
    }

    /// The answer to a request, named without the run.
    pub(crate) fn answer(&mut self, re: &str, topic: &str, data: Value) -> &mut Self {
        self.attempt(re, 1, topic, data)
    }

    /// The answer to an attempt.
    pub(crate) fn attempt(&mut self, re: &str, attempt: u32, topic: &str, data: Value) -> &mut Self {
        let event = Event { re: Some(full(re)), attempt, ..self.event(topic, data) };
        self.take(event)
    }

    /// The tool `work` answers `{"n": n}`.
    pub(crate) fn result(&mut self, re: &str, n: i64) -> &mut Self {
        self.answer(re, "tool.result", json!({ "n": n }))
    }

    /// A timer fires.
    pub(crate) fn fired(&mut self, re: &str) -> &mut Self {
        self.answer(re, "timer.fired", Value::Null)
    }

    /// A request fails with a code of its own.
    pub(crate) fn fail(&mut self, re: &str, code: &str) -> &mut Self {
        self.fail_attempt(re, 1, Failure::coded(code, "", None))
    }

    /// An attempt fails.
    pub(crate) fn fail_attempt(&mut self, re: &str, attempt: u32, failure: Failure) -> &mut Self {
        let request = self.scroll.iter().find(|event| event.id == full(re)).expect("the request is on the scroll");
        let topic = match request.topic.as_str() {
            "tool.dispatch" => "tool.result",
            "ai.request" => "ai.response",
            "workflow.start" => "workflow.done",
            "prompt.hydrate.request" => "prompt.hydrate.result",
            "tool.approval.requested" => "tool.approval.decided",
            "ask.first" | "ask.second" => "ask.yes",
            other => panic!("what answers {other}?"),
        };
        let event = Event { re: Some(full(re)), attempt, body: Body::Failure(failure), ..self.event(topic, Value::Null) };
        self.take(event)
    }

    pub(crate) fn fail_kind(&mut self, re: &str, kind: FailureKind) -> &mut Self {
        self.fail_attempt(re, 1, Failure::new(kind, ""))
    }

    /// What followed from the last event, without `workflow.step`: ids without the run, further attempts as `id:2`, the end of the run
    /// as its outcome.
    pub(crate) fn last(&self) -> Vec<String> {
        self.last.iter().filter(|event| event.topic != "workflow.step").map(line).collect()
    }

    /// What followed from the last event, `workflow.step` included.
    pub(crate) fn all(&self) -> Vec<String> {
        self.last.iter().map(line).collect()
    }

    /// Asserts what followed from the last event.
    #[track_caller]
    pub(crate) fn gives(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(self.last(), expected, "\n{}", self.show());
        self
    }

    /// Asserts that the run is over, and how.
    #[track_caller]
    pub(crate) fn ends(&mut self, expected: Value) -> &mut Self {
        let last = self.last.last().unwrap_or_else(|| panic!("nothing followed\n{}", self.show()));
        assert_eq!((last.id.as_str(), last.data().unwrap()), ("r@done", &expected), "\n{}", self.show());
        self
    }

    /// Asserts that the run has succeeded with this output.
    #[track_caller]
    pub(crate) fn succeeds(&mut self, output: Value) -> &mut Self {
        self.ends(json!({ "outcome": "succeeded", "output": output }))
    }

    /// Asserts that the run has failed with this kind and this code.
    #[track_caller]
    pub(crate) fn fails(&mut self, kind: &str, code: Option<&str>) -> &mut Self {
        let failure = self.data("@done")["failure"].clone();
        let found = (failure["kind"].as_str().unwrap_or_default(), failure["code"].as_str());
        assert_eq!(found, (kind, code), "\n{}", self.show());
        self
    }

    /// The data of the latest event of this id, named without the run.
    #[track_caller]
    pub(crate) fn data(&self, id: &str) -> Value {
        let event = self.scroll.iter().rev().find(|event| event.id == full(id));
        event.unwrap_or_else(|| panic!("{id} is not on the scroll\n{}", self.show())).data().unwrap().clone()
    }

    fn show(&self) -> String {
        self.scroll.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
    }

    /// Rule 2: whatever prefix of the scroll is there, exactly the rest up to the next external event follows; a scroll that lost
    /// its derived events, or has them in another place, is made whole.
    fn replay(&self) {
        for length in 0..=self.scroll.len() {
            let (there, rest) = self.scroll.split_at(length);
            let expected: Vec<_> = rest.iter().take_while(|event| event.kind == EventKind::Derived).cloned().collect();
            assert_eq!(next(self.prepared(), there).unwrap(), expected, "after {length} events");
        }
        let (external, derived): (Vec<Event>, Vec<Event>) =
            self.scroll.iter().cloned().partition(|event| event.kind == EventKind::External);
        let keys = |events: &[Event]| events.iter().map(|event| (event.id.clone(), event.attempt, event.body.clone())).collect::<Vec<_>>();
        assert_eq!(keys(&next(self.prepared(), &external).unwrap()), keys(&derived));
        let late = [external, derived].concat();
        assert_eq!(next(self.prepared(), &late), Ok(Vec::new()));
        // A crash between any two appends: the runner starts anew, appends what is missing, and nothing is doubled.
        for lost in 1..self.scroll.len() {
            let mut scroll = self.scroll.clone();
            if scroll.remove(lost).kind == EventKind::Derived {
                let missing = next(self.prepared(), &scroll).unwrap();
                assert_eq!(keys(&missing), keys(&self.scroll[lost..=lost]));
            }
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.replay();
        }
    }
}

fn full(id: &str) -> String {
    if id.starts_with('@') { format!("r{id}") } else { format!("r/{id}") }
}

fn line(event: &Event) -> String {
    let id = event.id.strip_prefix("r/").or(event.id.strip_prefix('r')).unwrap_or(&event.id);
    let empty = Map::new();
    match event.data().and_then(Value::as_object).unwrap_or(&empty).get("outcome") {
        Some(outcome) if event.topic == "workflow.done" => outcome.as_str().unwrap().to_owned(),
        _ if event.attempt > 1 => format!("{id}:{}", event.attempt),
        _ => id.to_owned(),
    }
}
