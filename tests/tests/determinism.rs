//! The same input gives the same bytes, in whatever order its files come.

use weave_tests::expectation::report;
use weave_tests::suite::programs;

use crate::examples::examples;

/// The file to which [`what_one_process_says`] writes when it is started by [`two_runs_say_the_same`].
const SAID: &str = "WEAVE_TEST_SAID";

/// All that the compiler says about the programs of the suite: diagnostics, definitions and source maps.
#[test]
#[ignore = "two_runs_say_the_same starts it"]
fn what_one_process_says() {
    let Some(path) = std::env::var_os(SAID) else { return };
    // The standard library seeds its hashes for each process; the address space and the threads differ as well.
    let mut said = String::new();
    for case in programs() {
        let checked = case.program().check();
        said += &format!("== {}\n{}", case.title(), checked.drawing());
        for (name, definition) in checked.definitions() {
            said += &format!("-- {name}\n{definition}");
        }
        for one in &checked.compiled {
            said += &one.source_map.to_json_pretty().expect("a source map is JSON");
        }
    }
    std::fs::write(path, said).expect("the answer can be written");
}

#[test]
fn two_runs_say_the_same() {
    let folder = tempfile::tempdir().expect("there is room for files");
    let said = ["first", "second"].map(|name| {
        let path = folder.path().join(name);
        let program = std::env::current_exe().expect("the tests are a program");
        let mut command = std::process::Command::new(program);
        command.args(["--ignored", "--exact", "determinism::what_one_process_says"]).env(SAID, &path);
        // Hashes of `rustc-hash` have no seed: what depends on the number of threads is moved by another number of them.
        command.env("RAYON_NUM_THREADS", if name == "first" { "1" } else { "3" });
        let output = command.output().expect("the tests can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        weave_tests::read(&path)
    });
    assert!(said[0].len() > 100_000, "only {} bytes are said", said[0].len());
    let different = said[0].lines().zip(said[1].lines()).position(|(first, second)| first != second);
    assert!(said[0] == said[1], "the two processes differ at line {different:?}");
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
