//! No command reads, checks or writes a file without the extension `.weave`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use crate::suite::weave;

const PROGRAM: &str = "tool look(id: int) -> { at: string }\nworkflow find(id: int) -> string {\n  step look { call look { id: .input.id } }\n  end done on look = .look.at\n}\n";

/// Files that a fix of `#` comments, single quotes or layout would change if they were read as programs.
const FOREIGN: [(&str, &str); 6] = [
    ("README.md", "# Title\n\n# Another title\n"),
    ("weave.toml", "# How bad each finding is.\n[lint]\n"),
    ("notes", "# no extension\n"),
    ("find.weave.bak", "# an old program\n"),
    ("deploy.sh", "#!/bin/sh\n# deploys 'it'\n"),
    ("find.WEAVE", "# other case\n"),
];

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in FOREIGN.iter().chain(&[("find.weave", PROGRAM)]) {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(weave()).args(arguments).current_dir(folder).env_clear().output().expect("weave can be started")
}

fn texts(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), weave_tests::read(&path))).collect()
}

/// Every command that takes programs.
const COMMANDS: [&[&str]; 15] = [
    &["lint", "--fix"],
    &["lint", "--fix-unsafe"],
    &["lint", "--fix", "--diff"],
    &["lint"],
    &["lint", "--write-baseline"],
    &["check"],
    &["fmt"],
    &["fmt", "--check"],
    &["fmt", "--lines", "1:2"],
    &["compile"],
    &["compile", "-o", "out"],
    &["graph"],
    &["gen", "typescript", "-o", "out"],
    &["diff", "find.weave"],
    &["ast"],
];

#[test]
fn no_command_takes_a_file_of_another_language() {
    let mut complaints = Vec::new();
    for command in COMMANDS {
        for (name, _) in FOREIGN {
            let folder = project();
            let before = texts(folder.path());
            let output = run(folder.path(), &[command, &[name]].concat());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let refusal = format!("error: `{name}` is not a .weave file\n");
            if output.status.code() != Some(2) || !said.starts_with(&refusal) || texts(folder.path()) != before {
                complaints.push(format!("weave {} {name}: {:?}\n{said}", command.join(" "), output.status.code()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn all_files_of_a_folder_by_a_pattern_change_none_of_them() {
    let folder = project();
    let before = texts(folder.path());
    let names: Vec<&str> = FOREIGN.iter().map(|(name, _)| *name).chain(["find.weave"]).collect();
    let output = run(folder.path(), &[&["lint", "--fix"], names.as_slice()].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("error: `README.md`, `weave.toml`, `notes` and 3 more are not .weave files\n"), "{said}");
    assert_eq!(texts(folder.path()), before);
}

#[test]
fn a_baseline_takes_the_place_of_nothing_else() {
    for (name, _) in FOREIGN {
        let folder = project();
        let before = texts(folder.path());
        let output = run(folder.path(), &["lint", "find.weave", &format!("--write-baseline={name}")]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert_eq!(texts(folder.path()), before, "{name}");
    }
}

#[test]
fn standard_input_is_a_program_under_any_name() {
    let folder = project();
    let input = std::fs::File::open(folder.path().join("find.weave")).expect("the file is there");
    let output = Command::new(weave()).args(["check", "-"]).stdin(input).output().expect("weave can be started");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn folders_without_programs_beside_others_are_skipped() {
    let folder = project();
    for name in ["web", "flows", "ignored"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
    }
    std::fs::write(folder.path().join("flows/a.weave"), PROGRAM).expect("a file can be written");
    std::fs::write(folder.path().join("ignored/b.weave"), PROGRAM).expect("a file can be written");
    std::fs::write(folder.path().join("ignored/.gitignore"), "*.weave\n").expect("a file can be written");
    let said = |paths: &[&str]| {
        let output = run(folder.path(), &[&["check"], paths].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(said(&["web", "flows", "ignored"]), (Some(0), "No problems in 1 file.\n".to_owned()));
    let (code, text) = said(&["web"]);
    assert_eq!((code, text.lines().next()), (Some(2), Some("error: there is no .weave file in the folder `web`")));
    let (code, text) = said(&["ignored"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("help: `ignored/b.weave` is skipped"), "{text}");
}

#[test]
fn a_graph_has_the_format_of_its_name() {
    let folder = project();
    let graph = |arguments: &[&str]| run(folder.path(), &[&["graph", "find.weave"], arguments].concat()).status.code();
    for name in ["x.png", "x.pdf", "x.jpeg"] {
        assert_eq!(graph(&["-o", name]), Some(2), "{name}");
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    for (name, start) in
        [("x.svg", "<svg"), ("x.dot", "digraph"), ("x.gv", "digraph"), ("x.json", "{"), ("x.mmd", "flowchart"), ("x", "flowchart")]
    {
        assert_eq!(graph(&["-o", name]), Some(0), "{name}");
        let text = weave_tests::read(&folder.path().join(name));
        assert!(text.trim_start().contains(start), "{name}: {text}");
    }
    assert_eq!(graph(&["-o", "x.txt", "--format", "mermaid"]), Some(0));
}
