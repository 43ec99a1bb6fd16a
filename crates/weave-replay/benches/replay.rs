//! How fast scrolls are replayed; run with `cargo bench -p weave-replay`. Items are scrolls of `support`, read from their lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails like a test")]

use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use serde_json::json;
use weave_ir::Definition;
use weave_replay::{Lines, Replay, Verdict};
use weave_runner::{Event, Prepared, Runner, ids};

/// The allocator of the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const SUPPORT: &str = include_str!("../../../tests/suite/lower/support/definition.json");

/// The scroll of a refund: a model, two tools, an approval.
fn scroll(prepared: &Arc<Prepared>) -> String {
    let customer =
        json!({ "id": "123e4567-e89b-12d3-a456-426614174000", "name": "Ada", "email": "ada@example.org", "since": "2024-02-29" });
    let ticket =
        json!({ "ticket": { "id": "123e4567-e89b-12d3-a456-426614174001", "body": "It is broken.", "tags": [], "customer": customer } });
    let line = json!({ "sku": "AB-1", "title": "lamp", "quantity": 1, "price": "250.00" });
    let mut runner = Runner::new(Arc::clone(prepared));
    let mut next = Some(Event::start("r1", "support", prepared.digest().unwrap(), ticket));
    let mut scroll: Vec<Event> = Vec::new();
    while let Some(event) = next.take() {
        let derived = runner.feed(&event);
        scroll.push(event);
        scroll.extend(derived);
        next = runner.open_requests().iter().find(|request| request.answers[0].0 != "timer.fired").map(|request| {
            let data = match request.node.unwrap() {
                "triage" => json!({ "intent": "refund", "confidence": 0.9, "order_id": "A-17" }),
                "lookup" => {
                    json!({ "id": "A-17", "customer": customer, "lines": [line], "total": "250.00", "placed_at": "2026-01-31T12:00:00Z" })
                }
                "approve" => json!({ "by": "bo", "reason": "no" }),
                _ => json!({ "refund_id": "r_1" }),
            };
            Event::answer(ids::result(&request.id, request.attempt), request.answers[0].0, request.id.clone(), data)
        });
    }
    let numbered = scroll.into_iter().enumerate().map(|(seq, event)| Event { seq: seq as u64, ..event });
    numbered.map(|event| serde_json::to_string(&event).unwrap() + "\n").collect()
}

fn replayed(text: &str, then: Option<&Arc<Prepared>>, now: &Arc<Prepared>) -> Verdict {
    let mut lines = Lines::default();
    let mut replay = Replay::new(then.cloned(), Arc::clone(now));
    for line in text.lines() {
        replay.push(&lines.read(line).unwrap().unwrap());
    }
    replay.finish()
}

/// Through the definition that recorded them.
#[divan::bench]
fn the_same(bencher: Bencher) {
    let prepared = Prepared::new(Definition::from_json(SUPPORT).unwrap());
    let text = scroll(&prepared);
    assert_eq!(replayed(&text, None, &prepared), Verdict::Same);
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| replayed(&text, None, &prepared));
}

/// Through another one, next to the one that recorded them.
#[divan::bench]
fn against(bencher: Bencher) {
    let then = Prepared::new(Definition::from_json(SUPPORT).unwrap());
    let now = Prepared::new(Definition::from_json(&SUPPORT.replace("\"const\": \"100\"", "\"const\": \"500\"")).unwrap());
    let text = scroll(&then);
    assert!(matches!(replayed(&text, Some(&then), &now), Verdict::Diverges(_)));
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| replayed(&text, Some(&then), &now));
}
