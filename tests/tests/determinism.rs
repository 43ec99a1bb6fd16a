//! The same input gives the same bytes, in whatever order its files come.

use weave_tests::expectation::report;
use weave_tests::suite::programs;

use crate::examples::examples;

#[test]
fn two_runs_say_the_same() {
    for case in programs() {
        let program = case.program();
        let (first, second) = (program.check(), program.check());
        assert_eq!(first.drawing(), second.drawing(), "{}", case.title());
        assert_eq!(first.definitions(), second.definitions(), "{}", case.title());
        let maps = |checked: &weave_tests::program::Checked| {
            checked.compiled.iter().map(|one| one.source_map.to_json_pretty().expect("a source map is JSON")).collect::<Vec<_>>()
        };
        assert_eq!(maps(&first), maps(&second), "{}", case.title());
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    let mut complaints = Vec::new();
    let mut several = 0;
    for case in programs() {
        let forward = case.program();
        let mut backward = forward.clone();
        backward.roots.reverse();
        several += usize::from(forward.roots.len() > 1);
        let (forward, backward) = (forward.check(), backward.check());
        if forward.definitions() != backward.definitions() {
            complaints.push(format!("{}: the definitions differ", case.title()));
        }
        let (mut left, mut right) = (forward.ids(), backward.ids());
        left.sort_unstable();
        right.sort_unstable();
        if left != right {
            complaints.push(format!("{}: {left:?} become {right:?}", case.title()));
        }
    }
    report(&complaints);
    assert!(several > 0, "no case has several roots");
}

#[test]
fn a_root_that_another_root_imports_is_the_same_alone_and_together() {
    let all = weave_tests::program::Program { roots: examples().into_iter().map(|(name, _)| name).collect(), ..examples()[0].1.clone() };
    let together = all.check().definitions();
    for (name, program) in examples() {
        for (workflow, definition) in program.check().definitions() {
            assert_eq!(together.get(&workflow), Some(&definition), "{name}: {workflow}");
        }
    }
}
