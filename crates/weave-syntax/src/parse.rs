//! From a text to its items.

use std::cell::RefCell;
use std::sync::Arc;

use weave_diagnostics::bounds::FILE_DIAGNOSTICS;
use weave_diagnostics::{Diagnostic, FileId, Span};

use crate::ast::{Expr, Item, ItemKind, Meta};
use crate::budget::Budget;
use crate::build::Top;
use crate::contextual::settle;
use crate::error::SyntaxError;
use crate::feed::{Feed, Lexeme, is_first_on_line};
use crate::habits;
use crate::layout::Layout;
use crate::lexer::{Tokens, lex, readable};
use crate::messages::Reach;
use crate::plan::{Plan, Stack, plan, stack_behind};
use crate::relex::lex_again;
use crate::reuse::Known;
use crate::split::{Chunk, Head, INTRODUCERS, Uncut, split, split_again};
use crate::tables::Runner;
use crate::token::TokenKind as K;
use crate::validate::validate;
use crate::{codes, lexical, messages};

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
    /// Whether something is wrong in the items: mostly nothing is, and then nobody has to look at them.
    is_faulty: bool,
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
    pub(crate) chunk: Chunk,
    /// What its repairs cost; nothing if they would have been others had there been more to spend.
    pub(crate) cost: Option<u32>,
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

impl ItemSlot {
    /// Whether there is an error in it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.parsed.errors.iter().any(is_error)
    }

    /// Whether it is no item, or lacks its end.
    fn is_unfinished(&self) -> bool {
        let end = self.end - self.start;
        matches!(self.parsed.item.kind, ItemKind::Broken) || self.parsed.errors.iter().any(|error| error.span == Span::at(end))
    }
}

impl File {
    /// The text that the spans of an item count in.
    #[must_use]
    pub fn item_text(&self, slot: &ItemSlot) -> &str {
        self.text.get(slot.start as usize..slot.end as usize).unwrap_or_default()
    }

    /// What is wrong with the syntax of the file, in the order of the text: as much as a file may have, and one more.
    ///
    /// A fix is safe only if the file has fewer errors with it, which is tried here.
    #[must_use]
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let mut all = self.unproven(file);
        crate::proof::keep_safe_what_is_proven(self, file, &mut all);
        all
    }

    /// The same, with fixes as safe as they were said to be.
    pub(crate) fn unproven(&self, file: FileId) -> Vec<Diagnostic> {
        let outside = self.errors.iter().map(|error| (0, error));
        let items: &[ItemSlot] = if self.is_faulty { &self.items } else { &[] };
        let inside = items.iter().flat_map(|slot| slot.parsed.errors.iter().map(|error| (slot.start, error)));
        let mut all: Vec<(u32, &SyntaxError)> = outside.chain(inside).collect();
        let most = FILE_DIAGNOSTICS.most;
        if all.len() > most {
            // What is beyond the bound of a file is not put into words. One of them stays, an error if there is one: it says that there is more.
            all.sort_by_key(|(start, error)| start + error.span.start);
            let rest = all.split_off(most);
            all.extend(rest.iter().find(|(_, error)| is_error(error)).or(rest.first()));
        }
        let mut all: Vec<Diagnostic> = all.into_iter().map(|(start, error)| error.diagnostic(file, start)).collect();
        weave_diagnostics::sort_and_dedup(&mut all);
        all
    }

    /// Whether there is an error in it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors.iter().any(is_error) || (self.is_faulty && self.items.iter().any(ItemSlot::has_errors))
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
    read(text, None)
}

/// Parses a text of which an earlier state was parsed: the items that stand in both are taken over. The result is that of [`parse`].
#[must_use]
pub fn parse_again(earlier: &File, text: Arc<str>) -> File {
    read(text, Some(earlier))
}

fn read(text: Arc<str>, earlier: Option<&File>) -> File {
    let known = earlier.and_then(|earlier| Some((earlier, lex_again(earlier, &text)?)));
    let (tokens, chunks, uncut) = match known {
        Some((earlier, (tokens, kept))) => {
            let (chunks, uncut) = split_again(earlier, &text, &tokens, kept);
            (tokens, chunks, uncut)
        }
        None => {
            let tokens = lex(&text);
            let chunks = split(&text, &tokens);
            (tokens, chunks, Uncut::default())
        }
    };
    let mut reading = Items::of(&text, &tokens, chunks);
    reading.parser.known = earlier.map(|earlier| Known::new(earlier, reading.chunks.len(), uncut));
    let items: Vec<ItemSlot> = reading.by_ref().collect();
    let errors = reading.errors;
    let is_faulty = items.iter().any(|slot| !slot.parsed.errors.is_empty());
    File { text, tokens, items, errors, is_faulty }
}

/// The items of a text, each parsed when it is asked for. Whoever is done with an item before the next comes needs memory for one of them.
pub struct Items<'a> {
    parser: Parser<'a>,
    chunks: std::vec::IntoIter<Chunk>,
    /// The first token behind the last item.
    behind: usize,
    /// Whether the last item, if there is one, is finished.
    finished: Option<bool>,
    errors: Vec<SyntaxError>,
}

impl<'a> Items<'a> {
    /// The items of a text with these tokens.
    #[must_use]
    pub fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self::of(text, tokens, split(text, tokens))
    }

    fn of(text: &'a str, tokens: &'a Tokens, chunks: Vec<Chunk>) -> Self {
        let parser = Parser::new(readable(text), tokens);
        match habits::files::foreign_file(text) {
            // Nothing in it is an item, and nothing between them a mistake of its own.
            Some(error) => Self { parser, chunks: Vec::new().into_iter(), behind: tokens.len(), finished: None, errors: vec![error] },
            None => Self { parser, chunks: chunks.into_iter(), behind: 0, finished: None, errors: Vec::new() },
        }
    }

    /// Whether there is an error outside the items, as far as they have been read.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors.iter().any(is_error)
    }
}

impl Iterator for Items<'_> {
    type Item = ItemSlot;

    fn next(&mut self) -> Option<ItemSlot> {
        let chunk = self.chunks.next();
        let end = chunk.map_or(self.parser.tokens.len(), |chunk| chunk.first);
        self.parser.gap(self.behind, end, self.finished, &mut self.errors);
        self.behind = chunk.map_or(end, |chunk| chunk.end);
        let slot = self.parser.slot(&chunk?);
        self.finished = Some(!slot.is_unfinished());
        Some(slot)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

fn is_error(error: &SyntaxError) -> bool {
    error.code.severity == weave_diagnostics::Severity::Error
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    feed: Feed,
    runner: Runner,
    budget: Budget,
    /// The items of an earlier state of the text.
    known: Option<Known<'a>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self { text, tokens, feed: Feed::default(), runner: Runner::default(), budget: Budget::default(), known: None }
    }

    /// What is wrong between two items.
    fn gap(&self, first: usize, end: usize, finished: Option<bool>, errors: &mut Vec<SyntaxError>) {
        // What follows something unfinished or unreadable may still belong to it.
        let unfinished = finished == Some(false);
        let before = errors.len();
        for index in first..end {
            if errors.len() > FILE_DIAGNOSTICS.most {
                break;
            }
            let (kind, span) = (self.tokens.kind(index), self.tokens.span(index));
            match kind {
                K::Doc if unfinished => {}
                K::Doc if is_first_on_line(self.text, self.tokens, index) => {
                    errors.push(lexical::doc_before_nothing(span, span.text(self.text)));
                }
                K::Doc => errors.push(lexical::doc_behind(span, span.text(self.text))),
                K::ModuleDoc if finished.is_some() => errors.push(lexical::module_doc(span)),
                kind if kind.is_fault() => errors.extend(lexical::fault(kind, span, span.text(self.text))),
                _ => {}
            }
        }
        let mut here = errors.split_off(before);
        lexical::join_docs(&mut here, self.text);
        errors.append(&mut here);
    }

    fn slot(&mut self, chunk: &Chunk) -> ItemSlot {
        let (start, end) = (self.tokens.start(chunk.first), self.tokens.start(chunk.end));
        let known = self.known.as_mut().and_then(|known| known.find(self.text, self.tokens, chunk, &mut self.budget));
        if let Some((parsed, cost)) = known {
            return ItemSlot { start, end, parsed, chunk: *chunk, cost: Some(cost) };
        }
        let before = self.budget.left();
        let parsed = Arc::new(self.item(chunk, Span::new(start, end)));
        ItemSlot { start, end, parsed, chunk: *chunk, cost: self.budget.cost_since(before) }
    }

    /// Reads the tokens of a piece; whether there is an item in them.
    fn read(&mut self, chunk: &Chunk, place: Span, errors: &mut Vec<SyntaxError>) -> bool {
        self.feed.read(self.text, self.tokens, chunk.first..chunk.end, is_test(self.tokens, chunk));
        errors.append(&mut self.feed.errors);
        let head = self.tokens.span(chunk.head);
        let head = Span::new(head.start - place.start, head.end - place.start);
        self.head(chunk, head, place.text(self.text), errors)
    }

    fn item(&mut self, chunk: &Chunk, place: Span) -> ParsedItem {
        let mut parsed = self.parsed(chunk, place);
        if parsed.errors.len() > 1 {
            lexical::join_semicolons(&mut parsed.errors);
        }
        parsed
    }

    fn parsed(&mut self, chunk: &Chunk, place: Span) -> ParsedItem {
        let slice = place.text(self.text);
        let mut errors = Vec::new();
        if !self.read(chunk, place, &mut errors) {
            return ParsedItem { item: broken(slice), errors, repaired: true };
        }
        if let Some(item) = self.whole(slice) {
            let faults = errors.clone();
            let misread = validate(&item, slice, &mut errors);
            let doubts = errors.len() - faults.len() + habits::doubt::doubts(&item, slice);
            if doubts > 0
                && !self.feed.too_deep
                && let Some(parsed) = self.otherwise(slice, &faults, doubts)
            {
                return parsed;
            }
            errors.sort_by_key(|error| error.span);
            return ParsedItem { item, errors, repaired: !faults.is_empty() || misread };
        }
        // Tokens are missing where brackets nest too deep, so habits cannot be recognised there.
        let habits = if self.feed.too_deep { None } else { habits::read(slice, &self.feed.lexemes) };
        if let Some((lexemes, found)) = habits {
            self.feed.lexemes = lexemes;
            // A habit replaces the faults of its parts.
            let covers = |part: &SyntaxError| found.iter().any(|it| it.span.start <= part.span.start && part.span.end <= it.span.end);
            errors.retain(|part| !covers(part));
            errors.extend(found);
            if let Some(item) = self.whole(slice) {
                errors.sort_by_key(|error| error.span);
                validate(&item, slice, &mut errors);
                errors.sort_by_key(|error| error.span);
                return ParsedItem { item, errors, repaired: true };
            }
        }
        let layout = Layout::new(slice, &self.feed.lexemes);
        let planned = plan(K::StartItem, &self.feed.lexemes, &layout, &mut self.budget);
        self.tell(&planned, &layout, &mut errors);
        errors.sort_by_key(|error| error.span);
        let item = match self.runner.run(K::StartItem, &planned.lexemes) {
            Ok(Top::Item(item)) if !planned.nothing => *item,
            _ => broken(slice),
        };
        validate(&item, slice, &mut errors);
        errors.sort_by_key(|error| error.span);
        lexical::join_docs(&mut errors, slice);
        ParsedItem { item, errors, repaired: true }
    }

    /// The item as it is read when it was written with the habits of another language, if that leaves fewer doubts than there are.
    fn otherwise(&mut self, slice: &str, faults: &[SyntaxError], doubts: usize) -> Option<ParsedItem> {
        let (lexemes, mut found) = habits::read(slice, &self.feed.lexemes)?;
        let own = std::mem::replace(&mut self.feed.lexemes, lexemes);
        let covers = |part: &SyntaxError| found.iter().any(|it| it.span.start <= part.span.start && part.span.end <= it.span.end);
        let mut errors: Vec<SyntaxError> = faults.iter().filter(|part| !covers(part)).cloned().collect();
        errors.append(&mut found);
        let before = errors.len();
        if let Some(item) = self.whole(slice) {
            validate(&item, slice, &mut errors);
            if errors.len() - before + habits::doubt::doubts(&item, slice) < doubts {
                errors.sort_by_key(|error| error.span);
                // What was meant is clear, so the rest of the item is checked as if it had been written.
                return Some(ParsedItem { item, errors, repaired: !faults.is_empty() });
            }
        }
        self.feed.lexemes = own;
        None
    }

    /// The item, if its tokens are one without a repair.
    fn whole(&mut self, slice: &str) -> Option<Item> {
        let mut read = self.runner.run(K::StartItem, &self.feed.lexemes);
        if read.is_err() && settle(slice, &mut self.feed.lexemes) {
            read = self.runner.run(K::StartItem, &self.feed.lexemes);
        }
        if let Ok(Top::Item(item)) = read { Some(*item) } else { None }
    }

    /// Says what was repaired, as far as it does not follow from what is said already.
    fn tell(&self, planned: &Plan, layout: &Layout<'_>, errors: &mut Vec<SyntaxError>) {
        let lexemes = &self.feed.lexemes;
        let faults = errors.len();
        let at_end = planned.repairs.last().is_some_and(|repair| repair.at >= lexemes.len());
        for &number in &planned.stray_docs {
            // A doc comment at the end of something unfinished may describe what is written next.
            let is_last = lexemes.get(number..).is_some_and(|rest| rest.iter().all(|lexeme| lexeme.kind == K::Doc));
            if !(is_last && at_end) {
                errors.extend(lexemes.get(number).map(|doc| lexical::doc_before_nothing(doc.span(), layout.slice(doc.span()))));
            }
        }
        if self.feed.too_deep {
            return;
        }
        // Closers that an open string or a comment has taken are missing now.
        let open_strings = errors.iter().filter(|error| error.code == &codes::OPEN_STRING || error.code == &codes::MISPLACED_DOC);
        let mut taken: usize = open_strings.map(|error| layout.slice(error.span).matches(['}', ')', ']']).count()).sum();
        let mut troubled: Vec<usize> = Vec::new();
        // The token of a repair that has been told for its whole line.
        let mut line: Option<usize> = None;
        for repair in &planned.repairs {
            if errors.len() > FILE_DIAGNOSTICS.most {
                break;
            }
            let begins_line = |token: usize| (token + 1..=repair.at).any(|number| layout.is_line_start(number));
            if line.is_some_and(|token| !begins_line(token) || repair.inserts_closer()) {
                continue;
            }
            if messages::closes_one_of(repair, layout, &troubled) {
                continue;
            }
            troubled.extend([repair.at, repair.at + 1]);
            if taken > 0 && repair.inserts_closer() {
                taken -= 1;
                continue;
            }
            // A fault directly before it, or that is the token before it: an open string has taken what is missing now.
            let before = repair.at.checked_sub(1).and_then(|before| lexemes.get(before)).map_or(0, |before| before.start);
            let here = lexemes.get(repair.at).map_or(u32::MAX, |lexeme| lexeme.start);
            let follows = |fault: &SyntaxError| before <= fault.span.start && fault.span.end <= here;
            if repair.gave_up || !errors.get(..faults).unwrap_or_default().iter().any(follows) {
                let error = messages::repair(repair, lexemes, layout);
                // What is told as a whole needs not be told in parts.
                errors.retain(|part| part.span == error.span || part.span.start < error.span.start || error.span.end < part.span.end);
                errors.push(error);
                match messages::reach(repair, lexemes, layout) {
                    Reach::Here => {}
                    Reach::Line => line = Some(repair.at),
                    Reach::Item => break,
                }
            }
            // An import is one line: what follows from the first mistake in it cannot be told from a second one.
            if lexemes.first().is_some_and(|first| first.kind == K::Import) {
                break;
            }
        }
    }

    /// Looks at the word that an item starts with, and puts a keyword there if it can tell which one is meant.
    fn head(&mut self, chunk: &Chunk, head: Span, slice: &str, errors: &mut Vec<SyntaxError>) -> bool {
        match chunk.kind {
            Head::Keyword => {
                if !chunk.own_line {
                    errors.push(messages::not_on_own_line(head));
                }
                errors.extend(self.name_on_other_line(chunk));
                true
            }
            Head::Misspelt(_)
                if habits::words::item(head.text(slice)).or(habits::words::modifier(head.text(slice)).map(|_| K::Type)).is_some() =>
            {
                self.headless(head, slice, errors)
            }
            Head::Misspelt(kind) => {
                errors.push(messages::misspelt(head, head.text(slice), kind));
                let lexeme = self.feed.lexemes.iter_mut().find(|lexeme| lexeme.start == head.start);
                lexeme.map(|lexeme| lexeme.kind = kind).is_some()
            }
            Head::Reserved => {
                errors.push(messages::reserved(head, head.text(slice)));
                false
            }
            Head::Other => self.headless(head, slice, errors),
        }
    }

    /// Whether the words of an item's header are on different lines.
    fn name_on_other_line(&self, chunk: &Chunk) -> Option<SyntaxError> {
        let base = self.tokens.start(chunk.first);
        let place = |index: usize| Span::new(self.tokens.start(index) - base, self.tokens.start(index + 1) - base);
        let mut keyword = chunk.head;
        for index in chunk.head + 1..chunk.end {
            match self.tokens.kind(index) {
                K::Event | K::Tool if matches!(self.tokens.kind(keyword), K::External | K::Signal | K::Interaction | K::Provider) => {
                    keyword = index;
                }
                kind if kind.is_trivia() => {}
                kind => {
                    let gap = Span::new(place(keyword).end, place(index).start);
                    let broken = kind.is_word() && gap.shifted(base).text(self.text).contains('\n');
                    let only_blanks = index == keyword + 2;
                    return (broken && only_blanks).then(|| messages::name_on_other_line(place(index), gap));
                }
            }
        }
        None
    }

    /// A piece that does not start with a keyword.
    fn headless(&mut self, head: Span, slice: &str, errors: &mut Vec<SyntaxError>) -> bool {
        let number = self.feed.lexemes.iter().position(|lexeme| lexeme.start >= head.start && lexeme.kind != K::Doc);
        let Some((number, first)) = number.and_then(|number| Some((number, *self.feed.lexemes.get(number)?))) else { return false };
        if first.kind.starts_item() || first.kind == K::At {
            return true;
        }
        if let Some(found) = habits::heads::head(slice, &mut self.feed.lexemes, number) {
            // The marks of such a statement are of its language too.
            if !found.is_item {
                errors.retain(|part| part.code != &codes::SEMICOLON);
            }
            errors.push(found.error);
            return found.is_item;
        }
        let rest = self.feed.lexemes.get(number..).unwrap_or_default();
        let meant = meant(rest);
        errors.push(messages::no_keyword(first.span(), first.span().text(slice), meant));
        if let Some(kind) = meant {
            self.feed.lexemes.insert(number, Lexeme::made_up(kind, first.start));
        }
        meant.is_some()
    }
}

/// Whether a piece is a test, whose words are not those of other items.
pub(crate) fn is_test(tokens: &Tokens, chunk: &Chunk) -> bool {
    match chunk.kind {
        Head::Misspelt(kind) => kind == K::Test,
        _ => tokens.kind(chunk.head) == K::Test,
    }
}

/// Where the parser stands before an offset in an item or behind it.
pub(crate) fn states_before(file: &File, slot: &ItemSlot, offset: u32) -> Stack {
    let mut parser = Parser::new(readable(&file.text), &file.tokens);
    if !parser.read(&slot.chunk, Span::new(slot.start, slot.end), &mut Vec::new()) {
        return Stack::new(K::StartItem);
    }
    let limit = offset - slot.start;
    parser.feed.lexemes.retain(|lexeme| lexeme.end < limit || (lexeme.end == limit && !lexeme.kind.is_word()));
    // A keyword that was made up for the word that is left out: the word may become the keyword.
    parser.feed.lexemes.pop_if(|lexeme| lexeme.start == lexeme.end);
    let layout = Layout::new(file.item_text(slot), &parser.feed.lexemes);
    stack_behind(K::StartItem, &parser.feed.lexemes, &layout, &mut parser.budget)
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

thread_local! {
    /// Placeholders are short and many, so their parsers share buffers.
    static PLACEHOLDER: RefCell<(Feed, Runner)> = RefCell::default();
}

/// The expression of a placeholder in a slice of an item's text; places count from `offset` on.
pub(crate) fn parse_placeholder(slice: &str, offset: u32) -> (Expr, Vec<SyntaxError>) {
    PLACEHOLDER.with_borrow_mut(|(feed, runner)| placeholder(slice, offset, feed, runner))
}

fn placeholder(slice: &str, offset: u32, feed: &mut Feed, runner: &mut Runner) -> (Expr, Vec<SyntaxError>) {
    let tokens = lex(slice);
    feed.read(slice, &tokens, 0..tokens.len(), false);
    let mut errors = std::mem::take(&mut feed.errors);
    let shift = |errors: Vec<SyntaxError>| errors.into_iter().map(|error| error.shifted(offset)).collect();
    if let Ok(Top::Placeholder(value)) = runner.run(K::StartPlaceholder, &shifted(&feed.lexemes, offset)) {
        return (value, shift(errors));
    }
    let layout = Layout::new(slice, &feed.lexemes);
    let planned = plan(K::StartPlaceholder, &feed.lexemes, &layout, &mut Budget::default());
    errors.extend(planned.repairs.iter().map(|repair| messages::repair(repair, &feed.lexemes, &layout)));
    let value = match runner.run(K::StartPlaceholder, &shifted(&planned.lexemes, offset)) {
        Ok(Top::Placeholder(value)) => value,
        _ => Expr::Missing(Span::at(offset + slice.trim_end().len() as u32)),
    };
    (value, shift(errors))
}

fn shifted(lexemes: &[Lexeme], offset: u32) -> Vec<Lexeme> {
    lexemes.iter().map(|it| Lexeme { kind: it.kind, start: it.start + offset, end: it.end + offset }).collect()
}

/// The word of an item's keyword.
pub(crate) fn introducer(kind: K) -> &'static str {
    INTRODUCERS.iter().find(|(_, it)| *it == kind).map_or("", |(word, _)| word)
}
