//! Edits the programs of the suite at random, and compares what the editor knows after each change with what somebody knows who sees the
//! files for the first time: `cargo run --release -p weave-tests --example edits -- [CHANGES] [SEED]`.
//!
//! It also counts the memory that is in use between two sessions, when nothing is open: it may have grown by a fifth since the first 1,000 changes, no
//! more, and a leak would grow with each. What the process has from the system is said beside it; that goes in steps, with the largest program so far.

use std::process::ExitCode;

use peak_alloc::PeakAlloc;
use weave_tests::edits::Session;
use weave_tests::suite;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

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
        drop(session);
        done += LONG;
        if first.is_none() && done >= 1_000 {
            first = Some(Memory::now());
        }
        if done >= changes {
            break;
        }
    }
    println!("{done} changes, and nothing else is known than what is so");
    let Some(first) = first else { return ExitCode::SUCCESS };
    let last = Memory::now();
    println!("in use: {} KB after the first 1,000, {} KB at the end", first.used / 1024, last.used / 1024);
    if let (Some(first), Some(last)) = (first.resident, last.resident) {
        println!("of the system: {first} KB after the first 1,000, {last} KB at the end");
    }
    if last.used > first.used + first.used / 5 {
        println!("that is more than a fifth more");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// What this process has.
struct Memory {
    /// Bytes that something is kept in.
    used: usize,
    /// Kilobytes that it has from the system, where that says it so.
    resident: Option<u64>,
}

impl Memory {
    fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        Self { used: MEMORY.current_usage(), resident: resident.and_then(|line| line.split_whitespace().next()?.parse().ok()) }
    }
}
