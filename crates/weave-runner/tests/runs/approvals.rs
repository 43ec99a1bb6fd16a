//! Approvals and hydration: rules 30 and 31.

use serde_json::{Value, json};
use weave_runner::FailureKind;

use crate::world::{World, call, end, flow, with};

fn approved(more: Value) -> Value {
    let flow = flow(json!([
        call("a", json!({ "payload": { "name": "work", "args": { "n": "{{.input.n}}" } } })),
        end("done", json!("a"), json!({ "output": "{{.a.n}}" })),
        end("lost", json!({ "failure": "a" }), json!({ "output": "{{.failure.kind}}: {{.failure.message}}" })),
        end("late", json!({ "timeout": "PT1H", "from": "a" }), json!({ "output": "late" })),
    ]));
    let guard = json!({ "when": { "expr": { "op": ">", "type": "int", "args": [{ "path": ["n"], "type": "int" }, { "const": 100, "type": "int" }] } } });
    let mut flow = with(flow, "/tools/work/approval", guard);
    for (key, value) in more.as_object().unwrap() {
        flow = with(flow, &format!("/tools/work/{key}"), value.clone());
    }
    flow
}

fn decide(world: &mut World, decision: Value) -> &mut World {
    world.answer("a#1@approval", "tool.approval.decided", decision)
}

#[test]
fn somebody_is_asked_first() {
    let mut world = World::start(&approved(json!({})), json!({ "n": 500 }));
    world.gives(&["a#1@approval", "a#1@PT1H"]);
    assert_eq!(world.data("a#1@approval"), json!({ "name": "work", "args": { "n": 500 } }));
    world.result("a#1", 1).gives(&[]);
    decide(&mut world, json!({ "decision": "approve" })).gives(&["a#1"]).result("a#1", 7).succeeds(json!(7));
    World::start(&approved(json!({})), json!({ "n": 100 })).gives(&["a#1", "a#1@PT1H"]);
    World::start(&approved(json!({ "approval": "always" })), json!({ "n": 1 })).gives(&["a#1@approval", "a#1@PT1H"]);
}

#[test]
fn arguments_can_be_edited() {
    let mut world = World::start(&approved(json!({})), json!({ "n": 500 }));
    decide(&mut world, json!({ "decision": "edit", "args": { "n": 50 } })).gives(&["a#1"]);
    assert_eq!(world.data("a#1"), json!({ "name": "work", "args": { "n": 50 } }));
    for args in [json!({ "n": "x" }), Value::Null] {
        let mut world = World::start(&approved(json!({})), json!({ "n": 500 }));
        decide(&mut world, json!({ "decision": "edit", "args": args }));
        assert!(world.data("@done")["output"].as_str().unwrap().starts_with("invalid_input: "));
    }
}

#[test]
fn a_rejection_is_a_failure_that_is_not_tried_again() {
    let flow = approved(json!({ "retry": { "max": 3, "on": ["denied", "invalid_output", "unavailable"] } }));
    let mut world = World::start(&flow, json!({ "n": 500 }));
    decide(&mut world, json!({ "decision": "reject", "reason": "too much" })).succeeds(json!("denied: too much"));
    let mut world = World::start(&flow, json!({ "n": 500 }));
    decide(&mut world, json!({ "decision": "maybe" })).succeeds(json!("invalid_output: a decision is `approve`, `edit` or `reject`"));
    let mut world = World::start(&flow, json!({ "n": 500 }));
    world.fail_kind("a#1@approval", FailureKind::Unavailable).succeeds(json!("unavailable: "));
}

#[test]
fn it_happens_once_and_its_time_does_not_count() {
    let flow = approved(json!({ "timeout": "PT1H", "retry": { "max": 1 } }));
    let mut world = World::start(&flow, json!({ "n": 500 }));
    // The trigger counts from the firing, the setting from the dispatch: two timers.
    world.gives(&["a#1@approval", "a#1@PT1H"]);
    decide(&mut world, json!({ "decision": "edit", "args": { "n": 9 } })).gives(&["a#1", "a#1@approval@PT1H"]);
    world.fired("a#1@approval@PT1H").gives(&["a#1:2", "a#1@PT1H:2"]);
    assert_eq!(world.data("a#1")["args"], json!({ "n": 9 }));
    world.fired("a#1@PT1H").succeeds(json!("late"));
}

#[test]
fn the_guard_reads_arguments_with_their_defaults() {
    let input = json!({ "type": "object", "properties": { "n": { "type": "integer", "default": 1000 } }, "additionalProperties": false });
    World::start(&approved(json!({ "input": input })), json!({})).gives(&["a#1@approval", "a#1@PT1H"]);
}

#[test]
fn what_waits_for_approval_can_be_cancelled() {
    let flow = with(approved(json!({})), "/nodes/3", json!({ "id": "stop", "on": "news.came", "cancel": ["a"] }));
    let flow = with(flow, "/nodes/2", end("stopped", json!("stop"), json!({})));
    let mut world = World::start(&flow, json!({ "n": 500 }));
    world.post("news.came", Value::Null).gives(&["a#1@approval@cancel", "succeeded"]);
    assert_eq!(world.data("a#1@approval@cancel"), json!({ "re": "r/a#1@approval" }));
}

fn hydrated(more: Value) -> Value {
    let mut node = json!({ "id": "q", "emit": "ai.request", "payload": { "agent": "writer", "args": { "question": "{{.input.q}}" } } });
    node.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let flow = flow(json!([
        node,
        end("done", json!("q"), json!({ "output": "{{.q.text}}" })),
        end("lost", json!({ "failure": "q" }), json!({ "output": "{{.failure.code}}" })),
    ]));
    let record = |name: &str, schema: Value| json!({ "type": "object", "properties": { name: schema }, "required": [name], "additionalProperties": false });
    let question = record("question", json!({ "type": "string" }));
    let flow = with(
        flow,
        "/agents/writer",
        json!({ "prompt": "grounded", "input": question, "output": record("text", json!({ "type": "string" })) }),
    );
    let docs = record("docs", json!({ "type": "array" }));
    with(flow, "/prompts/grounded", json!({ "tier": "dynamic", "input": question, "hydrates": docs, "text": "{{.question}} {{.docs}}" }))
}

#[test]
fn a_dynamic_prompt_is_hydrated_first() {
    let mut world = World::start(&hydrated(json!({ "timeout": "PT1M" })), json!({ "q": "why" }));
    world.gives(&["q#1@hydrate", "q#1@PT1M"]);
    assert_eq!(world.data("q#1@hydrate"), json!({ "prompt": "grounded", "args": { "question": "why" } }));
    world.answer("q#1@hydrate", "prompt.hydrate.result", json!({ "docs": ["d"] })).gives(&["q#1"]);
    assert_eq!(world.data("q#1"), json!({ "agent": "writer", "args": { "question": "why" }, "hydrated": { "docs": ["d"] } }));
    world.answer("q#1", "ai.response", json!({ "text": "so" })).succeeds(json!("so"));
}

#[test]
fn a_failed_hydration_is_the_steps_failure() {
    let mut world = World::start(&hydrated(json!({})), json!({ "q": "why" }));
    world.fail("q#1@hydrate", "gone").succeeds(json!("gone"));
    let mut world = World::start(&hydrated(json!({})), json!({ "q": "why" }));
    world.answer("q#1@hydrate", "prompt.hydrate.result", json!({})).succeeds(json!("invalid_output"));
    let mut world = World::start(&hydrated(json!({ "timeout": "PT1M" })), json!({ "q": "why" }));
    world.fired("q#1@PT1M").succeeds(json!("timeout"));
}

#[test]
fn a_retry_begins_with_the_hydration() {
    let mut world = World::start(&hydrated(json!({ "retry": { "max": 2 }, "timeout": "PT1M" })), json!({ "q": "why" }));
    world.fail("q#1@hydrate", "gone").gives(&["q#1@hydrate:2", "q#1@PT1M:2"]);
    world.answer("q#1@hydrate", "prompt.hydrate.result", json!({ "docs": [] })).gives(&[]);
    world.attempt("q#1@hydrate", 2, "prompt.hydrate.result", json!({ "docs": [] })).gives(&["q#1:2"]);
    world.attempt("q#1", 2, "ai.response", json!({})).gives(&["q#1@hydrate:3", "q#1@PT1M:3"]);
}
