//! Tools and toolkits, with what their settings say.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Place;
use weave_syntax::ast::ToolKind;

use super::Declaration;
use crate::model::DeclarationId;
use crate::model::guard::Guard;
use crate::model::types::{RecordType, Type};
use crate::model::value::Template;

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
pub const FAILURE_KINDS: [&str; 14] = [
    "execution_error",
    "invalid_input",
    "invalid_output",
    "timeout",
    "denied",
    "cancelled",
    "unavailable",
    "unknown_tool",
    "non_local_tool",
    "unknown_outcome",
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
