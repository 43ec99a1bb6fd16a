//! What replaying a scroll came to.

use serde_json::Value;
use weave_runner::ScrollError;

/// What replaying a scroll came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The run goes the same way, to the same end.
    Same,
    /// The run goes the same way, to another end.
    EndsOtherwise {
        /// What `workflow.done` said then; none: the run was not over.
        then: Option<Value>,
        /// What it says now; none: the run is not over.
        now: Option<Value>,
        /// The place on the scroll of the event after which it ends otherwise.
        seq: u64,
        /// The part of the definition that said the end then, as a JSON pointer; empty: the run itself.
        then_pointer: String,
        /// The part of the definition that says the end now.
        now_pointer: String,
    },
    /// The run goes another way.
    Diverges(Box<Divergence>),
    /// An event that was taken then is refused now.
    NoLongerFits {
        /// The place on the scroll of that event.
        seq: u64,
        /// What it is: "the answer of `lookup`".
        event: String,
        /// The node that waits for it; none: it is the run's input, or an event that answers nothing.
        node: Option<String>,
        /// Why it is refused.
        message: String,
        /// The part of the definition that it does not fit, as a JSON pointer.
        pointer: String,
        /// The same part in the definition that recorded the run: of a field that is gone, the field.
        then_pointer: String,
    },
    /// The definition is the one that recorded the run, and yet something else follows: the scroll was changed.
    Altered(Box<Divergence>),
    /// The definition is the one that recorded the run, and events are missing at the end of the scroll.
    CutOff {
        /// The place on the scroll of the last external event.
        seq: u64,
    },
    /// The events are not a scroll of the definition that is said to have recorded it.
    Broken(ScrollError),
}

/// Where two runs part first.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The place on the scroll of the external event after which they part.
    pub seq: u64,
    /// What that event is: "`lookup` answered".
    pub after: String,
    /// What followed then and does not follow now.
    pub then: Option<Side>,
    /// What follows now and did not follow then.
    pub now: Option<Side>,
    /// How many further differences there are up to the end of the scroll.
    pub folded: usize,
}

/// What one of two runs does where they part.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The node that acts; none: the run itself.
    pub node: Option<String>,
    /// What happens, in words: "`approve` emits `approval.requested`".
    pub what: String,
    /// The part of the definition that decides, as a JSON pointer: a guard, a payload, a node.
    pub pointer: String,
    /// The guard that decided; none: no guard did.
    pub guard: Option<Seen>,
}

/// A guard that was evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The node.
    pub node: String,
    /// Which of its triggers the guard is on, counted from 0; none: it is the `match` of a mailbox.
    pub item: Option<usize>,
    /// The result.
    pub result: bool,
    /// The paths that it read, with their values.
    pub reads: Vec<(String, Value)>,
}

impl Verdict {
    /// Whether something breaks: a run that went well goes another way, or cannot go on.
    #[must_use]
    pub const fn breaks(&self) -> bool {
        !matches!(self, Self::Same)
    }

    /// The word for it in reports.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::EndsOtherwise { .. } => "ends-otherwise",
            Self::Diverges(_) => "diverges",
            Self::NoLongerFits { .. } => "no-longer-fits",
            Self::Altered(_) => "altered",
            Self::CutOff { .. } => "cut-off",
            Self::Broken(_) => "broken",
        }
    }
}
