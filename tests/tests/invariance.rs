//! What must not change a definition, and what must.

use std::collections::BTreeMap;

use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::random::Random;
use weave_tests::rewrite::{literals, relaid, reordered, with_other_literal};
use weave_tests::suite::programs;

use crate::examples::examples;

/// How often each program is changed in each way.
const ROUNDS: u64 = 4;

/// All programs of the suite and the examples that have a definition, with their definitions.
fn compiling() -> Vec<(String, Program, BTreeMap<String, String>)> {
    let suite = programs().into_iter().map(|case| (case.title(), case.program()));
    let all = suite.chain(examples()).map(|(title, program)| {
        let definitions = program.check().definitions();
        (title, program, definitions)
    });
    all.filter(|(_, _, definitions)| !definitions.is_empty()).collect()
}

/// Changes all files of all programs and wants the same definitions.
fn unchanged_by(change: fn(&str, &mut Random) -> String) {
    let mut complaints = Vec::new();
    for (title, program, definitions) in compiling() {
        for seed in 0..ROUNDS {
            let mut random = Random::new(seed);
            let mut changed = program.clone();
            changed.files.values_mut().for_each(|text| *text = change(text, &mut random));
            let checked = changed.check();
            if checked.definitions() != definitions {
                let texts = changed.roots.iter().map(|root| changed.files[root].as_str()).collect::<String>();
                complaints.push(format!("{title}, seed {seed}: the definition changed\n{}\n{texts}", checked.drawing()));
                break;
            }
        }
    }
    report(&complaints);
}

#[test]
fn the_order_of_declarations_changes_nothing() {
    unchanged_by(reordered);
}

#[test]
fn blanks_and_comments_change_nothing() {
    unchanged_by(relaid);
}

#[test]
fn line_ends_of_another_system_change_nothing() {
    unchanged_by(|text, _| text.replace('\n', "\r\n"));
}

#[test]
fn another_literal_in_a_guard_a_payload_or_an_output_changes_the_digest() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (title, program, _) in compiling() {
        let digests = program.check().digests();
        for root in &program.roots {
            let text = &program.files[root];
            for literal in literals(text) {
                let Some(other) = with_other_literal(text, literal) else { continue };
                let mut changed = program.clone();
                changed.files.insert(root.clone(), other);
                let checked = changed.check();
                // Where the type allows no other value there is nothing to see.
                if checked.compiled.is_empty() {
                    continue;
                }
                count += 1;
                if checked.digests() == digests {
                    complaints.push(format!("{title}: another literal than `{}` changes no digest", literal.0.text(text)));
                }
            }
        }
    }
    report(&complaints);
    println!("{count} literals changed");
    assert!(count >= 50, "only {count} literals could be changed");
}
