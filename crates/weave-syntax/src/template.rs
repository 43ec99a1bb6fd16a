//! Placeholders in strings and text blocks.

use weave_diagnostics::Span;

use crate::SyntaxError;
use crate::ast::{Expr, Literal, LiteralKind, Root, Segment};
use crate::parse::parse_placeholder;
use crate::text::{self, BlockLine};
use crate::validate::messages;

/// What a string or a text block says where `{{` opens a placeholder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Its parts in the order of the text; no two texts stand side by side, and none is empty.
    pub parts: Vec<Part>,
    /// What is wrong in its placeholders; the places count from the start of the item.
    pub errors: Vec<SyntaxError>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text: escapes are resolved, margins are taken off.
    Text(String),
    /// `{{ … }}`.
    Placeholder {
        /// The braces and what is in them.
        span: Span,
        /// What stands in its place: a path, or a path and a literal with `??`. Anything else has been reported.
        value: Expr,
    },
}

impl Template {
    /// The placeholder, if the template is one and nothing else, and so yields the value itself.
    #[must_use]
    pub fn single(&self) -> Option<&Expr> {
        match self.parts.as_slice() {
            [Part::Placeholder { value, .. }] => Some(value),
            _ => None,
        }
    }

    /// The values of the placeholders, in the order of the text.
    pub fn placeholders(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder { value, .. } => Some(value),
            Part::Text(_) => None,
        })
    }
}

/// Takes a string or a text block apart. All places count from the start of the item, whose text is `item`.
#[must_use]
pub fn template(item: &str, literal: Literal) -> Template {
    let raw = literal.span.text(item);
    let mut builder = Builder { template: Template::default(), pending: String::new() };
    match literal.kind {
        LiteralKind::TextBlock => {
            for (index, line) in text::block_lines(raw).enumerate() {
                if index > 0 {
                    builder.pending.push('\n');
                }
                builder.line(line, literal.span.start, false);
            }
        }
        _ => {
            let (start, text) = text::string_inside(raw);
            builder.line(BlockLine { start, text, in_margin: false }, literal.span.start, true);
        }
    }
    builder.flush();
    builder.template.errors.truncate(MOST_ERRORS);
    builder.template
}

/// How many mistakes of one literal are told: nobody reads more, and a text of braces has one every two characters.
const MOST_ERRORS: usize = 100;

struct Builder {
    template: Template,
    /// Text that has not become a part yet.
    pending: String,
}

impl Builder {
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.template.parts.push(Part::Text(std::mem::take(&mut self.pending)));
        }
    }

    /// Reads a line of a literal that starts at `base`.
    fn line(&mut self, line: BlockLine<'_>, base: u32, escapes: bool) {
        let mut braces = Braces::new(line.text, escapes);
        let mut rest = line.text;
        let mut at = base + line.start as u32;
        while let Some(next) = rest.find(['\\', '{']) {
            let (before, from) = rest.split_at(next);
            self.pending.push_str(before);
            at += next as u32;
            let length = if from.starts_with("{{") {
                self.placeholder(from, at, &mut braces)
            } else if escapes && from.starts_with('\\') {
                let escape = text::escape(from);
                text::push_escape(&mut self.pending, escape.value, from.split_at(escape.length).0);
                escape.length
            } else if from.starts_with("\\{{") {
                self.pending.push_str("{{");
                3
            } else {
                self.pending.push_str(from.get(..1).unwrap_or_default());
                1
            };
            rest = from.get(length..).unwrap_or_default();
            at += length as u32;
        }
        self.pending.push_str(rest);
    }

    /// Reads the placeholder that `from` starts with, and says how long it is.
    fn placeholder(&mut self, from: &str, at: u32, braces: &mut Braces<'_>) -> usize {
        let inside = from.get(2..).unwrap_or_default();
        let end = match braces.extent(inside.len()) {
            Extent::Closed { end, quotes } if quotes.is_empty() => end,
            Extent::Closed { end, quotes } => return self.escaped_quotes(end, at, &quotes),
            Extent::Open => return self.unclosed(inside, at),
        };
        let span = Span::new(at, at + end as u32 + 4);
        let slice = inside.get(..end).unwrap_or_default();
        let value = if let Some((bar, filter)) = filter(slice) {
            let start = at + 2 + bar as u32;
            let place = Span::new(start, start + slice.get(bar..).unwrap_or_default().trim_end().len() as u32);
            self.template.errors.push(messages::filter(place, filter));
            parse_placeholder(slice.get(..bar).unwrap_or_default(), at + 2).0
        } else if slice.trim().is_empty() {
            self.template.errors.push(messages::empty_placeholder(span));
            Expr::Missing(Span::at(at + 2))
        } else {
            let (value, errors) = parse_placeholder(slice, at + 2);
            self.checked(slice, at + 2, value, errors)
        };
        self.push(span, value);
        end + 4
    }

    fn push(&mut self, span: Span, value: Expr) {
        self.flush();
        self.template.parts.push(Part::Placeholder { span, value });
    }

    /// A placeholder that no `}}` closes: as much of it as may be a path is one, so that it can be completed while it is typed.
    fn unclosed(&mut self, inside: &str, at: u32) -> usize {
        let end = path_end(inside);
        let slice = inside.get(..end).unwrap_or_default();
        let has_path = slice.trim_start().starts_with('.');
        let value = if has_path { parse_placeholder(slice, at + 2).0 } else { Expr::Missing(Span::at(at + 2)) };
        let length = if has_path { end + 2 } else { 2 };
        let stop = at + length as u32;
        // A path that only starts has no place where the braces could be put.
        let is_whole = has_path && !slice.ends_with('.');
        self.template.errors.push(messages::unclosed_placeholder(Span::new(at, stop), stop, is_whole));
        self.push(Span::new(at, stop), value);
        length
    }

    fn escaped_quotes(&mut self, end: usize, at: u32, quotes: &[usize]) -> usize {
        let places = quotes.iter().map(|quote| at + 2 + *quote as u32);
        let edits: Vec<(Span, String)> = places.map(|start| (Span::new(start, start + 1), String::new())).collect();
        let first = edits.first().map_or(Span::at(at), |(span, _)| Span::new(span.start, span.end + 1));
        self.template.errors.push(messages::escaped_quote(first, (edits.len().is_multiple_of(2)).then_some(edits)));
        self.push(Span::new(at, at + end as u32 + 4), Expr::Missing(Span::at(at + 2)));
        end + 4
    }

    /// A placeholder is a path, or a path and a literal; what is neither is reported and left out.
    fn checked(&mut self, slice: &str, at: u32, value: Expr, errors: Vec<SyntaxError>) -> Expr {
        let fault = if errors.is_empty() {
            value_fault(&value)
        } else if slice.trim_start().starts_with('.') {
            self.template.errors.extend(errors.into_iter().take(1));
            None
        } else {
            // Most often not meant as a placeholder, like the braces of JSON in a prompt.
            let blanks = slice.len() - slice.trim_start().len();
            let start = at + blanks as u32;
            Some((Span::new(start, start + slice.trim().len() as u32), "not a path"))
        };
        let Some((span, label)) = fault else { return value };
        self.template.errors.push(messages::bad_placeholder(span, label));
        Expr::Missing(value.span())
    }
}

/// `.name | upper`: where the bar is, and what follows it.
fn filter(slice: &str) -> Option<(usize, &str)> {
    let bar = slice.find('|')?;
    let (before, after) = (slice.get(..bar)?, slice.get(bar + 1..)?);
    let word = after.trim().split(['(', ':', ' ', '|']).next().unwrap_or_default();
    let is_filter = crate::habits::words::is_name(word) && !before.contains('"');
    is_filter.then(|| (bar, after.trim()))
}

/// What keeps a value from being a path, or a path and a literal.
fn value_fault(value: &Expr) -> Option<(Span, &'static str)> {
    match unwrapped(value) {
        Expr::Coalesce(coalesce) => path_fault(unwrapped(&coalesce.value)).or_else(|| default_fault(unwrapped(&coalesce.otherwise))),
        value => path_fault(value),
    }
}

fn unwrapped(mut value: &Expr) -> &Expr {
    while let Expr::Parenthesized(inner) = value {
        value = &inner.1;
    }
    value
}

/// What keeps a value from being a path. A path without its dot is explained by the analysis, which knows the names.
fn path_fault(value: &Expr) -> Option<(Span, &'static str)> {
    let label = match value {
        Expr::Missing(_) => return None,
        Expr::Path(path) if path.segments.iter().any(|segment| matches!(segment, Segment::Call { .. })) => "calls are not allowed here",
        Expr::Path(path) if matches!(path.root, Root::Expr(_)) => "a path starts with a dot",
        Expr::Path(_) => return None,
        Expr::Literal(_) | Expr::Object(_) | Expr::List(_) => "write a literal without braces",
        Expr::Unary(_) | Expr::Binary(_) => "operators are not allowed here",
        Expr::Coalesce(_) | Expr::Parenthesized(_) => "not a path",
    };
    Some((value.span(), label))
}

/// What keeps a value from being a literal.
fn default_fault(value: &Expr) -> Option<(Span, &'static str)> {
    match value {
        Expr::Literal(_) | Expr::Missing(_) => None,
        Expr::List(list) => list.items.iter().find_map(|item| default_fault(&item.value)),
        // A bare name is explained by the analysis.
        Expr::Path(path) if matches!(path.root, Root::Name(_)) && path.segments.is_empty() => None,
        value => Some((value.span(), "`??` must be followed by a literal")),
    }
}

/// How far a placeholder goes, counted from behind its `{{`.
enum Extent {
    /// To the `}}` at `end`; the backslashes of escaped quotes in it are listed.
    Closed { end: usize, quotes: Vec<usize> },
    /// No `}}` closes it.
    Open,
}

/// Looks for the `}}` of placeholders; one in a string does not count.
///
/// A line may be full of `{{` that nothing closes. What has been looked at in vain is therefore not looked at again: at each place there are
/// four states, and what follows from one of them is found out once.
struct Braces<'a> {
    line: &'a str,
    escapes: bool,
    /// For each place, as soon as something was not found: the states from which no `}}` is reached, and those of them that end in a string.
    futile: Vec<u8>,
    /// Where the last `}}` stands, as soon as somebody has asked.
    last: Option<Option<usize>>,
}

/// Where a search stands between two characters.
#[derive(Clone, Copy)]
struct State {
    in_string: bool,
    /// Whether a quote was escaped.
    has_quotes: bool,
}

impl State {
    const fn bit(self) -> u8 {
        1 << (self.in_string as u8 + 2 * self.has_quotes as u8)
    }
}

/// How far the bits of what ends in a string are shifted.
const ENDS_IN_STRING: u8 = 4;

impl<'a> Braces<'a> {
    fn new(line: &'a str, escapes: bool) -> Self {
        Self { line, escapes, futile: Vec::new(), last: None }
    }

    /// How far the placeholder goes whose inside is the last `length` octets of the line.
    fn extent(&mut self, length: usize) -> Extent {
        let start = self.line.len().saturating_sub(length);
        let inside = self.line.get(start..).unwrap_or_default();
        let mut quotes = Vec::new();
        let mut state = State { in_string: false, has_quotes: false };
        let mut at = 0;
        let ends_in_string = loop {
            let known = self.futile.get(start + at).copied().unwrap_or_default();
            if known & state.bit() != 0 {
                break known & (state.bit() << ENDS_IN_STRING) != 0;
            }
            match self.step(inside.as_bytes().get(at..).unwrap_or_default(), &mut state) {
                Step::On { length, is_quote } => {
                    quotes.extend(is_quote.then_some(at));
                    at += length;
                }
                Step::Closed => return Extent::Closed { end: at, quotes },
                Step::End => break state.in_string,
            }
        };
        self.remember(start, inside, ends_in_string);
        // A string that does not end hides no braces.
        let has_braces = ends_in_string && *self.last.get_or_insert_with(|| self.line.rfind("}}")) >= Some(start);
        match if has_braces { inside.find("}}") } else { None } {
            Some(end) => Extent::Closed { end, quotes: self.quotes(inside, end) },
            None => Extent::Open,
        }
    }

    /// Where the escaped quotes before a place stand.
    fn quotes(&self, inside: &str, end: usize) -> Vec<usize> {
        let mut quotes = Vec::new();
        let mut state = State { in_string: false, has_quotes: false };
        let mut at = 0;
        while at < end
            && let Step::On { length, is_quote } = self.step(inside.as_bytes().get(at..).unwrap_or_default(), &mut state)
        {
            quotes.extend(is_quote.then_some(at));
            at += length;
        }
        quotes
    }

    /// Goes one character or escape further.
    fn step(&self, rest: &[u8], state: &mut State) -> Step {
        let on = |length| Step::On { length, is_quote: false };
        match rest {
            [] => Step::End,
            [b'\\', b'"', ..] if self.escapes && (!state.in_string || state.has_quotes) => {
                *state = State { in_string: !state.in_string, has_quotes: true };
                Step::On { length: 2, is_quote: true }
            }
            [b'\\', _, ..] if state.in_string => on(2),
            [b'"', ..] => {
                state.in_string = !state.in_string;
                on(1)
            }
            [b'}', b'}', ..] if !state.in_string => Step::Closed,
            _ => on(1),
        }
    }

    /// Notes that no `}}` is reached from any place of a search that started here.
    fn remember(&mut self, start: usize, inside: &str, ends_in_string: bool) {
        self.futile.resize(self.line.len() + 1, 0);
        let mut state = State { in_string: false, has_quotes: false };
        let mut at = 0;
        loop {
            let mark = state.bit() | if ends_in_string { state.bit() << ENDS_IN_STRING } else { 0 };
            match self.futile.get_mut(start + at) {
                Some(known) if *known & state.bit() == 0 => *known |= mark,
                _ => return,
            }
            match self.step(inside.as_bytes().get(at..).unwrap_or_default(), &mut state) {
                Step::On { length, .. } => at += length,
                Step::Closed | Step::End => return,
            }
        }
    }
}

/// What a search meets.
enum Step {
    /// Nothing: it goes so much further; perhaps an escaped quote.
    On { length: usize, is_quote: bool },
    /// The `}}`.
    Closed,
    /// The end of the line.
    End,
}

/// How much of a text that starts in a placeholder may belong to a path.
fn path_end(inside: &str) -> usize {
    let blanks = inside.len() - inside.trim_start_matches([' ', '\t']).len();
    let path = inside.get(blanks..).unwrap_or_default();
    blanks + path.find(|character: char| !(character.is_ascii_alphanumeric() || "_.?[]".contains(character))).unwrap_or(path.len())
}

#[cfg(test)]
mod tests;
