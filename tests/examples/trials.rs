//! What must be seen of tests, exploring and replaying, on all examples, with what is left.
//!
//! `cargo run -p weave-tests --example trials -- mutants|planted|replays|suggest`; without a name, all of it.

use std::time::Instant;

use weave_scenario::{Coverage, Exploring, Goal, explore};
use weave_tests::trials::mutants::{SURVIVORS, tally};
use weave_tests::trials::planted::PLANTED;
use weave_tests::trials::recorded::{Noticed, mistakes, not_exact, noticed, scrolls};
use weave_tests::trials::{subject, tested, tested_examples};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let all: [(&str, fn()); 4] = [("mutants", mutants), ("planted", planted), ("replays", replays), ("suggest", suggest)];
    for (name, trial) in all {
        if wanted.is_empty() || wanted.iter().any(|it| it == name) {
            println!("# {name}");
            let begun = Instant::now();
            trial();
            println!("in {} ms\n", begun.elapsed().as_millis());
        }
    }
}

/// How many mutants of the examples fail a test.
fn mutants() {
    let (mut all, mut left) = (0, 0);
    for tested in tested_examples() {
        let tally = tally(&tested);
        println!("{}: {} of {} mutants fail a test", tested.name, tally.all - tally.survivors.len(), tally.all);
        for survivor in &tally.survivors {
            let reason = SURVIVORS.iter().find(|(known, _)| known == survivor).map_or("NO REASON IS KNOWN", |(_, reason)| reason);
            println!("  survives: {survivor}: {reason}");
        }
        all += tally.all;
        left += tally.survivors.len();
    }
    println!("{} of {all} mutants fail a test: {:.1} %", all - left, (all - left) as f64 * 100.0 / all as f64);
}

/// How soon exploring finds the planted defects.
fn planted() {
    for planted in PLANTED {
        let begun = Instant::now();
        match planted.found(1) {
            Some((runs, lines)) => {
                println!("{}: after {runs} runs, {} ms, as a test of {lines} lines", planted.what, begun.elapsed().as_millis());
            }
            None => println!("{}: NOT FOUND", planted.what),
        }
    }
}

/// Whether the scrolls of the tests replay exactly, and what replaying says about mistakes.
fn replays() {
    const EXAMPLES: [&str; 10] =
        ["support", "refund", "grounded", "research", "invoice", "code_review", "council", "deploy", "proposals", "service_desk"];
    for tested in tested_examples() {
        let wrong = not_exact(&tested);
        println!("{}: {} scrolls, {} not exact", tested.name, scrolls(&tested).len(), wrong.len());
        wrong.iter().for_each(|wrong| println!("  {wrong}"));
    }
    let (mut other, mut found, mut right) = (0, 0, 0);
    for (seed, name) in EXAMPLES.into_iter().enumerate() {
        let tested = tested(name);
        let scrolls = scrolls(&tested);
        for mistake in mistakes(name, seed as u64) {
            let seen = noticed(&tested, &scrolls, &mistake);
            match &seen {
                Noticed::NoChange => continue,
                Noticed::No => println!("{name}: {}: no recorded run notices", mistake.kind),
                Noticed::Yes { is_changed: true, .. } => {}
                Noticed::Yes { word, line, .. } => {
                    println!("{name}: {}: {word} at {line}, which was not changed: {:?}", mistake.kind, mistake);
                }
            }
            other += 1;
            found += usize::from(seen != Noticed::No);
            right += usize::from(matches!(seen, Noticed::Yes { is_changed: true, .. }));
        }
    }
    println!("{other} mistakes give another definition; {found} are noticed by a recorded run, {right} with the changed line");
}

/// How much `--suggest` reaches of each example without its tests.
fn suggest() {
    for tested in tested_examples() {
        for (place, compiled) in tested.tests.workflows.iter().enumerate() {
            let subject = subject(&tested, place, None);
            let explored = explore(&subject, Exploring { runs: 4000, seed: 1, defects: 0 });
            let mut reached = Coverage::default();
            for found in explored.suggestions(&subject, &Coverage::default()) {
                found.goals.into_iter().for_each(|goal| reached.reach(goal));
            }
            let goals: Vec<_> = Coverage::goals(&compiled.definition)
                .into_iter()
                .filter(|gap| matches!(gap.goal, Goal::Node { .. } | Goal::Guard { .. }))
                .collect();
            let left: Vec<&str> = goals.iter().filter(|gap| !reached.reaches(&gap.goal)).map(|gap| &*gap.line).collect();
            println!(
                "{}: {} of {} after {} runs{}",
                compiled.name,
                goals.len() - left.len(),
                goals.len(),
                explored.runs,
                if left.is_empty() { String::new() } else { format!("; not: {}", left.join(", ")) }
            );
        }
    }
}
