//! What is said about a text that does not fit the grammar.

mod brackets;
mod control;
mod foreign;
mod habits;
mod marks;
mod repair;

pub(crate) use brackets::closes_one_of;
pub(crate) use control::{next_word, no_such_word};
pub(crate) use habits::{Reach, reach};
pub(crate) use repair::repair;

use weave_diagnostics::{Applicability, Span};

use crate::codes;
use crate::error::SyntaxError;
use crate::lexical::shown;
use crate::parse::introducer;
use crate::token::TokenKind as K;

/// An item that starts behind something else.
pub(crate) fn not_on_own_line(head: Span) -> SyntaxError {
    SyntaxError::new(&codes::ITEM_ON_OWN_LINE, head, "an item starts on a line of its own").label("after another item").replace(
        Applicability::Safe,
        "start a new line",
        Span::at(head.start),
        "\n\n",
    )
}

/// A name that is not on the line of its keyword.
pub(crate) fn name_on_other_line(name: Span, gap: Span) -> SyntaxError {
    SyntaxError::new(&codes::ITEM_ON_OWN_LINE, name, "the name of an item must be on the line of its keyword")
        .label("on another line")
        .replace(Applicability::Safe, "join the lines", gap, " ")
}

/// A keyword that is misspelt.
pub(crate) fn misspelt(head: Span, word: &str, kind: K) -> SyntaxError {
    let meant = introducer(kind);
    SyntaxError::new(&codes::UNKNOWN_ITEM, head, format!("there is no declaration `{}`; did you mean `{meant}`?", shown(word)))
        .label("not a keyword")
        .replace(Applicability::Safe, format!("write `{meant}`"), head, meant)
}

/// A keyword of later versions.
pub(crate) fn reserved(head: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::RESERVED_ITEM, head, format!("`{word}` is reserved for a later version of the language"))
        .label("cannot start an item yet")
}

/// Something that starts with no keyword at all.
pub(crate) fn no_keyword(first: Span, text: &str, meant: Option<K>) -> SyntaxError {
    let error = SyntaxError::new(&codes::UNKNOWN_ITEM, first, format!("expected a declaration, found `{}`", shown(text)));
    match meant {
        Some(kind) => error.label(format!("a keyword such as `{}` is missing before this", introducer(kind))),
        None => crate::habits::heads::unknown(first, text),
    }
}
