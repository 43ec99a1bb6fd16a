//! Declarations and their signatures.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value as Json;
use weave_diagnostics::{FileId, Place};
use weave_syntax::ast::ToolKind;

use super::DeclarationId;
use super::guard::Guard;
use super::naming::TargetLanguage;
use super::types::{Literal, RecordType, Type};
use super::value::Template;

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

/// A tool.
#[derive(Debug, PartialEq)]
pub struct Tool {
    /// The kind.
    pub kind: ToolKind,
    /// The parameters.
    pub input: Arc<RecordType>,
    /// The output; `None` if it has none.
    pub output: Option<Type>,
    /// `id`: what identifies it whatever it is called, and where that stands.
    pub id: Option<(Arc<str>, Place)>,
    /// `title`.
    pub title: Option<Arc<str>>,
    /// `version`.
    pub version: Option<Arc<str>>,
    /// `activation`: when a model is offered it.
    pub activation: Activation,
    /// `max_output`: how many octets of the output a model is shown.
    pub max_output: Option<u64>,
    /// `action`: what people see while it runs, over the parameters.
    pub action: Option<Template>,
    /// `mode silent`.
    pub silent: bool,
    /// `strict`, which is on unless it says `false`.
    pub strict: bool,
    /// `hints`; `None` if nothing is known. What a given list does not name is not so.
    pub hints: Option<Hints>,
    /// `timeout`, in milliseconds.
    pub timeout: Option<u64>,
    /// `retry`.
    pub retry: Option<Retry>,
    /// `approval`.
    pub approval: Option<Approval>,
    /// `deferred`.
    pub deferred: Option<Deferred>,
    /// `progress`: what is streamed while it runs.
    pub progress: Option<Type>,
    /// `artifacts`: what it hands to the application beside its output.
    pub artifacts: Option<Type>,
    /// `fails`: the declared errors and built-in failure kinds.
    pub fails: Box<[FailureName]>,
    /// Whether something is wrong with its settings, so that nobody knows what else they would say.
    pub doubtful: bool,
    /// `example`s.
    pub examples: Box<[Example]>,
    /// `requires`: the capabilities that an implementation needs.
    pub requires: Box<[Arc<str>]>,
    /// `at env("URL")`: the environment variable with the address.
    pub at: Option<Arc<str>>,
    /// `from mcp("server", "tool")`.
    pub from: Option<McpSource>,
    /// `via provider { options }`.
    pub via: Option<Via>,
    /// `meta`.
    pub meta: Option<Json>,
    /// `binding host { settings }`: how hosts of that kind find it, by the name of the host.
    pub bindings: Box<[(Arc<str>, Json)]>,
    /// `on_cancel`.
    pub on_cancel: Option<OnCancel>,
}

/// When a model is offered a tool of its agent's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// `always`.
    #[default]
    Always,
    /// `deferred`: once it has looked for it.
    Deferred,
    /// `internal`: never; steps call it.
    Internal,
}

/// The behaviour hints of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `read_only`.
    pub read_only: bool,
    /// `destructive`.
    pub destructive: bool,
    /// `idempotent`.
    pub idempotent: bool,
    /// `open_world`: it deals with a world that is not closed, such as the web.
    pub open_world: bool,
}

/// `retry 3 { backoff exponential, base 200ms, max 2s, on [unavailable] }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// How many further attempts.
    pub max: u64,
    /// How the pauses grow.
    pub backoff: Option<Backoff>,
    /// The first pause, in milliseconds.
    pub base: Option<u64>,
    /// The longest pause, in milliseconds.
    pub cap: Option<u64>,
    /// The failures that are tried again; all that may be if empty.
    pub on: Box<[FailureName]>,
}

/// How pauses grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backoff {
    /// All alike.
    Constant,
    /// By the first one each time.
    Linear,
    /// Twice as long each time.
    Exponential,
}

/// A failure that a tool may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FailureName {
    /// A declared error.
    Error(DeclarationId),
    /// A built-in kind such as `unavailable`.
    Kind(Arc<str>),
}

/// The built-in failure kinds.
pub const FAILURE_KINDS: [&str; 13] = [
    "execution_error",
    "invalid_input",
    "invalid_output",
    "timeout",
    "denied",
    "cancelled",
    "unavailable",
    "unknown_tool",
    "non_local_tool",
    "max_turns",
    "elements",
    "stalled",
    "runaway",
];

/// When a call needs somebody's consent.
#[derive(Debug, PartialEq)]
pub enum Approval {
    /// `approval always`.
    Always,
    /// `approval never`, which says so on purpose.
    Never,
    /// `approval when guard`, over the parameters.
    When(Guard),
}

/// `deferred { deadline 2d, on_timeout fail }`: the result comes later.
#[derive(Clone, Debug, PartialEq)]
pub struct Deferred {
    /// When it must have come, in milliseconds.
    pub deadline: Option<u64>,
    /// `on_timeout`: what happens if it has not.
    pub on_timeout: Option<OnTimeout>,
}

/// What it is if a deferred result does not come in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTimeout {
    /// `fail`: the failure `timeout`.
    Fail,
    /// `error`: an error that the calling agent reads as the tool's result, which is what happens if nothing is said.
    Error,
}

/// What the callee does when its caller is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnCancel {
    /// It stops.
    Cancel,
    /// It goes on; its result is dropped.
    Ignore,
}

/// `example { input } -> { output }`, checked against the types.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The input.
    pub input: Json,
    /// The output.
    pub output: Option<Json>,
}

/// A tool of an MCP server.
#[derive(Clone, Debug, PartialEq)]
pub struct McpSource {
    /// The server's name in the application's configuration.
    pub server: Arc<str>,
    /// The tool's name there.
    pub tool: Arc<str>,
}

/// The provider that runs a provider tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// The provider.
    pub provider: Arc<str>,
    /// Its options.
    pub options: Json,
}

/// A toolkit.
#[derive(Debug, Default, PartialEq)]
pub struct Toolkit {
    /// `namespace`.
    pub namespace: Option<Arc<str>>,
    /// `tools`.
    pub tools: Box<[ToolReference]>,
    /// Whether something is wrong with its settings, so that nobody knows what else they would say.
    pub doubtful: bool,
    /// `middleware`, outermost first.
    pub middleware: Box<[Arc<str>]>,
    /// `title`.
    pub title: Option<Arc<str>>,
    /// `version`.
    pub version: Option<Arc<str>>,
    /// `meta`.
    pub meta: Option<Json>,
}

/// A name in a list of tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolReference {
    /// A tool, toolkit, agent or workflow.
    pub target: DeclarationId,
    /// `as name`.
    pub alias: Option<Arc<str>>,
    /// Where it stands.
    pub place: Place,
    /// Where the name stands that it has in the list: behind `as`, if there is one.
    pub name_place: Place,
}

impl ToolReference {
    /// What the list calls it.
    #[must_use]
    pub fn name<'a>(&'a self, declaration: &'a Declaration) -> &'a str {
        self.alias.as_deref().unwrap_or(&declaration.name)
    }
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
