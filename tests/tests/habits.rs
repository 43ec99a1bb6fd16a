//! Mistakes of newcomers: each case has the expected diagnostics, and its first fixes lead to the program that was meant.

use std::collections::{BTreeMap, BTreeSet};

use weave_tests::expectation::{compare, report};
use weave_tests::habits::{End, Habit, Outcome, Table, base, tables, title, written};

/// The lowest grade that is accepted.
const LEAST_GRADE: u32 = 3;

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
            all.push((habit.clone(), outcomes[&habit.name].clone()));
        }
    }
    report(&complaints);
    goals(&all);
}

/// The goals over all cases.
fn goals(all: &[(Habit, Outcome)]) {
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
    assert!(all.len() >= 200, "only {} habits", all.len());
    assert!(mean >= 4.5, "the mean grade is {mean:.2}");
    let useless = names(&|(habit, _)| habit.grade < LEAST_GRADE);
    assert!(useless.is_empty(), "useless: {useless:?}");
    let wrong = names(&|(_, outcome)| outcome.end == End::Otherwise);
    assert!(wrong.is_empty(), "clean and wrong: {wrong:?}");
    let worse = names(&|(_, outcome)| outcome.worse);
    assert!(worse.is_empty(), "fixes that raise the number of diagnostics: {worse:?}");
    assert!(clean * 100 >= refused * 85, "{clean} of {refused} end clean and as meant");
    assert!(one * 100 >= refused * 95, "{one} of {refused} have one diagnostic");
}
