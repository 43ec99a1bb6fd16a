//! From a text to its items.

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, Span};

use crate::ast::{Expr, Item, ItemKind, Meta};
use crate::budget::Budget;
use crate::build::Top;
use crate::error::SyntaxError;
use crate::feed::{Feed, Lexeme, is_first_on_line};
use crate::layout::Layout;
use crate::lexer::{Tokens, lex, readable};
use crate::plan::plan;
use crate::split::{Chunk, Head, INTRODUCERS, split};
use crate::tables::Runner;
use crate::token::TokenKind as K;
use crate::validate::validate;
use crate::{lexical, messages};

/// A text, its tokens and its items.
#[derive(Clone, Debug)]
pub struct File {
    /// The text.
    pub text: Arc<str>,
    /// The tokens, which tile the text.
    pub tokens: Tokens,
    /// The items in the order of the text.
    pub items: Vec<ItemSlot>,
    /// What is wrong outside the items; the places count from the start of the file.
    pub errors: Vec<SyntaxError>,
}

/// An item and its place in the file.
#[derive(Clone, Debug)]
pub struct ItemSlot {
    /// Offset of its first doc comment, attribute or word.
    pub start: u32,
    /// Offset behind its last token.
    pub end: u32,
    /// The item; all places in it count from `start`.
    pub parsed: Arc<ParsedItem>,
}

/// A parsed item and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedItem {
    /// The tree.
    pub item: Item,
    /// What is wrong; the places count from the start of the item.
    pub errors: Vec<SyntaxError>,
    /// Whether the tree holds or lacks something because of a mistake, so that nothing may be made from it.
    pub repaired: bool,
}

impl File {
    /// The text that the spans of an item count in.
    #[must_use]
    pub fn item_text(&self, slot: &ItemSlot) -> &str {
        self.text.get(slot.start as usize..slot.end as usize).unwrap_or_default()
    }

    /// Everything that is wrong with the syntax of the file, in the order of the text.
    #[must_use]
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let outside = self.errors.iter().map(|error| error.diagnostic(file, 0));
        let inside = self.items.iter().flat_map(|slot| slot.parsed.errors.iter().map(|error| error.diagnostic(file, slot.start)));
        let mut all: Vec<Diagnostic> = outside.chain(inside).collect();
        weave_diagnostics::sort_and_dedup(&mut all);
        all
    }

    /// Whether there is an error in it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        let is_error = |error: &SyntaxError| error.code.severity == weave_diagnostics::Severity::Error;
        self.errors.iter().any(is_error) || self.items.iter().any(|slot| slot.parsed.errors.iter().any(is_error))
    }

    /// The `//!` lines at the top of the file: what the file as a whole is about.
    #[must_use]
    pub fn module_docs(&self) -> Option<String> {
        let before_items = self.items.first().map_or(u32::MAX, |slot| slot.start);
        let lines = self.tokens.iter().take_while(|token| token.span.start < before_items && (token.kind.is_trivia()));
        let docs = lines.filter(|token| token.kind == K::ModuleDoc).map(|token| token.span.text(&self.text));
        crate::text::doc_text(docs)
    }
}

/// Parses a text. There is always a result: a mistake costs no more than the item that it is in.
#[must_use]
pub fn parse(text: Arc<str>) -> File {
    let tokens = lex(&text);
    let chunks = split(&text, &tokens);
    let mut parser = Parser { text: readable(&text), tokens: &tokens, feed: Feed::default(), runner: Runner::default(), budget: Budget::default() };
    let mut errors = Vec::new();
    let mut items = Vec::with_capacity(chunks.len());
    let mut behind = 0;
    for chunk in &chunks {
        parser.gap(behind, chunk.first, items.is_empty(), &mut errors);
        items.push(parser.slot(chunk));
        behind = chunk.end;
    }
    parser.gap(behind, tokens.len(), items.is_empty(), &mut errors);
    File { text, tokens, items, errors }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    feed: Feed,
    runner: Runner,
    budget: Budget,
}

impl Parser<'_> {
    /// What is wrong between two items.
    fn gap(&self, first: usize, end: usize, at_top: bool, errors: &mut Vec<SyntaxError>) {
        for index in first..end {
            let (kind, span) = (self.tokens.kind(index), self.tokens.span(index));
            match kind {
                K::Doc if is_first_on_line(self.text, self.tokens, index) => errors.push(lexical::doc_before_nothing(span)),
                K::Doc => errors.push(lexical::doc_behind(span)),
                K::ModuleDoc if !at_top => errors.push(lexical::module_doc(span)),
                kind if kind.is_fault() => errors.extend(lexical::fault(kind, span, span.text(self.text))),
                _ => {}
            }
        }
    }

    fn slot(&mut self, chunk: &Chunk) -> ItemSlot {
        let (start, end) = (self.tokens.start(chunk.first), self.tokens.start(chunk.end));
        let mut parsed = self.item(chunk, Span::new(start, end));
        crate::validate::validate(&parsed.item, Span::new(start, end).text(self.text), &mut parsed.errors);
        ItemSlot { start, end, parsed: Arc::new(parsed) }
    }

    fn item(&mut self, chunk: &Chunk, place: Span) -> ParsedItem {
        self.feed.read(self.text, self.tokens, chunk.first, chunk.end);
        let slice = place.text(self.text);
        let head = self.tokens.span(chunk.head);
        let head = Span::new(head.start - place.start, head.end - place.start);
        let mut errors = std::mem::take(&mut self.feed.errors);
        if let Some(broken) = self.head(chunk, head, slice, &mut errors) {
            return broken;
        }
        let faults = !errors.is_empty();
        if let Ok(Top::Item(item)) = self.runner.run(K::StartItem, &self.feed.lexemes) {
            validate(&item, slice, &mut errors);
            errors.sort_by_key(|error| error.span);
            return ParsedItem { item: *item, errors, repaired: faults };
        }
        let layout = Layout::new(slice, &self.feed.lexemes);
        let planned = plan(K::StartItem, &self.feed.lexemes, &layout, &mut self.budget);
        for number in &planned.stray_docs {
            errors.extend(self.feed.lexemes.get(*number).map(|doc| lexical::doc_before_nothing(doc.span())));
        }
        if !self.feed.too_deep {
            errors.extend(planned.repairs.iter().map(|repair| messages::repair(repair, &self.feed.lexemes, &layout)));
        }
        errors.sort_by_key(|error| error.span);
        let item = match self.runner.run(K::StartItem, &planned.lexemes) {
            Ok(Top::Item(item)) if !planned.nothing => *item,
            _ => broken(slice),
        };
        validate(&item, slice, &mut errors);
        errors.sort_by_key(|error| error.span);
        ParsedItem { item, errors, repaired: true }
    }

    /// Looks at the word that an item starts with; what cannot be read at all is given back.
    fn head(&mut self, chunk: &Chunk, head: Span, slice: &str, errors: &mut Vec<SyntaxError>) -> Option<ParsedItem> {
        let number = self.feed.lexemes.iter().position(|lexeme| lexeme.start == head.start);
        match chunk.kind {
            Head::Keyword if chunk.own_line => return None,
            Head::Keyword => {
                errors.push(messages::not_on_own_line(head));
                return None;
            }
            Head::Misspelt(kind) => {
                errors.push(messages::misspelt(head, head.text(slice), kind));
                if let Some(lexeme) = number.and_then(|number| self.feed.lexemes.get_mut(number)) {
                    lexeme.kind = kind;
                }
                return None;
            }
            Head::Reserved => errors.push(messages::reserved(head, head.text(slice))),
            Head::Other => {
                let number = self.feed.lexemes.iter().position(|lexeme| lexeme.start >= head.start && lexeme.kind != K::Doc);
                let Some(first) = number.and_then(|number| self.feed.lexemes.get(number)).copied() else {
                    return Some(ParsedItem { item: broken(slice), errors: std::mem::take(errors), repaired: true });
                };
                if first.kind.starts_item() || first.kind == K::At {
                    return None;
                }
                let rest = self.feed.lexemes.get(number.unwrap_or_default()..).unwrap_or_default();
                let meant = meant(rest);
                errors.push(messages::no_keyword(first.span(), first.span().text(slice), meant));
                if let (Some(kind), Some(number)) = (meant, number) {
                    self.feed.lexemes.insert(number, Lexeme::made_up(kind, first.start));
                    return None;
                }
            }
        }
        Some(ParsedItem { item: broken(slice), errors: std::mem::take(errors), repaired: true })
    }
}

fn broken(slice: &str) -> Item {
    Item { span: Span::new(0, slice.len() as u32), meta: Meta::default(), kind: ItemKind::Broken }
}

/// The keyword that tokens without one most likely lack.
fn meant(lexemes: &[Lexeme]) -> Option<K> {
    let kind = |number: usize| lexemes.get(number).map(|lexeme| lexeme.kind);
    let has = |kinds: &[K]| lexemes.iter().any(|lexeme| kinds.contains(&lexeme.kind));
    match (kind(0)?, kind(1)?) {
        (K::BraceOpen, _) if has(&[K::From]) => Some(K::Import),
        (first, _) if !first.is_word() => None,
        (_, K::Dot) => Some(K::Event),
        (_, K::Assign) => Some(K::Type),
        (_, K::ParenOpen) if has(&[K::Step, K::End, K::Fail]) => Some(K::Workflow),
        (_, K::ParenOpen) if lexemes.last().is_some_and(|last| last.kind == K::TextBlock) => Some(K::Prompt),
        (_, K::ParenOpen) => Some(K::Tool),
        (_, K::BraceOpen) => {
            let entry = (2..lexemes.len()).find(|number| kind(*number).is_some_and(|kind| kind != K::Doc))?;
            match kind(entry + 1)? {
                K::Colon | K::Question => Some(K::Type),
                K::BracketOpen => Some(K::Toolkit),
                _ => Some(K::Enum),
            }
        }
        _ => None,
    }
}

/// The expression of a placeholder in a slice of an item's text; places count from `offset` on.
pub(crate) fn parse_placeholder(slice: &str, offset: u32) -> (Expr, Vec<SyntaxError>) {
    let tokens = lex(slice);
    let mut feed = Feed::default();
    feed.read(slice, &tokens, 0, tokens.len());
    let mut errors = std::mem::take(&mut feed.errors);
    let mut runner = Runner::default();
    let shifted = |lexemes: &[Lexeme]| -> Vec<Lexeme> {
        lexemes.iter().map(|it| Lexeme { kind: it.kind, start: it.start + offset, end: it.end + offset }).collect()
    };
    let shift = |errors: Vec<SyntaxError>| errors.into_iter().map(|error| error.shifted(offset)).collect();
    if let Ok(Top::Placeholder(value)) = runner.run(K::StartPlaceholder, &shifted(&feed.lexemes)) {
        return (value, shift(errors));
    }
    let layout = Layout::new(slice, &feed.lexemes);
    let planned = plan(K::StartPlaceholder, &feed.lexemes, &layout, &mut Budget::default());
    errors.extend(planned.repairs.iter().map(|repair| messages::repair(repair, &feed.lexemes, &layout)));
    let missing = Expr::Missing(Span::at(offset + slice.trim_end().len() as u32));
    let value = match runner.run(K::StartPlaceholder, &shifted(&planned.lexemes)) {
        Ok(Top::Placeholder(value)) => value,
        _ => missing,
    };
    (value, shift(errors))
}

/// The word of an item's keyword.
pub(crate) fn introducer(kind: K) -> &'static str {
    INTRODUCERS.iter().find(|(_, it)| *it == kind).map_or("", |(word, _)| word)
}
