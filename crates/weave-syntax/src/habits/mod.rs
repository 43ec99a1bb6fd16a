//! Forms of other languages that newcomers write: they are recognised on the tokens of an item with a mistake, and read as the form that was
//! meant.
//!
//! Each habit has one message, a fix where one exists, and changes to the tokens after which the parser goes on as if the right form had been
//! written. So one habit is one diagnostic, and the rest of the item is still checked. Habits are looked for only in items with a mistake, so a
//! word of another language stays free as a name.

mod actions;
mod after;
mod blocks;
mod calls;
mod clauses;
mod constraints;
mod control;
pub(crate) mod doubt;
pub(crate) mod durations;
mod fields;
pub(crate) mod files;
mod guards;
mod header;
pub(crate) mod heads;
mod nodes;
mod places;
mod settings;
mod triggers;
mod types;
pub(crate) mod values;
pub(crate) mod words;

use std::ops::Range;

use weave_diagnostics::{Applicability, Span};

use crate::codes;
use crate::error::{SyntaxError, SyntaxFix};
use crate::feed::Lexeme;
use crate::layout::Layout;
use crate::token::TokenKind as K;
use places::{Frame, Place, Places};

/// The number of tokens that are examined ahead.
const NEAR: usize = 64;

/// The number of tokens that are searched backwards for the owner of a token; the bound keeps the time linear in the length of the text.
const FAR: usize = 4096;

/// The number of habits that are reported for one item.
const MOST: usize = 100;

/// A habit that was found.
struct Habit {
    error: SyntaxError,
    changes: Vec<Change>,
    /// The number of the first token after it.
    end: usize,
}

/// Tokens that are read as others.
struct Change {
    tokens: Range<usize>,
    instead: Vec<Lexeme>,
}

impl Change {
    fn new(tokens: Range<usize>, instead: impl Into<Vec<Lexeme>>) -> Self {
        Self { tokens, instead: instead.into() }
    }

    fn delete(tokens: Range<usize>) -> Self {
        Self { tokens, instead: Vec::new() }
    }

    /// Whether two changes cannot both be made.
    fn overlaps(&self, other: &Self) -> bool {
        let (one, other) = (&self.tokens, &other.tokens);
        if one.is_empty() || other.is_empty() {
            return one == other
                || (one.start < other.start && other.start < one.end)
                || (other.start < one.start && one.start < other.end);
        }
        one.start < other.end && other.start < one.end
    }
}

/// The tokens of an item as their author meant them, and what is said about that; nothing if no habit is found.
pub(crate) fn read(text: &str, lexemes: &[Lexeme]) -> Option<(Vec<Lexeme>, Vec<SyntaxError>)> {
    let reader = Reader::new(text, lexemes);
    // What is in the braces of a test is of another shape than all other items.
    if reader.head().is_some_and(|(_, kind)| kind == K::Test) {
        return None;
    }
    let mut habits: Vec<Habit> = Vec::new();
    let mut number = 0;
    while number < lexemes.len() && habits.len() < MOST {
        let found = reader.at(number);
        let fits = |habit: &Habit| {
            let known = habits.iter().flat_map(|known| &known.changes);
            habit.changes.iter().all(|new| known.clone().all(|old| !old.overlaps(new)))
        };
        match found {
            Some(habit) if fits(&habit) => {
                number = habit.end.max(number + 1);
                habits.push(habit);
            }
            _ => number += 1,
        }
    }
    if habits.is_empty() {
        return None;
    }
    let mut changes = Vec::new();
    let mut errors = Vec::new();
    for habit in habits {
        errors.push(habit.error);
        changes.extend(habit.changes);
    }
    changes.sort_by_key(|change| (change.tokens.start, change.tokens.end));
    let mut read = Vec::with_capacity(lexemes.len() + 8);
    let mut here = 0;
    for change in changes {
        read.extend_from_slice(lexemes.get(here..change.tokens.start).unwrap_or_default());
        read.extend(change.instead);
        here = change.tokens.end.max(here);
    }
    read.extend_from_slice(lexemes.get(here..).unwrap_or_default());
    Some((read, errors))
}

/// An item in which habits are looked for.
struct Reader<'a> {
    lexemes: &'a [Lexeme],
    layout: Layout<'a>,
    places: Places,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, lexemes: &'a [Lexeme]) -> Self {
        let layout = Layout::new(text, lexemes);
        let places = Places::of(&layout, lexemes);
        Self { lexemes, layout, places }
    }

    /// The habit that starts at a token.
    fn at(&self, number: usize) -> Option<Habit> {
        let place = self.place(number)?;
        match place.frame {
            Frame::Item => self.header(number).or_else(|| self.ty(number)),
            Frame::Fields => self.field(number).or_else(|| self.ty(number)).or_else(|| self.default_member(number)),
            Frame::Constraints => self.constraints(number),
            Frame::Settings => self.setting(number).or_else(|| self.guard(number)),
            Frame::Nodes if place.guard => self.guard(number).or_else(|| self.guard_end(number)).or_else(|| self.indented(number)),
            Frame::Nodes => self
                .after_block(number)
                .or_else(|| self.node(number))
                .or_else(|| self.dash(number))
                .or_else(|| self.indented(number))
                .or_else(|| self.comprehension(number))
                .or_else(|| self.trigger(number))
                .or_else(|| self.clause(number))
                .or_else(|| self.value(number)),
            Frame::Step => self.action(number).or_else(|| self.value(number)),
            Frame::Value if place.guard => self.guard(number),
            Frame::Value => self.value(number),
        }
    }

    // ---- Tokens --------------------------------------------------------------------------------------------------------

    fn place(&self, number: usize) -> Option<Place> {
        self.places.get(number)
    }

    fn kind(&self, number: usize) -> Option<K> {
        self.layout.kind(number)
    }

    fn is(&self, number: usize, kind: K) -> bool {
        self.kind(number) == Some(kind)
    }

    fn before(&self, number: usize) -> Option<K> {
        self.layout.before(number)
    }

    fn text(&self, number: usize) -> &'a str {
        self.layout.text(number)
    }

    /// The text of a token that is a word.
    fn word(&self, number: usize) -> Option<&'a str> {
        self.kind(number)?.is_word().then(|| self.text(number))
    }

    fn span(&self, number: usize) -> Span {
        let last = self.lexemes.last().map_or(0, |last| last.end);
        self.lexemes.get(number).map_or_else(|| Span::at(last), |lexeme| lexeme.span())
    }

    /// From the start of one token to the end of another.
    fn spans(&self, first: usize, last: usize) -> Span {
        self.span(first).join(self.span(last))
    }

    /// Tokens together with the blanks after them, up to the next token.
    fn with_gap(&self, tokens: Range<usize>) -> Span {
        let next = self.lexemes.get(tokens.end).map_or_else(|| self.span(tokens.end).end, |next| next.start);
        Span::new(self.span(tokens.start).start, next)
    }

    /// Tokens together with the blanks before them.
    fn with_gap_before(&self, tokens: Range<usize>) -> Span {
        let before = tokens.start.checked_sub(1).map_or(self.span(tokens.start).start, |before| self.span(before).end);
        Span::new(before, self.span(tokens.end.saturating_sub(1)).end)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.layout.slice(span)
    }

    /// Whether a token is the first on its line.
    fn starts_line(&self, number: usize) -> bool {
        self.layout.is_line_start(number)
    }

    /// Whether no blanks are between a token and the next one.
    fn glued(&self, number: usize) -> bool {
        self.span(number).end == self.span(number + 1).start
    }

    /// The opener of a closer.
    fn opener(&self, closer: usize) -> Option<usize> {
        self.places.opener(closer)
    }

    /// The closer of an opener.
    fn closer(&self, opener: usize) -> Option<usize> {
        self.places.closer(opener)
    }

    /// The first token after the line of this one, brackets that open on the line included.
    fn line_end(&self, number: usize) -> usize {
        let mut here = number;
        loop {
            let next = self.closer(here).map_or(here, |closer| closer) + 1;
            if next >= self.lexemes.len() || self.starts_line(next) || self.kind(next).is_some_and(K::is_closer) {
                return next.min(self.lexemes.len());
            }
            here = next;
        }
    }

    /// The same token, read as another kind.
    fn read_as(&self, number: usize, kind: K) -> Vec<Lexeme> {
        self.lexemes.get(number).map(|lexeme| Lexeme { kind, ..*lexeme }).into_iter().collect()
    }

    /// The string of a token without its quotes, if it is a name.
    fn unquoted(&self, number: usize) -> Option<(&'a str, Lexeme)> {
        let span = self.span(number);
        let inner = self.is(number, K::String).then(|| self.text(number).strip_prefix('"')?.strip_suffix('"')).flatten()?;
        words::is_name(inner).then_some((inner, Lexeme { kind: K::Identifier, start: span.start + 1, end: span.end - 1 }))
    }

    /// Tokens that are not in the text, at the start of a token.
    fn made_up(&self, number: usize, kinds: &[K]) -> Vec<Lexeme> {
        let at = self.span(number).start;
        kinds.iter().map(|kind| Lexeme::made_up(*kind, at)).collect()
    }

    /// `a`, `a.b`, `a.b.c` from a word on: the number after it, and whether there is a dot.
    fn dotted(&self, number: usize) -> Option<(usize, bool)> {
        self.word(number)?;
        let mut end = number + 1;
        while self.is(end, K::Dot) && self.word(end + 1).is_some() {
            end += 2;
        }
        Some((end, end > number + 1))
    }

    /// `.a.b[0]?` or `a.b` from its first token on: the number after it.
    fn path(&self, number: usize) -> Option<usize> {
        let mut end = match self.kind(number)? {
            K::LeadingDot if self.word(number + 1).is_some() => number + 2,
            kind if kind.is_word() => number + 1,
            _ => return None,
        };
        loop {
            match self.kind(end) {
                Some(K::Dot) if self.word(end + 1).is_some() => end += 2,
                Some(K::BracketOpen | K::ParenOpen) if self.span(end - 1).end == self.span(end).start => end = self.closer(end)? + 1,
                Some(K::Question) => end += 1,
                _ => return Some(end),
            }
        }
    }

    /// A value from its first token on, operators excluded: the number after it.
    fn operand(&self, number: usize) -> Option<usize> {
        let number = (number..self.lexemes.len()).find(|token| !matches!(self.kind(*token), Some(K::Not | K::Minus)))?;
        match self.kind(number)? {
            K::ParenOpen | K::BracketOpen | K::BraceOpen => Some(self.closer(number)? + 1),
            K::String | K::Number | K::Duration | K::TextBlock | K::True | K::False | K::Null => Some(number + 1),
            _ => self.path(number),
        }
    }

    /// The word of the item's keyword.
    fn head(&self) -> Option<(usize, K)> {
        self.places.head()
    }
}

/// Says that a form of another language is not of this one.
fn foreign(span: Span, message: impl Into<String>) -> SyntaxError {
    SyntaxError::new(&codes::FOREIGN_FORM, span, message)
}

/// A fix of several replacements.
fn fix(message: impl Into<String>, edits: Vec<(Span, String)>, applicability: Applicability) -> SyntaxFix {
    SyntaxFix { message: message.into(), edits, applicability }
}
