//! What the second pass says: one constructor a message.

mod declarations;
mod literals;
mod nodes;
mod scripts;
mod values;

pub use declarations::topic_of;
pub(crate) use declarations::*;
pub(crate) use literals::*;
pub(crate) use nodes::*;
pub(crate) use scripts::*;
pub(crate) use values::*;

/// Longer excerpts of the program are cut in messages.
const LONGEST: usize = 40;

/// A piece of the program as it is quoted in a message: on one line, in backticks, not too long.
fn quoted(text: &str) -> String {
    let line = text.split(['\n', '\r']).next().unwrap_or_default().trim_end();
    let cut = line.char_indices().nth(LONGEST).map(|(at, _)| at);
    match cut.and_then(|at| line.get(..at)) {
        Some(start) => format!("`{start}…`"),
        None if line.len() < text.trim_end().len() => format!("`{line}…`"),
        None => format!("`{line}`"),
    }
}
