//! From text to tokens to a syntax tree that tolerates mistakes.
//!
//! This crate knows the words of the language and its grammar. It does not know what a name refers to or what type a value
//! has. It never fails: whatever the text is, there are tokens that tile it, items, and errors in words.

pub mod ast;
mod budget;
mod build;
pub mod codes;
mod error;
mod feed;
mod layout;
mod lexer;
mod lexical;
mod messages;
mod parse;
mod plan;
mod search;
mod split;
mod tables;
pub mod text;
mod token;

pub use error::{SyntaxError, SyntaxFix};
pub use lexer::{Token, Tokens, lex};
pub use parse::{File, ItemSlot, ParsedItem, parse};
pub use token::TokenKind;

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
