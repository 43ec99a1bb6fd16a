//! What a node listens to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::node::Condition;
use crate::wire::{NAME, TOPIC, flag_schema, is_false};
use crate::{Duration, Guard};

/// What stands behind a node's `on`: one trigger, whose condition stands on the node, or several, each with its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`on` is the name of a step, a topic, a trigger object, or {\"any\": […]}")]
pub enum On {
    /// Several: the node fires when any of them does.
    Any(AnyOf),
    /// One.
    One(Trigger),
}

/// Several triggers; more than one of them, for one alone stands bare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnyOf {
    /// The triggers in source order.
    #[schemars(length(min = 2))]
    pub any: Vec<TriggerItem>,
}

impl On {
    /// The right form for this many triggers: none for none, the bare trigger for one without a condition of its own.
    ///
    /// Several conditions on one node cannot be told apart on the node, so with two triggers or more each keeps its own.
    #[must_use]
    pub fn from_items(mut items: Vec<TriggerItem>) -> Option<(Self, Condition)> {
        match items.len() {
            0 => None,
            1 => items.pop().map(|item| (Self::One(item.trigger), item.condition)),
            _ => Some((Self::Any(AnyOf { any: items }), Condition::Always)),
        }
    }
}

/// One trigger of several, with its condition.
///
/// Written as the bare trigger if it has none, else as `{"on": TRIGGER, "when": …}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "ItemForm", into = "ItemForm")]
pub struct TriggerItem {
    /// What it listens to.
    pub trigger: Trigger,
    /// When it counts.
    pub condition: Condition,
}

impl From<Trigger> for TriggerItem {
    fn from(trigger: Trigger) -> Self {
        Self { trigger, condition: Condition::Always }
    }
}

/// One trigger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "TriggerForm", into = "TriggerForm")]
pub enum Trigger {
    /// `"start"`: the start of the run. Alone on a node it is not written: a node without `on` fires at the start.
    Start,
    /// `"ask"`: the answer to what that step emitted.
    Step(String),
    /// `"ai.response"`: an answer of this topic to any step that asked for one; a topic that answers nothing: every such event.
    Topic(String),
    /// `{"topic": "approval.granted", "from": "approve"}`: this topic as an answer to that step.
    Answer {
        /// The topic.
        topic: String,
        /// The step that asked.
        from: String,
    },
    /// `{"tool": "escalate", "from": "answer"}`: the agent of that step called this tool.
    Tool {
        /// The tool: a key of `tools`, or of `agents` or `workflows` for one of these that is offered as a tool.
        tool: String,
        /// The step whose agent called it.
        from: String,
    },
    /// `{"all": ["a", "b"]}`: each of them answered.
    All {
        /// The members.
        steps: Vec<String>,
        /// The node whose firings the join belongs to; none: once a run.
        per: Option<String>,
    },
    /// `{"count": 2, "of": ["a", "b", "c"]}`: that many of them answered.
    Count {
        /// How many.
        count: u32,
        /// The members.
        steps: Vec<String>,
        /// The node whose firings the join belongs to; none: once a run.
        per: Option<String>,
    },
    /// `{"settled": ["a", "b"]}`: each of them answered or failed.
    Settled {
        /// The members.
        steps: Vec<String>,
        /// The node whose firings the join belongs to; none: once a run.
        per: Option<String>,
    },
    /// `{"failure": "charge"}`: that step failed after its retries. `{"failure": "*"}`: any failure that no other node takes.
    Failure {
        /// The step; none: any.
        step: Option<String>,
    },
    /// `{"timeout": "PT24H", "from": "approve"}`: no answer in that time. Without `from`: that long after the start of the run.
    Timeout {
        /// How long.
        after: Duration,
        /// The step that has not answered; none: the run.
        from: Option<String>,
    },
}

/// The shapes of a trigger in JSON.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Trigger")]
#[serde(untagged, deny_unknown_fields)]
#[serde(
    expecting = "a trigger is the name of a step, a topic, or one of the objects with topic, tool, all, count, settled, failure or timeout"
)]
enum TriggerForm {
    /// A step (a name), a topic (a name with a dot), or `start`.
    Word(#[schemars(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$"))] String),
    /// This topic, as an answer to that step.
    Answer {
        #[schemars(regex(pattern = TOPIC))]
        topic: String,
        #[schemars(regex(pattern = NAME))]
        from: String,
    },
    /// The agent of that step called this tool.
    Tool {
        tool: String,
        #[schemars(regex(pattern = NAME))]
        from: String,
    },
    /// The join of steps that have all answered.
    All {
        #[schemars(length(min = 1))]
        all: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per: Option<String>,
    },
    /// The join of so many answers.
    Count {
        #[schemars(range(min = 1))]
        count: u32,
        #[schemars(length(min = 1))]
        of: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per: Option<String>,
    },
    /// The join of steps that have each answered or failed.
    Settled {
        #[schemars(length(min = 1))]
        settled: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per: Option<String>,
    },
    /// That step failed, or `*`: any failure that no other node takes.
    Failure {
        #[schemars(regex(pattern = "^(\\*|[A-Za-z_][A-Za-z0-9_]*)$"))]
        failure: String,
    },
    /// No answer of that step in that time; without `from`, that long after the start of the run.
    Timeout {
        timeout: Duration,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
}

const ANY_FAILURE: &str = "*";
const START: &str = "start";

impl From<Trigger> for TriggerForm {
    fn from(trigger: Trigger) -> Self {
        match trigger {
            Trigger::Start => Self::Word(START.to_owned()),
            Trigger::Step(name) | Trigger::Topic(name) => Self::Word(name),
            Trigger::Answer { topic, from } => Self::Answer { topic, from },
            Trigger::Tool { tool, from } => Self::Tool { tool, from },
            Trigger::All { steps, per } => Self::All { all: steps, per },
            Trigger::Count { count, steps, per } => Self::Count { count, of: steps, per },
            Trigger::Settled { steps, per } => Self::Settled { settled: steps, per },
            Trigger::Failure { step } => Self::Failure { failure: step.unwrap_or_else(|| ANY_FAILURE.to_owned()) },
            Trigger::Timeout { after, from } => Self::Timeout { timeout: after, from },
        }
    }
}

impl TryFrom<TriggerForm> for Trigger {
    type Error = &'static str;

    fn try_from(form: TriggerForm) -> Result<Self, Self::Error> {
        Ok(match form {
            TriggerForm::Word(name) if name == START => Self::Start,
            TriggerForm::Word(name) if name.is_empty() => return Err("a trigger cannot be the empty string"),
            TriggerForm::Word(name) if name.contains('.') => Self::Topic(name),
            TriggerForm::Word(name) => Self::Step(name),
            TriggerForm::Answer { topic, from } => Self::Answer { topic, from },
            TriggerForm::Tool { tool, from } => Self::Tool { tool, from },
            TriggerForm::All { all, per } => Self::All { steps: all, per },
            TriggerForm::Count { count, of, per } => Self::Count { count, steps: of, per },
            TriggerForm::Settled { settled, per } => Self::Settled { steps: settled, per },
            TriggerForm::Failure { failure } => Self::Failure { step: (failure != ANY_FAILURE).then_some(failure) },
            TriggerForm::Timeout { timeout, from } => Self::Timeout { after: timeout, from },
        })
    }
}

/// The two shapes of an entry of `any`.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TriggerItem")]
#[serde(untagged, expecting = "an entry of `any` is a trigger, or {\"on\": TRIGGER} with `when`, `also` and `when`, or `else`")]
enum ItemForm {
    /// A trigger with a condition of its own.
    Conditional(ConditionalForm),
    /// A trigger without a condition.
    Bare(Trigger),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ConditionalTrigger")]
#[serde(deny_unknown_fields)]
struct ConditionalForm {
    on: Trigger,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<Guard>,
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    also: bool,
    #[serde(default, rename = "else", skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    otherwise: bool,
}

impl From<TriggerItem> for ItemForm {
    fn from(item: TriggerItem) -> Self {
        if item.condition == Condition::Always {
            return Self::Bare(item.trigger);
        }
        let (when, also, otherwise) = item.condition.into_parts();
        Self::Conditional(ConditionalForm { on: item.trigger, when, also, otherwise })
    }
}

impl From<ItemForm> for TriggerItem {
    fn from(form: ItemForm) -> Self {
        match form {
            ItemForm::Bare(trigger) => trigger.into(),
            ItemForm::Conditional(form) => {
                Self { trigger: form.on, condition: Condition::from_parts(form.when, form.also, form.otherwise) }
            }
        }
    }
}
