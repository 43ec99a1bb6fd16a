//! `weave lint --watch`, as a process.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use common::{Project, workflow};

/// Nothing takes that long; a test that waits for it has failed.
const DEADLINE: Duration = Duration::from_secs(60);

const SHOP: &str = "type Order { id: string }\n";
const UNUSED: &str = "import { Order } from \"./shop.weave\"\n";

/// The end of each run.
const WAITING: &str = "Watching for changes";

/// A process, and the lines that it says.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn new(project: &Project, arguments: &[&str]) -> Self {
        let mut child = project.command(arguments).spawn().unwrap();
        let (sender, lines) = channel();
        let said = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// Reads on to a line that has this text, and gives all lines that were read.
    #[track_caller]
    fn read_to(&self, text: &str) -> String {
        let start = Instant::now();
        let mut read = String::new();
        while let Some(left) = DEADLINE.checked_sub(start.elapsed()) {
            let Ok(line) = self.lines.recv_timeout(left) else { break };
            read.push_str(&line);
            read.push('\n');
            if line.contains(text) {
                return read;
            }
        }
        panic!("no {text:?} in {read:?}")
    }

    /// Waits for the process to end by itself.
    #[cfg(unix)]
    fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < DEADLINE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not end")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_change_is_linted_until_the_end() {
    let project = Project::new(&[("flows/a.weave", &workflow("greet")), ("flows/shop.weave", SHOP)]);
    let watching = Watching::new(&project, &["lint", "flows", "--watch"]);
    assert_eq!(watching.read_to(WAITING), "No findings in 2 files.\nWatching for changes; Ctrl-C ends.\n");
    project.write("flows/b.weave", UNUSED);
    watching.read_to("warning[unused-import]");
    watching.read_to(WAITING);
    project.write("flows/weave.toml", "[lint.rules]\nunused-import = \"error\"\n");
    watching.read_to("error[unused-import]");
    watching.read_to(WAITING);
    project.write("flows/weave.toml", "[lint.rules]\nunused-imports = \"error\"\n");
    watching.read_to("error[unknown-config-rule]");
    watching.read_to(WAITING);
    std::fs::remove_file(project.path("flows/weave.toml")).unwrap();
    watching.read_to("warning[unused-import]");
    watching.read_to(WAITING);
    std::fs::remove_dir_all(project.path("flows")).unwrap();
    watching.read_to("cannot read `flows`");
    watching.read_to(WAITING);
}

#[test]
fn a_file_that_is_replaced_is_still_watched() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP)]);
    let watching = Watching::new(&project, &["lint", "a.weave", "--watch", "--format", "json", "--output", "report.json"]);
    watching.read_to("1 warning in 1 file; the report is in `report.json`");
    watching.read_to(WAITING);
    for (text, said) in [(workflow("greet").as_str(), "No findings in 1 file."), (UNUSED, "1 warning in 1 file")] {
        // As editors do: a new file takes the name of the old one.
        project.write("new", text);
        std::fs::rename(project.path("new"), project.path("a.weave")).unwrap();
        watching.read_to(said);
        watching.read_to(WAITING);
        assert_eq!(project.read("report.json").contains("unused-import"), text == UNUSED);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_well() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP)]);
    let watching = Watching::new(&project, &["lint", "a.weave", "--watch", "--max-warnings", "0"]);
    watching.read_to(WAITING);
    let sent = std::process::Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(watching.end(), Some(0));
}

#[test]
fn standard_input_cannot_be_watched() {
    let project = Project::new(&[]);
    project.run(&["lint", "-", "--watch"]).exits(2).says("standard input cannot be watched");
}
