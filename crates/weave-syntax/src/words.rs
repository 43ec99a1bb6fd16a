//! The words and marks of the language, for messages and for completion.

use crate::token::TokenKind;

/// The kinds that the grammar reads.
pub(crate) const GRAMMATICAL: [TokenKind; 98] = [
    TokenKind::Doc,
    TokenKind::Identifier,
    TokenKind::String,
    TokenKind::TextBlock,
    TokenKind::Number,
    TokenKind::Ordinal,
    TokenKind::Duration,
    TokenKind::BraceOpen,
    TokenKind::BraceClose,
    TokenKind::ParenOpen,
    TokenKind::ParenClose,
    TokenKind::BracketOpen,
    TokenKind::Element,
    TokenKind::BracketClose,
    TokenKind::Comma,
    TokenKind::Colon,
    TokenKind::Question,
    TokenKind::Coalesce,
    TokenKind::LeadingDot,
    TokenKind::Dot,
    TokenKind::Range,
    TokenKind::Ellipsis,
    TokenKind::Pipe,
    TokenKind::Or,
    TokenKind::And,
    TokenKind::Not,
    TokenKind::Assign,
    TokenKind::Equal,
    TokenKind::NotEqual,
    TokenKind::Less,
    TokenKind::LessEqual,
    TokenKind::Greater,
    TokenKind::GreaterEqual,
    TokenKind::Plus,
    TokenKind::Minus,
    TokenKind::Star,
    TokenKind::Slash,
    TokenKind::Percent,
    TokenKind::Arrow,
    TokenKind::At,
    TokenKind::True,
    TokenKind::False,
    TokenKind::Null,
    TokenKind::Import,
    TokenKind::From,
    TokenKind::As,
    TokenKind::Enum,
    TokenKind::Type,
    TokenKind::Union,
    TokenKind::By,
    TokenKind::Error,
    TokenKind::Event,
    TokenKind::External,
    TokenKind::Tool,
    TokenKind::Signal,
    TokenKind::Interaction,
    TokenKind::Provider,
    TokenKind::Toolkit,
    TokenKind::Prompt,
    TokenKind::Hydrates,
    TokenKind::Agent,
    TokenKind::Workflow,
    TokenKind::Test,
    TokenKind::Step,
    TokenKind::End,
    TokenKind::Fail,
    TokenKind::On,
    TokenKind::When,
    TokenKind::Also,
    TokenKind::Else,
    TokenKind::Limit,
    TokenKind::Each,
    TokenKind::In,
    TokenKind::Parallel,
    TokenKind::Min,
    TokenKind::Ask,
    TokenKind::Call,
    TokenKind::Run,
    TokenKind::Emit,
    TokenKind::Wait,
    TokenKind::Until,
    TokenKind::Cancel,
    TokenKind::All,
    TokenKind::Of,
    TokenKind::Settled,
    TokenKind::Failure,
    TokenKind::Timeout,
    TokenKind::Example,
    TokenKind::Progress,
    TokenKind::Artifacts,
    TokenKind::Start,
    TokenKind::Answer,
    TokenKind::Once,
    TokenKind::Send,
    TokenKind::Approve,
    TokenKind::Reject,
    TokenKind::Expect,
    TokenKind::Open,
];

impl TokenKind {
    /// How a token of this kind is written, if there is one way only.
    #[must_use]
    pub const fn text(self) -> Option<&'static str> {
        Some(match self {
            Self::BraceOpen => "{",
            Self::BraceClose => "}",
            Self::ParenOpen => "(",
            Self::ParenClose => ")",
            Self::BracketOpen | Self::Element => "[",
            Self::BracketClose => "]",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::Semicolon => ";",
            Self::Question => "?",
            Self::Coalesce => "??",
            Self::LeadingDot => ".",
            Self::Dot => ".",
            Self::Range => "..",
            Self::Ellipsis => "...",
            Self::Pipe => "|",
            Self::Or => "||",
            Self::And => "&&",
            Self::Not => "!",
            Self::Assign => "=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::Percent => "%",
            Self::Arrow => "->",
            Self::At => "@",
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
            Self::Import => "import",
            Self::From => "from",
            Self::As => "as",
            Self::Enum => "enum",
            Self::Type => "type",
            Self::Union => "union",
            Self::By => "by",
            Self::Error => "error",
            Self::Event => "event",
            Self::External => "external",
            Self::Tool => "tool",
            Self::Signal => "signal",
            Self::Interaction => "interaction",
            Self::Provider => "provider",
            Self::Toolkit => "toolkit",
            Self::Prompt => "prompt",
            Self::Hydrates => "hydrates",
            Self::Agent => "agent",
            Self::Workflow => "workflow",
            Self::Test => "test",
            Self::Step => "step",
            Self::End => "end",
            Self::Fail => "fail",
            Self::On => "on",
            Self::When => "when",
            Self::Also => "also",
            Self::Else => "else",
            Self::Limit => "limit",
            Self::Each => "each",
            Self::In => "in",
            Self::Parallel => "parallel",
            Self::Min => "min",
            Self::Ask => "ask",
            Self::Call => "call",
            Self::Run => "run",
            Self::Emit => "emit",
            Self::Wait => "wait",
            Self::Until => "until",
            Self::Cancel => "cancel",
            Self::All => "all",
            Self::Of => "of",
            Self::Settled => "settled",
            Self::Failure => "failure",
            Self::Timeout => "timeout",
            Self::Example => "example",
            Self::Progress => "progress",
            Self::Artifacts => "artifacts",
            Self::Start => "start",
            Self::Answer => "answer",
            Self::Once => "once",
            Self::Send => "send",
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Expect => "expect",
            Self::Open => "open",
            _ => return None,
        })
    }

    /// What a token of this kind is called in a message: a keyword or mark in backticks, anything else in words.
    #[must_use]
    pub fn described(self) -> String {
        if let Some(text) = self.text() {
            return format!("`{text}`");
        }
        match self {
            Self::Identifier => "a name",
            Self::String | Self::OpenString => "a string",
            Self::TextBlock | Self::OpenTextBlock => "a text block",
            Self::Number | Self::BadNumber => "a number",
            Self::Duration => "a duration",
            Self::Ordinal => "the number of a firing",
            Self::Doc => "a doc comment",
            _ => "something else",
        }
        .to_owned()
    }
}

#[cfg(test)]
impl TokenKind {
    /// All words.
    pub(crate) fn words() -> impl Iterator<Item = Self> {
        GRAMMATICAL.into_iter().filter(|kind| kind.is_word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{terminal, terminals};

    #[test]
    fn the_list_of_kinds_is_that_of_the_grammar() {
        let mut known: Vec<_> = GRAMMATICAL.iter().map(|kind| terminal(*kind)).collect();
        known.extend([terminal(TokenKind::StartItem), terminal(TokenKind::StartPlaceholder), None]);
        known.sort();
        let mut all: Vec<_> = terminals().collect();
        all.sort();
        assert_eq!(known, all);
    }

    #[test]
    fn what_has_one_text_is_lexed_from_it() {
        for kind in GRAMMATICAL {
            let Some(text) = kind.text() else { continue };
            let tokens = crate::lex(text);
            let expected = match kind {
                TokenKind::Dot => TokenKind::LeadingDot,
                TokenKind::Element => TokenKind::BracketOpen,
                kind if TokenKind::OF_TESTS.contains(&kind) => TokenKind::Identifier,
                kind => kind,
            };
            assert_eq!(tokens.kinds(), [expected], "{text}");
        }
    }
}
