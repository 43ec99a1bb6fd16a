//! The tokens of a text of which an earlier state is known: only what stands around the change is read again.
//!
//! Reading begins with the blanks before the line that has changed: what stands before them ends with its line, or has its end in sight. It ends
//! with the first blanks behind the change that stand there in the earlier state too: behind blanks nothing is left to know but the text.

use crate::lexer::{Tokens, go_on};
use crate::parse::File;
use crate::token::TokenKind as K;

/// How many tokens at the start and at the end are those of the earlier state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// The tokens of a text, and which of them an earlier state has too; nothing if it says nothing about them.
pub(crate) fn lex_again(earlier: &File, text: &str) -> Option<(Tokens, Kept)> {
    let (old_text, old) = (earlier.text.as_bytes(), &earlier.tokens);
    let bytes = text.as_bytes();
    let longest = old_text.len().max(bytes.len());
    if u32::try_from(longest).is_err() {
        return None;
    }
    let start = same_at_start(old_text, bytes);
    let end = same_at_end(old_text.get(start..)?, bytes.get(start..)?);
    let front = front(earlier, start)?;
    let mut tokens = Tokens::with_first(old, front, bytes.len());
    let moved = (bytes.len() as u32).wrapping_sub(old_text.len() as u32);
    let changed = (bytes.len() - end) as u32;
    let known = |offset: u32| {
        let there = offset.wrapping_sub(moved);
        let index = old.starts().partition_point(|start| *start < there);
        (offset >= changed && old.starts().get(index) == Some(&there) && old.kind(index) == K::Whitespace).then_some(index)
    };
    let begin = old.start(front) as usize;
    let back = match go_on(text, begin, &mut tokens, |offset| known(offset).is_some()).and_then(known) {
        Some(index) => {
            tokens.extend_moved(old, index, moved);
            old.len() - index
        }
        None => {
            tokens.finish(bytes.len() as u32);
            0
        }
    };
    Some((tokens, Kept { front, back }))
}

/// How many tokens stand before the last line break in front of a change, if all of them would be the same before any other text.
fn front(earlier: &File, changed: usize) -> Option<usize> {
    let (text, tokens) = (&*earlier.text, &earlier.tokens);
    let behind = tokens.starts().partition_point(|start| (*start as usize) < changed);
    let ends_line = |index: &usize| {
        let span = tokens.span(*index);
        tokens.kind(*index) == K::Whitespace && span.end as usize <= changed && span.text(text).contains('\n')
    };
    let front = (0..behind).rev().find(ends_line)?;
    let before = tokens.kinds().get(..front)?.iter().enumerate();
    let has_end_in_sight = |(index, kind): (usize, &K)| match kind {
        K::OpenTextBlock => false,
        K::TextBlock => closes_its_line(tokens.span(index).text(text)),
        _ => true,
    };
    before.into_iter().all(has_end_in_sight).then_some(front)
}

/// Whether a text block needs no look behind it: it ends on the line that it starts on, or with quotes that are first on their line.
fn closes_its_line(block: &str) -> bool {
    block.rsplit_once('\n').is_none_or(|(_, last)| last.trim_start_matches([' ', '\t']).len() == 3)
}

/// So many bytes are compared at once.
const BLOCK: usize = 1024;

fn same_at_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK)).take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().skip(blocks).zip(other.iter().skip(blocks));
    blocks + rest.take_while(|(one, other)| one == other).count()
}

fn same_at_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK)).take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().rev().skip(blocks).zip(other.iter().rev().skip(blocks));
    blocks + rest.take_while(|(one, other)| one == other).count()
}
