//! Measures the store alone: `cargo run --release -p weave-sqlite --example store_load -- [FOLDER] [SECONDS]`.
//!
//! A turn has four events, 1.2 KB, takes a row off the outbox and puts one on it. Figures of appending depend on the disk's sync,
//! so they are given beside the time of a bare `fdatasync`.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing, unreachable_pub, reason = "a benchmark")]

#[path = "../tests/load/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod load;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use load::{effects, new_run, turn};
use weave_scroll::{Append, Effect, Kind, NodeId, OutboxRow, Outcome, Post, RowKey, RunFilter, RunState, Shard, Store, Worker};
use weave_sqlite::{Options, SqliteStore};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(|| std::env::temp_dir().join(format!("store-load-{}", std::process::id())), PathBuf::from);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5);
    std::fs::create_dir_all(&folder).unwrap();
    let sync = bare_sync(&folder);
    println!("fdatasync of 5 KB        p50 {:.2} ms, p99 {:.2} ms", ms(sync[sync.len() / 2]), ms(sync[sync.len() * 99 / 100]));
    for runs in [1, 64, 512] {
        appending(&folder.join(format!("{runs}.db")), runs, Duration::from_secs(seconds), sync[sync.len() / 2]);
    }
    for runs in [10_000, 100_000] {
        parked(&folder.join(format!("parked-{runs}.db")), runs);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// How long the disk takes for a bare sync, sorted.
fn bare_sync(folder: &Path) -> Vec<Duration> {
    let mut file = File::create(folder.join("sync")).unwrap();
    let mut times = (0..300)
        .map(|_| {
            file.write_all(&[7; 5000]).unwrap();
            let begun = Instant::now();
            file.sync_data().unwrap();
            begun.elapsed()
        })
        .collect::<Vec<_>>();
    times.sort();
    times
}

fn open(path: &Path) -> (Arc<SqliteStore>, NodeId, Shard) {
    let store = SqliteStore::open(path, &Options::default()).unwrap();
    let node = store.join(&Worker { process: std::process::id().to_string(), revision: 1 }).unwrap();
    let shard = store.own_shard(node).unwrap();
    (Arc::new(store), node, shard)
}

fn append(node: NodeId, shard: Shard, run: &str, n: u64) -> Append {
    Append {
        node,
        run: run.to_owned(),
        create: (n == 0).then(|| Box::new(new_run(run, shard))),
        expected: n * 4,
        turns: vec![turn(run, n)],
        took: None,
        require: Vec::new(),
        effects: effects(run, n),
        state: RunState::open(),
    }
}

/// The time that this process has had of the processors, in seconds, and its memory in bytes.
fn used() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect::<Vec<_>>();
    let number = |n: usize| fields.get(n).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    ((number(11) + number(12)) / 100.0, number(21) * 4096.0)
}

fn appending(path: &Path, runs: usize, time: Duration, sync: Duration) {
    let (store, node, shard) = open(path);
    let (begun, cpu, commits) = (Instant::now(), used().0, store.commits());
    let threads = (0..runs).map(|number| {
        let store = Arc::clone(&store);
        thread::spawn(move || {
            let run = format!("r{number}");
            let mut times = Vec::new();
            for n in 0.. {
                let one = append(node, shard, &run, n);
                let asked = Instant::now();
                assert!(matches!(store.append(one).unwrap(), Outcome::Appended { .. }));
                times.push(asked.elapsed());
                if begun.elapsed() > time {
                    break;
                }
            }
            times
        })
    });
    let mut times = threads.collect::<Vec<_>>().into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>();
    let (elapsed, cpu, commits) = (begun.elapsed().as_secs_f64(), used().0 - cpu, store.commits() - commits);
    times.sort();
    let turns = times.len() as f64;
    drop(store);
    let bytes = std::fs::metadata(path).unwrap().len() as f64;
    println!(
        "{runs:>3} runs: {:>7.0} events/s  {:>7.0} events per CPU-second  {:.2} syncs a turn  {:.0} bytes an event on disk\n          \
         acknowledged after p50 {:.2} ms, p99 {:.2} ms; {:.1} bare syncs at p50; {:.1} turns a bare sync",
        turns * 4.0 / elapsed,
        turns * 4.0 / cpu,
        commits as f64 / turns,
        bytes / turns / 4.0,
        ms(times[times.len() / 2]),
        ms(times[times.len() * 99 / 100]),
        times[times.len() / 2].as_secs_f64() / sync.as_secs_f64(),
        turns / (elapsed / sync.as_secs_f64()),
    );
}

fn parked(path: &Path, runs: u64) {
    let before = used().1;
    let (store, node, shard) = open(path);
    let name = |n: u64| format!("run-{n}");
    let (sender, replies) = std::sync::mpsc::channel();
    let begun = Instant::now();
    for n in 0..runs {
        let run = name(n);
        let timer = OutboxRow::ready(RowKey::new(&run, format!("{run}/wait#1@P1D")), Kind::Timer, "wait", 2_000_000_000_000 + n as i64);
        let one = Append { effects: vec![Effect::Put(Box::new(timer))], ..append(node, shard, &run, 0) };
        let sender = sender.clone();
        store.append_then(one, weave_scroll::Reply::new(move |result| sender.send(result.unwrap()).unwrap()));
        if n % 2000 == 1999 {
            replies.iter().take(2000).for_each(drop);
        }
    }
    println!("{runs} parked runs: made in {:.1} s, {:.0} MB of memory more", begun.elapsed().as_secs_f64(), (used().1 - before) / 1e6);
    drop(store);
    println!("          {:.0} bytes on disk each", std::fs::metadata(path).unwrap().len() as f64 / runs as f64);
    let begun = Instant::now();
    let (store, node, _) = open(path);
    store.take_shard(node, shard).unwrap();
    let open = store.runs(&RunFilter { node: Some(node), ..RunFilter::default() }).unwrap();
    let due = store.next_due(node, 0).unwrap();
    assert_eq!((open.len() as u64, due), (runs, Some(2_000_000_000_000)));
    drop(open);
    println!("          opened, taken over and listed again in {:.0} ms", ms(begun.elapsed()));
    // 1,000 are woken: the event is posted, found, the run is read, and its turn appended.
    let begun = Instant::now();
    let threads = (0..16).map(|part| {
        let store = Arc::clone(&store);
        thread::spawn(move || {
            for n in (part..1000).step_by(16) {
                let run = format!("run-{}", n * (runs / 1000));
                let event = turn(&run, 1);
                store.post(Post { run: run.clone(), id: event.id, event: event.external, at: 0 }).unwrap();
            }
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    let woken = store.waiting(node, 0, 0).unwrap();
    for (pos, run) in &woken {
        let known = store.externals(run, 0, 0).unwrap();
        assert_eq!(known.len(), 1);
        let one = Append { took: Some(*pos), create: None, ..append(node, shard, run, 1) };
        let sender = sender.clone();
        store.append_then(one, weave_scroll::Reply::new(move |result| sender.send(result.unwrap()).unwrap()));
    }
    drop(sender);
    assert_eq!((woken.len(), replies.iter().filter(|outcome| matches!(outcome, Outcome::Appended { head: 8, .. })).count()), (1000, 1000));
    println!("          1,000 of them woken in {:.0} ms", ms(begun.elapsed()));
    // What waiting costs: a second of sweeps, as its owner does them.
    let (begun, cpu) = (Instant::now(), used().0);
    for _ in 0..20 {
        assert!(store.waiting(node, 0, 100).unwrap().is_empty() && store.due(node, 1, None, 100).unwrap().is_empty());
        assert!(store.lost(node).unwrap().is_empty());
    }
    println!("          a sweep that finds nothing: {:.2} ms, {:.2} ms of CPU", ms(begun.elapsed()) / 20.0, (used().0 - cpu) * 50.0);
}
