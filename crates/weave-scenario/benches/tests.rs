//! How fast tests are played and workflows explored; run with `cargo bench -p weave-scenario`. Items are tests, each played with two
//! fillings, and runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails like a test")]

use divan::{Bencher, counter::ItemsCount};
use weave_ir::Definition;
use weave_runner::Prepared;
use weave_scenario::{Coverage, Exploring, Script, Subject, explore, play};

/// The allocator of the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const SUPPORT: &str = include_str!("../../../tests/suite/lower/support/definition.json");

fn subject() -> Subject {
    Subject::new(Prepared::new(Definition::from_json(SUPPORT).unwrap()), None)
}

fn scripts(subject: &Subject) -> Vec<Script> {
    let explored = explore(subject, Exploring { runs: 1000, seed: 1, defects: 0 });
    explored.suggestions(subject, &Coverage::default()).into_iter().map(|found| found.script).collect()
}

/// A thousand tests of `support`.
#[divan::bench(sample_count = 10)]
fn a_thousand_tests(bencher: Bencher) {
    let subject = subject();
    let scripts = scripts(&subject);
    assert!(scripts.len() > 5);
    bencher.counter(ItemsCount::new(1000_usize)).bench_local(|| {
        for script in scripts.iter().cycle().take(1000) {
            assert!(play(&subject, script).leaves.iter().all(|leaf| leaf.finding.is_none()));
        }
    });
}

/// A thousand runs of `support`.
#[divan::bench(sample_count = 5)]
fn exploring(bencher: Bencher) {
    let subject = subject();
    bencher.counter(ItemsCount::new(1000_usize)).bench_local(|| explore(&subject, Exploring { runs: 1000, seed: 1, defects: 1 }));
}
