//! From text to tokens.
//!
//! The tokens tile the text: each starts where the one before it ends, blanks and comments are tokens too. Whatever the text is, there
//! are tokens for it; what is no token of the language is one of the fault kinds, about which [`crate::lexical`] speaks.

use logos::{Lexer, Logos};

use crate::strings::Ends;
use crate::token::TokenKind;

/// What is known about the text ahead of the lexer. Whoever looks far ahead notes it, or many tokens would each look at all of the text.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The ends of strings on a line.
    pub(crate) ends: Ends,
    /// No text block that starts before this offset is closed by quotes that are first on their line.
    open_until: usize,
}

/// The tokens of a file, side by side: their kinds, and where they start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    kinds: Vec<TokenKind>,
    /// Where each token starts, and behind them the end of the text.
    starts: Vec<u32>,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the file.
    pub span: weave_diagnostics::Span,
}

impl Tokens {
    /// How many tokens there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is none, which is so for the empty file only.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kinds.
    #[must_use]
    pub fn kinds(&self) -> &[TokenKind] {
        &self.kinds
    }

    /// The offsets of the first bytes.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        self.starts.get(..self.kinds.len()).unwrap_or_default()
    }

    /// Where the tokens of a range start, and behind them the end of the last one.
    pub(crate) fn bounds(&self, tokens: std::ops::Range<usize>) -> &[u32] {
        self.starts.get(tokens.start..=tokens.end).unwrap_or_default()
    }

    fn end(&self) -> u32 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The kind of a token; behind the last one everything is [`TokenKind::Whitespace`].
    #[must_use]
    pub fn kind(&self, index: usize) -> TokenKind {
        self.kinds.get(index).copied().unwrap_or(TokenKind::Whitespace)
    }

    /// Where a token starts; behind the last one that is the end of the file.
    #[must_use]
    pub fn start(&self, index: usize) -> u32 {
        self.starts.get(index).copied().unwrap_or_else(|| self.end())
    }

    /// Where a token stands.
    #[must_use]
    pub fn span(&self, index: usize) -> weave_diagnostics::Span {
        weave_diagnostics::Span::new(self.start(index), self.start(index + 1))
    }

    /// The tokens in their order.
    pub fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        let places = self.starts.iter().zip(self.starts.iter().skip(1)).map(|(start, end)| weave_diagnostics::Span::new(*start, *end));
        self.kinds.iter().zip(places).map(|(kind, span)| Token { kind: *kind, span })
    }

    /// The first token that ends behind `offset`: the one that holds it. Behind the text that is [`Tokens::len`].
    #[must_use]
    pub fn at(&self, offset: u32) -> usize {
        if offset >= self.end() {
            return self.len();
        }
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    fn push(&mut self, kind: TokenKind, start: u32) {
        self.kinds.push(kind);
        self.starts.push(start);
    }

    /// Says where the text ends, behind the last token.
    pub(crate) fn finish(&mut self, end: u32) {
        self.starts.push(end);
    }

    /// The first tokens of another text, with room for those of one of this length.
    pub(crate) fn with_first(other: &Self, count: usize, length: usize) -> Self {
        let likely = other.len() + length / 1024 + 64;
        let mut tokens = Self { kinds: Vec::with_capacity(likely), starts: Vec::with_capacity(likely) };
        tokens.kinds.extend_from_slice(other.kinds.get(..count).unwrap_or_default());
        tokens.starts.extend_from_slice(other.starts.get(..count).unwrap_or_default());
        tokens
    }

    /// Adds the tokens of another text from one on, and its end, each so far from where it stands there.
    pub(crate) fn extend_moved(&mut self, other: &Self, from: usize, moved: u32) {
        self.kinds.extend_from_slice(other.kinds.get(from..).unwrap_or_default());
        self.starts.extend(other.starts.get(from..).unwrap_or_default().iter().map(|start| start.wrapping_add(moved)));
    }
}

/// The tokens of a text. Texts of four gigabytes and more are read up to there.
#[must_use]
pub fn lex(text: &str) -> Tokens {
    let text = readable(text);
    // Realistic text has a token every three to four bytes, blanks included. Room that is not used is never touched; to grow would copy everything.
    let likely = text.len() / 3 + 8;
    let mut tokens = Tokens { kinds: Vec::with_capacity(likely), starts: Vec::with_capacity(likely) };
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    if mark > 0 {
        tokens.push(TokenKind::ByteOrderMark, 0);
    }
    go_on(text, mark, &mut tokens, |_| false);
    tokens.finish(text.len() as u32);
    tokens
}

/// Adds the tokens of a text from an offset on that is its start, or that of blanks. The answer is where blanks stand in front of which it was
/// to stop; nothing at the end.
pub(crate) fn go_on(text: &str, from: usize, tokens: &mut Tokens, stop: impl Fn(u32) -> bool) -> Option<u32> {
    let mut lexer = TokenKind::lexer(text);
    lexer.bump(from);
    let mut previous = TokenKind::Whitespace;
    loop {
        // Nearly every other token is a run of blanks, which needs no automaton.
        let blanks = lexer.remainder().bytes().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')).count();
        if blanks > 0 {
            let start = lexer.span().end as u32;
            if stop(start) {
                return Some(start);
            }
            tokens.push(TokenKind::Whitespace, start);
            lexer.bump(blanks);
            previous = TokenKind::Whitespace;
        }
        let kind = lexer.next()?;
        let kind = kind.unwrap_or(TokenKind::Unknown);
        let start = lexer.span().start as u32;
        if kind == TokenKind::Unknown {
            unknown(text, &mut lexer, tokens, start);
            // `$.a` is a path with a mark of other languages before it.
            if text.get(..lexer.span().end).is_some_and(|before| before.ends_with('$')) {
                previous = TokenKind::Whitespace;
                continue;
            }
        } else if kind == TokenKind::LeadingDot && ends_operand(previous) {
            tokens.push(TokenKind::Dot, start);
        } else {
            tokens.push(kind, start);
        }
        previous = kind;
    }
}

/// The part of a text that 32-bit offsets reach.
pub(crate) fn readable(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Whether a dot directly behind this token reads from what the token ends.
fn ends_operand(kind: TokenKind) -> bool {
    kind.is_word()
        || matches!(kind, TokenKind::BracketClose | TokenKind::ParenClose | TokenKind::Question | TokenKind::Unknown | TokenKind::String)
}

/// Makes one token of a run of characters that no token starts with. Letters outside ASCII take the word around them along.
fn unknown<'a>(text: &'a str, lexer: &mut Lexer<'a, TokenKind>, tokens: &mut Tokens, start: u32) {
    let first = lexer.slice().chars().next().unwrap_or_default();
    if (matches!(first, '\'' | '#' | '`') && lexer.slice().len() > 1) || (first == '\u{201c}' && lexer.slice().ends_with('\u{201d}')) {
        tokens.push(TokenKind::Unknown, start);
        return;
    }
    let mut start = start;
    if is_foreign_letter(first) {
        let in_word = |c: char| c == '_' || c.is_ascii_alphanumeric() || is_foreign_letter(c);
        lexer.bump(length_of(lexer.remainder(), in_word));
        let last = tokens.kinds.last().copied().unwrap_or(TokenKind::Whitespace);
        if last.is_word() || matches!(last, TokenKind::Number | TokenKind::BadNumber | TokenKind::Duration) {
            tokens.kinds.pop();
            start = tokens.starts.pop().unwrap_or(start);
        }
    } else {
        let odd = |c: char| is_odd(c) && !is_foreign_letter(c);
        lexer.bump(length_of(lexer.remainder(), odd));
    }
    // A run that goes on from another kind of unknown characters is still one run.
    let touches = tokens.kinds.last() == Some(&TokenKind::Unknown) && !is_whole(text, tokens.starts.last().copied().unwrap_or(0), start);
    if !touches {
        tokens.push(TokenKind::Unknown, start);
    }
}

/// Whether the unknown token at `start..end` is of a form that has its own end.
fn is_whole(text: &str, start: u32, end: u32) -> bool {
    let slice = text.get(start as usize..end as usize).unwrap_or_default();
    (slice.len() > 1 && slice.starts_with(['\'', '#', '`'])) || (slice.starts_with('\u{201c}') && slice.ends_with('\u{201d}'))
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// A character beyond ASCII that belongs to words: everything but blanks, quotation marks and the like.
pub(crate) fn is_foreign_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric()
}

/// A character that no token starts with.
fn is_odd(c: char) -> bool {
    !c.is_ascii() || (c.is_ascii_control() && !matches!(c, '\t' | '\r' | '\n')) || matches!(c, '$' | '~' | '^' | '`' | '\\' | '#' | '&')
}

/// Finds the end of a block comment; comments nest.
pub(crate) fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> TokenKind {
    let bytes = lexer.remainder().as_bytes();
    let mut depth = 1u32;
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        match (byte, bytes.get(index + 1)) {
            (b'*', Some(b'/')) => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    lexer.bump(index);
                    return TokenKind::BlockComment;
                }
            }
            (b'/', Some(b'*')) => {
                depth += 1;
                index += 2;
            }
            _ => index += 1,
        }
    }
    lexer.bump(bytes.len());
    TokenKind::OpenComment
}

/// Finds the end of a text block.
///
/// It closes at the `"""` that is first on its line. Where there is none, the text ends before the first line that looks like the header
/// of an item and stands in column 0, so that the rest of the file is not lost. A block whose text starts on the line of the quotes
/// closes at the next `"""`.
pub(crate) fn text_block(lexer: &mut Lexer<'_, TokenKind>) -> TokenKind {
    let rest = lexer.remainder();
    let start = lexer.span().end;
    let (end, closed) = text_block_end(rest, start, &mut lexer.extras.open_until);
    lexer.bump(end);
    if closed { TokenKind::TextBlock } else { TokenKind::OpenTextBlock }
}

/// `open_until` is [`Known::open_until`], and `start` the offset of the rest.
fn text_block_end(rest: &str, start: usize, open_until: &mut usize) -> (usize, bool) {
    const QUOTES: &str = "\"\"\"";
    let text = rest.trim_start_matches([' ', '\t', '\r']);
    let inline = !text.is_empty() && !text.starts_with('\n');
    let is_open = start < *open_until;
    // The line is looked at no further than to the next quotes, or many blocks on one line would each look at all of it.
    let mut opening = 0;
    while let Some(mark) = rest.get(opening..).and_then(|rest| rest.find(['\n', '"'])) {
        let here = rest.get(opening + mark..).unwrap_or_default();
        opening += mark;
        if here.starts_with('\n') {
            break;
        }
        if here.starts_with(QUOTES) {
            return (opening + QUOTES.len(), true);
        }
        opening += 1;
    }
    if !rest.get(opening..).unwrap_or_default().starts_with('\n') {
        return (rest.len(), false);
    }
    let mut header = None; // where the first line starts that looks like an item
    let mut misplaced = None; // behind the first `"""` that is not first on its line
    let mut offset = opening + 1;
    for line in rest.get(offset..).unwrap_or_default().split('\n') {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if line.get(blanks..).is_some_and(|text| text.starts_with(QUOTES)) {
            return (offset + blanks + QUOTES.len(), true);
        }
        if header.is_none() && is_header(line) {
            header = Some(offset);
        }
        if let Some(place) = line.find(QUOTES) {
            if header.is_some() {
                // An item with quotes of its own: the one that would close this block belongs to it.
                break;
            }
            misplaced = misplaced.or(Some(offset + place + QUOTES.len()));
            if inline || is_open {
                break;
            }
        }
        offset += line.len() + 1;
    }
    if !inline && !is_open {
        *open_until = (*open_until).max(start + header.unwrap_or(rest.len()));
    }
    match (misplaced, header) {
        (Some(end), _) => (end, true),
        // The line end before the header stays outside.
        (None, Some(start)) => (start.saturating_sub(1), false),
        (None, None) => (rest.len(), false),
    }
}

/// Whether a line starts in column 0 like the header of an item.
fn is_header(line: &str) -> bool {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    if line.starts_with([' ', '\t']) {
        return false;
    }
    let Some(keyword) = words.next() else { return false };
    let mut next = || words.next().unwrap_or_default();
    match keyword {
        "import" => next().starts_with('{'),
        "external" => next() == "event",
        "signal" | "interaction" | "provider" => next() == "tool",
        "tool" | "agent" | "prompt" | "workflow" => is_named(next(), next(), "("),
        "type" => is_named(next(), next(), "={"),
        "enum" | "toolkit" | "error" => is_named(next(), next(), "{"),
        "union" => {
            let (name, behind) = (next(), next());
            is_named(name, behind, "{") || (is_name(name) && behind == "by")
        }
        "test" => is_name(next()) && next() == "of",
        "event" => {
            let name = next();
            name.contains('.') && is_name(&name.replace('.', "_"))
        }
        _ => false,
    }
}

/// `name` and one of the characters of `marks` behind it, in the next word or in the same.
fn is_named(word: &str, behind: &str, marks: &str) -> bool {
    let end = word.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric())).unwrap_or(word.len());
    let (name, rest) = word.split_at_checked(end).unwrap_or_default();
    let mark = if rest.is_empty() { behind } else { rest };
    is_name(name) && mark.starts_with(|c| marks.contains(c))
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
