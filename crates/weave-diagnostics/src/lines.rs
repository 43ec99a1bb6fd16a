//! Where the lines of a text begin, and columns in them.

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
        starts.extend(text.match_indices('\n').map(|(offset, _)| offset as u32 + 1));
        Self { starts }
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
