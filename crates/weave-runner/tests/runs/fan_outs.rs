//! Fan-outs: rule 20.

use serde_json::{Value, json};
use weave_runner::{Failure, FailureKind, Prepared};

use crate::world::{World, ask, call, end, flow, is, with};

fn fan(each: Value, more: Value) -> Value {
    let mut each = each;
    each["in"] = json!("{{.input.list}}");
    each["as"] = json!("x");
    let mut more = more;
    more["each"] = each;
    more["payload"] = json!({ "name": "work", "args": { "n": "{{.x}}" } });
    flow(json!([
        call("f", more),
        end("done", json!("f"), json!({ "output": "{{.f[0]}}" })),
        end("list", json!("news.came"), json!({})),
        call("lost", json!({ "on": { "failure": "f" }, "payload": { "name": "work", "args": { "n": 0 } } })),
    ]))
}

fn output(flow: Value, output: &str) -> Value {
    with(flow, "/nodes/1/output", json!(output))
}

#[test]
fn the_answer_is_the_list_in_the_order_of_the_elements() {
    let mut world = World::start(&output(fan(json!({}), json!({})), "{{.f}}"), json!({ "list": [5, 6, 7] }));
    world.gives(&["f#1[0]", "f#1[1]", "f#1[2]"]);
    assert_eq!(world.data("f#1[2]")["args"], json!({ "n": 7 }));
    world.result("f#1[2]", 30).gives(&[]).result("f#1[0]", 10).gives(&[]);
    world.result("f#1[1]", 20).succeeds(json!([{ "n": 10 }, { "n": 20 }, { "n": 30 }]));
}

#[test]
fn an_empty_list_is_answered_at_once_and_no_list_is_a_failure() {
    World::start(&output(fan(json!({ "min": 3 }), json!({})), "{{.f}}"), json!({ "list": [] })).gives(&["succeeded"]).succeeds(json!([]));
    for input in [json!({}), json!({ "list": "x" }), json!({ "list": { "a": 1 } })] {
        let mut world = World::start(&fan(json!({}), json!({})), input);
        world.gives(&["lost#1"]);
    }
}

#[test]
fn so_many_are_open_at_a_time() {
    let mut world = World::start(&fan(json!({ "parallel": 2 }), json!({})), json!({ "list": [1, 2, 3, 4] }));
    world.gives(&["f#1[0]", "f#1[1]"]);
    world.result("f#1[1]", 1).gives(&["f#1[2]"]);
    world.result("f#1[2]", 1).gives(&["f#1[3]"]);
    assert_eq!(world.open(), ["f#1[0]", "f#1[3]"]);
    world.result("f#1[0]", 1).gives(&[]).result("f#1[3]", 1).gives(&["succeeded"]);
}

#[test]
fn when_too_few_can_succeed_the_rest_is_cancelled() {
    let mut world = World::start(&fan(json!({ "parallel": 2 }), json!({})), json!({ "list": [1, 2, 3] }));
    world.fail("f#1[0]", "gone").gives(&["f#1[1]@cancel", "lost#1"]);
    assert_eq!(world.data("lost#1@step")["cause"], "e4");
    world.result("f#1[1]", 1).gives(&[]);
    let mut world = World::start(&output(fan(json!({ "min": 2 }), json!({})), "{{.f}}"), json!({ "list": [1, 2, 3] }));
    world.fail("f#1[0]", "gone").gives(&[]).result("f#1[2]", 3).gives(&[]);
    world.result("f#1[1]", 2).succeeds(json!([{ "n": 2 }, { "n": 3 }]));
    let mut world = World::start(&fan(json!({ "min": 2 }), json!({})), json!({ "list": [1, 2, 3] }));
    world.result("f#1[1]", 1).fail("f#1[0]", "gone").gives(&[]).fail("f#1[2]", "gone").gives(&["lost#1"]);
    World::start(&fan(json!({ "min": 2 }), json!({})), json!({ "list": [1] })).gives(&["lost#1"]);
}

#[test]
fn none_need_succeed() {
    let flow = output(fan(json!({ "min": 0 }), json!({})), "{{.f}}");
    let mut world = World::start(&flow, json!({ "list": [1, 2] }));
    world.fail("f#1[0]", "gone").gives(&[]).fail("f#1[1]", "gone").succeeds(json!([]));
}

#[test]
fn each_element_has_its_own_arguments_attempts_and_timer() {
    let more = json!({ "retry": { "max": 1 }, "timeout": "PT30S" });
    let mut world = World::start(&fan(json!({ "min": 1, "parallel": 2 }), more), json!({ "list": ["x", 2, 3] }));
    // The first does not fit: it has failed for good before anything is sent.
    world.gives(&["f#1[1]", "f#1[1]@PT30S", "f#1[2]", "f#1[2]@PT30S"]);
    world.fail("f#1[1]", "gone").gives(&["f#1[1]:2", "f#1[1]@PT30S:2"]);
    world.fired("f#1[2]@PT30S").gives(&["f#1[2]:2", "f#1[2]@PT30S:2"]);
    world.attempt("f#1[2]@PT30S", 2, "timer.fired", Value::Null).gives(&[]);
    world.attempt("f#1[1]", 2, "tool.result", json!({ "n": 9 })).succeeds(json!({ "n": 9 }));
}

#[test]
fn a_fan_out_fires_once_and_its_elements_trigger_nothing() {
    let flow = flow(json!([
        call(
            "f",
            json!({ "on": "news.came", "limit": 1, "each": { "in": "{{.event}}", "as": "x" }, "payload": { "name": "work", "args": { "n": "{{.x}}" } } })
        ),
        ask("plain", json!({ "on": "tool.result" })),
        ask("from", json!({ "on": { "topic": "tool.result", "from": "f" } })),
        ask("whole", json!({ "on": "f" })),
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!([1, 2])).gives(&["f#1[0]", "f#1[1]"]);
    world.post("news.came", json!([1, 2])).gives(&[]);
    world.result("f#1[0]", 1).gives(&[]).result("f#1[1]", 2).gives(&["whole#1"]);
}

#[test]
fn a_fan_out_can_wait_for_events() {
    let flow = flow(json!([
        { "id": "paid", "await": ["news.came"], "each": { "in": "{{.input.ids}}", "as": "order", "parallel": 2 }, "timeout": "PT1H",
          "match": { "expr": { "op": "==", "type": "string", "args": [
            { "path": ["event", "id"], "type": "string" }, { "path": ["order"], "type": "string" }] } } },
        end("done", json!("paid"), json!({ "output": "{{.paid}}" })),
        end("late", json!({ "failure": "paid" }), json!({ "output": "{{.failure.kind}}" })),
    ]));
    let mut world = World::start(&flow, json!({ "ids": ["a", "b", "c"] }));
    world.gives(&["paid#1[0]@PT1H", "paid#1[1]@PT1H"]);
    world.post("news.came", json!({ "id": "c" })).gives(&[]);
    world.post("news.came", json!({ "id": "b" })).gives(&[]);
    // The third took at once what lay there.
    world.post("news.came", json!({ "id": "a" })).succeeds(json!([{ "id": "a" }, { "id": "b" }, { "id": "c" }]));
    let mut world = World::start(&flow, json!({ "ids": ["a", "b"] }));
    world.fired("paid#1[1]@PT1H").gives(&["succeeded"]).succeeds(json!("elements"));
}

#[test]
fn a_fan_out_that_fails_says_why() {
    let flow = flow(json!([
        call("f", json!({ "each": { "in": "{{.input}}", "as": "x" } })),
        end("done", json!("f"), json!({})),
        end(
            "lost",
            json!({ "failure": "f" }),
            json!({ "when": is(&["failure", "kind"], json!("elements")), "output": "{{.failure.message}}" })
        ),
    ]));
    let flow = with(flow, "/nodes/0/each/in", json!("{{.input.list}}"));
    let mut world = World::start(&flow, json!({ "list": [1, 2] }));
    world
        .fail_attempt("f#1[1]", 1, Failure::new(FailureKind::Unavailable, ""))
        .succeeds(json!("1 of 2 elements failed, and 2 must succeed"));
}

#[test]
fn a_long_list_needs_no_deep_stack() {
    let list: Vec<_> = (0..20_000).map(|_| json!("no number")).collect();
    let flow = output(fan(json!({ "parallel": 1, "min": 0 }), json!({})), "{{.f}}");
    // Without the replay of a world, which would take its time.
    let prepared = Prepared::new(weave_ir::Definition::from_json(&flow.to_string()).unwrap());
    let start = weave_runner::Event::start("r", "flow", prepared.digest().unwrap(), json!({ "list": list }));
    let events = weave_runner::next(&prepared, &[start]).unwrap();
    assert_eq!(events.last().unwrap().data().unwrap()["output"], json!([]));
}

#[test]
fn each_element_of_an_event_without_answers_is_an_event_of_its_own() {
    let flow = flow(json!([
        { "id": "f", "each": { "in": "{{.input.list}}", "as": "x" }, "emit": "note.made", "payload": { "n": "{{.x}}" } },
        end("done", json!("f"), json!({ "output": "{{.f}}" })),
    ]));
    let mut world = World::start(&flow, json!({ "list": [5, 6] }));
    world.gives(&["f#1[0]", "f#1[1]", "succeeded"]);
    assert_eq!(world.data("f#1[1]"), json!({ "n": 6 }));
    world.succeeds(json!([{ "n": 5 }, { "n": 6 }]));
}
