//! Each diagnostic is declared once, with examples that do what they say.

use std::collections::BTreeSet;

use weave_compiler::{Example, registry};
use weave_tests::expectation::report;
use weave_tests::program::Checked;
use weave_tests::suite::programs;

#[test]
fn the_bad_example_gets_its_diagnostic_and_no_other() {
    let registry = registry();
    let complaints = registry.iter().filter_map(|code| {
        let checked = Checked::from(Example::new(code.bad).check());
        let exactly = checked.ids().into_iter().collect::<BTreeSet<_>>() == BTreeSet::from([code.id]);
        (!exactly).then(|| format!("{}: the bad example gets {:?}\n{}", code.id, checked.ids(), checked.drawing()))
    });
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn the_good_example_is_clean() {
    let registry = registry();
    let complaints = registry.iter().filter_map(|code| {
        let checked = Checked::from(Example::new(code.good).check());
        (!checked.diagnostics.is_empty()).then(|| format!("{}: the good example gets\n{}", code.id, checked.drawing()))
    });
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn declarations_are_complete() {
    let mut complaints = Vec::new();
    for code in registry().iter() {
        let kebab =
            code.id.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        let said = [code.summary, code.explanation, code.bad, code.good].iter().all(|text| !text.trim().is_empty());
        if !kebab || !said || code.summary.contains('\n') || code.bad == code.good {
            complaints
                .push(format!("{}: the id is kebab-case, all texts are there, the summary is one line, and the examples differ", code.id));
        }
    }
    report(&complaints);
}

#[test]
fn every_diagnostic_has_a_case_that_shows_it() {
    let shown = programs().iter().filter_map(|case| std::fs::read_to_string(case.file("stderr.txt")).ok()).collect::<String>();
    let missing = registry().iter().map(|code| code.id).filter(|id| !shown.contains(&format!("[{id}]"))).collect::<Vec<_>>();
    assert!(missing.is_empty(), "no case of the suite shows these diagnostics: {}", missing.join(", "));
}

#[test]
fn the_compiler_and_the_definition_know_the_same_failure_kinds() {
    assert_eq!(weave_analysis::model::declarations::FAILURE_KINDS, weave_ir::FAILURE_KINDS);
    let language = std::fs::read_to_string(weave_tests::root().join("docs/language.md")).expect("the reference can be read");
    let missing = weave_ir::FAILURE_KINDS.iter().filter(|kind| !language.contains(&format!("`{kind}`"))).collect::<Vec<_>>();
    assert!(missing.is_empty(), "the reference does not name the failure kinds {missing:?}");
}
