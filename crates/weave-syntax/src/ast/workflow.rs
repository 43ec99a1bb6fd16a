//! Workflows and their nodes.

use weave_diagnostics::Span;

use super::{Dotted, Expr, Field, Literal, Meta, Name, Setting, Type};

/// `workflow name(parameters) -> Output { settings nodes }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Workflow {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Box<[Field]>,
    /// The output.
    pub output: Option<Type>,
    /// The braces and what is in them; empty while there is no body.
    pub body: Span,
    /// The settings, which stand before the nodes.
    pub settings: Box<[Setting]>,
    /// The nodes.
    pub nodes: Box<[Node]>,
}

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// `step`.
    Step,
    /// `end`.
    End,
    /// `fail`.
    Fail,
}

/// One node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// From its keyword to its last token; docs and attributes stand before.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// The kind.
    pub kind: NodeKind,
    /// The name.
    pub name: Name,
    /// `on`, `limit` and `each`, in the order of the text.
    pub clauses: Box<[Clause]>,
    /// What it does.
    pub body: NodeBody,
}

impl Node {
    /// The triggers.
    #[must_use]
    pub fn on(&self) -> Option<&Triggers> {
        self.clauses.iter().find_map(|clause| if let Clause::On(triggers) = clause { Some(triggers) } else { None })
    }

    /// The literal behind `limit`.
    #[must_use]
    pub fn limit(&self) -> Option<&Expr> {
        self.clauses.iter().find_map(|clause| if let Clause::Limit { count, .. } = clause { Some(count) } else { None })
    }

    /// The fan-out.
    #[must_use]
    pub fn each(&self) -> Option<&Each> {
        self.clauses.iter().find_map(|clause| if let Clause::Each(each) = clause { Some(&**each) } else { None })
    }
}

/// A part of a node's header.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// `on …`.
    On(Triggers),
    /// `limit 3`.
    Limit {
        /// The whole clause.
        span: Span,
        /// The number.
        count: Expr,
    },
    /// `each …`.
    Each(Box<Each>),
}

impl Clause {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::On(triggers) => triggers.span,
            Self::Limit { span, .. } => *span,
            Self::Each(each) => each.span,
        }
    }
}

/// `each .plan.urls as url parallel 4 min 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct Each {
    /// The whole clause.
    pub span: Span,
    /// The list.
    pub list: Expr,
    /// The name of an element; missing or wrong forms have a message of their own.
    pub variable: Name,
    /// Set for `each x in .p`, which is not of the language and gets a message of its own.
    pub inverted: Option<Span>,
    /// `parallel 4`.
    pub parallel: Option<Expr>,
    /// `min 3`.
    pub min: Option<Expr>,
}

/// The body of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeBody {
    /// `{ action settings }`.
    Block {
        /// The braces and what is in them.
        span: Span,
        /// The actions (of which a step has one) and settings, in the order of the text.
        entries: Box<[StepEntry]>,
    },
    /// `= value`.
    Value(Expr),
    /// Nothing.
    None,
}

/// One entry of a step's body.
#[derive(Clone, Debug, PartialEq)]
pub enum StepEntry {
    /// An action.
    Action(Action),
    /// A setting.
    Setting(Setting),
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `ask agent { … }`, `call tool { … }`, `run workflow { … }`.
    Invoke {
        /// The whole action.
        span: Span,
        /// Which of the three.
        target: Target,
        /// The name of what is invoked.
        name: Name,
        /// The arguments, an [`Expr::Object`].
        payload: Option<Expr>,
    },
    /// `emit topic { … }`, `emit topic .value`.
    Emit {
        /// The whole action.
        span: Span,
        /// The topic.
        topic: Dotted,
        /// The payload: an object most often, but any value may be one.
        payload: Option<Expr>,
    },
    /// `wait …`.
    Wait {
        /// The whole action.
        span: Span,
        /// For what.
        wait: Wait,
    },
    /// `cancel a, b`.
    Cancel {
        /// The whole action.
        span: Span,
        /// The steps.
        steps: Box<[Name]>,
    },
}

impl Action {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Invoke { span, .. } | Self::Emit { span, .. } | Self::Wait { span, .. } | Self::Cancel { span, .. } => *span,
        }
    }
}

/// What an invocation invokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// `ask`: an agent.
    Agent,
    /// `call`: a tool.
    Tool,
    /// `run`: a workflow.
    Workflow,
}

/// What a step waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// `wait 24h`, `wait .input.delay`.
    For(Expr),
    /// `wait until .input.at`.
    Until(Expr),
    /// `wait order.paid | order.cancelled when …`.
    Topics {
        /// The topics.
        topics: Box<[Dotted]>,
        /// The guard.
        guard: Option<Expr>,
    },
}

/// `on a | b …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Triggers {
    /// `on` and all triggers.
    pub span: Span,
    /// The triggers.
    pub items: Box<[Trigger]>,
}

/// One trigger and its condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// The whole trigger.
    pub span: Span,
    /// What it fires on.
    pub source: Source,
    /// Its condition.
    pub condition: Option<Condition>,
}

/// What a trigger fires on.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// `ask` (a step), `start`, `failure`, or a topic.
    Name(Dotted),
    /// `approval.granted from approve`, `escalate from answer`.
    From {
        /// The topic or the tool.
        what: Dotted,
        /// The step.
        step: Name,
    },
    /// `all(a, b)`.
    All {
        /// The steps.
        steps: Box<[Name]>,
    },
    /// `settled(a, b)`.
    Settled {
        /// The steps.
        steps: Box<[Name]>,
    },
    /// `2 of (a, b, c)`.
    Count {
        /// The number.
        count: Literal,
        /// The steps.
        steps: Box<[Name]>,
    },
    /// `failure(charge)`.
    Failure {
        /// The step.
        step: Name,
    },
    /// `timeout(approve, 24h)`, `timeout(1h)`.
    Timeout {
        /// The step; absent for the time since the start of the run.
        step: Option<Name>,
        /// The time.
        after: Expr,
    },
}

/// The condition of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `when guard`, `also when guard`.
    When {
        /// The `also` before it.
        also: Option<Span>,
        /// The guard.
        guard: Expr,
    },
    /// `else`.
    Else(Span),
}
