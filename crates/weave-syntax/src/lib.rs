//! From text to tokens to a syntax tree that tolerates mistakes.
//!
//! This crate knows the words of the language and its grammar. It does not know what a name refers to or what type a value
//! has. It never fails: whatever the text is, there are tokens that tile it, items, and errors in words.

pub mod ast;
mod budget;
mod build;
pub mod codes;
mod codes_validate;
mod contextual;
mod costs;
mod error;
mod expected;
mod feed;
mod habits;
mod layout;
mod lexer;
mod lexical;
mod messages;
mod parse;
mod plan;
mod proof;
mod relex;
mod reuse;
mod search;
mod split;
mod strings;
mod tables;
mod template;
#[cfg(test)]
mod tests;
pub mod text;
mod token;
mod validate;
mod words;

pub use codes_validate::{DUPLICATE_ENTRY, DUPLICATE_TEST};
pub use error::{SyntaxError, SyntaxFix};
pub use expected::Expected;
pub use feed::DEEPEST;
pub use habits::durations::duration_in;
pub use habits::words::{is_failure_word, is_null_word, is_success_word};
pub use lexer::{Token, Tokens, lex};
pub use parse::{File, ItemSlot, Items, ParsedItem, parse, parse_again};
pub use template::{Part, Template, template};
pub use token::TokenKind;
pub use validate::messages::topic_of;

/// Every diagnostic of this crate.
pub static CODES: &[&weave_diagnostics::Code] = &all_codes();

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn all_codes() -> [&'static weave_diagnostics::Code; codes::ALL.len() + codes_validate::CODES.len()] {
    let mut all = [codes::ALL[0]; codes::ALL.len() + codes_validate::CODES.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < codes::ALL.len() { codes::ALL[index] } else { codes_validate::CODES[index - codes::ALL.len()] };
        index += 1;
    }
    all
}

#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::semicolon_if_nothing_returned,
    clippy::uninlined_format_args,
    missing_docs,
    unreachable_pub,
    unused,
    reason = "generated"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/weave_opened.rs"));
}
