//! Tools: what a workflow calls and a model is offered.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{any_schema, present};
use crate::{Duration, Guard, Retry, Schema};

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Who executes it.
    pub kind: ToolKind,
    /// What identifies it whatever it is called. Absent: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name that people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the model reads about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its version, in whatever words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What people see while it runs: a template over the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Whether the model sees the result.
    pub mode: ToolMode,
    /// Whether a model is offered it; absent: always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activation: Option<Activation>,
    /// Whether the model's provider shall hold the arguments to the schema.
    pub strict: bool,
    /// What the tool is known to be. Absent: nothing is known. Present: what is not listed is not so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<BTreeSet<Hint>>,
    /// How long one attempt may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// What happens after a failed attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// When somebody is asked before it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// It is acknowledged at once and answered later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deferred: Option<Deferred>,
    /// What happens at the tool when the call is cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_cancel: Option<OnCancel>,
    /// The schema of the arguments: an object.
    pub input: Schema,
    /// The schema of the answer.
    pub output: Schema,
    /// How many octets of the answer, as JSON, a model is shown at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_output: Option<u32>,
    /// The schema of what it streams while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Schema>,
    /// The schema of what it leaves beside its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Schema>,
    /// The codes with which it fails: declared errors and built-in kinds.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub fails: BTreeSet<String>,
    /// Calls that show how it is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// What its handler needs of the host.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub requires: BTreeSet<String>,
    /// The address of a remote tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Endpoint>,
    /// The server that an imported tool comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// The provider that executes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Provider>,
    /// What particular hosts want to know, by the host's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub binding: BTreeMap<String, Value>,
    /// What the author adds; it means nothing to the runner.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, Value>,
}

impl Tool {
    /// A tool with these schemas and nothing else said.
    #[must_use]
    pub fn new(kind: ToolKind, input: Schema, output: Schema) -> Self {
        Self {
            kind,
            id: None,
            title: None,
            description: None,
            deprecated: None,
            version: None,
            action: None,
            mode: ToolMode::Feedback,
            activation: None,
            strict: true,
            hints: None,
            timeout: None,
            retry: None,
            approval: None,
            deferred: None,
            on_cancel: None,
            input,
            output,
            max_output: None,
            progress: None,
            artifacts: None,
            fails: BTreeSet::new(),
            examples: Vec::new(),
            requires: BTreeSet::new(),
            at: None,
            from: None,
            via: None,
            binding: BTreeMap::new(),
            meta: BTreeMap::new(),
        }
    }
}

/// Who executes a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// A handler of the application.
    Local,
    /// A service elsewhere: `at` or `from` says where.
    Remote,
    /// The model's provider: `via` says which.
    Provider,
    /// Nobody: the call itself is the message.
    Signal,
    /// Somebody outside, who answers later.
    Interaction,
}

/// Whether the model sees the result of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolMode {
    /// It does.
    Feedback,
    /// It does not.
    Silent,
}

/// When a model is offered a tool of its agent's list, where that is not always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// Once it has looked for it: until then the tool takes no room in what the model reads.
    Deferred,
    /// Never; only steps call it.
    Internal,
}

/// What a tool is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    /// It changes nothing.
    ReadOnly,
    /// It may destroy what was there.
    Destructive,
    /// A second call with the same arguments changes nothing more.
    Idempotent,
    /// It deals with a world that is not closed, such as the web.
    OpenWorld,
}

/// When somebody is asked before a tool runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// Each time.
    Always,
    /// When this is true of the arguments.
    When(Guard),
}

/// A tool that is acknowledged at once and answered later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deferred {
    /// How long the answer may take; absent: for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Duration>,
    /// What an answer that never came is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_timeout: Option<OnTimeout>,
}

/// What it is if a deferred answer does not come in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    /// The failure `timeout` of the step, also when an agent made the call.
    Fail,
    /// An error that the calling agent reads as the tool's result and goes on; in a step of the workflow, the failure `timeout`.
    Error,
}

/// What happens at the tool when the call is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnCancel {
    /// It is told to stop.
    Cancel,
    /// It runs on, and nobody waits for it.
    Ignore,
}

/// A call that shows how a tool is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The arguments.
    #[schemars(schema_with = "any_schema")]
    pub input: Value,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schemars(schema_with = "any_schema")]
    pub output: Option<Value>,
}

/// The address of a remote tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The environment variable in which the address stands.
    pub env: String,
}

/// Where an imported tool comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A server of the Model Context Protocol.
    Mcp(McpTool),
}

/// A tool of a server of the Model Context Protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpTool {
    /// The server's name in the application's configuration.
    pub server: String,
    /// The tool's name there.
    pub tool: String,
}

/// The provider that executes a provider tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The provider.
    pub provider: String,
    /// What it is told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
}
