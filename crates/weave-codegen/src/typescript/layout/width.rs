//! How many columns a text takes.

use unicode_width::UnicodeWidthStr;

/// The columns of a text: what is wide in East Asia takes two.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}
