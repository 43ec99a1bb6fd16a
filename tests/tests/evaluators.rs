//! The evaluators of guards and templates in generated code mean what `weave-expr` means.

use weave_tests::evaluators::{Task, assert_agrees, hostile, random, refused, vectors};

use crate::{go, python, typescript};

fn tasks() -> Vec<Task> {
    vectors().into_iter().chain(refused()).chain(hostile()).chain(random(7, 3_000)).collect()
}

fn run_typescript(from: &str, to: &str) {
    typescript::node(&["out/evaluate.js", from, to]);
}

fn run_go(from: &str, to: &str) {
    go::print(&["run", "./evaluate", from, to]);
}

fn run_python(from: &str, to: &str) {
    python::python(&["evaluate.py", from, to]);
}

#[test]
fn typescript_agrees() {
    assert_agrees(&tasks(), run_typescript);
}

#[test]
fn go_agrees() {
    assert_agrees(&tasks(), run_go);
}

#[test]
fn python_agrees() {
    assert_agrees(&tasks(), run_python);
}

#[test]
#[ignore = "it takes some minutes; for changes of an evaluator"]
fn all_agree_for_long() {
    for seed in 100..110 {
        let tasks = random(seed, 20_000);
        for run in [run_typescript, run_go, run_python] {
            assert_agrees(&tasks, run);
        }
    }
}

#[test]
fn the_documented_go_says_what_it_is_said_to_say() {
    assert_eq!(go::print(&["run", "./documented"]), "true 120.50 EUR\n");
}

#[test]
fn the_documented_python_says_what_it_is_said_to_say() {
    assert_eq!(python::python(&["documented.py"]), "True\n120.50 EUR\n{'total': '120.50', 'drafts': ['a', 'b']}\n");
}

#[test]
fn the_documented_typescript_says_what_it_is_said_to_say() {
    assert_eq!(typescript::node(&["out/documented.js"]), "true\n120.50 EUR\n{ total: '120.50', drafts: [ 'a', 'b' ] }\n");
}
