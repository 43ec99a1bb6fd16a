//! Payloads and outputs: values with paths in them, resolved and typed.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Place;

use super::types::Type;

/// A value that is computed when a node fires.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// Where it was written.
    pub place: Place,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// A constant. Its strings are meant literally: a `{{` in them is no placeholder.
    Constant(Json),
    /// A value read from the scroll, with its type.
    Path(PathValue),
    /// A string with placeholders.
    Template(Template),
    /// An object; keys are wire names, in the order of the text.
    Object(Vec<(Arc<str>, Value)>),
    /// A list.
    List(Vec<Value>),
    /// An object or a list with `...` behind it, in a test: the rest may be anything.
    Open(Box<Value>),
    /// Something wrong that has been reported.
    Unknown,
}

/// A path, and what stands for it where it yields nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct PathValue {
    /// The path.
    pub path: ResolvedPath,
    /// `?? constant`.
    pub default: Option<Box<Json>>,
}

/// A path whose parts are known. Names of fields are wire names.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPath {
    /// What it starts from.
    pub root: PathRoot,
    /// What is read from it.
    pub segments: Box<[PathSegment]>,
    /// The type of what it yields, absence aside.
    pub ty: Type,
    /// Whether it may yield nothing.
    pub absent: bool,
    /// Where it was written.
    pub place: Place,
}

/// What a path starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathRoot {
    /// `.input` of a workflow.
    Input,
    /// `.STEP`: the answer of a step, by the index of its node.
    Step {
        /// The index in the workflow's nodes.
        node: u32,
        /// The step's name.
        name: Arc<str>,
    },
    /// `.event`.
    Event,
    /// `.response`, the event of a raw `ai.response`.
    Response,
    /// `.result`, the event of a raw `tool.result`.
    Result,
    /// `.failure`.
    Failure,
    /// The variable of `each`, or one that `exists` or `all` binds.
    Variable(Arc<str>),
    /// A parameter of a tool, prompt or agent; or what a prompt hydrates.
    Parameter(Arc<str>),
}

/// What is read from a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// `.name`, or `["name"]`, as on the wire: a field that is declared.
    Field(Arc<str>),
    /// The same, but nobody declares it: an entry of a map, or what an open record has beside its fields.
    Entry(Arc<str>),
    /// The same, of a value that may be no object at all.
    Loose(Arc<str>),
    /// `?`: what stands before may be absent.
    Optional,
    /// `[0]`.
    Index(u64),
    /// `[]`.
    All,
}

/// A string with placeholders.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The parts in their order.
    pub parts: Box<[TemplatePart]>,
    /// Where it was written.
    pub place: Place,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text as it is.
    Text(Arc<str>),
    /// `{{ … }}`.
    Placeholder(PathValue),
}
