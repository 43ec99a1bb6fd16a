//! The words of the language, by what they are to a reader.

use std::collections::BTreeSet;

use weave_analysis::model::types::Scalar;
use weave_syntax::lex;

/// The scope of each keyword; which words there are is said by the lexer. All but literals are below `keyword.control`, which is what themes take for the keywords
/// of a language server: no word changes its colour when the server answers.
const KEYWORDS: [(&str, &[&str]); 7] = [
    ("constant.language.weave", &["true", "false", "null"]),
    ("keyword.control.import.weave", &["import", "from", "as"]),
    (
        "keyword.control.declaration.weave",
        &["type", "enum", "union", "by", "error", "event", "tool", "toolkit", "prompt", "hydrates", "agent", "workflow", "test"],
    ),
    ("keyword.control.modifier.weave", &["external", "signal", "interaction", "provider"]),
    ("keyword.control.weave", &["step", "end", "fail", "ask", "call", "run", "emit", "wait", "cancel"]),
    (
        "keyword.control.flow.weave",
        &["on", "when", "also", "else", "until", "failure", "timeout", "all", "of", "settled", "limit", "each", "in", "parallel", "min"],
    ),
    ("keyword.control.part.weave", &["example", "progress", "artifacts"]),
];

/// Each scope with a pattern of its words.
///
/// # Errors
///
/// Which words are missing here, or are none of the lexer's, which the text of the parser's grammar names.
pub(super) fn keywords(grammar: &str) -> Result<Vec<(&'static str, String)>, String> {
    let of_lexer: BTreeSet<&str> = grammar.split('"').filter(|word| is_keyword(word)).collect();
    let here: BTreeSet<&str> = KEYWORDS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
    let different = of_lexer.symmetric_difference(&here).copied().collect::<Vec<_>>();
    if !different.is_empty() {
        return Err(format!("xtask/src/textmate/words.rs and the lexer do not have the same keywords: {}", different.join(", ")));
    }
    Ok(KEYWORDS.iter().map(|(scope, words)| (*scope, alternatives(words.iter().copied()))).collect())
}

/// A pattern of every keyword.
pub(super) fn every_keyword() -> String {
    alternatives(KEYWORDS.iter().flat_map(|(_, words)| words.iter().copied()))
}

/// A pattern of the types that the language brings along.
pub(super) fn built_in_types() -> String {
    alternatives(Scalar::ALL.into_iter().map(Scalar::name).chain(["json", "map"]))
}

fn is_keyword(word: &str) -> bool {
    let tokens = lex(word);
    tokens.len() == 1 && tokens.kind(0).is_keyword()
}

fn alternatives<'a>(words: impl Iterator<Item = &'a str>) -> String {
    format!("(?:{})", words.collect::<Vec<_>>().join("|"))
}
