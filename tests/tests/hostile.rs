//! Names that mean something elsewhere: what is generated for programs full of them passes everything that checks it, in each language.

use std::process::Command;
use std::sync::OnceLock;

use serde_json::json;
use weave_codegen::{GenerateError, Options, OutputFile, Target, generate};
use weave_ir::package::{Builders, Package};
use weave_tests::hostile::{Hostile, hostile, words};
use weave_tests::node::{extension, run_in, settings, with_mcp};
use weave_tests::packages::{Folder, HEADER, packages};
use weave_tests::tools::{go_in, gofmt, python_with_checkers, staticcheck};
use weave_tests::{read, root, skeletons};

/// The words that names are made of.
fn known() -> &'static [Vec<String>; 2] {
    static WORDS: OnceLock<[Vec<String>; 2]> = OnceLock::new();
    WORDS.get_or_init(words)
}

/// A program with what is generated from.
struct Hunted {
    hostile: Hostile,
    packages: Vec<Package>,
    builders: Builders,
}

impl Hunted {
    fn new(seed: u64, files: usize) -> Self {
        let hostile = hostile(seed, files, 24, known());
        let checked = hostile.program.check();
        let builders = checked.snapshot.builders().expect("what is right can be written");
        Self { packages: packages(&hostile.program), hostile, builders }
    }

    /// Everything that can be generated, with skeletons of services.
    fn folder(&self, target: Target, place: &str, import_path: &str, folder: impl FnOnce(&[OutputFile]) -> Folder) -> Folder {
        // What serves tools over MCP is the same text for all programs, and needs its SDK in Go.
        let options = Options {
            import_path: import_path.to_owned(),
            builders: Some(self.builders.clone()),
            mcp: target != Target::Go,
            header: HEADER.to_owned(),
        };
        let files = match generate(target, &self.packages, &options) {
            Ok(files) => files,
            Err(GenerateError::Cycle(files)) => panic!("files that do not use each other are a cycle: {files:?}"),
        };
        let folder = folder(&files);
        let path = if target == Target::Go {
            import_path
        } else if place.is_empty() {
            "gen"
        } else {
            "../gen"
        };
        skeletons::write(&folder, target, &self.packages, place, path);
        folder
    }

    /// What a checker says is nothing; else the program is told.
    fn expect(&self, said: Result<String, String>) {
        if let Err(said) = said {
            let said: String = said.chars().take(6_000).collect();
            let files: Vec<String> = self.hostile.program.files.iter().map(|(name, text)| format!("==== {name}\n{text}")).collect();
            let place = std::env::temp_dir().join(format!("weave-hostile-{}.txt", std::process::id()));
            let _ = std::fs::write(&place, files.concat());
            panic!("{said}\nthe program stands in {}", place.display());
        }
    }
}

fn texts(files: &[OutputFile]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|file| (file.path.as_str(), file.contents.as_str()))
}

fn go(hunted: &Hunted) {
    let folder = hunted.folder(Target::Go, "", "weave.test/gen", |files| Folder::new("", texts(files), &root(), &[]));
    folder.write("go.mod", "module weave.test\n\ngo 1.24\n");
    let listed = gofmt(folder.path());
    hunted.expect(if listed.is_empty() { Ok(listed) } else { Err(format!("gofmt would lay these out otherwise: {listed}")) });
    hunted.expect(go_in(folder.path(), &["vet", "./..."]));
    hunted.expect(staticcheck(folder.path(), "./..."));
}

fn typescript(hunted: &Hunted) {
    let folder = hunted.folder(Target::TypeScript, "src/", "", |files| Folder::below(with_mcp(), "src/", texts(files), &root(), &[]));
    folder.write("package.json", r#"{ "type": "module" }"#);
    folder.write("all.json", &settings(&["src"], &["node"]));
    folder.write("eslint.config.mjs", &read(&root().join("tests/tools/typescript/eslint.config.mjs")));
    let compiler = extension().join("node_modules/typescript/bin/tsc").to_string_lossy().into_owned();
    hunted.expect(run_in(folder.path(), "node", &[compiler, "-p".to_owned(), "all.json".to_owned()]));
    let modules = extension().join("node_modules");
    let output = Command::new("node")
        .arg(modules.join("eslint/bin/eslint.js"))
        .arg("src")
        .current_dir(folder.path())
        .env("TYPESCRIPT_ESLINT", modules.join("typescript-eslint/dist/index.js"))
        .output()
        .expect("Node can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    hunted.expect(if output.status.success() { Ok(said) } else { Err(said) });
}

fn python(hunted: &Hunted) {
    let folder = hunted.folder(Target::Python, "", "gen", |files| Folder::new("", texts(files), &root(), &[]));
    let settings = json!({ "include": ["."], "typeCheckingMode": "strict", "pythonVersion": "3.11" });
    folder.write("pyrightconfig.json", &settings.to_string());
    let interpreter = python_with_checkers().get_program().to_string_lossy().into_owned();
    for words in [
        vec!["-m", "ruff", "format", "--check", "--diff", "--no-cache", "gen", "service"],
        vec!["-m", "ruff", "check", "--no-cache", "gen", "service"],
        vec!["-m", "mypy", "--strict", "."],
        vec!["-m", "pyright", "--pythonpath", &interpreter],
        vec!["-W", "error", "-c", IMPORTED],
    ] {
        let output = python_with_checkers().args(&words).current_dir(folder.path()).output().expect("the interpreter starts");
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        hunted.expect(if output.status.success() { Ok(said) } else { Err(format!("{words:?}\n{said}")) });
    }
}

/// Imports every module, without a warning.
const IMPORTED: &str = "import importlib, pathlib
for path in pathlib.Path('gen').rglob('*.py'):
    importlib.import_module('.'.join(path.with_suffix('').parts).removesuffix('.__init__'))
";

/// The program that is looked at in every run, with all kinds of declarations in it.
fn one() -> Hunted {
    let hunted = Hunted::new(1, 3);
    for kind in ["Type", "Error", "Event", "Tool", "Agent", "Prompt", "Workflow", "Other"] {
        let count = hunted.hostile.declared.get(kind).copied().unwrap_or_default();
        assert!(count >= 3, "{kind} is declared {count} times: {:?}", hunted.hostile.declared);
    }
    hunted
}

#[test]
fn go_passes_with_any_names() {
    go(&one());
}

#[test]
fn typescript_passes_with_any_names() {
    typescript(&one());
}

#[test]
fn python_passes_with_any_names() {
    python(&one());
}

/// `SEEDS=FROM..TO` says which programs are looked at, `LANGUAGE` in which language alone.
#[test]
#[ignore = "it takes as long as one likes; for changes of names in generated code"]
fn any_names_pass_for_long() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "100..120".to_owned());
    let (from, to) = seeds.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?))).expect("FROM..TO");
    let language = std::env::var("LANGUAGE").ok();
    for seed in from..to {
        let hunted = Hunted::new(seed, 8);
        eprintln!("seed {seed}: {:?}", hunted.hostile.declared);
        for (name, check) in [("go", go as fn(&Hunted)), ("typescript", typescript), ("python", python)] {
            if language.as_ref().is_none_or(|wanted| wanted == name) {
                check(&hunted);
            }
        }
    }
}

/// A text after whose first letters of words something hides: a mark that turns the direction, a tag character, a character without width.
fn with_hidden(text: &str) -> String {
    let mut hidden = String::new();
    let mut marks = ['\u{202e}', '\u{e0041}', '\u{200b}', '\u{2066}', '\u{ad}'].into_iter().cycle();
    for character in text.chars() {
        hidden.push(character);
        if character == ' ' {
            hidden.extend(marks.next());
        }
    }
    hidden
}

/// A program with something hidden in each documentation, comment and text.
fn program_with_hidden() -> weave_tests::program::Program {
    let mut program = weave_tests::program::Program::default();
    for path in weave_tests::examples() {
        let mut text = String::new();
        for line in read(&path).lines() {
            let (code, comment) = line.find("//").filter(|at| !line[..*at].contains('"')).map_or((line, ""), |at| line.split_at(at));
            // Texts are every other part between quotes; what is filled in is code, and so is what has no blank.
            let parts = code.split('"').enumerate().map(|(number, part)| {
                if number % 2 == 1 && !part.contains("{{") && !part.contains('\\') { with_hidden(part) } else { part.to_owned() }
            });
            text += &format!("{}{}\n", parts.collect::<Vec<_>>().join("\""), with_hidden(comment));
        }
        program = program.with(&weave_tests::suite::file_name(&path), &text);
    }
    program
}

#[test]
fn nothing_is_hidden_in_generated_files() {
    let program = program_with_hidden();
    let source: String = program.files.values().map(String::as_str).collect();
    assert!(source.chars().filter(|it| !weave_diagnostics::is_visible(*it) && *it != '\n').count() > 1_000);
    let checked = program.check();
    let builders = checked.snapshot.builders().expect("what is right can be written");
    let packages = packages(&program);
    let mut escapes = 0;
    for target in [Target::Go, Target::TypeScript, Target::Python] {
        let options = Options {
            import_path: "weave.test/gen".to_owned(),
            builders: Some(builders.clone()),
            mcp: true,
            header: with_hidden("Copyright of all of us"),
        };
        let files = generate(target, &packages, &options).expect("no two files use each other");
        let templates = weave_codegen::Templates::new(weave_codegen::templates(target), &std::collections::BTreeMap::new())
            .expect("our templates can be read");
        let place = weave_codegen::Place { import_path: "weave.test/gen".to_owned(), folder: "service".to_owned(), package: None };
        let skeletons = weave_codegen::scaffold(target, &packages, &place, &templates).expect("our templates give texts");
        let files = files.iter().map(|file| (&file.path, &file.contents)).chain(skeletons.iter().map(|file| (&file.path, &file.contents)));
        for (path, contents) in files {
            let hidden = |it: char| it != '\n' && it != '\t' && !weave_diagnostics::is_visible(it);
            let line = contents.lines().enumerate().find(|(_, line)| line.contains(hidden));
            assert!(line.is_none(), "{}: {path}: {line:?}", target.name());
            escapes += contents.to_lowercase().matches("202e").count();
        }
    }
    assert!(escapes > 20, "{escapes} marks are escapes");
}
