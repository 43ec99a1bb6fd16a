//! Commands as tools: what each answer means.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weave_host::Outcome;
use weave_runner::FailureKind;
use weave_tools::Command;

fn shell(script: &str) -> Command {
    let mut command = Command::new("/bin/sh", vec!["-c".to_owned(), script.to_owned()]);
    command.environment.insert("PATH".to_owned(), "/usr/bin:/bin".to_owned());
    command
}

fn lines(script: &str) -> Command {
    Command { lines: true, ..shell(script) }
}

/// Calls a command; gives its outcome and its progress.
fn call(command: &Command) -> (Outcome, Vec<Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut progress = Vec::new();
    let call = json!({ "name": "reserve", "args": { "sku": "ä\"1" }, "key": "r1/a#1", "attempt": 2, "run": "r1" });
    let outcome = runtime.block_on(command.call(&call, &mut |data| progress.push(data)));
    (outcome, progress)
}

fn data(command: &Command) -> Value {
    match call(command).0 {
        Outcome::Data(data) => data,
        other => panic!("{other:?}"),
    }
}

fn failure(command: &Command) -> (FailureKind, String) {
    match call(command).0 {
        Outcome::Failed(failure) => (failure.kind, failure.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_output_of_a_command_is_the_result() {
    let echoed = data(&shell("cat"));
    assert_eq!(echoed, json!({ "name": "reserve", "args": { "sku": "ä\"1" }, "key": "r1/a#1", "attempt": 2, "run": "r1" }));
    assert_eq!(data(&shell("echo ' 7 '")), json!(7));
    // Not reading the input, and talking a lot beside, is no mistake.
    assert_eq!(data(&shell("head -c 300000 /dev/zero >&2; echo null")), Value::Null);
    let result = json!({ "result": 1 });
    assert_eq!(data(&shell("echo '{\"result\":1}'")), result);
}

#[test]
fn nothing_is_inherited() {
    let mut command = shell("echo \"\\\"$HOME-$GIVEN\\\"\"");
    command.environment.insert("GIVEN".to_owned(), "yes".to_owned());
    assert_eq!(data(&command), json!("-yes"));
}

#[test]
fn a_command_says_how_it_failed() {
    let said = shell(r#"echo '{"failure":{"kind":"execution_error","code":"sold_out","message":"none left","data":{"left":0}}}'; exit 3"#);
    match call(&said).0 {
        Outcome::Failed(failure) => {
            assert_eq!((failure.code.as_deref(), failure.data), (Some("sold_out"), Some(json!({ "left": 0 }))));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        failure(&shell("echo oops >&2; echo no space left >&2; exit 4")),
        (FailureKind::ExecutionError, "the command ended with 4: no space left".to_owned())
    );
    assert_eq!(failure(&shell("echo '{}'; exit 1")), (FailureKind::ExecutionError, "the command ended with 1".to_owned()));
}

#[test]
fn garbage_is_a_failure() {
    for script in ["echo hello", "true", "echo '{} {}'", "printf '\\377'"] {
        assert_eq!(failure(&shell(script)).0, FailureKind::InvalidOutput, "{script}");
    }
    for script in
        ["echo hello", "true", "echo '{}'", "echo '{\"result\":1,\"more\":2}'", "echo '{\"failure\":1}'", "echo '{\"pending\":1}'"]
    {
        assert_eq!(failure(&lines(script)).0, FailureKind::InvalidOutput, "{script}");
    }
    let endless = Command { most_output: 100_000, ..shell("cat /dev/zero") };
    assert_eq!(failure(&endless), (FailureKind::InvalidOutput, "it wrote more than 100000 bytes".to_owned()));
    assert_eq!(failure(&Command { most_output: 100_000, ..lines("yes '{\"progress\":1}'") }).0, FailureKind::InvalidOutput);
}

#[test]
fn a_command_that_streams_tells_how_far_it_is() {
    let (outcome, progress) =
        call(&lines("echo '{\"progress\":{\"pct\":10}}'; echo; echo '{\"artifacts\":[1]}'; printf '{\"result\":\"ok\"}'"));
    assert!(matches!(outcome, Outcome::Data(data) if data == "ok"));
    assert_eq!(progress, [json!({ "progress": { "pct": 10 } }), json!({ "artifacts": [1] })]);
    assert!(matches!(call(&lines("echo '{\"pending\":\"t7\"}'")).0, Outcome::Accepted { handle } if handle == "t7"));
    assert_eq!(failure(&lines("echo '{\"failure\":{\"kind\":\"denied\",\"message\":\"no\"}}'")), (FailureKind::Denied, "no".to_owned()));
    assert_eq!(failure(&lines("echo '{\"progress\":1}'; echo broken >&2; exit 9")).1, "the command ended with 9: broken");
}

#[test]
fn a_command_that_cannot_be_started_has_done_nothing() {
    for program in ["/nowhere/at-all", "/etc/passwd", "no-such-command-anywhere"] {
        assert_eq!(failure(&Command::new(program, Vec::new())).0, FailureKind::Unavailable, "{program}");
    }
    let nowhere = Command { folder: Some("/nowhere/at-all".into()), ..shell("echo 1") };
    assert_eq!(failure(&nowhere).0, FailureKind::Unavailable);
}

#[test]
fn what_a_killed_or_silent_command_did_is_not_known() {
    assert!(matches!(call(&shell("kill -9 $$")).0, Outcome::Lost { .. }));
    let begun = Instant::now();
    let silent = Command { patience: Duration::from_millis(200), ..shell("sleep 60") };
    assert!(matches!(call(&silent).0, Outcome::Lost { .. }));
    assert!(begun.elapsed() < Duration::from_secs(30));
    // A result before the end counts even if the process was killed afterwards? No: only its end says that it is done.
    assert!(matches!(call(&shell("echo 1; kill -9 $$")).0, Outcome::Lost { .. }));
}

#[test]
fn a_call_that_is_given_up_takes_its_processes_along() {
    let folder = std::env::temp_dir().join(format!("weave-tools-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pid = folder.join("pid");
    let command = shell(&format!("sleep 300 & echo $! > {}; wait", pid.display()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut progress = |_| {};
        let call = command.call(&Value::Null, &mut progress);
        let waiting = async {
            while !std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            outcome = call => panic!("{outcome:?}"),
            () = waiting => {}
        }
    });
    let grandchild = std::fs::read_to_string(&pid).unwrap();
    let alive = || {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", grandchild.trim())).unwrap_or_default();
        state.contains("(sleep) S")
    };
    let begun = Instant::now();
    while alive() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!alive(), "what the command had started lives on");
    std::fs::remove_dir_all(&folder).unwrap();
}
