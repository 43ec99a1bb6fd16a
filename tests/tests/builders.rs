//! Builders in other languages: the programs that are generated for all workflows of the examples and of the suite, and some that people
//! wrote, put together the definitions that the compiler writes, to the byte; and mistakes in them are found.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use weave_codegen::{Options, OutputFile, Target, generate};
use weave_ir::package::{Builders, Package};
use weave_ir::{Definition, sha256};
use weave_tests::node::{extension, run_in, settings};
use weave_tests::packages::{Folder, fixtures, packages, program};
use weave_tests::program::Program;
use weave_tests::tools::{go_in, gofmt, python_with_checkers};
use weave_tests::{files_below, read, root};

/// The workflows of the examples, of the program with hostile names, and of the suite of definitions, all of them in one program each.
struct Built {
    packages: Vec<Package>,
    builders: Builders,
}

impl Built {
    fn new() -> Self {
        let mut built = Self { packages: Vec::new(), builders: Builders::default() };
        for program in [program(&root().join("examples")), program(&fixtures()), suite()] {
            let added = packages(&program);
            for package in &added {
                assert!(built.packages.iter().all(|it| it.name != package.name), "two packages are called {}", package.name);
            }
            built.packages.extend(added);
            let builders = program.check().snapshot.builders().expect("what is right can be written");
            built.builders.parts.extend(builders.parts);
            built.builders.workflows.extend(builders.workflows);
        }
        built
    }

    fn files(&self, target: Target, import_path: &str) -> Vec<OutputFile> {
        let options = Options { import_path: import_path.to_owned(), builders: Some(self.builders.clone()), ..Options::default() };
        generate(target, &self.packages, &options).expect("the language has a form for everything")
    }

    fn names(&self) -> Vec<String> {
        let with = self.packages.iter().filter(|package| !package.workflows.is_empty());
        with.map(|package| package.name.clone()).collect()
    }

    /// The canonical forms of all definitions, by the package and the workflow.
    fn definitions(&self) -> BTreeMap<String, String> {
        let all = self.packages.iter().flat_map(|package| package.workflows.iter().map(move |workflow| (package, workflow)));
        let canonical = |definition: &serde_json::Value| {
            let definition: Definition = serde_json::from_value(definition.clone()).expect("a definition is one");
            definition.canonical().expect("a definition can be written")
        };
        all.map(|(package, workflow)| (format!("{}/{}", package.name, workflow.name), canonical(&workflow.definition))).collect()
    }

    /// Compares what a program has printed: what it has `built`, what it has built `byHand`, and what it was told of each of its `mistakes`.
    fn compare(&self, printed: &str) {
        let printed: Value = serde_json::from_str(printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
        let texts = |key: &str| -> BTreeMap<String, String> {
            let entries = printed[key].as_object().unwrap_or_else(|| panic!("no {key} in {printed}"));
            entries.iter().map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned())).collect()
        };
        let (built, expected) = (texts("built"), self.definitions());
        assert!(expected.len() > 80, "only {} workflows", expected.len());
        for (name, definition) in &expected {
            let found = built.get(name).unwrap_or_else(|| panic!("nothing has built {name}"));
            assert_eq!(found, definition, "{name}");
            assert_eq!(built.get(&format!("{name} digest")), Some(&sha256(definition.as_bytes())), "{name}");
        }
        let by_hand = texts("byHand");
        assert_eq!(by_hand.keys().collect::<Vec<_>>(), ["greet/greet", "support/support"]);
        for (name, found) in &by_hand {
            assert_eq!(found, &expected[name], "{name}, written by hand");
        }
        let mistakes = texts("mistakes");
        assert!(mistakes.len() > 10, "only {} mistakes", mistakes.len());
        for (mistake, told) in &mistakes {
            assert_eq!(mistake, told);
        }
    }
}

/// Mistakes in programs of one language, each with the way to write it.
struct Mistakes {
    program: String,
    /// What is wrong with each, the mistake, and what is right.
    listed: Vec<[String; 3]>,
}

impl Mistakes {
    /// The list `tests/fixtures/builders/LANGUAGE.txt`, whose lines stand in the program of this name where that says `here`.
    fn new(language: &str, program: &str) -> Self {
        let mut listed: Vec<[String; 3]> = Vec::new();
        for line in read(&root().join(format!("tests/fixtures/builders/{language}.txt"))).lines().filter(|line| !line.is_empty()) {
            let (mark, text) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` is no line of a list"));
            let place = ["#", "-", "+"].iter().position(|it| *it == mark).unwrap_or_else(|| panic!("`{line}` is no line of a list"));
            if place == 0 {
                listed.push([text.to_owned(), String::new(), String::new()]);
            } else if let Some(last) = listed.last_mut() {
                assert_eq!(std::mem::replace(&mut last[place], text.to_owned()), "", "{}", last[0]);
            }
        }
        assert!(listed.len() > 20 && listed.iter().flatten().all(|text| !text.is_empty()), "{listed:?}");
        Self { program: read(&root().join("tests/tools/builders").join(program)), listed }
    }

    /// The program with what is right, or with all mistakes.
    fn program(&self, is_right: bool) -> String {
        let here =
            self.program.lines().find(|line| line.trim_start_matches([' ', '\t', '/', '#']) == "here").expect("the program says where");
        let margin = here.get(..here.len() - here.trim_start().len()).unwrap_or_default();
        let lines: Vec<String> = self.listed.iter().map(|it| format!("{margin}{}", it[if is_right { 2 } else { 1 }])).collect();
        self.program.replace(here, &lines.join("\n"))
    }

    /// A checker has refused each mistake, and nothing else, in what it `said` about the `file` with all of them.
    fn assert_refused(&self, file: &str, said: &str) {
        let first = 1 + self.program.lines().position(|line| line.trim_end().ends_with("here")).expect("the program says where");
        let at = |line: &str| {
            let rest = line.split_once(file)?.1.trim_start_matches([':', '(']);
            rest.split(|it: char| !it.is_ascii_digit()).next()?.parse::<usize>().ok()
        };
        let found: std::collections::BTreeSet<usize> = said.lines().filter_map(at).collect();
        let missed: Vec<&str> =
            self.listed.iter().enumerate().filter(|(index, _)| !found.contains(&(first + index))).map(|(_, it)| it[1].as_str()).collect();
        assert!(missed.is_empty(), "nobody refuses\n{}\n{said}", missed.join("\n"));
        let others: Vec<&usize> = found.iter().filter(|line| **line < first || **line >= first + self.listed.len()).collect();
        assert!(others.is_empty(), "something is wrong with lines {others:?}:\n{said}");
    }
}

/// The programs of the suite of definitions, each in a folder of its own.
fn suite() -> Program {
    let folder = root().join("tests/suite/lower");
    files_below(&folder, "weave").iter().fold(Program::default(), |program, path| {
        let name = path.strip_prefix(&folder).expect("the file lies in the folder").to_string_lossy().replace('\\', "/");
        program.with(&format!("lower/{name}"), &read(path))
    })
}

fn folder(files: &[OutputFile], place: &str, programs: &[&str]) -> Folder {
    let texts = files.iter().map(|file| (file.path.as_str(), file.contents.as_str()));
    Folder::new(place, texts, &root().join("tests/tools/builders"), programs)
}

fn run(folder: &Path, command: &str, words: Vec<String>) -> String {
    run_in(folder, command, &words).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn typescript_builds_all_definitions() {
    let built = Built::new();
    let folder = folder(&built.files(Target::TypeScript, ""), "src/", &["typescript.ts"]);
    folder.write("package.json", r#"{ "type": "module" }"#);
    // Builders must not need the types of Node.
    folder.write("generated.json", &settings(&["src/gen"], &[]));
    folder.write("all.json", &settings(&["src"], &["node"]));
    let compiler = extension().join("node_modules/typescript/bin/tsc").to_string_lossy().into_owned();
    for project in ["generated.json", "all.json"] {
        run(folder.path(), "node", vec![compiler.clone(), "-p".to_owned(), project.to_owned()]);
    }
    let words = std::iter::once("out/typescript.js".to_owned()).chain(built.names());
    built.compare(&run(folder.path(), "node", words.collect()));
}

/// The table of the programs: Go finds nothing by its name when it runs.
fn table(built: &Built, files: &[OutputFile]) -> String {
    let (mut imports, mut lines) = (String::new(), String::new());
    for file in files.iter().filter(|file| file.path.ends_with("builders/builders.go")) {
        let folder = file.path.trim_end_matches("/builders.go");
        let name = folder.rsplit('/').next().unwrap_or_default();
        let package = built.packages.iter().find(|package| name == format!("{}builders", package.name.replace('_', "")));
        let package = package.unwrap_or_else(|| panic!("no package has the builders {folder}"));
        imports.push_str(&format!("\t\"weave.test/gen/{folder}\"\n"));
        let functions = file.contents.lines().filter_map(|line| line.strip_prefix("func ")?.strip_suffix("() *w.Workflow {"));
        functions.for_each(|function| lines.push_str(&format!("\t{{{:?}, {name}.{function}}},\n", package.name)));
    }
    format!(
        "package main\n\nimport (\n{imports}\n\tw \"weave.test/gen/weaveruntime/weavebuild\"\n)\n\nvar programs = []struct {{\n\tpack  string\n\tbuild func() *w.Workflow\n}}{{\n{lines}}}\n"
    )
}

#[test]
fn go_builds_all_definitions() {
    let built = Built::new();
    let files = built.files(Target::Go, "weave.test/gen");
    let folder = folder(&files, "", &["main/main.go"]);
    folder.write("go.mod", "module weave.test\n\ngo 1.24\n");
    folder.write("main/programs.go", &table(&built, &files));
    let go = |words: &[&str]| go_in(folder.path(), words);
    assert_eq!(gofmt(folder.path()), "", "gofmt would lay these out otherwise");
    let said = |result: Result<String, String>| result.unwrap_or_else(|problem| panic!("{problem}"));
    said(go(&["vet", "./gen/weaveruntime/...", "./main"]));
    built.compare(&said(go(&["run", "./main"])));
}

#[test]
fn mistakes_do_not_compile_in_go() {
    let files = Built::new().files(Target::Go, "weave.test/gen");
    let folder = folder(&files, "", &[]);
    let mistakes = Mistakes::new("go", "mistakes.go");
    folder.write("go.mod", "module weave.test\n\ngo 1.24\n");
    folder.write("right/main.go", &mistakes.program(true));
    folder.write("wrong/wrong.go", &mistakes.program(false));
    go_in(folder.path(), &["vet", "./right"]).unwrap_or_else(|problem| panic!("{problem}"));
    let refused = go_in(folder.path(), &["build", "-gcflags=-e", "-o", "refused", "./wrong"]).expect_err("it is wrong");
    mistakes.assert_refused("wrong.go", &refused);
}

#[test]
fn mistakes_do_not_compile_in_typescript() {
    let folder = folder(&Built::new().files(Target::TypeScript, ""), "src/", &[]);
    let mistakes = Mistakes::new("typescript", "mistakes.ts");
    folder.write("package.json", r#"{ "type": "module" }"#);
    let compiler = extension().join("node_modules/typescript/bin/tsc").to_string_lossy().into_owned();
    let tsc = |name: &str, is_right: bool| {
        folder.write(&format!("src/{name}.ts"), &mistakes.program(is_right));
        folder.write(&format!("{name}.json"), &settings(&[&format!("src/{name}.ts")], &[]));
        run_in(
            folder.path(),
            "node",
            &[compiler.clone(), "-p".to_owned(), format!("{name}.json"), "--pretty".to_owned(), "false".to_owned()],
        )
    };
    tsc("right", true).unwrap_or_else(|problem| panic!("{problem}"));
    mistakes.assert_refused("wrong.ts", &tsc("wrong", false).expect_err("it is wrong"));
}

#[test]
fn mistakes_are_found_by_checkers_of_python() {
    let folder = folder(&Built::new().files(Target::Python, ""), "", &[]);
    let mistakes = Mistakes::new("python", "mistakes.py");
    folder.write("right.py", &mistakes.program(true));
    folder.write("wrong.py", &mistakes.program(false));
    let interpreter = python_with_checkers().get_program().to_string_lossy().into_owned();
    let python = |words: &[&str]| run_in(folder.path(), &interpreter, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    for (name, level) in [("right.py", "strict"), ("wrong.py", "standard")] {
        let settings = serde_json::json!({ "include": [name], "typeCheckingMode": level, "pythonVersion": "3.11" });
        folder.write(&format!("{name}.json"), &settings.to_string());
    }
    let mypy = |name: &str| python(&["-m", "mypy", "--strict", "--cache-dir", ".mypy_cache", name]);
    let pyright = |name: &str| python(&["-m", "pyright", "--pythonpath", &interpreter, "-p", &format!("{name}.json")]);
    for checked in [mypy("right.py"), pyright("right.py")] {
        checked.unwrap_or_else(|problem| panic!("{problem}"));
    }
    for refused in [mypy("wrong.py"), pyright("wrong.py")] {
        mistakes.assert_refused("wrong.py", &refused.expect_err("it is wrong"));
    }
}

#[test]
fn python_builds_all_definitions() {
    let built = Built::new();
    let folder = folder(&built.files(Target::Python, ""), "", &["python.py"]);
    let interpreter = python_with_checkers().get_program().to_string_lossy().into_owned();
    let python = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        run_in(folder.path(), &interpreter, &words)
    };
    let said = |result: Result<String, String>| result.unwrap_or_else(|problem| panic!("{problem}"));
    said(python(&["-m", "ruff", "format", "--check", "--diff", "--no-cache", "gen"]));
    said(python(&["-m", "ruff", "check", "--no-cache", "gen"]));
    let names = built.names();
    let words: Vec<&str> = std::iter::once("python.py").chain(names.iter().map(String::as_str)).collect();
    built.compare(&said(python(&words)));
    // All programs are made by one hand; those of a few packages are as good as all.
    let checked = ["gen/_weave/builder.py", "gen/support", "gen/research", "gen/refund", "gen/hostile", "gen/paths_input"];
    let checked: Vec<String> = checked.iter().flat_map(|place| files_of(folder.path(), place)).collect();
    let mut words = vec!["-m", "mypy", "--strict", "--cache-dir", ".mypy_cache", "python.py"];
    words.extend(checked.iter().map(String::as_str));
    said(python(&words));
    let settings = serde_json::json!({ "include": checked, "typeCheckingMode": "strict", "pythonVersion": "3.11" });
    folder.write("pyrightconfig.json", &settings.to_string());
    said(python(&["-m", "pyright", "--pythonpath", &interpreter]));
}

/// A file, or the modules of builders in a folder.
fn files_of(folder: &Path, place: &str) -> Vec<String> {
    if place.ends_with(".py") {
        return vec![place.to_owned()];
    }
    let modules = ["builders.py", "parts.py"].map(|name| format!("{place}/{name}"));
    modules.into_iter().filter(|path| folder.join(path).exists()).collect()
}
