//! The end of a run: rules 25 and 26.

use serde_json::{Value, json};

use crate::world::{World, ask, call, end, flow, is, with};

#[test]
fn the_first_end_wins_and_cancels_what_is_open() {
    let flow = flow(json!([
        call("a", json!({ "retry": { "max": 1, "base": "PT1S" } })),
        ask("b", json!({})),
        ask("c", json!({})),
        end("one", json!("b"), json!({ "output": 1 })),
        end("two", json!("b"), json!({ "output": 2 })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.fail("a#1", "x").gives(&["a#1@retry:2"]);
    world.answer("b#1", "ask.yes", Value::Null);
    assert_eq!(world.all(), ["one#1@step", "c#1@cancel", "a#1@retry@cancel", "succeeded"]);
    world.succeeds(json!(1));
}

#[test]
fn an_output_that_does_not_fit_fails_the_run() {
    let flow =
        with(flow(json!([end("done", json!("news.came"), json!({ "output": "{{.event}}" }))])), "/output", json!({ "type": "integer" }));
    World::start(&flow, json!({})).post("news.came", json!(1)).succeeds(json!(1));
    World::start(&flow, json!({})).post("news.came", json!("1")).gives(&["failed"]).fails("invalid_output", None);
}

#[test]
fn a_fail_node_is_the_code() {
    let flow = flow(json!([
        { "id": "too_long", "on": "news.came", "terminal": true, "outcome": "failed", "message": "{{.event.id}} took {{.event.n}} days" },
        { "id": "plain", "on": "news.went", "terminal": true, "outcome": "failed" },
        ask("a", json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!({ "id": "A-1", "n": 3 })).gives(&["a#1@cancel", "failed"]);
    world.ends(json!({ "outcome": "failed", "failure": { "kind": "execution_error", "code": "too_long", "message": "A-1 took 3 days" } }));
    World::start(&flow, json!({})).post("news.went", Value::Null).fails("execution_error", Some("plain"));
    // A message is text, also where it is one placeholder.
    let flow = with(flow, "/nodes/0/message", json!("{{.event.n}}"));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!({ "n": 3 }));
    assert_eq!(world.data("@done")["failure"]["message"], "3");
}

#[test]
fn an_end_without_output_is_null() {
    World::start(&flow(json!([{ "id": "done", "terminal": true }])), json!({})).gives(&["succeeded"]).succeeds(Value::Null);
}

#[test]
fn a_run_that_cannot_go_on_fails() {
    let flow = |more: Value| {
        let mut nodes = json!([ask("a", json!({})), end("done", json!("a"), json!({ "when": is(&["a"], json!(1)) })),]);
        nodes.as_array_mut().unwrap().extend(more.as_array().unwrap().iter().cloned());
        flow(nodes)
    };
    let stalls = |more: Value| {
        let mut world = World::start(&flow(more), json!({}));
        let last = world.answer("a#1", "ask.yes", json!(2)).last();
        if last == ["failed"] {
            world.fails("stalled", None);
        }
        last == ["failed"]
    };
    assert!(stalls(json!([])));
    // A timeout of the run, or something from outside, may still come.
    assert!(!stalls(json!([end("late", json!({ "timeout": "PT1H" }), json!({}))])));
    assert!(!stalls(json!([end("heard", json!("news.came"), json!({}))])));
    assert!(!stalls(json!([{ "id": "box", "await": ["news.came"] }, ask("next", json!({ "on": "box" }))])));
    // What this workflow emits itself does not come from outside; an answer answers something that is open.
    assert!(stalls(json!([end("heard", json!("note.made"), json!({}))])));
    assert!(stalls(json!([end("heard", json!("ask.no"), json!({}))])));
    assert!(stalls(json!([end("after", json!({ "timeout": "PT1H", "from": "a" }), json!({}))])));
}

#[test]
fn a_listener_whose_limit_is_used_up_does_not_keep_a_run_alive() {
    let flow = flow(json!([
        call("a", json!({ "on": "news.came", "limit": 1 })),
        call("b", json!({ "on": { "any": ["news.came", "news.went"] }, "limit": 2 })),
        end("done", json!("b"), json!({ "when": is(&["b", "n"], json!(1)) })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", Value::Null).gives(&["a#1"]).result("a#1", 1).gives(&[]);
    world.post("news.came", Value::Null).gives(&["b#1"]).result("b#1", 2).gives(&[]);
    world.post("news.went", Value::Null).gives(&["b#2"]).result("b#2", 2).gives(&["failed"]).fails("stalled", None);
}

#[test]
fn a_run_can_time_out_after_everything_else() {
    let flow = flow(json!([
        call("a", json!({})),
        ask("late", json!({ "on": { "timeout": "PT1H" } })),
        end("done", json!("late"), json!({ "when": is(&["late"], json!(1)) }))
    ]));
    let mut world = World::start(&flow, json!({}));
    world.result("a#1", 1).gives(&[]).fired("@PT1H").gives(&["late#1"]).answer("late#1", "ask.yes", json!(2)).fails("stalled", None);
}

#[test]
fn a_run_is_cancelled_from_outside() {
    let flow = flow(json!([ask("a", json!({})), end("done", json!("a"), json!({})), ask("heard", json!({ "on": { "failure": "*" } }))]));
    let mut world = World::start(&flow, json!({}));
    world.post("workflow.cancel", json!({ "re": "r/other#1" })).gives(&[]);
    world.post("workflow.cancel", json!({ "re": "r" })).gives(&["a#1@cancel", "failed"]).fails("cancelled", None);
}
