//! `weave lint --fix`: all fixes together, until nothing is left to fix.

use std::collections::{BTreeMap, BTreeSet};

use weave_compiler::lint::{Day, Fixable, Group, Level, RULES, Settings};
use weave_compiler::{Example, Input, Loader};
use weave_diagnostics::{Applicability, Charset, Diagnostic, Renderer, Style};
use weave_fix::{Fixed, Harm, Request, Wanted, fix};
use weave_tests::expectation::report;
use weave_tests::faults::with_faults;
use weave_tests::program::Program;
use weave_tests::random::Random;
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
    // More can be told of a choice whose guards are plain, such as that one of them is never asked.
    let is_told = |harm: &Harm| matches!(harm, Harm::Finding(finding) if finding.code.id == "shadowed-guard");
    // A mistake may hide others; its fix waits until they are gone.
    let is_uncovered = |harm: &Harm| matches!(harm, Harm::Uncovered(_));
    let dropped = fixed.dropped.iter().filter(|dropped| !is_told(&dropped.harm) && !is_uncovered(&dropped.harm));
    let mut complaints: Vec<String> = dropped.map(|dropped| format!("{title}: left out: {dropped:#?}")).collect();
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
    if applicability == Applicability::Unsafe {
        // A person looks at it, so it may leave something else to look at.
        if after.findings.len() > before.findings.len() {
            said.push(format!("{title}: more findings than before\n{}", drawn(&after.findings, &after)));
        }
        return;
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

/// Fixes a program as far as it goes, and complains where it does not hold still.
///
/// The second run finds nothing to do. The fixed texts have one layout, and their tokens in it. Nothing was left out.
fn settled(title: &str, program: &Program, settings: &Settings, applicability: Applicability, said: &mut Vec<String>) -> (Fixed, Program) {
    let fixed = run(inputs(program), program, settings, Wanted::all(applicability));
    said.extend(complaints(title, &fixed));
    let mut after = program.clone();
    for (root, text) in program.roots.iter().zip(&fixed.texts) {
        after.files.insert(root.clone(), text.to_string());
    }
    let again = run(inputs(&after), &after, settings, Wanted::all(applicability));
    if !again.applied.is_empty() || again.texts != fixed.texts {
        said.push(format!("{title}: the second run does {:?}\n{}", again.applied, fixed.texts.join("\n")));
    }
    for (root, text) in program.roots.iter().zip(&fixed.texts) {
        let layout = |text: &str| crate::format::complaint_about(&format!("{title}, {root}"), text);
        said.extend(layout(text).filter(|_| layout(&program.files[root]).is_none()));
    }
    (fixed, after)
}

/// The programs of the suite and the examples.
fn all_programs() -> impl Iterator<Item = (String, Program)> {
    let cases = programs().into_iter().chain(["lint", "format"].into_iter().flat_map(group));
    cases.map(|case| (case.title(), case.program())).filter(|(_, program)| !program.roots.is_empty()).chain(examples())
}

#[test]
fn programs_of_the_suite_are_fixed_once() {
    let (mut said, mut fixes) = (Vec::new(), 0);
    for (title, program) in all_programs() {
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            // An unsafe fix is a guess, which may well be wrong; it is left out then.
            let mut about = Vec::new();
            let (fixed, _) = settled(&title, &program, &pedantic(), applicability, &mut about);
            let errors = |findings: &[Diagnostic]| findings.iter().filter(|finding| finding.is_error()).count();
            let (before, after) = (errors(program.check().snapshot.diagnostics()), errors(fixed.snapshot.diagnostics()));
            if after > before {
                said.push(format!("{title}: {after} errors after fixes, {before} before\n{}", fixed.texts.join("\n")));
            }
            fixes += fixed.applied.len();
            let is_guess = |dropped: &weave_fix::Dropped| dropped.applicability == Applicability::Unsafe && dropped.harm != Harm::Misfit;
            let about_guesses = complaints(&title, &fixed).len();
            let are_guesses = about.len() == about_guesses
                && fixed.dropped.iter().filter(|dropped| !matches!(dropped.harm, Harm::Uncovered(_))).all(is_guess);
            if !are_guesses {
                said.extend(about);
            }
        }
    }
    report(&said);
    println!("{fixes} fixes");
    assert!(fixes > 300, "only {fixes} fixes");
}

/// Fixes the style of a program: its definitions stay as they are, byte for byte.
fn style_is_no_meaning(title: &str, program: &Program, said: &mut Vec<String>) -> usize {
    let before = program.check();
    let (fixed, after) = settled(title, program, &style(), Applicability::Safe, said);
    if !before.compiled.is_empty() && after.check().definitions() != before.definitions() {
        let applied: Vec<_> = fixed.applied.iter().map(|applied| applied.rule).collect();
        said.push(format!("{title}: other definitions after {applied:?}\n{}", fixed.texts.join("\n")));
    }
    let is_left = |finding: &&Diagnostic| finding.fixes.iter().any(|fix| fix.applicability == Applicability::Safe);
    let left: Vec<_> = fixed.findings.iter().filter(is_left).cloned().collect();
    if !before.compiled.is_empty() && !left.is_empty() && fixed.dropped.is_empty() {
        said.push(format!("{title}: left to fix\n{}", drawn(&left, &fixed)));
    }
    fixed.applied.len()
}

/// A program with faults of style: they change no definition, and neither do their fixes.
fn faulty(title: &str, program: &Program, seed: u64, said: &mut Vec<String>) -> (usize, usize) {
    let mut random = Random::new(seed);
    let mut changed = program.clone();
    let mut faults = 0;
    for root in &program.roots {
        let (text, count) = with_faults(&program.files[root], &mut random);
        changed.files.insert(root.clone(), text);
        faults += count;
    }
    let (before, after) = (program.check(), changed.check());
    // How guards are written decides on what can be told of the cases that they leave.
    if before.compiled.is_empty() || after.compiled.is_empty() {
        return (0, 0);
    }
    if before.definitions() != after.definitions() {
        let texts: Vec<_> = changed.roots.iter().map(|root| changed.files[root].as_str()).collect();
        said.push(format!("{title}: the faults change the definitions\n{}\n{}", after.drawing(), texts.join("\n")));
        return (faults, 0);
    }
    (faults, style_is_no_meaning(title, &changed, said))
}

#[test]
fn fixing_the_style_changes_no_definition() {
    let mut said = Vec::new();
    for (title, program) in all_programs() {
        style_is_no_meaning(&title, &program, &mut said);
    }
    report(&said);
}

#[test]
fn faults_of_style_are_mended_in_the_suite() {
    let (mut said, mut faults, mut fixes) = (Vec::new(), 0, 0);
    for (title, program) in all_programs().filter(|(_, program)| !program.check().compiled.is_empty()) {
        let (seeded, applied) = faulty(&title, &program, 1, &mut said);
        (faults, fixes) = (faults + seeded, fixes + applied);
    }
    report(&said);
    println!("{faults} faults, {fixes} fixes");
}

#[test]
fn faults_of_style_are_mended_in_generated_programs() {
    let (mut said, mut faults, mut fixes) = (Vec::new(), 0, 0);
    let small = (0..520).map(|seed| (seed, weave_tests::programs::generate(seed, 10)));
    let realistic = (0..140).map(|seed| (seed, weave_tests::generator::program(1, seed)));
    for (seed, text) in small.chain(realistic) {
        let (seeded, applied) = faulty(&format!("seed {seed}"), &Program::one(&text), seed, &mut said);
        (faults, fixes) = (faults + seeded, fixes + applied);
    }
    report(&said);
    println!("{faults} faults, {fixes} fixes");
    assert!(faults > 2_000 && fixes > 2_000, "{faults} faults, {fixes} fixes");
}
