//! What builders are made from: programs in other languages that put definitions together.
//!
//! A definition is put together from nodes, which a program writes, and from what they reach, which stands in `.weave` files. The latter
//! comes in parts here, each as a definition has it and with the parts that it brings along.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{Duration, Operator, Quantifier, Retry, ValueType};

/// All that builders are made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Builders {
    /// What definitions are put together from, by what identifies it.
    pub parts: BTreeMap<PartKey, Part>,
    /// The workflows, by the package and the name.
    pub workflows: BTreeMap<(String, String), BuiltWorkflow>,
}

/// What kind of part something is: where it stands in a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// Under `agents`.
    Agent,
    /// Under `errors`.
    Error,
    /// Under `events`.
    Event,
    /// Under `prompts`.
    Prompt,
    /// Under `toolkits`.
    Toolkit,
    /// Under `tools`.
    Tool,
    /// Under `$defs`.
    Type,
    /// Under `workflows`.
    Workflow,
}

impl PartKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [Self::Agent, Self::Error, Self::Event, Self::Prompt, Self::Toolkit, Self::Tool, Self::Type, Self::Workflow];

    /// The key of the definition under which such parts stand.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Agent => "agents",
            Self::Error => "errors",
            Self::Event => "events",
            Self::Prompt => "prompts",
            Self::Toolkit => "toolkits",
            Self::Tool => "tools",
            Self::Type => "$defs",
            Self::Workflow => "workflows",
        }
    }
}

/// What identifies a part in a program of several files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartKey {
    /// The package; none for what is built in.
    pub package: Option<String>,
    /// What kind of part it is.
    pub kind: PartKind,
    /// The name that it was declared with.
    pub name: String,
}

/// A part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its key in the definition. That of a type may be longer than its name, where another type has that name too.
    pub name: String,
    /// What stands there.
    pub entry: Value,
    /// The parts that it brings along.
    pub uses: BTreeSet<PartKey>,
    /// The `projections` that it brings along itself, as a definition has them; null if there are none.
    pub projections: Value,
    /// The `projections` that it brings along where an agent is offered it; null if there are none.
    pub offered: Value,
    /// What an agent says about the time of its requests, where the step says nothing.
    pub timeout: Option<Duration>,
    /// What an agent says about further attempts, where the step says nothing.
    pub retry: Option<Retry>,
}

/// A workflow, for a program that puts its definition together again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuiltWorkflow {
    /// What its definition holds beside the nodes.
    pub parts: BTreeSet<PartKey>,
    /// The guards of its nodes, node by node: those of the triggers in their order, and then that of a mailbox.
    pub guards: Vec<Written>,
}

/// A condition as a person would write it: what its tree and its text in CEL are made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// A constant with its type.
    Constant(Value, ValueType),
    /// A value of the scroll, or of an enclosing `exists` or `all`.
    Read(WrittenPath),
    /// Whether a value is there.
    Has(WrittenPath),
    /// A list.
    List(Vec<Written>),
    /// The opposite.
    Not(Box<Written>),
    /// The other sign.
    Negate(Box<Written>),
    /// How much there is.
    Size(Box<Written>),
    /// An operation on two operands or more, from left to right.
    Binary(Operator, Vec<Written>),
    /// A question about a text: the text, and what is looked for.
    Text(Operator, Box<Written>, Box<Written>),
    /// A question about all elements.
    Quantify {
        /// Which.
        op: Quantifier,
        /// The list or map.
        list: Box<Written>,
        /// The name of the element.
        variable: String,
        /// What is asked.
        body: Box<Written>,
    },
}

/// A path of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPath {
    /// The name at its root.
    pub root: String,
    /// Whether that is the variable of an enclosing `exists` or `all`.
    pub is_variable: bool,
    /// What is read from there.
    pub steps: Vec<WrittenStep>,
    /// The type of what is read.
    pub value_type: ValueType,
    /// Whether there may be nothing.
    pub may_be_absent: bool,
    /// Whether what is there may be null.
    pub may_be_null: bool,
}

/// A step of a path of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenStep {
    /// A declared field.
    Field(String),
    /// An entry of a map, or what an open record has beside its fields.
    Entry(String),
    /// The same of a value that may be no object.
    Loose(String),
    /// What stands before may be absent.
    Maybe,
    /// An element.
    Index(u32),
    /// All answers.
    All,
}
