//! The scroll: rules 1 to 5, 28.

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::{Event, EventKind, MOST_FIRINGS, Prepared, Runner, ScrollError, next};

use crate::world::{World, call, end, flow, value};

/// The example at the beginning of `docs/definition.md`.
#[test]
fn a_first_look() {
    let flow = crate::world::with(
        flow(json!([
            { "id": "ask", "emit": "ai.request", "payload": { "prompt": "greet the traveler warmly: {{.input.name}}" } },
            { "id": "speak", "on": "ai.response", "emit": "tool.dispatch", "payload": { "name": "speak", "text": "{{.response.text}}" } },
            { "id": "done", "on": "tool.result", "terminal": true },
        ])),
        "/workflow",
        json!("flow"),
    );
    let mut world = World::start(&flow, json!({ "name": "Ada" }));
    world.gives(&["ask#1"]);
    assert_eq!(world.data("ask#1"), json!({ "prompt": "greet the traveler warmly: Ada" }));
    world.answer("ask#1", "ai.response", json!({ "text": "Welcome!" })).gives(&["speak#1"]);
    assert_eq!(world.data("speak#1"), json!({ "name": "speak", "text": "Welcome!" }));
    world.answer("speak#1", "tool.result", Value::Null).gives(&["succeeded"]).succeeds(Value::Null);
    assert_eq!(world.data("ask#1@step"), json!({ "id": "ask", "n": 1, "cause": "r" }));
    assert_eq!(world.data("speak#1@step"), json!({ "id": "speak", "n": 1, "cause": "e3" }));
    let kinds: Vec<_> = world.scroll.iter().map(|event| (event.topic.as_str(), event.kind == EventKind::Derived)).collect();
    assert_eq!(
        kinds,
        [
            ("workflow.start", false),
            ("workflow.step", true),
            ("ai.request", true),
            ("ai.response", false),
            ("workflow.step", true),
            ("tool.dispatch", true),
            ("tool.result", false),
            ("workflow.step", true),
            ("workflow.done", true),
        ]
    );
    let places: Vec<_> = world.scroll.iter().map(|event| event.seq).collect();
    assert_eq!(places, (0..9).collect::<Vec<_>>());
}

#[test]
fn an_event_whose_id_is_on_the_scroll_is_ignored() {
    let mut world =
        World::start(&flow(json!([call("a", json!({})), call("b", json!({ "on": "a" })), end("done", json!("b"), json!({}))])), json!({}));
    let event = Event::answer("twice", "tool.result", "r/a#1", json!({ "n": 1 }));
    world.take(event.clone()).gives(&["b#1"]);
    world.take(Event { re: Some("r/b#1".to_owned()), ..event }).gives(&[]);
    world.take(Event::answer("r/b#1", "tool.result", "r/b#1", json!({ "n": 1 }))).gives(&[]);
    world.take(Event::answer("r", "tool.result", "r/b#1", json!({ "n": 1 }))).gives(&[]);
    world.result("b#1", 1).succeeds(Value::Null);
}

#[test]
fn what_comes_after_the_end_changes_nothing() {
    let mut world = World::start(&flow(json!([call("a", json!({})), end("done", json!("news.came"), json!({}))])), json!({}));
    world.post("news.came", Value::Null).gives(&["a#1@cancel", "succeeded"]);
    world.result("a#1", 1).gives(&[]);
    world.post("news.came", Value::Null).gives(&[]);
}

#[test]
fn nothing_follows_from_an_empty_scroll() {
    let flow = flow(json!([end("done", json!("news.came"), json!({}))]));
    let prepared = Prepared::new(Definition::from_json(&flow.to_string()).unwrap());
    assert_eq!(next(&prepared, &[]), Ok(Vec::new()));
    let mut runner = Runner::new(prepared);
    assert_eq!(runner.feed(&Event::external("e", "news.came", Value::Null)), []);
    assert!(runner.open_requests().is_empty() && !runner.is_done());
}

#[test]
fn a_scroll_of_something_else_is_refused() {
    let flow = flow(json!([end("done", json!("news.came"), json!({}))]));
    let prepared = Prepared::new(Definition::from_json(&flow.to_string()).unwrap());
    let digest = prepared.digest().unwrap();
    let start = |workflow: &str, digest: &str| Event::start("r", workflow, digest, json!({}));
    let other = next(&prepared, &[start("other", digest)]);
    assert_eq!(other, Err(ScrollError::OtherWorkflow { started: "other".to_owned() }));
    let older = next(&prepared, &[start("flow", "sha256:00")]);
    assert_eq!(older, Err(ScrollError::OtherDefinition { started: "sha256:00".to_owned() }));
    let headless = next(&prepared, &[Event::external("e1", "news.came", Value::Null)]);
    assert_eq!(headless, Err(ScrollError::NoStart { id: "e1".to_owned() }));
    let forged = Event { kind: EventKind::Derived, ..Event::external("r@done", "workflow.done", Value::Null) };
    let foreign = next(&prepared, &[start("flow", digest), forged]);
    assert_eq!(foreign, Err(ScrollError::Foreign { id: "r@done".to_owned(), attempt: 1 }));
    for error in [other, older, headless, foreign] {
        assert!(!error.unwrap_err().to_string().is_empty());
    }
}

#[test]
fn a_run_that_goes_round_for_ever_is_stopped() {
    let flow = flow(json!([
        value("a", json!(1), json!({ "on": { "any": ["start", "b"] } })),
        value("b", json!(1), json!({ "on": "a" })),
        end("done", json!("news.came"), json!({}))
    ]));
    let prepared = Prepared::new(Definition::from_json(&flow.to_string()).unwrap());
    let scroll = next(&prepared, &[Event::start("r", "flow", prepared.digest().unwrap(), json!({}))]).unwrap();
    assert_eq!(scroll.len(), MOST_FIRINGS + 1);
    assert_eq!(scroll[MOST_FIRINGS - 1].id, "r/b#5000@step");
    assert_eq!(scroll[MOST_FIRINGS].data().unwrap()["failure"]["kind"], "runaway");
}
