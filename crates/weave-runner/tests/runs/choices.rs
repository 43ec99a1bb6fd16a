//! Matching: rules 9, and 11 to 16.

use serde_json::{Value, json};

use crate::world::{World, ask, call, end, flow, is, value, with};

#[test]
fn a_topic_that_answers_something_here_means_any_of_those_answers() {
    let flow = flow(json!([
        ask("a", json!({})),
        ask("b", json!({})),
        call("next", json!({ "on": "ask.yes", "payload": { "name": "work", "args": { "n": "{{.a ?? 0}}" } } })),
        end("done", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    // It answers neither: both are open.
    world.post("ask.yes", json!(5)).gives(&[]);
    world.answer("b#1", "ask.yes", json!(6)).gives(&["next#1"]);
    world.answer("a#1", "ask.yes", json!(7)).gives(&["next#2"]);
    assert_eq!(world.data("next#1")["args"], json!({ "n": 0 }));
    assert_eq!(world.data("next#2")["args"], json!({ "n": 7 }));
}

#[test]
fn a_topic_that_answers_nothing_fires_each_time_with_a_lineage_of_its_own() {
    let flow = flow(json!([
        value("a", json!(1), json!({})),
        value("seen", json!({ "a": "{{.a}}", "event": "{{.event}}", "input": "{{.input.x}}" }), json!({ "on": "news.came" })),
        { "id": "tell", "on": "seen", "emit": "ask.first", "payload": "{{.seen}}" },
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({ "x": 9 }));
    world.post("news.came", json!("one")).gives(&["tell#1"]);
    world.post("news.came", json!("two")).gives(&["tell#2"]);
    assert_eq!(world.data("tell#2"), json!({ "event": "two", "input": 9 }));
}

#[test]
fn derived_events_are_events_too() {
    let flow = flow(json!([
        { "id": "note", "emit": "note.made", "payload": { "n": 1 } },
        call("heard", json!({ "on": "note.made" })),
        ask("behind", json!({ "on": "note" })),
        call("seen", json!({ "on": "tool.dispatch", "limit": 1 })),
        end("done", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.gives(&["note#1", "heard#1", "behind#1", "seen#1"]);
    assert_eq!(world.data("heard#1@step")["cause"], "r/note#1");
    assert_eq!(world.data("seen#1@step")["cause"], "r/heard#1");
}

#[test]
fn a_node_with_several_triggers_fires_for_each_but_once_for_one_event() {
    let any = json!({ "any": ["a", { "topic": "ask.yes", "from": "a" }, "ask.yes", { "topic": "ask.no", "from": "b" }] });
    let flow = flow(json!([
        ask("a", json!({})),
        ask("b", json!({})),
        call("c", json!({ "on": any })),
        end("done", json!("news.came"), json!({}))
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.yes", Value::Null).gives(&["c#1"]);
    world.answer("b#1", "ask.no", Value::Null).gives(&["c#2"]);
    let mut world = World::start(&flow, json!({}));
    world.answer("b#1", "ask.yes", Value::Null).gives(&["c#1"]);
}

#[test]
fn one_of_a_choice_fires() {
    let flow = flow(json!([
        ask("a", json!({})),
        call("one", json!({ "on": "a", "when": is(&["a", "n"], json!(1)) })),
        call("again", json!({ "on": "a", "when": is(&["a", "n"], json!(1)) })),
        call("two", json!({ "on": "a", "when": is(&["a", "n"], json!(2)) })),
        call("rest", json!({ "on": "a", "else": true })),
        call("also", json!({ "on": "a", "when": is(&["a", "also"], json!(true)), "also": true })),
        call("always", json!({ "on": "a" })),
        end("done", json!("news.came"), json!({})),
    ]));
    for (answer, expected) in [
        (json!({ "n": 1, "also": false }), vec!["one#1", "always#1"]),
        (json!({ "n": 2, "also": true }), vec!["two#1", "also#1", "always#1"]),
        (json!({ "n": 3, "also": true }), vec!["rest#1", "also#1", "always#1"]),
        (json!({}), vec!["rest#1", "always#1"]),
    ] {
        World::start(&flow, json!({})).answer("a#1", "ask.yes", answer).gives(&expected);
    }
}

#[test]
fn a_limit_counts_firings_and_opens_the_choice_to_the_next() {
    let flow = flow(json!([
        call("twice", json!({ "on": "news.came", "limit": 2 })),
        call("once", json!({ "on": "news.came", "limit": 1 })),
        call("also", json!({ "on": "news.came", "when": is(&["event"], json!(1)), "also": true, "limit": 1 })),
        call("rest", json!({ "on": "news.came", "else": true, "limit": 1 })),
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!(0)).gives(&["twice#1"]);
    world.post("news.came", json!(1)).gives(&["twice#2", "also#1"]);
    world.post("news.came", json!(1)).gives(&["once#1"]);
    world.post("news.came", json!(1)).gives(&["rest#1"]);
    world.post("news.came", json!(1)).gives(&[]);
}

#[test]
fn each_trigger_of_a_node_has_its_own_condition() {
    let any = json!({ "any": [{ "on": "a", "when": is(&["a"], json!(1)) }, { "on": "b", "else": true }] });
    let flow = flow(json!([
        ask("a", json!({})),
        ask("b", json!({})),
        call("c", json!({ "on": any })),
        call("d", json!({ "on": "a", "else": true })),
        call("e", json!({ "on": "b", "when": is(&["b"], json!(1)) })),
        end("done", json!("news.came"), json!({})),
    ]));
    for (a, b, expected) in [(1, 1, ["c#1", "e#1"]), (1, 2, ["c#1", "c#2"]), (2, 1, ["d#1", "e#1"]), (2, 2, ["d#1", "c#1"])] {
        let mut world = World::start(&flow, json!({}));
        world.answer("a#1", "ask.yes", json!(a)).gives(&expected[..1]);
        world.answer("b#1", "ask.yes", json!(b)).gives(&expected[1..]);
    }
}

#[test]
fn nodes_without_a_trigger_and_those_with_start_are_one_group() {
    let flow = flow(json!([
        call("a", json!({ "when": is(&["input", "n"], json!(1)) })),
        call("b", json!({ "on": { "any": [{ "on": "start", "else": true }, "a"] } })),
        end("done", json!("b"), json!({})),
    ]));
    World::start(&flow, json!({ "n": 1 })).gives(&["a#1"]).result("a#1", 1).gives(&["b#1"]);
    World::start(&flow, json!({ "n": 2 })).gives(&["b#1"]).result("b#1", 1).succeeds(Value::Null);
}

#[test]
fn groups_are_decided_before_anything_fires() {
    // Both choices are made while `a` has not fired; the limit of `a` is free for both, and it fires once.
    let flow = flow(json!([
        ask("q", json!({})),
        call("a", json!({ "on": { "any": ["q", { "topic": "ask.yes", "from": "q" }] }, "limit": 1 })),
        call("b", json!({ "on": { "topic": "ask.yes", "from": "q" }, "else": true })),
        end("done", json!("news.came"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("q#1", "ask.yes", Value::Null).gives(&["a#1"]);
}

#[test]
fn what_is_answered_at_once_comes_first_in_first_out() {
    let flow = flow(json!([
        value("a", json!(1), json!({})),
        value("b", json!(2), json!({})),
        value("c", json!(3), json!({ "on": "b" })),
        value("d", json!(4), json!({ "on": "a" })),
        ask("e", json!({ "on": { "any": ["c", "d"] } })),
        end("done", json!("news.came"), json!({})),
    ]));
    let world = World::start(&flow, json!({}));
    assert_eq!(world.all(), ["a#1@step", "b#1@step", "d#1@step", "c#1@step", "e#1@step", "e#1", "e#2@step", "e#2"]);
    assert_eq!(world.data("e#1@step")["cause"], "r/d#1");
    assert_eq!(world.data("e#2@step")["cause"], "r/c#1");
}

#[test]
fn chosen_nodes_fire_in_source_order_until_an_end() {
    let flow = flow(json!([
        ask("q", json!({})),
        call("a", json!({ "on": "ask.yes" })),
        end("done", json!("q"), json!({})),
        call("b", json!({ "on": "q" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.answer("q#1", "ask.yes", Value::Null);
    assert_eq!(world.all(), ["a#1@step", "a#1", "done#1@step", "a#1@cancel", "succeeded"]);
}

#[test]
fn a_guard_that_ends_in_an_error_is_false() {
    let divided = json!({ "op": "/", "type": "int", "args": [{ "const": 1, "type": "int" }, { "path": ["event"], "type": "int" }] });
    let guard = json!({ "expr": { "op": "==", "type": "int", "args": [divided, { "const": 1, "type": "int" }] } });
    let flow = flow(json!([
        call("a", json!({ "on": "news.came", "when": guard })),
        call("b", json!({ "on": "news.came", "else": true })),
        end("done", json!("news.went"), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!(1)).gives(&["a#1"]);
    world.post("news.came", json!(0)).gives(&["b#1"]);
    world.post("news.came", json!("x")).gives(&["b#2"]);
    world.post("news.came", Value::Null).gives(&["b#3"]);
}

#[test]
fn a_firing_appends_its_step_its_request_and_its_timers() {
    let flow = flow(json!([
        ask("a", json!({ "timeout": "PT30M" })),
        end("late", json!({ "timeout": "PT24H", "from": "a" }), json!({})),
        call("soon", json!({ "on": { "timeout": "PT1M", "from": "a" } })),
        call("same", json!({ "on": { "timeout": "PT30M", "from": "a" } })),
        end("over", json!({ "timeout": "PT72H" }), json!({})),
        end("done", json!("a"), json!({})),
        end("failed", json!({ "failure": "a" }), json!({})),
    ]));
    let flow = with(flow, "/timeout", json!("PT2H"));
    let world = World::start(&flow, json!({}));
    assert_eq!(world.all(), ["@PT2H", "@PT72H", "a#1@step", "a#1", "a#1@PT1M", "a#1@PT30M", "a#1@PT24H"]);
    assert_eq!(world.data("a#1@PT30M"), json!({ "after": "PT30M" }));
    assert_eq!(world.data("@PT72H"), json!({ "after": "PT72H" }));
}
