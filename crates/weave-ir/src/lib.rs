//! The canonical workflow definition as data: the one document that a workflow compiles to and that every runtime reads.
//!
//! This crate knows the shape of the definition, its JSON in and out, its canonical form and digest, its JSON Schema, the templates
//! and guards that stand in it, and the two files that lie beside it (source map and manifest). It does not know the language: a
//! program that only has a definition, and no `.weave` file, needs nothing but this crate. What a definition means when it runs is
//! written down in `docs/definition.md`.

mod definition;
mod duration;
mod guard;
mod guard_text;
mod json;
mod json_schema;
mod manifest;
mod node;
mod once;
pub mod package;
mod path;
mod problem;
mod projection;
mod scan;
mod schema;
mod source_map;
mod template;
mod tool;
mod trigger;
mod validate;
mod wire;

pub use definition::{
    Agent, Category, ChildWorkflow, Definition, ErrorType, Event, FORMAT_VERSION, OfferedTool, Prompt, Tier, Toolkit, ToolkitEntry,
};
pub use duration::{Duration, DurationError};
pub use guard::{Expr, Guard, Operator, Quantifier, ValueType};
pub use json::{DEPTH_LIMIT, Error, GREATEST_NUMBER, sha256, why_not_json};
pub use json_schema::{SCHEMA_ID, json_schema, json_schema_text};
pub use manifest::{Manifest, ManifestWorkflow};
pub use node::{Backoff, Condition, Each, Node, Outcome, Retry};
pub use path::{Path, PathStep, Segment};
pub use problem::Problem;
pub use projection::{AgentProjection, Fate, Loss, Projection, ProviderProjections, Reason, Refusal};
pub use schema::Schema;
pub use source_map::{SourceMap, SourceRange};
pub use template::{Placeholder, Template, TemplateError, TemplatePart};
pub use tool::{
    Activation, Approval, Deferred, Endpoint, Example, Hint, McpTool, OnCancel, OnTimeout, Origin, Provider, Tool, ToolKind, ToolMode,
};
pub use trigger::{AnyOf, On, Trigger, TriggerItem};
pub use validate::FAILURE_KINDS;
