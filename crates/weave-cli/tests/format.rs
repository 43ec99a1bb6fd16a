//! `weave fmt`: what it writes, prints and leaves alone.
#![allow(clippy::unwrap_used)]

mod common;

use common::Project;

const CROOKED: &str = "type A {a:int}\n";
const STRAIGHT: &str = "type A { a: int }\n";

#[test]
fn files_are_rewritten_where_they_need_it() {
    let project = Project::new(&[("a.weave", CROOKED), ("b.weave", STRAIGHT)]);
    let run = project.run(&["fmt", "."]).exits(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "formatted: a.weave\n"));
    assert_eq!(project.read("a.weave"), STRAIGHT);
    assert_eq!(project.run(&["fmt", "."]).exits(0).stderr, "2 files are formatted already.\n");
    assert_eq!(project.run(&["fmt", "--quiet", "."]).exits(0).stderr, "");
}

#[test]
fn check_and_diff_write_nothing() {
    let project = Project::new(&[("a.weave", CROOKED), ("b.weave", STRAIGHT)]);
    let run = project.run(&["fmt", "--check", "."]).exits(1);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "not formatted: a.weave\n"));
    let run = project.run(&["fmt", "--diff", "."]).exits(1);
    assert_eq!(run.stdout, "--- a/a.weave\n+++ b/a.weave\n@@ -1 +1 @@\n-type A {a:int}\n+type A { a: int }\n");
    assert_eq!(run.stderr, "");
    assert_eq!(project.read("a.weave"), CROOKED);
    project.run(&["fmt", "--check", "--diff", "b.weave"]).exits(0);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let project = Project::new(&[]);
    assert_eq!(project.run_with_input(&["fmt", "-"], CROOKED).exits(0).stdout, STRAIGHT);
    assert_eq!(project.run_with_input(&["fmt", "-"], STRAIGHT).exits(0).stdout, STRAIGHT);
    let run = project.run_with_input(&["fmt", "--check", "-"], CROOKED).exits(1);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "not formatted: <stdin>\n"));
    let broken = project.run_with_input(&["fmt", "-"], "type A {").exits(1).says("error[");
    assert_eq!(broken.stdout, "", "an editor that takes the output would lose its text");
}

#[test]
fn a_file_with_mistakes_is_left_and_the_others_are_formatted() {
    let project = Project::new(&[("a.weave", CROOKED), ("b.weave", "type B {b:\n")]);
    project.run(&["fmt", "."]).exits(1).says("b.weave:1:11").says("formatted: a.weave").says("not changed");
    assert_eq!(project.read("a.weave"), STRAIGHT);
    assert_eq!(project.read("b.weave"), "type B {b:\n");
}

#[test]
fn some_lines_can_be_named() {
    let project = Project::new(&[("a.weave", "type A {a:int}\ntype B {b:int}\n")]);
    project.run(&["fmt", "--lines", "2", "a.weave"]).exits(0);
    assert_eq!(project.read("a.weave"), "type A {a:int}\ntype B { b: int }\n");
    for wrong in ["0:1", "3:2", "x", "1:"] {
        project.run(&["fmt", "--lines", wrong, "a.weave"]).exits(2);
    }
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new(&[("a.weave", CROOKED)]);
    let path = project.path("a.weave");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, project.path("link.weave")).unwrap();
    project.run(&["fmt", "link.weave"]).exits(0);
    assert!(std::fs::symlink_metadata(project.path("link.weave")).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), STRAIGHT);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}
