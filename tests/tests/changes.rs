//! What `weave diff` says: about the examples of its pages, the cases of the suite, and programs that did and did not change.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use weave_compiler::Example;
use weave_diff::{Class, KINDS, change_codes};
use weave_tests::expectation::{compare, report};
use weave_tests::mutations::chosen;
use weave_tests::random::Random;
use weave_tests::rewrite::{relaid, reordered};
use weave_tests::suite::group;
use weave_tests::versions::Compared;

use crate::examples::examples;
use crate::suite::weave;

/// What changed between two texts.
fn compared(old: &str, new: &str) -> Compared {
    Compared::of(&Example::new(old).check(), &Example::new(new).check())
}

#[test]
fn the_example_of_each_change_has_it_and_what_stays_has_none() {
    let mut complaints = Vec::new();
    for code in change_codes() {
        let found = compared(code.good, code.bad);
        if !found.ids().contains(&code.id) {
            complaints.push(format!("{}: the example has {:?}\n{}", code.id, found.ids(), found.drawing));
        }
        for text in [code.good, code.bad] {
            let same = compared(text, text);
            if !same.changes.is_empty() {
                complaints.push(format!("{}: an example differs from itself\n{}", code.id, same.drawing));
            }
        }
    }
    report(&complaints);
}

#[test]
fn the_declarations_of_changes_are_complete() {
    let mut complaints = Vec::new();
    let mut ids = BTreeSet::new();
    let others: BTreeSet<&str> = weave_compiler::pages().iter().map(|code| code.id).collect();
    for code in change_codes() {
        let said = [code.summary, code.explanation, code.bad, code.good].iter().all(|text| !text.trim().is_empty());
        let kebab = code.id.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        if !said || !kebab || !ids.insert(code.id) || others.contains(code.id) {
            complaints.push(format!("{}: the id is its own and in kebab-case, and all texts are there", code.id));
        }
    }
    assert_eq!(
        KINDS.iter().map(|kinds| kinds[0].class).collect::<Vec<_>>()[1..],
        [Class::Wire, Class::Behaviour, Class::InFlight, Class::Texts]
    );
    report(&complaints);
}

#[test]
fn every_change_has_a_case_that_shows_it_and_one_that_does_not() {
    let shown: Vec<String> = group("diff").iter().filter_map(|case| std::fs::read_to_string(case.file("changes.txt")).ok()).collect();
    let has = |id: &str| shown.iter().filter(|text| text.contains(&format!("[{id}]"))).count();
    let missing: Vec<&str> = change_codes().iter().map(|code| code.id).filter(|id| has(id) == 0 || has(id) == shown.len()).collect();
    assert!(missing.is_empty(), "no case of the suite shows these changes: {}", missing.join(", "));
}

#[test]
fn suite_changes() {
    let mut complaints = Vec::new();
    for case in group("diff") {
        let version = |name: &str| Example::new(&weave_tests::read(&case.file(name))).check();
        let (old, new) = (version("old.weave"), version("new.weave"));
        let forth = Compared::of(&old, &new);
        let back = Compared::of(&new, &old);
        complaints.extend(compare(&case.file("changes.txt"), (!forth.drawing.is_empty()).then_some(forth.drawing.as_str())).err());
        complaints.extend(compare(&case.file("back.txt"), (!back.drawing.is_empty()).then_some(back.drawing.as_str())).err());
    }
    report(&complaints);
}

#[test]
fn a_program_that_is_only_written_in_another_way_has_no_changes() {
    let mut complaints = Vec::new();
    for (title, program) in examples() {
        let old = program.check().snapshot;
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let mut other = program.clone();
            other.files.values_mut().for_each(|text| *text = relaid(&reordered(text, &mut random), &mut random));
            let found = Compared::of(&old, &other.check().snapshot);
            if !found.changes.is_empty() {
                complaints.push(format!("{title}, seed {seed}\n{}", found.drawing));
            }
        }
    }
    report(&complaints);
}

#[test]
fn a_definition_with_another_digest_has_changes_and_one_with_the_same_has_none() {
    let mut complaints = Vec::new();
    let (mut count, mut different) = (0, 0);
    for (title, program) in examples() {
        let name = program.roots[0].clone();
        let old = program.check();
        let text = program.files[&name].clone();
        for mutation in chosen(&text, 24, 7) {
            let mut mutated = program.clone();
            mutated.files.insert(name.clone(), mutation.apply(&text));
            let new = mutated.check();
            if new.snapshot.has_errors() {
                continue;
            }
            let found = Compared::of(&old.snapshot, &new.snapshot);
            let same = old.definitions() == new.definitions();
            count += 1;
            different += usize::from(!same);
            if same != found.changes.is_empty() || found.ids().contains(&"definition-changed") {
                complaints.push(format!("{title}: {}\n{}", mutation.kind, found.drawing));
            }
        }
    }
    println!("{count} mutations, {different} other definitions");
    assert!(different > 100, "only {different} mutations change a definition");
    report(&complaints);
}

/// Runs a program in a folder; what it prints, and its exit code.
fn run(folder: &Path, program: &Path, arguments: &[&str]) -> (String, i32) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect("the program can be started");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("what is printed is text")).concat();
    (said, output.status.code().expect("the program ends by itself"))
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"];
    let (said, code) = run(folder, Path::new("git"), &[&identity, arguments].concat());
    assert_eq!(code, 0, "git {arguments:?}: {said}");
}

#[test]
fn a_git_revision_is_compared_with_the_work_tree() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    let flow = |field: &str| {
        format!(
            "import {{ Order }} from \"../types/order.weave\"\n\nexternal event order.paid = Order\n\nworkflow ship() -> string {{\n  step paid {{ wait order.paid }}\n  end done on paid = .paid.{field}\n}}\n"
        )
    };
    write("types/order.weave", "type Order { id: string, note: string }\n");
    write("flows/ship.weave", &flow("id"));
    write("flows/old/other.weave", "workflow other() {\n  end done\n}\n");
    write(".weaveignore", "scratch/\n");
    write("scratch/broken.weave", "workflow {");
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "first"]);
    git(folder.path(), &["tag", "v1"]);

    let diff = |arguments: &[&str]| run(folder.path(), weave(), &[&["diff"], arguments].concat());
    assert_eq!(diff(&["--against", "v1"]), ("No changes in 2 workflows.\n".to_owned(), 0));

    write("types/order.weave", "type Order { id: string }\n");
    std::fs::remove_file(folder.path().join("flows/old/other.weave")).expect("a file can be removed");
    let (said, code) = diff(&["--against", "v1", "--format", "short"]);
    let expected = "types/order.weave:1:6: error[field-removed]: `Order.note` was removed\n\
                    v1:flows/old/other.weave:1:10: error[workflow-removed]: the workflow `other` was removed\n";
    let in_flight =
        "flows/ship.weave:6:8: error[answer-narrowed]: a run of `ship` that waits at `paid` may get an answer that no longer fits\n";
    assert_eq!((said, code), (format!("{in_flight}{expected}"), 1));

    // Only some files, a deleted one among them, from another folder.
    let flows = folder.path().join("flows");
    let (said, code) = run(&flows, weave(), &["diff", "--against", "HEAD", "old/other.weave", "--format", "short"]);
    assert_eq!((said.as_str(), code), ("HEAD:flows/old/other.weave:1:10: error[workflow-removed]: the workflow `other` was removed\n", 1));

    write(
        "weave.toml",
        "[[diff.accept]]\nid = \"field-removed\"\nitem = \"Order.note\"\nreason = \"nobody sent it\"\n[[diff.accept]]\nid = \"workflow-removed\"\nreason = \"never used\"\n[[diff.accept]]\nid = \"answer-narrowed\"\nitem = \"ship\"\nreason = \"no runs yet\"\n",
    );
    assert_eq!(diff(&["--against", "v1"]), ("No changes in 2 workflows.\n3 changes were accepted.\n".to_owned(), 0));

    let (said, code) = diff(&["--against", "v2"]);
    assert_eq!((said.lines().next(), code), (Some("error: there is no Git revision `v2` here"), 2));
    let (said, code) = diff(&["--against=--output=x"]);
    assert_eq!(
        (said.lines().next(), code),
        (Some("error: there is no Git revision `--output=x` here"), 2),
        "a revision is never an option"
    );
    let (said, code) = diff(&["--against", "v1", "../elsewhere"]);
    assert_eq!((said.lines().next(), code), (Some("error: `../elsewhere` is outside of the Git repository"), 2));

    let status = Command::new("git").args(["status", "--porcelain"]).current_dir(folder.path()).output().expect("git can be started");
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert_eq!(status, " D flows/old/other.weave\n M types/order.weave\n?? weave.toml\n", "nothing is written");
}

#[test]
fn without_git_and_outside_of_a_repository_there_is_a_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("a.weave"), "workflow a() {\n  end done\n}\n").expect("a file can be written");
    let ceiling = folder.path().parent().expect("the folder lies in another");
    let command = |path: Option<&Path>| {
        let mut command = Command::new(weave());
        command.args(["diff", "--against", "HEAD"]).current_dir(folder.path()).env("GIT_CEILING_DIRECTORIES", ceiling);
        path.map(|path| command.env("PATH", path));
        let output = command.output().expect("weave can be started");
        (String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned(), output.status.code())
    };
    assert_eq!(command(None), ("error: this folder is not in a Git repository".to_owned(), Some(2)));
    assert_eq!(command(Some(folder.path())), ("error: `git` cannot be started: there is no such program".to_owned(), Some(2)));
}
