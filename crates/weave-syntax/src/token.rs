//! The kinds of tokens.

/// What a token is. Its text is read from its span, so a kind is one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
    // Trivia.
    /// Blanks and line ends.
    Whitespace,
    /// `// …`
    LineComment,
    /// `/* … */`, nested.
    BlockComment,
    /// `//! …`, the docs of the file.
    ModuleDoc,
    /// A byte order mark at the start of the file.
    ByteOrderMark,
    // Faults, each of them reported once by the lexer's caller.
    /// Characters that no token starts with.
    Unknown,
    /// A number or duration that goes wrong: `12abc`.
    BadNumber,
    /// `"…` that does not end on its line.
    OpenString,
    /// `"""` that does not end.
    OpenTextBlock,
    /// `/*` that does not end.
    OpenComment,
    // Made-up first tokens that choose what is parsed, and the end.
    /// A top-level item follows.
    StartItem,
    /// The expression of a placeholder follows.
    StartPlaceholder,
    // Literals and names.
    /// `/// …`
    Doc,
    /// An identifier that is no keyword.
    Identifier,
    /// `"…"`
    String,
    /// `"""…"""`
    TextBlock,
    /// `12`, `0.5`, `1e9`
    Number,
    /// `30s`
    Duration,
    // Punctuation.
    /// `{`
    BraceOpen,
    /// `}`
    BraceClose,
    /// `(`
    ParenOpen,
    /// `)`
    ParenClose,
    /// `[`
    BracketOpen,
    /// `]`
    BracketClose,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `;`, which the language does not have
    Semicolon,
    /// `?`
    Question,
    /// `??`
    Coalesce,
    /// `.` that starts a path
    LeadingDot,
    /// `.` directly behind what it reads from
    Dot,
    /// `..`
    Range,
    /// `...`
    Ellipsis,
    /// `|`
    Pipe,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `!`
    Not,
    /// `=`
    Assign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `->`
    Arrow,
    /// `@`
    At,
    // Keywords. All of them are names where the grammar allows one.
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// `import`
    Import,
    /// `from`
    From,
    /// `as`
    As,
    /// `enum`
    Enum,
    /// `type`
    Type,
    /// `union`
    Union,
    /// `by`
    By,
    /// `error`
    Error,
    /// `event`
    Event,
    /// `external`
    External,
    /// `tool`
    Tool,
    /// `signal`
    Signal,
    /// `interaction`
    Interaction,
    /// `provider`
    Provider,
    /// `toolkit`
    Toolkit,
    /// `prompt`
    Prompt,
    /// `hydrates`
    Hydrates,
    /// `agent`
    Agent,
    /// `workflow`
    Workflow,
    /// `step`
    Step,
    /// `end`
    End,
    /// `fail`
    Fail,
    /// `on`
    On,
    /// `when`
    When,
    /// `also`
    Also,
    /// `else`
    Else,
    /// `limit`
    Limit,
    /// `each`
    Each,
    /// `in`
    In,
    /// `parallel`
    Parallel,
    /// `min`
    Min,
    /// `ask`
    Ask,
    /// `call`
    Call,
    /// `run`
    Run,
    /// `emit`
    Emit,
    /// `wait`
    Wait,
    /// `until`
    Until,
    /// `cancel`
    Cancel,
    /// `all`
    All,
    /// `of`
    Of,
    /// `settled`
    Settled,
    /// `failure`
    Failure,
    /// `timeout`
    Timeout,
    /// `example`
    Example,
    /// `progress`
    Progress,
    /// `artifacts`
    Artifacts,
}
