//! What `weave tokens` and `weave ast` print: for those who work on the compiler.

use std::fmt::Write;

/// The tokens of a text, one a line: where it stands, what it is, and its text.
#[must_use]
pub fn tokens(text: &str) -> String {
    let mut out = String::new();
    for token in weave_syntax::lex(text).iter() {
        let (start, end) = (token.span.start, token.span.end);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{start:>6}..{end:<6} {:<14} {:?}", format!("{:?}", token.kind), token.span.text(text));
    }
    out
}

/// The syntax trees of a text's items, and what is wrong with each.
#[must_use]
pub fn ast(text: &str) -> String {
    let file = weave_syntax::parse(text.into());
    let mut out = String::new();
    for slot in &file.items {
        let repaired = if slot.parsed.repaired { ", repaired" } else { "" };
        let _ = writeln!(out, "// {}..{}{repaired}\n{:#?}", slot.start, slot.end, slot.parsed.item);
        for error in &slot.parsed.errors {
            let _ = writeln!(out, "// {:?} {}: {}", error.span, error.code.id, error.message);
        }
    }
    for error in &file.errors {
        let _ = writeln!(out, "// {:?} {}: {}", error.span, error.code.id, error.message);
    }
    out
}
