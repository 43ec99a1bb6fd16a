//! The nodes of a workflow.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{NAME, TOPIC, any_schema, flag_schema, is_false, present};
use crate::{Duration, Guard, On};

/// One node: what it listens to, under which condition, and what it does then.
///
/// Exactly one of `emit`, `await`, `cancel`, `output` without `terminal`, and `terminal` is the node's action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The name, unique in the workflow; what a `fail` node reports as its code.
    #[schemars(regex(pattern = NAME))]
    pub id: String,
    /// What people read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it listens to; absent: the start of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<On>,
    /// It fires only if this is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Guard>,
    /// `when` stands outside the choice: it fires whenever the guard is true.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    pub also: bool,
    /// It fires if no other node of the choice did.
    #[serde(default, rename = "else", skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    pub otherwise: bool,
    /// How often it fires at most in one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// It acts once for each element of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<Each>,
    /// The topic that it emits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = TOPIC))]
    pub emit: Option<String>,
    /// What it emits: JSON whose strings are templates.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schemars(schema_with = "any_schema")]
    pub payload: Option<Value>,
    /// The topics of a mailbox: it takes the oldest such event that matches and that it has not taken.
    #[serde(default, rename = "await", skip_serializing_if = "BTreeSet::is_empty")]
    pub awaits: BTreeSet<String>,
    /// What an event must fulfil to be taken from the mailbox; it reads the event as `.event`.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<Guard>,
    /// The steps whose open firings it closes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cancel: Vec<String>,
    /// The value of a value step, or the output of the run: JSON whose strings are templates.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schemars(schema_with = "any_schema")]
    pub output: Option<Value>,
    /// It ends the run.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    pub terminal: bool,
    /// How it ends the run; absent: it succeeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What a failed run says: a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How long an attempt may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// What happens after a failed attempt; it stands in the tool's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// The steps whose exchanges an `ai.request` continues, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
}

impl Node {
    /// A node with this name and nothing else yet.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// The condition that stands on the node itself.
    #[must_use]
    pub fn condition(&self) -> Condition {
        Condition::from_parts(self.when.clone(), self.also, self.otherwise)
    }

    /// Puts a condition on the node itself.
    pub fn set_condition(&mut self, condition: Condition) {
        (self.when, self.also, self.otherwise) = condition.into_parts();
    }
}

/// Under which condition a trigger counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Condition {
    /// None: it always fires.
    #[default]
    Always,
    /// `when`: a member of the choice; the first whose guard is true fires.
    When(Guard),
    /// `also when`: outside the choice.
    Also(Guard),
    /// `else`: fires if no member of the choice did.
    Else,
}

impl Condition {
    /// The keys `when`, `also` and `else` that say it.
    pub(crate) fn into_parts(self) -> (Option<Guard>, bool, bool) {
        match self {
            Self::Always => (None, false, false),
            Self::When(guard) => (Some(guard), false, false),
            Self::Also(guard) => (Some(guard), true, false),
            Self::Else => (None, false, true),
        }
    }

    /// What the three keys say; keys that contradict each other are found by the validation, not here.
    pub(crate) fn from_parts(when: Option<Guard>, also: bool, otherwise: bool) -> Self {
        match (when, also, otherwise) {
            (Some(guard), false, _) => Self::When(guard),
            (Some(guard), true, _) => Self::Also(guard),
            (None, _, true) => Self::Else,
            (None, _, false) => Self::Always,
        }
    }
}

/// A fan-out over a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Each {
    /// The list: one placeholder, such as `{{.plan.urls}}`.
    #[serde(rename = "in")]
    pub list: String,
    /// The name under which the node reads the element.
    #[serde(rename = "as")]
    #[schemars(regex(pattern = NAME))]
    pub variable: String,
    /// How many elements are open at a time; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub parallel: Option<u32>,
    /// How many must succeed; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
}

/// How a terminal node ends the run, if it does not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The run fails; the node's id is the code.
    Failed,
}

/// What happens after a failed attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// How many further attempts there are.
    pub max: u32,
    /// How the pause grows; absent: each is `base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backoff: Option<Backoff>,
    /// The first pause; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Duration>,
    /// The longest pause; absent: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Duration>,
    /// The codes and kinds of failure that are tried again; absent: all but those that another attempt cannot mend.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub on: BTreeSet<String>,
}

/// How the pause between two attempts grows. No backoff in the definition means that each pause is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Backoff {
    /// `base`, twice `base`, three times `base`, …
    Linear,
    /// `base`, twice `base`, four times `base`, …
    Exponential,
}
