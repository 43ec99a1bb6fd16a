//! What survives: kill -9, lost and torn writes, failed syncs, full disks.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, unreachable_pub, reason = "a test")]

mod load;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use load::{Dice, Load, acknowledged, check, work};
use tempfile::TempDir;
use weave_scroll::{Append, Applied, Outcome, Post, Posted, RunFilter, RunState, Store, StoreError, Worker};
use weave_sqlite::{Options, SqliteStore};

/// The child process: this very binary, with this test alone.
#[test]
fn child() {
    let Some(path) = std::env::var_os("WEAVE_STORE_CHILD") else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(0_u64);
    let prefix = std::env::var("WEAVE_STORE_PREFIX").unwrap_or_else(|_| "r".to_owned());
    let load = Load { prefix, runs: number("WEAVE_STORE_RUNS") as usize, turns: number("WEAVE_STORE_TURNS"), most_pages: None };
    let error = work(Path::new(&path), &load);
    let told = error.map_or_else(|| "done".to_owned(), |error| format!("{error:?}"));
    fs::write(Path::new(&path).with_file_name("ended"), told).unwrap();
    std::process::exit(0);
}

/// How often something is tried: little in CI, more in a campaign (CONTRIBUTING.md).
fn times(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Whether each write and sync of the process fails once, not only some of them (CONTRIBUTING.md).
fn every_point() -> bool {
    times("WEAVE_STORE_FAULTS", 0) > 0
}

/// At which writes or syncs something goes wrong: some, or as many as the campaign wants.
fn points(usual: &[u64]) -> Vec<u64> {
    if every_point() { (1..=times("WEAVE_STORE_FAULTS", 0)).collect() } else { usual.to_vec() }
}

fn command(path: &Path, runs: u64, turns: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("WEAVE_STORE_CHILD", path).env("WEAVE_STORE_RUNS", runs.to_string()).env("WEAVE_STORE_TURNS", turns.to_string());
    command
}

fn lines(path: &Path) -> String {
    fs::read_to_string(path.with_file_name("acknowledged")).unwrap_or_default()
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &Options::default()).unwrap()
}

#[test]
fn a_killed_process_loses_nothing_acknowledged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let mut dice = Dice(28);
    for _ in 0..times("WEAVE_STORE_KILLS", 6) {
        let before = lines(&path).len();
        let mut child = command(&path, 16, 0).spawn().unwrap();
        let begun = Instant::now();
        while lines(&path).len() == before {
            assert!(begun.elapsed() < Duration::from_secs(60), "the child appends nothing");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(dice.below(60)));
        child.kill().unwrap();
        child.wait().unwrap();
        let last = acknowledged(&lines(&path));
        // Two read it: one that repairs what was left, and one beside it.
        let (store, beside) = (open(&path), open(&path));
        let turns = check(&store, &last).unwrap();
        assert_eq!(check(&beside, &last).unwrap(), turns);
        assert!(turns >= last.values().sum::<u64>());
        assert_eq!(store.bury().unwrap().len(), 1, "the dead process was not found");
    }
}

#[test]
fn two_processes_work_on_one_file_while_others_post() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("runs.db");
    let mut children = ["a", "b"].map(|prefix| command(&path, 4, 200).env("WEAVE_STORE_PREFIX", prefix).spawn().unwrap());
    let store = open(&path);
    let mut posted = 0;
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        for run in store.runs(&RunFilter::default()).unwrap() {
            let post = Post { run: run.id, id: format!("e{posted}"), event: "{}".to_owned(), at: 0 };
            assert!(matches!(store.post(post).unwrap(), Posted::Posted(_)));
            posted += 1;
        }
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(fs::read_to_string(folder.path().join("ended")).unwrap(), "done");
    let last = acknowledged(&lines(&path));
    assert_eq!(last.len(), 8, "{last:?}");
    assert_eq!(check(&store, &last).unwrap(), 400);
    assert!(posted > 0);
    let waiting = store.runs(&RunFilter::default()).unwrap().iter().map(|run| store.inbox(&run.id, 0).unwrap().len()).sum::<usize>();
    assert_eq!(waiting, posted);
    // Both are dead now, and their runs parked.
    let ended = store.bury().unwrap().len();
    assert!((1..=2).contains(&ended), "{ended}: a child that opens the store after the other has ended finds that one itself");
    assert_eq!(store.runs(&RunFilter { parked: true, ..RunFilter::default() }).unwrap().len(), 8);
}

/// The shim, compiled; nothing where there is no C compiler or no preloading.
fn shim(folder: &Path) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let (source, library) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shim/shim.c"), folder.join("shim.so"));
    let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).args(["-ldl", "-lpthread"]).status();
    if built.is_ok_and(|status| status.success()) {
        return Some(library);
    }
    eprintln!("no C compiler: what a power failure leaves is not tried");
    None
}

/// One thing that a process did to the disk.
enum Step {
    Write { file: usize, offset: usize, bytes: Vec<u8> },
    Truncate { file: usize, length: usize },
    Sync { file: usize },
    Acknowledge(String),
}

fn steps(trace: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = trace;
    while let Some((head, tail)) = rest.split_at_checked(18) {
        let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap()) as usize;
        let (file, offset, length) = (usize::from(head[1]), number(2), number(10));
        let Some((bytes, tail)) = tail.split_at_checked(length) else { break };
        rest = tail;
        steps.push(match head[0] {
            b'W' => Step::Write { file, offset, bytes: bytes.to_vec() },
            b'T' => Step::Truncate { file, length: offset },
            b'S' => Step::Sync { file },
            _ => Step::Acknowledge(String::from_utf8(bytes.to_vec()).unwrap()),
        });
    }
    steps
}

/// The two files as a power failure may leave them.
#[derive(Clone, Default)]
struct Disk {
    files: [Vec<u8>; 2],
}

impl Disk {
    fn write(&mut self, file: usize, offset: usize, bytes: &[u8]) {
        let content = &mut self.files[file];
        content.resize(content.len().max(offset + bytes.len()), 0);
        content[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// A step after the last sync of its file: all of it, parts of 512 bytes of it, or nothing.
    fn unsynced(&mut self, step: &Step, dice: &mut Dice) {
        let fate = dice.below(3);
        match step {
            Step::Write { file, offset, bytes } => {
                for (n, sector) in bytes.chunks(512).enumerate() {
                    if fate == 0 || (fate == 1 && dice.below(2) == 0) {
                        self.write(*file, offset + n * 512, sector);
                    }
                }
            }
            Step::Truncate { file, length } if fate > 0 => self.files[*file].resize(*length, 0),
            _ => {}
        }
    }
}

/// Cuts the power at `end`: what was synced is there, anything else may be.
fn cut(steps: &[Step], end: usize, dice: &mut Dice) -> (Disk, String) {
    let mut disk = Disk::default();
    let mut lines = String::new();
    let mut synced = [0; 2];
    for (n, step) in steps[..end].iter().enumerate() {
        match step {
            Step::Sync { file } => synced[*file] = n,
            Step::Acknowledge(line) => lines += line,
            _ => {}
        }
    }
    for (n, step) in steps[..end].iter().enumerate() {
        match step {
            Step::Write { file, offset, bytes } if n < synced[*file] => disk.write(*file, *offset, bytes),
            Step::Truncate { file, length } if n < synced[*file] => disk.files[*file].resize(*length, 0),
            step => disk.unsynced(step, dice),
        }
    }
    (disk, lines)
}

/// Cuts the power at many points and checks the store each time; gives what was wrong.
fn cut_often(steps: &[Step], times: u64) -> Vec<String> {
    let mut dice = Dice(7);
    let begun = steps.iter().position(|step| matches!(step, Step::Acknowledge(_))).unwrap();
    let mut wrong = Vec::new();
    for _ in 0..times {
        let end = begun + 1 + dice.below((steps.len() - begun) as u64) as usize;
        let (disk, lines) = cut(steps, end, &mut dice);
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("runs.db");
        fs::write(&path, &disk.files[0]).unwrap();
        fs::write(folder.path().join("runs.db-wal"), &disk.files[1]).unwrap();
        let opened = SqliteStore::open(&path, &Options::default()).map_err(|error| error.to_string());
        let found = opened.and_then(|store| check(&store, &acknowledged(&lines)));
        wrong.extend(found.err().map(|error| format!("power cut after step {end}: {error}")));
    }
    wrong
}

#[test]
fn a_power_failure_loses_nothing_acknowledged() {
    let folder = TempDir::new().unwrap();
    let Some(shim) = shim(folder.path()) else { return };
    let (path, trace) = (folder.path().join("runs.db"), folder.path().join("trace"));
    for _ in 0..2 {
        let status = command(&path, 8, 1200).env("LD_PRELOAD", &shim).env("SHIM_TRACE", &trace).status().unwrap();
        assert!(status.success());
        assert_eq!(fs::read_to_string(folder.path().join("ended")).unwrap(), "done");
    }
    let mut steps = steps(&fs::read(&trace).unwrap());
    let count = |file| steps.iter().filter(|step| matches!(step, Step::Sync { file: of } if *of == file)).count();
    assert!(count(0) > 0, "the log was never copied into the file");
    assert!(count(1) > 20, "the log was synced {} times", count(1));
    let wrong = cut_often(&steps, times("WEAVE_STORE_CUTS", 40));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // With `synchronous=NORMAL` the log is synced only before it is copied into the file. The test must see that this loses turns.
    let mut copied = false;
    let mut n = steps.len();
    while n > 0 {
        n -= 1;
        match &steps[n] {
            Step::Write { file, .. } => copied = *file == 0,
            Step::Sync { file: 1 } if !copied => drop(steps.remove(n)),
            _ => {}
        }
    }
    assert!(!cut_often(&steps, 15).is_empty(), "without syncs nothing was lost: the test sees nothing");
}

#[test]
fn after_a_failed_sync_nothing_is_acknowledged() {
    let folder = TempDir::new().unwrap();
    let Some(shim) = shim(folder.path()) else { return };
    // The first syncs are those of a new store.
    // (One in which the first failed made SQLite go on without its log, and say otherwise.)
    for at in points(&[1, 2, 3, 5, 9]) {
        for kind in ["sync", "write"] {
            let place = TempDir::new().unwrap();
            let path = place.path().join("runs.db");
            command(&path, 4, 400).env("LD_PRELOAD", &shim).env("SHIM_FAIL", format!("{kind}:{at}")).status().unwrap();
            let ended = fs::read_to_string(place.path().join("ended")).unwrap();
            // A campaign goes on until the process has ended before the fault.
            if every_point() && ended == "done" {
                continue;
            }
            assert!(ended.starts_with("Stopped(") || ended.starts_with("Io("), "{kind}:{at}: {ended}");
            let last = acknowledged(&lines(&path));
            assert!(last.values().sum::<u64>() < 396, "{kind}:{at}: it went on");
            let store = open(&path);
            check(&store, &last).unwrap();
            assert!(!place.path().join("runs.db-unsynced").exists(), "the next process did not repair the log");
            drop(store);
            // It goes on where it ended.
            assert!(command(&path, 4, 40).status().unwrap().success());
            assert_eq!(fs::read_to_string(place.path().join("ended")).unwrap(), "done");
            check(&open(&path), &acknowledged(&lines(&path))).unwrap();
        }
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let Some(shim) = shim(folder.path()) else { return };
    for at in points(&[1, 2, 12, 31, 32, 33, 34, 100]) {
        let place = TempDir::new().unwrap();
        let path = place.path().join("runs.db");
        command(&path, 4, 400).env("LD_PRELOAD", &shim).env("SHIM_FAIL", format!("full:{at}")).status().unwrap();
        let ended = fs::read_to_string(place.path().join("ended")).unwrap();
        if every_point() && ended == "done" {
            continue;
        }
        assert!(ended.starts_with("Full("), "full:{at}: {ended}");
        let store = open(&path);
        check(&store, &acknowledged(&lines(&path))).unwrap();
    }
}

#[test]
fn a_full_store_refuses_and_goes_on_when_there_is_room() {
    let folder = TempDir::new().unwrap();
    let mut failed = 0;
    for most_pages in (35..115).step_by(8) {
        let path = folder.path().join(format!("{most_pages}/runs.db"));
        let error = work(&path, &Load { prefix: "r".to_owned(), runs: 3, turns: 200, most_pages: Some(most_pages) });
        if let Some(error) = error {
            assert!(matches!(error, StoreError::Full(_)), "{error:?}");
            failed += 1;
        }
        let store = open(&path);
        let turns = check(&store, &acknowledged(&lines(&path))).unwrap();
        // With more room it goes on, in runs of another process: the first one still lives in this test.
        let mine = store.join(&Worker { process: "2".to_owned(), revision: 1 }).unwrap();
        let shard = store.own_shard(mine).unwrap();
        let append = Append {
            node: mine,
            run: "more".to_owned(),
            create: Some(Box::new(load::new_run("more", shard))),
            expected: 0,
            turns: vec![load::turn("more", 0)],
            took: None,
            require: Vec::new(),
            effects: load::effects("more", 0),
            state: RunState::open(),
        };
        assert_eq!(store.append(append).unwrap(), Outcome::Appended { head: 4, effects: vec![Applied::No, Applied::Yes] });
        assert_eq!(check(&store, &acknowledged(&lines(&path))).unwrap(), turns + 1);
    }
    assert!(failed > 5, "only {failed} stores were full");
}
