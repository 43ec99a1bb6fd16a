//! The extension for VS Code: its types, its lint, its tests, its snippets, and its package.

use std::sync::Arc;

use serde_json::Value;
use weave_syntax::parse;
use weave_tests::expectation::report;
use weave_tests::node::{extension, packaging, run_in};
use weave_tests::{read, root};

fn npm(words: &[&str]) -> String {
    run_in(extension(), "npm", &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        .unwrap_or_else(|problem| panic!("{problem}"))
}

/// One test, because each step needs what the one before it made.
#[test]
fn the_extension_is_sound_and_can_be_packaged() {
    let _packaging = packaging();
    npm(&["run", "check"]);
    npm(&["run", "build"]);
    let tested = npm(&["test"]);
    assert!(tested.contains("fail 0"), "{tested}");
    let packaged = npm(&["run", "package", "--", "--out", "weave.vsix"]);
    let size = std::fs::metadata(extension().join("weave.vsix")).expect("there is a package").len();
    assert!(size < 400_000, "a package of {size} bytes brings too much along:\n{packaged}");
    for part in ["extension.js", "graph.js", "weave.tmLanguage.json", "language-configuration.json"] {
        assert!(packaged.contains(part), "{part} is not in the package:\n{packaged}");
    }
}

/// What a snippet inserts before anything is typed.
fn expanded(body: &str) -> String {
    let mut text = String::new();
    let mut defaults = std::collections::BTreeMap::new();
    let mut rest = body;
    while let Some((before, behind)) = rest.split_once('$') {
        text.push_str(before);
        let (stop, behind) = match behind.strip_prefix('{') {
            Some(behind) => {
                let name = behind.split([':', '|', '}']).next().unwrap_or_default();
                let end = end_of_stop(behind);
                (Some((name, &behind[name.len()..end])), &behind[end + 1..])
            }
            None => (None, behind.trim_start_matches(|c: char| c.is_ascii_digit())),
        };
        if let Some((name, default)) = stop {
            let default = default.trim_start_matches([':', '|']).trim_end_matches('|');
            let first = if stop.is_some_and(|(_, default)| default.starts_with('|')) { default.split(',').next() } else { Some(default) };
            let first = first.unwrap_or_default();
            if !first.is_empty() {
                defaults.insert(name, first);
            }
            text.push_str(if first.is_empty() { defaults.get(name).copied().unwrap_or("later") } else { first });
        }
        rest = behind;
    }
    text + rest
}

/// Where the brace is that closes a stop.
fn end_of_stop(text: &str) -> usize {
    text.find('}').expect("a stop is closed")
}

#[test]
fn snippets_are_programs() {
    let snippets: Value = serde_json::from_str(&read(&root().join("editors/vscode/snippets/weave.json"))).expect("the snippets are JSON");
    let mut complaints = Vec::new();
    for (name, snippet) in snippets.as_object().expect("snippets by name") {
        let lines = snippet["body"].as_array().expect("lines").iter().map(|line| line.as_str().expect("a line"));
        let text = expanded(&lines.collect::<Vec<_>>().join("\n")) + "\n";
        let surroundings = [("", ""), ("workflow w() {\n", "}\n")];
        let errors = surroundings.map(|(before, behind)| {
            let syntax = parse(Arc::from(format!("{before}{text}{behind}")));
            let found = syntax.diagnostics(weave_diagnostics::FileId(0));
            found.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>()
        });
        if errors.iter().all(|errors| !errors.is_empty()) {
            complaints.push(format!("{name}: {errors:?}\n{text}"));
        }
    }
    report(&complaints);
}
