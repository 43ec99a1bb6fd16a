//! What playing tests says: each kind of failure has examples that show it, and the tests of the examples reach everything.

use std::time::Duration;

use weave_compiler::{Example, Snapshot};
use weave_scenario::Goal;
use weave_testing::{CODES, Filter, Part, Played, play};
use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::suite::file_name;
use weave_tests::{examples, root};

fn played(snapshot: &Snapshot) -> Played {
    let tests = snapshot.tests().expect("the program can be lowered");
    play(snapshot, &tests, &Filter::default(), &|| Duration::ZERO)
}

#[test]
fn the_bad_example_of_a_failure_gets_it_and_the_good_one_passes() {
    let ids = |text: &str| -> Vec<&str> {
        let snapshot = Example::new(text).check();
        assert!(!snapshot.has_errors(), "{:?}\n{text}", snapshot.diagnostics());
        played(&snapshot).failures().iter().map(|failure| failure.code.id).collect()
    };
    let complaints = CODES.iter().filter_map(|code| {
        let (bad, good) = (ids(code.bad), ids(code.good));
        (bad != [code.id] || !good.is_empty()).then(|| format!("{}: the bad example gets {bad:?}, the good one {good:?}", code.id))
    });
    report(&complaints.collect::<Vec<_>>());
}

/// What exploring finds in a program.
fn explored(text: &str) -> Vec<(String, Vec<String>)> {
    let snapshot = Example::new(text).check();
    assert!(!snapshot.has_errors(), "{:?}\n{text}", snapshot.diagnostics());
    let workflows = snapshot.compile().expect("the program can be lowered");
    let exploring = weave_scenario::Exploring { runs: 100, seed: 1, defects: 1 };
    let found = weave_testing::explore_all(&snapshot, &workflows, exploring);
    found.findings().map(|finding| (finding.code.id.to_owned(), finding.notes.clone())).collect()
}

#[test]
fn exploring_finds_the_bad_example_and_nothing_in_the_good_one() {
    let mut complaints = Vec::new();
    for code in weave_testing::EXPLORE_CODES {
        let (bad, good) = (explored(code.bad), explored(code.good));
        let shown = bad.iter().all(|(id, notes)| id == code.id && notes.iter().any(|note| note.starts_with("this test shows it:")));
        if bad.is_empty() || !shown || !good.is_empty() {
            complaints.push(format!("{}: the bad example gets {bad:?}, the good one {good:?}", code.id));
        }
    }
    report(&complaints);
}

/// The pages are generated, so what they show is what the commands say.
#[test]
fn the_pages_about_recorded_runs_show_their_diagnostics() {
    let codes = weave_replay::codes::RUN_CODES.iter().chain(weave_replay::codes::SCROLL_CODES).chain(weave_testing::EXPLORE_CODES);
    let complaints = codes.filter_map(|code| {
        let page = std::fs::read_to_string(root().join(format!("docs/diagnostics/{}.md", code.id))).unwrap_or_default();
        (!page.contains(&format!("error[{}]: ", code.id))).then(|| format!("the page of {} does not show it", code.id))
    });
    report(&complaints.collect::<Vec<_>>());
}

/// What no test can reach, and why.
const UNREACHABLE: [(&str, &str); 2] = [
    // A step that waits for an event fails in no other way than by its timeout.
    ("deliver", "expect !lost on failure(arrival)"),
    // It is asked only where `grounded` has found that there is a finding.
    ("grounded_answer", "expect !rewrite on check"),
];

/// All nodes fire in some test, and all guards are both true and false.
#[test]
fn the_tests_of_the_examples_pass_and_reach_everything() {
    let folder = root().join("examples");
    let mut complaints = Vec::new();
    for example in examples() {
        let name = file_name(&example).replace(".weave", "_test.weave");
        if name == "shop_test.weave" {
            continue;
        }
        let checked = Program { roots: vec![name.clone()], ..Program::in_folder(&folder) }.check();
        let played = played(&checked.snapshot);
        for failure in played.failures() {
            complaints.push(format!("{name}: {}\n  {}", failure.message, failure.notes.join("\n  ")));
        }
        for covered in &played.coverage {
            let is_wanted = |part: &&Part| matches!(part.goal, Goal::Node { .. } | Goal::Guard { .. });
            let gaps: Vec<&str> = covered.gaps().filter(is_wanted).map(|gap| &*gap.line).collect();
            let known = |line: &&str| UNREACHABLE.contains(&(&covered.workflow, line));
            let missing: Vec<&str> = gaps.into_iter().filter(|line| !known(line)).collect();
            if !missing.is_empty() {
                complaints.push(format!("{name}: no test of `{}`: {}", covered.workflow, missing.join(", ")));
            }
        }
    }
    report(&complaints);
}
