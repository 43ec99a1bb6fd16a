//! What the editor knows after any change is what somebody knows who sees the files for the first time.

use weave_tests::edits::Session;
use weave_tests::suite;

/// How many changes are made to each program; `cargo run --release -p weave-tests --example edits` makes more.
const CHANGES: usize = 4;

#[test]
fn what_is_known_after_a_change_is_what_is_so() {
    let cases: Vec<_> = suite::programs().into_iter().chain(suite::group("lint")).collect();
    let texts: Vec<String> = cases.iter().flat_map(|case| case.program().files.into_values()).collect();
    for (seed, case) in (0_u64..).zip(&cases) {
        let mut session = Session::new(&case.program(), seed);
        for _ in 0..CHANGES {
            session.change(&texts);
            session.check();
        }
    }
}
