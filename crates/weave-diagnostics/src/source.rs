//! The files of one compilation.

use std::sync::{Arc, OnceLock};

use crate::lines::{self, LineIndex};
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
    pub(crate) fn floor(&self, offset: u32) -> u32 {
        lines::floor(&self.text, offset)
    }

    /// How many lines there are; a text that ends with a line feed has an empty last line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.lines().count()
    }

    /// The range of a line without its line end, if there is such a line.
    #[must_use]
    pub fn line(&self, line: u32) -> Option<Span> {
        self.lines().line(line, &self.text)
    }

    /// Line and column in bytes of UTF-8; an offset behind the end is taken as the end.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(self.floor(offset))
    }

    /// Line and column in UTF-16 code units.
    #[must_use]
    pub fn line_column_utf16(&self, offset: u32) -> LineColumn {
        let (at, before) = self.before(offset);
        LineColumn { line: at.line, column: before.encode_utf16().count() as u32 }
    }

    /// Line and column in characters, as people count them; a byte order mark is no character.
    #[must_use]
    pub fn line_column_chars(&self, offset: u32) -> LineColumn {
        let (at, before) = self.before(offset);
        let mark = u32::from(at.line == 0 && before.starts_with('\u{feff}'));
        LineColumn { line: at.line, column: before.chars().count() as u32 - mark }
    }

    /// Line and column in bytes of an offset, and the text of that line before it.
    fn before(&self, offset: u32) -> (LineColumn, &str) {
        let offset = self.floor(offset);
        let at = self.lines().line_column(offset);
        (at, Span::new(offset - at.column, offset).text(&self.text))
    }

    /// The offset of a line and a column in bytes; what lies outside is clamped to the nearest place in the text.
    #[must_use]
    pub fn offset(&self, at: LineColumn) -> u32 {
        lines::offset(self.lines(), &self.text, at)
    }

    /// The offset of a line and a column in UTF-16 code units; what lies outside is clamped to the nearest place in the text,
    /// and the middle of a surrogate pair is taken as its start.
    #[must_use]
    pub fn offset_utf16(&self, at: LineColumn) -> u32 {
        lines::offset_utf16(self.lines(), &self.text, at)
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

    /// Puts another state of a file in its place; nothing happens if `id` is of another map.
    pub fn replace(&mut self, id: FileId, file: Arc<SourceFile>) {
        if let Some(slot) = self.files.get_mut(id.0 as usize) {
            *slot = file;
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile::new("a.weave", text.into())
    }

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn columns_differ_by_their_unit() {
        let file = file("ab\r\n\u{e4}\u{1f600}x\n");
        let x = 4 + 2 + 4;
        assert_eq!(file.line_column(x), at(1, 6));
        assert_eq!(file.line_column_utf16(x), at(1, 3));
        assert_eq!(file.line_column_chars(x), at(1, 2));
        assert_eq!(file.offset_utf16(at(1, 3)), x);
        assert_eq!(file.offset_utf16(at(1, 2)), 6, "the middle of a surrogate pair is its start");
    }

    #[test]
    fn places_outside_are_clamped() {
        let file = file("ab\r\nc");
        assert_eq!(file.offset(at(0, 9)), 2, "a column behind the line is before its line end");
        assert_eq!(file.offset_utf16(at(0, 9)), 2);
        assert_eq!(file.offset_utf16(at(0, u32::MAX)), 2);
        assert_eq!(file.offset(at(7, 0)), 5);
        assert_eq!(file.offset_utf16(at(7, 3)), 5);
        assert_eq!(file.line_column(99), at(1, 1));
        assert_eq!(file.line_column_chars(99), at(1, 1));
    }

    #[test]
    fn lines_are_cut_at_line_feeds_only() {
        let text = "a\rb\r\r\n\n\u{2028}z";
        let file = file(text);
        let lines = (0..file.line_count()).filter_map(|line| file.line(line)).map(|span| span.text(text)).collect::<Vec<_>>();
        assert_eq!(lines, ["a\rb\r", "", "\u{2028}z"]);
        assert_eq!(file.line(3), None);
    }

    #[test]
    fn an_empty_text_has_one_empty_line() {
        let file = file("");
        assert_eq!((file.line_count(), file.line(0)), (1, Some(Span::at(0))));
        assert_eq!(file.line_column_utf16(0), at(0, 0));
        assert_eq!(file.offset(at(0, 5)), 0);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column_of_people() {
        let file = file("\u{feff}x");
        assert_eq!(file.line_column_chars(3), at(0, 0));
        assert_eq!(file.line_column_chars(4), at(0, 1));
        assert_eq!(file.line_column_utf16(3), at(0, 1));
    }

    proptest! {
        #[test]
        fn offsets_survive_the_way_there_and_back(text in "(a|\u{e4}|\u{1f600}|\n|\r\n|\t){0,40}") {
            let file = file(&text);
            for (offset, character) in text.char_indices().chain([(text.len(), 'x')]) {
                let offset = offset as u32;
                // The line feed of `\r\n` lies behind the clamped end of its line.
                if character == '\n' && text[..offset as usize].ends_with('\r') {
                    continue;
                }
                prop_assert_eq!(file.offset(file.line_column(offset)), offset);
                prop_assert_eq!(file.offset_utf16(file.line_column_utf16(offset)), offset);
            }
        }
    }
}
