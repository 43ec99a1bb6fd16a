//! The files of one compilation.

use std::sync::{Arc, OnceLock};

use line_index::{LineCol, LineIndex, TextSize, WideEncoding};

use crate::{Place, Span};

/// Names one file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A line and a column, both counted from 0; the unit of the column is said by the function that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column in it.
    pub column: u32,
}

/// One file: the name that people see and its text.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A file called `name`, as diagnostics show it.
    #[must_use]
    pub fn new(name: impl Into<String>, text: Arc<str>) -> Self {
        Self { name: name.into(), text, lines: OnceLock::new() }
    }

    /// The name that diagnostics show.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    fn lines(&self) -> &LineIndex {
        // Built on first use: a file without a diagnostic never pays for it.
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The greatest character boundary that is not behind `offset`.
    fn floor(&self, offset: u32) -> u32 {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset as u32
    }

    /// Line and column in bytes of UTF-8; an offset behind the end is taken as the end.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let at = self.lines().line_col(TextSize::from(self.floor(offset)));
        LineColumn { line: at.line, column: at.col }
    }

    /// Line and column in UTF-16 code units.
    #[must_use]
    pub fn line_column_utf16(&self, offset: u32) -> LineColumn {
        let at = self.lines().line_col(TextSize::from(self.floor(offset)));
        let wide = self.lines().to_wide(WideEncoding::Utf16, at);
        LineColumn { line: at.line, column: wide.map_or(at.col, |wide| wide.col) }
    }

    /// The offset of a line and a column in bytes; what lies outside is clamped to the nearest place in the text.
    #[must_use]
    pub fn offset(&self, at: LineColumn) -> u32 {
        let Some(line) = self.lines().line(at.line) else { return self.text.len() as u32 };
        let (start, end) = (u32::from(line.start()), u32::from(line.end()));
        let end = start + Span::new(start, end).text(&self.text).trim_end_matches(['\r', '\n']).len() as u32;
        self.floor(start.saturating_add(at.column).min(end))
    }

    /// The offset of a line and a column in UTF-16 code units; what lies outside is clamped to the nearest place in the text.
    #[must_use]
    pub fn offset_utf16(&self, at: LineColumn) -> u32 {
        let wide = line_index::WideLineCol { line: at.line, col: at.column };
        let narrow = self.lines().to_utf8(WideEncoding::Utf16, wide).unwrap_or(LineCol { line: at.line, col: at.column });
        self.offset(LineColumn { line: narrow.line, column: narrow.col })
    }
}

/// All files that diagnostics of one run may point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Arc<SourceFile>>,
}

impl SourceMap {
    /// No file yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file in and names it.
    pub fn add(&mut self, file: Arc<SourceFile>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(file);
        id
    }

    /// The file, if `id` is of this map.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&Arc<SourceFile>> {
        self.files.get(id.0 as usize)
    }

    /// All files with their ids, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<SourceFile>)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// The name of a file as diagnostics show it.
    #[must_use]
    pub fn name(&self, id: FileId) -> &str {
        self.get(id).map_or("?", |file| file.name())
    }

    /// The text that a place covers.
    #[must_use]
    pub fn text(&self, place: Place) -> &str {
        self.get(place.file).map_or("", |file| place.span.text(file.text()))
    }
}
