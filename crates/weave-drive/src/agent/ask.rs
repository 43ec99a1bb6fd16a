//! What a model is asked.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use weave_expr::{Scope, render_text};
use weave_ir::{Activation, Agent, Definition, Schema, Template, ToolMode};
use weave_runner::{Failure, Prepared};

use super::{Loop, Reading, Target, Turn, read_answer};

/// One turn of a model: everything that it is told.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The key of idempotency: the id of the `ai.turn` that will record the answer.
    pub key: String,
    /// The definition, for the projections of its schemas that a provider takes.
    pub definition: Arc<Definition>,
    /// The agent; none for a request that was written out.
    pub agent: Option<String>,
    /// The name of the model, which `weave.toml` maps.
    pub model: Option<String>,
    /// What the model is told before anything else.
    pub system: Option<String>,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// The tools that it is offered, in order.
    pub tools: Vec<Offer>,
    /// The schema of the answer, with all that its references reach; none: any text.
    pub output: Option<Value>,
    /// What the agent's author tells the provider.
    pub options: Map<String, Value>,
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The data of a request that was written out.
    pub request: Option<Value>,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The user, or the host, says something.
    User(String),
    /// The model said something. The provider's own message is given back unchanged where there is one.
    Model(super::ModelTurn),
    /// The result of a call.
    Result {
        /// The provider's id of the call.
        id: String,
        /// The name under which the tool was offered.
        name: String,
        /// What the model reads.
        content: String,
        /// The call failed.
        failed: bool,
    },
}

/// A tool as a model is offered it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The name that the model uses.
    pub name: String,
    /// The part of the definition that declares it: `tools`, `agents` or `workflows`.
    pub part: &'static str,
    /// Its key there.
    pub key: String,
    /// What the model reads about it.
    pub description: Option<String>,
    /// The schema of the arguments, with all that its references reach.
    pub input: Value,
    /// Whether the provider shall hold the arguments to the schema.
    pub strict: bool,
    /// The model looks for it before it reads about it, where its provider can do that.
    pub deferred: bool,
}

/// What a model is asked for its next turn. `histories` are the loops that this one continues.
pub(crate) fn ask(of: &Loop, histories: &[&Loop], prepared: &Prepared, turn: u32) -> Ask {
    let definition = prepared.definition();
    let agent = of.agent.as_ref().and_then(|name| definition.agents.get(name));
    let mut messages = Vec::new();
    for history in histories {
        conversation(history, prepared, &mut messages);
    }
    conversation(of, prepared, &mut messages);
    let args = of.data.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
    Ask {
        key: of.key.below(&format!("turn{turn}")).name(),
        definition: Arc::clone(definition),
        agent: of.agent.clone(),
        model: agent.and_then(|agent| agent.model.clone()),
        system: agent.and_then(|agent| agent.system.as_deref()).map(|system| filled_in(system, &args)),
        messages,
        tools: agent.map(|agent| offers(agent, definition)).unwrap_or_default(),
        output: agent.map(|agent| bundled(&agent.output, definition)),
        options: agent.map(|agent| agent.options.clone().into_iter().collect()).unwrap_or_default(),
        turn,
        request: agent.is_none().then(|| of.data.clone()),
    }
}

/// What was said in a loop so far, as messages.
fn conversation(of: &Loop, prepared: &Prepared, messages: &mut Vec<Message>) {
    let definition = prepared.definition();
    messages.push(Message::User(opening(of, definition)));
    for turn in &of.turns {
        messages.push(Message::Model(turn.said.clone()));
        for (said, call) in turn.said.calls.iter().zip(&turn.calls) {
            let target = of.target(definition, &said.name);
            let (content, failed) = match &call.result {
                Some(result) => content(definition, target, result),
                // A signal closed the step before the call was made.
                None => ("not called".to_owned(), false),
            };
            messages.push(Message::Result { id: said.id.clone(), name: said.name.clone(), content, failed });
        }
        if turn.calls.is_empty()
            && let Some(correction) = correction(of, prepared, turn)
        {
            messages.push(Message::User(correction));
        }
    }
}

/// What a model reads about an answer that does not fit.
fn correction(of: &Loop, prepared: &Prepared, turn: &Turn) -> Option<String> {
    match read_answer(of, prepared, turn) {
        Reading::Answer(_) => None,
        Reading::Unfit(why) => {
            Some(format!("The answer does not fit its schema: {why}. Answer again, with JSON that fits and nothing else."))
        }
    }
}

/// The first message: the prompt with the arguments filled in, or the arguments alone.
fn opening(of: &Loop, definition: &Definition) -> String {
    let Some(agent) = of.agent.as_ref().and_then(|name| definition.agents.get(name)) else {
        return match of.data.get("prompt").and_then(Value::as_str) {
            Some(prompt) => prompt.to_owned(),
            None => as_text(&of.data),
        };
    };
    let args = of.data.get("args").cloned().unwrap_or_default();
    let Some(prompt) = agent.prompt.as_ref().and_then(|name| definition.prompts.get(name)) else { return as_text(&args) };
    let mut values = args.as_object().cloned().unwrap_or_default();
    if let Some(hydrated) = of.data.get("hydrated").and_then(Value::as_object) {
        values.extend(hydrated.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    filled_in(&prompt.text, &values)
}

fn filled_in(text: &str, values: &Map<String, Value>) -> String {
    let scope: &dyn Scope = values;
    Template::parse(text).map_or_else(|_| text.to_owned(), |template| render_text(&template, scope))
}

/// A value as RFC 8785 JSON.
fn as_text(value: &Value) -> String {
    let scope = Map::from_iter([("value".to_owned(), json!([value]))]);
    let text = filled_in("{{.value}}", &scope);
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(&text).to_owned()
}

fn offers(agent: &Agent, definition: &Definition) -> Vec<Offer> {
    agent.tools.iter().filter_map(|offered| offer(offered, definition)).collect()
}

fn offer(offered: &weave_ir::OfferedTool, definition: &Definition) -> Option<Offer> {
    let name = offered.name().to_owned();
    Some(match offered {
        weave_ir::OfferedTool::Tool { tool: key, .. } => {
            let tool = definition.tools.get(key).filter(|tool| tool.activation != Some(Activation::Internal))?;
            Offer {
                name,
                part: "tools",
                key: key.clone(),
                description: tool.description.clone(),
                input: bundled(&tool.input, definition),
                strict: tool.strict,
                deferred: tool.activation == Some(Activation::Deferred),
            }
        }
        weave_ir::OfferedTool::Agent { agent: key, .. } => {
            let agent = definition.agents.get(key)?;
            let input = bundled(&agent.input, definition);
            Offer { name, part: "agents", key: key.clone(), description: agent.description.clone(), input, strict: true, deferred: false }
        }
        weave_ir::OfferedTool::Workflow { workflow: key, .. } => {
            let workflow = definition.workflows.get(key)?;
            let (input, description) = (bundled(&workflow.input, definition), workflow.description.clone());
            Offer { name, part: "workflows", key: key.clone(), description, input, strict: true, deferred: false }
        }
    })
}

fn bundled(schema: &Schema, definition: &Definition) -> Value {
    weave_providers::bundle(schema, &definition.defs)
}

/// What a model reads of a result, and whether it is a failure.
pub(crate) fn content(definition: &Definition, target: Option<Target<'_>>, result: &Result<Value, Failure>) -> (String, bool) {
    let tool = match target {
        Some(Target::Tool(name)) => definition.tools.get(name),
        _ => None,
    };
    match result {
        Err(failure) => {
            let data = failure.data.as_ref().map(|data| format!(" {}", as_text(data))).unwrap_or_default();
            (format!("{}: {}{data}", failure.code_or_kind(), failure.message), true)
        }
        Ok(_) if tool.is_some_and(|tool| tool.mode == ToolMode::Silent) => ("done".to_owned(), false),
        Ok(value) => {
            let text = as_text(value);
            let most = tool.and_then(|tool| tool.max_output).and_then(|most| usize::try_from(most).ok());
            (most.map_or(text.clone(), |most| cut(&text, most)), false)
        }
    }
}

/// At most so many octets of a text, and what is missing.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}\n[cut off: {end} of {} octets are shown]", text.get(..end).unwrap_or_default(), text.len())
}
