//! Tests of workflows.

use weave_diagnostics::Span;

use super::{Dotted, Expr, Literal, Meta, Name};

/// `test name of workflow { lines, then inner tests }`, and an inner test, which names no workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The name.
    pub name: Name,
    /// The workflow that the test runs; an inner test has none.
    pub workflow: Option<Name>,
    /// The braces and what is in them; empty while there is no body.
    pub body: Span,
    /// The lines and the inner tests in the order of the text. In a test without mistakes all lines come first.
    pub entries: Box<[TestEntry]>,
}

impl Test {
    /// The lines.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.entries.iter().filter_map(|entry| match entry {
            TestEntry::Line(line) => Some(line),
            TestEntry::Branch(_) => None,
        })
    }

    /// The inner tests.
    pub fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.entries.iter().filter_map(|entry| match entry {
            TestEntry::Branch(branch) => Some(branch),
            TestEntry::Line(_) => None,
        })
    }

    /// Calls `look` for each line of the test and of its inner tests, in the order of the text.
    pub fn each_line<'a>(&'a self, look: &mut impl FnMut(&'a Line)) {
        // Inner tests nest no deeper than brackets may.
        for entry in &self.entries {
            match entry {
                TestEntry::Line(line) => look(line),
                TestEntry::Branch(branch) => branch.test.each_line(look),
            }
        }
    }
}

/// One entry of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum TestEntry {
    /// A line: something happens, or is checked.
    Line(Line),
    /// An inner test, which goes on from the lines above it.
    Branch(Branch),
}

/// An inner test with what stands before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// From its keyword to its closing brace; docs and attributes stand before.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// The test; it names no workflow.
    pub test: Test,
}

/// One line of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// From its verb to its last token.
    pub span: Span,
    /// What happens or is checked.
    pub kind: LineKind,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum LineKind {
    /// `start { … }`: the run begins with this input.
    Start {
        /// The input.
        input: Option<Given>,
    },
    /// `answer step = value`.
    Answer {
        /// The step.
        step: StepRef,
        /// What it gives.
        value: Option<Given>,
    },
    /// `fail step kind payload once`.
    Fail {
        /// The step.
        step: StepRef,
        /// The kind of the failure: built in, a declared error, or a `fail` node of a child.
        kind: Name,
        /// Its message or its data.
        payload: Option<Given>,
        /// `once`: this attempt alone.
        once: Option<Span>,
    },
    /// `call tool from step { … }`: the agent of that step calls this tool.
    Call {
        /// The tool.
        tool: Name,
        /// The step.
        step: StepRef,
        /// The arguments.
        arguments: Option<Given>,
    },
    /// `send topic from step payload`: an event from outside.
    Send {
        /// The topic.
        topic: Dotted,
        /// The step that it answers.
        from: Option<StepRef>,
        /// The payload.
        payload: Option<Given>,
    },
    /// `approve step { … }`: the tool may run.
    Approve {
        /// The step.
        step: StepRef,
        /// The arguments that it is to run with.
        arguments: Option<Given>,
    },
    /// `reject step "reason"`.
    Reject {
        /// The step.
        step: StepRef,
        /// Why.
        reason: Option<Literal>,
    },
    /// `wait 24h`.
    Wait {
        /// How long.
        time: Literal,
    },
    /// `wait until "2001-01-02T00:00:00Z"`.
    WaitUntil {
        /// The moment.
        moment: Literal,
    },
    /// `expect node { … }`, `expect node = value`: it has fired.
    Expect {
        /// The firing.
        firing: StepRef,
        /// What it asked or emitted, or behind `=` what it gave.
        value: Option<Given>,
    },
    /// `expect !node`: it has not fired so far.
    ExpectNot {
        /// The `!`.
        not: Span,
        /// The firing.
        firing: StepRef,
    },
    /// `expect failure kind payload`: the run has failed.
    ExpectFailure {
        /// `failure`.
        failure: Span,
        /// The kind.
        kind: Name,
        /// The message or the data.
        payload: Option<Given>,
    },
    /// `expect [a, ..., b]`: these nodes have fired in this order.
    ExpectOrder {
        /// The brackets and what is in them.
        span: Span,
        /// The nodes, and `...` for any others between them.
        items: Box<[OrderItem]>,
    },
    /// `open [a, b]`: these steps are open, and no others.
    Open {
        /// The brackets and what is in them.
        span: Span,
        /// The steps.
        steps: Box<[StepRef]>,
    },
}

impl LineKind {
    /// The verb that the line starts with.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Answer { .. } => "answer",
            Self::Fail { .. } => "fail",
            Self::Call { .. } => "call",
            Self::Send { .. } => "send",
            Self::Approve { .. } => "approve",
            Self::Reject { .. } => "reject",
            Self::Wait { .. } | Self::WaitUntil { .. } => "wait",
            Self::Expect { .. } | Self::ExpectNot { .. } | Self::ExpectFailure { .. } | Self::ExpectOrder { .. } => "expect",
            Self::Open { .. } => "open",
        }
    }

    /// Whether it checks something and lets nothing happen.
    #[must_use]
    pub const fn is_check(&self) -> bool {
        matches!(
            self,
            Self::Expect { .. } | Self::ExpectNot { .. } | Self::ExpectFailure { .. } | Self::ExpectOrder { .. } | Self::Open { .. }
        )
    }

    /// The value that the line has, if it has one.
    #[must_use]
    pub const fn value(&self) -> Option<&Given> {
        match self {
            Self::Start { input: value }
            | Self::Answer { value, .. }
            | Self::Fail { payload: value, .. }
            | Self::Call { arguments: value, .. }
            | Self::Send { payload: value, .. }
            | Self::Approve { arguments: value, .. }
            | Self::Expect { value, .. }
            | Self::ExpectFailure { payload: value, .. } => value.as_ref(),
            Self::Reject { .. }
            | Self::Wait { .. }
            | Self::WaitUntil { .. }
            | Self::ExpectNot { .. }
            | Self::ExpectOrder { .. }
            | Self::Open { .. } => None,
        }
    }

    /// The step or node that the line names, if it names one alone.
    #[must_use]
    pub const fn step(&self) -> Option<&StepRef> {
        match self {
            Self::Answer { step, .. }
            | Self::Fail { step, .. }
            | Self::Call { step, .. }
            | Self::Approve { step, .. }
            | Self::Reject { step, .. }
            | Self::Expect { firing: step, .. }
            | Self::ExpectNot { firing: step, .. } => Some(step),
            Self::Send { from, .. } => from.as_ref(),
            Self::Start { .. }
            | Self::Wait { .. }
            | Self::WaitUntil { .. }
            | Self::ExpectFailure { .. }
            | Self::ExpectOrder { .. }
            | Self::Open { .. } => None,
        }
    }
}

/// A value of a line, and the `=` before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The `=`, if there is one.
    pub equals: Option<Span>,
    /// The value: literals, with `...` in objects and lists.
    pub value: Expr,
}

/// `step`, `step#2`, `step[0]`, `step#2[]`.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRef {
    /// The whole reference.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// `#2`: which of its firings.
    pub number: Option<Span>,
    /// `[0]` or `[]`: which of its elements.
    pub element: Option<Element>,
}

/// `[0]`, `[]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The brackets and what is in them.
    pub span: Span,
    /// The number in them; absent for all elements.
    pub index: Option<Span>,
}

/// One entry of `expect [a, ..., b]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderItem {
    /// A node.
    Node(Name),
    /// `...`: any nodes.
    Rest(Span),
}
