//! Twenty mutations of each of the ten examples, and what the compiler says about each: `tests/mutations.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use weave_compiler::lint::{Day, Options, Settings};
use weave_diagnostics::Diagnostic;
use weave_ir::Definition;
use weave_tests::expectation::compare;
use weave_tests::mutations::{Mutation, all, chosen};
use weave_tests::program::{Checked, Program};
use weave_tests::root;

/// The examples after the scenarios that the language has to carry.
const EXAMPLES: [&str; 10] = [
    "support.weave",
    "refund.weave",
    "grounded.weave",
    "research.weave",
    "invoice.weave",
    "code_review.weave",
    "council.weave",
    "deploy.weave",
    "proposals.weave",
    "service_desk.weave",
];

/// How many mutations of each.
const COUNT: usize = 20;

const HEAD: &str = "\
# How mistakes are caught

Twenty small mistakes in each of ten [examples](../examples): an edge, a guard or an `else` that is missing, a step or a tool that was taken
for another, a type that admits more. They are made from the syntax tree, chosen by a fixed seed, and each is checked and compiled. A
mistake is *caught* by the diagnostics whose ids are in its row, with the lines that they point at; or it is *legal*, which means
that the program says something else, and says it completely: its definition is another one, unless it is marked *same definition*.
What `weave lint` reports about a legal program, and not about the example, is in its row too.

This page is written by the tests: `BLESS=1 cargo test -p weave-tests mutations`.
";

/// What the compiler makes of a mutated program.
enum Verdict {
    /// The ids, each with the file and line that it points at.
    Caught(Vec<String>),
    /// It compiles; whether to the same definitions as before, with which advice, and which rules find something that they did not find before.
    Legal { same: bool, advice: Vec<String>, rules: Vec<&'static str> },
}

/// A program with another text of its root.
fn with_text(program: &Program, name: &str, text: &str) -> Program {
    let mut program = program.clone();
    program.files.insert(name.to_owned(), text.to_owned());
    program
}

fn original(name: &str) -> Program {
    Program { roots: vec![name.to_owned()], ..Program::in_folder(&root().join("examples")) }
}

fn judge(original: &Checked, mutated: &Checked) -> Result<Verdict, String> {
    let said = places(mutated);
    if mutated.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(Verdict::Caught(said));
    }
    let definitions = mutated.definitions();
    if definitions.keys().ne(original.definitions().keys()) {
        return Err("a workflow is missing".to_owned());
    }
    for definition in definitions.values() {
        Definition::from_json(definition).map_err(|error| format!("the definition is not valid: {error}"))?;
    }
    let (mut rules, before) = (findings(mutated), findings(original));
    for known in before {
        if let Some(index) = rules.iter().position(|rule| *rule == known) {
            rules.remove(index);
        }
    }
    rules.dedup();
    Ok(Verdict::Legal { same: definitions == original.definitions(), advice: said, rules })
}

/// The rules that find something in a program, in the order of their ids, each as often as it does.
fn findings(checked: &Checked) -> Vec<&'static str> {
    let settings = |_| Settings::default();
    let found = checked.snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") });
    let mut rules: Vec<_> = found.iter().map(|finding| finding.code.id).collect();
    rules.sort_unstable();
    rules
}

/// The ids of all diagnostics in their order, each once and with all lines that it points at.
fn places(checked: &Checked) -> Vec<String> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for diagnostic in &checked.diagnostics {
        let id = diagnostic.code.id;
        let line = line(checked, diagnostic).to_string();
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, lines)) if lines.contains(&line) => {}
            Some((_, lines)) => lines.push(line),
            None => found.push((id, vec![line])),
        }
    }
    found.iter().map(|(id, lines)| format!("`{id}` ({})", lines.join(", "))).collect()
}

/// The line that a diagnostic points at, from 1.
fn line(checked: &Checked, diagnostic: &Diagnostic) -> u32 {
    let place = diagnostic.primary.place;
    checked.snapshot.sources().get(place.file).map_or(0, |file| file.line_column(place.span.start).line + 1)
}

/// The lines that a mutation changes, as they were and as they are: the number of the first, and both texts.
fn changed(before: &str, after: &str) -> (usize, String, String) {
    let (old, new) = (before.lines().collect::<Vec<_>>(), after.lines().collect::<Vec<_>>());
    let same = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(one, other)| one == other).count();
    (same + 1, short(&old[same..old.len() - rest]), short(&new[same..new.len() - rest]))
}

fn short(lines: &[&str]) -> String {
    let lines = lines.iter().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>();
    let text = match lines.as_slice() {
        [] => return "–".to_owned(),
        [line] => line.trim().to_owned(),
        [first, ..] => format!("{} …", first.trim()),
    };
    format!("`{}`", text.replace('|', "\\|"))
}

fn row(table: &mut String, text: &str, mutation: &Mutation, verdict: &Verdict) {
    let (line, before, after) = changed(text, &mutation.apply(text));
    let verdict = match verdict {
        Verdict::Caught(said) => format!("**caught**: {}", said.join(", ")),
        Verdict::Legal { same, advice, rules } => {
            let same = if *same { ", same definition" } else { "" };
            let advice = if advice.is_empty() { String::new() } else { format!("; {}", advice.join(", ")) };
            let rules = rules.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
            let rules = if rules.is_empty() { String::new() } else { format!("; **lint**: {rules}") };
            format!("legal{same}{advice}{rules}")
        }
    };
    let _ = writeln!(table, "| {line} | {} | {before} | {after} | {verdict} |", mutation.kind);
}

#[test]
fn mutations_of_the_examples() {
    let mut page = HEAD.to_owned();
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, name) in EXAMPLES.into_iter().enumerate() {
        let program = original(name);
        let text = &program.files[name];
        let unchanged = program.check();
        let mutations = chosen(text, COUNT, seed as u64);
        assert_eq!(mutations.len(), COUNT, "{name} is too small");
        let _ = write!(page, "\n## {name}\n\n| line | mistake | before | after | verdict |\n|---|---|---|---|---|\n");
        for mutation in &mutations {
            let mutated = with_text(&program, name, &mutation.apply(text)).check();
            let verdict = judge(&unchanged, &mutated).unwrap_or_else(|error| panic!("{name}, {}: {error}", mutation.kind));
            let total = match &verdict {
                Verdict::Caught(_) => "caught",
                Verdict::Legal { rules, .. } if rules.is_empty() => "legal",
                Verdict::Legal { .. } => "linted",
            };
            *totals.entry(total).or_default() += 1;
            row(&mut page, text, mutation, &verdict);
        }
    }
    let _ = writeln!(
        page,
        "\nOf {} mistakes {} are caught, and {} more are reported by `weave lint`.",
        EXAMPLES.len() * COUNT,
        totals["caught"],
        totals["linted"]
    );
    compare(&root().join("tests/mutations.md"), Some(&page)).unwrap_or_else(|complaint| panic!("{complaint}"));
}

#[test]
fn other_mutations_never_break_the_compiler() {
    let mut count = 0;
    for name in EXAMPLES {
        let program = original(name);
        let text = &program.files[name];
        let unchanged = program.check();
        for mutation in all(text).iter().step_by(7) {
            let mutated = with_text(&program, name, &mutation.apply(text)).check();
            judge(&unchanged, &mutated).unwrap_or_else(|error| panic!("{name}, {mutation:?}: {error}"));
            count += 1;
        }
    }
    println!("{count} mutations");
}
