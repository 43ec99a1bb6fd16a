//! Items one below the other, and what stands between them.

use weave_diagnostics::Span;
use weave_syntax::{File, ItemSlot, Items, Tokens, lex};

use crate::cursor::{Cursor, comments, line_ends};
use crate::render::{Output, render};
use crate::{NotFormatted, Replacement, layout};

/// The whole file.
pub(crate) fn whole(file: &File) -> Result<String, NotFormatted> {
    if file.has_errors() {
        return Err(NotFormatted::SyntaxErrors);
    }
    let mut writer = Writer::new(&file.text, &file.tokens);
    file.items.iter().for_each(|slot| writer.item(slot));
    writer.end()
}

/// A text that nobody wants to be parsed otherwise: each item is parsed when it is laid out, so that no more than one is in memory.
pub(crate) fn text(text: &str) -> Result<String, NotFormatted> {
    let tokens = lex(text);
    let mut items = Items::new(text, &tokens);
    let mut writer = Writer::new(text, &tokens);
    for slot in items.by_ref() {
        if slot.has_errors() {
            return Err(NotFormatted::SyntaxErrors);
        }
        writer.item(&slot);
    }
    if items.has_errors() { Err(NotFormatted::SyntaxErrors) } else { writer.end() }
}

/// Writes the items of a file one below the other.
struct Writer<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    cursor: Cursor<'a>,
    out: Output,
    /// The first token behind the last item.
    behind: usize,
    /// Whether the last item, if there is one, has several lines.
    was_large: Option<bool>,
}

impl<'a> Writer<'a> {
    fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        let out = Output::with_capacity(text.len() + text.len() / 8);
        Self { text, tokens, cursor: Cursor::new(text, tokens), out, behind: 0, was_large: None }
    }

    fn item(&mut self, slot: &ItemSlot) {
        let first = self.tokens.at(slot.start);
        let seam = self.gap(first, slot.start);
        let head = one(self.text, &mut self.cursor, slot, &mut self.out);
        // Something of several lines stands apart from its neighbours; docs and attributes do not count.
        let is_large = self.out.lines() > head;
        if let Some(seam) = seam.filter(|seam| !seam.has_blank && (is_large || self.was_large == Some(true))) {
            self.out.insert_line(seam.offset);
        }
        self.out.settle();
        self.was_large = Some(is_large);
        self.behind = self.tokens.at(slot.end);
    }

    fn end(mut self) -> Result<String, NotFormatted> {
        self.gap(self.tokens.len(), self.text.len() as u32);
        self.out.end_file();
        let text = with_line_ends(self.text, self.out.finish());
        if text != self.text && !crate::check::same_tokens(self.text, self.tokens, &text) {
            return Err(NotFormatted::Changed);
        }
        Ok(text)
    }

    /// Writes the comments up to a token, and ends the line before what starts there, if something does.
    fn gap(&mut self, end: usize, ends: u32) -> Option<Seam> {
        let found = comments(self.text, self.tokens, self.behind, end);
        let out = &mut self.out;
        let is_first = self.was_large.is_none();
        let mut is_start = is_first;
        let mut has_blank = false;
        let mut seam = None;
        let mut behind = self.tokens.start(self.behind);
        for comment in &found {
            let text = comment.span.text(self.text);
            if comment.lines_before == 0 && !is_start {
                if comment.is_line {
                    out.trail(text);
                } else {
                    out.write(" ");
                    out.write_lines(text);
                }
            } else {
                if !is_start {
                    has_blank |= comment.lines_before > 1;
                    out.end_line(comment.lines_before > 1, 0);
                    seam.get_or_insert(out.text.len());
                }
                out.write_lines(text);
            }
            is_start = false;
            behind = comment.span.end;
        }
        if is_start || ends == self.text.len() as u32 && end == self.tokens.len() {
            return None;
        }
        let blank = line_ends(self.text, Span::new(behind, ends)) > 1;
        has_blank |= blank;
        out.end_line(blank, 0);
        let offset = *seam.get_or_insert(out.text.len());
        (!is_first).then_some(Seam { offset, has_blank })
    }
}

/// The items that a range touches.
pub(crate) fn range(file: &File, range: Span) -> Result<Vec<Replacement>, NotFormatted> {
    let mut cursor = Cursor::new(&file.text, &file.tokens);
    let mut found = Vec::new();
    let touched = file.items.iter().filter(|slot| slot.start <= range.end && range.start <= slot.end);
    for slot in touched {
        if !slot.parsed.errors.is_empty() {
            return Err(NotFormatted::SyntaxErrors);
        }
        let mut out = Output::default();
        one(&file.text, &mut cursor, slot, &mut out);
        let text = out.finish();
        let text = with_line_ends(&file.text, text);
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
fn with_line_ends(source: &str, text: String) -> String {
    if !source.contains('\r') {
        return text;
    }
    let text = text.replace("\r\n", "\n");
    let is_crlf = source.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    if is_crlf { text.replace('\n', "\r\n") } else { text }
}

/// Writes an item, and says how many lines have ended when its first keyword was written.
fn one(text: &str, cursor: &mut Cursor<'_>, slot: &ItemSlot, out: &mut Output) -> usize {
    cursor.start(slot.start);
    layout::item(cursor, &slot.parsed.item);
    render(&cursor.document.ops, text, slot.start + slot.parsed.item.span.start, out)
}

/// Where an empty line may have to be put between two items.
struct Seam {
    offset: usize,
    has_blank: bool,
}
