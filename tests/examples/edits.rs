//! Edits the programs of the suite at random, and compares what the editor knows after each change with what somebody knows who sees the
//! files for the first time: `cargo run --release -p weave-tests --example edits -- [CHANGES] [SEED]`.
//!
//! It also says how much memory it has after the first 1,000 changes and at the end. All programs are opened once before, since the largest of them
//! says how much the allocator holds, and the first 1,000 changes meet few of them; and what the system has of this program's own file is not counted.

use std::process::ExitCode;

use weave_tests::edits::Session;
use weave_tests::suite;

/// How many changes one session has.
const LONG: usize = 60;

fn main() -> ExitCode {
    let arguments: Vec<Option<u64>> = std::env::args().skip(1).map(|argument| argument.parse().ok()).collect();
    if arguments.len() > 2 || arguments.contains(&None) {
        println!("usage: edits [CHANGES] [SEED]");
        return ExitCode::FAILURE;
    }
    let number = |index: usize, default| arguments.get(index).copied().flatten().unwrap_or(default);
    let (changes, seed) = (number(0, 20_000) as usize, number(1, 1));
    let cases: Vec<_> = suite::programs().into_iter().chain(suite::group("lint")).collect();
    let texts: Vec<String> = cases.iter().flat_map(|case| case.program().files.into_values()).collect();
    let mut done = 0;
    let mut first = None;
    for case in &cases {
        Session::new(&case.program(), seed).check();
    }
    for number in 0.. {
        let case = &cases[(seed as usize).wrapping_add(number * 7919) % cases.len()];
        let mut session = Session::new(&case.program(), seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        for _ in 0..LONG {
            session.change(&texts);
            session.check();
        }
        done += LONG;
        if first.is_none() && done >= 1_000 {
            first = memory();
        }
        if done >= changes {
            break;
        }
    }
    println!("{done} changes, and nothing else is known than what is so");
    if let (Some(first), Some(last)) = (first, memory()) {
        println!("memory: {:.1} MB after the first 1,000, {:.1} MB at the end", first as f64 / 1024.0, last as f64 / 1024.0);
    }
    ExitCode::SUCCESS
}

/// The memory that this process has filled itself, in kilobytes, where the system says it so.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.split_whitespace().next()?.parse().ok()
}
