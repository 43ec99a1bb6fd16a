//! `--format`, `--output` and `--statistics` of `weave lint` and `weave check`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{MISTAKE, Project, workflow};

const SHOP: &str = "type Order { id: string }\n";
const UNUSED: &str = "import { Order } from \"./shop.weave\"\n";

const FORMATS: [&str; 10] = ["human", "short", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "agent"];

fn project() -> Project {
    Project::new(&[("flows/a.weave", UNUSED), ("flows/shop.weave", SHOP), ("flows/b.weave", &workflow("greet"))])
}

#[test]
fn a_report_goes_to_standard_output() {
    let project = project();
    let run = project.run(&["lint", "flows", "--format", "agent"]).exits(0);
    assert_eq!(
        run.stdout,
        "flows/a.weave:1:10 unused-import `Order` is imported and never used | fix 1:1-2:1 \"import { Order } from \\\"./shop.weave\\\"\\n\" -> \"\"\n"
    );
    assert_eq!(run.stderr, "");
    let github = project.run(&["lint", "flows", "--format=github"]).exits(0).stdout;
    assert!(github.starts_with("::warning file=flows/a.weave,line=1,endLine=1,col=10,endColumn=15,title=unused-import::"), "{github}");
    let json = project.run(&["lint", "flows", "--format", "json"]).exits(0).stdout;
    for part in ["\"version\": \"1\"", "\"file\": \"flows/a.weave\"", "\"url\": \"docs/rules/unused-import.md\"", "\"files\": 3"] {
        assert!(json.contains(part), "no {part} in {json}");
    }
    let human = project.run(&["lint", "flows", "--format", "human"]).exits(0);
    assert!(human.stdout.starts_with("warning[unused-import]") && human.stderr == "1 warning in 1 file\n", "{human:?}");
}

#[test]
fn exit_codes_do_not_depend_on_the_format() {
    let project = project();
    project.write("wrong.weave", MISTAKE);
    for format in FORMATS {
        project.run(&["lint", "flows", "--format", format]).exits(0);
        project.run(&["lint", "flows", "--format", format, "--max-warnings", "0"]).exits(1).says("at most 0 are allowed");
        let run = project.run(&["check", "wrong.weave", "--format", format]).exits(1);
        assert!(run.stdout.contains("Nope"), "{format}: {}", run.stdout);
        project.run(&["check", "flows/b.weave", "--format", format]).exits(0);
    }
    project.run(&["lint", "flows", "--format", "xml"]).exits(2).says("checkstyle");
}

#[test]
fn a_report_goes_into_a_file_and_a_summary_to_the_terminal() {
    let project = project();
    for format in FORMATS {
        let printed = project.run(&["lint", "flows", "--format", format]).stdout;
        let name = format!("reports/all/{format}");
        let run = project.run(&["lint", "flows", "--format", format, "--output", &name]).exits(0);
        assert_eq!((run.stdout.as_str(), run.stderr), ("", format!("1 warning in 1 file; the report is in `{name}`\n")));
        assert_eq!(project.read(&name), printed);
    }
    assert_eq!(project.list("reports/all").len(), FORMATS.len(), "nothing is left beside the reports");
    project.run(&["lint", "flows", "-o", "plain.txt"]).exits(0);
    assert!(project.read("plain.txt").starts_with("warning[unused-import]"));
    let run = project.run(&["check", "flows", "--format", "junit", "-o", "clean.xml"]).exits(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", "No problems in 3 files.\n"));
    assert_eq!(project.read("clean.xml").matches("<testcase ").count(), 3);
    project.run(&["lint", "flows", "-o", "flows"]).exits(2).says("cannot write `flows`");
}

#[test]
fn statistics_count_rules() {
    let project = project();
    project.write("flows/c.weave", UNUSED);
    let run = project.run(&["lint", "flows", "--statistics"]).exits(0).says("2 warnings in 2 files\n2  unused-import  2 with a fix\n");
    assert!(run.stderr.starts_with("warning["), "{}", run.stderr);
    let run = project.run(&["lint", "flows", "--statistics", "--quiet"]).exits(0);
    assert_eq!(run.stderr, "2  unused-import  2 with a fix\n");
    let run = project.run(&["lint", "flows", "--statistics", "--format", "agent"]).exits(0);
    assert_eq!((run.stdout.lines().count(), run.stderr.lines().count()), (2, 1));
}

#[test]
fn standard_input_and_files_elsewhere_have_names_without_folders_of_the_machine() {
    let project = project();
    project.write("elsewhere/here/x", "");
    let run = project.run_with_input(&["check", "-", "--format", "agent"], MISTAKE).exits(1);
    assert!(run.stdout.starts_with("<stdin>:2:13 "), "{}", run.stdout);
    let path = project.path("flows").to_string_lossy().into_owned();
    let output = project.command(&["lint", &path, "--format", "agent"]).current_dir(project.path("elsewhere/here")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("../../flows/a.weave:1:10 "), "{said}");
}

#[test]
fn quiet_reports_errors_only() {
    let project = project();
    assert_eq!(project.run(&["lint", "flows", "-q", "--format", "agent"]).exits(0).stdout, "");
    let json = project.run(&["lint", "flows", "-q", "--format", "json"]).exits(0).stdout;
    assert!(json.contains("\"diagnostics\": []"), "{json}");
}

#[test]
fn commands_with_an_output_of_their_own_say_lines_on_standard_error() {
    let project = Project::new(&[("a.weave", MISTAKE)]);
    for command in ["compile", "check", "graph", "lint"] {
        let run = project.run(&[command, "a.weave", "--error-format", "agent"]).exits(1);
        assert!(run.stderr.starts_with("a.weave:2:13 unknown-name ") && run.stderr.lines().count() == 1, "{run:?}");
        let run = project.run(&[command, "a.weave", "--error-format", "github"]).exits(1);
        assert!(run.stderr.starts_with("::error file=a.weave,line=2,") && run.stdout.is_empty(), "{run:?}");
    }
}
