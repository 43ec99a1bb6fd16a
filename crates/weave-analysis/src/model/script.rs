//! Tests, resolved and typed.

use std::sync::Arc;

use weave_diagnostics::{FileId, Place};

use super::DeclarationId;
use super::value::Value;

/// A `test` item. It is no declaration: nothing can name it, and no definition knows it.
#[derive(Debug)]
pub struct Test {
    /// The file that it stands in.
    pub file: FileId,
    /// The index of its item in the file.
    pub item: u32,
    /// The workflow that it runs; nothing if there is none of this name, which has been reported.
    pub workflow: Option<DeclarationId>,
    /// Where the workflow is named.
    pub workflow_place: Place,
    /// Its lines and inner tests.
    pub script: Script,
}

/// The lines of a test, and the inner tests that go on from them.
#[derive(Debug)]
pub struct Script {
    /// The name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub name_place: Place,
    /// The whole test.
    pub place: Place,
    /// What people read about it in reports.
    pub docs: Option<Arc<str>>,
    /// The lines in the order of the text. One with a mistake, which has been reported, is not among them.
    pub lines: Box<[Line]>,
    /// The inner tests.
    pub inner: Box<[Self]>,
}

/// One line.
#[derive(Debug)]
pub struct Line {
    /// The whole line.
    pub place: Place,
    /// What happens or is checked.
    pub kind: LineKind,
}

/// What a line says. A value that is absent is made up where it is given, and anything where it is expected.
#[derive(Debug)]
pub enum LineKind {
    /// `start`.
    Start {
        /// The input.
        input: Option<Value>,
    },
    /// `answer`.
    Answer {
        /// The step.
        step: Step,
        /// What it gives.
        value: Option<Value>,
    },
    /// `fail`.
    Fail {
        /// The step.
        step: Step,
        /// The failure.
        failure: Failure,
        /// Whether this attempt alone fails, and not all that its retries allow.
        once: bool,
    },
    /// `call`.
    Call {
        /// The step whose agent calls.
        step: Step,
        /// The declared name of the tool.
        tool: Arc<str>,
        /// The arguments.
        arguments: Option<Value>,
    },
    /// `send`.
    Send {
        /// The topic.
        topic: Arc<str>,
        /// The step that it answers.
        from: Option<Step>,
        /// The payload.
        payload: Option<Value>,
    },
    /// `approve`.
    Approve {
        /// The step.
        step: Step,
        /// Other arguments than those that were asked about.
        arguments: Option<Value>,
    },
    /// `reject`.
    Reject {
        /// The step.
        step: Step,
        /// Why.
        reason: Option<Arc<str>>,
    },
    /// `wait`, in milliseconds.
    Wait(u64),
    /// `wait until`: how long after the start of the run that moment is, in milliseconds.
    WaitUntil(u64),
    /// `expect NODE`.
    Expect {
        /// The firing.
        node: Step,
        /// What it asked or emitted.
        asked: Option<Value>,
        /// What it gave.
        gave: Option<Value>,
    },
    /// `expect !NODE`.
    ExpectNot(Step),
    /// `expect failure`.
    ExpectFailure(Failure),
    /// `expect [a, ..., b]`: nodes by their index and where they are named, nothing for `...`.
    ExpectOrder(Box<[Option<(u32, Place)>]>),
    /// `open [a, b]`.
    Open(Box<[Step]>),
}

/// A failure that happens or is expected.
#[derive(Debug)]
pub struct Failure {
    /// The built-in kind; of a declared error and of a child's `fail` it is `execution_error`.
    pub kind: Arc<str>,
    /// The declared error, or the `fail` node of a child.
    pub code: Option<Arc<str>>,
    /// Where the kind is named.
    pub kind_place: Place,
    /// The message, and where it is written.
    pub message: Option<(Arc<str>, Place)>,
    /// The data of a declared error.
    pub data: Option<Value>,
}

/// A node that a line names.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its index in the workflow's nodes.
    pub node: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Which of its firings, from 1.
    pub number: Option<u32>,
    /// Which of its elements.
    pub element: Option<Element>,
    /// The whole reference.
    pub place: Place,
    /// The name alone.
    pub name_place: Place,
}

/// Which elements of a fan-out a line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// `[]`: each of them.
    All,
    /// `[0]`.
    One(u32),
}
