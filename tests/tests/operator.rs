//! `weave runs`, `show`, `send`, `answer`, `cancel`, `export`, `prune` and `backup` as an operator uses them, beside a process that
//! drives the run.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use weave_tests::{read, root};

use crate::suite::weave;

const SECRET: &str = "s3cret-token";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let case = root().join("tests/suite/cli/runs");
    for name in ["desk.weave", "weave.toml"] {
        std::fs::write(folder.path().join(name), read(&case.join(name))).unwrap();
    }
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(weave());
    command.args(arguments).current_dir(folder).env_clear().stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(folder, arguments).output().unwrap();
    (status.code().unwrap_or(-1), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[track_caller]
fn ok(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run(folder, arguments);
    assert_eq!(code, 0, "weave {arguments:?}\n{stdout}{stderr}");
    stdout + &stderr
}

fn input() -> String {
    serde_json::json!({ "amount": "12.50", "token": SECRET }).to_string()
}

/// Parks a run that waits for `order.paid`.
fn parked(folder: &Path, id: &str) {
    let (code, _, stderr) = run(folder, &["run", "desk", "--input", &input(), "--id", id, "--no-wait"]);
    assert_eq!(code, 3, "{stderr}");
}

fn listed(folder: &Path) -> Value {
    serde_json::from_str(&ok(folder, &["runs", "--all", "--format", "json"])).unwrap()
}

#[track_caller]
fn eventually(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_run_is_answered_from_a_second_terminal() {
    let folder = folder();
    let folder = folder.path();
    let id = "desk-7";
    let mut driver = command(folder, &["run", "desk", "--input", &input(), "--id", id]);
    let driver = driver.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    eventually("the run does not wait for its event", || {
        let (_, stdout, _) = run(folder, &["runs", "--state", "waiting", "--format", "json"]);
        serde_json::from_str::<Value>(&stdout).is_ok_and(|runs| runs[0]["waits"]["name"] == "order.paid" && runs[0]["state"] == "open")
    });
    let taken = ok(folder, &["send", "desk", "order.paid", r#"{"amount":"12.50"}"#]);
    assert_eq!(taken, "Taken: approve.\n");
    let shown = ok(folder, &["show", id]);
    assert!(shown.contains("◔ approve") && shown.contains("weave answer desk-7 approve granted"), "{shown}");
    assert!(!shown.contains(SECRET) && shown.contains("***"), "{shown}");
    let (code, _, refused) = run(folder, &["run", "--resume", id]);
    assert!(code == 2 && refused.contains("driven by another process"), "{refused}");
    let taken = ok(folder, &["answer", id, "approve", r#"{"by":"Kim"}"#]);
    assert_eq!(taken, "Taken, and the run has ended.\n");
    let ended = driver.wait_with_output().unwrap();
    assert!(ended.status.success());
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "{\"status\":\"granted by Kim\"}\n");
    let (code, _, late) = run(folder, &["answer", id, "approve", r#"{"by":"Lee"}"#]);
    assert!(code == 2 && late.contains("the run `desk-7` succeeded"), "{late}");
}

#[test]
fn a_run_in_another_process_is_cancelled() {
    let folder = folder();
    let folder = folder.path();
    let mut driver = command(folder, &["run", "desk", "--input", &input(), "--id", "desk-8"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the run does not start", || run(folder, &["runs", "--format", "json"]).1.contains("order.paid"));
    assert_eq!(ok(folder, &["cancel", "desk-8", "--reason", "by mistake"]), "desk-8 is cancelled.\n");
    assert_eq!(driver.wait().unwrap().code(), Some(1));
    let shown = ok(folder, &["show", "desk-8"]);
    assert!(shown.contains("The run was cancelled: by mistake"), "{shown}");
    assert_eq!(listed(folder)[0]["state"], "cancelled");
}

#[test]
fn what_is_exported_is_replayed_and_what_is_pruned_is_gone() {
    let folder = folder();
    let folder = folder.path();
    parked(folder, "one");
    parked(folder, "two");
    ok(folder, &["cancel", "one"]);
    run(folder, &["run", "--resume", "one"]);
    let (code, scroll, _) = run(folder, &["export", "two"]);
    assert_eq!(code, 0);
    assert!(scroll.contains(SECRET), "an export is whole");
    for format in ["human", "json", "jsonl"] {
        assert!(!ok(folder, &["show", "two", "--format", format]).contains(SECRET), "{format}");
    }
    ok(folder, &["export", "one", "-o", "one.jsonl"]);
    ok(folder, &["replay", "one.jsonl"]);
    ok(folder, &["backup", "copy.db"]);
    assert!(ok(folder, &["prune", "--older-than", "30d"]).starts_with("No run ended before"));
    assert!(ok(folder, &["prune", "--older-than", "0s", "--dry-run"]).starts_with("1 run with"));
    assert!(ok(folder, &["prune", "--older-than", "0s"]).contains("deleted"));
    assert_eq!(listed(folder).as_array().unwrap().len(), 1);
    let (code, _, pruned) = run(folder, &["show", "one"]);
    assert!(code == 2 && pruned.contains("was pruned"), "{pruned}");
    assert_eq!(
        serde_json::from_str::<Value>(&ok(folder, &["runs", "--all", "--format", "json", "--store", "copy.db"])).unwrap()[0]["id"],
        "two"
    );
    // The beginning of an id is enough where it is the only one.
    parked(folder, "twofold");
    let (code, _, several) = run(folder, &["show", "tw"]);
    assert!(code == 2 && several.contains("several runs begin with `tw`"), "{several}");
    assert!(ok(folder, &["show", "twof"]).contains("run twofold"));
    assert!(ok(folder, &["show", "two"]).contains("run two "));
}

#[test]
fn a_store_that_cannot_be_used_is_left_as_it_is() {
    let folder = folder();
    let folder = folder.path();
    parked(folder, "one");
    ok(folder, &["backup", "copy.db"]);
    let whole = std::fs::read(folder.join("copy.db")).unwrap();
    let refused = |bytes: &[u8], wanted: &str, whole_file: bool| {
        let path = folder.join("broken.db");
        std::fs::write(&path, bytes).unwrap();
        for arguments in [
            &["runs"][..],
            &["show", "one"],
            &["send", "one", "order.paid"],
            &["answer", "one"],
            &["cancel", "one"],
            &["prune", "--older-than", "1d"],
        ] {
            let (code, _, stderr) = run(folder, &[arguments, &["--store", "broken.db"]].concat());
            assert!(code == 2 && stderr.contains(wanted) && stderr.contains("help: "), "{arguments:?}: {code} {stderr}");
            assert!(!whole_file || std::fs::read(&path).unwrap() == bytes, "{arguments:?} changed the file");
        }
    };
    // The version of the format is the number at byte 60.
    let mut newer = whole.clone();
    newer[63] = 200;
    refused(&newer, "the store has format 200", true);
    refused(b"SQLite format 3", "not a store of runs", true);
    let mut damaged = whole;
    damaged[4096..].fill(0xa5);
    // SQLite notices the damage after it has switched to its log, which the header says.
    refused(&damaged, "the store is damaged", false);
}

#[test]
fn a_value_that_does_not_fit_reaches_no_run() {
    let folder = folder();
    let folder = folder.path();
    parked(folder, "one");
    let (code, _, stderr) = run(folder, &["send", "one", "order.paid", r#"{"amount":12}"#]);
    assert!(code == 2 && stderr.contains("amount: 12 is not a string") && stderr.contains("this fits: "), "{stderr}");
    assert_eq!(listed(folder)[0]["events"], 2);
    assert!(ok(folder, &["show", "one", "--format", "json"]).contains("\"inbox\": 0"));
}
