//! The loop of an agent: what was said in it so far, and what comes next.
//!
//! A loop is folded from the events of its run: `ai.turn`, and the calls, approvals and results inside it, all of them external
//! events with `in`. Nothing here remembers what is not on the scroll, so a restarted host goes on where the last one was.

mod answer;
mod ask;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use weave_ir::{Definition, OfferedTool};
use weave_runner::Failure;

pub(crate) use answer::{Reading, read_answer};
pub(crate) use ask::ask;
pub use ask::{Ask, Message, Offer};

use crate::key::Key;

/// How many turns a model gets where its agent does not say.
pub const DEFAULT_TURNS: u32 = 32;
/// How deep agents may call agents. An agent that offers itself would otherwise never end.
pub const MOST_NESTED: usize = 8;

/// What a model answered in one turn; the data of an `ai.turn` without its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelTurn {
    /// The model that answered, in the provider's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The tools that it called, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ModelCall>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Finish::is_stop")]
    pub finish: Finish,
    /// The provider's own message, which goes back to it unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Value>,
    /// How many tokens it read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// How many tokens it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// What else the provider counts, in its own words.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub usage: Map<String, Value>,
}

/// A call as the model made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The provider's id of the call.
    pub id: String,
    /// The name under which the tool was offered.
    pub name: String,
    /// The arguments; what cannot be read as JSON is a string.
    #[serde(default)]
    pub args: Value,
}

/// Why a model ended its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It had said what it wanted, or called tools.
    #[default]
    Stop,
    /// Its answer was cut off at a limit of tokens.
    Length,
    /// It refused, or a filter of its provider did.
    Refusal,
}

impl Finish {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_stop(&self) -> bool {
        *self == Self::Stop
    }
}

/// The loop of one attempt of an `ai.request`, or of an agent that another agent called.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The request, or the call.
    pub(crate) key: Key,
    /// The agent; none: the request was written out, and the model gets one turn.
    pub(crate) agent: Option<String>,
    /// The data of the request.
    pub(crate) data: Value,
    pub(crate) turns: Vec<Turn>,
}

/// One turn of a model, and what became of its calls.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) said: ModelTurn,
    pub(crate) calls: Vec<Call>,
}

/// One call of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The result; none: it is open.
    pub(crate) result: Option<Result<Value, Failure>>,
    /// The result ends the loop: a deferred tool with `on_timeout fail` was not answered in time.
    pub(crate) closes: bool,
    /// How many tries have failed and were followed by another.
    pub(crate) failed_tries: u32,
}

/// What comes next in a loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// A turn, or a call of the last one, is open.
    Wait,
    /// The model gets its turn of this number, from 1.
    Turn(u32),
    /// The loop ends with this answer.
    Answer(Value),
    /// The loop ends without an answer.
    Fail(Failure),
}

/// What a call of a model means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target<'d> {
    Tool(&'d str),
    Agent(&'d str),
    Workflow(&'d str),
}

impl<'d> Target<'d> {
    /// Its key in the definition.
    pub(crate) fn name(self) -> &'d str {
        match self {
            Self::Tool(name) | Self::Agent(name) | Self::Workflow(name) => name,
        }
    }

    /// The part of the definition that has it.
    pub(crate) fn part(self) -> &'static str {
        match self {
            Self::Tool(_) => "tools",
            Self::Agent(_) => "agents",
            Self::Workflow(_) => "workflows",
        }
    }
}

impl Loop {
    pub(crate) fn new(key: Key, data: Value) -> Self {
        let agent = data.get("agent").and_then(Value::as_str).filter(|_| data.get("args").is_some()).map(str::to_owned);
        Self { key, agent, data, turns: Vec::new() }
    }

    /// Takes the data of an `ai.turn`.
    pub(crate) fn take_turn(&mut self, data: &Value) {
        let said = ModelTurn::deserialize(data).unwrap_or_default();
        let calls = said.calls.iter().map(|_| Call { result: None, closes: false, failed_tries: 0 }).collect();
        self.turns.push(Turn { said, calls });
    }

    /// The call with the part `turnT.C`.
    pub(crate) fn call_mut(&mut self, turn: usize, call: usize) -> Option<&mut Call> {
        self.turns.get_mut(turn.checked_sub(1)?)?.calls.get_mut(call.checked_sub(1)?)
    }

    /// The call as the model made it.
    pub(crate) fn said(&self, turn: usize, call: usize) -> Option<&ModelCall> {
        self.turns.get(turn.checked_sub(1)?)?.said.calls.get(call.checked_sub(1)?)
    }

    /// What a model means by a name.
    pub(crate) fn target<'d>(&self, definition: &'d Definition, name: &str) -> Option<Target<'d>> {
        let agent = definition.agents.get(self.agent.as_deref()?)?;
        agent.tools.iter().find(|offered| offered.name() == name).map(|offered| match offered {
            OfferedTool::Tool { tool, .. } => Target::Tool(tool),
            OfferedTool::Agent { agent, .. } => Target::Agent(agent),
            OfferedTool::Workflow { workflow, .. } => Target::Workflow(workflow),
        })
    }

    /// How many turns the model gets.
    fn most_turns(&self, definition: &Definition) -> usize {
        let turns = match &self.agent {
            Some(agent) => definition.agents.get(agent).and_then(|agent| agent.max_turns).unwrap_or(DEFAULT_TURNS),
            None => 1,
        };
        usize::try_from(turns).unwrap_or(usize::MAX)
    }
}

/// The number of a turn, and of a call in it, in the last piece of a part: `turn3` or `turn3.1`.
pub(crate) fn numbers(part: &str) -> Option<(usize, Option<usize>)> {
    let last = part.rsplit('@').next()?.strip_prefix("turn")?;
    match last.split_once('.') {
        Some((turn, call)) => Some((turn.parse().ok()?, Some(call.parse().ok()?))),
        None => Some((last.parse().ok()?, None)),
    }
}
