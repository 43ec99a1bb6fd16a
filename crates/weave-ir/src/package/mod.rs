//! What services are generated from: the declarations of one file, with their types as they were written.
//!
//! A definition holds schemas, in which a decimal is a string like any other and nobody sees whether a record had a name. Code in other
//! languages needs to know, so it is not made from definitions but from packages. Each package is one `.weave` file; packages refer to the
//! types of each other by name.

mod builders;
mod definitions;
mod parts;
mod types;

pub use builders::{Builders, BuiltWorkflow, Part, PartKey, PartKind, Written, WrittenPath, WrittenStep};
pub use definitions::Definitions;
pub use parts::{Failure, PackageAgent, PackageEvent, PackagePrompt, PackageTool, PackageToolkit, PackageWorkflow, ServiceEntry, ToolUse};
pub use types::{
    Bound, EnumValue, Field, ListUse, Literal, MapUse, Record, Scalar, ScalarUse, Shape, TypeDeclaration, TypeReference, TypeUse, Variant,
};

/// What one file declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Package {
    /// The name, of lower-case letters, digits and `_`: that of the file, and of its folders where two files share one.
    pub name: String,
    /// The name of the file, without its folders.
    pub source: String,
    /// What stands behind `//!` at its top.
    pub description: Option<String>,
    /// All types: those that were declared first, in the order of the text, and behind them the ones that were written in place.
    pub types: Vec<TypeDeclaration>,
    /// The events.
    pub events: Vec<PackageEvent>,
    /// The tools, of whatever kind.
    pub tools: Vec<PackageTool>,
    /// The toolkits.
    pub toolkits: Vec<PackageToolkit>,
    /// The prompts.
    pub prompts: Vec<PackagePrompt>,
    /// The agents.
    pub agents: Vec<PackageAgent>,
    /// The workflows.
    pub workflows: Vec<PackageWorkflow>,
}

/// What something is called in each language: as its author chose, or as is the custom there. Words that a language reserves are not looked
/// at; empty where nothing of the name can be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// In Go.
    pub go: String,
    /// In TypeScript.
    pub typescript: String,
    /// In Python.
    pub python: String,
}

/// What is said about a declaration, a field or a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What the model reads.
    pub description: Option<String>,
    /// It is on its way out: what to use instead.
    pub deprecated: Option<String>,
}
