//! `weave lint`: configuration, exit codes.
#![allow(clippy::unwrap_used)]

mod common;

use common::{MISTAKE, Project, workflow};

const SHOP: &str = "type Order { id: string }\n";
const UNUSED: &str = "import { Order } from \"./shop.weave\"\n";

#[test]
fn findings_are_warnings_and_do_not_fail() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP), ("b.weave", &workflow("greet"))]);
    project.run(&["lint", "."]).exits(0).says("warning[unused-import]").says("1 warning in 1 file");
    assert_eq!(project.run(&["lint", "b.weave"]).exits(0).stderr, "No findings in 1 file.\n");
    project.run(&["lint", ".", "--max-warnings", "0"]).exits(1).says("1 warning, and at most 0 are allowed");
    project.run(&["lint", ".", "--max-warnings", "1"]).exits(0);
}

#[test]
fn errors_of_the_language_are_reported_and_end_with_1() {
    let project = Project::new(&[("a.weave", MISTAKE)]);
    project.run(&["lint", "a.weave"]).exits(1).says("error[unknown-name]");
}

#[test]
fn the_nearest_configuration_counts() {
    let project = Project::new(&[
        ("weave.toml", "[lint.rules]\nunused-import = \"error\"\n[[lint.overrides]]\npaths = [\"old/*\"]\nrules.unused-import = \"off\"\n"),
        ("a.weave", UNUSED),
        ("shop.weave", SHOP),
        ("old/a.weave", UNUSED),
        ("old/shop.weave", SHOP),
        ("sub/weave.toml", "[lint.groups]\nstyle = \"note\"\n"),
        ("sub/deep/a.weave", UNUSED),
        ("sub/deep/shop.weave", SHOP),
    ]);
    let run = project.run(&["lint", "."]).exits(1);
    let lines: Vec<_> =
        run.stderr.lines().filter(|line| line.contains("unused-import") || line.contains("-->") || line.contains("┌─")).collect();
    assert_eq!(lines.len(), 4, "{}", run.stderr);
    assert!(lines[0].starts_with("error[") && lines[1].contains("a.weave:1:10"), "{lines:?}");
    assert!(lines[2].starts_with("note[") && lines[3].contains("sub/deep/a.weave:1:10"), "{lines:?}");
    let run = project.run(&["lint", ".", "--config", "sub/weave.toml"]).exits(0);
    assert_eq!(run.stderr.matches("note[unused-import]").count(), 3);
}

#[test]
fn mistakes_in_a_configuration_have_a_place() {
    let project =
        Project::new(&[("weave.toml", "[lint.rules]\nunused-imports = \"off\"\n"), ("sub/a.weave", UNUSED), ("sub/shop.weave", SHOP)]);
    project.run(&["lint", "sub"]).exits(2).says("error[unknown-config-rule]").says("weave.toml:2:1").says("did you mean `unused-import`?");
    project.run(&["lint", "sub", "--config", "no.toml"]).exits(2).says("no.toml");
}
