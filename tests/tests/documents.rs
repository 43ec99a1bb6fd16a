//! Every program in the documents does what its fence says; `CONTRIBUTING.md` has the rule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_compiler::Example;
use weave_diagnostics::{Charset, summary};
use weave_tests::expectation::report;
use weave_tests::markdown::{Block, blocks};
use weave_tests::program::{Checked, Program};
use weave_tests::suite::file_name;
use weave_tests::{files_below, read, root};

/// What may stand around a fragment.
const SURROUNDINGS: &[(&str, &str)] =
    &[("", ""), ("workflow fragment() {\n", "}\n"), ("tool fragment() {\n", "}\n"), ("type Fragment {\n", "}\n"), ("type Fragment = ", "")];

fn documents() -> Vec<PathBuf> {
    let mut documents = files_below(&root().join("docs"), "md");
    documents.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root().join(name)));
    documents
}

#[test]
fn programs_in_documents() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in documents() {
        let blocks = blocks(&read(&path));
        for (index, block) in blocks.iter().enumerate() {
            let above = blocks.get(..index).unwrap_or_default();
            if block.info == "weave" || block.info.starts_with("weave,") {
                count += 1;
                let place = format!("{}:{}", path.strip_prefix(root()).expect("documents lie in the workspace").display(), block.line);
                complaints.extend(check(&path, block, above).err().map(|complaint| format!("{place}: {complaint}")));
            }
        }
    }
    report(&complaints);
    println!("{count} programs in documents");
}

#[test]
fn diagnostics_in_documents_are_what_is_printed() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in documents() {
        let blocks = blocks(&read(&path));
        for pair in blocks.windows(2) {
            let [program, shown] = pair else { continue };
            if program.info == "weave,error" && shown.info == "text" && shown.code.starts_with("error[") {
                count += 1;
                complaints
                    .extend(prints(&program.code, &shown.code).err().map(|said| format!("{}:{}: {said}", path.display(), shown.line)));
            }
        }
    }
    report(&complaints);
    println!("{count} outputs in documents");
}

/// The pages that people write; those of changes, diagnostics and rules show small programs as they stand in the source.
#[test]
fn programs_in_documents_are_formatted() {
    let generated = ["docs/changes", "docs/diagnostics", "docs/rules"].map(|folder| root().join(folder));
    let mut complaints = Vec::new();
    for path in documents().into_iter().filter(|path| !generated.iter().any(|folder| path.starts_with(folder))) {
        for block in blocks(&read(&path)).into_iter().filter(|block| matches!(block.info.as_str(), "weave" | "weave,warning")) {
            let formatted = weave_format::format(&weave_syntax::parse(Arc::from(block.code.as_str())));
            if formatted.as_deref() != Ok(&block.code) {
                complaints.push(format!("{}:{}: as `weave fmt` writes it:\n{}", path.display(), block.line, formatted.unwrap_or_default()));
            }
        }
    }
    report(&complaints);
}

/// Whether the compiler prints this about a program, in one of its two character sets. The file's name is the one that stands there.
fn prints(code: &str, shown: &str) -> Result<(), String> {
    let place = shown.lines().nth(1).and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
    let name = place.split(':').next().unwrap_or_default();
    let example = code.lines().any(|line| line.starts_with("// file: "));
    let checked = if example { Checked::from(Example::new(code).check()) } else { Program::default().with(name, code).check() };
    let drawings = [Charset::Ascii, Charset::Unicode].map(|charset| checked.drawn_with(charset));
    // The last line may be the summary of the command line.
    let summary = summary(&checked.diagnostics).unwrap_or_default();
    let shown = shown.trim_end();
    let shown = shown.strip_suffix(&summary).unwrap_or(shown).trim_end();
    if drawings.iter().any(|drawing| drawing.trim_end() == shown) {
        Ok(())
    } else {
        Err(format!("this is printed instead:\n{}", drawings[1]))
    }
}

fn check(path: &Path, block: &Block, above: &[Block]) -> Result<(), String> {
    match block.info.as_str() {
        "weave" => {
            let checked = compiled(path, block, above);
            if checked.diagnostics.is_empty() { Ok(()) } else { Err(format!("it should be clean, but gets\n{}", checked.drawing())) }
        }
        "weave,error" => {
            let checked = compiled(path, block, above);
            if checked.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
                Ok(())
            } else {
                Err("it should have an error".to_owned())
            }
        }
        "weave,warning" => {
            let checked = compiled(path, block, above);
            let warns = !checked.diagnostics.is_empty() && !checked.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
            if warns { Ok(()) } else { Err(format!("it should have warnings and no error, but gets\n{}", checked.drawing())) }
        }
        "weave,fragment" => fragment(&block.code),
        other => Err(format!("`{other}` is no kind of block; there are weave, weave,fragment, weave,warning and weave,error")),
    }
}

/// What the compiler makes of a block: the examples of diagnostics and rules stand alone, other programs may import from the examples, and from
/// the files that the page has shown before.
fn compiled(path: &Path, block: &Block, above: &[Block]) -> Checked {
    if ["docs/changes", "docs/diagnostics", "docs/rules"].iter().any(|folder| path.starts_with(root().join(folder))) {
        return Checked::from(Example::new(&block.code).check());
    }
    let examples = files_below(&root().join("examples"), "weave");
    let beside = |program: Program, path: &PathBuf| program.beside(&file_name(path), &read(path));
    let files: BTreeMap<&str, &str> = above.iter().filter_map(|block| Some((block.file.as_deref()?, block.code.as_str()))).collect();
    let program = examples.iter().fold(Program::one(&block.code), beside);
    files.into_iter().fold(program, |program, (name, text)| program.beside(name, text)).check()
}

/// Parses without an error in one of the surroundings.
fn fragment(code: &str) -> Result<(), String> {
    let parses = |(before, after): &(&str, &str)| !weave_syntax::parse(Arc::from(format!("{before}{code}{after}"))).has_errors();
    if SURROUNDINGS.iter().any(parses) {
        return Ok(());
    }
    let alone = Program::one(code).check().drawing();
    Err(format!("it parses neither as items nor as nodes, settings, fields or a type; as items it gets\n{alone}"))
}
