//! What lines and columns say about the tokens of an item that has a mistake.
//!
//! The grammar knows no lines. Where something is missing, though, they tell what was meant: a `step` that is first on its line starts a
//! node, whatever the unfinished line before it could make of that word.

use std::sync::LazyLock;

use weave_diagnostics::Span;

use crate::feed::Lexeme;
use crate::plan::Stack;
use crate::tables::{State, Step, Terminal, states, step, terminal, terminals};
use crate::token::TokenKind as K;

/// The text of an item and its tokens.
pub(crate) struct Layout<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
}

impl<'a> Layout<'a> {
    pub(crate) const fn new(text: &'a str, lexemes: &'a [Lexeme]) -> Self {
        Self { text, lexemes }
    }

    /// The text of a token.
    pub(crate) fn text(&self, number: usize) -> &'a str {
        self.lexemes.get(number).map_or("", |lexeme| lexeme.span().text(self.text))
    }

    /// The place of a token.
    pub(crate) fn span(&self, number: usize) -> Option<Span> {
        self.lexemes.get(number).map(|lexeme| lexeme.span())
    }

    /// A part of the text.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// The kind of a token.
    pub(crate) fn kind(&self, number: usize) -> Option<K> {
        self.lexemes.get(number).map(|lexeme| lexeme.kind)
    }

    /// The kind of the token before this one.
    pub(crate) fn before(&self, number: usize) -> Option<K> {
        number.checked_sub(1).and_then(|before| self.kind(before))
    }

    /// Whether a token is the first one on its line; the end counts as such.
    pub(crate) fn is_line_start(&self, number: usize) -> bool {
        let Some(previous) = number.checked_sub(1).and_then(|previous| self.lexemes.get(previous)) else { return true };
        let Some(lexeme) = self.lexemes.get(number) else { return true };
        self.text.as_bytes().get(previous.end as usize..lexeme.start as usize).is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// The column of a token in bytes, with a tab as one.
    pub(crate) fn column(&self, number: usize) -> usize {
        let start = self.lexemes.get(number).map_or(self.text.len(), |lexeme| lexeme.start as usize);
        let before = self.text.get(..start).unwrap_or_default();
        start - before.rfind('\n').map_or(0, |end| end + 1)
    }

    /// The column of the first token on the line of this one.
    pub(crate) fn indentation(&self, number: usize) -> usize {
        let first = (0..=number).rev().find(|number| self.is_line_start(*number)).unwrap_or_default();
        self.column(first)
    }

    /// Whether a token must be the keyword of a node, an action or a typed setting: it is first on its line, and what follows on the line fits.
    pub(crate) fn is_line_keyword(&self, number: usize) -> bool {
        let Some(kind) = self.kind(number) else { return false };
        if self.is_test() {
            return self.is_line_of_test(number, kind);
        }
        let typed = matches!(kind, K::Example | K::Progress | K::Artifacts);
        if !(kind.starts_node() || is_action(kind) || typed) || !self.is_line_start(number) || self.is_line_start(number + 1) {
            return false;
        }
        let Some(next) = self.kind(number + 1) else { return false };
        let fits = next.is_word() || (kind == K::Wait && matches!(next, K::Duration | K::LeadingDot)) || (typed && next == K::BraceOpen);
        fits && !matches!(self.kind(number + 2), Some(K::Colon))
    }

    /// Whether the item is a test, whose lines are not those of a workflow.
    pub(crate) fn is_test(&self) -> bool {
        self.lexemes.iter().find(|lexeme| lexeme.kind != K::Doc).is_some_and(|first| first.kind == K::Test)
    }

    /// Whether a word must be the verb of a test's line, or the `test` of an inner test.
    fn is_line_of_test(&self, number: usize, kind: K) -> bool {
        if number == 0 || !self.is_line_start(number) || !(kind.starts_line_of_test() || kind == K::Test) {
            return false;
        }
        let next = self.kind(number + 1).filter(|_| !self.is_line_start(number + 1));
        match (kind, next) {
            (K::Start, None) => true,
            (_, None | Some(K::Colon | K::Comma)) => false,
            _ => true,
        }
    }

    /// What follows on the line, for a word that is first on it.
    pub(crate) fn behind_first_word(&self, number: usize) -> Option<K> {
        let is_word = self.kind(number).is_some_and(|kind| kind.is_word() || kind == K::String);
        (number > 0 && is_word && self.is_line_start(number) && !self.is_line_start(number + 1)).then(|| self.kind(number + 1)).flatten()
    }

    /// Whether a word stands before a token on its line.
    pub(crate) fn follows_word(&self, number: usize) -> bool {
        !self.is_line_start(number) && self.before(number).is_some_and(K::is_word)
    }

    /// Whether a token says the same as the one before it, as after a slip of the hand.
    pub(crate) fn is_repeated(&self, number: usize) -> bool {
        let Some(before) = number.checked_sub(1) else { return false };
        self.kind(before) == self.kind(number) && self.text(before) == self.text(number)
    }

    /// Whether a token that leads to this state would be read against the layout of the text.
    pub(crate) fn is_refused(&self, number: usize, next: State) -> bool {
        (is_word_reading(next) && self.is_line_keyword(number))
            || (is_setting_reading(next) && (self.is_mid_line(number) || self.is_misspelt_node(number)))
    }

    /// Whether a word is most likely the keyword of a node with a slip of the hand in it.
    fn is_misspelt_node(&self, number: usize) -> bool {
        self.kind(number) == Some(K::Identifier)
            && self.kind(number + 1).is_some_and(K::is_word)
            && weave_diagnostics::closest(self.text(number), ["step", "end", "fail"]).is_some()
    }

    /// Whether a token goes on with a line in a way in which no setting of a workflow starts.
    fn is_mid_line(&self, number: usize) -> bool {
        !self.is_line_start(number) && !matches!(self.before(number), Some(K::BraceOpen | K::BraceClose | K::Comma))
    }
}

/// Whether an action of a step starts with this word.
pub(crate) const fn is_action(kind: K) -> bool {
    matches!(kind, K::Ask | K::Call | K::Run | K::Emit | K::Wait | K::Cancel)
}

/// Whether the token that led to this state is read as a word: a name, not a keyword.
pub(crate) fn is_word_reading(state: State) -> bool {
    has(&READINGS.words, state)
}

/// Whether the token that led to this state is read as the name of a workflow's setting.
pub(crate) fn is_setting_reading(state: State) -> bool {
    has(&READINGS.settings, state)
}

/// Whether the token that led to this state is read as a name of any kind, not as what the word means elsewhere.
pub(crate) fn is_name_reading(state: State) -> bool {
    has(&READINGS.names, state)
}

fn has(set: &[bool], state: State) -> bool {
    usize::try_from(state).ok().and_then(|state| set.get(state)).copied().unwrap_or_default()
}

/// How the token that led to a state is read, by state.
struct Readings {
    words: Vec<bool>,
    names: Vec<bool>,
    settings: Vec<bool>,
}

/// The nonterminals for words have no names in the tables; they are found by asking what becomes of a word where only a name can stand.
static READINGS: LazyLock<Readings> = LazyLock::new(|| {
    let name = [K::Type];
    let alias = [K::Type, K::Identifier, K::Assign];
    let body = [K::Workflow, K::Identifier, K::ParenOpen, K::ParenClose, K::BraceOpen];
    let places: [(&[K], K); 6] =
        [(&name, K::Step), (&name, K::Ask), (&name, K::Example), (&name, K::Failure), (&name, K::Answer), (&alias, K::Step)];
    let words: Vec<usize> = places.into_iter().filter_map(|(before, word)| reading(before, word)).collect();
    let common = reading(&name, K::Type);
    let setting = reading(&body, K::Identifier);
    let reduced = |state| terminals().find_map(|token| rule(state, token));
    // A word that the grammar also reads on from, as in `all(a, b)`, means what it says.
    let ends = |state| !terminals().any(|token| matches!(step(state, token), Step::Shift(_)));
    let is_name = |state| reduced(state).is_some_and(|read| Some(read) == common || words.contains(&read)) && ends(state);
    Readings {
        words: states().map(|state| reduced(state).is_some_and(|read| words.contains(&read))).collect(),
        names: states().map(is_name).collect(),
        settings: states().map(|state| reduced(state).is_some_and(|read| Some(read) == setting)).collect(),
    }
});

/// What a word is read as behind these tokens.
fn reading(before: &[K], word: K) -> Option<usize> {
    let mut stack = Stack::new(K::StartItem);
    if !before.iter().all(|kind| stack.advance(terminal(*kind))) {
        return None;
    }
    let state = stack.peek(terminal(word))?;
    terminals().find_map(|token| rule(state, token))
}

/// The nonterminal that a single symbol becomes.
fn rule(state: State, token: Terminal) -> Option<usize> {
    match step(state, token) {
        Step::Reduce { states: 1, nonterminal } => Some(nonterminal),
        _ => None,
    }
}
