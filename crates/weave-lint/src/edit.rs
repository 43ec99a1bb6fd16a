//! Edits that several rules offer: a setting more, a setting less.

use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{BlockEntry, Setting};

use crate::project::DeclarationView;

/// Where and how a setting is put behind another entry of its block.
pub(crate) fn behind(view: &DeclarationView<'_>, entry: Span, setting: &str) -> (Place, String) {
    (view.place(Span::at(entry.end)), separator(view.context.text, entry) + setting)
}

/// What stands between an entry and one that is put behind it: it goes onto a line of its own where the entry has one.
pub(crate) fn separator(item: &str, entry: Span) -> String {
    let before = item.get(..entry.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim().is_empty() { format!("\n{line}") } else { ", ".to_owned() }
}

/// What is taken away with a setting of a declaration.
pub(crate) fn without_setting(view: &DeclarationView<'_>, setting: &Setting) -> Place {
    let entries: Vec<Span> = view.block().into_iter().flat_map(|block| &block.entries).map(entry_span).collect();
    view.place(without_entry(view.context.text, &entries, setting.span))
}

/// Where an entry of a block stands.
pub(crate) const fn entry_span(entry: &BlockEntry) -> Span {
    match entry {
        BlockEntry::Setting(setting) => setting.span,
        BlockEntry::Data(entry) => entry.span,
    }
}

/// What is taken away with an entry of a block: its lines if nothing else stands on them.
pub(crate) fn without_entry(item: &str, entries: &[Span], entry: Span) -> Span {
    let before = item.get(..entry.start as usize).unwrap_or_default();
    let after = item.get(entry.end as usize..).unwrap_or_default();
    let indentation = before.rsplit('\n').next().unwrap_or_default();
    let rest = after.split_inclusive('\n').next().unwrap_or_default();
    let is_alone = indentation.trim().is_empty() && matches!(rest.trim(), "" | ",") && rest.ends_with('\n');
    if is_alone {
        return Span::new(entry.start - indentation.len() as u32, entry.end + rest.len() as u32);
    }
    let Some(index) = entries.iter().position(|other| *other == entry) else { return entry };
    without_item(item, entries, index)
}

/// What is taken away with something that stands between other things: its lines if nothing else stands on them, and the blank lines that would
/// otherwise stand beside other blank ones, at the start or at the end.
pub(crate) fn whole_lines(text: &str, span: Span) -> Span {
    const MARK: char = '\u{feff}';
    let before = text.get(..span.start as usize).unwrap_or_default();
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(usize::from(before.starts_with(MARK)) * MARK.len_utf8(), |at| at + 1);
    let rest = behind.split_inclusive('\n').next().unwrap_or_default();
    let is_first = before.get(line_start..).is_some_and(|blanks| blanks.trim().is_empty());
    if !is_first || !rest.trim().is_empty() {
        let blanks = |text: &str| text.len() - text.trim_end_matches([' ', '\t']).len();
        // At the end of a line the blanks before go, else those behind, so that one gap is left.
        return match rest.trim().is_empty() {
            true => Span::new(span.start - blanks(before) as u32, span.end),
            false => Span::new(span.start, span.end + (rest.len() - rest.trim_start().len()) as u32),
        };
    }
    let (above, mut end) = (before.get(..line_start).unwrap_or_default(), span.end as usize + rest.len());
    let above_text = above.trim_start_matches(MARK);
    let blank_lines = |text: &str| -> usize { text.split_inclusive('\n').take_while(|line| line.trim().is_empty()).map(str::len).sum() };
    let is_blank_above = above_text.is_empty() || above_text.lines().next_back().is_some_and(|line| line.trim().is_empty());
    if is_blank_above {
        end += blank_lines(text.get(end..).unwrap_or_default());
    }
    let mut start = line_start;
    if end == text.len() {
        // The file ends with the line break of its last line.
        let kept = above.trim_end().len();
        start = kept + above.get(kept..).and_then(|blanks| blanks.find('\n')).map_or(0, |at| at + 1);
    }
    Span::new(start as u32, end as u32)
}

/// What is taken away with an item of a list, or with an entry beside others: the comma goes with it.
pub(crate) fn without_item(item: &str, items: &[Span], index: usize) -> Span {
    let Some(span) = items.get(index).copied() else { return Span::at(0) };
    let next = items.get(index + 1).filter(|next| !Span::new(span.end, next.start).text(item).contains('\n'));
    let previous = index.checked_sub(1).and_then(|index| items.get(index));
    match (next, previous) {
        (Some(next), _) => Span::new(span.start, next.start),
        (None, Some(previous)) => Span::new(previous.end, span.end),
        (None, None) => items.get(index + 1).map_or(span, |next| Span::new(span.start, next.start)),
    }
}

/// A span, and the blanks before it: what goes away together with it.
pub(crate) fn with_blanks_before(text: &str, span: Span) -> Span {
    let before = text.get(..span.start as usize).unwrap_or_default();
    Span::new(before.trim_end().len() as u32, span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_with_what_stands_alone_on_them() {
        let cases = [
            ("a\nX\nb\n", "a\nb\n"),
            ("X\n\nb\n", "b\n"),
            ("\u{feff}X\n\nb\n", "\u{feff}b\n"),
            ("a\n\nX\n\nb\n", "a\n\nb\n"),
            ("a\n\n  X  \n \n\nb\n", "a\n\nb\n"),
            ("a\nX\n\nb\n", "a\n\nb\n"),
            ("a\n\nX\n", "a\n"),
            ("a\n\nX", "a\n"),
            ("a\r\n\r\nX\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
            ("a\r\n\r\nX\r\n", "a\r\n"),
            ("a X b\n", "a b\n"),
            ("  X b\n", "  b\n"),
            ("a  X\nb\n", "a\nb\n"),
            ("X\n", ""),
            ("X", ""),
        ];
        for (text, expected) in cases {
            let start = text.find('X').unwrap();
            let span = whole_lines(text, Span::new(start as u32, start as u32 + 1));
            let left = format!("{}{}", &text[..span.start as usize], &text[span.end as usize..]);
            assert_eq!(left, expected, "{text:?}");
        }
    }
}
