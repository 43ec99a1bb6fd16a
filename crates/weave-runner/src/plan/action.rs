//! What a node does when it fires.

use std::collections::HashMap;

use serde_json::Value;
use weave_ir::{Approval, Definition, Duration, Node, Retry, Template, Tier};

use super::topics::{self, answers, pointer};

/// The action of a node.
pub(crate) enum Action<'d> {
    /// It emits a request, which somebody answers.
    Request(Box<Request<'d>>),
    /// It emits an event that nobody answers.
    Event(&'d str),
    /// It takes an event from its mailbox.
    Await,
    /// It closes the open firings of these nodes.
    Cancel(Vec<usize>),
    /// It has this value.
    Value(&'d Value),
    /// It ends the run.
    End,
}

/// A request: what becomes of its data, and what its answer must fit.
#[derive(Default)]
pub(crate) struct Request<'d> {
    pub(crate) topic: &'d str,
    /// Its answers, with the schema that each must fit as a JSON pointer; none: any data.
    pub(crate) answers: Vec<(&'d str, Option<String>)>,
    /// The key of the payload that must fit a schema, and the pointer of that.
    pub(crate) typed: Option<(&'static str, String)>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) retry: Option<&'d Retry>,
    /// Who asks somebody before the call: the tool's name and when.
    pub(crate) approval: Option<(&'d str, &'d Approval)>,
    /// The dynamic prompt of the asked agent, and the pointer of what its hydrator answers.
    pub(crate) hydration: Option<(&'d str, Option<String>)>,
}

impl<'d> Action<'d> {
    pub(crate) fn new(definition: &'d Definition, node: &'d Node, names: &HashMap<&'d str, usize>) -> Self {
        if node.terminal {
            Self::End
        } else if let Some(topic) = &node.emit {
            let answers = answers(definition, topic);
            if answers.is_empty() {
                return Self::Event(topic);
            }
            let declared = |topic: &&'d str| definition.events.contains_key(*topic).then(|| pointer("events", topic, "payload"));
            let answers = answers.into_iter().map(|answer| (answer, declared(&answer))).collect();
            let request = Request { topic, answers, timeout: node.timeout, retry: node.retry.as_ref(), ..Request::default() };
            Self::Request(Box::new(request.typed(definition, node)))
        } else if !node.awaits.is_empty() {
            Self::Await
        } else if !node.cancel.is_empty() {
            Self::Cancel(node.cancel.iter().filter_map(|name| names.get(name.as_str()).copied()).collect())
        } else {
            Self::Value(node.output.as_ref().unwrap_or(&Value::Null))
        }
    }
}

impl<'d> Request<'d> {
    /// What it is held to if it is a typed call, question or start.
    fn typed(self, definition: &'d Definition, node: &'d Node) -> Self {
        let Some(Value::Object(payload)) = &node.payload else { return self };
        let named = |key: &str, with: &str| payload.get(with).and(payload.get(key)).and_then(constant);
        match self.topic {
            topics::DISPATCH => match named("name", "args").and_then(|name| definition.tools.get_key_value(&name)) {
                Some((name, tool)) => Self {
                    timeout: self.timeout.or(tool.timeout),
                    retry: self.retry.or(tool.retry.as_ref()),
                    approval: tool.approval.as_ref().map(|approval| (name.as_str(), approval)),
                    ..self.held("tools", name, "args")
                },
                None => self,
            },
            topics::ASK => match named("agent", "args").and_then(|name| definition.agents.get_key_value(&name)) {
                Some((name, agent)) => {
                    let prompt = agent.prompt.as_ref().and_then(|name| definition.prompts.get_key_value(name));
                    let dynamic = prompt.filter(|(_, prompt)| prompt.tier == Tier::Dynamic);
                    let hydration = dynamic
                        .map(|(name, prompt)| (name.as_str(), prompt.hydrates.as_ref().map(|_| pointer("prompts", name, "hydrates"))));
                    Self { hydration, ..self.held("agents", name, "args") }
                }
                None => self,
            },
            topics::START => match named("workflow", "input").filter(|name| definition.workflows.contains_key(name)) {
                Some(name) => self.held("workflows", &name, "input"),
                None => self,
            },
            _ => self,
        }
    }

    fn held(self, part: &str, name: &str, key: &'static str) -> Self {
        let answers = self.answers.iter().map(|(topic, _)| (*topic, Some(pointer(part, name, "output")))).collect();
        Self { answers, typed: Some((key, pointer(part, name, "input"))), ..self }
    }

    pub(crate) fn accepts(&self) -> Vec<&'d str> {
        self.answers.iter().map(|(topic, _)| *topic).collect()
    }

    pub(crate) fn schema_of(&self, answer: &str) -> Option<&str> {
        self.answers.iter().find(|(topic, _)| *topic == answer)?.1.as_deref()
    }
}

/// What a template says in which nothing is filled in.
fn constant(value: &Value) -> Option<String> {
    let template = Template::parse(value.as_str()?).ok()?;
    if template.placeholders().next().is_some() {
        return None;
    }
    Some(template.parts.into_iter().map(|part| if let weave_ir::TemplatePart::Text(text) = part { text } else { String::new() }).collect())
}
