//! Words of the language, texts, numbers and comments.

use weave_diagnostics::Span;
use weave_syntax::ast::{Literal, LiteralKind};
use weave_syntax::{File, Part, TokenKind as K, Tokens, lex, template, text};

use super::{SemanticKind as Kind, SemanticModifiers, SemanticToken};

/// The words and texts in a range that no token reaches beyond, in the order of the text.
pub(super) fn words(file: &File, within: Span) -> Vec<SemanticToken> {
    let mut texts = Texts { text: &file.text, found: Vec::new() };
    let tokens = &file.tokens;
    let (first, end) = range(tokens, within);
    for index in first..end {
        let span = tokens.span(index);
        match tokens.kind(index) {
            kind @ (K::String | K::TextBlock) => texts.literal(span, kind),
            kind => texts.token(&Context { tokens, index, base: 0 }, span, kind),
        }
    }
    texts.found
}

/// The words before and behind a range.
pub(super) fn around(file: &File, within: Span) -> (Option<K>, Option<K>) {
    let tokens = &file.tokens;
    let (first, end) = range(tokens, within);
    (Context { tokens, index: first, base: 0 }.before(), Context { tokens, index: end.saturating_sub(1), base: 0 }.behind())
}

/// The first token in a range, and the first behind it.
fn range(tokens: &Tokens, within: Span) -> (usize, usize) {
    if within.is_empty() {
        return (0, 0);
    }
    let at = |offset: u32| if offset == 0 { 0 } else { tokens.at(offset - 1) + 1 };
    (at(within.start), at(within.end).min(tokens.len()))
}

/// A token among others.
struct Context<'a> {
    tokens: &'a Tokens,
    index: usize,
    /// Where the text that they are of starts in the file.
    base: u32,
}

impl Context<'_> {
    /// The token before, blanks and comments aside.
    fn before(&self) -> Option<K> {
        (0..self.index).rev().map(|index| self.tokens.kind(index)).find(|kind| !kind.is_trivia())
    }

    fn behind(&self) -> Option<K> {
        (self.index + 1..self.tokens.len()).map(|index| self.tokens.kind(index)).find(|kind| !kind.is_trivia())
    }
}

struct Texts<'a> {
    text: &'a str,
    found: Vec<SemanticToken>,
}

impl Texts<'_> {
    fn push(&mut self, span: Span, kind: Kind, modifiers: SemanticModifiers) {
        if !span.is_empty() {
            self.found.push(SemanticToken { span, kind, modifiers });
        }
    }

    fn token(&mut self, context: &Context<'_>, span: Span, kind: K) {
        let none = SemanticModifiers::default();
        let span = span.shifted(context.base);
        match kind {
            K::LineComment | K::BlockComment | K::OpenComment => self.lines(span, Kind::Comment, none),
            K::Doc | K::ModuleDoc => self.lines(span, Kind::Comment, SemanticModifiers { documentation: true, ..none }),
            K::Number | K::Duration => self.push(span, Kind::Number, none),
            K::String | K::TextBlock => self.lines(span, Kind::String, none),
            // Kinds of the protocol have no constants; the grammars of editors do.
            K::True | K::False | K::Null => {}
            kind if kind.is_word() => {
                let built_in = SemanticModifiers { built_in: true, ..none };
                match (context.before(), context.behind()) {
                    (Some(K::At), _) => self.push(span, Kind::Decorator, none),
                    (Some(K::Dot | K::LeadingDot), Some(K::ParenOpen)) => self.push(span, Kind::Method, built_in),
                    (Some(K::Dot | K::LeadingDot), _) | (_, Some(K::Colon)) => self.push(span, Kind::Property, none),
                    (_, Some(K::ParenOpen)) if kind == K::Identifier => self.push(span, Kind::Function, built_in),
                    _ if kind.is_keyword() => self.push(span, Kind::Keyword, none),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// A string or a text block: its text, and what stands in its placeholders.
    fn literal(&mut self, span: Span, kind: K) {
        let raw = span.text(self.text);
        if !text::has_placeholder(raw) {
            return self.pieces(span, kind);
        }
        let literal = Literal { span, kind: if kind == K::TextBlock { LiteralKind::TextBlock } else { LiteralKind::String } };
        let mut start = span.start;
        for part in template(self.text, literal).parts {
            if let Part::Placeholder { span: hole, .. } = part {
                self.pieces(Span::new(start, hole.start), kind);
                self.placeholder(hole);
                start = hole.end;
            }
        }
        self.pieces(Span::new(start, span.end), kind);
    }

    fn placeholder(&mut self, hole: Span) {
        let whole = hole.text(self.text);
        let Some(inside) = whole.strip_prefix("{{").map(|rest| rest.strip_suffix("}}").unwrap_or(rest)) else { return };
        let tokens = lex(inside);
        for index in 0..tokens.len() {
            self.token(&Context { tokens: &tokens, index, base: hole.start + 2 }, tokens.span(index), tokens.kind(index));
        }
    }

    /// Text without its escapes, which the grammars of editors colour.
    fn pieces(&mut self, span: Span, kind: K) {
        let text = span.text(self.text);
        let (mut start, mut at) = (0, 0);
        while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
            let backslash = at + found;
            let length = escape(text.get(backslash + 1..).unwrap_or_default(), kind);
            at = backslash + 1 + length;
            if length > 0 {
                self.lines(Span::new(start as u32, backslash as u32).shifted(span.start), Kind::String, SemanticModifiers::default());
                start = at;
            }
        }
        self.lines(Span::new(start as u32, text.len() as u32).shifted(span.start), Kind::String, SemanticModifiers::default());
    }

    /// Several lines are one each, without the blanks around them.
    fn lines(&mut self, span: Span, kind: Kind, modifiers: SemanticModifiers) {
        let text = self.text;
        let mut start = span.start;
        for line in span.text(text).split_inclusive('\n') {
            let blanks = line.len() - line.trim_start().len();
            // Blanks within a line belong to what is around them.
            let blanks = if start == span.start { 0 } else { blanks };
            let end = line.trim_end_matches(['\r', '\n']).len();
            self.push(Span::new(start + blanks.min(end) as u32, start + end as u32), kind, modifiers);
            start += line.len() as u32;
        }
    }
}

/// How long an escape is behind its backslash; 0 if it is none.
fn escape(rest: &str, kind: K) -> usize {
    if rest.starts_with("{{") {
        return 2;
    }
    match rest.chars().next() {
        Some('u') if kind == K::String => rest.bytes().take(5).take_while(u8::is_ascii_alphanumeric).count(),
        Some(letter) if kind == K::String => letter.len_utf8(),
        _ => 0,
    }
}
