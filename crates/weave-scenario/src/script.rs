//! What a test says: plain data that the front end lowers a `test` item to.

use serde_json::Number;

/// A range of the test's source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte, counted from 0 in the UTF-8 of the file.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
    /// The line of the first byte, counted from 1.
    pub line: u32,
}

/// A `test` item.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The workflow that it tests.
    pub workflow: String,
    /// Its lines and inner tests.
    pub root: Branch,
}

/// A test with its inner tests. Each inner test goes on from all lines above it; a branch without inner tests is one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// Where its name is.
    pub span: Span,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// Its lines, in order.
    pub lines: Vec<Line>,
    /// The inner tests, which follow all lines.
    pub branches: Vec<Branch>,
}

/// One line of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The whole line, without the space around it.
    pub span: Span,
    /// What it says.
    pub kind: LineKind,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum LineKind {
    /// `start { … }`: the run starts with this input.
    Start {
        /// The input; none: all of it is made up.
        input: Option<Literal>,
    },
    /// `answer STEP = …`: a model, tool or child run gives this.
    Answer {
        /// The step.
        step: StepRef,
        /// The answer; none: all of it is made up.
        value: Option<Literal>,
    },
    /// `fail STEP KIND …`: the step fails.
    Fail {
        /// The step.
        step: StepRef,
        /// How it fails.
        failure: FailureName,
        /// A string is the message of the failure; anything else is the data of the declared error, made up where it is absent.
        payload: Option<Literal>,
        /// Only this attempt fails; otherwise all attempts that the retries allow do.
        once: bool,
    },
    /// `call TOOL from STEP { … }`: the agent of that step calls this tool inside its loop.
    Call {
        /// The name of the tool, agent or workflow in the definition.
        tool: String,
        /// The step.
        step: StepRef,
        /// The arguments; none: all of them are made up.
        args: Option<Literal>,
    },
    /// `send TOPIC from STEP …`: an event from outside.
    Send {
        /// The topic.
        topic: String,
        /// The step that it answers.
        from: Option<StepRef>,
        /// The payload; none: all of it is made up.
        payload: Option<Literal>,
    },
    /// `approve STEP { … }`: the call may be made.
    Approve {
        /// The step.
        step: StepRef,
        /// The arguments to call with; none, and a field that an open object leaves out: as asked.
        args: Option<Literal>,
    },
    /// `reject STEP "…"`: the call may not be made.
    Reject {
        /// The step.
        step: StepRef,
        /// Why.
        reason: Option<String>,
    },
    /// `wait D`: time passes, and every timer that falls due fires, in order.
    Wait {
        /// How long, in milliseconds.
        milliseconds: u64,
    },
    /// `wait until "…"`: the same, to a moment.
    WaitUntil {
        /// How long after the start of the run that moment is, in milliseconds. A run begins at 2001-01-01T00:00:00Z.
        milliseconds: u64,
    },
    /// `expect FIRING …`: the node has fired.
    Expect {
        /// The firing; without a number, the latest.
        firing: StepRef,
        /// What it asked, emitted or gave.
        expected: Expected,
    },
    /// `expect !FIRING`: the node has not fired so far; without a number, not once.
    ExpectNot {
        /// The firing.
        firing: StepRef,
    },
    /// `expect failure KIND …`: the run has failed, and no node took the failure.
    ExpectFailure {
        /// How it failed.
        failure: FailureName,
        /// A string is the expected message, anything else the expected data of the error.
        payload: Option<Literal>,
    },
    /// `expect [a ... b]`: these nodes have fired, in this order.
    ExpectOrder {
        /// The nodes, and the gaps between them.
        items: Vec<OrderItem>,
    },
    /// `open [a, b]`: these steps are open and no others. As the last line it ends a run that is not over.
    Open {
        /// The steps.
        steps: Vec<StepRef>,
    },
}

/// What an `expect` says about a firing.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Nothing more than that it fired.
    Fired,
    /// What it asked or emitted.
    Asked(Literal),
    /// What it gave: its answer, or the output of the run.
    Gave(Literal),
}

/// A step, or a firing of a node, as a line names it: `review#2`, `web[0]`, `web[]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRef {
    /// Where it is written.
    pub span: Span,
    /// The node's id in the definition.
    pub node: String,
    /// Which firing, counted from 1; none: the oldest open one, and in an `expect` the latest.
    pub number: Option<u32>,
    /// Which elements of a fan-out.
    pub element: Element,
}

/// Which elements of a fan-out a line means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Element {
    /// The step has no elements, or the firing as a whole is meant.
    #[default]
    None,
    /// `[3]`: this one, counted from 0.
    At(u32),
    /// `[]`: each, also those that start later.
    All,
}

/// How something fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureName {
    /// A built-in kind, by its word: `unavailable`, `timeout`, …
    Kind(String),
    /// A declared error, or the `fail` node of a child run.
    Code(String),
}

impl FailureName {
    /// The word that the line says.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Kind(word) | Self::Code(word) => word,
        }
    }
}

/// One entry of `expect [ … ]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderItem {
    /// A node.
    Node {
        /// Its id.
        node: String,
        /// Where it is written.
        span: Span,
    },
    /// `...`: any nodes, or none.
    Gap,
}

/// A value as a test says it, in its wire form: wire names of properties, durations and dates as strings.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Where it is written.
    pub span: Span,
    /// The value.
    pub kind: LiteralKind,
}

/// A value as a test says it.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, or anything that is a string on the wire.
    String(String),
    /// A list.
    List {
        /// Its elements.
        items: Vec<Literal>,
        /// Where its `...` is; none: it has no further elements.
        rest: Option<Span>,
    },
    /// An object.
    Object {
        /// Its entries, in the order in which they are written.
        entries: Vec<Entry>,
        /// Where its `...` is; none: it has no further fields.
        rest: Option<Span>,
    },
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name on the wire.
    pub key: String,
    /// Where the name is written.
    pub span: Span,
    /// The value.
    pub value: Literal,
}
