//! From the tokens of an item to what the parser reads: no trivia, faults replaced by what they were meant to be, nesting capped.

use crate::error::SyntaxError;
use crate::lexer::Tokens;
use crate::lexical;
use crate::token::TokenKind as K;
use weave_diagnostics::Span;
use weave_diagnostics::bounds::FILE_DIAGNOSTICS;

/// How deep brackets and `map<…>` may nest, and how many `[]` a type may have.
pub const DEEPEST: usize = 256;

/// One token for the parser; its place counts from the start of the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub kind: K,
    pub start: u32,
    pub end: u32,
}

impl Lexeme {
    pub(crate) const fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }

    /// A token that is not in the text.
    pub(crate) const fn made_up(kind: K, at: u32) -> Self {
        Self { kind, start: at, end: at }
    }
}

/// One open bracket; the lowest one stands for the item itself.
#[derive(Clone, Copy)]
struct Level {
    opener: K,
    /// Number of the opener among the lexemes.
    at: usize,
    /// Behind the last postfix (`[]`, `?`) in it, and how many of them stand side by side.
    postfix_end: usize,
    postfixes: usize,
}

/// Makes lexemes, with buffers that serve all items of a file.
#[derive(Default)]
pub(crate) struct Feed {
    pub(crate) lexemes: Vec<Lexeme>,
    pub(crate) errors: Vec<SyntaxError>,
    /// Whether something was left out because it nests too deep.
    pub(crate) too_deep: bool,
    levels: Vec<Level>,
    /// Openers that were left out and are not closed yet.
    skipped: Vec<K>,
    /// Where braces are that belong to a mark of another language: `${…}`.
    dropped: Vec<u32>,
}

impl Feed {
    /// Reads some of a file's tokens; the places of the lexemes count from the first of them. In a test, words mean what they mean there.
    pub(crate) fn read(&mut self, text: &str, tokens: &Tokens, range: std::ops::Range<usize>, in_test: bool) {
        let (first, end) = (range.start, range.end);
        self.lexemes.clear();
        self.errors.clear();
        self.levels.clear();
        self.levels.push(Level { opener: K::StartItem, at: 0, postfix_end: 0, postfixes: 0 });
        self.skipped.clear();
        self.dropped.clear();
        self.too_deep = false;
        let base = tokens.start(first);
        let kinds = tokens.kinds().get(first..end).unwrap_or_default();
        let bounds = tokens.bounds(first..end);
        for (offset, (&kind, place)) in kinds.iter().zip(bounds.windows(2)).enumerate() {
            if kind.is_trivia() && kind != K::OpenComment && kind != K::ModuleDoc {
                continue;
            }
            let &[start, stop] = place else { continue };
            let mut lexeme = Lexeme { kind, start: start - base, end: stop - base };
            let mut kind = kind;
            if in_test {
                kind = self.in_test(lexeme, text.get(start as usize..stop as usize).unwrap_or_default());
                lexeme.kind = kind;
            } else if kind == K::Ordinal {
                lexeme.kind = K::Unknown;
            }
            if is_plain(kind) && self.skipped.is_empty() {
                self.lexemes.push(lexeme);
            } else if let Some(kind) = self.meaning(text, tokens, first + offset, lexeme) {
                self.structure(Lexeme { kind, ..lexeme });
            }
        }
    }

    /// What a token is in a test.
    fn in_test(&self, lexeme: Lexeme, text: &str) -> K {
        match lexeme.kind {
            K::Identifier => K::word_of_test(text).unwrap_or(K::Identifier),
            K::BracketOpen => match self.lexemes.last() {
                Some(last) if last.end == lexeme.start && (last.kind.is_word() || last.kind == K::Ordinal) => K::Element,
                _ => K::BracketOpen,
            },
            kind => kind,
        }
    }

    /// Takes note of a mistake. What is beyond the bound of a file is not put into words.
    fn report(&mut self, error: impl FnOnce() -> Option<SyntaxError>) {
        if self.errors.len() <= FILE_DIAGNOSTICS.most {
            self.errors.extend(error());
        }
    }

    /// What a fault was meant to be.
    fn meaning(&mut self, text: &str, tokens: &Tokens, index: usize, lexeme: Lexeme) -> Option<K> {
        let base = tokens.start(index) - lexeme.start;
        let slice = lexeme.span().shifted(base).text(text);
        match lexeme.kind {
            K::Doc if !is_first_on_line(text, tokens, index) => {
                self.report(|| Some(lexical::doc_behind(lexeme.span(), slice)));
                None
            }
            K::ModuleDoc => {
                self.report(|| Some(lexical::module_doc(lexeme.span())));
                None
            }
            K::Semicolon => {
                self.report(|| Some(lexical::semicolon(lexeme.span())));
                let in_braces = self.levels.last().is_none_or(|level| matches!(level.opener, K::BraceOpen | K::StartItem));
                let rest = text.get((base + lexeme.end) as usize..).unwrap_or_default();
                (!in_braces || !rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n', '}', '/'])).then_some(K::Comma)
            }
            K::Unknown if slice == "$" => {
                let rest = text.get((base + lexeme.end) as usize..).unwrap_or_default();
                let (error, dropped, kind) = lexical::dollar(lexeme.span(), rest)?;
                self.errors.push(error);
                self.dropped.extend(dropped);
                kind
            }
            K::BraceOpen | K::BraceClose if self.dropped.contains(&lexeme.start) => None,
            kind if kind.is_fault() => {
                self.report(|| lexical::fault(kind, lexeme.span(), slice));
                lexical::meaning(kind, slice)
            }
            kind => {
                if kind == K::TextBlock {
                    self.report(|| lexical::text_block_layout(lexeme.span(), slice));
                }
                Some(kind)
            }
        }
    }

    /// Counts how deep it goes, and leaves out what goes too deep.
    fn structure(&mut self, lexeme: Lexeme) {
        let kind = lexeme.kind;
        if !self.skipped.is_empty() {
            self.skip(kind);
            return;
        }
        let opens = kind.is_opener() || (kind == K::Less && self.follows_type_name());
        if opens {
            if self.levels.len() > DEEPEST {
                self.refuse(lexeme.span());
                self.skipped.push(kind);
                return;
            }
            self.levels.push(Level { opener: kind, at: self.lexemes.len(), postfix_end: 0, postfixes: 0 });
        } else if kind.is_closer() || kind == K::Greater {
            if !self.closes(lexeme) {
                return;
            }
        } else if kind == K::Question && !self.postfix(self.lexemes.len(), lexeme) {
            return;
        }
        self.lexemes.push(lexeme);
    }

    fn refuse(&mut self, span: Span) {
        if !self.too_deep {
            self.errors.push(lexical::too_deep(span));
        }
        self.too_deep = true;
    }

    /// Whether a `<` here opens the type of a map's values, and does not compare paths, which start with a dot.
    fn follows_type_name(&self) -> bool {
        let mut before = self.lexemes.iter().rev();
        before.next().is_some_and(|name| name.kind.is_word())
            && !before.next().is_some_and(|dot| matches!(dot.kind, K::Dot | K::LeadingDot))
    }

    /// Between the brackets that are left out.
    fn skip(&mut self, kind: K) {
        if kind.is_opener() {
            self.skipped.push(kind);
        } else if let Some(&open) = self.skipped.last()
            && (closer(open) == kind || (open == K::Less && kind.is_closer()))
        {
            self.skipped.pop();
        }
    }

    /// Takes the closer's level off; whether the closer is to be read.
    fn closes(&mut self, lexeme: Lexeme) -> bool {
        let Some(depth) = self.levels.iter().rposition(|level| closer(level.opener) == lexeme.kind) else { return true };
        if lexeme.kind == K::Greater && depth + 1 != self.levels.len() {
            return true;
        }
        let Some(&level) = self.levels.get(depth) else { return true };
        self.levels.truncate(depth);
        let here = self.lexemes.len();
        match level.opener {
            K::BracketOpen if here == level.at + 1 => {
                if !self.postfix(level.at, lexeme) {
                    // The `[` goes as well.
                    self.lexemes.pop();
                    return false;
                }
                true
            }
            // The constraints of a list: the next `[]` goes on behind them.
            K::ParenOpen => {
                if let Some(outer) = self.levels.last_mut()
                    && outer.postfix_end == level.at
                {
                    outer.postfix_end = here + 1;
                }
                true
            }
            _ => true,
        }
    }

    /// Counts a `[]` or `?` that starts at this number of lexeme; whether it is to be read.
    fn postfix(&mut self, at: usize, lexeme: Lexeme) -> bool {
        let behind = self.lexemes.len() + 1;
        let Some(level) = self.levels.last_mut() else { return true };
        level.postfixes = if level.postfix_end == at { level.postfixes + 1 } else { 1 };
        level.postfix_end = behind;
        if level.postfixes <= DEEPEST {
            return true;
        }
        level.postfix_end = at;
        self.refuse(lexeme.span());
        false
    }
}

/// Whether nothing needs to be known about a token but its kind.
const fn is_plain(kind: K) -> bool {
    !(kind.is_fault()
        || kind.is_opener()
        || kind.is_closer()
        || matches!(kind, K::Ordinal | K::ModuleDoc | K::Doc | K::Semicolon | K::TextBlock | K::Question | K::Less | K::Greater))
}

/// What closes this opener.
pub(crate) const fn closer(opener: K) -> K {
    match opener {
        K::BraceOpen => K::BraceClose,
        K::ParenOpen => K::ParenClose,
        K::BracketOpen | K::Element => K::BracketClose,
        K::Less => K::Greater,
        other => other,
    }
}

/// Whether only blanks stand before a token on its line.
pub(crate) fn is_first_on_line(text: &str, tokens: &Tokens, index: usize) -> bool {
    let before = text.get(..tokens.start(index) as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    before.get(line..).is_some_and(|line| line.trim_start_matches('\u{feff}').chars().all(|c| matches!(c, ' ' | '\t' | '\r')))
}
