//! Timeouts and retries: rules 21 and 22.

use serde_json::{Value, json};
use weave_runner::{Failure, FailureKind};

use crate::world::{World, ask, call, end, flow, with};

fn timed(more: Value) -> Value {
    flow(json!([
        call("a", more),
        end("done", json!("a"), json!({ "output": "{{.a.n}}" })),
        end("lost", json!({ "failure": "a" }), json!({ "output": "{{.failure.code}}" })),
    ]))
}

#[test]
fn the_setting_closes_the_attempt() {
    let mut world = World::start(&timed(json!({ "timeout": "PT10S" })), json!({}));
    world.gives(&["a#1", "a#1@PT10S"]).fired("a#1@PT10S").succeeds(json!("timeout"));
    let mut world = World::start(&timed(json!({ "timeout": "PT10S" })), json!({}));
    world.result("a#1", 4).succeeds(json!(4));
}

#[test]
fn a_timer_of_something_that_is_over_has_no_effect() {
    let flow = flow(json!([
        call("a", json!({ "timeout": "PT10S" })),
        ask("b", json!({ "on": "a" })),
        ask("late", json!({ "on": { "timeout": "PT1H", "from": "a" } })),
        end("done", json!("b"), json!({})),
        end("lost", json!({ "failure": "*" }), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.result("a#1", 1).gives(&["b#1"]).fired("a#1@PT10S").gives(&[]).fired("a#1@PT1H").gives(&[]).fired("a#1@PT5H").gives(&[]);
}

#[test]
fn the_trigger_closes_nothing() {
    let flow = flow(json!([
        ask("a", json!({})),
        call("remind", json!({ "on": { "timeout": "PT24H", "from": "a" } })),
        end("done", json!("a"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.fired("a#1@PT24H").gives(&["remind#1"]).fired("a#1@PT24H").gives(&[]);
    world.answer("a#1", "ask.yes", Value::Null).gives(&["remind#1@cancel", "succeeded"]);
}

#[test]
fn a_setting_and_a_trigger_of_one_length_are_one_timer() {
    let flow = flow(json!([
        ask("a", json!({ "timeout": "PT1H" })),
        call("timed", json!({ "on": { "timeout": "PT1H", "from": "a" } })),
        call("lost", json!({ "on": { "failure": "a" } })),
        end("done", json!("a"), json!({})),
    ]));
    World::start(&flow, json!({})).gives(&["a#1", "a#1@PT1H"]).fired("a#1@PT1H").gives(&["timed#1", "lost#1"]);
}

#[test]
fn the_run_has_timeouts_too() {
    let nodes = json!([ask("a", json!({})), call("late", json!({ "on": { "timeout": "PT1H" } })), end("done", json!("a"), json!({}))]);
    let mut world = World::start(&with(flow(nodes), "/timeout", json!("PT2H")), json!({}));
    world.fired("@PT1H").gives(&["late#1"]).fired("@PT1H").gives(&[]);
    world.fired("@PT2H").gives(&["a#1@cancel", "late#1@cancel", "failed"]).fails("timeout", None);
}

#[test]
fn nodes_on_the_time_limit_of_the_run_come_before_its_end() {
    let nodes = json!([
        ask("a", json!({})),
        end("late", json!({ "timeout": "PT1H" }), json!({ "output": "late" })),
        end("done", json!("a"), json!({}))
    ]);
    let mut world = World::start(&with(flow(nodes), "/timeout", json!("PT1H")), json!({}));
    world.fired("@PT1H").succeeds(json!("late"));
}

#[test]
fn further_attempts_keep_the_id() {
    let mut world = World::start(&timed(json!({ "retry": { "max": 2 } })), json!({}));
    world.fail("a#1", "one").gives(&["a#1:2"]);
    // An answer to the first attempt comes too late.
    world.result("a#1", 1).gives(&[]).fail_attempt("a#1", 1, Failure::coded("x", "", None)).gives(&[]);
    world.fail_attempt("a#1", 2, Failure::coded("two", "", None)).gives(&["a#1:3"]);
    world.fail_attempt("a#1", 3, Failure::coded("three", "", None)).succeeds(json!("three"));
    let mut world = World::start(&timed(json!({ "retry": { "max": 2 } })), json!({}));
    world.fail("a#1", "one").attempt("a#1", 2, "tool.result", json!({ "n": 8 })).succeeds(json!(8));
}

#[test]
fn pauses_go_through_timers() {
    let pauses = |retry: Value| {
        let mut world = World::start(&timed(json!({ "retry": retry })), json!({}));
        let mut pauses = Vec::new();
        for attempt in 1..=4 {
            world.fail_attempt("a#1", attempt, Failure::coded("x", "", None)).gives(&[&format!("a#1@retry:{}", attempt + 1)]);
            pauses.push(world.data("a#1@retry")["after"].as_str().unwrap().to_owned());
            // Between two attempts nothing is open that an answer could mean.
            world.attempt("a#1", attempt, "tool.result", json!({ "n": 1 })).gives(&[]);
            world.post("tool.result", json!({ "n": 1 })).gives(&[]);
            world.attempt("a#1@retry", attempt + 1, "timer.fired", Value::Null).gives(&[&format!("a#1:{}", attempt + 1)]);
        }
        pauses
    };
    let base = |more: Value| {
        let mut retry = json!({ "max": 4, "base": "PT0.2S" });
        retry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        retry
    };
    assert_eq!(pauses(base(json!({}))), ["PT0.2S"; 4]);
    assert_eq!(pauses(base(json!({ "backoff": "linear" }))), ["PT0.2S", "PT0.4S", "PT0.6S", "PT0.8S"]);
    assert_eq!(pauses(base(json!({ "backoff": "exponential" }))), ["PT0.2S", "PT0.4S", "PT0.8S", "PT1.6S"]);
    assert_eq!(pauses(base(json!({ "backoff": "exponential", "cap": "PT0.5S" }))), ["PT0.2S", "PT0.4S", "PT0.5S", "PT0.5S"]);
}

#[test]
fn only_what_may_be_mended_is_tried_again() {
    let again = |retry: Value, failure: Failure| {
        let mut world = World::start(&timed(json!({ "retry": retry })), json!({}));
        world.fail_attempt("a#1", 1, failure).last() == ["a#1:2"]
    };
    let on = json!({ "max": 1, "on": ["card_declined", "timeout"] });
    assert!(again(on.clone(), Failure::new(FailureKind::Timeout, "")));
    assert!(again(on.clone(), Failure::coded("card_declined", "", None)));
    assert!(!again(on.clone(), Failure::coded("gone", "", None)));
    assert!(!again(on, Failure::new(FailureKind::Unavailable, "")));
    use FailureKind::{Cancelled, Denied, InvalidInput, InvalidOutput, MaxTurns, NonLocalTool, Unavailable, UnknownTool};
    for (kind, expected) in [
        (Unavailable, true),
        (InvalidOutput, true),
        (MaxTurns, true),
        (InvalidInput, false),
        (Denied, false),
        (Cancelled, false),
        (UnknownTool, false),
        (NonLocalTool, false),
    ] {
        assert_eq!(again(json!({ "max": 1 }), Failure::new(kind, "")), expected, "{kind}");
    }
}

#[test]
fn the_node_stands_in_place_of_the_tool() {
    let tool = |flow: Value| {
        let flow = with(flow, "/tools/work/timeout", json!("PT20S"));
        with(flow, "/tools/work/retry", json!({ "max": 1, "on": ["gone"] }))
    };
    let mut world = World::start(&tool(timed(json!({}))), json!({}));
    world.gives(&["a#1", "a#1@PT20S"]).fail("a#1", "gone").gives(&["a#1:2", "a#1@PT20S:2"]);
    world.fired("a#1@PT20S").gives(&[]);
    world.attempt("a#1@PT20S", 2, "timer.fired", Value::Null).succeeds(json!("timeout"));
    let mut world = World::start(&tool(timed(json!({ "timeout": "PT5S", "retry": { "max": 1 } }))), json!({}));
    world.gives(&["a#1", "a#1@PT5S"]).fail("a#1", "other").gives(&["a#1:2", "a#1@PT5S:2"]);
}

#[test]
fn a_wait_is_a_timer() {
    let flow = flow(json!([
        { "id": "pause", "emit": "timer.set", "payload": { "after": "PT24H" } },
        { "id": "until", "on": "pause", "emit": "timer.set", "payload": { "at": "{{.input.at}}" } },
        end("done", json!("until"), json!({ "output": "{{.until ?? \"null\"}}" })),
    ]));
    let mut world = World::start(&flow, json!({ "at": "2027-01-31T12:00:00Z" }));
    world.gives(&["pause#1"]);
    assert_eq!(world.data("pause#1"), json!({ "after": "PT24H" }));
    world.fired("pause#1").gives(&["until#1"]);
    assert_eq!(world.data("until#1"), json!({ "at": "2027-01-31T12:00:00Z" }));
    // No other wait is open, so it need not be named.
    world.post("timer.fired", Value::Null).succeeds(json!("null"));
}

#[test]
fn a_deferred_tool_is_bounded_by_its_deadline_and_not_by_the_timeout_of_its_acknowledgement() {
    let deferred = |settings: Value, more: Value| {
        let mut flow = timed(more);
        for (key, value) in settings.as_object().unwrap() {
            flow = with(flow, &format!("/tools/work/{key}"), value.clone());
        }
        World::start(&flow, json!({}))
    };
    let both = json!({ "timeout": "PT30S", "deferred": { "deadline": "PT48H" } });
    deferred(both.clone(), json!({})).gives(&["a#1", "a#1@PT48H"]).fired("a#1@PT48H").succeeds(json!("timeout"));
    deferred(both.clone(), json!({})).result("a#1", 4).succeeds(json!(4));
    // The host reports that nobody has acknowledged.
    deferred(both.clone(), json!({})).fail_kind("a#1", FailureKind::Timeout).succeeds(json!("timeout"));
    // Without a deadline there is no timer: the timeout still bounds the acknowledgement alone.
    deferred(json!({ "timeout": "PT30S", "deferred": {} }), json!({})).gives(&["a#1"]).result("a#1", 4).succeeds(json!(4));
    // A step that says how long it waits is answered by then.
    deferred(both, json!({ "timeout": "PT2H" })).gives(&["a#1", "a#1@PT2H"]).fired("a#1@PT2H").succeeds(json!("timeout"));
    deferred(json!({ "timeout": "PT30S" }), json!({})).gives(&["a#1", "a#1@PT30S"]).result("a#1", 1);
}
