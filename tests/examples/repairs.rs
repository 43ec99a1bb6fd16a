//! Applies all fixes to the cases of habits, the suite, seeded defects and random programs, safe ones and then possible ones, too:
//! `cargo run -p weave-tests --example repairs -- [PROGRAMS] [FIRST SEED]`.
//!
//! No fix may bring an error, write anything twice, or leave something to do for a second run.

use std::process::ExitCode;

use weave_diagnostics::Applicability;
use weave_tests::defects::{clean_programs, seeded};
use weave_tests::program::Program;
use weave_tests::repairs::{random_program, repaired};
use weave_tests::{habits, suite};

/// What was done so far.
#[derive(Default)]
struct Campaign {
    programs: usize,
    applied: usize,
    failed: usize,
}

impl Campaign {
    fn program(&mut self, title: &str, program: &Program) {
        self.programs += 1;
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            let outcome = repaired(title, program, applicability);
            self.applied += outcome.applied;
            self.failed += outcome.complaints.len();
            outcome.complaints.iter().for_each(|complaint| println!("{complaint}\n"));
        }
    }

    fn section(&mut self, name: &str) {
        println!("{name}: {} programs, {} fixes, {} complaints", self.programs, self.applied, self.failed);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<Option<u64>> = std::env::args().skip(1).map(|argument| argument.parse().ok()).collect();
    if arguments.len() > 2 || arguments.contains(&None) {
        println!("usage: repairs [PROGRAMS] [FIRST SEED]");
        return ExitCode::FAILURE;
    }
    let number = |index: usize, default| arguments.get(index).copied().flatten().unwrap_or(default);
    let (count, first) = (number(0, 10_000), number(1, 0));
    let mut campaign = Campaign::default();
    for habit in habits::tables().iter().flat_map(|table| &table.habits) {
        campaign.program(&habit.name, &habit.program());
    }
    campaign.section("habits");
    for case in suite::programs().iter().chain(&suite::group("lint")) {
        campaign.program(&case.title(), &case.program());
    }
    campaign.section("suite");
    for (title, judge) in clean_programs() {
        for defect in seeded(judge.text(), 1, first + 1) {
            campaign.program(&format!("{title}: {}", defect.kind), &judge.with(&defect));
        }
    }
    campaign.section("defects");
    for seed in first..first + count {
        campaign.program(&format!("seed {seed}"), &random_program(seed));
    }
    campaign.section("random programs");
    if campaign.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
