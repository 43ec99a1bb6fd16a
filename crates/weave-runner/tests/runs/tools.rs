//! Calls inside an agent's loop.

use serde_json::{Value, json};

use weave_runner::{Event, FailureKind};

use crate::world::{World, ask, call, end, flow, is, with};

fn looped(more: Value) -> Value {
    let mut nodes = json!([
        { "id": "q", "emit": "ai.request", "payload": { "agent": "writer", "args": {} }, "retry": { "max": 1 } },
        end("done", json!("q"), json!({ "output": "{{.q}}" })),
    ]);
    nodes.as_array_mut().unwrap().extend(more.as_array().unwrap().iter().cloned());
    let flow = flow(nodes);
    let signal = json!({ "kind": "signal", "mode": "feedback", "strict": true, "output": { "type": "null" }, "input":
        { "type": "object", "properties": { "reason": { "type": "string" }, "level": { "type": "integer", "default": 1 } }, "required": ["reason"] } });
    let flow = with(flow, "/tools/escalate", signal);
    let offered = json!([{ "name": "escalate", "tool": "escalate" }, { "name": "desk__work", "tool": "work" }]);
    with(flow, "/agents/writer", json!({ "input": { "type": "object" }, "output": {}, "tools": offered }))
}

fn calls<'w>(world: &'w mut World, tool: &str, args: Value) -> &'w mut World {
    let event = world.event("tool.dispatch", json!({ "name": tool, "args": args }));
    world.take(event.inside("r/q#1"))
}

#[test]
fn a_signal_closes_the_step() {
    let flow = looped(json!([ask(
        "handed",
        json!({ "on": { "tool": "escalate", "from": "q" }, "payload": ["{{.event.reason}}", "{{.event.level}}", "{{.q ?? \"no\"}}"] })
    )]));
    let mut world = World::start(&flow, json!({}));
    calls(&mut world, "escalate", json!({ "reason": "angry" })).gives(&["q#1@cancel", "handed#1"]);
    assert_eq!(world.data("handed#1"), json!(["angry", 1, "no"]));
    world.answer("q#1", "ai.response", json!(1)).gives(&[]);
}

#[test]
fn what_a_signal_has_closed_is_continued() {
    let flow = looped(json!([
        { "id": "handed", "on": { "tool": "escalate", "from": "q" }, "emit": "ai.request", "payload": { "prompt": "2" }, "history": ["q"] },
    ]));
    let mut world = World::start(&flow, json!({}));
    calls(&mut world, "escalate", json!({ "reason": "angry" })).gives(&["q#1@cancel", "handed#1"]);
    assert_eq!(world.data("handed#1"), json!({ "prompt": "2", "history": ["r/q#1"] }));
}

#[test]
fn a_signal_nobody_listens_to_changes_nothing() {
    let mut world = World::start(&looped(json!([])), json!({}));
    calls(&mut world, "escalate", json!({ "reason": "angry" })).gives(&[]);
    world.answer("q#1", "ai.response", json!(1)).succeeds(json!(1));
}

#[test]
fn a_signal_closes_the_step_also_when_its_guards_let_nobody_fire() {
    let guard = is(&["event", "reason"], json!("calm"));
    let flow = looped(json!([
        ask("handed", json!({ "on": { "tool": "escalate", "from": "q" }, "when": guard })),
        end("out", json!("news.came"), json!({}))
    ]));
    let mut world = World::start(&flow, json!({}));
    calls(&mut world, "escalate", json!({ "reason": "angry" })).gives(&["q#1@cancel"]);
}

#[test]
fn other_calls_leave_the_step_open() {
    let flow = looped(json!([
        ask("seen", json!({ "on": { "tool": "work", "from": "q" }, "payload": "{{.event.n}}" })),
        ask("progress", json!({ "on": { "topic": "tool.progress", "from": "q" }, "payload": "{{.event}}" })),
        ask("every", json!({ "on": "tool.progress" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    calls(&mut world, "work", json!({ "n": 4 })).gives(&["seen#1"]);
    assert_eq!(world.data("seen#1"), json!(4));
    // Arguments that do not fit, another tool, another loop.
    calls(&mut world, "work", json!({ "n": "4" })).gives(&[]);
    calls(&mut world, "escalate", json!({ "reason": "x" })).gives(&[]);
    let event = world.event("tool.dispatch", json!({ "name": "work", "args": { "n": 1 } }));
    world.take(event.inside("r/seen#1")).gives(&[]);
    let event = world.event("tool.progress", json!(50));
    world.take(event.inside("r/q#1")).gives(&["progress#1"]);
    world.post("tool.progress", json!(60)).gives(&["every#1"]);
    world.answer("q#1", "ai.response", json!(1)).gives(&["seen#1@cancel", "progress#1@cancel", "every#1@cancel", "succeeded"]);
}

#[test]
fn a_call_after_the_answer_has_no_effect() {
    let flow = looped(json!([ask("seen", json!({ "on": { "tool": "work", "from": "q" } })), ask("b", json!({ "on": "news.came" }))]));
    let flow = with(flow, "/nodes/1", ask("next", json!({ "on": "q" })));
    let flow = with(flow, "/nodes/3", end("done", json!("next"), json!({})));
    let mut world = World::start(&flow, json!({}));
    world.answer("q#1", "ai.response", json!(1)).gives(&["next#1"]);
    calls(&mut world, "work", json!({ "n": 4 })).gives(&[]);
}

#[test]
fn an_agent_can_be_called_like_a_tool() {
    let flow = with(
        looped(json!([ask("seen", json!({ "on": { "tool": "assistant", "from": "q" }, "payload": "{{.event.x}}" }))])),
        "/agents/assistant",
        json!({ "input": { "type": "object", "required": ["x"] }, "output": {} }),
    );
    let mut world = World::start(&flow, json!({}));
    calls(&mut world, "assistant", json!({})).gives(&[]);
    calls(&mut world, "assistant", json!({ "x": 3 })).gives(&["seen#1"]);
}

/// The flow whose agent is offered the tool `work` with these hints.
fn hinted(hints: Value) -> World {
    let flow = looped(json!([ask("seen", json!({ "on": { "tool": "work", "from": "q" } }))]));
    let flow = with(flow, "/nodes/0/retry", json!({ "max": 1, "on": ["unavailable"] }));
    World::start(&with(flow, "/tools/work/hints", hints), json!({}))
}

#[test]
fn an_ask_is_not_retried_once_its_loop_has_called_what_must_not_be_called_twice() {
    for hints in [json!(["read_only"]), json!(["idempotent"])] {
        let mut world = hinted(hints);
        calls(&mut world, "work", json!({ "n": 1 })).gives(&["seen#1"]);
        world.fail_kind("q#1", FailureKind::Unavailable).gives(&["q#1:2"]);
    }
    for hints in [json!([]), json!(["destructive"])] {
        let mut world = hinted(hints);
        calls(&mut world, "work", json!({ "n": 1 })).gives(&["seen#1"]);
        world.fail_kind("q#1", FailureKind::Unavailable).fails("unavailable", None);
    }
    // A signal has no effect but that on the run, and a name that is not offered reaches nobody.
    for (tool, args) in [("escalate", json!({ "reason": "x" })), ("other", json!({}))] {
        let mut world = World::start(&looped(json!([])), json!({}));
        calls(&mut world, tool, args).gives(&[]);
        world.fail_kind("q#1", FailureKind::Unavailable).gives(&["q#1:2"]);
    }
}

#[test]
fn what_happens_in_the_loop_of_another_attempt_has_no_effect() {
    let mut world = hinted(json!(["read_only"]));
    world.fail_kind("q#1", FailureKind::Unavailable).gives(&["q#1:2"]);
    calls(&mut world, "work", json!({ "n": 1 })).gives(&[]);
    let event = world.event("tool.dispatch", json!({ "name": "work", "args": { "n": 2 } })).inside("r/q#1").with_attempt(2);
    world.take(event).gives(&["seen#1"]);
    let event = world.event("tool.dispatch", json!({ "name": "work", "args": { "n": 2 } })).inside("r/q#1").with_attempt(3);
    world.take(event).gives(&[]);
}

#[test]
fn records_of_the_host_have_no_effect() {
    let flow = looped(json!([
        ask("unknown", json!({ "on": "tool.unknown" })),
        ask("turn", json!({ "on": { "topic": "ai.turn", "from": "q" } })),
        { "id": "again", "await": ["tool.again"] },
    ]));
    let mut world = World::start(&flow, json!({}));
    for topic in ["tool.unknown", "tool.again"] {
        let event = world.event(topic, json!({ "attempt": 1, "sending": 1 }));
        world.take(Event { re: Some("r/q#1".to_owned()), ..event }).gives(&[]);
        world.post(topic, json!({ "attempt": 1, "sending": 1 })).gives(&[]);
    }
    let event = world.event("ai.turn", json!({ "turn": 1 }));
    world.take(event.inside("r/q#1")).gives(&["turn#1"]);
    world.answer("q#1", "ai.response", json!(1)).gives(&["turn#1@cancel", "succeeded"]);
}

#[test]
fn an_unknown_outcome_is_tried_again_only_where_the_retry_says_so() {
    for (on, again) in [(json!([]), false), (json!(["unavailable"]), false), (json!(["unknown_outcome"]), true)] {
        let retry = if on == json!([]) { json!({ "max": 1 }) } else { json!({ "max": 1, "on": on }) };
        let flow = flow(json!([call("a", json!({ "retry": retry })), end("done", json!("a"), json!({}))]));
        let mut world = World::start(&flow, json!({}));
        world.fail_kind("a#1", FailureKind::UnknownOutcome);
        if again {
            world.gives(&["a#1:2"]);
        } else {
            world.fails("unknown_outcome", None);
        }
    }
}
