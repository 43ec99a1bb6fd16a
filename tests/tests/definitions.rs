//! Definitions fit the published schema, in the eyes of a validator that shares nothing with the compiler.

use std::path::Path;
use std::process::Command;

use weave_tests::suite::programs;
use weave_tests::{root, tools};

use crate::examples::examples;

#[test]
fn definitions_fit_the_published_schema() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let suite = programs().into_iter().map(|case| (case.title(), case.program()));
    let mut count = 0;
    for (title, program) in suite.chain(examples()) {
        for (workflow, definition) in program.check().definitions() {
            let name = format!("{}.{workflow}.json", title.replace('/', "."));
            std::fs::write(folder.path().join(name), definition).expect("the temporary folder can be written");
            count += 1;
        }
    }
    assert!(count > 0, "no program has a definition");
    let (fits, said) = validate(folder.path());
    assert!(fits, "{said}");
    println!("{}", said.trim());
}

#[test]
fn the_validator_refuses_what_is_wrong() {
    let definition = examples().into_iter().find(|(name, _)| name == "greet.weave").expect("the example is there").1.check().definitions();
    let good = serde_json::from_str::<serde_json::Value>(&definition["greet"]).expect("a definition is JSON");
    let broken = [("/nodes/0/emit", "ai"), ("/input/type", "record"), ("/input/properties/name", "text"), ("/weave", "99")];
    for (place, value) in broken {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("there is no {place}")) = value.into();
        std::fs::write(folder.path().join("bad.json"), bad.to_string()).expect("the temporary folder can be written");
        let (fits, said) = validate(folder.path());
        assert!(!fits && !said.contains("Traceback"), "{place} = {value} was accepted:\n{said}");
    }
}

fn validate(folder: &Path) -> (bool, String) {
    let script = root().join("tests/tools/validate.py");
    let schema = root().join("crates/weave-ir/definition.schema.json");
    let output = Command::new(tools::python()).arg(script).arg(schema).arg(folder).output().expect("Python can be started");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.success(), said)
}
