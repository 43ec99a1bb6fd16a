//! The evaluators of guards and templates in generated code mean what `weave-expr` means.

use weave_tests::evaluators::{Task, assert_agrees, hostile, refused, vectors};

use crate::{go, python, typescript};

fn tasks() -> Vec<Task> {
    vectors().into_iter().chain(refused()).chain(hostile()).collect()
}

#[test]
fn typescript_agrees() {
    assert_agrees(&tasks(), |from, to| drop(typescript::node(&["out/evaluate.js", from, to])));
}

#[test]
fn go_agrees() {
    assert_agrees(&tasks(), |from, to| drop(go::print(&["run", "./evaluate", from, to])));
}

#[test]
fn python_agrees() {
    assert_agrees(&tasks(), |from, to| drop(python::python(&["evaluate.py", from, to])));
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
