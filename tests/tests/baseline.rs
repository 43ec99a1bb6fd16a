//! `weave lint --baseline`: a team with hundreds of old findings starts today.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use weave_compiler::lint::{Day, Group, Identity, Level, Options, Settings};
use weave_diagnostics::FileId;
use weave_format::format_text;
use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::random::Random;
use weave_tests::read;
use weave_tests::rewrite::{relaid, reordered};
use weave_tests::suite::group;

use crate::suite::weave;

/// A folder with a program in it.
struct Repository(tempfile::TempDir);

/// What a command printed about the files, and how it ended.
#[derive(Debug)]
struct Ended {
    code: i32,
    said: String,
}

impl Repository {
    /// Ten files with fifty findings each.
    fn with_500_findings() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        repository.write("shared.weave", "/// Something that has an id.\ntype Base {\n  id: string\n}\n");
        for file in 0..10 {
            repository.write(&format!("flows/f{file}.weave"), &program(file, "../shared.weave", (0..49).collect::<Vec<_>>().as_slice()));
        }
        repository
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        read(&self.path(name))
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "`{from}` does not stand in {name}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// Runs `weave` with these words.
    fn run(&self, words: &str) -> Ended {
        self.run_in(self.0.path(), words)
    }

    fn run_in(&self, folder: &Path, words: &str) -> Ended {
        let output = Command::new(weave()).args(words.split_whitespace()).current_dir(folder).env_clear().output().unwrap();
        assert!(output.stdout.is_empty(), "what is said about files goes to standard error");
        Ended { code: output.status.code().unwrap(), said: String::from_utf8(output.stderr).unwrap() }
    }

    /// A run with the baseline in which every warning counts.
    fn lint(&self) -> Ended {
        self.run("lint . --baseline .weave-baseline.json --max-warnings 0 --error-format short")
    }

    /// The same, and it must be green and say nothing else than that.
    fn stays_green(&self, after: &str) {
        let ended = self.lint();
        assert_eq!((ended.code, ended.said.as_str()), (0, GREEN), "after {after}");
    }
}

const GREEN: &str = "No findings in 11 files.\n500 findings of the baseline are not shown.\n";

/// What is said where a baseline is not used yet.
const HINT: &str =
    "Use it with `--baseline .weave-baseline.json`, or set `baseline = \".weave-baseline.json\"` under `[lint]` in weave.toml.";

/// A file with types that nobody uses, an import that nobody uses, and a workflow.
fn program(file: usize, shared: &str, types: &[usize]) -> String {
    let declared = |number: &usize| format!("type Unused{file}x{number} {{\n  id: string\n  name: string\n}}\n\n");
    let types: String = types.iter().map(declared).collect();
    format!(
        "import {{ Base }} from \"{shared}\"\n\n{types}workflow flow_{file}(name: string) {{\n  step ask {{\n    emit ai.request {{ prompt: \"greet {{{{.input.name}}}}\" }}\n  }}\n  end done on ai.response\n}}\n"
    )
}

/// How many findings a baseline has, in how many lines.
fn size(baseline: &str) -> (u64, usize) {
    let document: serde_json::Value = serde_json::from_str(baseline).unwrap();
    let findings = document["findings"].as_array().unwrap();
    (findings.iter().map(|entry| entry["count"].as_u64().unwrap()).sum(), findings.len())
}

#[test]
fn a_repository_with_500_findings_goes_green_and_red_on_one_more() {
    let repository = Repository::with_500_findings();
    assert_eq!(repository.run("lint . --max-warnings 0 --quiet --error-format short").code, 1);
    let written = repository.run("lint . --write-baseline");
    assert_eq!(
        (written.code, written.said.as_str()),
        (
            0,
            "Wrote 500 findings to `.weave-baseline.json`.\nUse it with `--baseline .weave-baseline.json`, or set `baseline = \".weave-baseline.json\"` under `[lint]` in weave.toml.\n"
        )
    );
    let baseline = repository.read(".weave-baseline.json");
    assert_eq!(size(&baseline), (500, 500));
    repository.stays_green("nothing");

    repository.change("flows/f0.weave", "type Unused0x0 ", "type OneMore {\n  id: string\n}\n\ntype Unused0x0 ");
    let red = repository.lint();
    assert_eq!(red.code, 1);
    assert!(red.said.contains("flows/f0.weave:3:6: warning[unused-type]"), "{}", red.said);
    assert!(red.said.contains("1 warning, and at most 0 are allowed") && red.said.lines().count() == 3, "{}", red.said);
    repository.change("flows/f0.weave", "type OneMore {\n  id: string\n}\n\n", "");
    repository.stays_green("taking it back");

    let again = repository.run("lint . --write-baseline --baseline .weave-baseline.json");
    assert_eq!(again.said, "`.weave-baseline.json` is up to date: 500 findings.\n");
    assert_eq!(repository.read(".weave-baseline.json"), baseline);
    let leftovers = std::fs::read_dir(repository.0.path()).unwrap().count();
    assert_eq!(leftovers, 3, "no temporary file stays");
}

#[test]
fn it_stays_green_when_code_moves_and_is_formatted() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");

    std::fs::remove_file(repository.path("flows/f3.weave")).unwrap();
    repository.write("flows/deep/renamed.weave", &program(3, "../../shared.weave", (0..49).collect::<Vec<_>>().as_slice()));
    repository.stays_green("moving a file");

    repository.write("flows/f4.weave", &program(4, "../shared.weave", (0..49).rev().collect::<Vec<_>>().as_slice()));
    repository.stays_green("reordering declarations");

    let text = repository
        .read("flows/f5.weave")
        .replace("\n  name", ",// the name\n\n       name")
        .replace("type", "type  ")
        .replace("import {", "import{");
    repository.write("flows/f5.weave", &format!("// A comment.\n\n{text}"));
    repository.stays_green("losing its layout");
    assert_eq!(repository.run("fmt .").code, 0);
    repository.stays_green("formatting everything");

    // What moves from one file into another is the same finding.
    let moved = "type Unused6x7 {\n  id: string\n  name: string\n}\n\n";
    repository.change("flows/f6.weave", moved, "");
    repository.change("flows/f7.weave", "type Unused7x0 ", &format!("{moved}type Unused7x0 "));
    repository.stays_green("moving a declaration into another file");
}

#[test]
fn what_is_mended_is_said_and_the_file_shrinks() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");
    let before = repository.read(".weave-baseline.json");
    for number in [3, 20, 48] {
        repository.change("flows/f2.weave", &format!("type Unused2x{number} {{\n  id: string\n  name: string\n}}\n\n"), "");
    }
    // What is allowed is not reported, so the baseline need not know it.
    repository.change("flows/f9.weave", "type Unused9x0 ", "@allow(unused-type, \"for later\")\ntype Unused9x0 ");
    let green = repository.lint();
    assert_eq!(
        (green.code, green.said.as_str()),
        (
            0,
            "No findings in 11 files.\n496 findings of the baseline are not shown.\n4 findings of the baseline `.weave-baseline.json` are gone:\n  flows/f2.weave: unused-type: the type `Unused2x20` is never used\n  \
             flows/f2.weave: unused-type: the type `Unused2x3` is never used\n  flows/f2.weave: unused-type: the type `Unused2x48` is never used\n  \
             flows/f9.weave: unused-type: the type `Unused9x0` is never used\nRun `weave lint PATH… --write-baseline` to shrink it.\n"
        )
    );
    assert_eq!(repository.run("lint . --write-baseline").code, 0);
    let after = repository.read(".weave-baseline.json");
    assert_eq!(size(&after), (496, 496));
    let gone: Vec<&str> = before.lines().filter(|line| !after.contains(line)).collect();
    assert_eq!((gone.len(), before.lines().count() - after.lines().count()), (4, 4), "no other line changes");
}

#[test]
fn fixes_mend_what_is_known_too() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");
    // Each file has an import that nobody uses.
    let fixed = repository.run("lint . --fix --baseline .weave-baseline.json --max-warnings 0");
    assert_eq!(fixed.code, 0);
    assert!(
        fixed.said.contains("10 fixes applied in 10 files.\n") && fixed.said.contains("490 findings of the baseline are not shown.\n"),
        "{}",
        fixed.said
    );
    assert!(fixed.said.contains("10 findings of the baseline `.weave-baseline.json` are gone:\n"), "{}", fixed.said);
    assert_eq!(repository.run("lint . --fix --write-baseline").said.lines().last(), Some(HINT));
    assert_eq!(size(&repository.read(".weave-baseline.json")), (490, 490));
}

#[test]
fn reports_for_programs_have_only_what_is_new() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");
    repository.change("flows/f0.weave", "type Unused0x0 ", "type OneMore {\n  id: string\n}\n\ntype Unused0x0 ");
    for format in ["json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "agent"] {
        let ended = repository.run(&format!("lint . --baseline .weave-baseline.json --format {format} --output report --max-warnings 0"));
        assert_eq!(ended.code, 1, "{}", ended.said);
        let report = repository.read("report");
        assert!(report.contains("OneMore") && !report.contains("Unused0x1"), "{format}:\n{report}");
    }
}

#[test]
fn a_run_over_some_files_says_and_changes_nothing_about_others() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");
    let before = repository.read(".weave-baseline.json");
    let some = repository.run("lint flows/f1.weave --baseline .weave-baseline.json --max-warnings 0");
    assert_eq!((some.code, some.said.as_str()), (0, "No findings in 1 file.\n50 findings of the baseline are not shown.\n"));
    let inside = repository.run_in(&repository.path("flows"), "lint . --baseline ../.weave-baseline.json --max-warnings 0");
    assert_eq!(inside.said, "No findings in 10 files.\n500 findings of the baseline are not shown.\n");
    // The same finding once more, in a file of its own, while the old one stands where it stood.
    repository.write("copy.weave", &repository.read("flows/f1.weave").replace("\"../", "\"./"));
    assert_eq!(repository.run("lint copy.weave --baseline .weave-baseline.json --max-warnings 0 --quiet").code, 1);
    std::fs::remove_file(repository.path("copy.weave")).unwrap();

    repository.change("flows/f1.weave", "type Unused1x0 {\n  id: string\n  name: string\n}\n\n", "");
    assert_eq!(repository.run("lint flows/f1.weave --write-baseline=.weave-baseline.json").code, 0);
    let after = repository.read(".weave-baseline.json");
    assert_eq!(before.lines().filter(|line| !after.contains(line)).count(), 1);
    assert_eq!(size(&after), (499, 499));
}

#[test]
fn weave_toml_names_the_baseline_and_an_option_leaves_it_out() {
    let repository = Repository::with_500_findings();
    repository.write("weave.toml", "[lint]\nbaseline = \"lint/known.json\"\n");
    let missing = repository.run("lint .");
    assert_eq!(missing.code, 2);
    assert!(
        missing.said.contains("cannot read the baseline `lint/known.json`") && missing.said.contains("--write-baseline"),
        "{}",
        missing.said
    );
    assert_eq!(repository.run("lint . --write-baseline").said, "Wrote 500 findings to `lint/known.json`.\n");
    assert!(repository.read("lint/known.json").contains("\"file\":\"../flows/f0.weave\""));
    assert_eq!(repository.run("lint . --max-warnings 0").said, GREEN);
    assert_eq!(repository.run_in(&repository.path("flows"), "lint f0.weave --max-warnings 0").code, 0);
    assert_eq!(repository.run("lint . --max-warnings 0 --no-baseline --quiet").code, 1);
}

#[test]
fn errors_are_never_in_a_baseline() {
    let repository = Repository::with_500_findings();
    repository.run("lint . --write-baseline");
    let before = repository.read(".weave-baseline.json");
    repository.change("flows/f0.weave", "on ai.response", "on ai.respons");
    let red = repository.lint();
    assert_eq!(red.code, 1);
    assert!(red.said.contains("error[") && !red.said.contains("baseline"), "{}", red.said);
    let written = repository.run("lint . --write-baseline");
    assert_eq!(written.code, 1);
    assert!(written.said.contains("error[") && written.said.ends_with("Nothing was written.\n"), "{}", written.said);
    assert_eq!(repository.read(".weave-baseline.json"), before);
}

#[test]
fn a_broken_baseline_is_shown_where_it_is_broken_and_never_overwritten() {
    let repository = Repository::with_500_findings();
    let cases = [
        (
            "{\n  \"version\": 9,\n  \"findings\": []\n}\n",
            ".weave-baseline.json:2:14: error[baseline-version]: baseline version 9 is unknown\n",
        ),
        (
            "{\n  \"version\": 1,\n  \"findings\": [\n    {\"rule\":\"a\"}\n  ]\n}\n",
            ".weave-baseline.json:4:16: error[baseline-syntax]: this is not a baseline: its JSON has another form\n",
        ),
        ("<<<<<<< mine\n", ".weave-baseline.json:1:1: error[baseline-syntax]: this is not a baseline: the text is not JSON\n"),
    ];
    for (text, said) in cases {
        repository.write(".weave-baseline.json", text);
        let ended = repository.lint();
        assert_eq!((ended.code, ended.said.as_str()), (2, said));
        assert_eq!(repository.run("lint . --write-baseline").code, 2);
        assert_eq!(repository.read(".weave-baseline.json"), text);
    }
}

/// What is known of the findings of all rules in a program.
fn identities(program: &Program) -> Vec<Identity> {
    let snapshot = program.check().snapshot;
    let settings = |_| Settings { groups: Group::ALL.map(|group| (group, Level::Warn)).into(), ..Settings::default() };
    let found = snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") });
    let mut identities = snapshot.identities(&found);
    identities.sort();
    identities
}

/// No finding of any rule depends on where its code stands or how it is laid out.
#[test]
fn layout_and_order_change_no_identity_of_any_rule() {
    let mut random = Random::new(7);
    let (mut complaints, mut rules) = (Vec::new(), BTreeSet::new());
    for case in group("lint") {
        let program = case.program();
        let changed = |program: &Program, change: &mut dyn FnMut(&str) -> String| Program {
            files: program.files.iter().map(|(name, text)| (name.clone(), change(text))).collect(),
            ..program.clone()
        };
        let mut compare = |what: &str, before: &[Identity], after: &[Identity], is_compared: fn(&str) -> bool| {
            let [before, after] = [before, after].map(|all| all.iter().filter(|it| is_compared(it.rule)).collect::<Vec<_>>());
            if before != after {
                let differs = before.iter().chain(&after).filter(|identity| before.contains(identity) != after.contains(identity));
                let differs: Vec<String> = differs.map(|identity| format!("  {identity:?}")).collect();
                complaints.push(format!("{}: {what} changes what these are known by:\n{}", case.title(), differs.join("\n")));
            }
        };
        let written = identities(&program);
        rules.extend(written.iter().map(|identity| identity.rule));
        let formatted = changed(&program, &mut |text| format_text(&text.into(), None, FileId(0)).expect("a case has no syntax error"));
        let before = identities(&formatted);
        // Parentheses hold the lines of a long guard together; where formatting makes them one line, they become needless.
        compare("formatting", &written, &before, |rule| rule != "redundant-parentheses");
        compare("another order", &before, &identities(&changed(&formatted, &mut |text| reordered(text, &mut random))), |_| true);
        let roots = formatted.roots.iter().rev().cloned().collect();
        compare("another order of files", &before, &identities(&Program { roots, ..formatted.clone() }), |_| true);
        // Comments come and go here: with them go a secret in one and what one allows, and a rule does not ask to take away what has one inside.
        if !formatted.files.values().any(|text| text.contains("allow-file")) {
            let relaid = changed(&formatted, &mut |text| relaid(text, &mut random));
            compare("another layout", &before, &identities(&relaid), |rule| {
                !["invisible-text", "secret-in-literal", "useless-parallel", "redundant-parentheses"].contains(&rule)
            });
        }
    }
    report(&complaints);
    assert!(rules.len() > 80, "only {} rules find something in the suite", rules.len());
}
