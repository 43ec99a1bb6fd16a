//! The nodes of a workflow, resolved and typed.

use std::sync::Arc;

use weave_diagnostics::Place;
use weave_syntax::ast::NodeKind;

use super::DeclarationId;
use super::declarations::Retry;
use super::guard::Guard;
use super::types::Type;
use super::value::{ResolvedPath, Template, Value};
use crate::choices::Choice;
use crate::flow::Hazard;

/// The body of a workflow.
#[derive(Debug)]
pub struct WorkflowBody {
    /// The workflow.
    pub declaration: DeclarationId,
    /// The nodes in the order of the text. A node whose name is taken by an earlier one is not among them.
    pub nodes: Box<[Node]>,
    /// What the guards of its choices say about each other; empty where something is wrong with the workflow.
    pub choices: Box<[Choice]>,
    /// What is legal in it and most likely wrong, as far as its graph shows it; empty where something is wrong with the workflow.
    pub hazards: Box<[Hazard]>,
}

/// One node.
#[derive(Debug)]
pub struct Node {
    /// The kind.
    pub kind: NodeKind,
    /// The name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub name_place: Place,
    /// The whole node.
    pub place: Place,
    /// What people read about it.
    pub docs: Option<Arc<str>>,
    /// The triggers; empty for a node that fires at the start of the run.
    pub triggers: Box<[Trigger]>,
    /// `limit`.
    pub limit: Option<u64>,
    /// `each`.
    pub each: Option<Each>,
    /// What it does.
    pub action: Action,
    /// `timeout`, in milliseconds.
    pub timeout: Option<u64>,
    /// `retry`.
    pub retry: Option<Retry>,
    /// `history`: the steps whose exchanges an `ask` continues.
    pub history: Box<[StepReference]>,
    /// The type of what `.NAME` yields: for a fan-out the list. `None` for an `end` or a `fail`.
    pub answer: Option<Type>,
}

/// A step that is named in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReference {
    /// The step, by its index.
    pub node: u32,
    /// Where it is named.
    pub place: Place,
}

/// A trigger and its condition.
#[derive(Debug)]
pub struct Trigger {
    /// What it fires on.
    pub source: Source,
    /// Its condition.
    pub condition: Option<Condition>,
    /// The type of what fires the node, `.event`, if the trigger has a condition and there is such a value.
    pub event: Option<Type>,
    /// Where it stands.
    pub place: Place,
}

/// What a trigger fires on; steps are indices of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The start of the run.
    Start,
    /// The answer of a step.
    Step(u32),
    /// An event.
    Topic(DeclarationId),
    /// An event as an answer to a step, or from within the loop of its agent.
    TopicFrom(DeclarationId, u32),
    /// The agent of that step called this tool.
    ToolFrom {
        /// The tool.
        tool: DeclarationId,
        /// Its declared name.
        name: Arc<str>,
        /// The step.
        step: u32,
    },
    /// All of them answered.
    All(Box<[u32]>),
    /// That many of them answered.
    Count(u64, Box<[u32]>),
    /// Each of them answered or failed.
    Settled(Box<[u32]>),
    /// That step failed.
    Failure(u32),
    /// A failure that nobody else handles.
    AnyFailure,
    /// No answer of that step in this time; without a step since the start of the run.
    Timeout {
        /// The step.
        step: Option<u32>,
        /// The time.
        after: Time,
    },
    /// Something wrong that has been reported.
    Unknown,
}

/// A length of time: constant or read when it is needed.
#[derive(Clone, Debug, PartialEq)]
pub enum Time {
    /// Milliseconds.
    Constant(u64),
    /// A duration on the scroll.
    Path(ResolvedPath),
    /// Something wrong that has been reported.
    Unknown,
}

/// The condition of a trigger.
#[derive(Debug)]
pub enum Condition {
    /// `when`.
    When(Guard),
    /// `also when`.
    AlsoWhen(Guard),
    /// `else`.
    Else,
}

/// `each list as variable`.
#[derive(Debug)]
pub struct Each {
    /// The list; nothing if something is wrong with it, which has been reported.
    pub list: Option<ResolvedPath>,
    /// The name of an element.
    pub variable: Arc<str>,
    /// The type of an element.
    pub element: Type,
    /// How many may be open at a time.
    pub parallel: Option<u64>,
    /// How many must succeed.
    pub min: Option<u64>,
}

/// What a node does.
#[derive(Debug)]
pub enum Action {
    /// `ask`.
    Ask {
        /// The agent.
        agent: DeclarationId,
        /// The arguments, an object.
        arguments: Value,
    },
    /// `call` of a tool. (An agent that is called is asked, and a workflow that is called is run.)
    Call {
        /// The tool.
        tool: DeclarationId,
        /// The arguments, an object.
        arguments: Value,
    },
    /// `run`.
    Run {
        /// The workflow.
        workflow: DeclarationId,
        /// The arguments, an object.
        arguments: Value,
    },
    /// `emit`.
    Emit {
        /// The event.
        event: DeclarationId,
        /// The payload.
        payload: Value,
    },
    /// `wait 24h`.
    WaitFor(Time),
    /// `wait until …`: a timestamp.
    WaitUntil(Value),
    /// `wait topic | topic when …`.
    WaitTopics {
        /// The events.
        topics: Box<[DeclarationId]>,
        /// The guard; `.event` is the event.
        guard: Option<Guard>,
    },
    /// `cancel`.
    Cancel(Box<[StepReference]>),
    /// `step x = value`.
    Value(Value),
    /// `end x = value`.
    End(Option<Value>),
    /// `fail x = "message"`.
    Fail(Option<Template>),
    /// Something wrong that has been reported.
    Unknown,
}
