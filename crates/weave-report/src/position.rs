//! From offsets to lines and columns.

use std::cell::RefCell;
use std::collections::BTreeMap;

use weave_diagnostics::{FileId, Place, SourceMap, Span};

/// A place in a text; lines and columns are counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) offset: u32,
    pub(crate) line: u32,
    /// The column in bytes of UTF-8.
    pub(crate) bytes: u32,
    /// The column in code units of UTF-16.
    pub(crate) utf16: u32,
    /// The column in characters, as people count them.
    pub(crate) characters: u32,
}

/// The positions of a report.
///
/// Columns in other units than bytes have to be counted. Somebody's file may be one line of megabytes with thousands of diagnostics, so each count
/// goes on from the one before it, in whatever direction.
#[derive(Debug)]
pub(crate) struct Positions<'a> {
    sources: &'a SourceMap,
    last: RefCell<BTreeMap<FileId, Position>>,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(sources: &'a SourceMap) -> Self {
        Self { sources, last: RefCell::default() }
    }

    /// The start and the end of a place.
    pub(crate) fn range(&self, place: Place) -> (Position, Position) {
        (self.at(place.file, place.span.start), self.at(place.file, place.span.end))
    }

    /// The position of an offset; of one that is in no file the start of a text.
    pub(crate) fn at(&self, file: FileId, offset: u32) -> Position {
        let Some(source) = self.sources.get(file) else { return Position::default() };
        let start = source.line_column(offset);
        // The line of an offset behind the end, or inside of a character, says which offset is meant.
        let line = source.line(start.line).map_or(0, |line| line.start);
        let offset = line + start.column;
        let mut last = self.last.borrow_mut();
        let from = last.get(&file).copied().filter(|last| last.line == start.line);
        let from = from.unwrap_or(Position { offset: line, line: start.line, ..Position::default() });
        let between = Span::new(from.offset.min(offset), from.offset.max(offset)).text(source.text());
        let (utf16, characters) = (between.encode_utf16().count() as u32, between.chars().count() as u32);
        let moved = |column: u32, by: u32| if offset < from.offset { column.saturating_sub(by) } else { column + by };
        // A byte order mark is a code unit, but no character that anybody counts.
        let mark = u32::from(between.starts_with('\u{feff}') && from.offset.min(offset) == 0);
        let position = Position {
            offset,
            line: start.line,
            bytes: start.column,
            utf16: moved(from.utf16, utf16),
            characters: moved(from.characters, characters - mark),
        };
        last.insert(file, position);
        position
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weave_diagnostics::SourceFile;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_the_file_in_whatever_order(text in "\u{feff}?(a|\u{e4}|\u{1f600}|\n|\r\n|\t){0,40}", offsets in prop::collection::vec(0_u32..120, 1..12)) {
            let mut sources = SourceMap::new();
            let file = sources.add(SourceFile::new("a.weave", text.as_str().into()).into());
            let positions = Positions::new(&sources);
            let source = sources.get(file).unwrap();
            for offset in offsets {
                let at = positions.at(file, offset);
                let utf16 = source.line_column_utf16(offset);
                prop_assert_eq!((at.line, at.bytes), { let at = source.line_column(offset); (at.line, at.column) });
                prop_assert_eq!((at.line, at.utf16), (utf16.line, utf16.column));
                prop_assert_eq!(at.characters, source.line_column_chars(offset).column);
            }
        }
    }

    #[test]
    fn a_place_in_no_file_is_the_start() {
        let sources = SourceMap::new();
        assert_eq!(Positions::new(&sources).at(FileId(3), 9), Position::default());
    }
}
