//! Guards mean what CEL means: random ones, evaluated by us and, from the CEL text of the definition, by CEL's own implementation.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Map, Value, json};
use weave_ir::Guard;
use weave_tests::program::{Checked, Program};
use weave_tests::random::Random;
use weave_tests::{guards, root, tools};

/// How many guards stand in one program: an agent is offered no more than a thousand tools.
const BATCH: usize = 800;
const BATCHES: u64 = 5;
const SCOPES: usize = 60;
const SCOPES_OF_A_GUARD: usize = 6;

/// A program in which each guard decides whether a tool needs approval, because there values are read by their bare names. Each stands on
/// the line of its index.
pub(crate) fn program(guards: &[String]) -> String {
    let mut text = String::new();
    for (index, guard) in guards.iter().enumerate() {
        let read = guards::types().filter(|(name, _)| guard.contains(&format!(".{name}")));
        let parameters: Vec<_> = read.map(|(name, ty)| format!("{name}: {ty}")).collect();
        text += &format!("tool t{index}({}) {{ strict false, approval when {guard} }}\n", parameters.join(", "));
    }
    let tools: Vec<_> = (0..guards.len()).map(|index| format!("t{index}")).collect();
    text += &format!("agent worker(task: string) -> {{ text: string }} {{ model nano, system \"Work.\", tools [{}] }}\n", tools.join(", "));
    text +=
        "workflow main(task: string) -> string {\n  step work { ask worker { task: .input.task } }\n  end done on work = .work.text\n}\n";
    text
}

/// The guards that are wrong, by the lines of the diagnostics.
pub(crate) fn refused(checked: &Checked) -> BTreeSet<usize> {
    let line = |place: weave_diagnostics::Place| {
        let file = checked.snapshot.sources().get(place.file).expect("a diagnostic is about a file");
        file.line_column(place.span.start).line as usize
    };
    checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).map(|diagnostic| line(diagnostic.primary.place)).collect()
}

/// A batch of random guards as the compiler writes them, with their texts.
fn batch(random: &mut Random) -> Vec<(String, Guard)> {
    let mut texts: Vec<_> = (0..BATCH).map(|_| guards::guard(random)).collect();
    let checked = Program::one(&program(&texts)).check();
    let refused = refused(&checked);
    let checked = if refused.is_empty() {
        checked
    } else {
        let mut index = 0;
        texts.retain(|_| {
            index += 1;
            !refused.contains(&(index - 1))
        });
        Program::one(&program(&texts)).check()
    };
    assert!(!checked.snapshot.has_errors(), "{}", checked.drawing());
    assert!(texts.len() > BATCH / 2, "only {} of {BATCH} guards are accepted", texts.len());
    let definition: Value = serde_json::from_str(&checked.definitions()["main"]).expect("a definition is JSON");
    let guard = |index: usize| {
        let approval = &definition["tools"][format!("t{index}")]["approval"]["when"];
        serde_json::from_value(approval.clone()).unwrap_or_else(|error| panic!("t{index} has a guard: {error}"))
    };
    texts.into_iter().enumerate().map(|(index, text)| (text, guard(index))).collect()
}

/// What CEL says: for each guard a list of truths and errors (`null`), or why it cannot be compiled.
fn answers(python: &std::path::Path, task: &Value) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("task.json");
    std::fs::write(&file, task.to_string()).expect("the temporary folder can be written");
    let script = root().join("tests/tools/cel_oracle.py");
    let output = Command::new(python).arg(script).arg(&file).output().expect("Python can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the script answers with JSON")
}

#[test]
fn random_guards_mean_what_cel_means() {
    let python = match tools::python_with_cel() {
        Ok(python) => python,
        Err(problem) => {
            println!("SKIPPED: guards are not compared with CEL's implementation, because it cannot be installed here.\n{problem}");
            return;
        }
    };
    let mut random = Random::new(11);
    let guards: Vec<_> = (0..BATCHES).flat_map(|_| batch(&mut random)).filter(|(_, guard)| guard.cel.is_some()).collect();
    assert!(guards.len() >= 3_000, "only {} guards have a text", guards.len());
    let scopes: Vec<Map<String, Value>> = (0..SCOPES).map(|_| guards::values(&mut random)).collect();
    let chosen: Vec<Vec<usize>> = guards.iter().map(|_| (0..SCOPES_OF_A_GUARD).map(|_| random.below(SCOPES)).collect()).collect();
    let variables: Map<_, _> = guards::types().map(|(name, ty)| (name.to_owned(), Value::from(ty))).collect();
    let asked: Vec<_> = guards.iter().zip(&chosen).map(|((_, guard), scopes)| json!({ "cel": guard.cel, "scopes": scopes })).collect();
    let answers = answers(python, &json!({ "variables": variables, "scopes": scopes, "guards": asked }));

    let (mut wrong, mut counts) = (Vec::new(), [0usize; 3]);
    for (((text, guard), chosen), answers) in guards.iter().zip(&chosen).zip(&answers) {
        let cel = guard.cel.as_deref().unwrap_or_default();
        let Some(answers) = answers.as_array() else {
            wrong.push(format!("{text}\n    as {cel}\n    is not understood: {answers}"));
            continue;
        };
        for (scope, expected) in chosen.iter().zip(answers) {
            let found = weave_expr::evaluate(&guard.expr, &scopes[*scope]);
            counts[expected.as_bool().map_or(2, usize::from)] += 1;
            if found.as_ref().ok().and_then(Value::as_bool) != expected.as_bool() {
                wrong.push(format!("{text}\n    as {cel}\n    with {}\n    is {found:?}, not {expected}", json!(scopes[*scope])));
            }
        }
    }
    println!("{} guards: {} times false, {} times true, {} errors", guards.len(), counts[0], counts[1], counts[2]);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n"));
    assert!(counts.iter().all(|count| *count > 500), "each outcome is there often: {counts:?}");
}
