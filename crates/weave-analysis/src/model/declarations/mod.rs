//! Declarations and their signatures.

mod tools;

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value as Json;
use weave_diagnostics::{FileId, Place};

use super::DeclarationId;
use super::naming::TargetLanguage;
use super::types::{Literal, RecordType, Type};
use super::value::Template;
pub use tools::{
    Activation, Approval, Backoff, Deferred, Example, FAILURE_KINDS, FailureName, Hints, McpSource, OnCancel, OnTimeout, Retry, Tool,
    ToolReference, Toolkit, Via,
};

/// A declaration with its signature.
#[derive(Debug, PartialEq)]
pub struct Declaration {
    /// The file that it stands in.
    pub file: FileId,
    /// The index of its item in the file.
    pub item: u32,
    /// The name, or the topic.
    pub name: Arc<str>,
    /// Where the name stands.
    pub place: Place,
    /// What the model reads about it.
    pub docs: Option<Arc<str>>,
    /// `@deprecated`, with its reason.
    pub deprecated: Option<Arc<str>>,
    /// `@go(name: "…")` and the like: what generated code calls it.
    pub target_names: TargetNames,
    /// `@category` of an error.
    pub category: Option<Category>,
    /// `@status` of an error.
    pub status: Option<u16>,
    /// What it is.
    pub kind: DeclarationKind,
}

/// The names that something has in generated code, where the author chose them; they are no part of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetNames {
    /// Few things have any, and every field of every record would carry the room for them.
    chosen: Option<Box<[Option<Arc<str>>; TargetLanguage::ALL.len()]>>,
}

impl TargetNames {
    /// The name in a language.
    #[must_use]
    pub fn get(&self, language: TargetLanguage) -> Option<&Arc<str>> {
        self.chosen.as_deref()?.get(language as usize)?.as_ref()
    }

    /// Gives it a name in a language; none takes away what was given before.
    pub fn set(&mut self, language: TargetLanguage, name: Option<Arc<str>>) {
        if name.is_none() && self.chosen.is_none() {
            return;
        }
        if let Some(place) = self.chosen.get_or_insert_default().get_mut(language as usize) {
            *place = name;
        }
    }

    /// Whether nothing was chosen for any language.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.chosen.is_none()
    }
}

/// What kind of trouble an error is: `@category(not_found)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// `invalid`: what was asked makes no sense.
    Invalid,
    /// `unauthenticated`: nobody knows who asks.
    Unauthenticated,
    /// `denied`: who asks may not.
    Denied,
    /// `not_found`: there is no such thing.
    NotFound,
    /// `conflict`: it does not go together with how things are.
    Conflict,
    /// `rate_limit`: too much was asked for in too little time.
    RateLimit,
    /// `unavailable`: what is needed cannot be reached now.
    Unavailable,
    /// `timeout`: it took too long.
    Timeout,
    /// `internal`: a mistake of the tool itself.
    Internal,
}

impl Category {
    /// All categories with their words in the language.
    pub const ALL: [(&'static str, Self); 9] = [
        ("invalid", Self::Invalid),
        ("unauthenticated", Self::Unauthenticated),
        ("denied", Self::Denied),
        ("not_found", Self::NotFound),
        ("conflict", Self::Conflict),
        ("rate_limit", Self::RateLimit),
        ("unavailable", Self::Unavailable),
        ("timeout", Self::Timeout),
        ("internal", Self::Internal),
    ];
}

/// What a declaration declares.
#[derive(Debug, PartialEq)]
pub enum DeclarationKind {
    /// `type`: a record or an alias.
    Type(Type),
    /// `enum`.
    Enum(EnumType),
    /// `union`.
    Union(UnionType),
    /// `error`: the data of the failure.
    Error(Arc<RecordType>),
    /// `event`.
    Event(Event),
    /// `tool`.
    Tool(Box<Tool>),
    /// `toolkit`.
    Toolkit(Box<Toolkit>),
    /// `prompt`.
    Prompt(Box<Prompt>),
    /// `agent`.
    Agent(Box<Agent>),
    /// `workflow`; its nodes are in the bodies of its file.
    Workflow(Box<WorkflowSignature>),
}

impl DeclarationKind {
    /// What people call it, with its article: "a tool".
    #[must_use]
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Type(_) => "a type",
            Self::Enum(_) => "an enum",
            Self::Union(_) => "a union",
            Self::Error(_) => "an error",
            Self::Event(_) => "an event",
            Self::Tool(_) => "a tool",
            Self::Toolkit(_) => "a toolkit",
            Self::Prompt(_) => "a prompt",
            Self::Agent(_) => "an agent",
            Self::Workflow(_) => "a workflow",
        }
    }
}

/// An enum.
#[derive(Debug, PartialEq)]
pub struct EnumType {
    /// The values in the order of the text.
    pub values: Box<[EnumValue]>,
}

/// One value of an enum.
#[derive(Debug, PartialEq)]
pub struct EnumValue {
    /// The name in the language.
    pub name: Arc<str>,
    /// The string on the wire.
    pub wire: Arc<str>,
    /// What the model reads about it.
    pub docs: Option<Arc<str>>,
    /// `@deprecated`, with its reason.
    pub deprecated: Option<Arc<str>>,
    /// What generated code calls it.
    pub target_names: TargetNames,
    /// Where the name stands.
    pub place: Place,
}

/// A tagged union.
pub struct UnionType {
    /// The name of the tag property, the first one of each variant.
    pub tag: Arc<str>,
    /// The variants in the order of the text.
    pub variants: Box<[Variant]>,
    /// The type of the tag, made when it is first asked for: guards read it again and again.
    tag_type: OnceLock<Type>,
}

/// Without what is only made when it is asked for.
impl fmt::Debug for UnionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnionType").field("tag", &self.tag).field("variants", &self.variants).finish()
    }
}

impl PartialEq for UnionType {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag && self.variants == other.variants
    }
}

impl UnionType {
    /// A union with these variants.
    #[must_use]
    pub const fn new(tag: Arc<str>, variants: Box<[Variant]>) -> Self {
        Self { tag, variants, tag_type: OnceLock::new() }
    }

    /// The type of the tag: one of the names of the variants.
    #[must_use]
    pub fn tag_type(&self) -> &Type {
        self.tag_type.get_or_init(|| {
            let mut names = self.variants.iter().map(|variant| Type::Literal(Literal::String(Arc::clone(&variant.name))));
            match self.variants.len() {
                0 | 1 => names.next().unwrap_or(Type::Unknown),
                _ => Type::Union(names.collect()),
            }
        })
    }
}

/// One variant.
#[derive(Debug, PartialEq)]
pub struct Variant {
    /// The value of the tag.
    pub name: Arc<str>,
    /// The record's type, without the tag.
    pub ty: Type,
    /// What the model reads about it.
    pub docs: Option<Arc<str>>,
    /// `@deprecated`, with its reason.
    pub deprecated: Option<Arc<str>>,
    /// What generated code calls it.
    pub target_names: TargetNames,
    /// Where the name stands.
    pub place: Place,
}

/// An event.
#[derive(Debug, PartialEq)]
pub struct Event {
    /// Whether it comes from outside.
    pub external: bool,
    /// The payload.
    pub payload: Type,
    /// The events that answer it.
    pub answers: Box<[DeclarationId]>,
    /// Whether there may be more of them, because something is wrong with those that were written.
    pub doubtful: bool,
}

/// A prompt.
#[derive(Debug, PartialEq)]
pub struct Prompt {
    /// The parameters.
    pub input: Arc<RecordType>,
    /// What is found at run time.
    pub hydrates: Option<Arc<RecordType>>,
    /// The text.
    pub text: Template,
    /// How much of the text is known before it is used.
    pub tier: PromptTier,
}

/// How much of a prompt's text is known before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptTier {
    /// All of it.
    Static,
    /// All but the parameters.
    Bound,
    /// Parts of it are found at run time.
    Dynamic,
}

/// An agent.
#[derive(Debug, Default, PartialEq)]
pub struct Agent {
    /// The parameters.
    pub input: Arc<RecordType>,
    /// The output; `None` for plain text.
    pub output: Option<Type>,
    /// `model`.
    pub model: Option<Arc<str>>,
    /// `system`, over the parameters.
    pub system: Option<Template>,
    /// `prompt`: its parameters are those of the agent with the same names.
    pub prompt: Option<DeclarationId>,
    /// `tools`.
    pub tools: Box<[ToolReference]>,
    /// Whether something is wrong with its settings, so that nobody knows what else they would say.
    pub doubtful: bool,
    /// `max_turns`.
    pub max_turns: Option<u64>,
    /// `title`.
    pub title: Option<Arc<str>>,
    /// `version`.
    pub version: Option<Arc<str>>,
    /// `timeout`, in milliseconds.
    pub timeout: Option<u64>,
    /// `retry`.
    pub retry: Option<Retry>,
    /// `options { temperature: 0.2 }`, handed to the provider as they are.
    pub options: Option<Json>,
    /// `meta`.
    pub meta: Option<Json>,
}

/// The signature of a workflow, and its settings.
#[derive(Debug, Default, PartialEq)]
pub struct WorkflowSignature {
    /// The parameters.
    pub input: Arc<RecordType>,
    /// The output; `None` if it has none.
    pub output: Option<Type>,
    /// The codes with which it can fail: the names of its `fail` nodes.
    pub failures: Box<[Arc<str>]>,
    /// `title`.
    pub title: Option<Arc<str>>,
    /// `version`.
    pub version: Option<Arc<str>>,
    /// `timeout`, in milliseconds.
    pub timeout: Option<u64>,
    /// `meta`.
    pub meta: Option<Json>,
}
