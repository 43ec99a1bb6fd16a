//! The small runs that are exhausted, and the rules that are taken away.

use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::Prepared;

use super::check;
use super::seeds::simulate;
use super::world::Case;
use crate::rules::{Rule, Rules};
use crate::{ModelCall, ModelTurn};

/// More states than any case has.
const MOST: usize = 400_000;

fn definition(nodes: Value, tools: Value, agents: Value) -> Arc<Prepared> {
    let definition: Definition = serde_json::from_value(json!({
        "weave": "1", "workflow": "w",
        "input": { "type": "object", "properties": {}, "additionalProperties": false },
        "output": {}, "nodes": nodes, "tools": tools, "agents": agents,
        "events": {
            "approval.requested": { "external": false, "payload": {}, "answers": ["approval.granted"] },
            "approval.granted": { "external": true, "payload": {} },
        },
    }))
    .unwrap();
    Prepared::new(definition)
}

fn tool(hints: Value) -> Value {
    json!({ "kind": "local", "mode": "feedback", "strict": true, "hints": hints,
        "input": { "type": "object", "properties": {}, "additionalProperties": false }, "output": {} })
}

fn case(prepared: Arc<Prepared>) -> Case {
    Case { prepared, rules: Rules::default(), faults: 1, turns: Vec::new(), post: None, silent: false, only_lost: false, people: 1 }
}

fn call() -> Value {
    json!({ "id": "pay", "emit": "tool.dispatch", "payload": { "name": "charge", "args": {} } })
}

/// One call of a once-only tool.
fn once_only() -> Case {
    let nodes = json!([call(), { "id": "done", "on": "pay", "terminal": true }]);
    case(definition(nodes, json!({ "charge": tool(json!([])) }), json!({})))
}

/// One call of an idempotent tool.
fn repeatable() -> Case {
    let nodes = json!([call(), { "id": "done", "on": "pay", "terminal": true }]);
    case(definition(nodes, json!({ "charge": tool(json!(["idempotent"])) }), json!({})))
}

/// A call with a timeout, tried a second time.
fn retried() -> Case {
    let mut pay = call();
    pay["timeout"] = json!("PT20S");
    pay["retry"] = json!({ "max": 1, "on": ["timeout"] });
    let nodes =
        json!([pay, { "id": "done", "on": "pay", "terminal": true }, { "id": "bad", "on": { "failure": "pay" }, "terminal": true }]);
    Case { faults: 1, ..case(definition(nodes, json!({ "charge": tool(json!(["idempotent"])) }), json!({}))) }
}

/// The same call, and nobody carries it out.
fn silent() -> Case {
    Case { silent: true, ..retried() }
}

/// A once-only call and, at the same time, an approval.
fn side_by_side() -> Case {
    let nodes = json!([
        call(),
        { "id": "approve", "emit": "approval.requested", "payload": {} },
        { "id": "yes", "on": { "all": ["pay", "approve"] }, "terminal": true },
    ]);
    let post = Some(("approval.granted", "r/approve#1", json!({})));
    Case { post, ..case(definition(nodes, json!({ "charge": tool(json!([])) }), json!({}))) }
}

/// An approval that closes after a day.
fn approval() -> Case {
    let nodes = json!([
        { "id": "approve", "emit": "approval.requested", "payload": {} },
        { "id": "yes", "on": "approve", "terminal": true },
        { "id": "late", "on": { "timeout": "PT24H", "from": "approve" }, "terminal": true },
    ]);
    let post = Some(("approval.granted", "r/approve#1", json!({})));
    Case { faults: 2, post, ..case(definition(nodes, json!({}), json!({}))) }
}

/// An agent that calls a once-only tool, then answers.
fn agent() -> Case {
    let nodes = json!([
        { "id": "triage", "emit": "ai.request", "payload": { "agent": "triager", "args": {} } },
        { "id": "done", "on": "triage", "terminal": true },
        { "id": "bad", "on": { "failure": "triage" }, "terminal": true },
    ]);
    let agents = json!({ "triager": { "input": {}, "output": { "type": "object", "properties": { "n": { "type": "integer" } } },
        "tools": [{ "name": "charge", "tool": "charge" }], "max_turns": 3 } });
    let call = ModelCall { id: "c1".to_owned(), name: "charge".to_owned(), args: json!({}) };
    let turns = vec![
        ModelTurn { calls: vec![call], ..ModelTurn::default() },
        ModelTurn { text: Some("{\"n\": 1}".to_owned()), ..ModelTurn::default() },
    ];
    Case { turns, ..case(definition(nodes, json!({ "charge": tool(json!([])) }), agents)) }
}

#[track_caller]
#[allow(clippy::disallowed_macros, reason = "with `--nocapture` the table of `docs/protocol.md` is printed")]
fn holds(name: &str, case: &Case) {
    let checked = check(case, MOST);
    println!("| {name} | all rules | {} | none |", checked.states);
    if let Some((violation, trace)) = checked.violation {
        panic!("{name}: {violation}: {trace:?}");
    }
}

#[track_caller]
#[allow(clippy::disallowed_macros, reason = "with `--nocapture` the table of `docs/protocol.md` is printed")]
fn breaks(name: &str, mut case: Case, rule: Rule) {
    case.rules = Rules::without(rule);
    let checked = check(&case, MOST);
    let (violation, trace) = checked.violation.unwrap_or_else(|| panic!("{name} holds without {rule:?} in {} states", checked.states));
    println!("| {name} | {rule:?} | {} | {violation}: {trace:?} |", checked.states);
}

#[test]
fn a_once_only_call_is_made_once_a_decision() {
    holds("once-only call", &once_only());
}

#[test]
fn a_repeatable_call_is_made_until_it_is_answered() {
    holds("repeatable call", &Case { faults: 2, ..repeatable() });
}

#[test]
fn a_call_that_is_late_is_tried_again() {
    holds("retried call", &retried());
}

#[test]
fn a_call_that_nobody_answers_ends() {
    holds("retried call without an answer", &silent());
}

#[test]
fn two_people_decide_about_one_sending_each() {
    holds("once-only call that is lost twice", &Case { faults: 2, people: 2, only_lost: true, ..once_only() });
}

#[test]
fn an_approval_is_not_lost_to_its_timer() {
    holds("approval", &approval());
}

#[test]
fn a_call_and_an_approval_do_not_disturb_each_other() {
    holds("once-only call next to an approval", &side_by_side());
}

#[test]
fn a_loop_goes_on_where_it_was() {
    holds("agent", &agent());
}

#[test]
fn without_the_mark_a_call_is_made_twice() {
    breaks("once-only call", once_only(), Rule::MarkFirst);
}

#[test]
fn without_the_question_a_call_is_made_twice() {
    breaks("once-only call", once_only(), Rule::AskWhenUnknown);
}

#[test]
fn with_memory_that_is_kept_a_run_hangs() {
    breaks("approval", approval(), Rule::Rebuild);
}

#[test]
fn an_approval_is_lost_where_timers_come_first() {
    breaks("approval", approval(), Rule::InboxFirst);
}

#[test]
fn what_is_not_durable_must_not_leave() {
    breaks("repeatable call", repeatable(), Rule::DurableFirst);
}

#[test]
fn without_the_attempt_in_ids_a_timer_is_dropped() {
    breaks("retried call without an answer", silent(), Rule::AttemptInId);
}

#[test]
fn a_decision_about_an_earlier_sending_does_harm() {
    breaks("once-only call that is lost twice", Case { faults: 2, people: 2, only_lost: true, ..once_only() }, Rule::SendingInDecision);
}

/// Three calls in a row, an agent beside them, an approval, and one more call.
fn large() -> Case {
    let step =
        |id: &str, on: Value, tool: &str| json!({ "id": id, "on": on, "emit": "tool.dispatch", "payload": { "name": tool, "args": {} } });
    let mut first = step("first", json!("start"), "find");
    first["timeout"] = json!("PT20S");
    first["retry"] = json!({ "max": 2, "base": "PT1S", "backoff": "exponential" });
    let nodes = json!([
        first,
        { "id": "triage", "emit": "ai.request", "payload": { "agent": "triager", "args": {} } },
        step("second", json!("first"), "charge"),
        { "id": "approve", "on": "second", "emit": "approval.requested", "payload": {} },
        { "id": "late", "on": { "timeout": "PT24H", "from": "approve" }, "terminal": true },
        step("third", json!("approve"), "charge"),
        { "id": "done", "on": { "settled": ["third", "triage"] }, "terminal": true },
        { "id": "bad", "on": { "any": [{ "failure": "first" }, { "failure": "second" }] }, "terminal": true },
    ]);
    let tools = json!({ "charge": tool(json!([])), "find": tool(json!(["read_only"])) });
    let agents = json!({ "triager": { "input": {}, "output": { "type": "object", "properties": { "n": { "type": "integer" } } },
        "tools": [{ "name": "charge", "tool": "charge" }, { "name": "find", "tool": "find" }], "max_turns": 3 } });
    let call = |id: &str, name: &str| ModelCall { id: id.to_owned(), name: name.to_owned(), args: json!({}) };
    let turns = vec![
        ModelTurn { calls: vec![call("c1", "charge"), call("c2", "find"), call("c3", "nothing")], ..ModelTurn::default() },
        ModelTurn { text: Some("no JSON".to_owned()), ..ModelTurn::default() },
        ModelTurn { text: Some("{\"n\": 1}".to_owned()), ..ModelTurn::default() },
    ];
    let post = Some(("approval.granted", "r/approve#1", json!({})));
    Case { faults: 8, turns, post, people: 2, ..case(definition(nodes, tools, agents)) }
}

fn play(seeds: std::ops::Range<u64>) {
    let case = large();
    for seed in seeds {
        if let Err((violation, trace)) = simulate(&case, seed) {
            panic!("seed {seed}: {violation}: {trace:?}");
        }
    }
}

#[test]
fn large_runs_end_whatever_fails() {
    play(0..150);
}

/// `cargo test -p weave-drive --release -- --ignored --nocapture a_million_seeds`; with `WEAVE_SEEDS=FROM..TO` a part of them.
#[test]
#[ignore = "it takes an hour of one core"]
#[allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a campaign reports its progress, and takes the number of its part"
)]
fn a_million_seeds() {
    const STRIDE: u64 = 10_000;
    let wanted = std::env::var("WEAVE_SEEDS").unwrap_or_else(|_| "0..1000000".to_owned());
    let (from, to) = wanted.split_once("..").expect("WEAVE_SEEDS is FROM..TO");
    let (mut from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    while from < to {
        let next = (from + STRIDE).min(to);
        play(from..next);
        from = next;
        println!("seeds up to {from}: no violation");
    }
}
