//! From tokens to top-level items.
//!
//! The cut is made on the tokens alone, before anything is parsed, so that a mistake in one item costs no other. At bracket depth 0 an
//! item starts with a keyword that is first on its line. Inside open brackets, which is where a missing `}` leaves us, it takes the whole
//! shape of a header (`tool NAME (`), or a keyword and a name in column 0.

use crate::lexer::Tokens;
use crate::parse::File;
use crate::relex::Kept;
use crate::token::TokenKind as K;

/// What a piece of the file starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// An item's keyword.
    Keyword,
    /// A word that is most likely this keyword misspelt.
    Misspelt(K),
    /// A word that is kept for later versions of the language.
    Reserved,
    /// Something else.
    Other,
}

/// A piece of the file that is one item, or should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// The first token: a doc comment, an attribute or the head.
    pub first: usize,
    /// The token that it starts with behind docs and attributes.
    pub head: usize,
    /// Behind the last token.
    pub end: usize,
    /// What it starts with.
    pub kind: Head,
    /// Whether the head is first on its line, as it should be.
    pub own_line: bool,
}

/// The words that later versions of the language will start items with.
pub(crate) const RESERVED: [&str; 5] = ["trigger", "config", "reactor", "scroll", "policy"];

/// The words that items start with, and what they are.
pub(crate) const INTRODUCERS: [(&str, K); 16] = [
    ("type", K::Type),
    ("tool", K::Tool),
    ("workflow", K::Workflow),
    ("agent", K::Agent),
    ("prompt", K::Prompt),
    ("event", K::Event),
    ("enum", K::Enum),
    ("union", K::Union),
    ("error", K::Error),
    ("import", K::Import),
    ("toolkit", K::Toolkit),
    ("external", K::External),
    ("signal", K::Signal),
    ("interaction", K::Interaction),
    ("provider", K::Provider),
    ("test", K::Test),
];

/// Cuts a file into its items.
pub(crate) fn split(text: &str, tokens: &Tokens) -> Vec<Chunk> {
    let mut splitter = Splitter { text, tokens, chunks: Vec::new(), open: None, depth: 0, previous: None };
    splitter.run(0, true, |_| false);
    splitter.close(tokens.len());
    splitter.chunks
}

/// So many tokens behind its head an item must still stand as it did, for that is how far is looked ahead, blanks and comments aside.
const AHEAD: usize = 8;

/// How many items at the start and at the end are cut as in the earlier state, up to their last token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uncut {
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// Cuts a file into its items of which an earlier state is known: only what stands around the tokens that have changed is cut again.
pub(crate) fn split_again(earlier: &File, text: &str, tokens: &Tokens, kept: Kept) -> (Vec<Chunk>, Uncut) {
    let (old, items) = (&earlier.tokens, &earlier.items);
    let is_keyword = |chunk: &Chunk| chunk.kind == Head::Keyword && old.kind(chunk.head).starts_item();
    let ahead = |chunk: &Chunk| {
        let behind = old.kinds().get(chunk.head..kept.front).unwrap_or_default();
        behind.iter().filter(|kind| !kind.is_trivia()).nth(AHEAD).is_some()
    };
    // The items that end before the change, without the last of them; and of those the last that starts as it must.
    let before = items.partition_point(|slot| slot.chunk.end < kept.front).saturating_sub(1);
    let Some(from) =
        (0..before).rev().take(AHEAD).find(|index| items.get(*index).is_some_and(|slot| is_keyword(&slot.chunk) && ahead(&slot.chunk)))
    else {
        return (split(text, tokens), Uncut::default());
    };
    let chunks: Vec<Chunk> = items.iter().take(from).map(|slot| slot.chunk).collect();
    let open = items.get(from).map(|slot| Chunk { end: slot.chunk.head, ..slot.chunk });
    let head = open.map_or(0, |open| open.head);
    let depth = u32::from(tokens.kind(head).is_opener());
    let mut splitter = Splitter { text, tokens, chunks, open, depth, previous: Some(head) };
    let first_kept = tokens.len() - kept.back;
    // Tokens that have moved are this far from where they were.
    let moved = |index: usize| index + tokens.len() - old.len();
    let known = |open: &Chunk| {
        let at = open.head.checked_sub(first_kept).map(|behind| old.len() - kept.back + behind)?;
        let index = items.binary_search_by_key(&at, |slot| slot.chunk.head).ok()?;
        let chunk = items.get(index)?.chunk;
        let same = is_keyword(&chunk) && (open.kind, open.own_line) == (chunk.kind, chunk.own_line);
        (same && chunk.first >= old.len() - kept.back && open.first == moved(chunk.first)).then_some(index)
    };
    splitter.run(head + 1, false, |open| known(open).is_some());
    let Some(same) = splitter.open.as_ref().and_then(known) else {
        splitter.close(tokens.len());
        return (splitter.chunks, Uncut { front: from, back: 0 });
    };
    let rest = items.iter().skip(same).map(|slot| slot.chunk);
    splitter.chunks.extend(rest.map(|it| Chunk { first: moved(it.first), head: moved(it.head), end: moved(it.end), ..it }));
    (splitter.chunks, Uncut { front: from, back: (items.len() - same).saturating_sub(1) })
}

struct Splitter<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    chunks: Vec<Chunk>,
    open: Option<Chunk>,
    depth: u32,
    previous: Option<usize>,
}

impl Splitter<'_> {
    /// Goes on from a token. It stops when a piece is opened of which more need not be known.
    fn run(&mut self, from: usize, mut line_start: bool, stop: impl Fn(&Chunk) -> bool) {
        let (bytes, tokens) = (self.text.as_bytes(), self.tokens);
        let kinds = tokens.kinds().get(from..).unwrap_or_default();
        for (index, (&kind, place)) in (from..).zip(kinds.iter().zip(tokens.bounds(from..tokens.len()).windows(2))) {
            match kind {
                K::Whitespace => {
                    let &[start, end] = place else { continue };
                    line_start |= bytes.get(start as usize..end as usize).is_some_and(|blanks| blanks.contains(&b'\n'));
                }
                kind if kind.is_trivia() || kind == K::Doc => {}
                // Within a line only brackets and keywords of items matter.
                kind if !line_start && self.open.is_some() && !kind.starts_item() && !kind.is_opener() && !kind.is_closer() => {
                    self.previous = Some(index);
                }
                _ => {
                    self.token(index, kind, line_start);
                    line_start = false;
                    if self.open.as_ref().is_some_and(|open| open.head == index && stop(open)) {
                        return;
                    }
                }
            }
        }
    }

    fn breaks_line(&self, index: usize) -> bool {
        self.tokens.span(index).text(self.text).as_bytes().contains(&b'\n')
    }

    fn token(&mut self, index: usize, kind: K, first: bool) {
        if (first || kind.starts_item())
            && let Some(head) = self.starts(index, kind, first)
        {
            let meta = self.meta_start(index);
            // One complaint about what stands before it on the line is enough.
            let behind_junk = self.open.is_some_and(|open| open.kind == Head::Other);
            self.close(meta);
            self.open = Some(Chunk { first: meta, head: index, end: index, kind: head, own_line: first || meta < index || behind_junk });
            self.depth = 0;
        } else if self.open.is_none() {
            let meta = self.meta_start(index);
            self.open = Some(Chunk { first: meta, head: index, end: index, kind: Head::Other, own_line: true });
        }
        if kind.is_opener() {
            self.depth += 1;
        } else if kind.is_closer() {
            self.depth = self.depth.saturating_sub(1);
        }
        self.previous = Some(index);
    }

    /// Ends the open chunk behind its last token that stands before `limit`.
    fn close(&mut self, limit: usize) {
        // Attributes alone, which were a piece of their own so far, are part of the item that follows them.
        let Some(mut chunk) = self.open.take().filter(|chunk| chunk.first < limit) else { return };
        let mut end = limit;
        while end > chunk.head + 1 && end.checked_sub(1).is_some_and(|last| self.is_outside(last)) {
            end -= 1;
        }
        // A doc comment that may have swallowed what closes the item belongs to it.
        let swallows = |index: &usize| self.tokens.kind(*index) == K::Doc && self.tokens.span(*index).text(self.text).contains('}');
        if self.depth > 0
            && let Some(doc) = (end..limit).take_while(|index| !self.breaks_line(*index)).find(swallows)
        {
            end = doc + 1;
        }
        chunk.end = end.max(chunk.head + 1);
        self.chunks.push(chunk);
    }

    fn is_outside(&self, index: usize) -> bool {
        let kind = self.tokens.kind(index);
        kind.is_trivia() || kind == K::Doc
    }

    fn starts(&self, index: usize, kind: K, first: bool) -> Option<Head> {
        let margin = first && self.is_at_margin(index);
        let shape = kind.starts_item() && self.has_shape(kind, index);
        if kind.starts_item() {
            let starts = if !first {
                self.depth == 0 && shape && self.is_closed(index)
            } else if self.depth > 0 {
                // `error x {` and `prompt x` may be settings, so it takes the margin as well.
                // A test in a test starts like one of its own, but for the workflow.
                (shape && (margin || !matches!(kind, K::Error | K::Test)))
                    || (margin && !matches!(kind, K::Prompt | K::Test) && self.is_named(index))
            } else if self.is_second_word(kind) {
                false
            } else {
                shape
                    || (margin && (self.is_complete() || self.is_named(index)) && !self.is_key(index))
                    || (self.is_closed(index) && self.is_named(index))
            };
            return starts.then_some(Head::Keyword);
        }
        if kind == K::Identifier || kind == K::Unknown {
            return self.word(index, margin);
        }
        (margin && self.depth == 0 && self.is_stray(kind)).then_some(Head::Other)
    }

    /// Whether a token at the margin cannot go on with the open item.
    fn is_stray(&self, kind: K) -> bool {
        let Some(open) = self.open.filter(|_| self.is_complete()) else { return false };
        let is_text = |kind| matches!(kind, K::String | K::TextBlock | K::OpenString | K::OpenTextBlock);
        let head = self.tokens.kind(open.head);
        // An import and a prompt end with a string.
        if matches!(head, K::Import | K::Prompt) && self.previous.is_some_and(|previous| is_text(self.tokens.kind(previous))) {
            return true;
        }
        starts_nothing(kind) || (is_text(kind) && head != K::Prompt)
    }

    /// A word that is no keyword, first on its line.
    fn word(&self, index: usize, margin: bool) -> Option<Head> {
        let word = self.tokens.span(index).text(self.text);
        let meant = || {
            let words = INTRODUCERS.iter().map(|(word, _)| *word);
            let meant = weave_diagnostics::closest(word, words)?;
            INTRODUCERS.iter().find(|(word, _)| *word == meant).map(|(_, kind)| *kind)
        };
        if self.depth > 0 {
            return (margin && self.is_named(index)).then(meant)?.filter(|kind| self.has_shape(*kind, index)).map(Head::Misspelt);
        }
        if self.open.is_some() && !self.is_complete() {
            return None;
        }
        let next = self.next(index).map(|next| self.tokens.kind(next));
        if RESERVED.contains(&word) && next.is_some_and(|next| next.is_word() || matches!(next, K::String | K::BraceOpen)) {
            return Some(Head::Reserved);
        }
        if self.is_named(index)
            && let Some(kind) = meant()
            && (margin || self.has_shape(kind, index))
        {
            return Some(Head::Misspelt(kind));
        }
        margin.then_some(Head::Other)
    }

    /// Whether the tokens from here on have the shape of an item's header.
    fn has_shape(&self, kind: K, index: usize) -> bool {
        let Some(first) = self.next(index) else { return false };
        let second = self.next(first).map(|second| self.tokens.kind(second));
        let first = self.tokens.kind(first);
        match kind {
            K::Import => first == K::BraceOpen,
            K::External => first == K::Event,
            K::Signal | K::Interaction | K::Provider => first == K::Tool && second.is_some_and(K::is_word),
            _ if !first.is_word() => false,
            K::Tool | K::Agent | K::Prompt | K::Workflow => second == Some(K::ParenOpen),
            K::Type | K::Error => matches!(second, Some(K::BraceOpen | K::Assign)),
            K::Enum | K::Toolkit => second == Some(K::BraceOpen),
            K::Union => matches!(second, Some(K::BraceOpen | K::By)),
            K::Event => second == Some(K::Dot),
            K::Test => second == Some(K::Of),
            _ => false,
        }
    }

    /// Whether a name follows on the same line, and is not the key of a field.
    fn is_named(&self, index: usize) -> bool {
        let Some(name) = self.next(index).filter(|name| self.tokens.kind(*name).is_word()) else { return false };
        !self.is_key(name)
    }

    /// Whether a colon or a comma follows, as behind a field, an entry or an enum's value.
    fn is_key(&self, index: usize) -> bool {
        let Some(next) = self.next(index) else { return false };
        match self.tokens.kind(next) {
            K::Colon | K::Comma => true,
            K::Question => self.next(next).is_some_and(|colon| self.tokens.kind(colon) == K::Colon),
            _ => false,
        }
    }

    /// Whether the item before this token is closed: by a brace, a text, or because it is an attribute of what follows.
    fn is_closed(&self, index: usize) -> bool {
        let Some(previous) = self.previous else { return true };
        matches!(self.tokens.kind(previous), K::BraceClose | K::String | K::TextBlock | K::OpenString | K::OpenTextBlock)
            || self.attribute_start(index).is_some()
    }

    /// Whether the open item may end before this token.
    fn is_complete(&self) -> bool {
        let Some(previous) = self.previous else { return true };
        let kind = self.tokens.kind(previous);
        let is_head = self.open.is_some_and(|open| open.head == previous) && kind.starts_item();
        !is_head
            && !kind.is_opener()
            && !matches!(
                kind,
                K::Assign
                    | K::Pipe
                    | K::Arrow
                    | K::Comma
                    | K::Colon
                    | K::Dot
                    | K::LeadingDot
                    | K::At
                    | K::Less
                    | K::By
                    | K::From
                    | K::Hydrates
                    | K::Event
                    | K::Tool
            )
    }

    /// Whether a keyword belongs to the word before it: `external event`, `signal tool`.
    fn is_second_word(&self, kind: K) -> bool {
        let Some(open) = self.open.filter(|open| self.previous == Some(open.head)) else { return false };
        match self.tokens.kind(open.head) {
            K::External => kind == K::Event,
            K::Signal | K::Interaction | K::Provider => kind == K::Tool,
            _ => false,
        }
    }

    /// The next token of the grammar on the same line.
    fn next(&self, index: usize) -> Option<usize> {
        let kinds = self.tokens.kinds().get(index + 1..)?;
        for (offset, kind) in kinds.iter().enumerate() {
            let here = index + 1 + offset;
            match kind {
                K::Whitespace if self.breaks_line(here) => return None,
                kind if kind.is_trivia() => {}
                _ => return Some(here),
            }
        }
        None
    }

    /// Whether a token stands in column 0, or a blank behind it, which is what is left where a first word was taken out.
    fn is_at_margin(&self, index: usize) -> bool {
        let before = self.text.as_bytes().get(..self.tokens.start(index) as usize).unwrap_or_default();
        match before {
            [] | [.., b'\n'] | [.., b'\n', b' ' | b'\t'] | [b' ' | b'\t'] => true,
            before => before == "\u{feff}".as_bytes(),
        }
    }

    /// Where the doc comments and attributes directly before a token start.
    fn meta_start(&self, index: usize) -> usize {
        let floor = match self.open {
            // A piece that starts with an attribute has nothing else: all of it belongs to the item.
            Some(Chunk { kind: Head::Other, first, head, .. }) if self.tokens.kind(head) == K::At => return first,
            Some(Chunk { kind: Head::Other, first, .. }) => first,
            Some(open) => open.head + 1,
            None => self.chunks.last().map_or(0, |last| last.end),
        };
        let mut start = index;
        let mut here = index;
        while here > floor {
            here -= 1;
            match self.tokens.kind(here) {
                K::Doc if self.is_first_on_line(here) => start = here,
                kind if kind.is_trivia() => {}
                _ => match self.attribute_start(here + 1).filter(|at| *at >= floor) {
                    Some(at) => {
                        start = at;
                        here = at;
                    }
                    None => break,
                },
            }
        }
        start
    }

    fn is_first_on_line(&self, index: usize) -> bool {
        match index.checked_sub(1).map(|before| (before, self.tokens.kind(before))) {
            None | Some((_, K::ByteOrderMark)) => true,
            Some((before, K::Whitespace)) => self.breaks_line(before) || before == 0,
            Some(_) => false,
        }
    }

    /// The `@` of the attribute that ends directly before a token.
    fn attribute_start(&self, index: usize) -> Option<usize> {
        let mut name = self.before(index)?;
        if self.tokens.kind(name) == K::ParenClose {
            let mut depth = 0u32;
            // An attribute has few tokens; a longer way back is none.
            for _ in 0..64 {
                match self.tokens.kind(name) {
                    K::ParenClose => depth += 1,
                    K::ParenOpen => depth -= 1,
                    _ => {}
                }
                name = self.before(name)?;
                if depth == 0 {
                    break;
                }
            }
        }
        let at = self.before(name)?;
        (self.tokens.kind(name).is_word() && self.tokens.kind(at) == K::At).then_some(at)
    }

    fn before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|before| !self.tokens.kind(*before).is_trivia())
    }
}

/// Whether neither an item nor a line within one starts like this.
const fn starts_nothing(kind: K) -> bool {
    matches!(
        kind,
        K::Number
            | K::Duration
            | K::BadNumber
            | K::True
            | K::False
            | K::Null
            | K::LeadingDot
            | K::At
            | K::Semicolon
            | K::Coalesce
            | K::Range
            | K::Ellipsis
            | K::Or
            | K::And
            | K::Not
            | K::Equal
            | K::NotEqual
            | K::LessEqual
            | K::GreaterEqual
            | K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Percent
    )
}
