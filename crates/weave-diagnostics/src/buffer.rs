//! A text while somebody edits it.

use crate::lines::{self, LineIndex};
use crate::{LineColumn, Span};

/// A text that is being edited. A change costs what it moves, and no more: neither the text nor its lines are made anew.
#[derive(Debug)]
pub struct Buffer {
    text: String,
    lines: LineIndex,
}

impl Buffer {
    /// A text before its first change.
    #[must_use]
    pub fn new(text: String) -> Self {
        let lines = LineIndex::new(&text);
        Self { text, lines }
    }

    /// The text as it is now.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of its lines; behind a line feed at the end there is an empty one.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.lines.count()
    }

    /// Replaces a part of the text. What lies outside of the text or in the middle of a character is clamped.
    pub fn replace(&mut self, part: Span, new: &str) {
        let (start, end) = (lines::floor(&self.text, part.start), lines::floor(&self.text, part.end.max(part.start)));
        self.lines.replace(Span::new(start, end), new);
        self.text.replace_range(start as usize..end as usize, new);
    }

    /// The offset of a line and a column in bytes; what lies outside is clamped to the nearest place in the text.
    #[must_use]
    pub fn offset(&self, at: LineColumn) -> u32 {
        lines::offset(&self.lines, &self.text, at)
    }

    /// The same with a column in UTF-16 code units; the middle of a surrogate pair is taken as its start.
    #[must_use]
    pub fn offset_utf16(&self, at: LineColumn) -> u32 {
        lines::offset_utf16(&self.lines, &self.text, at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SourceFile;

    proptest! {
        #[test]
        fn places_are_those_of_the_text_that_the_changes_have_left(
            text in "[ab\r\n\u{e4}\u{1f600}]{0,20}",
            changes in proptest::collection::vec((0_u32..24, 0_u32..24, "[c\r\n\u{1f600}]{0,4}"), 0..6),
        ) {
            let mut buffer = Buffer::new(text);
            for (start, end, new) in changes {
                let before = buffer.text().to_owned();
                buffer.replace(Span::new(start, end.max(start)), &new);
                let (from, to) = (lines::floor(&before, start) as usize, lines::floor(&before, end.max(start)) as usize);
                prop_assert_eq!(buffer.text(), [&before[..from], &new, &before[to..]].concat());
                let file = SourceFile::new("", buffer.text().into());
                for line in 0..24 {
                    for column in 0..8 {
                        let at = LineColumn { line, column };
                        prop_assert_eq!(buffer.offset(at), file.offset(at));
                        prop_assert_eq!(buffer.offset_utf16(at), file.offset_utf16(at));
                    }
                }
            }
        }
    }
}
