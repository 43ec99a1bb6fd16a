//! `weave lint --fix`, `--fix-unsafe` and `--diff`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{MISTAKE, Project, workflow};

const SHOP: &str = "type Order { id: string }\ntype Item { id: string }\n";
/// Two safe fixes; a third one has nothing left to do behind them.
const UNUSED: &str =
    "import { Order } from \"./shop.weave\"\nimport { Item as Item } from \"./shop.weave\"\n\ntype Parcel { item: Item }\n";
const TIDY: &str = "import { Item } from \"./shop.weave\"\n\ntype Parcel { item: Item }\n";
/// An unsafe fix.
const HASTY: &str = "/// Finds an order.\ntool find(id: string) -> string {\n  hints [read_only]\n  retry 2 { backoff exponential }\n}\n";

#[test]
fn safe_fixes_are_written_and_the_rest_is_reported() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP), ("b.weave", HASTY)]);
    let run = project.run(&["lint", ".", "--fix"]).exits(0).says("2 fixes applied in 1 file.").says("warning[backoff-without-base]");
    assert!(run.stderr.contains("1 finding has a fix that is not safe; `--fix-unsafe` applies it too."), "{run:#?}");
    assert_eq!(project.read("a.weave"), TIDY);
    assert_eq!((project.read("shop.weave"), project.read("b.weave")), (SHOP.to_owned(), HASTY.to_owned()));
    let run = project.run(&["lint", ".", "--fix"]).exits(0);
    assert!(!run.stderr.contains("applied"), "nothing is left to fix: {run:#?}");
    project.run(&["lint", ".", "--fix-unsafe"]).exits(0).says("1 fix applied in 1 file.").says("No findings in 3 files.");
    assert!(project.read("b.weave").contains("base "), "{}", project.read("b.weave"));
}

#[test]
fn warnings_that_were_fixed_are_not_counted() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP)]);
    project.run(&["lint", ".", "--max-warnings", "0"]).exits(1);
    project.run(&["lint", ".", "--max-warnings", "0", "--fix"]).exits(0);
}

#[test]
fn errors_are_fixed_where_that_is_safe_and_end_with_1_where_it_is_not() {
    let project = Project::new(&[("a.weave", "type A { a: int(01..5) }\n"), ("b.weave", MISTAKE)]);
    project.run(&["lint", "a.weave", "--fix"]).exits(0).says("1 fix applied in 1 file.");
    assert_eq!(project.read("a.weave"), "type A { a: int(1..5) }\n");
    project.run(&["lint", "b.weave", "--fix"]).exits(1).says("error[unknown-name]");
    assert_eq!(project.read("b.weave"), MISTAKE);
}

#[test]
fn the_difference_is_shown_and_nothing_is_written() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP), ("b.weave", HASTY)]);
    for arguments in [vec!["lint", ".", "--diff"], vec!["lint", ".", "--diff", "--fix"]] {
        let run = project.run(&arguments).exits(1).says("2 fixes would be applied in 1 file.");
        assert!(run.stdout.starts_with("--- a/a.weave\n+++ b/a.weave\n@@ "), "{run:#?}");
        assert!(run.stdout.contains("-import { Order } from \"./shop.weave\"\n"), "{run:#?}");
    }
    let run = project.run(&["lint", ".", "--diff", "--fix-unsafe"]).exits(1);
    assert!(run.stdout.contains("+++ b/a.weave\n") && run.stdout.contains("+++ b/b.weave\n"), "{run:#?}");
    assert_eq!((project.read("a.weave"), project.read("b.weave")), (UNUSED.to_owned(), HASTY.to_owned()));
    let run = project.run(&["lint", "b.weave", "--diff"]).exits(0).says("warning[backoff-without-base]");
    assert_eq!(run.stdout, "", "nothing would change, so this is what it would report");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let project = Project::new(&[("shop.weave", SHOP)]);
    let run = project.run_with_input(&["lint", "-", "--fix"], UNUSED).exits(0).says("2 fixes applied in 1 file.");
    assert_eq!(run.stdout, TIDY);
    let run = project.run_with_input(&["lint", "-", "--fix"], TIDY).exits(0);
    assert_eq!(run.stdout, TIDY, "what needs no fix is printed too");
    let run = project.run_with_input(&["lint", "-", "--fix"], MISTAKE).exits(1).says("error[unknown-name]");
    assert_eq!(run.stdout, MISTAKE);
    project.run_with_input(&["lint", "-", "--fix", "--format", "json"], UNUSED).exits(2).says("--output FILE");
    let run = project.run_with_input(&["lint", "-", "--fix", "--format", "json", "-o", "report.json"], UNUSED).exits(0);
    assert_eq!((run.stdout.as_str(), project.read("report.json").contains("\"findings\"")), (TIDY, false));
    let run = project.run_with_input(&["lint", "-", "--diff"], UNUSED).exits(1);
    assert!(run.stdout.starts_with("--- a/stdin\n+++ b/stdin\n"), "{run:#?}");
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let text = format!("\u{feff}{}", HASTY.replace('\n', "\r\n"));
    let project = Project::new(&[("a.weave", &text)]);
    project.run(&["lint", "a.weave", "--fix-unsafe"]).exits(0).says("1 fix applied");
    let fixed = project.read("a.weave");
    assert!(fixed.starts_with("\u{feff}/// Finds an order.\r\n") && fixed.contains("base "), "{fixed:?}");
    assert_eq!(fixed.matches('\n').count(), fixed.matches("\r\n").count(), "{fixed:?}");
}

#[test]
fn files_that_are_only_imported_are_left() {
    let loose = format!("import {{ Item }} from \"./shop.weave\"\ntype Basket {{ items: Item[] }}\n{}", workflow("greet"));
    let project =
        Project::new(&[("sub/a.weave", "import { Parcel } from \"../b.weave\"\ntype Box { parcel: Parcel }\n"), ("b.weave", UNUSED)]);
    project.write("shop.weave", SHOP);
    project.write("loose.weave", loose);
    project.run(&["lint", "sub", "--fix"]).exits(0);
    assert_eq!(project.read("b.weave"), UNUSED);
    project.write("b.weave", "type Parcel { a: int(01..5) }\n");
    project.run(&["lint", "sub", "--fix"]).exits(1).says("1 fix was skipped, because other files would change too");
    assert_eq!(project.read("b.weave"), "type Parcel { a: int(01..5) }\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_harms_no_other() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("a.weave", UNUSED), ("b.weave", UNUSED), ("shop.weave", SHOP)]);
    let mode = |name: &str| std::fs::metadata(project.path(name)).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(project.path("a.weave"), std::fs::Permissions::from_mode(0o444)).unwrap();
    std::fs::set_permissions(project.path("b.weave"), std::fs::Permissions::from_mode(0o640)).unwrap();
    let run = project.run(&["lint", "a.weave", "b.weave", "--fix"]).exits(2).says("cannot write `a.weave`: permission denied");
    assert!(run.stderr.contains("2 fixes applied in 1 file.") && run.stderr.contains("a.weave:1:10"), "{run:#?}");
    assert_eq!((project.read("a.weave"), project.read("b.weave")), (UNUSED.to_owned(), TIDY.to_owned()));
    assert_eq!((mode("a.weave"), mode("b.weave")), (0o444, 0o640));
    assert_eq!(project.list("."), ["a.weave", "b.weave", "shop.weave"], "nothing is left over");
}

#[test]
fn what_cannot_be_read_ends_with_2_before_anything_is_written() {
    let project = Project::new(&[("a.weave", UNUSED), ("shop.weave", SHOP)]);
    project.write("b.weave", b"type A \xff\n");
    project.run(&["lint", "a.weave", "b.weave", "no.weave", "--fix"]).exits(2).says("b.weave").says("no.weave");
    assert_eq!(project.read("a.weave"), UNUSED);
}
