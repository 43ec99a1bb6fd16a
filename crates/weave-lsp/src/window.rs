//! A few lines of a text while changes to it come in hundreds: each of them moves these lines in place of the whole text.

use tower_lsp::ls_types::{Position, Range};
use weave_diagnostics::{Buffer, LineColumn, Span};

/// How many lines before and behind a change are taken along, because the next one is probably near.
const AROUND: u32 = 20;

/// Whole lines of a text, to be put back into it.
#[derive(Debug)]
pub(crate) struct Window {
    lines: Buffer,
    /// The number of the first one.
    first: u32,
    /// Where they stand in the text, as they were.
    part: Span,
}

impl Window {
    /// The lines around a range; nothing where the text ends without a line feed, since its last line would not be whole.
    pub(crate) fn around(buffer: &Buffer, range: Range) -> Option<Self> {
        let first = range.start.line.saturating_sub(AROUND);
        let last = range.end.line.saturating_add(AROUND);
        let start = |line| buffer.offset(LineColumn { line, column: 0 });
        let part = Span::new(start(first), start(last).max(start(first)));
        let text = buffer.text().get(part.start as usize..part.end as usize).filter(|text| text.ends_with('\n'))?;
        let window = Self { lines: Buffer::new(text.to_owned()), first, part };
        window.within(range).map(|_| window)
    }

    /// The same range, counted from the first line; nothing for one that is not wholly in these lines, and in front of their last line feed.
    pub(crate) fn within(&self, range: Range) -> Option<Range> {
        let within = |at: Position| {
            let line = at.line.checked_sub(self.first).filter(|line| *line + 1 < self.lines.line_count())?;
            Some(Position { line, ..at })
        };
        Some(Range { start: within(range.start)?, end: within(range.end)? })
    }

    /// The lines, to be changed at places that are [`within`](Self::within).
    pub(crate) fn lines(&mut self) -> &mut Buffer {
        &mut self.lines
    }

    /// Puts the lines back.
    pub(crate) fn close(self, buffer: &mut Buffer) {
        buffer.replace(self.part, self.lines.text());
    }
}
