//! What `weave compile -o` leaves in its folder.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs::File;
use std::time::{Duration, SystemTime};

use common::{MISTAKE, Project, modified, workflow};

const COMPILE: [&str; 4] = ["compile", "flows", "-o", "out"];
const CHECK: [&str; 5] = ["compile", "flows", "-o", "out", "--check"];

fn two_workflows() -> Project {
    Project::new(&[("flows/greet.weave", &workflow("greet")), ("flows/wave.weave", &workflow("wave"))])
}

/// Makes all files of the folder look old, and gives the time that they then have.
fn age(project: &Project, folder: &str) -> SystemTime {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in project.list(folder) {
        File::options().write(true).open(project.path(folder).join(name)).unwrap().set_modified(old).unwrap();
    }
    old
}

#[test]
fn every_workflow_gets_its_files_and_the_manifest_lists_them() {
    let project = two_workflows();
    project.run(&COMPILE).exits(0).says("2 workflows in `out`: 5 files written");
    let files = ["greet.workflow.json", "greet.workflow.map.json", "manifest.json", "wave.workflow.json", "wave.workflow.map.json"];
    assert_eq!(project.list("out"), files);
    assert_eq!(project.read("out/greet.workflow.json"), project.run(&["compile", "flows/greet.weave"]).stdout);

    let manifest = weave_ir::Manifest::from_json(&project.read("out/manifest.json")).unwrap();
    assert_eq!(manifest.workflows.keys().collect::<Vec<_>>(), ["greet", "wave"]);
    let greet = &manifest.workflows["greet"];
    let definition = weave_ir::Definition::from_json(&project.read("out/greet.workflow.json")).unwrap();
    assert_eq!(greet.digest, definition.digest().unwrap());
    assert_eq!(greet.source, "flows/greet.weave");
    for (name, digest) in &manifest.files {
        assert_eq!(*digest, weave_ir::sha256(project.read(&format!("out/{name}")).as_bytes()), "{name}");
    }
    assert_eq!(manifest.files.len(), 4);
    let source_map = weave_ir::SourceMap::from_json(&project.read("out/greet.workflow.map.json")).unwrap();
    assert_eq!((source_map.digest, source_map.sources), (greet.digest.clone(), vec!["flows/greet.weave".to_owned()]));
}

#[test]
fn what_is_written_does_not_name_the_machine() {
    let project = two_workflows();
    project.run(&COMPILE).exits(0);
    let absolute = project.path("flows").to_str().unwrap().to_owned();
    project.run(&["compile", &absolute, "-o", "other"]).exits(0);
    for name in project.list("out") {
        assert_eq!(project.read(&format!("out/{name}")), project.read(&format!("other/{name}")), "{name}");
    }
}

#[test]
fn compact_files_have_the_same_digests() {
    let project = two_workflows();
    project.run(&COMPILE).exits(0);
    project.run(&["compile", "--compact", "flows", "-o", "small"]).exits(0);
    assert_eq!(project.read("small/greet.workflow.json").lines().count(), 1);
    let digest = |folder| weave_ir::Manifest::from_json(&project.read(folder)).unwrap().workflows["greet"].digest.clone();
    assert_eq!(digest("small/manifest.json"), digest("out/manifest.json"));
}

#[test]
fn files_that_need_no_change_are_not_touched() {
    let project = two_workflows();
    project.run(&COMPILE).exits(0);
    let old = age(&project, "out");
    project.run(&COMPILE).exits(0).says("nothing to do");
    assert!(project.list("out").iter().all(|name| modified(&project.path("out").join(name)) == old));

    project.write("flows/wave.weave", workflow("wave").replace("Hello", "Bye"));
    project.run(&COMPILE).exits(0);
    assert!(project.read("out/wave.workflow.json").contains("Bye"));
    for (name, same) in [("greet.workflow.json", true), ("wave.workflow.json", false), ("manifest.json", false)] {
        assert_eq!(modified(&project.path("out").join(name)) == old, same, "{name}");
    }
}

#[test]
fn files_that_are_not_produced_any_more_are_removed() {
    let project = two_workflows();
    project.write("out/notes.txt", "mine");
    project.write("out/other.workflow.json", "mine too");
    project.run(&COMPILE).exits(0);
    std::fs::remove_file(project.path("flows/wave.weave")).unwrap();
    project.run(&COMPILE).exits(0).says("1 file written, 2 removed");
    let left = ["greet.workflow.json", "greet.workflow.map.json", "manifest.json", "notes.txt", "other.workflow.json"];
    assert_eq!(project.list("out"), left);
}

#[test]
fn a_file_that_was_changed_since_is_not_removed() {
    let project = two_workflows();
    project.run(&COMPILE).exits(0);
    std::fs::remove_file(project.path("flows/wave.weave")).unwrap();
    project.write("out/wave.workflow.json", "precious");
    project
        .run(&COMPILE)
        .exits(0)
        .says("`out/wave.workflow.json` is no longer generated, but was changed")
        .says("1 file written, 1 removed");
    assert_eq!(project.read("out/wave.workflow.json"), "precious");
    assert!(!project.path("out/wave.workflow.map.json").exists());
}

#[test]
fn a_manifest_cannot_make_it_remove_files_elsewhere() {
    let project = two_workflows();
    project.write("precious.workflow.json", "mine");
    let digest = weave_ir::sha256(b"mine");
    let absolute = project.path("precious.workflow.json");
    let manifest = format!(
        "{{\"version\": \"1\", \"workflows\": {{}}, \"files\": {{\"../precious.workflow.json\": \"{digest}\", {absolute:?}: \"{digest}\"}}}}"
    );
    project.write("out/manifest.json", manifest);
    project.run(&COMPILE).exits(0);
    assert_eq!(project.read("precious.workflow.json"), "mine");
}

#[test]
fn the_manifest_of_another_program_is_not_overwritten() {
    let project = two_workflows();
    for foreign in ["{\"name\": \"app\", \"icons\": []}", "not json", "\u{fffd}"] {
        project.write("out/manifest.json", foreign);
        for arguments in [&COMPILE[..], &CHECK] {
            project.run(arguments).exits(2).says("`out/manifest.json` was not written by this version of weave");
        }
        assert_eq!((project.list("out"), project.read("out/manifest.json")), (vec!["manifest.json".to_owned()], foreign.to_owned()));
    }
}

#[test]
fn nothing_is_written_when_there_are_errors() {
    let project = two_workflows();
    project.write("flows/order.weave", MISTAKE);
    project.run(&COMPILE).exits(1).says("flows/order.weave:2:13").says("Nothing was written.");
    assert!(!project.path("out").exists());

    std::fs::remove_file(project.path("flows/order.weave")).unwrap();
    project.run(&COMPILE).exits(0);
    let old = age(&project, "out");
    project.write("flows/greet.weave", workflow("greet").replace("Hello", "Bye"));
    project.write("flows/wave.weave", MISTAKE);
    project.run(&COMPILE).exits(1);
    assert_eq!(project.list("out").len(), 5);
    assert!(project.list("out").iter().all(|name| modified(&project.path("out").join(name)) == old));
}

#[test]
fn check_names_what_differs_and_writes_nothing() {
    let project = two_workflows();
    let missing = project.run(&CHECK).exits(1).says("`out` is not up to date").says("`out/manifest.json` is missing");
    assert!(missing.stderr.contains("`out/greet.workflow.json` is missing") && !project.path("out").exists());

    project.run(&COMPILE).exits(0);
    project.run(&CHECK).exits(0).says("up to date");
    project.write("flows/greet.weave", format!("// another comment\n\n{}", workflow("greet")));
    let moved = project.run(&CHECK).exits(1).says("`out/greet.workflow.map.json` is out of date");
    assert!(!moved.stderr.contains("greet.workflow.json`"), "the definition is the same: {}", moved.stderr);

    project.run(&COMPILE).exits(0);
    let old = age(&project, "out");
    project.write("flows/greet.weave", workflow("bow"));
    std::fs::remove_file(project.path("out/wave.workflow.map.json")).unwrap();
    let expected = "\
error: `out` is not up to date
  `out/bow.workflow.json` is missing
  `out/bow.workflow.map.json` is missing
  `out/wave.workflow.map.json` is missing
  `out/manifest.json` is out of date
  `out/greet.workflow.json` is no longer generated
  `out/greet.workflow.map.json` is no longer generated
help: the same command without `--check` brings it up to date
";
    let run = project.run(&CHECK).exits(1);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str()), (expected, ""));
    assert_eq!(project.list("out").len(), 4);
    assert!(project.list("out").iter().all(|name| modified(&project.path("out").join(name)) == old));

    project.run(&COMPILE).exits(0);
    project.run(&CHECK).exits(0);
    project.write("out/bow.workflow.json", project.read("out/bow.workflow.json") + " ");
    project.run(&CHECK).exits(1).says("`out/bow.workflow.json` was changed since it was generated");
    project.run(&[&CHECK[..], &["--force"]].concat()).exits(1).says("`out/bow.workflow.json` is out of date");
}

#[test]
fn workflows_that_would_share_a_file_are_named_with_theirs() {
    let project =
        Project::new(&[("flows/a.weave", &workflow("pay")), ("flows/b.weave", &workflow("pay")), ("flows/c.weave", &workflow("Pay"))]);
    for arguments in [&COMPILE[..], &CHECK] {
        let run = project.run(arguments).exits(1).says("3 workflows would be written to `pay.workflow.json`");
        for name in ["pay in flows/a.weave", "pay in flows/b.weave", "Pay in flows/c.weave"] {
            assert!(run.stderr.contains(name), "{}", run.stderr);
        }
    }
    assert!(!project.path("out").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let project = two_workflows();
    project.write("file", "");
    project.run(&["compile", "flows", "-o", "file"]).exits(2).says("`file` is a file, not a folder");
    project.run(&["compile", "flows", "-o", "file/out"]).exits(2).says("file/out");

    // A file cannot take the name of a folder, and nothing is begun.
    project.write("out/wave.workflow.json/notes.txt", "");
    project.run(&COMPILE).exits(1).says("`out/wave.workflow.json` was not generated by weave");
    assert_eq!(project.list("out"), ["wave.workflow.json"]);
}

#[test]
fn files_without_workflows_give_an_empty_manifest() {
    let project = Project::new(&[("flows/types.weave", "type A { b: string }\n")]);
    project.run(&COMPILE).exits(0).says("0 workflows in `out`");
    assert_eq!(project.list("out"), ["manifest.json"]);
    project.run(&CHECK).exits(0);
}

#[cfg(unix)]
#[test]
fn others_may_read_what_is_written() {
    use std::os::unix::fs::PermissionsExt;
    let project = two_workflows();
    project.run(&COMPILE).exits(0);
    let mode = |name: &str| std::fs::metadata(project.path(name)).unwrap().permissions().mode() & 0o777;
    // As any new file: what the mask of the process leaves.
    assert_eq!(mode("out/greet.workflow.json"), mode("flows/greet.weave"));
}

#[test]
fn a_reader_never_sees_half_a_file() {
    let project = two_workflows();
    let texts = [workflow("greet"), workflow("greet").replace("Hello", &"Hello ".repeat(2_000))];
    let expected = texts.each_ref().map(|text| {
        project.write("flows/greet.weave", text);
        project.run(&COMPILE).exits(0);
        project.read("out/greet.workflow.json")
    });
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for turn in 0..20 {
                project.write("flows/greet.weave", &texts[turn % 2]);
                project.run(&COMPILE).exits(0);
            }
        });
        while !writer.is_finished() {
            let seen = project.read("out/greet.workflow.json");
            assert!(expected.contains(&seen), "{} bytes", seen.len());
        }
    });
}
