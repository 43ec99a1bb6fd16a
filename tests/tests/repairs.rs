//! `weave lint --fix` and `--fix-unsafe` never raise the number of errors, never write anything twice, and leave nothing to do for a second
//! run.
//!
//! These are slices; `cargo run -p weave-tests --example repairs` takes everything and 10,000 random programs.

use weave_diagnostics::Applicability;
use weave_tests::defects::{clean_programs, seeded};
use weave_tests::expectation::report;
use weave_tests::habits::tables;
use weave_tests::program::Program;
use weave_tests::repairs::{random_program, repaired};

fn all_hold(programs: impl Iterator<Item = (String, Program)>, least: usize) {
    let (mut complaints, mut applied) = (Vec::new(), 0);
    for (title, program) in programs {
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            let outcome = repaired(&title, &program, applicability);
            complaints.extend(outcome.complaints);
            applied += outcome.applied;
        }
    }
    report(&complaints);
    println!("{applied} fixes");
    assert!(applied >= least, "only {applied} fixes");
}

#[test]
fn fixes_of_habits_do_no_harm() {
    let habits = tables().into_iter().flat_map(|table| table.habits).step_by(9);
    all_hold(habits.map(|habit| (habit.name.clone(), habit.program())), 40);
}

#[test]
fn fixes_of_seeded_defects_do_no_harm() {
    let programs = clean_programs();
    let defects = programs.iter().step_by(8).flat_map(|(title, judge)| {
        let defects = seeded(judge.text(), 1, 2);
        defects.into_iter().step_by(3).map(move |defect| (format!("{title}: {}", defect.kind), judge.with(&defect)))
    });
    all_hold(defects, 20);
}

#[test]
fn fixes_of_random_programs_do_no_harm() {
    all_hold((0..60).map(|seed| (format!("seed {seed}"), random_program(seed))), 20);
}
