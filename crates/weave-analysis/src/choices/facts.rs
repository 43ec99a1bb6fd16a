//! What is known of a choice.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Place;

use crate::model::workflow::Source;

/// The nodes that hold one trigger, and what their guards say about each other.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The trigger.
    pub source: Source,
    /// Where it stands first.
    pub place: Place,
    /// The nodes that hold it, in the order of the text: those of the choice, and those beside it.
    pub members: Box<[Member]>,
    /// Pairs of members of which it is known that both guards are true in some case; the first one fires then. Not all pairs of a long
    /// choice are looked at.
    pub overlaps: Box<[Overlap]>,
    /// Whether in each case a member of the choice fires.
    pub coverage: Coverage,
    /// Whether in each case something fires: a member, one that stands beside the choice with `also when`, or one without a condition.
    pub handled: Coverage,
    /// Whether a guard, or all of them together, are too large to be looked into, so that less is known than could be.
    pub too_large: bool,
}

/// One of the nodes that hold a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The index of the node.
    pub node: u32,
    /// The index of the trigger among those of the node.
    pub trigger: u32,
    /// What it is in the choice.
    pub role: Role,
    /// Whether its `limit` may be used up, after which the choice passes it over.
    pub runs_out: bool,
    /// What is known of it.
    pub verdict: Verdict,
}

/// What a node is in a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A member with a guard.
    When,
    /// The member that fires if no other did.
    Else,
    /// A member without a guard, which has a limit.
    Limited,
    /// It stands beside the choice, with a guard of its own.
    Also,
    /// It stands beside the choice and always fires.
    Always,
}

/// What is known of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a case in which it fires, and one in which its guard is not true; or the latter is not known.
    Satisfiable,
    /// Its guard is true in each case in which it is asked.
    Always,
    /// Its guard is true in no case.
    Never,
    /// In each case in which its guard is true, an earlier member fires. These are the first of them, as indices of members.
    Shadowed(Box<[usize]>),
    /// Nothing is known.
    Unknown,
}

/// Two members of which both guards are true in some case.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// The member that fires, by its index.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Whether there is a case, too, in which only the first guard is true. Else it is a special case of the other one, which is how
    /// choices are written: `>= 80` before `>= 40`.
    pub crossing: bool,
    /// Such a case.
    pub witness: Witness,
}

/// Whether something happens in each case.
#[derive(Clone, Debug, PartialEq)]
pub enum Coverage {
    /// It does.
    Total,
    /// Not in this case.
    Gap(Gap),
    /// That is not known: some guards ask what is not looked into, or there are too many cases. If they are nodes, then it is known of
    /// them that something happens as long as their limits are not used up.
    Unknown(Box<[u32]>),
}

/// A case in which nothing happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The case.
    pub witness: Witness,
    /// The nodes whose limits must be used up for it.
    pub exhausted: Box<[u32]>,
    /// Whether it is known that something happens in each case as long as no limit is used up.
    pub is_by_limits: bool,
}

/// A case, by what its values are; whatever is not named may be anything. It is empty if the case is that no value matters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witness {
    /// The values in the order in which the guards ask for them.
    pub values: Box<[WitnessValue]>,
}

/// What a path yields in a case.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessValue {
    /// The path as it is written in a guard.
    pub path: Arc<str>,
    /// What is so, as a guard.
    pub condition: String,
    /// A value for which it is so, as on the wire; none where it is not easily found.
    pub value: Option<Json>,
}

impl Witness {
    /// The case as a guard.
    #[must_use]
    pub fn condition(&self) -> String {
        let conditions = self.values.iter().map(|value| value.condition.as_str()).collect::<Vec<_>>();
        conditions.join(" && ")
    }
}
