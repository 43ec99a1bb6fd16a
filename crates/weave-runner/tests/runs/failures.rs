//! Failures and cancellation: rules 23, 24 and 29.

use serde_json::{Value, json};
use weave_runner::{Failure, FailureKind};

use crate::world::{World, ask, call, end, flow, is, value, with};

#[test]
fn a_failure_goes_to_its_own_node_else_to_any_else_it_fails_the_run() {
    let flow = flow(json!([
        call("a", json!({})),
        call("own", json!({ "on": { "failure": "a" }, "when": is(&["failure", "code"], json!("mine")) })),
        call("any", json!({ "on": { "failure": "*" }, "when": is(&["failure", "code"], json!("known")) })),
        end("done", json!("a"), json!({})),
    ]));
    World::start(&flow, json!({})).fail("a#1", "mine").gives(&["own#1"]);
    World::start(&flow, json!({})).fail("a#1", "known").gives(&["any#1"]);
    let mut world = World::start(&flow, json!({}));
    let failure = Failure::coded("other", "words", Some(json!({ "x": 1 })));
    world.fail_attempt("a#1", 1, failure).gives(&["failed"]);
    world.ends(
        json!({ "outcome": "failed", "failure": { "kind": "execution_error", "code": "other", "message": "words", "data": { "x": 1 } } }),
    );
    // The node that took it may fail itself.
    World::start(&flow, json!({})).fail("a#1", "mine").fail("own#1", "known").gives(&["any#1"]);
}

#[test]
fn what_settles_does_not_fail_the_run() {
    let flow = flow(json!([
        call("a", json!({})),
        call("b", json!({})),
        end("done", json!({ "settled": ["a", "b"] }), json!({ "output": "{{.a.n ?? \"lost\"}}" })),
    ]));
    World::start(&flow, json!({})).fail("a#1", "x").gives(&[]).fail("b#1", "x").succeeds(json!("lost"));
}

#[test]
fn the_kind_stands_where_there_is_no_code() {
    let flow = flow(json!([
        call("a", json!({})),
        end("late", json!({ "failure": "a" }), json!({ "when": is(&["failure", "code"], json!("unavailable")), "output": "{{.failure}}" })),
        end("done", json!("a"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.fail_kind("a#1", FailureKind::Unavailable);
    world.succeeds(json!({ "kind": "unavailable", "code": "unavailable", "message": "" }));
}

#[test]
fn the_data_of_a_declared_error_fits() {
    let flow = flow(json!([
        call("a", json!({})),
        end("lost", json!({ "failure": "a" }), json!({ "output": { "kind": "{{.failure.kind}}", "reason": "{{.failure.data.reason}}" } })),
        end("done", json!("a"), json!({})),
    ]));
    let data = json!({ "type": "object", "properties": { "reason": { "type": "string" }, "x": { "type": "integer", "default": 1 } }, "required": ["reason"] });
    let flow = with(flow, "/errors/card_declined", json!({ "data": data }));
    let flow = with(flow, "/tools/work/fails", json!(["card_declined"]));
    let mut world = World::start(&flow, json!({}));
    world.fail_attempt("a#1", 1, Failure::coded("card_declined", "", Some(json!({ "reason": "limit" }))));
    world.succeeds(json!({ "kind": "execution_error", "reason": "limit" }));
    for data in [None, Some(json!({ "reason": 1 }))] {
        let mut world = World::start(&flow, json!({}));
        world.fail_attempt("a#1", 1, Failure::coded("card_declined", "", data)).succeeds(json!({ "kind": "invalid_output" }));
    }
}

#[test]
fn cancel_closes_the_open_firings_of_its_steps() {
    let flow = flow(json!([
        call("a", json!({ "on": { "any": ["start", "news.came"] }, "retry": { "max": 1, "base": "PT1S" } })), ask("b", json!({ "timeout": "PT1H" })),
        { "id": "box", "await": ["note.made"] },
        { "id": "stop", "on": "news.went", "cancel": ["b", "a", "box"] },
        ask("behind", json!({ "on": "stop" })),
        ask("after", json!({ "on": { "any": ["a", "b", "box", { "failure": "*" }, { "timeout": "PT2H", "from": "b" }] } })),
        { "id": "note", "on": { "topic": "ask.yes", "from": "behind" }, "emit": "note.made", "payload": null },
        end("done", json!("note"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", Value::Null).gives(&["a#2"]).fail("a#1", "x").gives(&["a#1@retry:2"]);
    // A pause is a request like others. What was appended first is cancelled first.
    world.post("news.went", Value::Null).gives(&["b#1@cancel", "a#2@cancel", "a#1@retry@cancel", "behind#1"]);
    assert_eq!(world.data("b#1@cancel"), json!({ "re": "r/b#1" }));
    world.result("a#2", 1).gives(&[]).fail("b#1", "x").gives(&[]).fired("b#1@PT1H").gives(&[]).fired("b#1@PT2H").gives(&[]);
    world.attempt("a#1@retry", 2, "timer.fired", Value::Null).gives(&[]);
    world.answer("behind#1", "ask.yes", Value::Null).gives(&["note#1", "succeeded"]);
}

#[test]
fn cancel_of_what_is_not_open_does_nothing() {
    let flow = flow(json!([
        call("a", json!({})), value("v", json!(1), json!({})),
        { "id": "stop", "on": "a", "cancel": ["a", "v"] },
        end("done", json!("stop"), json!({ "output": ["{{.stop}}", "{{.a.n}}"] })),
    ]));
    World::start(&flow, json!({})).result("a#1", 3).gives(&["succeeded"]).succeeds(json!([null, 3]));
}

#[test]
fn cancel_closes_a_whole_fan_out() {
    let flow = flow(json!([
        call("f", json!({ "each": { "in": "{{.input.list}}", "as": "x", "parallel": 2 } })),
        { "id": "stop", "on": "news.came", "cancel": ["f"] },
        end("done", json!("stop"), json!({})), ask("after", json!({ "on": "f" })),
    ]));
    let mut world = World::start(&flow, json!({ "list": [1, 2, 3] }));
    world.result("f#1[0]", 1).post("news.came", Value::Null).gives(&["f#1[1]@cancel", "f#1[2]@cancel", "succeeded"]);
}
