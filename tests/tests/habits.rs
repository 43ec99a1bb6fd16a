//! Mistakes of newcomers: each case has the expected diagnostics, and its first fixes lead to the program that was meant.

use std::collections::{BTreeMap, BTreeSet};

use weave_tests::expectation::{compare, report};
use weave_tests::habits::{End, Habit, Outcome, Table, base, tables, title, written};

/// The outcome of all cases of a table, by name.
fn outcomes(table: &Table) -> BTreeMap<String, Outcome> {
    table.habits.iter().map(|habit| (habit.name.clone(), habit.outcome())).collect()
}

#[test]
fn habits_have_the_expected_diagnostics() {
    assert!(base().check().diagnostics.is_empty(), "the program that all cases change has mistakes");
    let mut complaints = Vec::new();
    let mut names = BTreeSet::new();
    let mut all: Vec<(Habit, Outcome)> = Vec::new();
    let mut held_back = Vec::new();
    for table in tables() {
        let outcomes = outcomes(&table);
        complaints.extend(compare(&table.path, Some(&written(&table, &outcomes))).err());
        for habit in &table.habits {
            if !names.insert(habit.name.clone()) {
                complaints.push(format!("{}: `{}` is there twice", title(&table.path), habit.name));
            }
            if habit.has_meaning() && !habit.meant().check().diagnostics.is_empty() {
                complaints.push(format!("{}: what the author of `{}` meant is not a valid program", title(&table.path), habit.name));
            }
            let group = if title(&table.path) == HELD_BACK { &mut held_back } else { &mut all };
            group.push((habit.clone(), outcomes[&habit.name].clone()));
        }
    }
    report(&complaints);
    assert!(all.len() >= 200, "only {} habits", all.len());
    goals(&all, &Goals { mean: 4.5, least: 3, clean: 85, worse: 0 });
    goals(&held_back, &Goals { mean: 4.0, least: 2, clean: 60, worse: 2 });
}

/// The table of mistakes that were written down before anything was done about them, so that they show what the messages are worth for
/// mistakes that they were not written for.
const HELD_BACK: &str = "held-back.txt";

/// What a group of cases must reach.
struct Goals {
    /// The mean of the grades.
    mean: f64,
    /// The lowest grade that is accepted.
    least: u32,
    /// Of a hundred, so many end clean and as meant.
    clean: usize,
    /// So many cases may have more diagnostics after a fix than before; `weave lint --fix` leaves such fixes out.
    worse: usize,
}

/// The goals over a group of cases.
fn goals(all: &[(Habit, Outcome)], goals: &Goals) {
    let count = |is: &dyn Fn(&(Habit, Outcome)) -> bool| all.iter().filter(|case| is(case)).count();
    let names = |is: &dyn Fn(&(Habit, Outcome)) -> bool| {
        all.iter().filter(|case| is(case)).map(|(habit, _)| habit.name.as_str()).collect::<Vec<_>>()
    };
    let grades: u32 = all.iter().map(|(habit, _)| habit.grade).sum();
    let mean = f64::from(grades) / all.len() as f64;
    // Some habits are legal here, so nothing is said about them.
    let refused = count(&|(_, outcome)| !outcome.said.is_empty());
    let clean = count(&|(_, outcome)| !outcome.said.is_empty() && outcome.end == End::AsMeant);
    let one = count(&|(_, outcome)| outcome.said.len() == 1);
    println!(
        "{} habits, {refused} of them reported, {one} with one diagnostic, {clean} clean and as meant by first fixes, mean grade {mean:.2}",
        all.len()
    );
    assert!(mean >= goals.mean, "the mean grade is {mean:.2}");
    let useless = names(&|(habit, _)| habit.grade < goals.least);
    assert!(useless.is_empty(), "useless: {useless:?}");
    let wrong = names(&|(_, outcome)| outcome.end == End::Otherwise);
    assert!(wrong.is_empty(), "clean and wrong: {wrong:?}");
    let worse = names(&|(_, outcome)| outcome.worse);
    assert!(worse.len() <= goals.worse, "fixes that raise the number of diagnostics: {worse:?}");
    assert!(clean * 100 >= refused * goals.clean, "{clean} of {refused} end clean and as meant");
    assert!(one * 100 >= refused * 90, "{one} of {refused} have one diagnostic");
}
