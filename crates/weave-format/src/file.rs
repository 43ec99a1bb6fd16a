//! Items one below the other, and what stands between them.

use weave_diagnostics::Span;
use weave_syntax::{File, ItemSlot, lex};

use crate::cursor::{Cursor, comments, line_ends};
use crate::render::{Output, render};
use crate::{NotFormatted, Replacement, layout};

/// The whole file.
pub(crate) fn text(file: &File) -> String {
    let mut out = Output::default();
    out.text.reserve(file.text.len() + file.text.len() / 8);
    let mut cursor = Cursor::new(file);
    let mut behind = 0;
    let mut was_large = None;
    for slot in &file.items {
        let first = file.tokens.at(slot.start);
        let between = Between { is_start: was_large.is_none(), ends: slot.start };
        let seam = gap(file, &mut out, behind, first, between);
        let head = one(file, &mut cursor, slot, &mut out);
        // Something of several lines stands apart from its neighbours; docs and attributes do not count.
        let is_large = out.lines() > head;
        if let Some(seam) = seam.filter(|seam| !seam.has_blank && (is_large || was_large == Some(true))) {
            out.insert_line(seam.offset);
        }
        was_large = Some(is_large);
        behind = file.tokens.at(slot.end);
    }
    let end = Between { is_start: was_large.is_none(), ends: file.text.len() as u32 };
    gap(file, &mut out, behind, file.tokens.len(), end);
    out.end_file();
    let text = out.finish();
    with_line_ends(file, text)
}

/// The items that a range touches.
pub(crate) fn range(file: &File, range: Span) -> Result<Vec<Replacement>, NotFormatted> {
    let mut cursor = Cursor::new(file);
    let mut found = Vec::new();
    let touched = file.items.iter().filter(|slot| slot.start <= range.end && range.start <= slot.end);
    for slot in touched {
        if !slot.parsed.errors.is_empty() {
            return Err(NotFormatted::SyntaxErrors);
        }
        let mut out = Output::default();
        one(file, &mut cursor, slot, &mut out);
        let text = out.finish();
        let text = with_line_ends(file, text);
        let before = file.item_text(slot);
        if text == before {
            continue;
        }
        if !crate::check::same_tokens(before, &lex(before), &text) {
            return Err(NotFormatted::Changed);
        }
        found.push(Replacement { span: Span::new(slot.start, slot.end), text });
    }
    Ok(found)
}

/// The part of a text that these lines take; the first line is 0.
pub(crate) fn span_of_lines(text: &str, lines: std::ops::RangeInclusive<usize>) -> Span {
    let starts = std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
    let mut starts = starts.skip(*lines.start());
    let start = starts.next().unwrap_or(text.len());
    let end = starts.nth(lines.end() - lines.start()).map_or(text.len(), |next| next - 1);
    Span::new(start as u32, end as u32)
}

/// The text with the replacements, which stand in its order.
pub(crate) fn replaced(text: &str, replacements: &[Replacement]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut written = 0;
    for replacement in replacements {
        result.push_str(text.get(written..replacement.span.start as usize).unwrap_or_default());
        result.push_str(&replacement.text);
        written = replacement.span.end as usize;
    }
    result.push_str(text.get(written..).unwrap_or_default());
    result
}

/// The text with the line ends of the file, in comments and text blocks, too. The first line decides whether they are those of Windows.
fn with_line_ends(file: &File, text: String) -> String {
    if !file.text.contains('\r') {
        return text;
    }
    let text = text.replace("\r\n", "\n");
    let is_crlf = file.text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    if is_crlf { text.replace('\n', "\r\n") } else { text }
}

/// Writes an item, and says how many lines have ended when its first keyword was written.
fn one(file: &File, cursor: &mut Cursor<'_>, slot: &ItemSlot, out: &mut Output) -> usize {
    cursor.start(slot.start);
    layout::item(cursor, &slot.parsed.item);
    render(&cursor.document.ops, &file.text, slot.start + slot.parsed.item.span.start, out)
}

/// Where an empty line may have to be put between two items.
struct Seam {
    offset: usize,
    has_blank: bool,
}

/// What stands around what is between two items.
#[derive(Clone, Copy)]
struct Between {
    /// Whether nothing stands before it.
    is_start: bool,
    /// Where the next item starts.
    ends: u32,
}

/// Writes the comments between two items and ends the line before the second.
fn gap(file: &File, out: &mut Output, first: usize, end: usize, between: Between) -> Option<Seam> {
    let found = comments(file, first, end);
    let mut is_start = between.is_start;
    let mut has_blank = false;
    let mut seam = None;
    let mut behind = file.tokens.start(first);
    for comment in &found {
        let text = comment.span.text(&file.text);
        if comment.lines_before == 0 && !is_start {
            if comment.is_line {
                out.trail(text);
            } else {
                out.write(" ");
                out.write(text);
            }
        } else {
            if !is_start {
                has_blank |= comment.lines_before > 1;
                out.end_line(comment.lines_before > 1, 0);
                seam.get_or_insert(out.text.len());
            }
            out.write(text);
        }
        is_start = false;
        behind = comment.span.end;
    }
    if is_start || between.ends == file.text.len() as u32 && end == file.tokens.len() {
        return None;
    }
    let blank = line_ends(&file.text, Span::new(behind, between.ends)) > 1;
    has_blank |= blank;
    out.end_line(blank, 0);
    let offset = *seam.get_or_insert(out.text.len());
    (!between.is_start).then_some(Seam { offset, has_blank })
}
