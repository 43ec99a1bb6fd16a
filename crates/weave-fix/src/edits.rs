//! Edits of one text that are applied at once.

use std::collections::BTreeMap;

use weave_diagnostics::Span;

/// What happens at one offset.
#[derive(Clone, Debug, Default)]
struct Here {
    /// What is inserted, in the order in which it came.
    inserted: Vec<String>,
    /// What is replaced from here on: up to where, and by what.
    replaced: Option<(u32, String)>,
}

/// Edits of one text that do not overlap.
///
/// Two replacements may touch. Insertions at one offset stand in the order in which they were added, before what replaces the text behind them;
/// the same text is never inserted twice at one offset, because once may have been enough.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    by_start: BTreeMap<u32, Here>,
}

impl Edits {
    /// Whether one more edit would overlap none of those that are there, nor repeat an insertion.
    #[must_use]
    pub fn has_room(&self, span: Span, text: &str) -> bool {
        let before = self.by_start.range(..span.start).next_back();
        // Replacements do not overlap, so none of those further before reaches further.
        let is_within = before.and_then(|(_, here)| here.replaced.as_ref()).is_some_and(|(end, _)| *end > span.start);
        let here = self.by_start.get(&span.start);
        let is_taken = here.is_some_and(|here| match span.is_empty() {
            true => here.inserted.iter().any(|inserted| inserted == text),
            false => here.replaced.is_some(),
        });
        let is_around = !span.is_empty() && self.by_start.range(span.start + 1..span.end).next().is_some();
        !is_within && !is_taken && !is_around
    }

    /// Adds an edit for which there is room.
    pub fn add(&mut self, span: Span, text: &str) {
        let here = self.by_start.entry(span.start).or_default();
        if span.is_empty() {
            here.inserted.push(text.to_owned());
        } else {
            here.replaced = Some((span.end, text.to_owned()));
        }
    }

    /// The text with all edits done; nothing if one of them lies outside of the text. Line breaks that come in are those of the text.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        let breaks = LineBreaks::of(text);
        let mut written = String::with_capacity(text.len() + 64);
        let mut from = 0;
        for (start, here) in &self.by_start {
            written.push_str(text.get(from..*start as usize)?);
            from = *start as usize;
            here.inserted.iter().for_each(|inserted| breaks.push(&mut written, inserted));
            if let Some((end, replacement)) = &here.replaced {
                text.get(from..*end as usize)?;
                breaks.push(&mut written, replacement);
                from = *end as usize;
            }
        }
        written.push_str(text.get(from..)?);
        Some(written)
    }

    /// Where an offset of the text lies after all edits: behind what is inserted there, and at the end of what replaced its surroundings.
    pub(crate) fn moved(&self, text: &str, offset: u32) -> u32 {
        let breaks = LineBreaks::of(text);
        let mut moved = i64::from(offset);
        for (start, here) in self.by_start.range(..=offset) {
            moved += here.inserted.iter().map(|inserted| breaks.len(inserted)).sum::<i64>();
            if let Some((end, replacement)) = here.replaced.as_ref().filter(|(end, _)| *end <= offset || *start < offset) {
                moved += breaks.len(replacement) - i64::from((*end).min(offset) - start);
            }
        }
        u32::try_from(moved).unwrap_or_default()
    }
}

/// The line breaks of a text, which are those of its first line.
#[derive(Clone, Copy, Debug)]
struct LineBreaks {
    is_crlf: bool,
}

impl LineBreaks {
    fn of(text: &str) -> Self {
        Self { is_crlf: text.find('\n').is_some_and(|at| text.get(..at).is_some_and(|line| line.ends_with('\r'))) }
    }

    fn push(self, written: &mut String, text: &str) {
        if !self.is_crlf {
            written.push_str(text);
            return;
        }
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => {
                    written.push_str(line.strip_suffix('\r').unwrap_or(line));
                    written.push_str("\r\n");
                }
                None => written.push_str(line),
            }
        }
    }

    fn len(self, text: &str) -> i64 {
        let mut written = String::new();
        self.push(&mut written, text);
        i64::try_from(written.len()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(all: &[(u32, u32, &str)]) -> Edits {
        let mut edits = Edits::default();
        for (start, end, text) in all {
            assert!(edits.has_room(Span::new(*start, *end), text), "no room for {text:?}");
            edits.add(Span::new(*start, *end), text);
        }
        edits
    }

    #[test]
    fn insertions_at_one_place_stand_in_their_order_before_what_is_replaced() {
        let edits = edits(&[(2, 4, "X"), (2, 2, "a"), (2, 2, "b"), (4, 6, ""), (6, 6, "c")]);
        assert_eq!(edits.apply("012345678").as_deref(), Some("01abXc678"));
    }

    #[test]
    fn what_overlaps_has_no_room() {
        let edits = edits(&[(2, 6, "X"), (8, 8, "i")]);
        for (start, end) in [(0, 3), (2, 6), (3, 4), (5, 9), (0, 9), (3, 3), (5, 5), (7, 9)] {
            assert!(!edits.has_room(Span::new(start, end), "y"), "{start}..{end}");
        }
        for (start, end) in [(0, 2), (6, 8), (8, 9), (2, 2), (6, 6), (8, 8)] {
            assert!(edits.has_room(Span::new(start, end), "y"), "{start}..{end}");
        }
        assert!(!edits.has_room(Span::at(8), "i"), "the same twice at one place");
    }

    #[test]
    fn what_lies_outside_is_refused() {
        assert_eq!(edits(&[(2, 9, "")]).apply("0123"), None);
        assert_eq!(edits(&[(1, 1, "x")]).apply("ä"), None, "in the middle of a character");
    }

    #[test]
    fn line_breaks_are_those_of_the_text() {
        assert_eq!(edits(&[(3, 3, "b\nc\r\n")]).apply("a\r\nd\r\n").as_deref(), Some("a\r\nb\r\nc\r\nd\r\n"));
        assert_eq!(edits(&[(2, 2, "b\n")]).apply("a\nd\r\n").as_deref(), Some("a\nb\nd\r\n"));
    }

    #[test]
    fn offsets_move_with_the_text() {
        let text = "0123456789";
        let edits = edits(&[(2, 4, "XYZ"), (6, 6, "++")]);
        assert_eq!(edits.apply(text).as_deref(), Some("01XYZ45++6789"));
        assert_eq!([0, 1, 4, 5, 6, 7].map(|offset| edits.moved(text, offset)), [0, 1, 5, 6, 9, 10]);
    }
}
