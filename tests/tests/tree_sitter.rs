//! The grammar for editors: it reads what the compiler reads, in the same words, and highlights it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator as _, Tree};
use tree_sitter_weave::{FOLDS_QUERY, HIGHLIGHTS_QUERY, INDENTS_QUERY, INJECTIONS_QUERY, LANGUAGE, LOCALS_QUERY};
use weave_syntax::{lex, parse};
use weave_tests::expectation::{compare, report};
use weave_tests::{files_below, read, root};

/// What the compiler understands by looking further than a grammar for editors does.
const EXCEPTIONS: [&str; 1] = [
    // `model when`: whether `when` is the value, or a guard follows, is decided by the words behind it.
    "tests/suite/lower/keywords-as-names/input.weave",
];

/// The tree of a text, whatever is wrong in it.
pub(crate) fn tree(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE.into()).expect("the parser fits this version of tree-sitter");
    parser.parse(text, None).expect("a language is set, and nobody cancels")
}

/// The first place that was not understood.
fn mistake(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut node = node;
    while node.has_error() {
        let mut cursor = node.walk();
        node = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing())?;
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
    }
    None
}

fn query(text: &str) -> Query {
    Query::new(&LANGUAGE.into(), text).expect("the query names what is in the grammar")
}

/// What a query says about a text: a line for each name in it, in the order of the text.
fn captures(query_text: &str, text: &str) -> String {
    let (tree, query) = (tree(text), query(query_text));
    let mut cursor = QueryCursor::new();
    let mut found = Vec::new();
    let mut matches = cursor.captures(&query, tree.root_node(), text.as_bytes());
    while let Some((one, index)) = matches.next() {
        let capture = one.captures()[*index];
        let name = query.capture_names()[capture.index as usize];
        found.push((capture.node.start_byte(), capture.node.end_byte(), one.pattern_index, capture.node, name));
    }
    found.sort_by_key(|(start, end, pattern, ..)| (*start, usize::MAX - *end, *pattern));
    let mut said = String::new();
    for (start, end, _, node, name) in found {
        let place = node.start_position();
        let first_line = text[start..end].lines().next().unwrap_or_default();
        let _ = writeln!(said, "{:>3}:{:<3} {first_line:<40} @{name}", place.row + 1, place.column + 1);
    }
    said
}

#[test]
fn it_reads_what_the_compiler_reads() {
    let folders = ["examples", "grammar", "tests/suite"].map(|folder| root().join(folder));
    let mut read_well = 0;
    let mut complaints = Vec::new();
    for path in folders.iter().flat_map(|folder| files_below(folder, "weave")) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(root()).expect("it lies in the project").display().to_string();
        let syntax = parse(Arc::from(text.as_str()));
        let is_right = !syntax.has_errors() && syntax.diagnostics(weave_diagnostics::FileId(0)).is_empty();
        if !is_right || EXCEPTIONS.contains(&name.as_str()) {
            continue;
        }
        read_well += 1;
        if let Some(node) = mistake(tree(&text).root_node()) {
            let place = node.start_position();
            complaints.push(format!("{name}:{}:{}: {}", place.row + 1, place.column + 1, node.kind()));
        }
    }
    report(&complaints);
    assert!(read_well > 300, "only {read_well} programs");
}

#[test]
fn its_keywords_are_those_of_the_compiler() {
    let keywords = |path: &str| -> BTreeSet<String> {
        let text = read(&root().join(path));
        let words = text.split('"').filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        words.filter(|word| lex(word).kind(0).is_keyword()).map(str::to_owned).collect()
    };
    let ours = keywords("grammar/weave.lalrpop");
    assert!(ours.len() > 40, "{ours:?}");
    assert_eq!(keywords("grammar/tree-sitter-weave/grammar.js"), ours);
}

#[test]
fn a_mistake_leaves_the_rest_alone() {
    let text = "type A { x: int }\ntool find(key string) -> int\nagent writer(a: A) -> string { model mini }\nworkflow w(a: A) {\n  end done on start\n}\n";
    let tree = tree(text);
    assert!(tree.root_node().has_error());
    let query = query("[(type_declaration name: _ @n) (agent_declaration name: _ @n) (workflow_declaration name: _ @n)]");
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    let mut names = Vec::new();
    while let Some(one) = matches.next() {
        names.extend(one.captures().iter().map(|capture| &text[capture.node.byte_range()]));
    }
    assert_eq!(names, ["A", "writer", "w"]);
}

#[test]
fn nothing_is_a_comment_in_a_text() {
    let text = "prompt p(a: string) \"\"\"\n  /* text */ // text {{ /* a /* comment */ */ .a }}\n  \"\"\"\n/* and /* here */ */\nenum E { a = \"/* b */\" }\n";
    let tree = tree(text);
    assert_eq!(mistake(tree.root_node()), None);
    let query = query("(block_comment) @comment");
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    let mut comments = Vec::new();
    while let Some(one) = matches.next() {
        comments.extend(one.captures().iter().map(|capture| &text[capture.node.byte_range()]));
    }
    assert_eq!(comments, ["/* a /* comment */ */", "/* and /* here */ */"]);
}

/// The program of this folder has every construct; what is said about it stands beside it.
#[test]
fn queries_say_what_is_what() {
    let folder = root().join("tests/fixtures/tree_sitter");
    let text = read(&folder.join("program.weave"));
    assert_eq!(mistake(tree(&text).root_node()), None);
    let queries = [
        ("highlights", HIGHLIGHTS_QUERY),
        ("folds", FOLDS_QUERY),
        ("indents", INDENTS_QUERY),
        ("injections", INJECTIONS_QUERY),
        ("locals", LOCALS_QUERY),
    ];
    let complaints = queries.into_iter().filter_map(|(name, query)| {
        let said = captures(query, &text);
        assert!(!said.is_empty(), "{name} say nothing");
        compare(&folder.join(format!("{name}.txt")), Some(&said)).err()
    });
    report(&complaints.collect::<Vec<_>>());
}
