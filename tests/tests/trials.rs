//! Slices of what `cargo run -p weave-tests --example trials` does for all examples.

use weave_tests::expectation::report;
use weave_tests::trials::mutants::tally;
use weave_tests::trials::planted::PLANTED;
use weave_tests::trials::recorded::{Noticed, mistakes, not_exact, noticed, scrolls};
use weave_tests::trials::tested;

/// Nearly all definitions with one thing less, or turned round, fail a test of their example.
#[test]
fn mutants_of_an_example_fail_its_tests() {
    let tally = tally(&tested("support"));
    assert!(tally.all > 30, "{} mutants", tally.all);
    assert!(tally.survivors.len() * 20 <= tally.all, "{:?} of {}", tally.survivors, tally.all);
}

/// Every planted defect is found, and shown by a short test.
#[test]
fn exploring_finds_planted_defects() {
    let complaints = PLANTED.iter().filter_map(|planted| match planted.found(1) {
        Some((_, lines)) if lines <= 12 => None,
        Some((_, lines)) => Some(format!("{}: it is shown by {lines} lines", planted.what)),
        None => Some(format!("{}: it is not found", planted.what)),
    });
    report(&complaints.collect::<Vec<_>>());
}

/// The scrolls of an example's tests replay exactly, and a mistake is found at its line.
#[test]
fn recorded_runs_find_mistakes() {
    let tested = tested("support");
    report(&not_exact(&tested));
    let scrolls = scrolls(&tested);
    let seen: Vec<Noticed> = mistakes("support", 0).iter().map(|mistake| noticed(&tested, &scrolls, mistake)).collect();
    let other = seen.iter().filter(|seen| matches!(seen, Noticed::Yes { .. })).count();
    let right = seen.iter().filter(|seen| matches!(seen, Noticed::Yes { is_changed: true, .. })).count();
    assert!(other > 0 && right == other, "{seen:?}");
}
