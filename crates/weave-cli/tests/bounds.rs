//! How much is reported, and what the words of others can do to a terminal or to a log.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Project, workflow};

#[test]
fn diagnostics_of_a_file_and_of_a_run_have_a_bound_in_every_format() {
    let project = Project::new(&[("a.weave", &";\n".repeat(100_000))]);
    for format in ["short", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "agent", "human"] {
        let run = project.run(&["check", "a.weave", "--format", format]).exits(1);
        assert!(run.stdout.len() < 3_000_000, "{format}: {} bytes", run.stdout.len());
        assert!(run.stdout.contains("too-many-diagnostics"), "{format}");
    }
    let run = project.run(&["check", "a.weave", "--error-format", "short"]).exits(1);
    assert_eq!(run.stderr.lines().count(), 1_001);
    assert!(
        run.stderr.contains("a.weave:1001:1: error[too-many-diagnostics]: this file has more than 1,000 diagnostics"),
        "{:.200}",
        run.stderr
    );

    let files: Vec<(String, String)> =
        (10..30).map(|n| (format!("many/{n}.weave"), format!("type A{n} {{ b: string }}\n{}", ";\n".repeat(900)))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let run = Project::new(&files).run(&["check", "many", "--error-format", "short"]).exits(1);
    assert_eq!(run.stderr.lines().count(), 10_001);
    assert!(run.stderr.contains("there are more than 10,000 diagnostics"));
}

#[test]
fn what_is_left_out_counts() {
    // The first thousand are warnings, and the error is behind them.
    let unused: String = (0..1_200).map(|n| format!("import {{ A{n} }} from \"./b.weave\"\n")).collect();
    let types: String = (0..1_200).map(|n| format!("type A{n} {{ b: string }}\n")).collect();
    let project = Project::new(&[("a.weave", &unused), ("b.weave", &types)]);
    project.run(&["lint", "a.weave", "--error-format", "short"]).exits(0).says("warning[too-many-diagnostics]");
    project
        .run(&["lint", "a.weave", "--error-format", "short", "--max-warnings", "1100"])
        .exits(1)
        .says("2,399 warnings, and at most 1100 are allowed");
    project.write("a.weave", unused + "type B { c: Nope }\n");
    project.run(&["check", "a.weave"]).exits(1);
}

#[cfg(unix)]
#[test]
fn names_cannot_forge_messages() {
    let evil = "x\n::error::forged\u{1b}[31m\u{202e}##[stop-commands]y.weave";
    let project = Project::new(&[(evil, "type A { b:Nope }\n")]);
    project.write("fine.weave", workflow("greet"));
    let colons = "::error::z.weave";
    project.write(colons, "type B { b:Nope }\n");
    let commands: [&[&str]; 10] = [
        &["check", "."],
        &["lint", ".", "--error-format", "github"],
        &["lint", ".", "--error-format", "agent"],
        &["lint", ".", "--error-format", "short"],
        &["fmt", ".", "--check"],
        &["fmt", ".", "--diff"],
        &["check", evil, "missing\n::error::z"],
        &["lint", evil, "-o", evil],
        &["check", "--no-such\n::error::z"],
        &["diff", "--against", "x\n::error::z"],
    ];
    for arguments in commands {
        let run = project.run(arguments);
        let forged = |line: &str| line.trim_start().starts_with("::error::") || line.contains("##[");
        assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']) && !run.stderr.lines().any(forged), "{arguments:?}: {}", run.stderr);
    }
    let diff = project.run(&["fmt", ".", "--diff"]).stdout;
    assert!(!diff.contains('\u{1b}') && !diff.lines().any(|line| line.starts_with("::")), "{diff}");
    // What renames a file says so in one line.
    assert_eq!(project.run(&["fmt", evil]).exits(0).stderr.lines().count(), 1);
}

#[test]
fn a_baseline_cannot_forge_messages() {
    let entry = |file: &str| {
        format!(
            "{{\"file\":{file:?},\"rule\":\"x\",\"item\":\"\",\"fingerprint\":\"1\",\"count\":1,\"message\":\"m\\n::error::z\\u001b[31m\"}}"
        )
    };
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    project.write("b.json", format!("{{\"version\":1,\"findings\":[{}]}}", entry("gone.weave")));
    let run = project.run(&["lint", "a.weave", "--baseline", "b.json"]).exits(0).says("is gone");
    assert!(!run.stderr.contains('\u{1b}') && !run.stderr.lines().any(|line| line.trim_start().starts_with("::")), "{}", run.stderr);
}

#[test]
fn definitions_say_each_thing_once_and_manifests_hold() {
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    project.run(&["compile", "a.weave", "-o", "out"]).exits(0);
    let text = project.read("out/greet.workflow.json");
    project.write("twice.json", text.replacen('{', "{ \"weave\": \"0\",", 1));
    project.run(&["diff", "twice.json", "out/greet.workflow.json"]).exits(2).says("the key `weave` is there twice");
    project.run(&["diff", "out", "a.weave"]).exits(0);
    project.write("out/greet.workflow.json", text.replace("Hello", "Bye"));
    project.run(&["diff", "out", "a.weave"]).exits(1).says("is not the definition that its manifest lists");
}
