//! Mailboxes: rule 10.

use serde_json::{Value, json};

use crate::world::{World, ask, end, flow, is, value};

fn waits() -> Value {
    flow(json!([
        ask("a", json!({})),
        { "id": "box", "on": "a", "await": ["news.came", "news.went"] },
        { "id": "tell", "on": "box", "emit": "ask.second", "payload": "{{.box}}" },
        ask("went", json!({ "on": { "topic": "news.went", "from": "box" } })),
        end("done", json!({ "timeout": "PT1H" }), json!({})),
    ]))
}

#[test]
fn an_event_that_came_before_is_taken() {
    let mut world = World::start(&waits(), json!({}));
    world.post("news.came", json!(1)).gives(&[]).post("news.went", json!(2)).gives(&[]);
    world.answer("a#1", "ask.yes", Value::Null).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!(1));
    assert_eq!(world.data("tell#1@step")["cause"], "r/box#1");
}

#[test]
fn an_event_that_comes_later_is_taken() {
    let mut world = World::start(&waits(), json!({}));
    world.answer("a#1", "ask.yes", Value::Null).gives(&[]);
    world.post("news.went", json!(2)).gives(&["tell#1", "went#1"]);
    assert_eq!(world.data("tell#1@step")["cause"], "e6");
    world.post("news.went", json!(3)).gives(&[]);
}

#[test]
fn each_firing_takes_another_event() {
    let flow = flow(json!([
        { "id": "box", "on": { "any": ["start", "box"] }, "await": ["news.came"], "limit": 3 },
        { "id": "tell", "on": "box", "emit": "ask.second", "payload": "{{.box}}" },
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!("x")).gives(&["tell#1"]).post("news.came", json!("y")).gives(&["tell#2"]);
    assert_eq!((world.data("tell#1"), world.data("tell#2")), (json!("x"), json!("y")));
}

#[test]
fn only_what_matches_is_taken_and_the_rest_waits() {
    let matches =
        |value: Value| json!({ "expr": { "op": "==", "type": "string", "args": [{ "path": ["event", "id"], "type": "string" }, value] } });
    let flow = flow(json!([
        ask("a", json!({})),
        { "id": "box", "on": "a", "await": ["news.came"], "match": matches(json!({ "path": ["a", "id"], "type": "string" })) },
        { "id": "second", "on": "box", "await": ["news.came"], "match": matches(json!({ "const": "one", "type": "string" })) },
        end("done", json!("second"), json!({ "output": ["{{.box.n}}", "{{.second.n}}"] })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!({ "id": "one", "n": 1 })).post("news.came", json!({ "id": "two", "n": 2 }));
    world.post("news.came", json!({ "id": "two", "n": 3 })).answer("a#1", "ask.yes", json!({ "id": "two" })).succeeds(json!([2, 1]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.yes", json!({ "id": "two" })).post("news.came", json!({ "id": "one", "n": 1 })).gives(&[]);
    world.post("news.came", json!({ "id": "two", "n": 4 })).succeeds(json!([4, 1]));
}

#[test]
fn two_nodes_may_take_the_same_event_and_a_node_not_twice() {
    let flow = flow(json!([
        { "id": "one", "await": ["news.came"] }, { "id": "two", "await": ["news.came"] },
        value("more", json!(0), json!({ "on": "one" })),
        { "id": "again", "on": "more", "await": ["news.came"] },
        ask("a", json!({ "on": { "all": ["again", "two"] } })),
        end("done", json!("a"), json!({})),
    ]));
    // Another node takes it too, also later.
    World::start(&flow, json!({})).post("news.came", json!(1)).gives(&["a#1"]);
}

#[test]
fn events_inside_a_loop_are_no_post() {
    let mut world = World::start(&waits(), json!({}));
    let event = world.event("news.came", json!(1));
    world.take(event.inside("r/a#1")).gives(&[]);
    world.answer("a#1", "ask.yes", Value::Null).gives(&[]);
    world.post("news.came", json!(2)).gives(&["tell#1"]);
}

#[test]
fn what_the_workflow_emits_is_post_too() {
    let flow = flow(json!([
        { "id": "box", "await": ["note.made"] },
        { "id": "note", "emit": "note.made", "payload": 5 },
        end("done", json!("box"), json!({ "output": "{{.box}}" })),
    ]));
    World::start(&flow, json!({})).gives(&["note#1", "succeeded"]).succeeds(json!(5));
}

#[test]
fn an_answer_is_post_too_but_not_one_that_came_too_late() {
    let flow = flow(json!([
        ask("a", json!({})),
        { "id": "box", "on": "news.came", "await": ["ask.yes"] },
        end("done", json!("box"), json!({ "output": "{{.box}}" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.no", json!(1)).answer("a#1", "ask.yes", json!(2)).post("news.came", Value::Null).gives(&[]);
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.yes", json!(3)).post("news.came", Value::Null).succeeds(json!(3));
}

#[test]
fn a_mailbox_has_a_time_limit() {
    let flow = flow(json!([
        { "id": "box", "await": ["news.came"], "timeout": "PT48H", "match": is(&["event"], json!(1)) },
        end("done", json!("box"), json!({})),
        end("late", json!({ "failure": "box" }), json!({ "output": "{{.failure.kind}}" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.gives(&["box#1@PT48H"]).post("news.came", json!(2)).gives(&[]).fired("box#1@PT48H").succeeds(json!("timeout"));
    World::start(&flow, json!({})).post("news.came", json!(1)).succeeds(Value::Null);
}

#[test]
fn mailboxes_are_served_in_the_order_of_their_firings() {
    // `late` stands first in the definition and fires last.
    let flow = flow(json!([
        { "id": "late", "on": "news.went", "await": ["news.came"] },
        { "id": "early", "await": ["news.came"] },
        { "id": "tell_late", "on": "late", "emit": "ask.second", "payload": "{{.late}}" },
        { "id": "tell_early", "on": "early", "emit": "ask.second", "payload": "{{.early}}" },
        end("done", json!("ask.no"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.went", json!(0)).post("news.came", json!(1)).gives(&["tell_early#1", "tell_late#1"]);
    assert_eq!((world.data("tell_early#1"), world.data("tell_late#1")), (json!(1), json!(1)));
}
