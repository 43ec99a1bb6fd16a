//! Files that are made from other files and checked in, so that people can read them where they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::{Outcome, changes, drawings, ebnf, pages, picture, queries, settings, textmate, tree_sitter};

/// The folders whose pages are all generated: one that belongs to nothing any more is removed.
const PAGES: [&str; 3] = [CHANGES, DIAGNOSTICS, RULES];

const DIAGNOSTICS: &str = "docs/diagnostics";
const RULES: &str = "docs/rules";
const CHANGES: &str = "docs/changes";

/// Writes the generated files that are not current, and says which.
pub(crate) fn write(root: &Path) -> Outcome {
    let files = generate(root)?;
    for stale in stale(root, &files) {
        let path = root.join(&stale);
        match files.get(&stale) {
            Some(text) => {
                path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| unusable(&stale, &error))?;
                fs::write(&path, text).map_err(|error| unusable(&stale, &error))?;
                println!("wrote {}", stale.display());
            }
            None => {
                fs::remove_file(&path).map_err(|error| unusable(&stale, &error))?;
                println!("removed {}", stale.display());
            }
        }
    }
    Ok(())
}

/// Fails if a generated file is not current.
pub(crate) fn check(root: &Path) -> Outcome {
    let files = generate(root)?;
    let stale = stale(root, &files);
    let Some(first) = stale.first() else { return Ok(()) };
    let names = stale.iter().map(|path| format!("  {}", path.display())).collect::<Vec<_>>().join("\n");
    let found = fs::read_to_string(root.join(first)).unwrap_or_default();
    let expected = files.get(first).map_or("", String::as_str);
    let diff = TextDiff::from_lines(found.as_str(), expected).unified_diff().header("as it is", "as generated").to_string();
    Err(format!("these files are not what `cargo xtask generate` writes:\n{names}\n\n{}:\n{diff}", first.display()))
}

/// All generated files by their path from the root.
fn generate(root: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let grammar = PathBuf::from("grammar/weave.lalrpop");
    let text = fs::read_to_string(root.join(&grammar)).map_err(|error| unusable(&grammar, &error))?;
    let mut files = BTreeMap::new();
    files.insert(PathBuf::from("grammar/weave.ebnf"), ebnf::generate(&text)?);
    files.insert(PathBuf::from("editors/vscode/syntaxes/weave.tmLanguage.json"), textmate::generate(&text)?);
    files.insert(PathBuf::from("editors/vscode/snippets/weave.json"), snippets());
    files.insert(PathBuf::from("docs/limits.md"), pages::limits());
    files.insert(PathBuf::from("docs/providers.md"), weave_providers::page());
    files.insert(PathBuf::from("docs/weave-toml.schema.json"), weave_compiler::lint::config_schema_text());
    files.insert(PathBuf::from("docs/cli.md"), weave_cli::reference());
    files.insert(PathBuf::from("docs/weave-toml.md"), settings::generate());
    files.extend([picture::generate(root)?]);
    files.extend(drawings::generate(root)?);
    files.extend(tree_sitter::generate(root)?);
    files.extend(queries::generate(root)?);
    for (name, page) in pages::generate() {
        files.insert(Path::new(DIAGNOSTICS).join(name), page);
    }
    for (name, page) in pages::rules() {
        files.insert(Path::new(RULES).join(name), page);
    }
    for (name, page) in changes::generate() {
        files.insert(Path::new(CHANGES).join(name), page);
    }
    Ok(files)
}

/// The snippets of the language server in the form of VS Code, which has them where no server runs.
fn snippets() -> String {
    let alone = weave_ide::SNIPPETS.iter().filter(|snippet| !snippet.is_of_step());
    let snippets: serde_json::Map<String, serde_json::Value> = alone
        .map(|snippet| {
            let body: Vec<&str> = snippet.body.lines().collect();
            let value = serde_json::json!({ "prefix": snippet.words, "description": snippet.about, "body": body });
            (snippet.name.to_owned(), value)
        })
        .collect();
    format!("{:#}\n", serde_json::Value::Object(snippets))
}

/// The files that differ from what is generated, those that should not be there included.
fn stale(root: &Path, files: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let differs = files.iter().filter(|(path, text)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text));
    let mut stale = differs.map(|(path, _)| path.clone()).collect::<Vec<_>>();
    for folder in PAGES {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let pages = entries.map(|entry| Path::new(folder).join(entry.file_name()));
        stale.extend(pages.filter(|page| !files.contains_key(page)));
    }
    stale.sort();
    stale
}

fn unusable(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
