//! Items that need not be parsed again, because an earlier state of the text has them too.

use std::sync::Arc;

use crate::budget::Budget;
use crate::lexer::Tokens;
use crate::parse::{File, ItemSlot, ParsedItem};
use crate::split::{Chunk, Uncut};
use crate::token::TokenKind as K;

/// The items of an earlier state of a text.
pub(crate) struct Known<'a> {
    earlier: &'a File,
    /// How many pieces of the text have been looked for, and the item that is expected next.
    looked_for: usize,
    next: usize,
    /// How many pieces the text has.
    count: usize,
    /// Which of them are known to have the same tokens.
    uncut: Uncut,
}

impl<'a> Known<'a> {
    /// For a state of the text that has so many pieces.
    pub(crate) const fn new(earlier: &'a File, count: usize, uncut: Uncut) -> Self {
        Self { earlier, looked_for: 0, next: 0, count, uncut }
    }

    /// What a piece is, if the earlier state has it, and what its repairs cost. Pieces come in the order of the text.
    ///
    /// Where an item was expected and another one stands, the texts differ: the item was changed, or there are more of them now, or
    /// fewer. In the first case the next one is expected behind it, in the others as far from the end as it is now.
    pub(crate) fn find(&mut self, text: &str, tokens: &Tokens, chunk: &Chunk, budget: &mut Budget) -> Option<(Arc<ParsedItem>, u32)> {
        let from_end = self.count.saturating_sub(self.looked_for);
        self.looked_for += 1;
        let behind = self.earlier.items.len().checked_sub(from_end);
        let is_front = self.looked_for <= self.uncut.front;
        if is_front {
            self.next = self.looked_for - 1;
        }
        let is_same = is_front || from_end <= self.uncut.back;
        let candidates = if is_front { [Some(self.next), None] } else { [behind.filter(|_| is_same).or(Some(self.next)), behind] };
        self.next += 1;
        if !stands_alone(text, tokens, chunk) {
            return None;
        }
        for index in candidates.into_iter().flatten() {
            let Some(slot) = self.earlier.items.get(index).filter(|slot| is_same || self.is_like(slot, text, tokens, chunk)) else {
                continue;
            };
            self.next = index + 1;
            let cost = slot.cost.filter(|cost| budget.spend_again(*cost))?;
            return Some((Arc::clone(&slot.parsed), cost));
        }
        None
    }

    /// Whether an item of the earlier state is what this piece will be: its text and its tokens are the same, and both stand alone.
    fn is_like(&self, slot: &ItemSlot, text: &str, tokens: &Tokens, chunk: &Chunk) -> bool {
        let (earlier, old) = (self.earlier, slot.chunk);
        let place = tokens.start(chunk.first) as usize..tokens.start(chunk.end) as usize;
        let same_shape = old.end - old.first == chunk.end - chunk.first
            && old.head - old.first == chunk.head - chunk.first
            && (old.kind, old.own_line) == (chunk.kind, chunk.own_line);
        if !same_shape || text.get(place) != Some(earlier.item_text(slot)) {
            return false;
        }
        let kinds = tokens.kinds().get(chunk.first..chunk.end) == earlier.tokens.kinds().get(old.first..old.end);
        let (here, there) = (tokens.bounds(chunk.first..chunk.end), earlier.tokens.bounds(old.first..old.end));
        let (base, old_base) = (tokens.start(chunk.first), earlier.tokens.start(old.first));
        kinds
            && here.iter().zip(there).all(|(here, there)| here - base == there - old_base)
            && stands_alone(&earlier.text, &earlier.tokens, &old)
    }
}

/// Whether the lines of a piece are its own, comments behind it aside. What else stands on them may change what is made of it: a doc
/// comment behind something is none, and a semicolon at the end of a line is not missed.
fn stands_alone(text: &str, tokens: &Tokens, chunk: &Chunk) -> bool {
    let ends_line = |index: usize| tokens.kind(index) == K::Whitespace && tokens.span(index).text(text).contains('\n');
    let is_comment = |index: usize| matches!(tokens.kind(index), K::LineComment | K::BlockComment);
    let behind = chunk.end;
    let ends = ends_line(behind) || is_comment(behind) || (tokens.kind(behind) == K::Whitespace && is_comment(behind + 1));
    chunk.first.checked_sub(1).is_none_or(ends_line) && behind < tokens.len() && ends
}
