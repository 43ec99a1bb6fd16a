//! Texts use the words of the glossary: no phrase that is listed in `docs/glossary.md` as one to avoid.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;
use weave_tests::{files_below, read, root};

/// What is not written, and what is written instead.
const AVOIDED: &[(&str, &str)] = &[
    (r"(?i)\bmend(s|ed|ing)?\b", "fix"),
    (r"(?i)\bthe one layout\b", "the standard format"),
    (r"(?i)\bwhom\b", "name the role"),
    (r"(?i)\bstands? (in|behind|beside|there|before|on|at)\b", "is, goes, follows"),
    (r"(?i)\bbehind\b", "after"),
    (r"(?i)\bbeside\b", "next to"),
    (r"(?i)\b(is|are|was|were) no [a-z`{]", "is not a"),
    (r"(?i)\btold\b", "reported"),
    (r"(?i)\b(nobody|somebody|whoever)\b", "name the role"),
    (r"(?i)\bstandstill\b", "deadlock"),
    (r"(?i)\bruns? on the way\b", "in flight"),
    (r"(?i)\bon (its|the) way out\b", "deprecated"),
    (r"(?i)\bwhat becomes of\b", "the outcome of"),
    (r"(?i)\bwords that are kept\b", "reserved words"),
    (r"(?i)\bcounts? no more\b", "no longer applies"),
    (r"(?i)\bnothing to say about\b", "does not cover"),
    (r"(?i)\bwhat lies in\b", "the contents of"),
];

/// Right uses of such words: how the text goes on from the first word of the phrase.
const ALLOWED: &[&str] = &["is no longer", "are no longer", "was no longer", "is no more than"];

/// Documents that are held to the glossary, next to all messages. A folder means everything below it.
const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/README.md",
    "docs/catalog.md",
    "docs/changes",
    "docs/ci.md",
    "docs/cli.md",
    "docs/coming-from.md",
    "docs/concepts.md",
    "docs/cookbook.md",
    "docs/decisions.md",
    "docs/definition.md",
    "docs/diagnostics",
    "docs/diff.md",
    "docs/editors.md",
    "docs/faq.md",
    "docs/glossary.md",
    "docs/go.md",
    "docs/graph.md",
    "docs/language.md",
    "docs/limits.md",
    "docs/mcp.md",
    "docs/output.md",
    "docs/performance.md",
    "docs/protocol.md",
    "docs/providers.md",
    "docs/python.md",
    "docs/replay.md",
    "docs/rules",
    "docs/running.md",
    "docs/start.md",
    "docs/store.md",
    "docs/testing.md",
    "docs/tools.md",
    "docs/typescript.md",
    "docs/weave-toml.md",
    "docs/why.md",
    "editors/emacs/README.md",
    "editors/helix/README.md",
    "editors/neovim/README.md",
    "editors/vscode/README.md",
    "editors/zed/README.md",
    "tests/mutations.md",
];

/// Crates whose string literals people read.
const CRATES: &[&str] = &[
    "weave-analysis",
    "weave-cli",
    "weave-codegen",
    "weave-compiler",
    "weave-diagnostics",
    "weave-diff",
    "weave-drive",
    "weave-expr",
    "weave-fix",
    "weave-format",
    "weave-graph",
    "weave-host",
    "weave-ide",
    "weave-ir",
    "weave-lint",
    "weave-lsp",
    "weave-pattern",
    "weave-providers",
    "weave-replay",
    "weave-report",
    "weave-runner",
    "weave-sample",
    "weave-scenario",
    "weave-scroll",
    "weave-sqlite",
    "weave-syntax",
    "weave-testing",
    "weave-tools",
];

#[test]
fn messages_use_the_words_of_the_glossary() {
    let mut found = String::new();
    let mut literals = 0;
    for name in CRATES {
        for path in files_below(&root().join("crates").join(name).join("src"), "rs") {
            if is_test(&path) {
                continue;
            }
            let tokens: TokenStream = read(&path).parse().unwrap();
            let mut texts = Vec::new();
            prose(tokens, &mut texts);
            literals += texts.len();
            for text in texts {
                report(&path, &text, &mut found);
            }
        }
    }
    assert!(literals > 2_000, "only {literals} texts were read");
    assert!(found.is_empty(), "texts that are not in plain words; docs/glossary.md says what to write:\n{found}");
}

#[test]
fn documents_use_the_words_of_the_glossary() {
    let mut found = String::new();
    for name in DOCUMENTS {
        let path = root().join(name);
        let pages = if path.is_dir() { files_below(&path, "md") } else { vec![path] };
        for page in pages {
            let text = read(&page);
            // The last table of the glossary quotes the phrases.
            let text = text.split("## Phrases to avoid").next().unwrap_or_default();
            for line in without_code(text) {
                report(&page, &CODE.replace_all(line, "`"), &mut found);
            }
        }
    }
    assert!(found.is_empty(), "sentences that are not in plain words; docs/glossary.md says what to write:\n{found}");
}

#[test]
fn each_phrase_is_found_and_listed() {
    let glossary = read(&root().join("docs/glossary.md"));
    let table = glossary.split("## Phrases to avoid").nth(1).unwrap();
    for (pattern, _) in AVOIDED {
        let expression = Regex::new(pattern).unwrap();
        assert!(table.lines().any(|line| expression.is_match(line)), "docs/glossary.md lists no phrase for {pattern}");
    }
    for text in
        ["this is no step", "the texts are no list", "what stands behind it", "nobody hears it", "it is told", "`{name}` is no topic"]
    {
        assert!(!avoided(text).is_empty(), "{text}");
    }
    for text in ["there is no step `x`", "it is no longer used", "where there are no retries", "they understand it"] {
        assert!(avoided(text).is_empty(), "{text}");
    }
}

fn is_test(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "tests.rs" || name == "fixture.rs")
        || path.components().any(|part| part.as_os_str() == "tests")
}

/// The texts of several words in the literals of a file. Tests within it are left out, and so are whole programs of examples.
fn prose(tokens: TokenStream, texts: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => prose(group.stream(), texts),
            TokenTree::Literal(literal) => {
                let Ok(literal) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else { continue };
                let text = literal.value();
                if text.contains(' ') && !is_program(&text) {
                    texts.push(text);
                }
            }
            TokenTree::Ident(word) if word == "mod" => {
                let is_tests = matches!(tokens.peek(), Some(TokenTree::Ident(name)) if name == "tests");
                if is_tests {
                    tokens.next();
                    tokens.next();
                }
            }
            // Comments for maintainers are attributes here.
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if matches!(tokens.next(), Some(TokenTree::Punct(_))) {
                    tokens.next();
                }
            }
            _ => {}
        }
    }
}

fn is_program(text: &str) -> bool {
    const ITEMS: &[&str] = &["agent", "enum", "error", "event", "import", "prompt", "tool", "toolkit", "type", "union", "workflow"];
    let starts = |line: &str| ITEMS.iter().any(|item| line.split(' ').take(2).any(|word| word == *item));
    text.contains('\n') && text.lines().any(|line| starts(line) && line.contains(['{', '(']))
}

/// The lines of a page that are neither in a fence nor generated names of files.
fn without_code(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Code within a line, targets of links, anchors of earlier titles, and titles that are ids.
static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"`[^`]*`|\]\([^)]*\)|<a id="[^"]*">|^# [a-z-]+$"#).unwrap());

static PATTERNS: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| AVOIDED.iter().map(|(pattern, better)| (Regex::new(pattern).unwrap(), *better)).collect());

fn avoided(text: &str) -> Vec<(&str, &'static str)> {
    let found = PATTERNS.iter().filter_map(|(pattern, better)| {
        let hit = pattern.find_iter(text).find(|hit| !is_allowed(&text[..hit.start()], &text[hit.start()..]))?;
        Some((hit.as_str(), *better))
    });
    found.collect()
}

fn is_allowed(before: &str, from: &str) -> bool {
    ALLOWED.iter().any(|allowed| from.starts_with(allowed)) || from.contains(" no ") && before.to_lowercase().ends_with("there ")
}

fn report(path: &Path, text: &str, found: &mut String) {
    for (hit, better) in avoided(text) {
        let path = path.strip_prefix(root()).unwrap_or(path);
        writeln!(found, "{}: `{hit}` ({better}): {}", path.display(), text.chars().take(160).collect::<String>()).unwrap();
    }
}
