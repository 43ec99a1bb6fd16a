//! The examples that a newcomer runs.

use weave_tests::program::{Checked, Program};
use weave_tests::suite::file_name;
use weave_tests::{files_below, root};

/// Each example by its name, with the others beside it for its imports.
pub(crate) fn examples() -> Vec<(String, Program)> {
    let all = Program::in_folder(&root().join("examples"));
    let names = files_below(&root().join("examples"), "weave").iter().map(|path| file_name(path)).collect::<Vec<_>>();
    names.into_iter().map(|name| (name.clone(), Program { roots: vec![name], ..all.clone() })).collect()
}

fn compiled(name: &str) -> Checked {
    let (_, program) = examples().into_iter().find(|(found, _)| found == name).expect("the example is there");
    program.check()
}

#[test]
fn examples_are_clean() {
    let examples = examples();
    assert!(examples.len() >= 6, "there are {} examples", examples.len());
    for (name, program) in examples {
        let checked = program.check();
        assert!(checked.diagnostics.is_empty(), "{name}:\n{}", checked.drawing());
        let has_none = name == "shop.weave" || name.ends_with("_test.weave");
        assert_eq!(checked.compiled.is_empty(), has_none, "{name}");
    }
}

#[test]
fn the_nodes_of_greet_are_those_of_the_reference() {
    let definition = compiled("greet.weave").definitions().remove("greet").expect("greet.weave has the workflow greet");
    let nodes = serde_json::from_str::<serde_json::Value>(&definition).expect("a definition is JSON")["nodes"].to_string();
    let expected = concat!(
        r#"[{"id":"ask","emit":"ai.request","payload":{"prompt":"greet the traveler warmly: {{.input.name}}"}},"#,
        r#"{"id":"speak","on":"ai.response","emit":"tool.dispatch","payload":{"name":"speak","text":"{{.response.text}}"}},"#,
        r#"{"id":"done","on":"tool.result","terminal":true}]"#
    );
    assert_eq!(nodes, expected);
}
