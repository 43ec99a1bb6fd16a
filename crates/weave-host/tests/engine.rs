//! Whole runs on the store in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use weave_host::{
    Ask, Clock, Context, Engine, EngineError, Models, Notice, Outcome, Peers, Pending, People, Question, Settings, Stopped, ToolCall,
    Tools, Until, Watch,
};
use weave_ir::Definition;
use weave_scroll::{MemoryStore, RunFilter, Status, Store, Worker};

/// Everything answers at once; the tool `slow` never does.
#[derive(Default)]
struct World {
    now: AtomicI64,
    calls: Mutex<Vec<String>>,
    refused: AtomicUsize,
}

fn ready<'a>(outcome: Outcome) -> Pending<'a, Outcome> {
    Box::pin(std::future::ready(outcome))
}

impl Models for World {
    fn turn<'a>(&'a self, _: &'a Ask, _: &'a Context) -> Pending<'a, Outcome> {
        ready(Outcome::Turn(Box::default()))
    }
}

impl Tools for World {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        self.calls.lock().unwrap().push(format!("{} {}", call.name, context.key.name()));
        match call.name {
            "slow" => Box::pin(std::future::pending()),
            "busy" if self.refused.fetch_add(1, Ordering::SeqCst) < 2 => {
                ready(Outcome::Refused { after: Some(30_000), message: "busy".to_owned() })
            }
            "broken" => ready(Outcome::Refused { after: None, message: "no connection".to_owned() }),
            "absent" => ready(Outcome::Unserved),
            "lost" => ready(Outcome::Lost { message: "reset".to_owned() }),
            _ => ready(Outcome::Data(json!({ "called": call.name }))),
        }
    }

    fn hydrate<'a>(&'a self, _: &'a str, _: &'a Value, _: &'a Context) -> Pending<'a, Outcome> {
        ready(Outcome::Data(json!({})))
    }
}

impl People for World {
    fn ask<'a>(&'a self, _: Question<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        ready(Outcome::Unserved)
    }
}

impl Clock for World {
    fn now(&self) -> i64 {
        self.now.load(Ordering::SeqCst)
    }

    fn is_virtual(&self) -> bool {
        true
    }

    fn wait(&self, until: i64) -> Pending<'_, ()> {
        self.now.fetch_max(until, Ordering::SeqCst);
        Box::pin(std::future::ready(()))
    }
}

impl Watch for World {
    fn notice(&self, _: &Notice<'_>) {}
}

fn definition(workflow: &str, nodes: &Value, workflows: &Value) -> Arc<Definition> {
    let tool = json!({ "kind": "local", "mode": "feedback", "strict": true, "input": {}, "output": {} });
    let names = ["find", "slow", "busy", "broken", "lost", "absent"];
    let tools: serde_json::Map<_, _> = names.into_iter().map(|name| (name.to_owned(), tool.clone())).collect();
    Arc::new(
        serde_json::from_value(json!({
            "weave": "1", "workflow": workflow, "input": {}, "output": {}, "nodes": nodes, "tools": tools, "workflows": workflows,
        }))
        .unwrap(),
    )
}

fn step(id: &str, on: &Value, tool: &str) -> Value {
    json!({ "id": id, "on": on, "emit": "tool.dispatch", "payload": { "name": tool, "args": {} } })
}

struct Bench {
    store: Arc<MemoryStore>,
    world: Arc<World>,
    engine: Engine,
}

fn bench(store: &Arc<MemoryStore>) -> Bench {
    let world = Arc::new(World::default());
    let peers = Peers {
        models: Arc::clone(&world) as _,
        tools: Arc::clone(&world) as _,
        people: Arc::clone(&world) as _,
        outside: None,
        clock: Arc::clone(&world) as _,
        watch: Arc::clone(&world) as _,
    };
    let engine = Engine::new(Arc::clone(store) as _, peers, Settings::default(), "test").unwrap();
    Bench { store: Arc::clone(store), world, engine }
}

impl Bench {
    fn run(&mut self, definitions: &[Arc<Definition>], until: &Until) -> Stopped {
        let mut digest = String::new();
        for definition in definitions {
            digest = self.engine.define(Arc::clone(definition), None).unwrap();
        }
        let main = definitions.last().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            self.engine.start("r", &main.workflow, &digest, json!({})).unwrap();
            self.engine.work(until).await.unwrap()
        })
    }
}

fn ended() -> Until {
    Until::Ended("r".to_owned())
}

#[test]
fn a_busy_callee_is_asked_again_when_it_said() {
    let store = Arc::new(MemoryStore::new());
    let mut bench = bench(&store);
    let flow = definition("w", &json!([step("a", &json!("start"), "busy"), { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    assert!(matches!(bench.run(&[flow], &ended()), Stopped::Ended(done) if done["outcome"] == "succeeded"));
    assert_eq!(bench.world.now(), 60_000);
    assert_eq!(*bench.world.calls.lock().unwrap(), ["busy r/a#1", "busy r/a#1", "busy r/a#1"]);
}

#[test]
fn a_callee_that_cannot_be_reached_is_unavailable() {
    let store = Arc::new(MemoryStore::new());
    let mut bench = bench(&store);
    let flow = definition("w", &json!([step("a", &json!("start"), "broken"), { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    let Stopped::Ended(done) = bench.run(&[flow], &ended()) else { panic!("it ends") };
    assert_eq!((&done["failure"]["kind"], &done["failure"]["message"]), (&json!("unavailable"), &json!("no connection")));
    assert_eq!(bench.world.calls.lock().unwrap().len(), 3);
}

#[test]
fn a_lost_call_of_a_once_only_tool_waits_for_a_person() {
    let store = Arc::new(MemoryStore::new());
    let mut bench = bench(&store);
    let flow = definition("w", &json!([step("a", &json!("start"), "lost"), { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    assert_eq!(bench.run(&[flow], &Until::Waiting("r".to_owned())), Stopped::Waiting);
    assert_eq!(bench.world.calls.lock().unwrap().len(), 1);
    let waiting: Value = serde_json::from_str(&store.run("r").unwrap().unwrap().state.waiting.unwrap()).unwrap();
    assert_eq!((&waiting["for"], &waiting["name"]), (&json!("unknown"), &json!("lost")));
}

#[test]
fn a_call_that_nobody_here_answers_stays_open_and_asks_nobody() {
    let store = Arc::new(MemoryStore::new());
    let mut bench = bench(&store);
    let flow = definition("w", &json!([step("a", &json!("start"), "absent"), { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    assert_eq!(bench.run(&[flow], &Until::Waiting("r".to_owned())), Stopped::Waiting);
    assert_eq!(bench.world.calls.lock().unwrap().len(), 1);
    let rows = store.rows(&weave_scroll::RowFilter::default()).unwrap();
    assert_eq!(rows.iter().map(|row| row.state).collect::<Vec<_>>(), [weave_scroll::RowState::Ready]);
}

#[test]
fn a_child_is_cancelled_with_its_parent() {
    let store = Arc::new(MemoryStore::new());
    let mut bench = bench(&store);
    let child =
        definition("child", &json!([step("a", &json!("start"), "slow"), { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    let digest = child.digest().unwrap();
    let parent = definition(
        "parent",
        &json!([
            { "id": "c", "emit": "workflow.start", "payload": { "workflow": "child", "digest": digest, "input": {} }, "timeout": "PT1M" },
            { "id": "late", "on": { "failure": "c" }, "output": "late", "terminal": true },
            { "id": "done", "on": "c", "terminal": true },
        ]),
        &json!({ "child": { "digest": digest, "input": {}, "output": {} } }),
    );
    // Time does not pass by itself while the child's call is under way.
    let world = Arc::clone(&bench.world);
    let handle = bench.engine.handle();
    let ticker = std::thread::spawn(move || {
        while world.calls.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        handle.stop();
    });
    assert_eq!(bench.run(&[Arc::clone(&child), Arc::clone(&parent)], &ended()), Stopped::Stopped);
    ticker.join().unwrap();
    assert_eq!(bench.store.runs(&RunFilter::default()).unwrap().len(), 2);
    bench.engine.leave().unwrap();

    let mut second = self::bench(&store);
    second.world.now.store(120_000, Ordering::SeqCst);
    // Only what the compiler wrote is read from the store.
    second.engine.define(child, None).unwrap();
    second.engine.define(parent, None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let stopped = runtime.block_on(async {
        second.engine.resume("r").unwrap();
        second.engine.work(&ended()).await.unwrap()
    });
    assert!(matches!(stopped, Stopped::Ended(done) if done["output"] == "late"));
    let cancelled = store.run("r/c#1").unwrap().unwrap();
    assert_eq!(cancelled.state.status, Status::Cancelled);
    assert!(second.world.calls.lock().unwrap().is_empty(), "a call with an unknown outcome is not made again");
}

#[test]
fn a_run_that_ends_its_process_is_set_aside() {
    let store = Arc::new(MemoryStore::new());
    let flow = definition("w", &json!([{ "id": "a", "await": ["x.y"] }, { "id": "done", "on": "a", "terminal": true }]), &json!({}));
    let mut first = bench(&store);
    assert_eq!(first.run(&[flow], &Until::Waiting("r".to_owned())), Stopped::Waiting);
    first.engine.leave().unwrap();
    for _ in 0..3 {
        let node = store.join(&Worker { process: "dies".to_owned(), revision: 1 }).unwrap();
        store.computing(node, "r").unwrap();
        store.kill(node);
        store.bury().unwrap();
    }
    let mut next = bench(&store);
    let refused = next.engine.resume("r");
    assert!(matches!(&refused, Err(EngineError::Poisoned { reason, .. }) if reason.starts_with("3 processes")), "{refused:?}");
    assert!(store.run("r").unwrap().unwrap().held.is_some());
}
