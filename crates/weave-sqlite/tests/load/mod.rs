//! A process that appends until it is killed, and what must be true of its store afterwards.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use weave_scroll::{Append, Effect, Kind, NewRun, OutboxRow, Outcome, RowFilter, RowKey, RunState, Store, StoreError, Taken, Turn, Worker};
use weave_sqlite::{Options, SqliteStore};

/// What a process does.
pub struct Load {
    /// What the names of its runs begin with.
    pub prefix: String,
    /// How many runs append at the same time.
    pub runs: usize,
    /// After so many turns it ends without a word; 0 for never.
    pub turns: u64,
    /// The most pages of the store.
    pub most_pages: Option<u32>,
}

/// The turn of this number of a run: four events, 1.2 KB.
pub fn turn(run: &str, n: u64) -> Turn {
    let data = "x".repeat(150);
    let event = |id: &str, kind: &str| {
        format!(r#"{{"seq":0,"id":"{id}","topic":"tool.result","kind":"{kind}","data":{{"n":{n},"text":"{data}"}}}}"#)
    };
    let derived = (0..3).map(|i| event(&format!("{run}/a#{n}.{i}"), "derived")).collect::<Vec<_>>().join(",");
    let id = if n == 0 { run.to_owned() } else { format!("{run}/a#{n}/1@result") };
    Turn { external: event(&id, "external"), derived: format!("[{derived}]"), id, events: 4, at: 1_800_000_000_000 }
}

/// Each turn takes the request of the one before off the outbox and puts its own on it.
pub fn effects(run: &str, n: u64) -> Vec<Effect> {
    let row = OutboxRow::ready(RowKey::new(run, format!("{run}/a#{}", n + 1)), Kind::Call, "look", 1_800_000_000_000);
    vec![Effect::Close(format!("{run}/a#{n}")), Effect::Put(Box::new(row))]
}

pub fn new_run(run: &str, shard: weave_scroll::Shard) -> NewRun {
    NewRun {
        id: run.to_owned(),
        workflow: "load".to_owned(),
        digest: "sha256:d".to_owned(),
        digest_given: false,
        input_digest: "sha256:i".to_owned(),
        revision: 1,
        parent: None,
        shard,
        event: "{}".to_owned(),
        at: 0,
    }
}

/// Appends to the store at `path`, going on where earlier processes ended. Writes a line `RUN TURN` to the file `acknowledged` beside
/// it after each acknowledgement. Gives the error that ended it.
pub fn work(path: &Path, load: &Load) -> Option<StoreError> {
    let options = Options { most_pages: load.most_pages, ..Options::default() };
    let store = match SqliteStore::open(path, &options) {
        Ok(store) => Arc::new(store),
        Err(error) => return Some(error),
    };
    let log = OpenOptions::new().create(true).append(true).open(path.with_file_name("acknowledged")).unwrap();
    let (log, left) = (Arc::new(Mutex::new(log)), Arc::new(AtomicU64::new(if load.turns == 0 { u64::MAX } else { load.turns })));
    let first = (|| {
        let node = store.join(&Worker { process: std::process::id().to_string(), revision: 1 })?;
        store.bury()?;
        Ok::<_, StoreError>((node, store.own_shard(node)?))
    })();
    let (node, own) = match first {
        Ok(first) => first,
        Err(error) => return Some(error),
    };
    let threads = (0..load.runs).map(|number| {
        let (store, log, left, prefix) = (Arc::clone(&store), Arc::clone(&log), Arc::clone(&left), load.prefix.clone());
        thread::spawn(move || {
            let run = format!("{prefix}{number}");
            let mut head = 0;
            if let Some(row) = store.run(&run)? {
                if !matches!(store.take_shard(node, row.shard)?, Taken::Yes) {
                    return Err(StoreError::Misuse("the shard of a dead process is held".to_owned()));
                }
                head = row.head;
            }
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                let n = head / 4;
                let append = Append {
                    node,
                    run: run.clone(),
                    create: Some(Box::new(new_run(&run, own))),
                    expected: head,
                    turns: vec![turn(&run, n)],
                    took: None,
                    require: Vec::new(),
                    effects: effects(&run, n),
                    state: RunState::open(),
                };
                match store.append(append)? {
                    Outcome::Appended { head: now, .. } => head = now,
                    other => return Err(StoreError::Misuse(format!("an append came to {other:?}"))),
                }
                log.lock().unwrap().write_all(format!("{run} {n}\n").as_bytes()).unwrap();
            }
            Ok(())
        })
    });
    let results = threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap());
    let error = results.filter_map(Result::err).collect::<Vec<_>>().into_iter().next();
    // It ends without a word: nothing is closed.
    std::mem::forget(store);
    error
}

/// The number of the last acknowledged turn of each run.
pub fn acknowledged(lines: &str) -> BTreeMap<String, u64> {
    let mut last = BTreeMap::new();
    for line in lines.lines() {
        // The last line may be cut off.
        let Some((run, n)) = line.split_once(' ') else { continue };
        let Ok(n) = n.parse::<u64>() else { continue };
        let last = last.entry(run.to_owned()).or_insert(n);
        *last = n.max(*last);
    }
    last
}

/// Checks that everything acknowledged is there, that no scroll has a gap or another content, and that the outbox fits the scrolls.
/// Gives the number of turns.
pub fn check(store: &SqliteStore, last: &BTreeMap<String, u64>) -> Result<u64, String> {
    store.check().map_err(|error| error.to_string())?;
    let mut turns = 0;
    for (run, n) in last {
        let head = store.run(run).map_err(|error| error.to_string())?.map_or(0, |row| row.head);
        if head < (n + 1) * 4 {
            return Err(format!("{run}: turn {n} was acknowledged, the scroll has {head} events"));
        }
    }
    for row in store.runs(&weave_scroll::RunFilter::default()).map_err(|error| error.to_string())? {
        let scroll = store.read(&row.id, 0, 0).map_err(|error| error.to_string())?;
        for (n, stored) in scroll.iter().enumerate() {
            if stored.seq != n as u64 * 4 || stored.turn != turn(&row.id, n as u64) {
                return Err(format!("{}: turn {n} is {stored:?}", row.id));
            }
        }
        let filter = RowFilter { run: Some(row.id.clone()), ..RowFilter::default() };
        let rows = store.rows(&filter).map_err(|error| error.to_string())?;
        let ids = rows.iter().map(|row| row.key.id.clone()).collect::<Vec<_>>();
        if row.head != scroll.len() as u64 * 4 || ids != [format!("{}/a#{}", row.id, scroll.len())] {
            return Err(format!("{}: head {}, {} turns, outbox {ids:?}", row.id, row.head, scroll.len()));
        }
        turns += scroll.len() as u64;
    }
    Ok(turns)
}

/// Numbers that look random, the same for the same seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % most.max(1)
    }
}
