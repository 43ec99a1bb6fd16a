//! The table of bounds says what holds, and all of it.

use std::collections::BTreeSet;

use regex::Regex;
use weave_tests::{files_below, read, root};

/// What says how much a message or a view of an editor shows, how work is divided, or what a number is; it bounds nothing that is taken.
const OTHERS: &[&str] = &[
    "weave-analysis/src/choices/solve.rs::MOST_SHADOWS",
    "weave-analysis/src/choices/witness.rs::MOST_TEXTS",
    "weave-analysis/src/declare/again.rs::MOST",
    "weave-scalars/src/time.rs::GREATEST_LENGTH",
    "weave-analysis/src/flow/hazards/branches.rs::MOST_STEPS",
    "weave-analysis/src/flow/lineage.rs::MOST_WORDS",
    "weave-analysis/src/flow/stalls/atoms.rs::DEEPEST",
    "weave-analysis/src/flow/stalls/net.rs::MOST_FIRINGS",
    "weave-analysis/src/flow/stalls/presence.rs::DEEPEST",
    "weave-analysis/src/flow/stalls/presence.rs::MOST_PARTS",
    "weave-analysis/src/flow/stalls/state.rs::MOST_ROUNDS",
    "weave-analysis/src/messages/bodies/mod.rs::LONGEST",
    "weave-analysis/src/messages/declarations.rs::MOST_NAMES",
    "weave-analysis/src/model/offered.rs::MOST_VISITED",
    "weave-cli/src/compile.rs::MOST_LISTED",
    "weave-cli/src/diff/git/objects.rs::LONGEST",
    "weave-cli/src/graph.rs::MOST_LISTED",
    "weave-cli/src/input.rs::MOST_NAMED",
    "weave-cli/src/lint/baseline.rs::MOST_LISTED",
    "weave-cli/src/read.rs::LIMIT",
    "weave-cli/src/run/chosen.rs::MOST_LISTED",
    "weave-cli/src/run/clock.rs::LONGEST",
    "weave-cli/src/run/input.rs::MOST_LISTED",
    "weave-cli/src/store/fit.rs::MOST_LISTED",
    "weave-cli/src/store/place.rs::MOST_NAMED",
    "weave-cli/src/store/show.rs::MOST_FIELDS",
    "weave-cli/src/test/report.rs::MOST_NAMES",
    "weave-cli/src/test/scrolls.rs::MOST",
    "weave-cli/src/write/attributes.rs::LONGEST",
    "weave-codegen/src/python/mod.rs::LONGEST",
    "weave-codegen/src/typescript/layout/expressions.rs::LONGEST",
    "weave-compiler/src/schema/scalar.rs::GREATEST",
    "weave-compiler/src/strict/counts.rs::MOST",
    "weave-diagnostics/src/charset.rs::LONGEST",
    "weave-diff/src/nodes.rs::MOST_NAMED",
    "weave-diff/src/schema/limits.rs::LONGEST",
    "weave-diff/src/schema/shape.rs::DEEPEST",
    "weave-diff/src/schema/shape.rs::MOST",
    "weave-diff/src/triggers.rs::LONGEST",
    "weave-drive/src/check/cases.rs::MOST",
    "weave-fix/src/mending.rs::MOST_FOLLOWING",
    "weave-graph/src/dot.rs::LONGEST_LINE",
    "weave-graph/src/mermaid.rs::LONGEST_LINE",
    "weave-ide/src/completion/filling.rs::MOST",
    "weave-ide/src/hints.rs::MOST_CHARACTERS",
    "weave-ide/src/hover.rs::MOST_LINES",
    "weave-ide/src/hover.rs::MOST_SCHEMA_LINES",
    "weave-ide/src/refactor/infer.rs::DEPTH",
    "weave-ide/src/settings/outline.rs::LONGEST_VALUE",
    "weave-ide/src/settings/schema.rs::MOST_REFERENCES",
    "weave-ir/src/json.rs::GREATEST_NUMBER",
    "weave-lint/src/hazards.rs::MOST_CASES",
    "weave-lint/src/rules/invisible_text.rs::MOST_NAMED",
    "weave-lsp/src/owner.rs::LONGEST_WAY",
    "weave-lsp/src/refresh.rs::MOST_LENSES",
    "weave-lsp/src/rules.rs::LONGEST_PAUSE",
    "weave-providers/src/words.rs::GREATEST",
    "weave-sample/src/value.rs::LONGEST_LIST",
    "weave-scenario/src/subject.rs::LONGEST",
    "weave-scroll/src/memory/writes.rs::MOST",
    "weave-syntax/src/expected.rs::MOST",
    "weave-syntax/src/lexical.rs::LONGEST",
    "weave-syntax/src/text.rs::MAX_SAFE_INTEGER",
    "weave-syntax/src/validate/messages/mod.rs::LONGEST",
    "weave-replay/src/report.rs::LONGEST",
    "weave-cli/src/test/explore.rs::MOST_FINDINGS",
    "weave-cli/src/replay/scrolls.rs::LONGEST_SHOWN",
    "weave-cli/src/replay/show.rs::LONGEST",
    "weave-scenario/src/record.rs::LONGEST_WAY",
    "weave-scenario/src/explore/values.rs::MOST_KNOWN",
    "weave-scenario/src/explore/values.rs::LONGEST_LIST",
    "weave-replay/src/parts.rs::DEEPEST",
    "weave-cli/src/store/view.rs::DEEPEST",
    "weave-cli/src/run/person/mod.rs::MOST_ERRORS",
    "weave-cli/src/run/person/mod.rs::MOST_LINES",
    "weave-cli/src/run/secrets.rs::DEEPEST",
];

/// The constants of the crates: `crate/src/file.rs::NAME`, and what they are.
fn constants() -> Vec<(String, String)> {
    let crates = root().join("crates");
    let declared = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z]+\))? )?const ([A-Z_]+): [A-Za-z0-9]+ = ([^;]+);").expect("it is a pattern");
    let mut found = Vec::new();
    for path in files_below(&crates, "rs") {
        let name = path.strip_prefix(&crates).expect("it is below").to_string_lossy().into_owned();
        if name.contains("/src/") && !name.contains("/tests") {
            let text = read(&path);
            found.extend(declared.captures_iter(&text).map(|it| (format!("{name}::{}", &it[1]), it[2].to_owned())));
        }
    }
    found
}

/// What an expression of numbers, `*` and `<<` is; nothing for another.
fn value(expression: &str) -> Option<usize> {
    let number = |text: &str| text.trim().replace('_', "").parse::<usize>().ok();
    match expression.split_once("<<") {
        Some((one, by)) => Some(number(one)? << number(by)?),
        None => expression.split('*').map(number).try_fold(1_usize, |product, factor| factor?.checked_mul(product)),
    }
}

#[test]
fn every_bound_of_the_table_is_what_its_constant_says() {
    let constants = constants();
    for bound in weave_compiler::bounds() {
        assert!(!bound.what.is_empty() && bound.beyond.ends_with('.'), "{}", bound.what);
        if bound.held_by.is_empty() {
            continue;
        }
        let (_, is) = constants.iter().find(|(name, _)| name == bound.held_by).unwrap_or_else(|| panic!("there is no {}", bound.held_by));
        assert_eq!(value(is), Some(bound.most), "{}: {}", bound.held_by, bound.what);
    }
}

#[test]
fn every_constant_that_bounds_something_is_in_the_table() {
    let names = Regex::new(r"::(?:[A-Z_]*_)?(?:MAX|MOST|LIMIT|GREATEST|DEEPEST|LONGEST|LARGEST|DEPTH|FUEL)(?:_[A-Z_]*)?$")
        .expect("it is a pattern");
    let bounds: BTreeSet<&str> = weave_compiler::bounds().iter().map(|bound| bound.held_by).collect();
    let numbers: BTreeSet<String> =
        constants().into_iter().filter(|(name, is)| names.is_match(name) && !is.contains("\"")).map(|(name, _)| name).collect();
    let known = |name: &&String| bounds.contains(name.as_str()) || OTHERS.contains(&name.as_str());
    let missing: Vec<&String> = numbers.iter().filter(|name| !known(name)).collect();
    assert!(missing.is_empty(), "these are neither in the table of bounds nor among those that bound nothing: {missing:#?}");
    let gone: Vec<&&str> = OTHERS.iter().filter(|name| !numbers.contains(**name)).collect();
    assert!(gone.is_empty(), "these are gone: {gone:?}");
}
