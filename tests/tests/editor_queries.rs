//! The queries of tree-sitter that each editor has: they fit the grammar, and their names are those of the editor.

use std::collections::BTreeSet;
use std::path::Path;

use tree_sitter::Query;
use tree_sitter_weave::LANGUAGE;
use weave_syntax::lex;
use weave_tests::expectation::report;
use weave_tests::{files_below, read, root};

/// What colours are called, up to the first dot: in themes of Helix, in those of Zed, and by Neovim.
const COLOURS: [(&str, &[&str]); 3] = [
    (
        "editors/helix/queries/weave/highlights.scm",
        &[
            "attribute",
            "type",
            "constructor",
            "constant",
            "string",
            "comment",
            "variable",
            "label",
            "punctuation",
            "keyword",
            "operator",
            "function",
            "tag",
            "namespace",
            "special",
            "markup",
        ],
    ),
    (
        "editors/zed/languages/weave/highlights.scm",
        &[
            "attribute",
            "boolean",
            "comment",
            "constant",
            "constructor",
            "embedded",
            "emphasis",
            "enum",
            "function",
            "keyword",
            "label",
            "namespace",
            "number",
            "operator",
            "property",
            "punctuation",
            "string",
            "tag",
            "text",
            "title",
            "type",
            "variable",
            "variant",
        ],
    ),
    (
        "editors/neovim/queries/weave/highlights.scm",
        &[
            "attribute",
            "boolean",
            "comment",
            "constant",
            "constructor",
            "function",
            "keyword",
            "label",
            "module",
            "number",
            "operator",
            "property",
            "punctuation",
            "string",
            "type",
            "variable",
        ],
    ),
];

fn query(text: &str) -> Result<Query, String> {
    Query::new(&LANGUAGE.into(), text).map_err(|error| error.to_string())
}

/// The queries in the mode of Emacs: the texts in its list of features.
fn queries_of_emacs() -> Vec<String> {
    let text = read(&root().join("editors/emacs/weave-mode.el"));
    let list = text.split_once("(defconst weave--ts-queries").and_then(|(_, rest)| rest.split_once("\n\n")).expect("the list of queries").0;
    let (mut found, mut open, mut escaped) = (Vec::new(), None::<String>, false);
    for character in list.chars() {
        match (&mut open, character) {
            (Some(query), _) if escaped => {
                query.push(character);
                escaped = false;
            }
            (Some(_), '\\') => escaped = true,
            (Some(_), '"') => found.extend(open.take()),
            (Some(query), _) => query.push(character),
            (None, '"') => open = Some(String::new()),
            (None, _) => {}
        }
    }
    // The last text says what the list is for.
    found.pop();
    found
}

#[test]
fn every_query_fits_the_grammar() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in ["neovim", "helix", "zed"].iter().flat_map(|editor| files_below(&root().join("editors").join(editor), "scm")) {
        count += 1;
        complaints.extend(query(&read(&path)).err().map(|error| format!("{}: {error}", path.display())));
    }
    for text in queries_of_emacs() {
        count += 1;
        complaints.extend(query(&text).err().map(|error| format!("weave-mode.el: {error}")));
    }
    report(&complaints);
    assert!(count >= 27, "only {count} queries");
}

#[test]
fn colours_have_the_names_of_each_editor() {
    let mut complaints = Vec::new();
    for (path, known) in COLOURS {
        let query = query(&read(&root().join(path))).expect("another test says what is wrong");
        let unknown = query.capture_names().iter().filter(|name| !known.contains(&name.split('.').next().unwrap_or_default()));
        complaints.extend(unknown.map(|name| format!("{path}: @{name}")));
    }
    report(&complaints);
}

#[test]
fn emacs_has_the_keywords_of_the_compiler() {
    let is_keyword = |word: &&str| lex(word).len() == 1 && lex(word).kind(0).is_keyword();
    let words = |path: &Path| -> BTreeSet<String> { read(path).split('"').filter(is_keyword).map(str::to_owned).collect() };
    let ours = words(&root().join("grammar/weave.lalrpop"));
    let mode = read(&root().join("editors/emacs/weave-mode.el"));
    let plain = mode.split_once("(defconst weave--declaration-words").and_then(|(_, rest)| rest.split_once("(defconst weave--built-in"));
    let plain: BTreeSet<String> = plain.expect("the lists of words").0.split('"').filter(is_keyword).map(str::to_owned).collect();
    assert_eq!(plain, ours);
    let coloured = queries_of_emacs();
    let coloured: BTreeSet<&str> = coloured.iter().flat_map(|query| query.split('"')).filter(is_keyword).collect();
    let literals = ["true", "false", "null"];
    assert_eq!(coloured, ours.iter().map(String::as_str).filter(|word| !literals.contains(word)).collect());
}
