//! What a model's text is as an answer, and when a loop ends.

use serde_json::{Value, json};
use weave_ir::{Definition, ToolMode};
use weave_runner::{Failure, FailureKind, Prepared};

use super::{Finish, Loop, Next, Target, Turn};

/// What the last words of a model are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reading {
    /// They fit.
    Answer(Value),
    /// They do not, and this is what the model reads about it.
    Unfit(String),
}

impl Loop {
    /// What comes next.
    pub(crate) fn next(&self, prepared: &Prepared) -> Next {
        let definition = prepared.definition();
        let Some(last) = self.turns.last() else { return Next::Turn(1) };
        if last.calls.iter().any(|call| call.result.is_none()) {
            return Next::Wait;
        }
        if let Some(failure) = last.calls.iter().find_map(closing_failure) {
            return Next::Fail(failure.clone());
        }
        let spent = self.turns.len() >= self.most_turns(definition);
        let next = || u32::try_from(self.turns.len() + 1).map_or(Next::Wait, Next::Turn);
        if !last.calls.is_empty() {
            let silent = self.all_silent(definition, last);
            return match read_answer(self, prepared, last) {
                Reading::Answer(answer) if silent => Next::Answer(answer),
                _ if spent => Next::Fail(self.out_of_turns()),
                _ => next(),
            };
        }
        match last.said.finish {
            Finish::Refusal => {
                let text = last.said.text.clone().filter(|text| !text.is_empty());
                Next::Fail(Failure::coded("refused", text.unwrap_or_else(|| "the model refused to answer".to_owned()), None))
            }
            Finish::Length => Next::Fail(Failure::new(FailureKind::InvalidOutput, "the answer was cut off at the limit of tokens")),
            Finish::Stop => match read_answer(self, prepared, last) {
                Reading::Answer(answer) => Next::Answer(answer),
                Reading::Unfit(why) if spent => Next::Fail(Failure::new(FailureKind::InvalidOutput, why)),
                Reading::Unfit(_) => next(),
            },
        }
    }

    fn out_of_turns(&self) -> Failure {
        Failure::new(FailureKind::MaxTurns, format!("the model gave no answer in {} turns", self.turns.len()))
    }

    /// Whether the model reads none of the results of a turn.
    fn all_silent(&self, definition: &Definition, turn: &Turn) -> bool {
        turn.said.calls.iter().all(|call| match self.target(definition, &call.name) {
            Some(Target::Tool(name)) => definition.tools.get(name).is_some_and(|tool| tool.mode == ToolMode::Silent),
            _ => false,
        }) && turn.calls.iter().all(|call| matches!(call.result, Some(Ok(_))))
    }
}

/// A result that ends the loop: a deferred tool that says so was not answered in time.
fn closing_failure(call: &super::Call) -> Option<&Failure> {
    match &call.result {
        Some(Err(failure)) if call.closes => Some(failure),
        _ => None,
    }
}

/// Reads what a model wrote as the answer of its agent.
pub(crate) fn read_answer(of: &Loop, prepared: &Prepared, turn: &Turn) -> Reading {
    let text = turn.said.text.as_deref().unwrap_or_default();
    let Some((name, agent)) = of.agent.as_ref().and_then(|name| prepared.definition().agents.get_key_value(name)) else {
        return Reading::Answer(json!({ "text": text }));
    };
    let pointer = format!("/agents/{name}/output");
    let mut unfit = None;
    for candidate in candidates(text) {
        // A provider that takes objects only answers with `{"value": …}`.
        let unwrapped = candidate.as_object().filter(|entries| entries.len() == 1).and_then(|entries| entries.get("value")).cloned();
        for value in [Some(candidate), unwrapped].into_iter().flatten() {
            match prepared.take_in(&pointer, &value) {
                Ok(_) => return Reading::Answer(value),
                Err(why) => unfit = unfit.or(Some(why)),
            }
        }
    }
    let plain = json!({ "text": text });
    if takes_text(agent.output.as_value()) && !text.is_empty() && prepared.take_in(&pointer, &plain).is_ok() {
        return Reading::Answer(plain);
    }
    Reading::Unfit(unfit.unwrap_or_else(|| "the answer is not JSON".to_owned()))
}

/// Whether an output is an object with the one required string `text`, as the payload of `ai.response` is.
fn takes_text(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.len() == 1 && properties.contains_key("text"))
        || schema.get("$ref").and_then(Value::as_str).is_some()
}

/// The JSON values that a text may be: all of it, what stands in a fence, and from the first brace to the last.
fn candidates(text: &str) -> Vec<Value> {
    let text = text.trim();
    let fenced = text.split_once("```").and_then(|(_, rest)| {
        let rest = rest.split_once('\n').map_or(rest, |(_, rest)| rest);
        rest.rsplit_once("```").map(|(inside, _)| inside.trim())
    });
    let braced = text.find(['{', '[']).zip(text.rfind(['}', ']'])).and_then(|(start, end)| text.get(start..=end));
    let mut found: Vec<Value> = Vec::new();
    for candidate in [Some(text), fenced, braced].into_iter().flatten() {
        if let Ok(value) = serde_json::from_str::<Value>(candidate)
            && !found.contains(&value)
        {
            found.push(value);
        }
    }
    found
}
