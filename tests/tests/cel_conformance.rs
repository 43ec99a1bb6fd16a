//! Guards mean what CEL means: its own conformance cases, compiled from our language and evaluated.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use weave_tests::program::Program;

/// Cases in which CEL has an error and a guard has a value: the name, the truth, and why.
const DIFFERENT: [(&str, bool, &str); 3] = [
    ("lists/index/index_out_of_bounds", false, "an element that is not there is null, like everything that is not there"),
    ("timestamps/timestamp_range/sub_time_duration_over", false, "a difference of moments always fits: durations go to ten thousand years"),
    (
        "timestamps/timestamp_range/sub_time_duration_under",
        false,
        "a difference of moments always fits: durations go to ten thousand years",
    ),
];

struct Case {
    name: String,
    cel: String,
    guard: String,
    /// The type and the value of each input.
    inputs: Vec<(String, String, Value)>,
    /// A truth, or an error.
    result: Option<bool>,
}

fn cases() -> Vec<Case> {
    let file = weave_tests::read(&weave_tests::root().join("tests/fixtures/cel_conformance.json"));
    let file: Value = serde_json::from_str(&file).expect("the fixture is JSON");
    let text = |value: &Value| value.as_str().expect("it is text").to_owned();
    let case = |case: &Value| Case {
        name: text(&case["name"]),
        cel: text(&case["cel"]),
        guard: text(&case["guard"]),
        inputs: case["inputs"].as_object().expect("inputs").iter().map(|(name, it)| (name.clone(), text(&it[0]), it[1].clone())).collect(),
        result: case["result"].as_bool(),
    };
    file["cases"].as_array().expect("cases").iter().map(case).collect()
}

/// One workflow for each case.
fn program(cases: &[Case]) -> String {
    let mut text = String::new();
    for (index, case) in cases.iter().enumerate() {
        let inputs: Vec<_> = case.inputs.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
        text += &format!("workflow case_{index}({}) -> bool {{\n  end yes on start when {} = true\n", inputs.join(", "), case.guard);
        text += "  end no on start else = false\n}\n\n";
    }
    text
}

#[test]
fn guards_pass_the_conformance_cases_of_cel() {
    let cases = cases();
    assert!(cases.len() >= 700, "{} cases", cases.len());
    let checked = Program::one(&program(&cases)).check();
    assert!(!checked.snapshot.has_errors(), "{}", checked.drawing());
    let definitions = checked.definitions();
    let different = DIFFERENT.map(|(name, truth, _)| (name, truth));
    let different = BTreeMap::from(different);
    for name in different.keys() {
        assert!(cases.iter().any(|case| case.name == *name && case.result.is_none()), "{name} is no case with an error");
    }
    let mut wrong = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let definition: Value = serde_json::from_str(&definitions[&format!("case_{index}")]).expect("a definition is JSON");
        let guard: weave_ir::Guard = serde_json::from_value(definition["nodes"][0]["when"].clone()).expect("the node has a guard");
        let inputs: Map<_, _> = case.inputs.iter().map(|(name, _, value)| (name.clone(), value.clone())).collect();
        let scope = Map::from_iter([("input".to_owned(), Value::Object(inputs))]);
        let found = weave_expr::evaluate(&guard.expr, &scope);
        let expected = different.get(case.name.as_str()).copied().or(case.result);
        let agrees = match &found {
            Ok(found) => found.as_bool() == expected && expected.is_some(),
            Err(_) => expected.is_none(),
        };
        if !agrees {
            wrong.push(format!("{}: {}\n    as {}\n    is {found:?}, not {expected:?}", case.name, case.cel, case.guard));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
