//! The few characters of a text that a drawing shows: the lines of its labels, cut to a readable width, every character visible.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::charset::Marks;
use crate::{Charset, SourceFile, Span};

/// Lines up to this many characters are shown whole.
const WHOLE_LINE: usize = 160;
/// Of a longer line, so many characters are shown before a labelled place, …
const BEFORE: usize = 40;
/// … and so many behind it.
const AFTER: usize = 60;
/// Leaving out less than this many bytes is not worth its dots.
const SLACK: usize = 12;
/// How many lines of a label of several lines are shown behind its first one.
pub(crate) const LINES_AFTER_START: u32 = 1;
/// How many lines of a label of several lines are shown before its last one.
pub(crate) const LINES_BEFORE_END: u32 = 1;

/// One line of an excerpt.
#[derive(Debug)]
pub(crate) struct ExcerptLine {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// Where it stands in the excerpt's text.
    pub(crate) range: Range<usize>,
}

/// What is shown of one file.
#[derive(Debug, Default)]
pub(crate) struct Excerpt {
    /// The lines that are shown, one behind the other.
    pub(crate) text: String,
    /// The lines by their index; lines that are left out leave a hole in the indices.
    pub(crate) lines: BTreeMap<usize, ExcerptLine>,
    /// Where the lines start in the text, in their order, each with its index.
    starts: Vec<(usize, usize)>,
    /// The spans, in the order in which they were asked for, as ranges of the excerpt's text.
    pub(crate) ranges: Vec<Range<usize>>,
    /// Line and column in the file, from 1, of the starts of those ranges.
    pub(crate) locations: BTreeMap<usize, (usize, usize)>,
}

impl Excerpt {
    /// What is shown of `file` so that all of `spans` can be seen.
    pub(crate) fn new(file: &SourceFile, spans: &[Span], charset: Charset) -> Self {
        let spans = spans.iter().map(|span| visible_span(file, *span)).collect::<Vec<_>>();
        let mut excerpt = Self::default();
        let mut places = BTreeMap::new();
        let mut previous: Option<(u32, usize)> = None;
        for (number, points) in wanted_lines(file, &spans) {
            let index = match previous {
                None => 0,
                Some((line, index)) if line + 1 == number => index + 1,
                // A hole of two or more indices is drawn as a break.
                Some((_, index)) => index + 3,
            };
            previous = Some((number, index));
            excerpt.push_line(file, number, index, &points, charset, &mut places);
        }
        for span in spans {
            let place = |offset: u32| places.get(&offset).copied().unwrap_or_default();
            let (start, end) = (place(span.start), place(span.end));
            let at = file.line_column_chars(span.start);
            excerpt.locations.insert(start, (at.line as usize + 1, at.column as usize + 1));
            excerpt.ranges.push(start..end.max(start));
        }
        excerpt
    }

    /// Adds a line and notes where the points on it have come to stand.
    fn push_line(
        &mut self,
        file: &SourceFile,
        number: u32,
        index: usize,
        points: &[u32],
        charset: Charset,
        places: &mut BTreeMap<u32, usize>,
    ) {
        let line = file.line(number).unwrap_or_default();
        let text = line.text(file.text());
        let points = points.iter().map(|point| point.saturating_sub(line.start) as usize).collect::<Vec<_>>();
        let start = self.text.len();
        let mut shown = 0;
        let mut marks = Marks::default();
        for window in windows(text, &points) {
            if window.start > shown {
                self.text.push_str(charset.ellipsis());
            }
            shown = window.end;
            for (offset, character) in text.get(window.clone()).unwrap_or_default().char_indices() {
                let offset = line.start + (window.start + offset) as u32;
                places.insert(offset, self.text.len());
                let byte_order_mark = character == '\u{feff}' && offset == 0;
                let begins_command = marks.begin_command(character);
                let visible = if begins_command { charset.replacement() } else { charset.visible(character) };
                self.text.extend((!byte_order_mark).then_some(visible));
            }
            places.insert(line.start + window.end as u32, self.text.len());
        }
        let end = self.text.len();
        if shown < text.len() {
            self.text.push_str(charset.ellipsis());
        }
        // A range that ends with the line stays on it: the offset of a line's end is no start of a cut.
        places.entry(line.end).or_insert(end);
        self.starts.push((start, index));
        self.lines.insert(index, ExcerptLine { number: number as usize + 1, range: start..self.text.len() });
        self.text.push('\n');
    }

    /// The index of the line that an offset of the excerpt's text lies on.
    pub(crate) fn line_index(&self, offset: usize) -> usize {
        let behind = self.starts.partition_point(|(start, _)| *start <= offset);
        behind.checked_sub(1).and_then(|last| self.starts.get(last)).map_or(0, |(_, index)| *index)
    }
}

/// The span, inside of the text, on character boundaries and without the line end that it may end with.
fn visible_span(file: &SourceFile, span: Span) -> Span {
    let clamp = |offset: u32| {
        let offset = file.floor(offset);
        let line = file.line(file.line_column(offset).line).unwrap_or_default();
        offset.min(line.end)
    };
    let start = clamp(span.start);
    let covered = Span::new(start, file.floor(span.end)).text(file.text()).trim_end_matches(['\n', '\r']);
    Span::new(start, clamp(start + covered.len() as u32))
}

/// The lines that are shown, and on each the offsets that must be seen.
fn wanted_lines(file: &SourceFile, spans: &[Span]) -> BTreeMap<u32, Vec<u32>> {
    let mut wanted: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for span in spans {
        let (first, last) = (file.line_column(span.start).line, file.line_column(span.end).line);
        for line in (first..=last.min(first + LINES_AFTER_START)).chain(last.saturating_sub(LINES_BEFORE_END).max(first)..=last) {
            wanted.entry(line).or_default();
        }
        wanted.entry(first).or_default().push(span.start);
        wanted.entry(last).or_default().push(span.end);
    }
    // One line that is left out takes no less room than itself.
    let lines = wanted.keys().copied().collect::<Vec<_>>();
    for (one, next) in lines.iter().zip(lines.iter().skip(1)) {
        if one + 2 == *next {
            wanted.entry(one + 1).or_default();
        }
    }
    wanted
}

/// The parts of a line that are shown, in their order and apart from each other.
fn windows(line: &str, points: &[usize]) -> Vec<Range<usize>> {
    if line.char_indices().nth(WHOLE_LINE).is_none() {
        return std::iter::once(0..line.len()).collect();
    }
    let mut points = if points.is_empty() { vec![0] } else { points.to_vec() };
    points.sort_unstable();
    let mut windows: Vec<Range<usize>> = Vec::new();
    for point in points {
        let window = back(line, point)..forward(line, point);
        match windows.last_mut() {
            Some(last) if window.start < last.end + SLACK => last.end = last.end.max(window.end),
            _ => windows.push(window),
        }
    }
    windows
}

fn back(line: &str, point: usize) -> usize {
    let before = line.get(..point).unwrap_or_default();
    let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(offset, _)| offset);
    if start < SLACK { 0 } else { start }
}

fn forward(line: &str, point: usize) -> usize {
    let behind = line.get(point..).unwrap_or_default();
    let end = behind.char_indices().nth(AFTER).map_or(line.len(), |(offset, _)| point + offset);
    if line.len() < end + SLACK { line.len() } else { end }
}
