//! kill -9 under load: 32 runs whose tools are commands that log each call durably, in a process that is killed at random moments and
//! started again, while another one answers approvals and decides about unknown outcomes.
//!
//! `WEAVE_RUN_KILLS=1000 cargo test -p weave-tools --test kills -- --nocapture` is the campaign; a plain test run kills a few times.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout, reason = "a test")]

mod campaign;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use campaign::{Dice, Operator, RUNS, drive};
use tempfile::TempDir;

/// The child process: this very binary, with this test alone.
#[test]
fn child() {
    let Some(folder) = std::env::var_os("WEAVE_RUN_CHILD") else { return };
    drive(Path::new(&folder));
    std::process::exit(0);
}

/// Starts a process that drives the runs, and waits until it has taken them over.
fn start(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env("WEAVE_RUN_CHILD", folder).stdout(Stdio::piped());
    command.stderr(std::fs::File::create(folder.join("said")).unwrap());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = || std::fs::read_to_string(folder.join("said")).unwrap_or_default();
    assert!(lines.any(|line| line.unwrap().contains("ready")), "the process did not start: {}", said());
    child
}

#[test]
fn killed_processes_lose_and_double_nothing() {
    let wanted: u32 = std::env::var("WEAVE_RUN_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut dice = Dice(0x5eed_0028);
    let (mut kills, mut batches) = (0, 0);
    let mut sums = campaign::Sums::default();
    let begun = Instant::now();
    while kills < wanted {
        let folder = TempDir::new().unwrap();
        let mut operator = Operator::new(folder.path());
        loop {
            let mut child = start(folder.path());
            let life = Duration::from_millis(dice.below(600));
            // The last process of the test may finish.
            let end = Instant::now() + if kills < wanted { life } else { Duration::from_secs(120) };
            operator.open();
            let mut ended = false;
            while Instant::now() < end {
                operator.work(&mut dice);
                if let Some(status) = child.try_wait().unwrap() {
                    assert!(status.success(), "the process failed");
                    ended = true;
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            if ended {
                break;
            }
            assert!(kills < wanted, "the runs do not end: {}", operator.state());
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            operator.after_a_kill();
        }
        batches += 1;
        operator.check(&mut sums);
        println!(
            "{kills} kills, {} runs in {:.0} s: {} calls ({} once-only), {} unknown outcomes, {} sent again, {} acknowledged events: nothing lost, nothing doubled",
            batches * RUNS,
            begun.elapsed().as_secs_f64(),
            sums.calls,
            sums.once_only,
            sums.unknown,
            sums.again,
            sums.acknowledged,
        );
    }
}
