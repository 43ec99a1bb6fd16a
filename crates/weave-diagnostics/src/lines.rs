//! Where the lines of a text begin, and columns in them.

use memchr::memchr_iter;

use crate::{LineColumn, Span};

/// The line starts of one text.
///
/// A line ends with its line feed, so `\r\n` belongs to the line before it and a lone `\r` ends nothing. Columns are counted
/// on demand: a text of one long line costs nothing but the scan of that line, and no memory.
#[derive(Debug)]
pub(crate) struct LineIndex {
    /// Offset of the first byte of each line; the first one is always 0.
    starts: Vec<u32>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|offset| offset as u32 + 1));
        Self { starts }
    }

    /// Takes note that a range of the text was replaced. Only what stands behind it is counted anew.
    pub(crate) fn replace(&mut self, range: Span, new: &str) {
        // The line feed before a start is in the range, or it is not.
        let from = self.starts.partition_point(|start| *start <= range.start);
        let to = self.starts.partition_point(|start| *start <= range.end);
        let mut behind = self.starts.split_off(to.max(from));
        self.starts.truncate(from);
        self.starts.extend(memchr_iter(b'\n', new.as_bytes()).map(|offset| range.start + offset as u32 + 1));
        for start in &mut behind {
            *start = *start - range.end + range.start + new.len() as u32;
        }
        self.starts.append(&mut behind);
    }

    /// The number of lines; a text that ends with a line feed has an empty last line.
    pub(crate) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line that `offset` lies on, and the column in bytes.
    pub(crate) fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        LineColumn { line: line as u32, column: offset.saturating_sub(start) }
    }

    /// The range of a line without its line end, if the text has such a line.
    pub(crate) fn line(&self, line: u32, text: &str) -> Option<Span> {
        let start = *self.starts.get(line as usize)?;
        let Some(next) = self.starts.get(line as usize + 1) else { return Some(Span::new(start, text.len() as u32)) };
        let end = next - 1;
        let carriage_return = end > start && text.as_bytes().get(end as usize - 1) == Some(&b'\r');
        Some(Span::new(start, end - u32::from(carriage_return)))
    }
}

/// The greatest character boundary that is not behind `offset`.
pub(crate) fn floor(text: &str, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset as u32
}

/// The offset of a line and a column in bytes; what lies outside is clamped to the nearest place in the text.
pub(crate) fn offset(lines: &LineIndex, text: &str, at: LineColumn) -> u32 {
    let Some(line) = lines.line(at.line, text) else { return text.len() as u32 };
    floor(text, line.start.saturating_add(at.column).min(line.end))
}

/// The same with a column in UTF-16 code units; the middle of a surrogate pair is taken as its start.
pub(crate) fn offset_utf16(lines: &LineIndex, text: &str, at: LineColumn) -> u32 {
    let Some(line) = lines.line(at.line, text) else { return text.len() as u32 };
    let mut left = at.column as usize;
    for (offset, character) in line.text(text).char_indices() {
        if left < character.len_utf16() {
            return line.start + offset as u32;
        }
        left -= character.len_utf16();
    }
    line.end
}
