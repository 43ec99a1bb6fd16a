//! Stores that cannot be opened, copies, and stores of earlier releases.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, unreachable_pub, reason = "a test")]

#[allow(dead_code, reason = "other tests use the rest")]
mod load;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use load::{Dice, Load, acknowledged, check, effects, new_run, turn, work};
use rusqlite::Connection;
use tempfile::TempDir;
use weave_scroll::{
    Append, Applied, Change, Definition, Effect, Kind, OutboxRow, Outcome, Post, Posted, RowFilter, RowKey, RowState, RunState, Store,
    StoreError, Taken, To, When, Worker, export,
};
use weave_sqlite::{FORMAT, Options, SqliteStore};

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, &Options::default())
}

fn reading() -> Options {
    Options { read_only: true, create: false, ..Options::default() }
}

/// A store with two runs of a few turns, closed in order.
fn small(folder: &Path) -> PathBuf {
    let path = folder.join("runs.db");
    let store = open(&path).unwrap();
    fill(&store);
    path
}

fn fill(store: &SqliteStore) {
    let node = store.join(&Worker { process: "1".to_owned(), revision: 1 }).unwrap();
    let shard = store.own_shard(node).unwrap();
    store.define(&Definition { digest: "sha256:d".to_owned(), json: "{}".to_owned(), map: None }).unwrap();
    for run in ["r1", "r2"] {
        for n in 0..3 {
            let append = Append {
                node,
                run: run.to_owned(),
                create: (n == 0).then(|| Box::new(new_run(run, shard))),
                expected: n * 4,
                turns: vec![turn(run, n)],
                took: None,
                require: Vec::new(),
                effects: effects(run, n),
                state: RunState::open(),
            };
            assert!(matches!(store.append(append).unwrap(), Outcome::Appended { .. }));
        }
    }
    let late = Post { run: "r2".to_owned(), id: "e1".to_owned(), event: r#"{"id":"e1"}"#.to_owned(), at: 5 };
    assert!(matches!(store.post(late).unwrap(), Posted::Posted(_)));
}

#[test]
fn what_is_no_store_of_ours_is_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("text"), "not a database, and longer than its header would be, which has a hundred bytes in all ........").unwrap();
    Connection::open(at("other")).unwrap().execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)").unwrap();
    Connection::open(at("marked")).unwrap().execute_batch("PRAGMA application_id = 77; CREATE TABLE mine (a)").unwrap();
    for name in ["text", "other", "marked"] {
        let before = fs::read(at(name)).unwrap();
        for options in [Options::default(), reading()] {
            let error = SqliteStore::open(&at(name), &options).unwrap_err();
            assert!(matches!(error, StoreError::Foreign(_)), "{name}: {error:?}");
            assert!(error.to_string().contains("--store"), "{error}");
        }
        assert_eq!(fs::read(at(name)).unwrap(), before);
    }
    for options in [Options { create: false, ..Options::default() }, reading()] {
        let error = SqliteStore::open(&at("none"), &options).unwrap_err();
        assert!(matches!(error, StoreError::Missing(_)), "{error:?}");
    }
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert_eq!(files.len(), 3, "{files:?}");
    // A folder in the place of the file, a file in the place of the folder.
    fs::create_dir(at("folder")).unwrap();
    for (name, named) in [("folder", "folder"), ("text/runs.db", "text")] {
        let error = open(&at(name)).err().unwrap().to_string();
        assert!(error.contains(&at(named).display().to_string()), "{error}");
    }
}

#[test]
fn a_store_of_a_newer_release_is_refused_and_untouched() {
    let folder = TempDir::new().unwrap();
    let path = small(folder.path());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", FORMAT + 1).unwrap();
    let before = fs::read(&path).unwrap();
    for options in [Options::default(), reading()] {
        let error = SqliteStore::open(&path, &options).unwrap_err();
        assert_eq!(error, StoreError::Newer { found: FORMAT + 1, known: FORMAT });
        assert!(error.to_string().contains("use the release that wrote it"), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn damage_is_reported_and_ends_nothing() {
    let folder = TempDir::new().unwrap();
    let good = fs::read(small(folder.path())).unwrap();
    let mut dice = Dice(3);
    let mut found = 0;
    for round in 0..40 {
        let path = folder.path().join(format!("{round}.db"));
        let mut bytes = good.clone();
        match round % 4 {
            0 => bytes.truncate(dice.below(good.len() as u64) as usize),
            1 => bytes[100 + dice.below(good.len() as u64 - 100) as usize..].fill(0),
            _ => {
                for _ in 0..200 {
                    let at = 100 + dice.below(good.len() as u64 - 100) as usize;
                    bytes[at] = dice.below(256) as u8;
                }
            }
        }
        fs::write(&path, bytes).unwrap();
        let used = open(&path).and_then(|store| {
            for run in store.runs(&weave_scroll::RunFilter::default())? {
                for stored in store.read(&run.id, 0, 0)? {
                    stored.events()?;
                }
            }
            store.rows(&RowFilter::default())?;
            fill(&Arc::new(SqliteStore::open(&folder.path().join(format!("{round}-beside.db")), &Options::default())?));
            store.check()
        });
        found += usize::from(used.is_err());
    }
    assert!(found > 30, "only {found} damaged stores were found out");
}

#[test]
fn a_store_is_read_where_nothing_can_be_written() {
    let folder = TempDir::new().unwrap();
    let path = small(folder.path());
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let set = |read_only: bool| {
        for path in [path.as_path(), folder.path()] {
            let mut permissions = fs::metadata(path).unwrap().permissions();
            permissions.set_readonly(read_only);
            fs::set_permissions(path, permissions).unwrap();
        }
    };
    set(true);
    if fs::write(folder.path().join("try"), "").is_ok() {
        eprintln!("this user may write everywhere: not tried");
        set(false);
        return;
    }
    let before = names();
    let error = open(&path).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly(_)), "{error:?}");
    let store = SqliteStore::open(&path, &reading()).unwrap();
    assert_eq!(store.read("r1", 0, 0).unwrap().len(), 3);
    assert!(matches!(store.bury(), Err(StoreError::ReadOnly(_))));
    drop(store);
    assert_eq!(names(), before);
    set(false);
}

#[test]
fn whoever_only_reads_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = small(folder.path());
    let before = fs::read(&path).unwrap();
    let store = SqliteStore::open(&path, &reading()).unwrap();
    assert!(store.is_read_only());
    assert_eq!(store.read("r2", 0, 0).unwrap().len(), 3);
    let post = Post { run: "r1".to_owned(), id: "e".to_owned(), event: "{}".to_owned(), at: 0 };
    assert!(matches!(store.post(post), Err(StoreError::ReadOnly(_))));
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_copy_is_whole_and_marked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let store = open(&path).unwrap();
    fill(&store);
    let node = store.join(&Worker { process: "1".to_owned(), revision: 1 }).unwrap();
    assert_eq!(store.take_shard(node, store.run("r1").unwrap().unwrap().shard).unwrap(), shard_is_held());
    let to = folder.path().join("copy.db");
    let copy = store.backup(&to).unwrap();
    assert_eq!(fs::metadata(&to).unwrap().len(), copy.bytes);
    assert!(store.backup(&to).unwrap_err().to_string().contains("exists"));
    // Reading does not take the mark off.
    let read = SqliteStore::open(&to, &reading()).unwrap();
    assert!(read.about().unwrap().copy);
    drop(read);
    assert!(!store.about().unwrap().copy);
    let states = |store: &SqliteStore| store.rows(&RowFilter::default()).unwrap().iter().map(|row| row.state).collect::<Vec<_>>();
    let before = states(&store);
    // The rows of this load may be repeated; one may not.
    let opened = open(&to).unwrap();
    assert_eq!(states(&opened), before);
    assert!(!opened.about().unwrap().copy);
    for run in ["r1", "r2"] {
        assert_eq!(opened.read(run, 0, 0).unwrap(), store.read(run, 0, 0).unwrap());
        assert_eq!(opened.inbox(run, 0).unwrap(), store.inbox(run, 0).unwrap());
    }
    assert_eq!(opened.bury().unwrap().len(), 2, "the nodes of the original live in the copy");
}

fn shard_is_held() -> Taken {
    Taken::Held(weave_scroll::Node { id: weave_scroll::NodeId(1), worker: Worker { process: "1".to_owned(), revision: 1 }, alive: true })
}

#[test]
fn in_an_opened_copy_once_only_calls_are_unknown() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let store = open(&path).unwrap();
    let node = store.join(&Worker { process: "1".to_owned(), revision: 1 }).unwrap();
    let shard = store.own_shard(node).unwrap();
    let row = |n| OutboxRow { once_only: true, ..OutboxRow::ready(RowKey::new("r1", format!("r1/pay#{n}")), Kind::Call, "pay", 1) };
    let append = Append {
        node,
        run: "r1".to_owned(),
        create: Some(Box::new(new_run("r1", shard))),
        expected: 0,
        turns: vec![turn("r1", 0)],
        took: None,
        require: Vec::new(),
        effects: vec![Effect::Put(Box::new(row(1))), Effect::Put(Box::new(row(2)))],
        state: RunState::open(),
    };
    store.append(append).unwrap();
    let when = When { state: RowState::Ready, sendings: None };
    let sent = Change { key: row(2).key, when, to: To::Sent { process: node }, reserve: None };
    assert_eq!(store.change(vec![sent]).unwrap(), [Applied::Yes]);
    let to = folder.path().join("copy.db");
    store.backup(&to).unwrap();
    let states = |store: &SqliteStore| store.rows(&RowFilter::default()).unwrap().iter().map(|row| row.state).collect::<Vec<_>>();
    assert_eq!(states(&store), [RowState::Ready, RowState::Sent]);
    assert_eq!(states(&open(&to).unwrap()), [RowState::Unknown; 2]);
}

#[test]
fn a_crowd_is_pruned_without_a_gap_for_others() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let store = open(&path).unwrap();
    let node = store.join(&Worker { process: "1".to_owned(), revision: 1 }).unwrap();
    let shard = store.own_shard(node).unwrap();
    for n in 0..250 {
        let run = format!("r{n}");
        let ended = RunState { status: weave_scroll::Status::Succeeded, waiting: None, ended: Some(n) };
        let append = Append {
            node,
            create: Some(Box::new(new_run(&run, shard))),
            expected: 0,
            turns: vec![turn(&run, 0)],
            took: None,
            require: Vec::new(),
            effects: Vec::new(),
            state: if n % 5 == 0 { RunState::open() } else { ended },
            run,
        };
        store.append_then(append, weave_scroll::Reply::new(drop));
    }
    // A write that is waited for comes after all that were handed in before.
    store.bury().unwrap();
    let pruned = store.prune(&weave_scroll::Prune { ended_before: 240, workflow: None, dry_run: false }).unwrap();
    assert_eq!((pruned.runs, pruned.events), (192, 768));
    assert_eq!((store.counts().unwrap()["run"], store.counts().unwrap()["tombstone"]), (58, 192));
}

#[test]
fn another_process_is_noticed() {
    let folder = TempDir::new().unwrap();
    let path = small(folder.path());
    let (one, two) = (open(&path).unwrap(), open(&path).unwrap());
    let seen = one.version().unwrap();
    let node = two.join(&Worker { process: "2".to_owned(), revision: 1 }).unwrap();
    assert_ne!(one.changed(seen, Duration::from_secs(20)).unwrap(), seen);
    assert_eq!(one.nodes().unwrap().iter().filter(|row| row.alive).map(|row| row.id).collect::<Vec<_>>(), [node]);
    drop(two);
    assert!(one.nodes().unwrap().iter().all(|row| !row.alive));
}

/// Stores as releases wrote them. A new format gets a folder of its own; those that are there stay as they are.
#[test]
fn stores_of_earlier_releases_are_opened_and_go_on() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let now = fixtures.join(format!("format-{FORMAT}"));
    if !now.exists() && std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(&now).unwrap();
        let folder = TempDir::new().unwrap();
        assert_eq!(work(&folder.path().join("other.db"), &Load { prefix: "r".to_owned(), runs: 1, turns: 1, most_pages: None }), None);
        fs::copy(small(folder.path()), now.join("runs.db")).unwrap();
    }
    let mut tried = 0;
    for folder in fs::read_dir(&fixtures).unwrap() {
        let folder = folder.unwrap().path();
        let place = TempDir::new().unwrap();
        let path = place.path().join("runs.db");
        fs::copy(folder.join("runs.db"), &path).unwrap();
        let store = open(&path).unwrap();
        assert_eq!(check(&store, &acknowledged("r1 2\nr2 2\n")).unwrap(), 6);
        let mut lines = Vec::new();
        assert_eq!(export(&store, "r1", &mut lines).unwrap(), 12);
        let (lines, expected) = (String::from_utf8(lines).unwrap(), folder.join("r1.jsonl"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &lines).unwrap();
        }
        assert_eq!(lines, fs::read_to_string(expected).unwrap());
        assert_eq!(store.inbox("r2", 0).unwrap().len(), 1);
        assert!(store.definition("sha256:d").unwrap().is_some());
        let node = store.join(&Worker { process: "9".to_owned(), revision: 1 }).unwrap();
        assert_eq!(store.take_shard(node, store.run("r1").unwrap().unwrap().shard).unwrap(), Taken::Yes);
        let append = Append {
            node,
            run: "r1".to_owned(),
            create: None,
            expected: 12,
            turns: vec![turn("r1", 3)],
            took: None,
            require: Vec::new(),
            effects: effects("r1", 3),
            state: RunState::open(),
        };
        assert!(matches!(store.append(append).unwrap(), Outcome::Appended { head: 16, .. }));
        assert_eq!(check(&store, &acknowledged("r1 3\nr2 2\n")).unwrap(), 7);
        tried += 1;
    }
    assert!(tried > 0, "there are no fixtures");
}
