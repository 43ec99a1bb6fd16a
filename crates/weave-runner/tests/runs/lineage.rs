//! Data: rules 17 and 18, and the history of rule 16.

use serde_json::{Value, json};

use crate::world::{World, ask, call, end, flow, is, value, with};

#[test]
fn a_name_is_the_latest_answer_on_this_way() {
    // Two ways at once: each reads its own.
    let flow = flow(json!([
        { "id": "news", "on": "news.came", "output": "{{.event}}" },
        ask("q", json!({ "on": "news" })),
        value("both", json!({ "news": "{{.news}}", "q": "{{.q}}" }), json!({ "on": "q" })),
        { "id": "tell", "on": "both", "emit": "ask.second", "payload": "{{.both}}" },
        end("done", json!("tell"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!("one")).post("news.came", json!("two"));
    world.answer("q#2", "ask.no", json!("b")).answer("q#1", "ask.no", json!("a"));
    assert_eq!(world.data("tell#1"), json!({ "news": "two", "q": "b" }));
    assert_eq!(world.data("tell#2"), json!({ "news": "one", "q": "a" }));
}

#[test]
fn a_loop_reads_the_latest_round_and_all_rounds() {
    let flow = flow(json!([
        { "id": "draft", "on": { "any": ["start", { "on": "review", "when": is(&["review"], json!("again")) }] }, "emit": "ask.first",
          "payload": { "latest": "{{.draft ?? \"none\"}}", "all": "{{.draft[]}}", "words": "{{.draft[].w}}" } },
        { "id": "review", "on": "draft", "emit": "ask.second", "payload": "{{.draft}}" },
        end("done", json!("review"), json!({ "else": true, "output": "{{.draft[].w}}" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    assert_eq!(world.data("draft#1"), json!({ "latest": "none", "all": [], "words": [] }));
    world.answer("draft#1", "ask.yes", json!({ "w": "a" })).answer("review#1", "ask.yes", json!("again")).gives(&["draft#2"]);
    assert_eq!(world.data("draft#2"), json!({ "latest": { "w": "a" }, "all": [{ "w": "a" }], "words": ["a"] }));
    world.answer("draft#2", "ask.yes", json!({})).answer("review#2", "ask.yes", json!("again")).gives(&["draft#3"]);
    assert_eq!(world.data("draft#3"), json!({ "latest": {}, "all": [{ "w": "a" }, {}], "words": ["a", null] }));
    world.answer("draft#3", "ask.yes", json!({ "w": "c" })).answer("review#3", "ask.yes", json!("good"));
    world.succeeds(json!(["a", null, "c"]));
}

#[test]
fn what_happened_on_another_way_is_absent() {
    let flow = flow(json!([
        ask("a", json!({})), ask("b", json!({})),
        { "id": "left", "on": "a", "emit": "ask.second", "payload": { "a": "{{.a}}", "b": "{{.b?.x}}" } },
        end("done", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("b#1", "ask.yes", json!({ "x": 1 })).answer("a#1", "ask.yes", json!(2)).gives(&["left#1"]);
    assert_eq!(world.data("left#1"), json!({ "a": 2 }));
}

#[test]
fn an_answer_that_comes_late_is_read_by_what_follows_later() {
    // `a` is an ancestor of everything behind its timeout, and is answered in the meantime.
    let flow = flow(json!([
        ask("a", json!({})),
        { "id": "remind", "on": { "timeout": "PT1H", "from": "a" }, "emit": "ask.second", "payload": { "a": "{{.a ?? \"open\"}}" } },
        { "id": "seen", "on": "remind", "emit": "ask.second", "payload": { "a": "{{.a ?? \"open\"}}" } },
        end("done", json!("seen"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.fired("a#1@PT1H").gives(&["remind#1"]);
    assert_eq!(world.data("remind#1"), json!({ "a": "open" }));
    world.answer("a#1", "ask.no", json!("late")).gives(&[]);
    world.answer("remind#1", "ask.yes", Value::Null).gives(&["seen#1"]);
    assert_eq!(world.data("seen#1"), json!({ "a": "late" }));
}

#[test]
fn the_latest_is_so_in_the_order_of_the_answers() {
    // The timeout makes a second firing of `a`, which is answered before the first one.
    let flow = flow(json!([
        ask("a", json!({ "on": { "any": ["start", { "timeout": "PT1H", "from": "a" }] }, "limit": 2 })),
        { "id": "b", "on": { "timeout": "PT2H", "from": "a" }, "emit": "ask.second", "payload": null },
        end("done", json!("b"), json!({ "output": { "latest": "{{.a}}", "all": "{{.a[]}}" } })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.fired("a#1@PT1H").gives(&["a#2", "a#2@PT1H", "a#2@PT2H"]);
    world.fired("a#2@PT2H").gives(&["b#1"]);
    world.answer("a#2", "ask.no", json!("second")).answer("a#1", "ask.no", json!("first"));
    world.answer("b#1", "ask.yes", Value::Null).succeeds(json!({ "latest": "first", "all": ["second", "first"] }));
}

#[test]
fn the_event_is_what_fired_the_node() {
    let flow = flow(json!([
        ask("a", json!({})),
        value("answer", json!(["{{.event}}", "{{.response}}", "{{.result}}"]), json!({ "on": "a" })),
        { "id": "tell", "on": "answer", "emit": "ask.second", "payload": "{{.event}}" },
        end("failed", json!({ "failure": "tell" }), json!({ "output": ["{{.event.code}}", "{{.failure.code}}", "{{.failure.message}}"] })),
        end("timed", json!({ "timeout": "PT1H" }), json!({ "output": ["{{.event}}"] })),
        end("started", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.no", json!(5)).gives(&["tell#1"]);
    assert_eq!(world.data("tell#1"), json!([5, 5, 5]));
    world.fail("tell#1", "gone").succeeds(json!(["gone", "gone", ""]));
    World::start(&flow, json!({})).fired("@PT1H").succeeds(json!([null]));
    let flow = crate::world::flow(json!([{ "id": "done", "output": "{{.event.x}}", "terminal": true }]));
    World::start(&flow, json!({ "x": 1 })).succeeds(json!(1));
}

#[test]
fn a_question_continues_exchanges() {
    let flow = flow(json!([
        { "id": "one", "emit": "ai.request", "payload": { "prompt": "1" } },
        { "id": "two", "on": "one", "emit": "ai.request", "payload": { "prompt": "2" }, "history": ["one", "other", "two"] },
        call("other", json!({ "on": "two" })),
        { "id": "three", "on": "other", "emit": "ai.request", "payload": { "prompt": "3" }, "history": ["two", "one"] },
        end("done", json!("three"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("one#1", "ai.response", json!(1));
    assert_eq!(world.data("two#1"), json!({ "prompt": "2", "history": ["r/one#1"] }));
    world.answer("two#1", "ai.response", json!(2)).result("other#1", 1);
    assert_eq!(world.data("three#1"), json!({ "prompt": "3", "history": ["r/two#1", "r/one#1"] }));
}

#[test]
fn a_child_run_is_a_request() {
    let digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let child = json!({ "digest": digest, "input": { "type": "object", "required": ["n"] }, "output": { "type": "integer" } });
    let nodes = json!([
        { "id": "bill", "emit": "workflow.start", "payload": { "workflow": "billing", "digest": digest, "input": { "n": "{{.input.n}}" } } },
        end("done", json!("bill"), json!({ "output": "{{.bill}}" })),
        end("gone", json!({ "failure": "bill" }), json!({ "output": "{{.failure.code}}" })),
        end("stop", json!("news.came"), json!({})),
    ]);
    let flow = with(flow(nodes), "/workflows/billing", child);
    let mut world = World::start(&flow, json!({ "n": 1 }));
    world.gives(&["bill#1"]);
    assert_eq!(world.data("bill#1"), json!({ "workflow": "billing", "digest": digest, "input": { "n": 1 } }));
    world.answer("bill#1", "workflow.done", json!(7)).succeeds(json!(7));
    World::start(&flow, json!({ "n": 1 })).fail("bill#1", "no_money").succeeds(json!("no_money"));
    World::start(&flow, json!({ "n": 1 })).answer("bill#1", "workflow.done", json!("x")).succeeds(json!("invalid_output"));
    World::start(&flow, json!({})).succeeds(json!("invalid_input"));
    World::start(&flow, json!({ "n": 1 })).post("news.came", Value::Null).gives(&["bill#1@cancel", "succeeded"]);
}
