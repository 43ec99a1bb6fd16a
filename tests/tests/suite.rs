//! The golden suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use weave_tests::expectation::{compare, report};
use weave_tests::program::Checked;
use weave_tests::suite::{Case, file_name, group, programs};
use weave_tests::{files_below, read, root};

#[test]
fn suite_programs() {
    let cases = programs();
    let complaints = cases.iter().flat_map(check).collect::<Vec<_>>();
    report(&complaints);
    println!("{} programs", cases.len());
}

/// The complaints about one case.
fn check(case: &Case) -> Vec<String> {
    let program = case.program();
    if program.roots.is_empty() {
        return vec![format!("{}: the case has no .weave file", case.title())];
    }
    let checked = program.check();
    let drawing = checked.drawing();
    let mut complaints = Vec::new();
    complaints.extend(compare(&case.file("stderr.txt"), (!drawing.is_empty()).then_some(drawing.as_str())).err());
    let definitions = if matches!(case.group.as_str(), "lower" | "tools") { expected_definitions(&checked) } else { BTreeMap::new() };
    for (name, definition) in &definitions {
        complaints.extend(compare(&case.file(name), Some(definition)).err());
    }
    for path in files_below(&case.folder, "json") {
        let name = file_name(&path);
        if name != "map.json" && !definitions.contains_key(&name) {
            complaints.extend(compare(&path, None).err());
        }
    }
    complaints.extend(on_request(case, &checked));
    if case.group == "test" {
        complaints.extend(compare(&case.file("report.txt"), played(&checked).as_deref()).err());
    }
    if case.group == "lower" && checked.compiled.is_empty() && drawing.is_empty() {
        complaints.push(format!("{}: it has neither a workflow nor a diagnostic", case.title()));
    }
    complaints
}

/// What playing the tests of a program comes to; nothing if it has errors.
fn played(checked: &Checked) -> Option<String> {
    let tests = checked.snapshot.tests().ok().filter(|tests| !tests.tests.is_empty())?;
    let played = weave_testing::play(&checked.snapshot, &tests, &weave_testing::Filter::default(), &|| std::time::Duration::ZERO);
    let renderer =
        weave_diagnostics::Renderer { style: weave_diagnostics::Style::Full, charset: weave_diagnostics::Charset::Ascii, color: false };
    let mut said = String::new();
    for outcome in played.outcomes() {
        said.push_str(if outcome.failure.is_some() { "failed  " } else { "passed  " });
        said.push_str(&outcome.path);
        said.push('\n');
    }
    for failure in played.failures() {
        said.push('\n');
        said.push_str(&renderer.render(&failure, checked.snapshot.sources()));
    }
    Some(said)
}

/// The files with definitions: one workflow is the `definition`, of several each has its name.
fn expected_definitions(checked: &Checked) -> BTreeMap<String, String> {
    let definitions = checked.definitions();
    let alone = definitions.len() == 1;
    let name = |workflow: String| if alone { "definition.json".to_owned() } else { format!("{workflow}.workflow.json") };
    definitions.into_iter().map(|(workflow, definition)| (name(workflow), definition)).collect()
}

/// Expectations that are compared only where their file is.
fn on_request(case: &Case, checked: &Checked) -> Vec<String> {
    let text =
        || checked.snapshot.sources().iter().find(|(_, file)| file.name() == case.program().roots[0]).map(|(_, file)| file.text().clone());
    let text = text().unwrap_or_default();
    let map = checked.compiled.first().map(|compiled| compiled.source_map.to_json_pretty().expect("a source map is JSON"));
    let wanted = [
        ("map.json", map),
        ("ast.txt", Some(weave_compiler::debug::ast(&text))),
        ("tokens.txt", Some(weave_compiler::debug::tokens(&text))),
    ];
    let present = wanted.into_iter().map(|(name, found)| (case.file(name), found)).filter(|(path, _)| path.exists());
    present.filter_map(|(path, found)| compare(&path, found.as_deref()).err()).collect()
}

#[test]
fn suite_commands() {
    let cases = group("cli");
    let complaints = cases.iter().flat_map(run).collect::<Vec<_>>();
    report(&complaints);
    println!("{} cases of commands", cases.len());
}

/// Runs the commands of a case one after the other and compares what they print, what they leave and how they end.
fn run(case: &Case) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    copy(&case.folder, folder.path());
    let (mut stdout, mut stderr, mut exits) = (String::new(), String::new(), String::new());
    for line in read(&case.file("cmd")).lines().filter(|line| !line.trim().is_empty()) {
        let arguments = line.split_whitespace().skip_while(|word| *word == "weave");
        let output = Command::new(weave()).args(arguments).current_dir(folder.path()).env_clear().output().expect("weave can be started");
        stdout.push_str(&said(line, output.stdout));
        stderr.push_str(&said(line, output.stderr));
        let code = output.status.code().expect("weave ends by itself");
        exits.push_str(&if code == 0 { String::new() } else { format!("$ {line}\n{code}\n") });
    }
    let found = [("stdout.txt", stdout), ("stderr.txt", stderr), ("exit.txt", exits)]
        .map(|(name, said)| (name, (!said.is_empty()).then_some(said)));
    let mut complaints = found.iter().filter_map(|(name, found)| compare(&case.file(name), found.as_deref()).err()).collect::<Vec<_>>();
    for path in files_below(folder.path(), "json") {
        let name = path.strip_prefix(folder.path()).expect("the file lies in the folder");
        if !case.folder.join("expected").join(name).exists() && !case.folder.join(name).exists() && !weave_tests::expectation::blessing() {
            complaints.push(format!("{}: `{}` was written and is not expected", case.title(), name.display()));
            continue;
        }
        if case.folder.join(name).exists() {
            continue;
        }
        let expected = case.folder.join("expected").join(name);
        std::fs::create_dir_all(expected.parent().expect("a file lies in a folder")).expect("the suite can be written");
        complaints.extend(compare(&expected, Some(&read(&path))).err());
    }
    complaints
}

/// What a command printed, below the command; nothing if that was nothing.
fn said(command: &str, output: Vec<u8>) -> String {
    let text = untimed(&String::from_utf8(output).expect("what weave prints is text"));
    if text.is_empty() { text } else { format!("$ {command}\n{text}") }
}

/// A text in which `weave test` has taken no time.
fn untimed(text: &str) -> String {
    let (mut said, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once(", in ") {
        let digits = behind.len() - behind.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        said.push_str(before);
        said.push_str(", in ");
        rest = behind.get(digits..).filter(|rest| digits > 0 && rest.starts_with(" ms")).map_or(behind, |rest| {
            said.push('0');
            rest
        });
    }
    said + rest
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the case can be read") {
        let path = entry.expect("the case can be read").path();
        let name = file_name(&path);
        let target = to.join(&name);
        if path.is_dir() && name != "expected" {
            std::fs::create_dir(&target).expect("a folder can be made");
            copy(&path, &target);
        } else if path.extension().is_some_and(|extension| extension == "weave" || extension == "jsonl")
            || matches!(name.as_str(), "weave.toml" | ".weave-baseline.json")
        {
            std::fs::copy(&path, &target).expect("a file can be copied");
        }
    }
}

/// The program, built where it is not.
pub(crate) fn weave() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let build = ["build", "--quiet", "--package", "weave-cli", "--bin", "weave", "--message-format", "json-render-diagnostics"];
        let output = Command::new(env!("CARGO")).args(build).current_dir(root()).output().expect("cargo can be started");
        assert!(output.status.success(), "weave cannot be built:\n{}", String::from_utf8_lossy(&output.stderr));
        let messages = cargo_metadata::Message::parse_stream(output.stdout.as_slice()).map(|message| message.expect("cargo speaks JSON"));
        let mut programs = messages.filter_map(|message| match message {
            cargo_metadata::Message::CompilerArtifact(artifact) => artifact.executable,
            _ => None,
        });
        programs.next().expect("cargo says where the program is").into()
    })
}
