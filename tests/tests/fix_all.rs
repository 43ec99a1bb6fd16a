//! `weave lint --fix`: all fixes together, until nothing is left to fix.

use std::collections::{BTreeMap, BTreeSet};

use weave_compiler::lint::{Day, Fixable, Group, Level, RULES, Settings};
use weave_compiler::{Example, Input, Loader};
use weave_diagnostics::{Applicability, Charset, Diagnostic, Renderer, Style};
use weave_fix::{Fixed, Request, Wanted, fix};
use weave_format::format;
use weave_tests::expectation::report;
use weave_tests::program::{Checked, Program};
use weave_tests::suite::{group, programs};

use crate::examples::examples;

/// The inputs of a program.
fn inputs(program: &Program) -> Vec<Input> {
    program.roots.iter().map(|path| Input { path: path.clone(), text: program.files[path].as_str().into() }).collect()
}

/// Everything that can be found.
fn pedantic() -> Settings {
    Settings { groups: [(Group::Pedantic, Level::Note)].into(), ..Settings::default() }
}

/// Nothing but style.
fn style() -> Settings {
    let others = Group::ALL.into_iter().filter(|group| *group != Group::Style);
    Settings { groups: others.map(|group| (group, Level::Off)).collect(), ..Settings::default() }
}

fn run(inputs: Vec<Input>, loader: &dyn Loader, settings: &Settings, wanted: Wanted) -> Fixed {
    let settings = |_: &str| settings.clone();
    fix(&Request { inputs, loader, settings: &settings, today: Day::new("2026-01-01"), wanted })
}

/// What is wrong with what was fixed, in words.
fn complaints(title: &str, fixed: &Fixed) -> Vec<String> {
    let mut complaints: Vec<String> = fixed.dropped.iter().map(|dropped| format!("{title}: left out: {dropped:#?}")).collect();
    if fixed.capped {
        complaints.push(format!("{title}: no end"));
    }
    complaints
}

fn drawn(findings: &[Diagnostic], fixed: &Fixed) -> String {
    let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
    renderer.render_all(findings, fixed.snapshot.sources())
}

/// The findings by their rules.
fn counts(findings: &[Diagnostic]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    findings.iter().for_each(|finding| *counts.entry(finding.code.id).or_default() += 1);
    counts
}

/// All rules that have a fix, with the fixes that they promise.
fn fixable() -> impl Iterator<Item = (&'static str, Applicability)> {
    RULES.iter().filter_map(|rule| match rule.fixable {
        Fixable::No => None,
        Fixable::Unsafe => Some((rule.id(), Applicability::Unsafe)),
        Fixable::Safe => Some((rule.id(), Applicability::Safe)),
    })
}

#[test]
fn twenty_rules_have_a_safe_fix_and_more_have_one() {
    let safe = fixable().filter(|(_, applicability)| *applicability == Applicability::Safe).count();
    println!("{safe} rules with a safe fix, {} with one", fixable().count());
    assert!(safe >= 20 && fixable().count() >= 40, "{safe} of {}", fixable().count());
}

/// Fixes what one rule finds in a program: then it finds nothing there that it has a fix for, and nothing else is found that was not before.
fn mended(title: &str, inputs: Vec<Input>, loader: &dyn Loader, rule: &'static str, applicability: Applicability, said: &mut Vec<String>) {
    let wanted = |only: &str| Wanted { applicability, only: Some([only.to_owned()].into()) };
    let settings = Settings { rules: [(rule.to_owned(), Level::Warn)].into(), ..pedantic() };
    let before = run(inputs.clone(), loader, &settings, wanted("nothing"));
    let after = run(inputs, loader, &settings, wanted(rule));
    said.extend(complaints(&format!("{title}, {rule}"), &after));
    let has_fix = |finding: &&Diagnostic| finding.code.id == rule && finding.fixes.iter().any(|fix| fix.applicability <= applicability);
    let was = before.findings.iter().filter(has_fix).count();
    let is: Vec<_> = after.findings.iter().filter(has_fix).cloned().collect();
    if was == 0 || !is.is_empty() {
        said.push(format!("{title}: {rule} found {was} to fix, and afterwards\n{}\n{}", drawn(&is, &after), after.texts.join("\n")));
    }
    let (before, counted) = (counts(&before.findings), counts(&after.findings));
    for (id, count) in counted.iter().filter(|(id, count)| before.get(*id).is_none_or(|before| *count > before)) {
        let new: Vec<_> = after.findings.iter().filter(|finding| finding.code.id == *id).cloned().collect();
        said.push(format!("{title}: the fix of {rule} brings {count} of {id}\n{}\n{}", drawn(&new, &after), after.texts.join("\n")));
    }
}

#[test]
fn each_fix_mends_the_example_of_its_rule() {
    let mut said = Vec::new();
    for (rule, applicability) in fixable() {
        let code = RULES.iter().find(|it| it.id() == rule).expect("it is a rule").code;
        let example = Example::new(code.bad);
        mended("the example", vec![example.input()], &example, rule, applicability, &mut said);
    }
    report(&said);
}

#[test]
fn each_fix_mends_the_cases_of_its_rule() {
    let mut said = Vec::new();
    for case in group("lint") {
        let program = case.program();
        let found =
            run(inputs(&program), &program, &pedantic(), Wanted { applicability: Applicability::Safe, only: Some(BTreeSet::new()) });
        for (rule, applicability) in fixable() {
            let mut fixes = found.findings.iter().filter(|finding| finding.code.id == rule).flat_map(|finding| &finding.fixes);
            if fixes.any(|fix| fix.applicability <= applicability) {
                mended(&case.title(), inputs(&program), &program, rule, applicability, &mut said);
            }
        }
    }
    report(&said);
}
