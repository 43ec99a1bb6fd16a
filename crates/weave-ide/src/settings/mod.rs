//! `weave.toml` in an editor: what it may say, and what that means.
//!
//! Everything that is known of a key comes from the schema that `weave schema config` prints. A text that is being typed is no TOML most of the time; the
//! events of the parser, which goes on behind a mistake, are enough to know where in it the cursor is.

mod completion;
mod outline;
mod place;
mod schema;

use weave_diagnostics::Span;

pub use completion::completion as settings_completion;
pub use outline::outline as settings_symbols;
use place::{Document, Step};
use schema::Schema;

/// What is known of the key or the value at an offset in the text of a `weave.toml`: the words that it is about, and the text in Markdown.
#[must_use]
pub fn settings_hover(text: &str, offset: u32) -> Option<(Span, String)> {
    let document = Document::read(text);
    let node = document.nodes.iter().find(|node| node.span.touches(offset))?;
    let schema = Schema::new();
    let described = schema.described(&node.path)?;
    Some((node.span, format!("```toml\n{}\n```\n\n{described}", dotted(&node.path))))
}

/// A path as it is written in TOML.
fn dotted(path: &[Step]) -> String {
    let is_bare = |key: &str| !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    let keys = path.iter().filter_map(|step| match step {
        Step::Key(key) if is_bare(key) => Some(key.clone()),
        Step::Key(key) => Some(serde_json::Value::from(key.as_str()).to_string()),
        Step::Item(_) => None,
    });
    keys.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 𐐀\r\n[lint.rules]\r\nmissing-docs = \"w\"\nweak-description = { level = 'x', min-words = 3\n[[lint.overrides]]\npaths = [\"𐐀\", [{ a = 1 }\n[a.\"b c\".]\n= 1 \"\"\"\n x\n";

    fn ask(text: &str, offset: u32) {
        let completed = settings_completion(text, offset, &["a/b.weave".to_owned()]).map(|(span, _)| span);
        let hovered = settings_hover(text, offset).map(|(span, _)| span);
        for span in completed.into_iter().chain(hovered) {
            assert!(span.touches(offset) && text.get(span.range()).is_some(), "{span:?} at {offset} of {text:?}");
        }
    }

    #[test]
    fn a_hash_in_a_string_begins_no_comment() {
        let text = "[lint.rules]\nweak-description = { level = \"x\\\" # y\", ";
        assert!(settings_completion(text, text.len() as u32, &[]).is_some_and(|(_, items)| !items.is_empty()));
        let text = "[lint.rules] # ";
        assert!(settings_completion(text, text.len() as u32, &[]).is_none());
    }

    /// At the end of all that is typed so far, and at each place of the whole, there is an answer, and what it replaces is around the cursor.
    #[test]
    fn every_place_and_every_beginning_has_an_answer() {
        for at in TEXT.char_indices().map(|(at, _)| at).chain([TEXT.len()]) {
            ask(TEXT, at as u32);
            ask(TEXT.get(..at).unwrap_or_default(), at as u32);
        }
    }
}
