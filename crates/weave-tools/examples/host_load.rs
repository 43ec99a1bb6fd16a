//! Measures the host with the store in a file: `cargo run --release -p weave-tools --example host_load -- WHAT [NUMBER] [FOLDER]`.
//!
//! - `runs 3000`: so many runs, 64 at once, of the workflow of `docs/performance.md`: three tool steps, an approval, one more tool
//!   step; the tools answer in the process. With `http ADDRESS` in place of the folder, they are called there.
//! - `timers 100000`: so many timers due in one minute of a clock that runs faster, over a restart in the middle, after which the
//!   clock is set back. Checks that each fires once, and in order.
//! - `parked 10000`: so many runs that wait for an approval: disk, memory, the time of a restart, of waking 1,000 of them, and CPU
//!   while nothing happens.
//! - `serve ADDRESS`: the HTTP server of the tools.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing, clippy::panic, unreachable_pub, reason = "a benchmark")]

mod peers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use peers::{Fast, Http, InProcess, World};
use serde_json::{Value, json};
use weave_host::{Clock, Engine, Peers, Settings, Stopped, Tools, Until};
use weave_ir::Definition;
use weave_runner::Event;
use weave_scroll::{Cursor, Post, RowFilter, RunFilter, Status, Store};
use weave_sqlite::{Options, SqliteStore};

/// So many runs at once.
const AT_ONCE: usize = 64;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let word = |at: usize| arguments.get(at).map(String::as_str).unwrap_or_default();
    let number = |usual: usize| word(1).parse().unwrap_or(usual);
    let folder = || match word(2) {
        "" => std::env::temp_dir().join(format!("host-load-{}", std::process::id())),
        folder => PathBuf::from(folder),
    };
    match word(0) {
        "serve" => block_on(peers::serve(word(1))),
        "runs" if word(2) == "http" => runs(number(640), &folder_of("runs"), Arc::new(Http::new(word(3)))),
        "runs" => runs(number(3_000), &folder(), Arc::new(InProcess)),
        "timers" => timers(number(100_000), &folder()),
        "parked" => parked(number(10_000), &folder()),
        "awake" => awake(number(10_000), &folder()),
        other => panic!("`{other}` is none of runs, timers, parked, serve"),
    }
}

fn folder_of(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("host-load-{name}-{}", std::process::id()))
}

/// Runs a future to its end. What watches the store goes on with its engine, and is not waited for.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(future);
    runtime.shutdown_background();
    result
}

fn store(folder: &Path) -> Arc<SqliteStore> {
    std::fs::create_dir_all(folder).unwrap();
    Arc::new(SqliteStore::open(&folder.join("runs.db"), &Options::default()).unwrap())
}

fn engine(store: &Arc<SqliteStore>, tools: Arc<dyn Tools>, clock: Arc<dyn Clock>) -> Engine {
    let world = Arc::new(World);
    let peers = Peers { models: Arc::clone(&world) as _, tools, people: Arc::clone(&world) as _, outside: None, clock, watch: world };
    Engine::new(Arc::clone(store) as _, peers, Settings::default(), &std::process::id().to_string()).unwrap()
}

/// Three tool steps, an approval, one more tool step.
fn approved() -> Arc<Definition> {
    let call =
        |id: &str, on: &str| json!({ "id": id, "on": on, "emit": "tool.dispatch", "payload": { "name": "step", "args": { "n": 1 } } });
    let event = |external: bool, answers: &[&str]| json!({ "external": external, "payload": {}, "answers": answers });
    let tool = json!({ "kind": "local", "mode": "feedback", "strict": true, "input": {}, "output": {}, "hints": ["idempotent"] });
    definition(&json!({
        "weave": "1", "workflow": "order", "input": {}, "output": {},
        "nodes": [
            call("one", "start"), call("two", "one"), call("three", "two"),
            { "id": "approve", "on": "three", "emit": "approval.requested", "payload": {} },
            call("four", "approve"),
            { "id": "done", "on": "four", "output": "done", "terminal": true },
        ],
        "tools": { "step": tool },
        "events": { "approval.requested": event(false, &["approval.granted"]), "approval.granted": event(true, &[]) },
    }))
}

fn nap() -> Arc<Definition> {
    definition(&json!({
        "weave": "1", "workflow": "nap", "input": {}, "output": {},
        "nodes": [
            { "id": "sleep", "emit": "timer.set", "payload": { "at": "{{.input.at}}" } },
            { "id": "done", "on": "sleep", "output": "done", "terminal": true },
        ],
    }))
}

fn definition(value: &Value) -> Arc<Definition> {
    Arc::new(serde_json::from_value(value.clone()).unwrap())
}

fn grant(store: &dyn Store, run: &str) {
    let event = Event::answer(format!("granted {run}"), "approval.granted", format!("{run}/approve#1"), json!({}));
    let post = Post { run: run.to_owned(), id: event.id.clone(), event: serde_json::to_string(&event).unwrap(), at: 0 };
    store.post(post).unwrap();
}

/// What the process has used of the CPU, in seconds, its threads included.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The memory of the process in MB, and what of it no file backs.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1024.0
}

fn size(folder: &Path) -> u64 {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

/// So many runs, 64 at once, each approved as soon as it asks.
fn runs(count: usize, folder: &Path, tools: Arc<dyn Tools>) {
    let begun = Instant::now();
    let store = store(folder);
    let mut engine = engine(&store, tools, Arc::new(Fast::real()));
    let digest = engine.define(approved(), None).unwrap();
    let approver = approve_all(&store, count, engine.handle());
    let mut first = None;
    block_on(async {
        for batch in 0..count.div_ceil(AT_ONCE) {
            let ids: Vec<_> = (batch * AT_ONCE..count.min((batch + 1) * AT_ONCE)).map(|number| format!("r{number}")).collect();
            for id in &ids {
                engine.start(id, "order", &digest, json!({})).unwrap();
                if first.is_none() {
                    assert!(matches!(engine.work(&Until::Ended(id.clone())).await.unwrap(), Stopped::Ended(_)));
                    first = Some(begun.elapsed());
                }
            }
            for id in ids {
                assert!(matches!(engine.work(&Until::Ended(id)).await.unwrap(), Stopped::Ended(_)));
            }
        }
    });
    approver.join().unwrap();
    engine.leave().unwrap();
    let (time, steps) = (begun.elapsed().as_secs_f64(), count as f64 * 5.0);
    println!(
        "{count} runs: {:.0} steps/s, {:.2} s of CPU for 1,000 steps, {:.1} commits a run, first run after {:.0} ms, {:.1} MB on disk",
        steps / time,
        cpu() * 1_000.0 / steps,
        store.commits() as f64 / count as f64,
        first.unwrap_or_default().as_secs_f64() * 1000.0,
        size(folder) as f64 / 1e6
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// Grants each approval once, until all runs have theirs.
fn approve_all(store: &Arc<SqliteStore>, count: usize, handle: weave_host::Handle) -> std::thread::JoinHandle<()> {
    let store = Arc::clone(store);
    std::thread::spawn(move || {
        let mut granted = std::collections::BTreeSet::new();
        while granted.len() < count {
            let before = granted.len();
            for row in store.rows(&RowFilter { kind: Some(weave_scroll::Kind::Question), ..RowFilter::default() }).unwrap() {
                if granted.insert(row.key.run.clone()) {
                    grant(&*store, &row.key.run);
                }
            }
            if granted.len() > before {
                handle.wake();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    })
}

/// Timers due in one minute, over a restart, with the clock set back by ten seconds.
fn timers(count: usize, folder: &Path) {
    let store = store(folder);
    let begun = Instant::now();
    // They are due in the minute after the runs have been started, however long that takes: time stands still until then.
    let clock = Arc::new(Fast::still(1_800_000_000_000));
    let mut first = engine(&store, Arc::new(InProcess), Arc::clone(&clock) as _);
    let digest = first.define(nap(), None).unwrap();
    let minute = clock.now() + 3_600_000;
    let due = |number: usize| minute + i64::try_from(number * 7_919 % 60_000).unwrap();
    block_on(async {
        for number in 0..count {
            first.start(&format!("n{number}"), "nap", &digest, json!({ "at": weave_expr_timestamp(due(number)) })).unwrap();
        }
        first.work(&Until::Waiting("n0".to_owned())).await.unwrap();
    });
    println!("{count} runs wait after {:.1} s, {:.0} MB of memory", begun.elapsed().as_secs_f64(), memory());
    // Half of the minute passes; then the process ends.
    clock.jump(minute + 30_000);
    let handle = first.handle();
    let watching = Arc::clone(&store);
    let half = count / 2 - count / 20;
    let stopper = std::thread::spawn(move || {
        while watching.runs(&RunFilter { status: Some(Status::Succeeded), ..RunFilter::default() }).unwrap().len() < half {
            std::thread::sleep(Duration::from_millis(100));
        }
        handle.stop();
    });
    let begun = Instant::now();
    assert_eq!(block_on(first.work(&Until::Ended("nobody".to_owned()))).unwrap(), Stopped::Stopped);
    stopper.join().unwrap();
    first.leave().unwrap();
    let fired = store.runs(&RunFilter { status: Some(Status::Succeeded), ..RunFilter::default() }).unwrap().len();
    println!("{fired} fired in {:.1} s, then the process ends and the clock is set back by ten seconds", begun.elapsed().as_secs_f64());
    clock.jump(minute + 20_000);
    let begun = Instant::now();
    let open = store.runs(&RunFilter { status: Some(Status::Open), ..RunFilter::default() }).unwrap();
    let mut second = engine(&store, Arc::new(InProcess), Arc::clone(&clock) as _);
    block_on(async {
        // Only what the compiler wrote is read from the store.
        second.define(nap(), None).unwrap();
        second.resume(&open[0].id).unwrap();
        second.work(&Until::Waiting(open[0].id.clone())).await.unwrap();
        let early = store.runs(&RunFilter { status: Some(Status::Succeeded), ..RunFilter::default() }).unwrap().len();
        println!("{} fired after the clock was set back and before their time", early.saturating_sub(fired));
        clock.jump(minute + 60_000);
        // An engine stops working as soon as the run that it works for has ended, so it works for one that is still open.
        while let Some(row) = store.runs(&RunFilter { status: Some(Status::Open), limit: 1, ..RunFilter::default() }).unwrap().first() {
            second.work(&Until::Ended(row.id.clone())).await.unwrap();
        }
    });
    second.leave().unwrap();
    println!("the rest fired in {:.1} s", begun.elapsed().as_secs_f64());
    check_timers(&store, count, half);
    std::fs::remove_dir_all(folder).unwrap();
}

fn weave_expr_timestamp(at: i64) -> String {
    // Seconds and milliseconds of a day in 2027, which is all that is needed here.
    let day = at.rem_euclid(86_400_000);
    let (date, second, milli) = (at.div_euclid(86_400_000) - 20_833, day / 1000, day % 1000);
    format!("2027-01-{:02}T{:02}:{:02}:{:02}.{milli:03}Z", date + 15, second / 3600, second / 60 % 60, second % 60)
}

/// Each timer fired once; and in order, within each of the two processes.
fn check_timers(store: &SqliteStore, count: usize, half: usize) {
    let (mut fired, mut order) = (BTreeMap::new(), Vec::new());
    let mut cursor = Cursor::default();
    loop {
        let page = store.feed(cursor, 10_000).unwrap();
        let Some(last) = page.last() else { break };
        cursor = last.cursor;
        for entry in page.iter().filter(|entry| entry.turn.turn.external.contains("\"timer.fired\"")) {
            *fired.entry(entry.run.clone()).or_insert(0) += 1;
            order.push(entry.run[1..].parse::<usize>().unwrap() * 7_919 % 60_000);
        }
    }
    let twice = fired.values().filter(|times| **times != 1).count();
    assert_eq!((fired.len(), twice), (count, 0), "timers that fired, and those that did not fire once");
    let late = order.windows(2).filter(|pair| pair[1] < pair[0]).count();
    println!("{count} timers fired once each; {late} places out of order (the restart at about {half} may make one)");
    assert!(late <= 1, "timers fired out of order");
}

fn parked(count: usize, folder: &Path) {
    let begun = Instant::now();
    {
        let store = store(folder);
        let mut engine = engine(&store, Arc::new(InProcess), Arc::new(Fast::real()));
        let digest = engine.define(approved(), None).unwrap();
        block_on(async {
            for number in 0..count {
                engine.start(&format!("r{number}"), "order", &digest, json!({})).unwrap();
            }
            engine.work(&Until::Waiting("r0".to_owned())).await.unwrap();
        });
        engine.leave().unwrap();
    }
    println!(
        "{count} runs wait after {:.1} s, {:.2} KB of disk each",
        begun.elapsed().as_secs_f64(),
        size(folder) as f64 / 1024.0 / count as f64
    );
    // Another process goes on with them, so that its memory is that of the runs alone.
    let own = std::env::current_exe().unwrap();
    let status = std::process::Command::new(own).args(["awake", &count.to_string()]).arg(folder).status().unwrap();
    assert!(status.success());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Goes on with runs that wait.
fn awake(count: usize, folder: &Path) {
    let empty = memory();
    let begun = Instant::now();
    let store = store(folder);
    let mut engine = engine(&store, Arc::new(InProcess), Arc::new(Fast::real()));
    block_on(async {
        engine.define(approved(), None).unwrap();
        engine.resume("r0").unwrap();
        engine.work(&Until::Waiting("r0".to_owned())).await.unwrap();
        println!("a restart with {count} of them: {:.2} s, {:.0} MB of memory", begun.elapsed().as_secs_f64(), memory() - empty);
        let (before, idle) = (cpu(), Duration::from_secs(5));
        drop(tokio::time::timeout(idle, engine.work(&Until::Ended("nobody".to_owned()))).await);
        println!("idle: {:.1} % of a core", (cpu() - before) * 100.0 / idle.as_secs_f64());
        let woken = count.min(1_000);
        let begun = Instant::now();
        for number in 0..woken {
            grant(&*store, &format!("r{number}"));
        }
        let posted = begun.elapsed();
        engine.handle().wake();
        for number in 0..woken {
            assert!(matches!(engine.work(&Until::Ended(format!("r{number}"))).await.unwrap(), Stopped::Ended(_)));
        }
        println!(
            "{woken} of them woken: {:.2} s to post, {:.2} s to their end",
            posted.as_secs_f64(),
            (begun.elapsed() - posted).as_secs_f64()
        );
    });
    engine.leave().unwrap();
}
