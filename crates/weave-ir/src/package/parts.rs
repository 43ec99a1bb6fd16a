//! What a package has beside its types.

use serde_json::Value;

use super::{About, Names, TypeReference};
use crate::{Template, Tier, Tool};

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageEvent {
    /// The topic.
    pub topic: String,
    /// What it is called.
    pub names: Names,
    /// What is said about it.
    pub about: About,
    /// Whether it comes from outside.
    pub external: bool,
    /// The type of its payload.
    pub payload: TypeReference,
    /// The topics that answer it.
    pub answers: Vec<String>,
}

/// A tool.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageTool {
    /// The name.
    pub name: String,
    /// What it is called as a method or a function.
    pub names: Names,
    /// What it is called as a type.
    pub type_names: Names,
    /// What is said about it.
    pub about: About,
    /// What a definition says about it. Named types in its schemas are references to `$defs`, as in those of its types.
    pub descriptor: Tool,
    /// The type of the arguments.
    pub input: TypeReference,
    /// The type of the output, if it has one.
    pub output: Option<TypeReference>,
    /// The type of what it streams while it runs.
    pub progress: Option<TypeReference>,
    /// The type of what it hands to the application beside its output.
    pub artifacts: Option<TypeReference>,
    /// What it may fail with.
    pub fails: Vec<Failure>,
    /// What people see while it runs.
    pub action: Option<Template>,
}

/// What a tool may fail with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A declared error.
    Error(TypeReference),
    /// A built-in kind such as `unavailable`.
    Kind(String),
}

/// A tool of this or another package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolUse {
    /// The package; absent: this one.
    pub package: Option<String>,
    /// Its name there.
    pub name: String,
}

/// A toolkit.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageToolkit {
    /// The name.
    pub name: String,
    /// What it is called as a function.
    pub names: Names,
    /// What it is called as a type.
    pub type_names: Names,
    /// What is said about it.
    pub about: About,
    /// What stands in it, toolkits taken apart. Agents and workflows are left out: no service implements them.
    pub tools: Vec<ServiceEntry>,
    /// The names of what calls go through, outermost first.
    pub middleware: Vec<String>,
}

/// A tool of a toolkit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceEntry {
    /// What a model is offered it as: most often one name, none if only steps call it.
    pub offered: Vec<String>,
    /// The tool.
    pub tool: ToolUse,
}

/// A prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct PackagePrompt {
    /// The name.
    pub name: String,
    /// What it is called as a function.
    pub names: Names,
    /// What it is called as a type.
    pub type_names: Names,
    /// What is said about it.
    pub about: About,
    /// How much of the text is known before it is used.
    pub tier: Tier,
    /// The type of the parameters.
    pub input: TypeReference,
    /// The type of what is found at run time.
    pub hydrates: Option<TypeReference>,
    /// The text.
    pub text: Template,
}

/// An agent.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageAgent {
    /// The name.
    pub name: String,
    /// What it is called as a function.
    pub names: Names,
    /// What it is called as a type.
    pub type_names: Names,
    /// What is said about it.
    pub about: About,
    /// The model.
    pub model: Option<String>,
    /// The type of the parameters.
    pub input: TypeReference,
    /// The type of the answer.
    pub output: TypeReference,
}

/// A workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageWorkflow {
    /// The name.
    pub name: String,
    /// What it is called as a function.
    pub names: Names,
    /// What it is called as a type.
    pub type_names: Names,
    /// What is said about it.
    pub about: About,
    /// The type of the input.
    pub input: TypeReference,
    /// The type of the output, if it has one.
    pub output: Option<TypeReference>,
    /// The codes with which it fails itself.
    pub failures: Vec<String>,
    /// Its definition.
    pub definition: Value,
    /// The definition's digest.
    pub digest: String,
}

impl PackageWorkflow {
    /// The names of its nodes, in their order.
    #[must_use]
    pub fn nodes(&self) -> Vec<&str> {
        let nodes = self.definition.get("nodes").and_then(Value::as_array);
        nodes.into_iter().flatten().filter_map(|node| node.get("id")?.as_str()).collect()
    }
}
