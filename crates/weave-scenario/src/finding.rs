//! What is wrong with a test.

use std::fmt;

use crate::script::Span;

/// Why a test fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which kind of failure it is.
    pub id: FindingId,
    /// What is wrong, in one line.
    pub message: String,
    /// The place in the test.
    pub span: Span,
    /// What the place is, or what is there instead.
    pub label: Option<String>,
    /// Why, and what else helps, one line each.
    pub notes: Vec<String>,
    /// A change of the test that may fix it.
    pub fix: Option<Fix>,
}

/// The kinds of failures of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingId {
    /// The test has no further line, and the run is not over.
    NotOver,
    /// A line acts on a step that does not wait for it.
    NotOpen,
    /// A node was expected to fire, and has not.
    NotFired,
    /// A node has fired that was expected not to.
    Fired,
    /// A value is not the expected one.
    OtherValue,
    /// The run has not failed, or it failed in another way.
    OtherFailure,
    /// The nodes fired in another order.
    OtherOrder,
    /// Other steps are open than the expected ones.
    OtherOpen,
    /// What is made up decides how the test goes.
    MadeUp,
    /// No value could be made up.
    NoValue,
    /// The run fires, or fails, for ever.
    Runaway,
}

impl FindingId {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::NotOver,
        Self::NotOpen,
        Self::NotFired,
        Self::Fired,
        Self::OtherValue,
        Self::OtherFailure,
        Self::OtherOrder,
        Self::OtherOpen,
        Self::MadeUp,
        Self::NoValue,
        Self::Runaway,
    ];

    /// The id as people see it: `not-over`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotOver => "not-over",
            Self::NotOpen => "not-open",
            Self::NotFired => "not-fired",
            Self::Fired => "fired",
            Self::OtherValue => "other-value",
            Self::OtherFailure => "other-failure",
            Self::OtherOrder => "other-order",
            Self::OtherOpen => "other-open",
            Self::MadeUp => "made-up",
            Self::NoValue => "no-value",
            Self::Runaway => "runaway",
        }
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// A change of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in one line.
    pub title: String,
    /// Where.
    pub place: FixPlace,
    /// The text to put there.
    pub text: String,
}

/// Where a fix puts its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixPlace {
    /// On a line of its own after this one, indented like it.
    After(Span),
    /// Right before this place.
    Before(Span),
    /// In place of this.
    Replace(Span),
}

impl Finding {
    pub(crate) fn new(id: FindingId, span: Span, message: impl Into<String>) -> Self {
        Self { id, message: message.into(), span, label: None, notes: Vec::new(), fix: None }
    }

    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    pub(crate) fn fix(self, title: impl Into<String>, place: FixPlace, text: impl Into<String>) -> Self {
        Self { fix: Some(Fix { title: title.into(), place, text: text.into() }), ..self }
    }
}
