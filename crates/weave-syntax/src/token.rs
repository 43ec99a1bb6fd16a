//! The kinds of tokens, each with the pattern that the lexer looks for.

use logos::Logos;

use crate::lexer::{Known, block_comment, text_block};
use crate::strings::string;

/// What a token is. Its text is read from its span, so a kind is one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Logos)]
#[logos(extras = Known)]
#[repr(u8)]
pub enum TokenKind {
    // Trivia.
    /// Blanks and line ends.
    #[regex(r"[ \t\r\n]+")]
    Whitespace,
    /// `// …`
    #[regex(r"//[^\r\n]*", priority = 5, allow_greedy = true)]
    LineComment,
    /// `/* … */`, nested.
    #[token("/*", block_comment)]
    BlockComment,
    /// `//! …`, the docs of the file.
    #[regex(r"//![^\r\n]*", priority = 20, allow_greedy = true)]
    ModuleDoc,
    /// A byte order mark at the start of the file.
    ByteOrderMark,
    // Faults, each of which has a diagnostic of its own.
    /// `/*` that does not end; trivia as well.
    OpenComment,
    /// Characters that no token starts with, a word with letters outside ASCII, `'…'`, text in backticks, or a comment that starts with `#`.
    #[regex(r"'[^'\r\n]*'")]
    #[regex(r"`[^`\r\n]+`")]
    #[regex("\u{201c}[^\u{201c}\u{201d}\r\n]*\u{201d}")]
    #[regex(r"#[ !#][^\r\n]*", allow_greedy = true)]
    Unknown,
    /// A number or duration that goes wrong: `12abc`.
    #[regex(r"[0-9][0-9A-Za-z_]*(\.[0-9][0-9A-Za-z_]*)?", priority = 1)]
    #[regex(r"[0-9]+(\.[0-9]+)?[eE][+-][0-9A-Za-z_]*", priority = 1)]
    BadNumber,
    /// `"…` that does not end on its line.
    OpenString,
    /// `"""` that does not end.
    OpenTextBlock,
    // Made-up first tokens that choose what is parsed, and the end.
    /// A top-level item follows.
    StartItem,
    /// The expression of a placeholder follows.
    StartPlaceholder,
    // Literals and names.
    /// `/// …`
    #[regex(r"///([^/\r\n][^\r\n]*)?", priority = 20, allow_greedy = true)]
    Doc,
    /// An identifier that is no keyword.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", priority = 2)]
    Identifier,
    /// `"…"`; the strings in its placeholders belong to it: `"{{.name ?? "you"}}"`.
    #[token("\"", string)]
    String,
    /// `"""…"""`
    #[token("\"\"\"", text_block)]
    TextBlock,
    /// `12`, `0.5`, `1e9`
    #[regex(r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", priority = 10)]
    Number,
    /// `#2`: which firing of a node
    #[regex(r"#[0-9]+", priority = 12)]
    Ordinal,
    /// `30s`
    #[regex(r"([0-9]+(ms|s|m|h|d))+", priority = 10)]
    Duration,
    // Punctuation.
    /// `{`
    #[token("{")]
    BraceOpen,
    /// `}`
    #[token("}")]
    BraceClose,
    /// `(`
    #[token("(")]
    ParenOpen,
    /// `)`
    #[token(")")]
    ParenClose,
    /// `[`
    #[token("[")]
    BracketOpen,
    /// `[` directly behind a word or a firing's number in a test, where it opens the number of an element
    Element,
    /// `]`
    #[token("]")]
    BracketClose,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `;`, which the language does not have
    #[token(";")]
    Semicolon,
    /// `?`
    #[token("?")]
    Question,
    /// `??`
    #[token("??")]
    Coalesce,
    /// `.` that starts a path
    #[token(".")]
    LeadingDot,
    /// `.` directly behind what it reads from
    Dot,
    /// `..`
    #[token("..")]
    Range,
    /// `...`
    #[token("...")]
    Ellipsis,
    /// `|`
    #[token("|")]
    Pipe,
    /// `||`
    #[token("||")]
    Or,
    /// `&&`
    #[token("&&")]
    And,
    /// `!`
    #[token("!")]
    Not,
    /// `=`
    #[token("=")]
    Assign,
    /// `==`
    #[token("==")]
    Equal,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Percent,
    /// `->`
    #[token("->")]
    Arrow,
    /// `@`
    #[token("@")]
    At,
    // Keywords. All of them are names where the grammar allows one.
    /// `true`
    #[token("true")]
    True,
    /// `false`
    #[token("false")]
    False,
    /// `null`
    #[token("null")]
    Null,
    /// `import`
    #[token("import")]
    Import,
    /// `from`
    #[token("from")]
    From,
    /// `as`
    #[token("as")]
    As,
    /// `enum`
    #[token("enum")]
    Enum,
    /// `type`
    #[token("type")]
    Type,
    /// `union`
    #[token("union")]
    Union,
    /// `by`
    #[token("by")]
    By,
    /// `error`
    #[token("error")]
    Error,
    /// `event`
    #[token("event")]
    Event,
    /// `external`
    #[token("external")]
    External,
    /// `tool`
    #[token("tool")]
    Tool,
    /// `signal`
    #[token("signal")]
    Signal,
    /// `interaction`
    #[token("interaction")]
    Interaction,
    /// `provider`
    #[token("provider")]
    Provider,
    /// `toolkit`
    #[token("toolkit")]
    Toolkit,
    /// `prompt`
    #[token("prompt")]
    Prompt,
    /// `hydrates`
    #[token("hydrates")]
    Hydrates,
    /// `agent`
    #[token("agent")]
    Agent,
    /// `workflow`
    #[token("workflow")]
    Workflow,
    /// `test`
    #[token("test")]
    Test,
    /// `step`
    #[token("step")]
    Step,
    /// `end`
    #[token("end")]
    End,
    /// `fail`
    #[token("fail")]
    Fail,
    /// `on`
    #[token("on")]
    On,
    /// `when`
    #[token("when")]
    When,
    /// `also`
    #[token("also")]
    Also,
    /// `else`
    #[token("else")]
    Else,
    /// `limit`
    #[token("limit")]
    Limit,
    /// `each`
    #[token("each")]
    Each,
    /// `in`
    #[token("in")]
    In,
    /// `parallel`
    #[token("parallel")]
    Parallel,
    /// `min`
    #[token("min")]
    Min,
    /// `ask`
    #[token("ask")]
    Ask,
    /// `call`
    #[token("call")]
    Call,
    /// `run`
    #[token("run")]
    Run,
    /// `emit`
    #[token("emit")]
    Emit,
    /// `wait`
    #[token("wait")]
    Wait,
    /// `until`
    #[token("until")]
    Until,
    /// `cancel`
    #[token("cancel")]
    Cancel,
    /// `all`
    #[token("all")]
    All,
    /// `of`
    #[token("of")]
    Of,
    /// `settled`
    #[token("settled")]
    Settled,
    /// `failure`
    #[token("failure")]
    Failure,
    /// `timeout`
    #[token("timeout")]
    Timeout,
    /// `example`
    #[token("example")]
    Example,
    /// `progress`
    #[token("progress")]
    Progress,
    /// `artifacts`
    #[token("artifacts")]
    Artifacts,
    // Words of tests. The lexer reads them as identifiers; in a test they become what they are, see [`crate::feed`].
    /// `start`
    Start,
    /// `answer`
    Answer,
    /// `once`
    Once,
    /// `send`
    Send,
    /// `approve`
    Approve,
    /// `reject`
    Reject,
    /// `expect`
    Expect,
    /// `open`
    Open,
}

impl TokenKind {
    /// Whether the grammar never sees it: blanks, comments, the docs of the file.
    #[must_use]
    pub const fn is_trivia(self) -> bool {
        (self as u8) <= (Self::OpenComment as u8)
    }

    /// Whether it is no token of the language.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        Self::OpenComment as u8 <= self as u8 && self as u8 <= Self::OpenTextBlock as u8
    }

    /// Whether it is a word of the language, which may also be a name.
    #[must_use]
    pub const fn is_keyword(self) -> bool {
        (self as u8) >= (Self::True as u8)
    }

    /// Whether it may be a name.
    #[must_use]
    pub const fn is_word(self) -> bool {
        self.is_keyword() || matches!(self, Self::Identifier)
    }

    /// Whether it opens a bracket of any kind.
    #[must_use]
    pub const fn is_opener(self) -> bool {
        matches!(self, Self::BraceOpen | Self::ParenOpen | Self::BracketOpen | Self::Element)
    }

    /// Whether it closes a bracket of any kind.
    #[must_use]
    pub const fn is_closer(self) -> bool {
        matches!(self, Self::BraceClose | Self::ParenClose | Self::BracketClose)
    }

    /// Whether a top-level item may start with it.
    #[must_use]
    pub const fn starts_item(self) -> bool {
        matches!(
            self,
            Self::Import
                | Self::Type
                | Self::Enum
                | Self::Union
                | Self::Error
                | Self::Event
                | Self::External
                | Self::Tool
                | Self::Signal
                | Self::Interaction
                | Self::Provider
                | Self::Toolkit
                | Self::Prompt
                | Self::Agent
                | Self::Workflow
                | Self::Test
        )
    }

    /// Whether a line of a test starts with it.
    #[must_use]
    pub const fn starts_line_of_test(self) -> bool {
        matches!(
            self,
            Self::Start
                | Self::Answer
                | Self::Fail
                | Self::Call
                | Self::Send
                | Self::Approve
                | Self::Reject
                | Self::Wait
                | Self::Expect
                | Self::Open
        )
    }

    /// What a word that the lexer takes for a name is in a test.
    #[must_use]
    pub fn word_of_test(word: &str) -> Option<Self> {
        Self::OF_TESTS.into_iter().find(|kind| kind.text() == Some(word))
    }

    /// The words that only tests have.
    pub const OF_TESTS: [Self; 8] =
        [Self::Start, Self::Answer, Self::Once, Self::Send, Self::Approve, Self::Reject, Self::Expect, Self::Open];

    /// Whether a node of a workflow starts with it.
    #[must_use]
    pub const fn starts_node(self) -> bool {
        matches!(self, Self::Step | Self::End | Self::Fail)
    }
}
