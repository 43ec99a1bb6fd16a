//! What is legal in a workflow and most likely wrong, as far as its graph shows it: branches that fire together, answers that are out of date,
//! races that a failure decides, loops that cost money.
//!
//! Only workflows without mistakes are looked at. `weave lint` has a rule for each kind.

mod branches;
mod joins;
mod mailboxes;
mod repeats;
mod stale;

use weave_diagnostics::Place;

use super::Flow;
use super::dominators::Dominators;
use crate::model::DeclarationId;

/// Something in a workflow that is most likely wrong. Nodes are known by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// A node without a condition has the trigger of a choice, so it fires together with the branch that the choice takes.
    BesideChoice {
        /// The node.
        node: u32,
        /// Which of its triggers.
        trigger: u32,
        /// The first node of the choice.
        choice: u32,
        /// The node with the `else` of the choice, if there is one.
        otherwise: Option<u32>,
    },
    /// In a loop a node reads the value from before the loop, although another step carries the newest one.
    StaleRead {
        /// The node.
        node: u32,
        /// Where it reads.
        place: Place,
        /// The step before the loop, which it reads.
        old: u32,
        /// The step in the loop whose answer is newer.
        new: u32,
        /// The step that fires on either of them.
        newest: u32,
    },
    /// One failure of a member fails the run, although the race or the quorum could still be won.
    LostRace {
        /// The node with the join.
        node: u32,
        /// Which of its triggers.
        trigger: u32,
        /// The member whose failure nothing handles.
        member: u32,
    },
    /// A `fail` on `settled` fires although the race of the same steps was won.
    ReversedRace {
        /// The `fail`.
        node: u32,
        /// Which of its triggers.
        trigger: u32,
        /// The node that fires when the race is won.
        race: u32,
    },
    /// A mailbox waits without a bound, and nothing else goes on beside it.
    EndlessMailbox {
        /// The mailbox.
        node: u32,
    },
    /// Two mailboxes take the same event.
    SharedMailbox {
        /// The mailbox that comes first in the text.
        first: u32,
        /// The other one.
        second: u32,
        /// The event.
        topic: DeclarationId,
    },
    /// A loop that only a pause slows down asks a model or calls a tool that does not just read.
    PaidLoop {
        /// The step that is paid for.
        node: u32,
        /// The pause.
        pause: u32,
    },
    /// A loop calls a destructive tool again with the same arguments, and the tool is not idempotent.
    RepeatedDestruction {
        /// The step that calls it.
        node: u32,
        /// The loop, from the step on.
        cycle: Box<[u32]>,
    },
    /// A node fires for each of two steps that always answer both, before something that should happen once.
    FiresTwice {
        /// The node.
        node: u32,
        /// The first of the two steps.
        first: u32,
        /// The second one.
        second: u32,
        /// The step that then happens twice: the node itself, or one that follows it.
        repeated: u32,
    },
    /// A `limit` in a loop within a loop: it counts for the whole run, not for each round of the outer loop.
    LimitOfRun {
        /// The node with the limit.
        node: u32,
        /// The step that begins a round of the outer loop.
        outer: u32,
    },
}

/// How many hazards of one kind are reported in a workflow, where each costs a look at the whole of it.
const MOST: usize = 32;

/// Finds them, by kind, each kind in the order of the nodes.
pub(super) fn find(flow: &Flow<'_>, dominators: &Dominators) -> Box<[Hazard]> {
    let mut found = Vec::new();
    branches::beside_choices(flow, &mut found);
    branches::twice(flow, dominators, &mut found);
    joins::races(flow, &mut found);
    mailboxes::endless(flow, &mut found);
    mailboxes::shared(flow, dominators, &mut found);
    let cycles = repeats::Cycles::new(flow);
    if cycles.any() {
        stale::reads(flow, dominators, &cycles, &mut found);
        repeats::paid(flow, &mut found);
        repeats::destruction(flow, &mut found);
        repeats::limits(flow, &cycles, &mut found);
    }
    found.into()
}
