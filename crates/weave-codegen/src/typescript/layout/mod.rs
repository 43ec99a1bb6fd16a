//! The layout of modules: that of the formatter prettier, byte for byte.
//!
//! What is generated is read as tokens and statements and laid out anew, statement by statement. This knows the constructs that are generated
//! and no others; a text with another one stays as it is.

mod calls;
mod doc;
mod expressions;
mod parse;
mod parse_types;
mod statements;
mod syntax;
mod texts;
mod tokens;
mod types;
mod width;

use expressions::{Writer, commented};
use parse::Reader;

/// A module as prettier lays it out.
pub(super) fn laid_out(text: &str) -> String {
    understood(text).unwrap_or_else(|| text.to_owned())
}

/// The same; nothing where something in it is not understood.
fn understood(text: &str) -> Option<String> {
    let (tokens, behind) = tokens::tokens(text)?;
    let mut reader = Reader::new(&tokens);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    while reader.token().is_some() {
        let statement = reader.statement()?;
        out.push_str(&Writer::default().statement(&statement, out.is_empty()).lines());
        out.push('\n');
    }
    out.push_str(&commented(&behind, false, out.is_empty()).lines());
    Some(out)
}
