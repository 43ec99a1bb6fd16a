//! What kind of place the cursor is at, as the tokens before it say.

use weave_diagnostics::Span;
use weave_syntax::{TokenKind as K, Tokens};

/// What may be named at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    /// An agent, behind `ask`.
    Agent,
    /// Something that can be called.
    Callable,
    /// A workflow, behind `run`.
    Workflow,
    /// A topic that can be emitted.
    Emitted,
    /// Any topic.
    Topic,
    /// What makes a node fire.
    Trigger,
    /// A step.
    Step,
    /// A type.
    Type,
    /// A prompt.
    Prompt,
    /// What a model can be offered.
    Offered,
    /// A failure.
    Failure,
    /// A name of the file that is imported from.
    Imported,
    /// An attribute.
    Attribute,
    /// A rule of the linter.
    Rule,
    /// One of the words that this setting takes.
    ValueOf(&'a str),
    /// A setting, in the block of this one or of the item itself.
    Setting(Option<&'a str>),
    /// Nothing that has been named before: a new name, or text.
    New,
    /// Only what the grammar reads.
    Grammar,
}

impl Wanted<'_> {
    /// Whether a word of the grammar may stand here as well. Where a name is wanted, the grammar reads any value only to explain what is wrong.
    pub(super) fn goes_with(self, word: &str) -> bool {
        match self {
            Self::Trigger => !matches!(word, "when" | "also" | "else"),
            Self::Type => matches!(word, "true" | "false" | "null"),
            Self::Setting(None) => !matches!(word, "example" | "progress" | "artifacts"),
            Self::Grammar | Self::Topic => true,
            _ => false,
        }
    }
}

/// The tokens of an item before the cursor, blanks and comments left out.
pub(super) struct Before<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    /// Their indices.
    code: Vec<usize>,
    /// Where the cursor is, or the word that it is in starts.
    to: u32,
}

impl<'a> Before<'a> {
    /// The tokens between two offsets.
    pub(super) fn new(text: &'a str, tokens: &'a Tokens, from: u32, to: u32) -> Self {
        let code = (tokens.at(from)..tokens.len()).take_while(|index| tokens.start(*index) < to);
        Self { text, tokens, code: code.filter(|index| !tokens.kind(*index).is_trivia()).collect(), to }
    }

    fn kind(&self, back: usize) -> Option<K> {
        self.index(back).map(|index| self.tokens.kind(index))
    }

    fn index(&self, back: usize) -> Option<usize> {
        self.code.len().checked_sub(back + 1).and_then(|at| self.code.get(at)).copied()
    }

    /// The text of a token, counted back from the cursor.
    fn word(&self, back: usize) -> &'a str {
        self.index(back).map_or("", |index| self.tokens.span(index).text(self.text))
    }

    fn span(&self, back: usize) -> Option<Span> {
        self.index(back).map(|index| self.tokens.span(index))
    }

    /// The innermost bracket that is open at the cursor, counted back.
    fn opener(&self) -> Option<usize> {
        let mut depth = 0_usize;
        (0..self.code.len()).find(|back| match self.kind(*back) {
            Some(kind) if kind.is_closer() => {
                depth += 1;
                false
            }
            Some(kind) if kind.is_opener() && depth == 0 => true,
            Some(kind) if kind.is_opener() => {
                depth -= 1;
                false
            }
            _ => false,
        })
    }

    /// What may be named here.
    pub(super) fn wanted(&self) -> Wanted<'a> {
        let head = self.code.first().map(|index| self.tokens.kind(*index));
        if self.kind(0) == Some(K::At) {
            return Wanted::Attribute;
        }
        match self.word(0) {
            "ask" => return Wanted::Agent,
            "call" => return Wanted::Callable,
            "run" => return Wanted::Workflow,
            "emit" => return Wanted::Emitted,
            "wait" => return Wanted::Topic,
            "cancel" => return Wanted::Step,
            "on" if !self.is_in_block_of("retry") => return Wanted::Trigger,
            "from" if head != Some(K::Import) => return Wanted::Step,
            "prompt" if self.code.len() > 1 => return Wanted::Prompt,
            "as" | "by" | "step" | "end" | "fail" => return Wanted::New,
            "when" | "&&" | "||" | "!" | "=" | "==" | "!=" | "??" => return Wanted::Grammar,
            _ => {}
        }
        match self.kind(0) {
            Some(K::Arrow) if head == Some(K::Event) || head == Some(K::External) => return Wanted::Topic,
            Some(K::Arrow | K::Less) => return Wanted::Type,
            Some(K::Colon) => return Wanted::Type,
            Some(K::Pipe) => return self.alternative(head),
            Some(kind) if kind.is_word() && self.is_setting_name() => return Wanted::ValueOf(self.word(0)),
            _ => {}
        }
        self.inside(head)
    }

    /// Whether the last word is the name of a setting: first on its line, or behind a comma or a brace, and not in a header.
    fn is_setting_name(&self) -> bool {
        !weave_analysis::vocabulary::values_of(self.word(0)).is_empty()
    }

    fn is_in_block_of(&self, setting: &str) -> bool {
        self.opener()
            .is_some_and(|open| self.kind(open) == Some(K::BraceOpen) && (self.word(open + 1) == setting || self.word(open + 2) == setting))
    }

    /// Behind `|`: what the list before it is of.
    fn alternative(&self, head: Option<K>) -> Wanted<'a> {
        for back in 1..self.code.len() {
            match self.word(back) {
                "on" => return Wanted::Trigger,
                "wait" => return Wanted::Topic,
                "->" if matches!(head, Some(K::Event | K::External)) => return Wanted::Topic,
                "->" | ":" | "=" | "<" => return Wanted::Type,
                _ => {}
            }
        }
        Wanted::Grammar
    }

    /// In the innermost brackets, behind one of them or a comma or an entry.
    fn inside(&self, head: Option<K>) -> Wanted<'a> {
        let Some(open) = self.opener() else { return Wanted::Grammar };
        let before = self.word(open + 1);
        let follows = open == 0 || self.kind(0) == Some(K::Comma);
        match self.kind(open) {
            Some(K::ParenOpen) if follows => match before {
                "all" | "settled" | "of" | "failure" => Wanted::Step,
                "timeout" if open == 0 => Wanted::Step,
                "allow" if open == 0 => Wanted::Rule,
                _ if head == Some(K::Workflow) => Wanted::Grammar,
                _ => Wanted::New,
            },
            Some(K::BracketOpen) if follows => match before {
                "tools" => Wanted::Offered,
                "fails" | "on" => Wanted::Failure,
                "history" => Wanted::Step,
                word if !weave_analysis::vocabulary::values_of(word).is_empty() => Wanted::ValueOf(word),
                _ => Wanted::Grammar,
            },
            Some(K::BraceOpen) if head == Some(K::Import) => {
                if follows {
                    Wanted::Imported
                } else {
                    Wanted::Grammar
                }
            }
            Some(K::BraceOpen) if follows || self.begins_line() => Wanted::Setting(self.setting_before(open)),
            _ => Wanted::Grammar,
        }
    }

    /// The setting whose block a brace opens.
    fn setting_before(&self, open: usize) -> Option<&'a str> {
        [1, 2].into_iter().map(|more| self.word(open + more)).find(|word| !weave_analysis::vocabulary::settings_in(word).is_empty())
    }

    /// Whether a line break stands behind the last token.
    fn begins_line(&self) -> bool {
        let Some(last) = self.span(0) else { return true };
        Span::new(last.end, self.to).text(self.text).contains('\n')
    }
}
