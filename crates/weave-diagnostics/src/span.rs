//! Byte ranges.

use crate::FileId;

/// A half-open range of byte offsets, `start..end`.
///
/// What the offsets count from is said by whoever holds the span: nodes of a syntax tree count from the start of their
/// top-level item, a [`Place`] counts from the start of its file.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; an `end` before `start` gives the empty range at `start`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty range at `offset`.
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range has no byte: a place between two characters.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The smallest range that has both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same range, counted from a point that lies `base` bytes earlier.
    #[must_use]
    pub const fn shifted(self, base: u32) -> Self {
        Self { start: self.start + base, end: self.end + base }
    }

    /// Whether `offset` lies in the range or directly behind it, which is where a cursor touches it.
    #[must_use]
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether all of `other` lies in the range.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The range as indices; slice with `text.get(span.range())`.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text that the range covers, or nothing where it does not fit `text`.
    #[must_use]
    pub fn text(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A range in a file; offsets count from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The range in it.
    pub span: Span,
}

impl Place {
    /// A range in a file.
    #[must_use]
    pub const fn new(file: FileId, span: Span) -> Self {
        Self { file, span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_never_ends_before_it_starts() {
        assert_eq!(Span::new(5, 2), Span::at(5));
        let crooked = Span { start: 5, end: 2 };
        assert_eq!((crooked.len(), crooked.is_empty(), crooked.text("abcdefgh")), (0, true, ""));
    }

    #[test]
    fn a_cursor_touches_both_ends() {
        let span = Span::new(2, 4);
        assert_eq!([1, 2, 4, 5].map(|offset| span.touches(offset)), [false, true, true, false]);
        assert!(span.contains(Span::at(4)) && !span.contains(Span::new(3, 5)));
        assert_eq!(span.join(Span::at(9)), Span::new(2, 9));
        assert_eq!(span.shifted(3), Span::new(5, 7));
    }

    #[test]
    fn text_that_does_not_fit_is_nothing() {
        assert_eq!(Span::new(1, 3).text("abc"), "bc");
        assert_eq!(Span::new(1, 9).text("abc"), "");
        assert_eq!(Span::new(1, 2).text("\u{1f600}"), "");
    }
}
