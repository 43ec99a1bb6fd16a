//! Joins: rules 18 and 19.

use serde_json::{Value, json};

use crate::world::{World, ask, call, end, flow, is, value};

fn joined(on: Value) -> Value {
    flow(json!([
        ask("a", json!({})), ask("b", json!({})), ask("c", json!({})),
        value("join", json!({ "a": "{{.a ?? \"-\"}}", "b": "{{.b ?? \"-\"}}", "c": "{{.c ?? \"-\"}}", "event": "{{.event}}" }), json!({ "on": on })),
        { "id": "tell", "on": "join", "emit": "ask.second", "payload": "{{.join}}" },
        end("done", json!("news.came"), json!({})),
        value("lost", json!(0), json!({ "on": { "failure": "*" }, "when": is(&["failure", "code"], json!("fine")) })),
    ]))
}

#[test]
fn all_waits_for_every_member() {
    let mut world = World::start(&joined(json!({ "all": ["a", "b", "c"] })), json!({}));
    world.answer("c#1", "ask.yes", json!(3)).gives(&[]).answer("a#1", "ask.no", json!(1)).gives(&[]);
    world.answer("b#1", "ask.yes", json!(2)).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": 1, "b": 2, "c": 3 }));
    assert!(world.data("join#1@step")["cause"].as_str().unwrap().starts_with('e'));
}

#[test]
fn some_of_many_fires_once_with_the_answers_in_order() {
    let mut world = World::start(&joined(json!({ "count": 2, "of": ["a", "b", "c"] })), json!({}));
    world.answer("c#1", "ask.yes", json!(3)).gives(&[]);
    world.answer("a#1", "ask.yes", json!(1)).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": 1, "b": "-", "c": 3, "event": [3, 1] }));
    world.answer("b#1", "ask.yes", json!(2)).gives(&[]);
}

#[test]
fn one_of_many_reads_the_winner() {
    let mut world = World::start(&joined(json!({ "count": 1, "of": ["a", "b"] })), json!({}));
    world.answer("b#1", "ask.yes", json!([2])).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": "-", "b": [2], "c": "-", "event": [2] }));
    world.answer("a#1", "ask.yes", json!(1)).gives(&[]);
}

#[test]
fn settled_counts_answers_and_failures() {
    let mut world = World::start(&joined(json!({ "settled": ["a", "b", "c"] })), json!({}));
    world.fail("a#1", "gone").gives(&[]).answer("c#1", "ask.yes", json!(3)).gives(&[]);
    world.fail("b#1", "fine").gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": "-", "b": "-", "c": 3 }));
    // A failure that no `settled` counts fails the run.
    let mut world = World::start(&joined(json!({ "settled": ["a", "b"] })), json!({}));
    world.fail("c#1", "gone").gives(&["a#1@cancel", "b#1@cancel", "failed"]).fails("execution_error", Some("gone"));
}

#[test]
fn an_answer_takes_the_place_of_an_earlier_failure() {
    let flow = flow(json!([
        { "id": "news", "on": "news.came", "output": "{{.event}}" },
        ask("a", json!({ "on": "news" })),
        ask("b", json!({})),
        { "id": "tell", "on": { "settled": ["a", "b"] }, "emit": "ask.second", "payload": { "news": "{{.news[]}}", "a": "{{.a ?? \"-\"}}" } },
        end("done", json!("news.went"), json!({})),
    ]));
    // What led to the failure is not behind the join: it reads the news of the answer alone.
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!(1)).fail("a#1", "gone").post("news.came", json!(2)).answer("a#2", "ask.yes", json!("yes")).gives(&[]);
    world.answer("b#1", "ask.yes", json!(0)).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "news": [2], "a": "yes" }));
    // A later failure leaves an answer as it is.
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!(1)).answer("a#1", "ask.yes", json!("yes")).post("news.came", json!(2)).fail("a#2", "gone").gives(&[]);
    world.answer("b#1", "ask.yes", json!(0)).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1")["a"], json!("yes"));
}

#[test]
fn guards_of_a_join_decide_once() {
    let flow = flow(json!([
        ask("a", json!({})),
        ask("b", json!({})),
        ask("c", json!({})),
        call("go", json!({ "on": { "count": 2, "of": ["a", "b", "c"] }, "when": is(&["a"], json!(1)) })),
        end("done", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("b#1", "ask.yes", json!(1)).answer("c#1", "ask.yes", json!(1)).gives(&[]);
    world.answer("a#1", "ask.yes", json!(1)).gives(&[]);
    let mut world = World::start(&flow, json!({}));
    world.answer("b#1", "ask.yes", json!(1)).answer("a#1", "ask.yes", json!(1)).gives(&["go#1"]);
}

/// `fork` begins a round; `a` alone may begin the next one while `b` is still open.
fn rounds(per: Option<&str>) -> Value {
    let mut all = json!({ "all": ["a", "b"] });
    if let Some(per) = per {
        all["per"] = json!(per);
    }
    flow(json!([
        value("fork", json!(0), json!({ "on": { "any": ["start", { "on": "a", "when": is(&["a", "again"], json!(true)) }] } })),
        ask("a", json!({ "on": "fork" })), ask("b", json!({ "on": "fork" })),
        { "id": "tell", "on": all, "emit": "ask.second", "payload": { "a": "{{.a.n}}", "b": "{{.b.n}}" } },
        end("done", json!("news.came"), json!({})),
    ]))
}

#[test]
fn a_join_belongs_to_a_firing_of_its_fork() {
    let mut world = World::start(&rounds(Some("fork")), json!({}));
    world.answer("a#1", "ask.yes", json!({ "n": 1, "again": true })).gives(&["a#2", "b#2"]);
    world.answer("a#2", "ask.yes", json!({ "n": 2 })).gives(&[]);
    // The late answer of round 1 meets `a` of round 1 only.
    world.answer("b#1", "ask.yes", json!({ "n": 1 })).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": 1, "b": 1 }));
    world.answer("b#2", "ask.yes", json!({ "n": 2 })).gives(&["tell#2"]);
    assert_eq!(world.data("tell#2"), json!({ "a": 2, "b": 2 }));
}

#[test]
fn a_join_without_a_fork_happens_once_a_run() {
    let mut world = World::start(&rounds(None), json!({}));
    world.answer("a#1", "ask.yes", json!({ "n": 1, "again": true })).gives(&["a#2", "b#2"]);
    world.answer("a#2", "ask.yes", json!({ "n": 2 })).gives(&[]);
    world.answer("b#1", "ask.yes", json!({ "n": 1 })).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!({ "a": 2, "b": 1 }));
    world.answer("b#2", "ask.yes", json!({ "n": 2 })).gives(&[]);
}

#[test]
fn the_latest_answer_of_a_member_counts() {
    let flow = flow(json!([
        ask("a", json!({ "on": { "any": ["start", "a"] }, "limit": 2 })),
        ask("b", json!({})),
        end("done", json!({ "all": ["a", "b"] }), json!({ "output": ["{{.a}}", "{{.b}}"] })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.yes", json!(1)).answer("a#2", "ask.yes", json!(2)).answer("b#1", "ask.yes", json!(3)).succeeds(json!([2, 3]));
}

#[test]
fn the_fork_may_be_a_member() {
    let flow = flow(json!([
        { "id": "news", "on": "news.came", "output": "{{.event}}" },
        ask("b", json!({ "on": "news" })),
        { "id": "tell", "on": { "all": ["b", "news"], "per": "news" }, "emit": "ask.second", "payload": ["{{.news}}", "{{.b}}"] },
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!(1)).post("news.came", json!(2)).gives(&["b#2"]);
    world.answer("b#2", "ask.yes", json!("b2")).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!([2, "b2"]));
    world.answer("b#1", "ask.yes", json!("b1")).gives(&["tell#2"]);
    assert_eq!(world.data("tell#2"), json!([1, "b1"]));
}

#[test]
fn a_fork_within_a_fork_is_told_apart() {
    // Each piece of news forks; within it, `again` forks anew.
    let flow = flow(json!([
        { "id": "news", "on": "news.came", "output": "{{.event}}" },
        ask("a", json!({ "on": "news" })), ask("b", json!({ "on": "news" })),
        { "id": "tell", "on": { "all": ["a", "b"], "per": "news" }, "emit": "ask.second", "payload": "{{.news}}{{.a}}{{.b}}" },
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!("x")).post("news.came", json!("y"));
    world.answer("a#1", "ask.yes", json!("1")).answer("b#2", "ask.yes", json!("2")).gives(&[]);
    world.answer("b#1", "ask.yes", json!("3")).gives(&["tell#1"]);
    world.answer("a#2", "ask.yes", json!("4")).gives(&["tell#2"]);
    assert_eq!((world.data("tell#1"), world.data("tell#2")), (json!("x13"), json!("y42")));
}
