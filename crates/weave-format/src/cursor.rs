//! A walk over the tokens of an item, which writes them into a document with what stands between them.

use weave_diagnostics::Span;
use weave_syntax::{TokenKind, Tokens};

use crate::document::{Document, Op};

/// What stands before the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Nothing.
    Tight,
    /// A blank.
    Space,
    /// A line break if the group is broken, else a blank.
    Line,
    /// A line break if the group is broken, else nothing.
    Soft,
    /// A line break.
    Hard,
}

/// How many empty lines of the source may stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blanks {
    None,
    One,
}

/// A comment between two tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// Where it stands, blanks at its end left out.
    pub(crate) span: Span,
    /// How many lines end between it and what stands before.
    pub(crate) lines_before: usize,
    /// Whether it ends its line whatever follows.
    pub(crate) is_line: bool,
}

/// How the last comment of a gap ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The line ends, and further ones perhaps.
    Line { lines: usize },
    /// It stands on one line with what is before and with what follows.
    Behind,
    /// It stands on the line of what follows.
    Before,
}

/// The walk.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    /// Where the item starts; the spans of its tree count from there.
    base: u32,
    /// The token that has not been looked at yet.
    next: usize,
    /// The next token that is not between others.
    ahead: usize,
    /// What the next token is preceded by.
    gap: Gap,
    blanks: Blanks,
    pub(crate) document: Document,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self { text, tokens, base: 0, next: 0, ahead: 0, gap: Gap::Tight, blanks: Blanks::None, document: Document::default() }
    }

    /// Goes to an item.
    pub(crate) fn start(&mut self, offset: u32) {
        self.base = offset;
        self.next = self.tokens.at(offset);
        self.look_ahead(self.next);
        self.gap = Gap::Tight;
        self.blanks = Blanks::None;
        self.document.clear();
    }

    /// What the next token will be preceded by. Empty lines of the source stay where a list of things breaks: see [`Cursor::separate`].
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = gap;
        self.blanks = Blanks::None;
    }

    /// What the next token will be preceded by, and the empty line that stands there in the source.
    pub(crate) fn separate(&mut self, gap: Gap) {
        self.gap = gap;
        self.blanks = Blanks::One;
    }

    /// Finds the next token that is not between others, from a token on.
    fn look_ahead(&mut self, from: usize) {
        let kinds = self.tokens.kinds();
        let rest = kinds.get(from..).unwrap_or_default();
        self.ahead = rest.iter().position(|kind| !kind.is_trivia()).map_or(kinds.len(), |distance| from + distance);
    }

    /// The kind of the next token.
    pub(crate) fn peek(&self) -> TokenKind {
        self.tokens.kind(self.ahead)
    }

    /// Whether the next token starts before this place of the item.
    fn is_before(&self, end: u32) -> bool {
        self.tokens.start(self.ahead) < self.base + end
    }

    /// Whether a line ends between the last token and the next.
    pub(crate) fn line_ends(&self) -> bool {
        let text = Span::new(self.tokens.start(self.next), self.tokens.start(self.ahead));
        text.text(self.text).contains('\n')
    }

    /// Writes the next token.
    pub(crate) fn token(&mut self) {
        let index = self.ahead;
        self.between(index);
        self.write(index);
    }

    /// Writes the next token behind a blank.
    pub(crate) fn spaced_token(&mut self) {
        self.gap(Gap::Space);
        self.token();
    }

    /// Writes the tokens up to a place of the item, nothing between them.
    pub(crate) fn tight(&mut self, end: u32) {
        while self.is_before(end) {
            self.token();
        }
    }

    /// Writes the tokens up to a place of the item, a blank between each two.
    pub(crate) fn spaced(&mut self, end: u32) {
        while self.is_before(end) {
            self.spaced_token();
        }
    }

    /// Starts a group at the next token; what stands before it is outside.
    pub(crate) fn open_group(&mut self) {
        let index = self.ahead;
        self.between(index);
        self.next = index;
        self.gap(Gap::Tight);
        self.document.open(false);
    }

    /// Like [`Cursor::open_group_around`], but a group before it on the line breaks rather than this one.
    pub(crate) fn open_firm_group(&mut self) {
        self.document.open(true);
    }

    /// Starts a group before what stands before the next token: a place to break before it belongs to the group.
    pub(crate) fn open_group_around(&mut self) {
        self.document.open(false);
    }

    pub(crate) fn close_group(&mut self) {
        self.document.close();
    }

    pub(crate) fn indent(&mut self) {
        self.document.push(Op::Indent);
    }

    pub(crate) fn dedent(&mut self) {
        self.document.push(Op::Dedent);
    }

    /// Leaves out the comma that comes next, if one does.
    pub(crate) fn skip_comma(&mut self) {
        let index = self.ahead;
        if self.tokens.kind(index) == TokenKind::Comma {
            self.look_ahead(index + 1);
        }
    }

    /// A comma of the layout's.
    pub(crate) fn comma(&mut self) {
        self.document.push(Op::Text(","));
    }

    /// A comma of the layout's if the group stays on its line.
    pub(crate) fn comma_if_flat(&mut self) {
        self.document.push(Op::IfFlat(","));
    }

    /// A comma of the layout's if the group is broken.
    pub(crate) fn comma_if_broken(&mut self) {
        self.document.push(Op::IfBroken(","));
    }

    /// Writes what stands before a closing bracket and the end of the indentation, then the bracket.
    pub(crate) fn close(&mut self, gap: Gap) {
        let index = self.ahead;
        self.gap = gap;
        self.blanks = if gap == Gap::Tight { Blanks::None } else { Blanks::One };
        let ended = self.comments(index);
        self.dedent();
        match ended {
            // A word about why there is nothing.
            Some(Ended::Behind) if gap == Gap::Tight => self.document.push(Op::Text(" ")),
            Some(_) => self.document.hard(false),
            None => self.line(gap, false),
        }
        self.write(index);
    }

    /// The text of a token, then nothing before the next.
    fn write(&mut self, index: usize) {
        let span = self.tokens.span(index);
        let kind = self.tokens.kind(index);
        let is_doc = kind == TokenKind::Doc;
        let length = if is_doc { span.text(self.text).trim_end().len() as u32 } else { span.len() };
        let (start, end) = (span.start, span.start + length);
        // No other token goes over several lines.
        if kind == TokenKind::TextBlock {
            self.document.lines(start, end);
        } else {
            self.document.push(Op::Source { start, end });
        }
        self.next = index + 1;
        self.look_ahead(self.next);
        self.gap(if is_doc { Gap::Hard } else { Gap::Tight });
    }

    /// Writes what stands between the last token and this one.
    fn between(&mut self, index: usize) {
        if self.next >= index && self.gap == Gap::Tight {
            return;
        }
        let (gap, blanks) = (self.gap, self.blanks);
        let is_continued = matches!(gap, Gap::Tight | Gap::Space);
        if is_continued
            && self.tokens.kinds().get(self.next..index).is_some_and(|kinds| kinds.iter().all(|kind| *kind == TokenKind::Whitespace))
        {
            return self.line(gap, false);
        }
        if is_continued {
            self.indent();
        }
        match self.comments(index) {
            None => {
                let blank = blanks == Blanks::One && self.lines_before(index) > 1;
                self.line(gap, blank);
            }
            Some(Ended::Line { lines }) => self.document.hard(blanks == Blanks::One && lines > 1),
            // A comment on the line of what stands before belongs to that, one on a line of its own to what follows.
            Some(Ended::Behind) if gap == Gap::Hard => self.document.hard(false),
            Some(Ended::Behind) if !is_continued => self.line(Gap::Line, false),
            Some(Ended::Behind | Ended::Before) => self.document.push(Op::Text(" ")),
        }
        if is_continued {
            self.dedent();
        }
    }

    /// A gap without comments.
    fn line(&mut self, gap: Gap, blank: bool) {
        match gap {
            Gap::Tight => {}
            Gap::Space => self.document.push(Op::Text(" ")),
            Gap::Line => self.document.push(Op::Line { flat: " ", blank }),
            Gap::Soft => self.document.push(Op::Line { flat: "", blank }),
            Gap::Hard => self.document.hard(blank),
        }
    }

    /// How many lines end directly before a token.
    fn lines_before(&self, index: usize) -> usize {
        line_ends(self.text, Span::new(self.tokens.start(self.next), self.tokens.start(index)))
    }

    /// Writes the comments before a token, and says how the last one ends.
    fn comments(&mut self, index: usize) -> Option<Ended> {
        let found = comments(self.text, self.tokens, self.next, index);
        let last = *found.last()?;
        let is_after_token = self.next > 0 && self.tokens.start(self.next) > self.base;
        for (number, comment) in found.iter().enumerate() {
            let (start, end) = (comment.span.start, comment.span.end);
            if comment.lines_before == 0 && comment.is_line && is_after_token {
                self.document.break_groups();
                self.document.push(Op::Trailing { start, end });
                continue;
            }
            if comment.lines_before == 0 {
                self.document.push(Op::Text(" "));
            } else {
                let blank = comment.lines_before > 1 && (number > 0 || self.blanks == Blanks::One);
                self.document.hard(blank);
            }
            if comment.span.text(self.text).contains('\n') {
                self.document.lines(start, end);
            } else {
                self.document.push(Op::Source { start, end });
            }
        }
        let behind = line_ends(self.text, Span::new(last.span.end, self.tokens.start(index)));
        Some(match (behind, last.lines_before) {
            (0, 0) if !last.is_line => Ended::Behind,
            (0, _) if !last.is_line => Ended::Before,
            (lines, _) => Ended::Line { lines },
        })
    }
}

/// The comments among some tokens.
pub(crate) fn comments(text: &str, tokens: &Tokens, first: usize, end: usize) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut behind = tokens.start(first);
    for index in first..end {
        let kind = tokens.kind(index);
        if !matches!(kind, TokenKind::LineComment | TokenKind::BlockComment | TokenKind::ModuleDoc) {
            continue;
        }
        let span = tokens.span(index);
        let is_line = kind != TokenKind::BlockComment;
        let length = if is_line { span.text(text).trim_end().len() as u32 } else { span.len() };
        let lines_before = line_ends(text, Span::new(behind, span.start));
        found.push(Comment { span: Span::new(span.start, span.start + length), lines_before, is_line });
        behind = span.end;
    }
    found
}

/// How many lines end in a part of a text.
pub(crate) fn line_ends(text: &str, span: Span) -> usize {
    span.text(text).bytes().filter(|byte| *byte == b'\n').count()
}
