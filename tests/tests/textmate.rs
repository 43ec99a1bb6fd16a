//! The grammar with which VS Code highlights, run by the highlighter of VS Code: it sees what the lexer and the grammar of tree-sitter see.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tree_sitter::Node;
use weave_syntax::{TokenKind, lex, parse};
use weave_tests::expectation::report;
use weave_tests::node::{extension, run_in};
use weave_tests::{files_below, read, root};

use crate::tree_sitter::tree;

const GRAMMAR: &str = "editors/vscode/syntaxes/weave.tmLanguage.json";

/// The scope at each byte of a text, innermost last.
struct Colours {
    /// In the order of the text: where a token starts, and its scopes.
    tokens: Vec<(usize, String)>,
}

impl Colours {
    /// From the lines of tokens of the highlighter, which counts UTF-16.
    fn new(text: &str, lines: &Value) -> Self {
        let mut tokens = Vec::new();
        let mut start = 0;
        for (line, found) in text.split('\n').zip(lines.as_array().expect("a list of lines")) {
            for token in found.as_array().expect("a list of tokens") {
                let units = token[0].as_u64().expect("a column") as usize;
                tokens.push((start + bytes(line, units), token[2].as_str().expect("scopes").to_owned()));
            }
            start += line.len() + 1;
        }
        Self { tokens }
    }

    fn at(&self, offset: usize) -> &str {
        let behind = self.tokens.partition_point(|(start, _)| *start <= offset);
        behind.checked_sub(1).map_or("", |index| &self.tokens[index].1)
    }
}

/// How many bytes these units of UTF-16 are.
fn bytes(line: &str, units: usize) -> usize {
    let mut left = units;
    let fits = |c: &char| {
        let fits = left >= c.len_utf16();
        left = left.saturating_sub(c.len_utf16());
        fits
    };
    line.chars().take_while(fits).map(char::len_utf8).sum()
}

/// The programs on which both are compared: the examples, one with every construct, and those of the suite that can be read.
fn programs() -> Vec<PathBuf> {
    let folders = ["examples", "grammar", "tests/fixtures", "tests/suite"].map(|folder| root().join(folder));
    let mut programs = folders.iter().flat_map(|folder| files_below(folder, "weave")).collect::<Vec<_>>();
    programs.retain(|path| std::fs::read_to_string(path).is_ok_and(|text| is_right(&text)));
    programs
}

fn is_right(text: &str) -> bool {
    let syntax = parse(Arc::from(text));
    !syntax.has_errors() && syntax.diagnostics(weave_diagnostics::FileId(0)).is_empty()
}

/// What the highlighter says about these files.
fn colours(files: &[PathBuf]) -> Vec<Colours> {
    let mut words = vec!["test/tokens.mjs".to_owned(), root().join(GRAMMAR).display().to_string()];
    words.extend(files.iter().map(|file| file.display().to_string()));
    let said = run_in(extension(), "node", &words).unwrap_or_else(|problem| panic!("{problem}"));
    let said: Value = serde_json::from_str(&said).expect("the highlighter prints JSON");
    let lists = said.as_array().expect("a list of files");
    files.iter().zip(lists).map(|(file, lines)| Colours::new(&read(file), lines)).collect()
}

/// What must be the colour of a token of the lexer, if it has one by itself.
fn expected(kind: TokenKind) -> Option<&'static [&'static str]> {
    Some(match kind {
        TokenKind::LineComment | TokenKind::BlockComment | TokenKind::ModuleDoc | TokenKind::Doc => &["comment."],
        TokenKind::String => &["string.quoted.double."],
        TokenKind::TextBlock => &["string.quoted.triple."],
        TokenKind::Number => &["constant.numeric.weave"],
        TokenKind::Duration => &["constant.numeric.duration.weave"],
        TokenKind::Identifier => &["variable.", "entity.", "support.", "constant.other.rule"],
        _ => return None,
    })
}

#[test]
fn textmate_colours_what_the_lexer_reads() {
    let files = programs();
    let mut complaints = Vec::new();
    let mut looked_at = 0;
    for (file, colours) in files.iter().zip(colours(&files)) {
        let text = read(file);
        for token in lex(&text).iter() {
            let Some(expected) = expected(token.kind) else { continue };
            looked_at += 1;
            let (start, last) = (token.span.start as usize, token.span.end as usize - 1);
            // What is opened must be closed by the same quotes.
            let both = [start, last].map(|offset| colours.at(offset).trim_start_matches("meta.guard.weave "));
            // In a test, words are keywords that are names elsewhere; another test says where.
            let is_of_test = |found: &str| found.starts_with("keyword.") && TokenKind::word_of_test(&text[start..=last]).is_some();
            if is_of_test(both[0]) {
                continue;
            }
            let Some(found) = both.into_iter().find(|found| !expected.iter().any(|scope| found.starts_with(scope))) else { continue };
            let line = text[..start].lines().count();
            complaints.push(format!("{}:{line}: `{}` is {:?}, not {found}", file.display(), &text[start..=last], token.kind));
        }
    }
    report(&complaints);
    assert!(looked_at > 2_000, "only {looked_at} tokens");
}

/// A keyword is a name in many places. Where the grammar of tree-sitter, which reads whole programs, sees the keyword, there it is coloured as one.
#[test]
fn textmate_and_tree_sitter_see_the_same_keywords() {
    let files = programs();
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, colours) in files.iter().zip(colours(&files)) {
        let text = read(file);
        for keyword in keywords(tree(&text).root_node()) {
            seen.insert(keyword.kind().to_owned());
            let found = colours.at(keyword.start_byte());
            let innermost = found.split(' ').next_back().unwrap_or_default();
            if !["keyword.", "storage.", "constant.language."].iter().any(|scope| innermost.starts_with(scope)) {
                complaints.push(format!("{}:{}: `{}` is {found}", file.display(), keyword.start_position().row + 1, keyword.kind()));
            }
        }
    }
    report(&complaints);
    assert!(seen.len() > 40, "only {seen:?}");
}

/// The nodes that are a keyword and nothing else.
fn keywords(root: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        if !node.is_named() && lex(node.kind()).len() == 1 && lex(node.kind()).kind(0).is_keyword() {
            found.push(node);
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
    found
}

/// The third that knows the keywords, beside the lexer and tree-sitter.
#[test]
fn textmate_has_the_keywords_of_the_compiler() {
    let quoted = read(&root().join("grammar/weave.lalrpop"));
    let ours: BTreeSet<&str> = quoted.split('"').filter(|word| lex(word).len() == 1 && lex(word).kind(0).is_keyword()).collect();
    let grammar: Value = serde_json::from_str(&read(&root().join(GRAMMAR))).expect("the grammar is JSON");
    let patterns = grammar["repository"]["name"]["patterns"].as_array().expect("the patterns of words");
    let mut theirs = BTreeSet::new();
    for pattern in patterns {
        let is_keyword = |name: &str| ["keyword.", "storage.", "constant.language."].iter().any(|scope| name.starts_with(scope));
        if pattern["name"].as_str().is_some_and(is_keyword) {
            let words = pattern["match"].as_str().expect("a pattern").trim_start_matches(r"\b(?:").trim_end_matches(r")\b");
            theirs.extend(words.split('|'));
        }
    }
    assert_eq!(theirs, ours);
}
