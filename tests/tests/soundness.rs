//! What the compiler calls clean never reads what is not there, never gets stuck, and says what its types say.

use weave_tests::programs::{CONSTRUCTS, Survey, bases};

fn survey(pairs: u64, seed: u64) -> Survey {
    let mut survey = Survey { examples: 3, ..Survey::default() };
    let (bases, mut next) = (bases(), seed);
    while survey.pairs < pairs {
        next += 1;
        if next.is_multiple_of(3) { survey.mutated(&bases, next) } else { survey.generated(next) }
    }
    assert!(survey.findings.is_empty(), "{}", survey.report());
    // Else the programs are refused for reasons of no interest.
    assert!(survey.clean * 10 >= survey.programs * 3, "{} of {} programs are clean: {:?}", survey.clean, survey.programs, survey.refused);
    survey
}

#[test]
fn clean_programs_are_sound() {
    let survey = survey(500, 1);
    assert!(survey.prefixes > 150, "{}", survey.prefixes);
}

/// `cargo test --release -p weave-tests -- --ignored soundness`
#[test]
#[ignore = "a hundred thousand runs take minutes"]
fn a_hundred_thousand_runs_are_sound() {
    let survey = survey(100_000, 1);
    for construct in CONSTRUCTS {
        let ran = survey.coverage.ran.get(construct).copied().unwrap_or_default();
        assert!(ran >= 100, "{construct}: {ran} times");
    }
}
