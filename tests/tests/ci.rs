//! `weave init`, and what `docs/ci.md` says about pipelines and hooks.

use std::path::{Path, PathBuf};
use std::process::Command;

use weave_tests::markdown::blocks;
use weave_tests::tools::{python_with_check_jsonschema, python_with_pre_commit};
use weave_tests::{files_below, read, root};

use crate::suite::weave;

/// Runs `weave` with these words in a folder: its exit code, and what it printed.
fn run(folder: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(weave()).args(words).current_dir(folder).env_clear().output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(said).unwrap())
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().map(|word| word.trim_matches('"')).collect()
}

/// A fresh project.
fn project(ci: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = run(folder.path(), &["init", "desk", "--ci", ci]);
    assert_eq!(code, 0, "{said}");
    assert!(said.split("Next:\n").nth(1).unwrap().lines().count() <= 6, "{said}");
    folder
}

#[test]
fn a_new_project_is_clean_in_every_way() {
    let folder = project("github");
    let desk = folder.path().join("desk");
    let commands = ["check .", "lint . --max-warnings 0", "fmt . --check", "compile flows -o build", "compile flows -o build --check"];
    for command in commands {
        let (code, said) = run(&desk, &words(command));
        assert_eq!(code, 0, "`weave {command}` says {said}");
    }
    let settings = read(&desk.join("weave.toml")).replace("\"note\"", "\"error\"");
    std::fs::write(desk.join("weave.toml"), settings).unwrap();
    assert_eq!(run(&desk, &["lint", "."]), (0, "No findings in 2 files.\n".to_owned()), "all groups are errors now");
    let (code, said) = run(&desk, &["run", "flows", "--mock"]);
    assert!(code == 0 && said.contains("■ handed_over"), "{said}");
    let (code, said) = run(&desk, &["test"]);
    assert!(code == 0 && said.contains("3 tests"), "{said}");
    assert_eq!(read(&desk.join(".weave/weave-toml.schema.json")), read(&root().join("docs/weave-toml.schema.json")));
    assert_eq!(run(&desk, &["schema", "config"]).1, read(&root().join("docs/weave-toml.schema.json")));
    assert_eq!(run(&desk, &["schema", "definition"]).1, read(&root().join("crates/weave-ir/definition.schema.json")));
}

#[test]
fn what_is_there_stays_and_what_is_missing_is_added() {
    let folder = project("none");
    let desk = folder.path().join("desk");
    assert!(!desk.join(".github").exists() && !desk.join(".gitlab-ci.yml").exists());
    std::fs::write(desk.join("weave.toml"), "# mine\n").unwrap();
    std::fs::remove_file(desk.join(".gitignore")).unwrap();
    let (code, said) = run(&desk, &["init", "--ci", "gitlab"]);
    assert_eq!(
        (code, said.as_str()),
        (
            0,
            "Wrote 2 files in this folder:\n  .gitignore\n  .gitlab-ci.yml\nNot changed: weave.toml, .weave/weave-toml.schema.json, flows/answer.weave, flows/answer_test.weave.\n\
             Next:\n  weave run flows --mock           run the workflow with made-up answers\n  weave test                       run its tests\n  weave lint .                     report errors and likely mistakes\n  weave compile flows -o build     write the definitions\n  \
             set the source of weave in .gitlab-ci.yml\n"
        )
    );
    assert_eq!(read(&desk.join("weave.toml")), "# mine\n");
    assert!(run(&desk, &["init", "--ci", "gitlab"]).1.starts_with("Nothing is missing in this folder.\n"));
    let (code, said) = run(&desk, &["init", "weave.toml"]);
    assert_eq!((code, said.as_str()), (2, "error: cannot create a project in `weave.toml`: it is a file\nhelp: name a folder\n"));
}

/// The blocks of `docs/ci.md` in a language.
fn documented(language: &str) -> Vec<String> {
    blocks(&read(&root().join("docs/ci.md"))).into_iter().filter(|block| block.info == language).map(|block| block.code).collect()
}

#[test]
fn the_files_of_init_are_those_of_the_documents() {
    let yaml = documented("yaml");
    for (ci, path) in [("github", ".github/workflows/weave.yml"), ("gitlab", ".gitlab-ci.yml")] {
        let written = read(&project(ci).path().join("desk").join(path));
        assert!(
            yaml.iter().any(|block| block.trim_end() == written.trim_end()),
            "docs/ci.md does not show what `weave init --ci {ci}` writes"
        );
    }
}

#[test]
fn every_documented_command_works_in_a_new_project() {
    let folder = project("none");
    let desk = folder.path().join("desk");
    let mut count = 0;
    for block in documented("sh").into_iter().chain(documented("yaml")) {
        for line in block.lines() {
            let line = line.trim().trim_start_matches("- ").trim_start_matches("run: ");
            let Some(command) = line.strip_prefix("weave ") else { continue };
            let command = command.split(" || ").next().unwrap();
            let (code, said) = run(&desk, &words(command));
            assert_eq!(code, 0, "`weave {command}` says {said}");
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands were found");
    let written: Vec<_> =
        ["weave.sarif", "gl-code-quality-report.json", "weave-junit.xml"].iter().map(|name| desk.join(name).exists()).collect();
    assert_eq!(written, [true; 3]);
    for block in documented("toml") {
        std::fs::write(desk.join("weave.toml"), block).unwrap();
        assert_eq!(run(&desk, &["lint", "."]).0, 0);
    }
}

#[test]
fn the_hooks_are_commands_that_work() {
    let folder = project("none");
    let desk = folder.path().join("desk");
    let hooks = read(&root().join(".pre-commit-hooks.yaml"));
    let entries: Vec<&str> = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: weave ")).collect();
    assert_eq!(entries, ["fmt", "check", "lint"]);
    for entry in entries {
        let (code, said) = run(&desk, &[entry, "."]);
        assert_eq!(code, 0, "`weave {entry} .` says {said}");
        assert!(documented("yaml").iter().any(|block| block.contains(&format!("id: weave-{entry}"))) || entry == "check");
    }
}

/// Has a file looked at by a program of other people, a module of Python.
fn validate(python: &Path, arguments: &[&str], file: &Path) {
    let output = Command::new(python).arg("-m").args(arguments).arg(file).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&said));
}

#[test]
fn pipelines_and_settings_fit_the_schemas_of_their_tools() {
    let python = python_with_check_jsonschema();
    let (github, gitlab) = (project("github"), project("gitlab"));
    let schema = ["check_jsonschema", "--builtin-schema", "vendor.github-workflows"];
    validate(python, &schema, &github.path().join("desk/.github/workflows/weave.yml"));
    let schema = ["check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"];
    validate(python, &schema, &gitlab.path().join("desk/.gitlab-ci.yml"));
    let own = root().join("docs/weave-toml.schema.json").to_string_lossy().into_owned();
    let schema = ["check_jsonschema", "--schemafile", &own];
    validate(python, &schema, &github.path().join("desk/weave.toml"));
    let cases: Vec<PathBuf> =
        files_below(&root().join("tests/suite/cli"), "toml").into_iter().filter(|path| path.ends_with("weave.toml")).collect();
    for path in cases.iter().filter(|path| !path.with_file_name("exit.txt").exists()) {
        validate(python, &schema, path);
    }
}

#[test]
fn pre_commit_reads_the_hooks() {
    validate(python_with_pre_commit(), &["pre_commit", "validate-manifest"], &root().join(".pre-commit-hooks.yaml"));
    let folder = tempfile::tempdir().unwrap();
    let config = documented("yaml").into_iter().find(|block| block.starts_with("repos:")).unwrap();
    let path = folder.path().join(".pre-commit-config.yaml");
    std::fs::write(&path, config).unwrap();
    validate(python_with_pre_commit(), &["pre_commit", "validate-config"], &path);
}
