//! What the evaluators of guards and templates in generated code are asked, and what they have to say.

use std::path::Path;

use serde_json::{Map, Value, json};
use weave_expr::{EvalError, GREATEST_WORK, Scope, evaluate, render};
use weave_ir::{Expr, Template};

use crate::random::Random;
use crate::{files_below, markdown, packages, read, root, trees};

/// A guard, template or payload with values for it, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is said if it becomes something else.
    pub name: String,
    /// What a program in another language is told: the text of a `guard`, `template` or `payload`, `scope` and `answers`.
    pub asked: Value,
    /// What has to become of it.
    pub expected: Outcome,
}

/// What becomes of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A value.
    Value(Value),
    /// Nothing.
    Absent,
    /// An error of this kind.
    Error(String),
    /// It cannot be read, because of what lies at this JSON pointer.
    Refused(String),
}

/// The kinds of errors that other evaluators find when they read a guard.
const FOUND_BY_READING: [&str; 3] = ["meaningless", "unknown_variable", "pattern"];

impl Outcome {
    /// What Rust makes of a guard.
    #[must_use]
    pub fn of(found: Result<Value, EvalError>) -> Self {
        found.map_or_else(|error| Self::Error(error.kind().to_owned()), Self::Value)
    }

    /// Whether an answer says this.
    fn is(&self, answer: &Value) -> bool {
        match self {
            Self::Value(expected) => answer.get("value").is_some_and(|found| plain(found) == plain(expected)),
            Self::Absent => answer["absent"] == true,
            Self::Error(kind) => {
                answer["error"] == kind.as_str() || FOUND_BY_READING.contains(&kind.as_str()) && answer.get("refused").is_some()
            }
            Self::Refused(pointer) => answer["refused"] == pointer.as_str(),
        }
    }
}

/// JSON with each number as the double that it is in all languages.
fn plain(value: &Value) -> Value {
    match value {
        // Zero has no sign in the one form of JSON.
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), |number| Value::from(number + 0.0)),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

/// All vectors of `weave-expr`.
///
/// # Panics
///
/// If they cannot be read.
#[must_use]
pub fn vectors() -> Vec<Task> {
    let files = files_below(&root().join("crates/weave-expr/vectors"), "json");
    let tasks: Vec<Task> = files.iter().flat_map(|path| of_file(path)).collect();
    assert!(tasks.len() >= 700, "there are only {} vectors", tasks.len());
    tasks
}

fn of_file(path: &Path) -> Vec<Task> {
    let file: Value = serde_json::from_str(&read(path)).expect("the vectors are JSON");
    let task = |vector: &Value| {
        let is_guard = vector.get("expr").is_some();
        let what = if is_guard {
            "expr"
        } else if vector.get("payload").is_some() {
            "payload"
        } else {
            "template"
        };
        let expected = match (vector.get("result"), &vector["error"]) {
            (Some(result), _) => Outcome::Value(result.clone()),
            (None, Value::String(kind)) => Outcome::Error(kind.clone()),
            (None, Value::Bool(true)) => Outcome::Error("pattern".to_owned()),
            _ => Outcome::Absent,
        };
        let text = if what == "template" { vector[what].as_str().unwrap_or_default().to_owned() } else { vector[what].to_string() };
        let what = if is_guard { "guard" } else { what };
        Task {
            name: vector["name"].as_str().unwrap_or_default().to_owned(),
            asked: asked(what, text, &vector["scope"], &vector["answers"]),
            expected,
        }
    };
    file["vectors"].as_array().expect("vectors are a list").iter().map(task).collect()
}

/// A task as other languages are told it.
#[must_use]
pub fn asked(what: &str, text: String, scope: &Value, answers: &Value) -> Value {
    let or_none = |value: &Value| if value.is_null() { json!({}) } else { value.clone() };
    json!({ what: text, "scope": or_none(scope), "answers": or_none(answers) })
}

/// Guards that are none, each with the place of what is wrong: `tests/fixtures/evaluators/refused.txt`.
///
/// # Panics
///
/// If the file cannot be read.
#[must_use]
pub fn refused() -> Vec<Task> {
    let text = read(&root().join("tests/fixtures/evaluators/refused.txt"));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let task = |line: &str| {
        let (pointer, guard) = line.split_once(' ').expect("a pointer and a guard");
        Task {
            name: guard.to_owned(),
            asked: asked("guard", guard.to_owned(), &Value::Null, &Value::Null),
            expected: Outcome::Refused(pointer.to_owned()),
        }
    };
    let tasks: Vec<Task> = lines.map(task).collect();
    assert!(tasks.len() >= 40, "there are only {} guards that are none", tasks.len());
    tasks
}

/// What somebody could send who wants to do harm: too deep, too large, too slow.
///
/// # Panics
///
/// If Rust says something else than expected.
#[must_use]
pub fn hostile() -> Vec<Task> {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    let not = |depth| nested(r#"{"op":"!","args":["#, r#"{"const":true,"type":"bool"}"#, "]}", depth);
    let constant = |depth| format!(r#"{{"const":{},"type":"json"}}"#, nested("[", "1", "]", depth));
    let refused = |guard: String| (guard, json!({}), Outcome::Refused("(root)".to_owned()));
    let value = |guard: String, scope: Value, value: Value| (guard, scope, Outcome::Value(value));
    let list = |item: &str, count: usize| vec![item; count].join(",");
    let path = |name: &str, ty: &str| format!(r#"{{"path":["{name}"],"type":"{ty}"}}"#);
    let apply = |op: &str, ty: &str, args: String| format!(r#"{{"op":"{op}","type":"{ty}","args":[{args}]}}"#);
    let matches = |pattern: &str| {
        format!(r#"{{"op":"matches","args":[{},{{"const":{},"type":"string"}}]}}"#, path("s", "string"), Value::from(pattern))
    };
    let long = "a".repeat(30_000);
    let tasks = [
        refused(not(100_000)),
        refused(constant(100_000)),
        refused(nested(r#"{"list":["#, "1", "]}", 100_000)),
        refused(nested(r#"{"op":"exists","var":"x","in":"#, "1", r#","body":1}"#, 100_000)),
        value(not(400), json!({}), true.into()),
        value(format!(r#"{{"op":"&&","args":[{}]}}"#, list(&path("b", "bool"), 50_000)), json!({ "b": true }), true.into()),
        value(apply("+", "int", list(&path("n", "int"), 50_000)), json!({ "n": 3 }), 150_000.into()),
        value(apply("size", "list", path("l", "list")), json!({ "l": vec![0; 200_000] }), 200_000.into()),
        value(apply("==", "list", [path("l", "list"), path("l", "list")].join(",")), json!({ "l": vec!["x"; 50_000] }), true.into()),
        value(apply("size", "string", apply("+", "string", list(&path("s", "string"), 100))), json!({ "s": long }), 3_000_000.into()),
        // Engines that go back take a time that is exponential in the length of the text.
        value(matches("^(a+)+$"), json!({ "s": format!("{long}!") }), false.into()),
        value(matches("^(a|aa|a?)*b$"), json!({ "s": long }), false.into()),
        value(matches("(x+x+)+y"), json!({ "s": "x".repeat(5_000) }), false.into()),
        (
            // A number of a thousand digits to the 300th power, and what is left of it.
            apply("==", "decimal", [apply("*", "decimal", list(&path("d", "decimal"), 300)), path("d", "decimal")].join(",")),
            json!({ "d": format!("{}.5", "9".repeat(1_000)) }),
            Outcome::Value(false.into()),
        ),
        (
            apply("==", "int64", [path("n", "int64"), path("n", "int64")].join(",")),
            json!({ "n": format!("-{}1", "0".repeat(6_000)) }),
            Outcome::Value(true.into()),
        ),
        (
            apply("==", "duration", [path("n", "duration"), r#"{"const":"PT1S","type":"duration"}"#.to_owned()].join(",")),
            json!({ "n": format!("PT{}1S", "0".repeat(6_000)) }),
            Outcome::Value(true.into()),
        ),
        (path("n", "int64"), json!({ "n": "9".repeat(100_000) }), Outcome::Error("form".to_owned())),
        (path("n", "duration"), json!({ "n": format!("PT{}S", "9".repeat(100_000)) }), Outcome::Error("out_of_range".to_owned())),
    ];
    let task = |(guard, scope, expected): (String, Value, Outcome)| {
        // What is deeper than the reader goes is right for the others all the same.
        if let Ok(expr) = serde_json::from_str::<Expr>(&guard) {
            let found = Outcome::of(evaluate(&expr, scope.as_object().expect("roots")));
            assert_eq!(found, expected, "what Rust says of {}", guard.get(..100).unwrap_or(&guard));
        }
        Task {
            name: format!(
                "{}… with {}…",
                guard.chars().take(100).collect::<String>(),
                scope.to_string().chars().take(50).collect::<String>()
            ),
            asked: asked("guard", guard, &scope, &Value::Null),
            expected,
        }
    };
    assert_eq!(GREATEST_WORK, 1_000_000);
    // Values that no schema fits have no text; Rust alone has one for them.
    let deep = |template: &str, depth: usize, expected: Option<&str>| {
        let value = (0..depth).fold(json!(1), |inner, _| json!([inner]));
        Task {
            name: format!("{template} with {depth} levels"),
            asked: asked("template", template.to_owned(), &json!({ "v": value }), &Value::Null),
            expected: expected.map_or_else(|| Outcome::Value(value.clone()), |kind| Outcome::Error(kind.to_owned())),
        }
    };
    let texts = [deep("<{{.v}}>", 600, Some("too_deep")), deep("{{.v}}", 100, None)];
    tasks.into_iter().map(task).chain(texts).collect()
}

/// Random guards and templates with random values, and what Rust makes of them.
///
/// # Panics
///
/// If hardly any of them has a value, or an error.
#[must_use]
pub fn random(seed: u64, count: usize) -> Vec<Task> {
    let mut random = Random::new(seed);
    let mut tasks: Vec<Task> = (0..count).map(|index| random_guard(&mut random, index)).collect();
    let values = tasks.iter().filter(|task| matches!(task.expected, Outcome::Value(_))).count();
    assert!(values * 5 > count && values * 5 < count * 4, "{values} of {count} guards have a value");
    tasks.extend((0..count / 4).map(|index| random_template(&mut random, index)));
    tasks
}

fn random_guard(random: &mut Random, index: usize) -> Task {
    let (expr, roots, answers) = (trees::tree(random), trees::values(random), trees::answers(random));
    let found = evaluate(&expr, &Values { roots: &roots, answers: &answers });
    let text = serde_json::to_string(&expr).expect("a tree has a text");
    Task { name: format!("guard {index}"), asked: asked("guard", text, &roots.into(), &answers.into()), expected: Outcome::of(found) }
}

fn random_template(random: &mut Random, index: usize) -> Task {
    let (text, roots, answers) = (trees::template(random), trees::values(random), trees::answers(random));
    let expected = match Template::parse(&text) {
        Ok(template) => render(&template, &Values { roots: &roots, answers: &answers }).map_or(Outcome::Absent, Outcome::Value),
        Err(_) => Outcome::Refused("(root)".to_owned()),
    };
    Task { name: format!("template {index}"), asked: asked("template", text, &roots.into(), &answers.into()), expected }
}

struct Values<'v> {
    roots: &'v Map<String, Value>,
    answers: &'v Map<String, Value>,
}

impl Scope for Values<'_> {
    fn value(&self, root: &str) -> Option<&Value> {
        self.roots.get(root)
    }

    fn answers(&self, root: &str) -> Option<Vec<&Value>> {
        self.answers.get(root)?.as_array().map(|answers| answers.iter().collect())
    }
}

/// What a program in another language says of each task is what is expected: `run` is told the file with the tasks and that for the
/// answers.
///
/// # Panics
///
/// If it says something else.
pub fn assert_agrees(tasks: &[Task], run: impl FnOnce(&str, &str)) {
    let asked = tasks.iter().map(|task| task.asked.clone()).collect();
    let answers = packages::ask(asked, &std::env::temp_dir(), run);
    let wrong: Vec<String> = tasks
        .iter()
        .zip(&answers)
        .filter(|(task, answer)| !task.expected.is(answer))
        .map(|(task, answer)| {
            let asked: String = task.asked.to_string().chars().take(1_500).collect();
            let answer: String = answer.to_string().chars().take(500).collect();
            format!("{}: {asked}\n    is {answer}, not {:?}", task.name, task.expected)
        })
        .collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n"));
}

/// The program that a page of `docs/` shows for evaluators.
///
/// # Panics
///
/// If it shows none.
#[must_use]
pub fn documented(page: &str) -> String {
    let blocks = markdown::blocks(&read(&root().join("docs").join(page)));
    let shown = blocks.into_iter().find(|block| block.code.contains("{{.bill.total}}"));
    shown.unwrap_or_else(|| panic!("docs/{page} shows no evaluator")).code
}
