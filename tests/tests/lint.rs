//! The rules: their examples, their pages, and what they say about whole programs.

use weave_compiler::Example;
use weave_compiler::lint::{Day, Group, Level, Options, RULES, Settings};
use weave_diagnostics::{Charset, Diagnostic, Renderer, Style};
use weave_tests::expectation::{compare, report};
use weave_tests::suite::{Case, group};
use weave_tests::{files_below, read, root};

/// Findings with the levels of the groups, and one rule in any case.
fn found(snapshot: &weave_compiler::Snapshot, rule: Option<&str>) -> Vec<Diagnostic> {
    let rules = rule.map(|rule| (rule.to_owned(), Level::Warn));
    let settings = |_| Settings { rules: rules.clone().into_iter().collect(), ..Settings::default() };
    snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") })
}

fn drawn(found: &[Diagnostic], snapshot: &weave_compiler::Snapshot) -> String {
    let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
    renderer.render_all(found, snapshot.sources())
}

#[test]
fn the_bad_example_gets_its_finding_and_no_other() {
    let complaints = RULES.iter().filter_map(|rule| {
        let snapshot = Example::new(rule.code.bad).check();
        let found = found(&snapshot, Some(rule.id()));
        let exactly = !found.is_empty() && found.iter().all(|finding| finding.code.id == rule.id()) && snapshot.diagnostics().is_empty();
        let said = || drawn(snapshot.diagnostics(), &snapshot) + &drawn(&found, &snapshot);
        (!exactly).then(|| format!("{}: the bad example gets\n{}", rule.id(), said()))
    });
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn the_good_example_is_clean() {
    let complaints = RULES.iter().filter_map(|rule| {
        let snapshot = Example::new(rule.code.good).check();
        let found = found(&snapshot, Some(rule.id()));
        let said = drawn(snapshot.diagnostics(), &snapshot) + &drawn(&found, &snapshot);
        (!said.is_empty()).then(|| format!("{}: the good example gets\n{said}", rule.id()))
    });
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn rules_are_declared_as_they_are() {
    for rule in RULES {
        let code = rule.code;
        assert!(weave_compiler::registry().get(code.id).is_none(), "{} is a diagnostic too", code.id);
        assert_eq!(rule.group.level().severity().unwrap_or(code.severity), code.severity, "{}: the severity is that of its group", code.id);
        let fixes = found(&Example::new(code.bad).check(), Some(code.id)).into_iter().flat_map(|finding| finding.fixes);
        let best = fixes.map(|fix| fix.applicability).min();
        let promised = match rule.fixable {
            weave_compiler::lint::Fixable::No => None,
            weave_compiler::lint::Fixable::Unsafe => Some(weave_diagnostics::Applicability::Unsafe),
            weave_compiler::lint::Fixable::Safe => Some(weave_diagnostics::Applicability::Safe),
        };
        assert_eq!(best, promised, "{}: the best fix of the bad example is what the rule promises", code.id);
    }
}

#[test]
fn suite_findings() {
    let cases = group("lint");
    let complaints = cases.iter().filter_map(|case| {
        let snapshot = case.program().check().snapshot;
        let settings = |_| Settings { groups: [(Group::Pedantic, Level::Note)].into(), ..Settings::default() };
        let found = match rule_of(case) {
            Some(rule) => found(&snapshot, Some(rule)),
            None => snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") }),
        };
        let text = drawn(snapshot.diagnostics(), &snapshot) + &drawn(&found, &snapshot);
        compare(&case.file("findings.txt"), (!text.is_empty()).then_some(text.as_str())).err()
    });
    report(&complaints.collect::<Vec<_>>());
}

/// The rule after which a case is named, alone or with something behind it.
fn rule_of(case: &Case) -> Option<&'static str> {
    let is_named = |id: &&str| case.name.strip_prefix(*id).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    RULES.iter().map(|rule| rule.id()).filter(is_named).max_by_key(|id| id.len())
}

#[test]
fn every_rule_has_a_case_that_shows_it_and_one_that_does_not() {
    let cases = group("lint");
    let shows = |case: &Case, id: &str| {
        std::fs::read_to_string(case.file("findings.txt")).is_ok_and(|findings| findings.contains(&format!("[{id}]")))
    };
    let lacks = |rule: &&str| {
        let of_rule = || cases.iter().filter(|case| rule_of(case) == Some(*rule));
        !of_rule().any(|case| shows(case, rule)) || !of_rule().any(|case| case.name.ends_with("-fine") && !shows(case, rule))
    };
    let missing: Vec<_> = RULES.iter().map(|rule| rule.id()).filter(lacks).collect();
    assert!(missing.is_empty(), "these rules have no case of the suite that shows them, or none that does not: {}", missing.join(", "));
}

#[test]
fn the_examples_have_no_findings() {
    let files = files_below(&root().join("examples"), "weave").into_iter();
    let complaints = files.filter_map(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let folder = weave_tests::program::Program::in_folder(&root().join("examples"));
        let program = weave_tests::program::Program { roots: vec![name], ..folder };
        let snapshot = program.check().snapshot;
        let said = drawn(&found(&snapshot, None), &snapshot);
        (!said.is_empty()).then(|| format!("{}\n{said}", read(&path).len()))
    });
    report(&complaints.collect::<Vec<_>>());
}
