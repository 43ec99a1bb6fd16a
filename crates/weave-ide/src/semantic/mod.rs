//! What the words of a file are, for editors that colour them by what they mean.
//!
//! Names are coloured as what they mean, whatever the lexer takes them for; the other words by what stands around them. Strings are left out
//! where a placeholder is, so that the paths in prompts have the colours of paths.

mod names;
mod texts;

use weave_diagnostics::{FileId, Span};

use crate::Analysis;

/// What a word is: the standard kinds of the protocol, as far as the language has something of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SemanticKind {
    /// A toolkit.
    Namespace,
    /// A type, a union or an error; a scalar type.
    Type,
    /// An agent.
    Class,
    /// An enum.
    Enum,
    /// A topic.
    Event,
    /// A tool or a workflow; a function of guards.
    Function,
    /// What is called on a value: `.items.exists(…)`.
    Method,
    /// A prompt.
    Macro,
    /// A value of an enum or a variant of a union.
    EnumMember,
    /// A field or a key.
    Property,
    /// A parameter.
    Parameter,
    /// A step, a bound variable, or a value that is always there.
    Variable,
    /// An attribute, or a rule that one names.
    Decorator,
    /// A word of the language.
    Keyword,
    /// Text.
    String,
    /// A number or a duration.
    Number,
    /// A comment.
    Comment,
}

impl SemanticKind {
    /// All kinds, each at the index that it is as a number.
    pub const ALL: [Self; 17] = [
        Self::Namespace,
        Self::Type,
        Self::Class,
        Self::Enum,
        Self::Event,
        Self::Function,
        Self::Method,
        Self::Macro,
        Self::EnumMember,
        Self::Property,
        Self::Parameter,
        Self::Variable,
        Self::Decorator,
        Self::Keyword,
        Self::String,
        Self::Number,
        Self::Comment,
    ];
}

/// What else is known of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemanticModifiers {
    /// It declares what it names.
    pub declaration: bool,
    /// Nobody should use it any more.
    pub deprecated: bool,
    /// The language brings it along.
    pub built_in: bool,
    /// It is shown to readers.
    pub documentation: bool,
}

/// A word, or a part of a text, within one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: SemanticKind,
    /// What else is known of it.
    pub modifiers: SemanticModifiers,
}

/// What the words of a file are, or of those items that a range touches, in the order of the text. No two overlap, and none goes beyond its line.
#[must_use]
pub fn semantic_tokens(analysis: &Analysis, file: FileId, within: Option<Span>) -> Vec<SemanticToken> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let within = within.unwrap_or(Span::new(0, unit.syntax.text.len() as u32));
    let names = names::names(analysis, file, within);
    let others = texts::words(&unit.syntax, within);
    merged(names, others)
}

/// Names come first: what overlaps one is left out.
fn merged(names: Vec<SemanticToken>, others: Vec<SemanticToken>) -> Vec<SemanticToken> {
    let mut found = Vec::with_capacity(names.len() + others.len());
    let mut others = others.into_iter().peekable();
    let mut end = 0;
    for name in names {
        if name.span.start < end {
            continue;
        }
        while let Some(other) = others.next_if(|other| other.span.start < name.span.end) {
            if end <= other.span.start && other.span.end <= name.span.start {
                found.push(other);
            }
        }
        end = name.span.end;
        found.push(name);
    }
    found.extend(others.filter(|other| end <= other.span.start));
    found
}
