//! Generated TypeScript is laid out as prettier lays it out: that of the examples, of the fixtures and of the suite, with names as they are
//! and with names of any length, and that of programs that nobody wrote.

use std::collections::BTreeMap;

use weave_codegen::{Options, Place, Target, Templates, generate, scaffold, templates};
use weave_ir::package::{Package, Shape};
use weave_tests::node::{extension, run_in};
use weave_tests::packages::{Folder, fixtures, packages, program};
use weave_tests::program::Program;
use weave_tests::random::Random;
use weave_tests::{files_below, programs, read, root};

/// How many random programs are looked at.
const RANDOM: u64 = 20;

/// How often the names of a program are made longer.
const LENGTHENED: u64 = 2;

#[test]
fn prettier_would_change_nothing() {
    let folder = Folder::new("", [], &root(), &[]);
    let written = [program(&root().join("examples")), program(&fixtures()), program(&root().join("tests/fixtures/mcp"))];
    let mut files = 0;
    for (at, program) in written.iter().enumerate() {
        files += write(&folder, &format!("as-it-is-{at}"), program, true);
        for seed in 0..LENGTHENED {
            files += write(&folder, &format!("longer-{at}-{seed}"), &lengthened(program, seed), false);
        }
    }
    let suite = files_below(&root().join("tests/suite/lower"), "weave");
    let suite = suite.iter().enumerate().map(|(at, path)| (format!("suite-{at}"), Program::one(&read(path))));
    let random = (0..RANDOM).map(|seed| (format!("random-{seed}"), Program::one(&programs::generate(seed, 14))));
    // Some of them import others.
    for (place, program) in suite.chain(random).filter(|(_, program)| program.check().diagnostics.iter().all(|it| !it.is_error())) {
        files += write(&folder, &place, &program, false);
    }
    files += write(&folder, "texts", &texts(), false);
    assert!(files > 500, "there are only {files} files");
    // What it does not like, it lists.
    let prettier = extension().join("node_modules/prettier/bin/prettier.cjs").to_string_lossy().into_owned();
    let words = [&prettier, "--no-config", "--log-level=warn", "--check", "."].map(str::to_owned);
    run_in(folder.path(), "node", &words).unwrap_or_else(|problem| panic!("{problem}"));
}

/// Writes all that is generated for a program, with what all packages share if it is asked for, and says how many files that is.
fn write(folder: &Folder, place: &str, program: &Program, with_shared: bool) -> usize {
    let packages = packages(program);
    let builders = program.check().snapshot.builders().expect("what is right can be written");
    let options = Options { builders: Some(builders), mcp: true, ..Options::default() };
    let mut files = generate(Target::TypeScript, &packages, &options).expect("TypeScript has a form for everything");
    files.retain(|file| with_shared || !file.path.starts_with("_weave/") || file.path.ends_with("/parts.ts"));
    for file in &files {
        folder.write(&format!("{place}/gen/{}", file.path), &file.contents);
    }
    let ours = Templates::new(templates(Target::TypeScript), &BTreeMap::new()).expect("our templates can be read");
    let known = Place { import_path: "../generated".to_owned(), ..Place::default() };
    let skeletons = scaffold(Target::TypeScript, &packages, &known, &ours).expect("our templates give texts");
    for skeleton in &skeletons {
        folder.write(&format!("{place}/service/{}", skeleton.path), &skeleton.contents);
    }
    files.len() + skeletons.len()
}

/// The program with other names for its types, and for tools and fields whose names are no words of the language: each is longer by up to 300
/// characters.
fn lengthened(program: &Program, seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut names: Vec<(String, String)> = Vec::new();
    for (name, limit) in names_of(&packages(program)) {
        if random.chance(60) {
            let longest = *random.pick(&[8, 24, 70, 300]);
            let pad = "abcdefghij".repeat(30);
            let pad = &pad[..(1 + random.below(longest)).min(limit - name.len().min(limit))];
            names.push((name.clone(), format!("{name}{pad}")));
        }
    }
    let mut other = program.clone();
    for text in other.files.values_mut() {
        let mut out = String::new();
        for word in text.split_inclusive(|it: char| !it.is_ascii_alphanumeric() && it != '_') {
            let (name, behind) = word.split_at(word.trim_end_matches(|it: char| !it.is_ascii_alphanumeric() && it != '_').len());
            out += names.iter().find(|(from, _)| from == name).map_or(name, |(_, to)| to.as_str());
            out += behind;
        }
        *text = out;
    }
    other
}

/// A program whose texts and keys have quotes in them, and characters that take two columns, one or none: as many as fit into a line, and more.
fn texts() -> Program {
    let mut text = String::new();
    for (at, pieces) in ["日", "é", "e\u{301}", "👍🏽", "❤️", "한", "ก็", "\\\"", "'", "\\\\", "ｗ"].into_iter().enumerate()
    {
        for count in [1, 2, 9, 14, 18, 21, 25, 29, 33, 37, 42, 58, 66] {
            let piece = pieces.repeat(count);
            text += &format!(
                "/// {pieces}\ntype Of{at}x{count} {{ a: \"{piece}\" | \"b\", \"{piece}\": string, \"it's\": string = \"{piece}\" }}\n"
            );
            text += &format!("enum One{at}x{count} {{ a = \"{piece}\", b }}\nevent e{at}.x{count} {{ a: One{at}x{count} }}\n");
        }
    }
    text += "type Keys { \"größe\": int, \"日本\": int, \"𝒜\": int, \"1\": int, \"a-b\": json = [1, -2, 3.5], \"ܐ\": int, \"if\": json = { \"ﬀ\": [[1, 2], [3]] } }\n";
    Program::one(&text)
}

/// The names of types, and those of tools and fields with an underscore in them, each with how long it may be: providers take no tools with
/// long names.
fn names_of(packages: &[Package]) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for package in packages {
        for ty in &package.types {
            let is_declared = ty.name.starts_with(|first: char| first.is_ascii_uppercase());
            names.extend(is_declared.then(|| (ty.name.clone(), 300)));
            let (Shape::Record(record) | Shape::Error { data: record, .. }) = &ty.shape else { continue };
            names.extend(record.fields.iter().filter(|field| field.wire.contains('_')).map(|field| (field.wire.clone(), 300)));
        }
        names.extend(package.tools.iter().filter(|tool| tool.name.contains('_')).map(|tool| (tool.name.clone(), 40)));
    }
    names.retain(|name, _| name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') && name.trim_matches('_').len() > 3);
    names
}
