//! How fast runs go; run with `cargo bench -p weave-runner`. Items are events of the scroll, derived ones included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails like a test")]

use std::sync::Arc;

use divan::{AllocProfiler, Bencher, counter::ItemsCount};
use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::{Event, Prepared, Runner, ids};

/// The allocator of the command line, which also counts what a run holds.
#[global_allocator]
static ALLOCATOR: AllocProfiler<mimalloc::MiMalloc> = AllocProfiler::new(mimalloc::MiMalloc);

fn main() {
    divan::main();
}

/// A run to play: the external events, and how many events its scroll has.
struct Run {
    prepared: Arc<Prepared>,
    events: Vec<Event>,
    length: usize,
}

impl Run {
    fn play(&self, prepared: Arc<Prepared>) -> Runner {
        let mut runner = Runner::new(prepared);
        for event in &self.events {
            divan::black_box(runner.feed(event));
        }
        runner
    }
}

/// Plays a run, with these answers to what the nodes ask.
fn recorded(definition: Definition, input: Value, mut answer: impl FnMut(&str) -> Value) -> Run {
    let prepared = Prepared::new(definition);
    let digest = prepared.digest().unwrap();
    let mut events = vec![Event::start("r", &prepared.definition().workflow, digest, input)];
    let mut runner = Runner::new(Arc::clone(&prepared));
    let mut length = 1 + runner.feed(&events[0]).len();
    while !runner.is_done() {
        let open = runner.open_requests();
        let request = open.iter().find(|request| request.answers[0].0 != "timer.fired").expect("something is open");
        let (topic, id) = (request.answers[0].0, ids::result(&request.id, request.attempt));
        let data = if topic == "prompt.hydrate.result" { json!({ "docs": ["a"] }) } else { answer(request.node.unwrap()) };
        let event = Event::answer(id, topic, request.id.clone(), data).with_attempt(request.attempt);
        length += 1 + runner.feed(&event).len();
        events.push(event);
    }
    Run { prepared, events, length }
}

fn definition(nodes: Value) -> Definition {
    let numbered = json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64 } },
        "required": ["n"], "additionalProperties": false });
    let outside = json!({ "external": true, "payload": {} });
    let definition = json!({
        "weave": "1", "workflow": "flow", "input": { "type": "object" }, "output": {}, "nodes": nodes,
        "tools": { "work": { "kind": "local", "mode": "feedback", "strict": true, "input": numbered, "output": numbered } },
        "events": {
            "tool.dispatch": { "external": false, "payload": {}, "answers": ["tool.result"] }, "tool.result": outside,
        },
    });
    Definition::from_json(&definition.to_string()).unwrap()
}

/// Two thousand answers round a loop of two steps.
fn rounds() -> Run {
    let positive = json!({ "expr": { "op": ">", "type": "int",
        "args": [{ "path": ["a", "n"], "type": "int" }, { "const": 0, "type": "int" }] } });
    let call = |n: &str| json!({ "name": "work", "args": { "n": n } });
    let nodes = json!([
        { "id": "a", "on": { "any": ["start", "b"] }, "emit": "tool.dispatch", "payload": call("{{.b?.n ?? 1}}") },
        { "id": "b", "on": "a", "when": positive, "emit": "tool.dispatch", "payload": call("{{.a.n}}") },
        { "id": "done", "on": "a", "else": true, "terminal": true, "output": "{{.a.n}}" },
    ]);
    let mut left = 2_000;
    recorded(definition(nodes), json!({}), |_| {
        left -= 1;
        json!({ "n": i64::from(left > 2) })
    })
}

/// A fan-out over a thousand elements.
fn fan_out() -> Run {
    let nodes = json!([
        { "id": "f", "each": { "in": "{{.input.list}}", "as": "e" }, "emit": "tool.dispatch",
          "payload": { "name": "work", "args": { "n": "{{.e}}" } } },
        { "id": "done", "on": "f", "terminal": true, "output": "{{.f[0].n}}" },
    ]);
    let list: Vec<_> = (0..1_000).collect();
    recorded(definition(nodes), json!({ "list": list }), |_| json!({ "n": 1 }))
}

const SUPPORT: &str = include_str!("../../../tests/suite/lower/support/definition.json");

/// A refund: a model, two tools, an approval.
fn support() -> Run {
    let customer =
        json!({ "id": "123e4567-e89b-12d3-a456-426614174000", "name": "Ada", "email": "ada@example.org", "since": "2024-02-29" });
    let ticket =
        json!({ "ticket": { "id": "123e4567-e89b-12d3-a456-426614174001", "body": "It is broken.", "tags": [], "customer": customer } });
    let line = json!({ "sku": "AB-1", "title": "lamp", "quantity": 1, "price": "250.00" });
    recorded(Definition::from_json(SUPPORT).unwrap(), ticket, |node| match node {
        "triage" => json!({ "intent": "refund", "confidence": 0.9, "order_id": "A-17" }),
        "lookup" => json!({ "id": "A-17", "customer": customer, "lines": [line], "total": "250.00", "placed_at": "2026-01-31T12:00:00Z" }),
        "approve" => json!({ "by": "bo", "reason": "no" }),
        _ => json!({ "refund_id": "r_1" }),
    })
}

fn warm(bencher: Bencher, run: &Run) {
    bencher.counter(ItemsCount::new(run.length)).bench_local(|| run.play(Arc::clone(&run.prepared)));
}

fn cold(bencher: Bencher, run: &Run) {
    let definition = run.prepared.definition();
    bencher.counter(ItemsCount::new(run.length)).bench_local(|| run.play(Prepared::new(Arc::clone(definition))));
}

#[divan::bench]
fn warm_loop(bencher: Bencher) {
    warm(bencher, &rounds());
}

#[divan::bench]
fn warm_fan_out(bencher: Bencher) {
    warm(bencher, &fan_out());
}

#[divan::bench]
fn warm_support(bencher: Bencher) {
    warm(bencher, &support());
}

#[divan::bench]
fn cold_loop(bencher: Bencher) {
    cold(bencher, &rounds());
}

#[divan::bench]
fn cold_fan_out(bencher: Bencher) {
    cold(bencher, &fan_out());
}

#[divan::bench]
fn cold_support(bencher: Bencher) {
    cold(bencher, &support());
}

/// Making a run; its memory is that of a run that has not started.
#[divan::bench]
fn create(bencher: Bencher) {
    let run = support();
    bencher.bench_local(|| Runner::new(Arc::clone(&run.prepared)));
}

/// A run of `support` that waits for its approval: the memory that is left is that of a parked run.
#[divan::bench]
fn parked(bencher: Bencher) {
    let run = support();
    let before = run.events.len().saturating_sub(1);
    let parked = Run { events: run.events[..before].to_vec(), ..run };
    bencher.bench_local(|| parked.play(Arc::clone(&parked.prepared)));
}
