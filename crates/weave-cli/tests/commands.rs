//! What the commands print, where, and how they end.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{MISTAKE, Project, finish, workflow};

#[test]
fn help_is_short_and_has_examples_and_exit_codes() {
    let project = Project::new(&[]);
    let help = project.run(&["--help"]).exits(0);
    for part in ["Usage: weave", "compile ", "check ", "explain ", "Examples:", "Exit codes:", "  2  "] {
        assert!(help.stdout.contains(part), "no {part:?} in {}", help.stdout);
    }
    assert!(help.stdout.lines().count() < 80 && !help.stdout.contains("tokens"), "{}", help.stdout);
    assert_eq!(help.stderr, "");
    let version = project.run(&["--version"]).exits(0);
    assert_eq!(version.stdout, format!("weave {} (definition format 1)\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_use_ends_with_2_and_says_so_on_standard_error() {
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    for arguments in [&[][..], &["chek", "a.weave"], &["check"], &["compile", "a.weave", "--check"], &["check", "--colour", "a.weave"]] {
        let run = project.run(arguments).exits(2).says("weave");
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    project.run(&["chek", "a.weave"]).says("'check'");
}

#[test]
fn compile_prints_the_definition_and_nothing_else() {
    let project = Project::new(&[("greet.weave", &workflow("greet"))]);
    let pretty = project.run(&["compile", "greet.weave"]).exits(0);
    assert!(pretty.stdout.starts_with("{\n  \"weave\": ") && pretty.stdout.ends_with("}\n"), "{}", pretty.stdout);
    assert_eq!(pretty.stderr, "");
    let compact = project.run(&["compile", "--compact", "greet.weave"]).exits(0);
    assert!(compact.stdout.starts_with("{\"weave\":") && compact.stdout.ends_with("}\n"), "{}", compact.stdout);
    assert_eq!(compact.stdout.lines().count(), 1);
    assert_eq!(project.run(&["compile", "./greet.weave"]).stdout, pretty.stdout, "the same input gives the same bytes");
}

#[test]
fn mistakes_are_drawn_on_standard_error() {
    let project = Project::new(&[("flows/order.weave", MISTAKE)]);
    for command in ["check", "compile"] {
        let run = project.run(&[command, "flows/order.weave"]).exits(1).says("error[").says("flows/order.weave:2:13").says("^^^^");
        assert_eq!(run.stdout, "", "{command}");
        assert!(run.stderr.ends_with("1 error in 1 file\n"), "{}", run.stderr);
        assert!(!run.stderr.contains('\u{1b}'), "no colour in a pipe");
    }
}

#[test]
fn short_diagnostics_are_one_line_each() {
    let project = Project::new(&[("order.weave", MISTAKE)]);
    let run = project.run(&["check", "--error-format", "short", "order.weave"]).exits(1);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.starts_with("order.weave:2:13: error["), "{}", run.stderr);
}

#[test]
fn quiet_says_errors_only() {
    let project = Project::new(&[("order.weave", MISTAKE), ("greet.weave", &workflow("greet"))]);
    let errors = project.run(&["--quiet", "check", "order.weave"]).exits(1).says("error[");
    assert!(!errors.stderr.contains("1 error in"), "{}", errors.stderr);
    assert_eq!(project.run(&["check", "-q", "greet.weave"]).exits(0).stderr, "");
    assert_eq!(project.run(&["check", "greet.weave"]).exits(0).stderr, "No problems in 1 file.\n");
    assert_eq!(project.run(&["compile", "-q", "greet.weave", "-o", "out"]).exits(0).stderr, "");
}

#[test]
fn color_is_used_where_it_is_wanted() {
    let project = Project::new(&[("order.weave", MISTAKE)]);
    let colored = |arguments: &[&str], variable: Option<(&str, &str)>| {
        let run = finish(project.command(arguments).envs(variable).spawn().unwrap());
        run.stderr.contains('\u{1b}')
    };
    assert!(!colored(&["check", "order.weave"], None));
    assert!(colored(&["check", "order.weave", "--color", "always"], None));
    assert!(colored(&["check", "order.weave", "--color=always"], Some(("NO_COLOR", "1"))), "the option wins");
    assert!(colored(&["check", "order.weave"], Some(("CLICOLOR_FORCE", "1"))));
    assert!(!colored(&["check", "order.weave", "--color", "never"], Some(("CLICOLOR_FORCE", "1"))));
    assert!(!colored(&["check", "order.weave"], Some(("NO_COLOR", "1"))));
    assert!(colored(&["check", "absent.weave", "--color", "always"], None), "what cannot be read");
    assert!(colored(&["chek", "--color", "always"], None), "what cannot be understood");
    assert!(!colored(&["chek"], None));
}

#[test]
fn standard_output_takes_exactly_one_workflow() {
    let two = workflow("greet") + &workflow("wave");
    let project = Project::new(&[("a.weave", &two), ("b.weave", &workflow("bow")), ("types.weave", "type A { b: string }\n")]);
    let run = project.run(&["compile", "a.weave", "b.weave"]).exits(2).says("-o DIR");
    let names = ["3 workflows", "greet in a.weave", "wave in a.weave", "bow in b.weave"];
    assert!(names.iter().all(|name| run.stderr.contains(name)), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    project.run(&["compile", "types.weave"]).exits(2).says("no workflow in `types.weave`");
    project.run(&["check", "types.weave"]).exits(0);
}

#[test]
fn standard_input_is_a_file_of_the_current_folder() {
    let project = Project::new(&[("lib/types.weave", "type Name { first: string }\n")]);
    assert_eq!(project.run_with_input(&["compile", "-"], workflow("greet")).exits(0).stdout, {
        project.write("greet.weave", workflow("greet"));
        project.run(&["compile", "greet.weave"]).stdout
    });
    project.run_with_input(&["check", "-"], MISTAKE).exits(1).says("<stdin>:2:13");
    let import = "import { Name } from \"./lib/types.weave\"\ntype Person { name: Name }\n";
    project.run_with_input(&["check", "-", "-"], import).exits(0).says("No problems in 1 file.");
    let missing = "import { Name } from \"./lib/absent.weave\"\ntype Person { name: Name }\n";
    project.run_with_input(&["check", "-"], missing).exits(1).says("lib/absent.weave");
}

#[test]
fn explain_knows_every_id() {
    let project = Project::new(&[]);
    let list = project.run(&["explain"]).exits(0).stdout;
    let ids = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect::<Vec<_>>();
    assert!(!ids.is_empty(), "{list}");
    for id in &ids {
        let page = project.run(&["explain", id]).exits(0).stdout;
        // What `weave diff` tells is no mistake: its page shows a program before and after.
        let shown = [["This is reported:", "Use instead:"], ["Before:", "After:"]];
        let shows_both = shown.iter().any(|both| both.iter().all(|heading| page.contains(heading)));
        assert!(page.starts_with(&format!("{id} (")) && shows_both, "{page}");
    }
    let mistyped = format!("{}x", ids[0]);
    let run = project.run(&["explain", &mistyped]).exits(2).says(&format!("did you mean `{}`?", ids[0]));
    assert_eq!(run.stdout, "");
    project.run(&["explain", "quite-another-thing"]).exits(2).says("`weave explain` lists all of them");
    project.run(&["explain", &format!("error[{}]:", ids[0])]).exits(0);
}

#[test]
fn the_shell_and_the_manual_know_the_commands() {
    let project = Project::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = project.run(&["completions", shell]).exits(0).stdout;
        assert!(script.contains("compile") && script.contains("error-format"), "{shell}: {script}");
    }
    project.run(&["completions", "csh"]).exits(2).says("fish");
    let man = project.run(&["man"]).exits(0).stdout;
    for part in [".TH", "WEAVE COMPILE", "WEAVE EXPLAIN", "EXIT CODES", "error\\-format"] {
        assert!(man.contains(part), "no {part:?} in {man}");
    }
    assert!(!man.contains("TOKENS"), "{man}");
}

#[test]
fn the_front_end_can_be_looked_at() {
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    for (command, part) in [("ast", "Workflow"), ("tokens", "\"greet\"")] {
        let run = project.run(&[command, "a.weave"]).exits(0);
        assert!(run.stdout.contains(part), "{}", run.stdout);
        assert_eq!(project.run_with_input(&[command, "-"], workflow("greet")).exits(0).stdout, run.stdout);
        project.run(&[command, "absent.weave"]).exits(2).says("absent.weave");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let project = Project::new(&[]);
    for (arguments, input, code) in [(["compile", "-"], workflow("greet"), 0), (["check", "-"], MISTAKE.to_owned(), 1)] {
        let mut child = project.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        // Both are closed before the program has its input, so before it writes.
        drop(child.stdout.take());
        drop(child.stderr.take());
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let project = Project::new(&[("a.weave", &workflow("greet"))]);
    for arguments in [&["compile", "a.weave"][..], &["explain"], &["man"], &["--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = project.command(arguments).stdout(full).spawn().unwrap();
        finish(child).exits(2).says("cannot write to standard output: no space left on device");
    }
}
