//! What is wrong with a scroll.

use std::fmt;

/// Why a list of events is no scroll of a run of this definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScrollError {
    /// It does not begin with the external event `workflow.start`.
    NoStart {
        /// The id of the first event.
        id: String,
    },
    /// It is the run of another workflow.
    OtherWorkflow {
        /// The workflow that was started.
        started: String,
    },
    /// It is the run of another version of the workflow; a definition that changed never touches a run.
    OtherDefinition {
        /// The digest with which the run was started.
        started: String,
    },
    /// It has a derived event that does not follow from the external ones.
    Foreign {
        /// The id of that event.
        id: String,
        /// The attempt of that event.
        attempt: u32,
    },
    /// The definition cannot be written as JSON, so it has no digest.
    Definition(String),
}

impl fmt::Display for ScrollError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart { id } => write!(out, "the scroll does not begin with `workflow.start` but with the event {id}"),
            Self::OtherWorkflow { started } => write!(out, "the scroll is a run of the workflow `{started}`"),
            Self::OtherDefinition { started } => write!(out, "the scroll was started with another definition, {started}"),
            Self::Foreign { id, attempt: 1 } => write!(out, "the derived event {id} does not follow from the events before it"),
            Self::Foreign { id, attempt } => {
                write!(out, "the derived event {id} (attempt {attempt}) does not follow from the events before it")
            }
            Self::Definition(message) => write!(out, "the definition has no digest: {message}"),
        }
    }
}

impl std::error::Error for ScrollError {}
