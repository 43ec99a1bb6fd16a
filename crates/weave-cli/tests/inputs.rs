//! Which files are read, and what is said about those that cannot be.
#![allow(clippy::unwrap_used)]

mod common;

use common::{MISTAKE, Project, workflow};

/// The files in which `weave check` finds the mistake, in the order in which it names them.
fn checked(project: &Project, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--error-format", "short"], arguments].concat();
    let run = project.run(&arguments).exits(1);
    run.stderr.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_stands_for_its_files_in_order() {
    let project = Project::new(&[
        ("b.weave", MISTAKE),
        ("a.weave", MISTAKE),
        ("notes.txt", MISTAKE),
        ("sub/c.weave", MISTAKE),
        (".hidden/d.weave", MISTAKE),
        ("folder.weave/e.weave", MISTAKE),
    ]);
    let all = ["a.weave", "b.weave", "folder.weave/e.weave", "sub/c.weave"];
    assert_eq!(checked(&project, &["."]), all);
    assert_eq!(checked(&project, &["folder.weave"]), ["folder.weave/e.weave"]);
    assert_eq!(checked(&project, &["sub", "a.weave"]), ["sub/c.weave", "a.weave"], "the order of the arguments");
    project.run(&["check", "notes.txt"]).exits(2).says("`notes.txt` is not a .weave file");
    let absolute = project.path("sub").to_str().unwrap().to_owned();
    assert_eq!(checked(&project, &[&absolute]), [format!("{absolute}/c.weave")], "names are as they were given");
}

#[test]
fn ignore_files_are_heeded_but_named_files_are_taken() {
    let project = Project::new(&[
        (".gitignore", "/build\n"),
        (".weaveignore", "draft*.weave\n"),
        ("a.weave", MISTAKE),
        ("draft1.weave", MISTAKE),
        ("build/b.weave", MISTAKE),
        ("sub/draft2.weave", MISTAKE),
        ("sub/c.weave", MISTAKE),
    ]);
    assert_eq!(checked(&project, &["."]), ["a.weave", "sub/c.weave"]);
    assert_eq!(checked(&project, &["sub"]), ["sub/c.weave"], "an ignore file above counts too");
    assert_eq!(checked(&project, &["draft1.weave", "build"]), ["draft1.weave", "build/b.weave"]);
}

#[cfg(unix)]
#[test]
fn links_in_folders_are_not_followed() {
    let project = Project::new(&[("flows/a.weave", MISTAKE), ("other/b.weave", MISTAKE)]);
    std::os::unix::fs::symlink(project.path("other"), project.path("flows/linked")).unwrap();
    std::os::unix::fs::symlink(project.path("other/b.weave"), project.path("flows/b.weave")).unwrap();
    std::os::unix::fs::symlink(project.path("flows"), project.path("flows/round")).unwrap();
    assert_eq!(checked(&project, &["flows"]), ["flows/a.weave"]);
    assert_eq!(checked(&project, &["flows/b.weave"]), ["flows/b.weave"], "one that is named is");
    assert_eq!(checked(&project, &["flows/linked"]), ["flows/linked/b.weave"]);
}

#[test]
fn a_file_that_is_given_twice_is_checked_once() {
    let project = Project::new(&[("sub/a.weave", MISTAKE)]);
    let absolute = project.path("sub/a.weave").to_str().unwrap().to_owned();
    assert_eq!(checked(&project, &["sub/a.weave", "sub", "./sub//a.weave", "sub/../sub/a.weave", &absolute]), ["sub/a.weave"]);
}

#[test]
fn detours_in_paths_are_left_out() {
    let project = Project::new(&[("flows/a.weave", MISTAKE), ("scripts/run.sh", "")]);
    assert_eq!(checked(&project, &["scripts/../flows"]), ["flows/a.weave"]);
    assert_eq!(checked(&project, &["./scripts/./../flows/../flows/a.weave"]), ["flows/a.weave"]);
    assert_eq!(checked(&project, &["flows/.."]), ["flows/a.weave"]);
}

#[cfg(unix)]
#[test]
fn behind_a_link_a_detour_leads_elsewhere() {
    let project = Project::new(&[("deep/down/x.txt", ""), ("deep/a.weave", MISTAKE)]);
    std::os::unix::fs::symlink(project.path("deep/down"), project.path("link")).unwrap();
    assert_eq!(checked(&project, &["link/../a.weave"]), ["link/../a.weave"]);
}

#[test]
fn a_folder_without_files_is_wrong_use() {
    let project = Project::new(&[("empty.weave/notes.txt", ""), ("ignored/.weaveignore", "*\n"), ("ignored/a.weave", MISTAKE)]);
    for command in ["check", "compile"] {
        project.run(&[command, "empty.weave"]).exits(2).says("there is no .weave file in the folder `empty.weave`");
        project.run(&[command, "ignored"]).exits(2).says("there is no .weave file in the folder `ignored`");
    }
}

#[test]
fn paths_that_do_not_exist_are_all_named() {
    let project = Project::new(&[("support.weave", &workflow("support")), ("flows/a.weave", MISTAKE)]);
    let run = project.run(&["check", "suport.weave", "flow", "flows/a.weave", "support", "quite/else.weave", "x.weave"]).exits(2);
    let expected = "\
error: cannot read `suport.weave`: no such file or folder
help: did you mean `support.weave`?
error: cannot read `flow`: no such file or folder
help: did you mean `flows`?
error: cannot read `support`: no such file or folder
help: did you mean `support.weave`?
error: cannot read `quite/else.weave`: no such file or folder
error: cannot read `x.weave`: no such file or folder
";
    assert_eq!(run.stderr, expected);
    project.run(&["check", "support.weave/a.weave"]).exits(2).says("part of its path is a file, not a folder");
}

#[test]
fn files_without_anything_are_clean() {
    let empty: [(&str, &[u8]); 5] = [
        ("empty.weave", b""),
        ("space.weave", b" \r\n\t\n"),
        ("comments.weave", b"// one\n/* two /* nested */ */\n//! three"),
        ("mark.weave", b"\xef\xbb\xbf"),
        ("line.weave", b"\n"),
    ];
    let project = Project::new(&[]);
    for (name, text) in empty {
        project.write(name, text);
        project.run(&["check", name]).exits(0).says("No problems in 1 file.");
    }
    project.run(&["compile", "empty.weave"]).exits(2).says("no workflow");
}

#[test]
fn byte_order_marks_and_line_ends_change_nothing() {
    let project = Project::new(&[("plain.weave", &workflow("greet"))]);
    project.write("crlf.weave", workflow("greet").replace('\n', "\r\n"));
    project.write("mark.weave", format!("\u{feff}{}", workflow("greet")));
    let plain = project.run(&["compile", "plain.weave"]).exits(0).stdout;
    assert_eq!(project.run(&["compile", "crlf.weave"]).exits(0).stdout, plain);
    assert_eq!(project.run(&["compile", "mark.weave"]).exits(0).stdout, plain);
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_the_place() {
    let project = Project::new(&[]);
    project.write("latin.weave", b"// one\ntype Caf\xe9 {}\n");
    project.write("wide.weave", b"\xff\xfet\0y\0p\0e\0");
    let run = project.run(&["check", "latin.weave", "wide.weave"]).exits(2);
    let expected = "\
error: cannot read `latin.weave`: it is not UTF-8 text: byte 0xE9 at offset 15, on line 2
help: save it as UTF-8 in your editor
error: cannot read `wide.weave`: it is not UTF-8 text; it looks like UTF-16
help: save it as UTF-8 in your editor
";
    assert_eq!(run.stderr, expected);
    project.run_with_input(&["check", "-"], b"\x80").exits(2).says("cannot read `<stdin>`: it is not UTF-8 text: byte 0x80 at offset 0");
    project.write("importer.weave", "import { A } from \"./latin.weave\"\ntype B { a: A }\n");
    project.run(&["check", "importer.weave"]).exits(1).says("it is not UTF-8 text: byte 0xE9 at offset 15, on line 2");
}

#[test]
fn a_nul_is_a_mistake_with_a_place() {
    let project = Project::new(&[("nul.weave", "type A {\n  b\0: string\n}\n")]);
    let run = project.run(&["check", "nul.weave"]).exits(1).says("nul.weave:2:4");
    assert!(!run.stderr.contains('\0'), "{:?}", run.stderr);
}

#[test]
fn texts_beyond_the_limit_are_refused() {
    let project = Project::new(&[]);
    // A file with a hole: 100 MB long, and nothing of it is written or read.
    std::fs::File::create(project.path("big.weave")).unwrap().set_len(100_000_000).unwrap();
    let run = project.run(&["compile", "big.weave", "-o", "out"]).exits(2);
    let expected = "\
error: cannot read `big.weave`: it is larger than the limit of 64 MiB: it has 100,000,000 bytes
help: split it into several files that import from each other
";
    assert_eq!(run.stderr, expected);
    assert!(!project.path("out").exists());
    project.write("importer.weave", "import { A } from \"./big.weave\"\ntype B { a: A }\n");
    project.run(&["check", "importer.weave"]).exits(1).says("larger than the limit of 64 MiB");
    let line = vec![b'x'; 100_000_000];
    project.run_with_input(&["check", "-"], line).exits(2).says("cannot read `<stdin>`: it is larger than the limit of 64 MiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_source_without_end_is_refused() {
    let project = Project::new(&[]);
    std::os::unix::fs::symlink("/dev/zero", project.path("zero.weave")).unwrap();
    project.run(&["check", "zero.weave"]).exits(2).says("cannot read `zero.weave`: it is larger than the limit of 64 MiB");
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read_are_named_with_the_reason() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("secret.weave", &workflow("secret")), ("closed/a.weave", MISTAKE)]);
    let closed = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(project.path("secret.weave"), closed.clone()).unwrap();
    // Whoever may read everything cannot see this.
    if std::fs::read(project.path("secret.weave")).is_ok() {
        return;
    }
    project.run(&["check", "secret.weave"]).exits(2).says("cannot read `secret.weave`: permission denied");
    std::fs::set_permissions(project.path("closed"), closed).unwrap();
    project.run(&["check", "."]).exits(2).says("cannot read `closed`: permission denied");
    std::fs::set_permissions(project.path("closed"), std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn an_import_that_is_a_folder_is_a_mistake() {
    let project = Project::new(&[("a.weave", "import { A } from \"./x.weave\"\ntype B { a: A }\n"), ("x.weave/notes.txt", "")]);
    project.run(&["check", "a.weave"]).exits(1).says("a.weave:1:").says("it is a folder");
}
