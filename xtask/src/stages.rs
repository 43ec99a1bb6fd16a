//! The checks of the project, one after the other.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{Outcome, generate};

/// One check.
struct Stage {
    name: &'static str,
    run: fn(&Path) -> Outcome,
    /// What to do when it fails.
    advice: &'static str,
}

/// In this order: what is cheap and often forgotten comes first.
const STAGES: &[Stage] = &[
    Stage { name: "format", run: format, advice: "run `cargo fmt --all`" },
    Stage { name: "generated files", run: generate::check, advice: "run `cargo xtask generate` and commit what it writes" },
    Stage { name: "clippy", run: clippy, advice: "fix the clippy warnings; an `#[allow]` needs its `reason`" },
    Stage {
        name: "tests",
        run: tests,
        advice: "read the failing test; `BLESS=1 cargo test` rewrites expectations, to be reviewed like code",
    },
    Stage { name: "documentation", run: documentation, advice: "fix the doc comments that rustdoc names" },
];

/// Runs all stages and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Outcome {
    let mut times = Vec::new();
    for stage in STAGES {
        println!("==> {}", stage.name);
        let start = Instant::now();
        (stage.run)(root).map_err(|error| format!("==> {} failed: {error}\n    {}", stage.name, stage.advice))?;
        times.push((stage.name, start.elapsed()));
    }
    println!("==> all {} stages passed", times.len());
    for (name, time) in times {
        println!("    {name:<16} {}", seconds(time));
    }
    Ok(())
}

fn format(root: &Path) -> Outcome {
    cargo(root, &["fmt", "--all", "--check"])
}

fn clippy(root: &Path) -> Outcome {
    cargo(root, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn tests(root: &Path) -> Outcome {
    cargo(root, &["test", "--workspace"])
}

fn documentation(root: &Path) -> Outcome {
    let mut command = Command::new(cargo_path());
    command.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    succeed(root, command)
}

fn cargo(root: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(cargo_path());
    command.args(arguments);
    succeed(root, command)
}

/// The cargo that started this program.
fn cargo_path() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn succeed(root: &Path, mut command: Command) -> Outcome {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let shown = words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    let status = command.current_dir(root).status().map_err(|error| format!("`{shown}` cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` ended with {status}")) }
}

fn seconds(time: Duration) -> String {
    format!("{:>6.1} s", time.as_secs_f64())
}
