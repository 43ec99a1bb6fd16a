//! The definition itself and what it carries beside its nodes.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::child;
use crate::wire::{DIGEST, NAME};
use crate::{Duration, Node, Projection, ProviderProjections, Schema, Tool};

/// The version of the format that this crate writes and reads.
pub const FORMAT_VERSION: &str = "1";

/// One workflow, with everything that a runtime needs to run it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The version of the format: [`FORMAT_VERSION`].
    #[schemars(extend("const" = "1"))]
    pub weave: String,
    /// The name.
    #[schemars(regex(pattern = NAME))]
    pub workflow: String,
    /// The name that people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its version, in whatever words; the digest identifies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How long a run may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The schema of the input: an object.
    pub input: Schema,
    /// The schema of the output.
    pub output: Schema,
    /// The nodes in source order, which decides between them.
    pub nodes: Vec<Node>,
    /// The tools that nodes call, agents are offered, or triggers name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, Tool>,
    /// The toolkits in the lists of those agents, and in each other's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub toolkits: BTreeMap<String, Toolkit>,
    /// The agents that nodes ask, or other agents are offered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, Agent>,
    /// The prompts of those agents.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, Prompt>,
    /// The topics that nodes emit, await or listen to, and the topics that answer them; built-in ones too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, Event>,
    /// The declared errors with which the tools fail.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, ErrorType>,
    /// The workflows that nodes run, or agents are offered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub workflows: BTreeMap<String, ChildWorkflow>,
    /// The schemas of named types, for `#/$defs/NAME`.
    #[serde(default, rename = "$defs", skip_serializing_if = "BTreeMap::is_empty")]
    pub defs: BTreeMap<String, Schema>,
    /// What the providers of models are told in place of the schemas above, by provider: `anthropic`, `gemini`, `openai`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub projections: BTreeMap<String, ProviderProjections>,
    /// What the author adds; it means nothing to the runner.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, Value>,
}

impl Definition {
    /// A workflow of this name with these schemas and no node yet.
    #[must_use]
    pub fn new(workflow: impl Into<String>, input: Schema, output: Schema) -> Self {
        Self {
            weave: FORMAT_VERSION.to_owned(),
            workflow: workflow.into(),
            title: None,
            description: None,
            deprecated: None,
            version: None,
            timeout: None,
            input,
            output,
            nodes: Vec::new(),
            tools: BTreeMap::new(),
            toolkits: BTreeMap::new(),
            agents: BTreeMap::new(),
            prompts: BTreeMap::new(),
            events: BTreeMap::new(),
            errors: BTreeMap::new(),
            workflows: BTreeMap::new(),
            defs: BTreeMap::new(),
            projections: BTreeMap::new(),
            meta: BTreeMap::new(),
        }
    }

    /// Every schema in the definition with its JSON pointer, in a fixed order.
    #[must_use]
    pub fn schemas(&self) -> Vec<(String, &Schema)> {
        let mut schemas = vec![("/input".to_owned(), &self.input), ("/output".to_owned(), &self.output)];
        let mut add = |part: &str, name: &str, key: &str, schema| schemas.push((child(&child(&child("", part), name), key), schema));
        for (name, tool) in &self.tools {
            add("tools", name, "input", &tool.input);
            add("tools", name, "output", &tool.output);
            tool.progress.iter().for_each(|schema| add("tools", name, "progress", schema));
            tool.artifacts.iter().for_each(|schema| add("tools", name, "artifacts", schema));
        }
        for (name, agent) in &self.agents {
            add("agents", name, "input", &agent.input);
            add("agents", name, "output", &agent.output);
        }
        for (name, prompt) in &self.prompts {
            add("prompts", name, "input", &prompt.input);
            prompt.hydrates.iter().for_each(|schema| add("prompts", name, "hydrates", schema));
        }
        self.events.iter().for_each(|(topic, event)| add("events", topic, "payload", &event.payload));
        self.errors.iter().for_each(|(name, error)| add("errors", name, "data", &error.data));
        for (name, workflow) in &self.workflows {
            add("workflows", name, "input", &workflow.input);
            add("workflows", name, "output", &workflow.output);
        }
        schemas.extend(self.defs.iter().map(|(name, schema)| (child("/$defs", name), schema)));
        schemas.extend(self.projections().into_iter().filter_map(|(pointer, it)| Some((child(&pointer, "schema"), it.schema.as_ref()?))));
        schemas
    }

    /// Every projection in the definition with its JSON pointer, in a fixed order.
    #[must_use]
    pub fn projections(&self) -> Vec<(String, &Projection)> {
        let mut found = Vec::new();
        for (provider, projections) in &self.projections {
            let provider = child("/projections", provider);
            let mut add = |part: &str, name: &str, key: &str, projection| {
                let pointer = child(&child(&provider, part), name);
                found.push((if key.is_empty() { pointer } else { child(&pointer, key) }, projection));
            };
            projections.tools.iter().for_each(|(name, it)| add("tools", name, "", it));
            for (name, agent) in &projections.agents {
                agent.input.iter().for_each(|it| add("agents", name, "input", it));
                agent.output.iter().for_each(|it| add("agents", name, "output", it));
            }
            projections.workflows.iter().for_each(|(name, it)| add("workflows", name, "", it));
            projections.defs.iter().for_each(|(name, it)| add("$defs", name, "", it));
        }
        found
    }

    /// The node of this name.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }
}

/// An agent: a model in a loop with tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The name that people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does; what a model reads that is offered this agent as a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its version, in whatever words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The model, or the alias that the application maps to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The system text: a template over the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The prompt that makes the user's message from the arguments: a key of `prompts`. Absent: the arguments as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The schema of the arguments: an object.
    pub input: Schema,
    /// The schema of the answer.
    pub output: Schema,
    /// What the model is offered, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<OfferedTool>,
    /// How often the model is asked at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_turns: Option<u32>,
    /// Further settings for the model, such as `temperature`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// What the author adds; it means nothing to the runner.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, Value>,
}

impl Agent {
    /// An agent with these schemas and nothing else said.
    #[must_use]
    pub fn new(input: Schema, output: Schema) -> Self {
        Self {
            title: None,
            description: None,
            deprecated: None,
            version: None,
            model: None,
            system: None,
            prompt: None,
            input,
            output,
            tools: Vec::new(),
            max_turns: None,
            options: BTreeMap::new(),
            meta: BTreeMap::new(),
        }
    }
}

/// A tool, agent or workflow under the name by which a model is offered it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[serde(expecting = "an offered tool is {\"name\", \"tool\"}, {\"name\", \"agent\"} or {\"name\", \"workflow\"}")]
pub enum OfferedTool {
    /// A tool.
    Tool {
        /// The name that the model sees, namespace and renaming included.
        name: String,
        /// A key of `tools`.
        tool: String,
        /// Through what the host sends each call, outermost first: the middleware of the toolkits on the way.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        middleware: Vec<String>,
    },
    /// An agent.
    Agent {
        /// The name that the model sees.
        name: String,
        /// A key of `agents`.
        agent: String,
        /// Through what the host sends each call, outermost first: the middleware of the toolkits on the way.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        middleware: Vec<String>,
    },
    /// A workflow.
    Workflow {
        /// The name that the model sees.
        name: String,
        /// A key of `workflows`.
        workflow: String,
        /// Through what the host sends each call, outermost first: the middleware of the toolkits on the way.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        middleware: Vec<String>,
    },
}

impl OfferedTool {
    /// The name that the model sees.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } | Self::Agent { name, .. } | Self::Workflow { name, .. } => name,
        }
    }
}

/// A group of tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Toolkit {
    /// The name that people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What its tools have in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its version, in whatever words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What stands before the names of its tools, with `__` between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// What is in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolkitEntry>,
    /// Through what the host sends each call of a model, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub middleware: Vec<String>,
    /// What the author adds; it means nothing to the runner.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, Value>,
}

/// What is in a toolkit: tools, agents and workflows under the names that they have in it, and other toolkits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[serde(expecting = "what is in a toolkit is {\"name\", \"tool\"}, {\"name\", \"agent\"}, {\"name\", \"workflow\"} or {\"toolkit\"}")]
pub enum ToolkitEntry {
    /// A tool.
    Tool {
        /// The name in the toolkit, without namespaces.
        name: String,
        /// A key of `tools`.
        tool: String,
    },
    /// An agent.
    Agent {
        /// The name in the toolkit, without namespaces.
        name: String,
        /// A key of `agents`.
        agent: String,
    },
    /// A workflow.
    Workflow {
        /// The name in the toolkit, without namespaces.
        name: String,
        /// A key of `workflows`.
        workflow: String,
    },
    /// A toolkit, whose tools keep their namespace behind that of this one.
    Toolkit {
        /// A key of `toolkits`.
        toolkit: String,
    },
}

/// A prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// When its text is complete.
    pub tier: Tier,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its version, in whatever words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The schema of the parameters: an object.
    pub input: Schema,
    /// The schema of what a hydrator finds at run time: an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hydrates: Option<Schema>,
    /// The text: a template over the parameters and what the hydrator found.
    pub text: String,
}

/// When the text of a prompt is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// As it is written: it has no placeholder.
    Static,
    /// When its parameters are known.
    Bound,
    /// When a hydrator has answered.
    Dynamic,
}

/// A topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// It comes from outside; else a workflow emits it.
    pub external: bool,
    /// The schema of the payload.
    pub payload: Schema,
    /// The topics that answer it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub answers: BTreeSet<String>,
}

/// A declared error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorType {
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// What kind of trouble it is, for whoever treats failures alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// The status of an answer over HTTP that carries it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// The schema of what comes with it: an object.
    pub data: Schema,
}

/// What kind of trouble a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// What was asked makes no sense.
    Invalid,
    /// Nobody knows who asks.
    Unauthenticated,
    /// Who asks may not.
    Denied,
    /// There is no such thing.
    NotFound,
    /// It does not go together with how things are.
    Conflict,
    /// Too much was asked for in too little time.
    RateLimit,
    /// What is needed cannot be reached now.
    Unavailable,
    /// It took too long.
    Timeout,
    /// A mistake of the tool itself.
    Internal,
}

/// A workflow that another one runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChildWorkflow {
    /// What it does; what a model reads that is offered this workflow as a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It is on its way out, and what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The digest of its definition: that definition runs and no other.
    #[schemars(regex(pattern = DIGEST))]
    pub digest: String,
    /// The schema of its input.
    pub input: Schema,
    /// The schema of its output.
    pub output: Schema,
}
