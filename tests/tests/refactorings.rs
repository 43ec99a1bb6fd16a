//! What an editor offers to change: afterwards there is no new mistake, the layout is what it was, and what should not change the meaning does not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use similar::TextDiff;
use weave_compiler::Input;
use weave_compiler::lint::Settings;
use weave_diagnostics::{Applicability, Edit, FileId, Span};
use weave_ide::{Analysis, RefactoringKind, actions, fix_all, refactorings};
use weave_syntax::TokenKind;
use weave_tests::expectation::report;
use weave_tests::program::{Checked, Program};
use weave_tests::suite::{group, programs};

use crate::examples::examples;

fn analysis(program: &Program) -> Analysis {
    let inputs = program.roots.iter().map(|path| Input { path: path.clone(), text: program.files[path].as_str().into() }).collect();
    Analysis::new(weave_compiler::check(inputs, program), |_| Settings::default(), None)
}

/// The program with these edits.
pub(crate) fn changed(program: &Program, analysis: &Analysis, edits: &[Edit]) -> Program {
    let mut after = program.clone();
    for edit in edits.iter().rev() {
        let name = analysis.source(edit.place.file).expect("it is a file of the program").name();
        after.files.get_mut(name).expect("it is a file of the program").replace_range(edit.place.span.range(), &edit.text);
    }
    after
}

fn is_laid_out(program: &Program) -> bool {
    let one = |text: &String| weave_format::format(&weave_syntax::parse(text.as_str().into())).is_ok_and(|formatted| formatted == *text);
    program.files.values().all(one)
}

fn errors(checked: &Checked) -> Vec<String> {
    checked.diagnostics.iter().filter(|found| found.is_error()).map(|found| format!("{}: {}", found.code.id, found.message)).collect()
}

/// The definitions, with types that have names where they are used: one that was written in place has a name afterwards.
fn meaning(checked: &Checked) -> BTreeMap<String, Json> {
    let definitions = checked.definitions().into_iter();
    definitions.map(|(name, text)| (name, expanded(&serde_json::from_str(&text).expect("a definition is JSON")))).collect()
}

/// JSON in which references to the types of the definition are replaced by the types, but for those that a type makes to itself; digests aside,
/// and which providers take schemas as they are.
fn expanded(definition: &Json) -> Json {
    fn within(value: &Json, definition: &Json, open: &mut Vec<String>) -> Json {
        match value {
            Json::Object(entries) => {
                let target = entries.get("$ref").and_then(Json::as_str).filter(|target| !open.iter().any(|it| it == target));
                if let Some((target, found)) = target.and_then(|target| Some((target, definition.pointer(target.strip_prefix('#')?)?))) {
                    open.push(target.to_owned());
                    let found = within(found, definition, open);
                    open.pop();
                    // What is said of the place beside the reference counts for it.
                    let mut found = found.as_object().cloned().unwrap_or_default();
                    found.extend(entries.iter().filter(|(key, _)| *key != "$ref").map(|(key, value)| (key.clone(), value.clone())));
                    return found.into_iter().collect();
                }
                let kept = entries.iter().filter(|(key, _)| !matches!(key.as_str(), "$defs" | "digest" | "projections"));
                kept.map(|(key, value)| (key.clone(), within(value, definition, open))).collect()
            }
            Json::Array(items) => items.iter().map(|item| within(item, definition, open)).collect(),
            other => other.clone(),
        }
    }
    within(definition, definition, &mut Vec::new())
}

/// A program before it is changed.
struct Before {
    program: Program,
    checked: Checked,
    was_laid_out: bool,
    meaning: BTreeMap<String, Json>,
}

/// What is wrong with a program after a change.
fn complaint(title: &str, kind: RefactoringKind, before: &Before, after: &Program) -> Option<String> {
    let Before { checked, was_laid_out, .. } = before;
    let then = after.check();
    let (old, new) = (errors(checked), errors(&then));
    let changed = after.files.iter().filter(|(name, text)| before.program.files.get(*name) != Some(text)).map(|(_, text)| text.as_str());
    let said = |what: &str| Some(format!("{title}: {what}\n{}\n{}", changed.clone().collect::<String>(), then.drawing()));
    if kind == RefactoringKind::Create && !old.is_empty() && new == old {
        return said("it mends nothing");
    }
    // Of a program with mistakes the same is said in other words, with other names.
    let may_bring = kind == RefactoringKind::Create || kind == RefactoringKind::Rewrite && !old.is_empty();
    if !may_bring && new.len() > old.len() {
        return said("it brings an error");
    }
    if *was_laid_out && !is_laid_out(after) {
        return said("it is not laid out any more");
    }
    let is_pure =
        kind == RefactoringKind::OrganizeImports || title.contains("Extract to the type") || title.contains("Extract to the enum");
    if is_pure && old.is_empty() && before.meaning != meaning(&then) {
        let (one, other) = (format!("{:#?}", before.meaning), format!("{:#?}", meaning(&then)));
        return said(&format!("it means something else\n{}", TextDiff::from_lines(&one, &other).unified_diff()));
    }
    None
}

/// Makes every change that is offered anywhere in a program, each on its own.
fn all_of(name: &str, program: &Program, counts: &mut BTreeMap<String, usize>, said: &mut Vec<String>) {
    let analysis = analysis(program);
    let checked = program.check();
    let meaning = meaning(&checked);
    let before = Before { program: program.clone(), checked, was_laid_out: is_laid_out(program), meaning };
    let mut seen: BTreeSet<(String, Vec<Edit>)> = BTreeSet::new();
    for root in &program.roots {
        let Some(file) = analysis.file(&weave_compiler::normalize_path(root)) else { continue };
        fixes_are_offered(name, &analysis, file, said);
        let tokens = weave_syntax::lex(analysis.text(file));
        let words = (0..tokens.len()).filter(|index| {
            let kind = tokens.kind(*index);
            kind.is_word() || matches!(kind, TokenKind::BraceOpen | TokenKind::String | TokenKind::TextBlock)
        });
        for index in words {
            for found in refactorings(&analysis, file, Span::at(tokens.start(index)), &|_| true) {
                let edits = found.edits(&analysis);
                if !seen.insert((found.title.clone(), edits.clone())) {
                    continue;
                }
                let words = found.title.split('`').next().unwrap_or_default().to_owned();
                *counts.entry(words).or_default() += 1;
                let after = changed(program, &analysis, &edits);
                said.extend(complaint(&format!("{name}: {}", found.title), found.kind, &before, &after));
            }
        }
    }
}

/// Each fix of each diagnostic is offered where the diagnostic is; the safe ones can be applied together.
fn fixes_are_offered(name: &str, analysis: &Analysis, file: FileId, said: &mut Vec<String>) {
    for diagnostic in analysis.diagnostics(file) {
        let offered = actions(analysis, file, diagnostic.primary.place.span);
        let missing = diagnostic.fixes.iter().filter(|fix| !offered.iter().any(|action| action.fix == *fix));
        said.extend(missing.map(|fix| format!("{name}: {} is not offered", fix.message)));
    }
    let has_safe = |found: &&weave_diagnostics::Diagnostic| {
        let is_here = |fix: &weave_diagnostics::Fix| fix.edits.iter().all(|edit| edit.place.file == file);
        found.fixes.first().is_some_and(|fix| fix.applicability == Applicability::Safe && is_here(fix))
    };
    if analysis.diagnostics(file).iter().any(|found| has_safe(&found)) && fix_all(analysis, file).is_empty() {
        said.push(format!("{name}: none of the safe fixes is among all"));
    }
}

#[test]
fn what_is_offered_brings_no_mistake_and_keeps_the_meaning() {
    let (mut counts, mut said) = (BTreeMap::new(), Vec::new());
    for (name, program) in examples() {
        all_of(&name, &program, &mut counts, &mut said);
    }
    for case in programs().into_iter().chain(group("lint")).step_by(4) {
        all_of(&case.title(), &case.program(), &mut counts, &mut said);
    }
    for case in group("lsp/refactor") {
        let mut program = case.program();
        program.files.values_mut().for_each(|text| *text = text.replace('\u{2038}', ""));
        all_of(&case.title(), &program, &mut counts, &mut said);
    }
    println!("{counts:#?}");
    report(&said);
    for wanted in [
        "Add what happens when ",
        "Handle a missing answer to ",
        "Ask the agent ",
        "Call the tool ",
        "Declare the agent ",
        "Declare the error ",
        "Declare the event ",
        "Declare the prompt ",
        "Declare the tool ",
        "Declare the type ",
        "Declare the workflow ",
        "Extract to the enum ",
        "Extract to the prompt ",
        "Extract to the type ",
        "Import ",
        "Organize the imports",
    ] {
        assert!(counts.contains_key(wanted), "never: {wanted}");
    }
}
