//! What a node does when it fires.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use weave_expr::Payload;
use weave_ir::{Approval, Definition, Duration, Node, Retry, Template, Tier, Tool};

use crate::schemas::{SchemaId, Schemas};

use super::topics::{self, answers, pointer};

/// The action of a node.
pub(crate) enum Action {
    /// It emits a request, which somebody answers.
    Request(Box<Request>),
    /// It emits an event that nobody answers.
    Event(Arc<str>),
    /// It takes an event from its mailbox.
    Await,
    /// It closes the open firings of these nodes.
    Cancel(Vec<usize>),
    /// It has this value.
    Value(Payload),
    /// It ends the run.
    End,
}

/// A request: what becomes of its data, and what its answer must fit.
pub(crate) struct Request {
    pub(crate) topic: Arc<str>,
    /// Its answers, with the schema that each must fit; none: any data.
    pub(crate) answers: Vec<(Arc<str>, Option<SchemaId>)>,
    /// The key of the payload that must fit a schema, and that schema.
    pub(crate) typed: Option<(&'static str, SchemaId)>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) retry: Option<Retry>,
    /// Who asks somebody before the call: the tool's name and when.
    pub(crate) approval: Option<(String, Approval)>,
    /// The dynamic prompt of the asked agent, and the schema of what its hydrator answers.
    pub(crate) hydration: Option<(String, Option<SchemaId>)>,
}

impl Default for Request {
    fn default() -> Self {
        Self { topic: Arc::from(""), answers: Vec::new(), typed: None, timeout: None, retry: None, approval: None, hydration: None }
    }
}

impl Action {
    pub(crate) fn new(definition: &Definition, schemas: &Schemas, node: &Node, names: &HashMap<String, usize>) -> Self {
        if node.terminal {
            Self::End
        } else if let Some(topic) = &node.emit {
            let answers = answers(definition, topic);
            if answers.is_empty() {
                return Self::Event(topic.as_str().into());
            }
            let payload = |topic: &str| schemas.id(&pointer("events", topic, "payload"));
            let answers = answers.into_iter().map(|answer| (answer.into(), payload(answer))).collect();
            let request =
                Request { topic: topic.as_str().into(), answers, timeout: node.timeout, retry: node.retry.clone(), ..Request::default() };
            Self::Request(Box::new(request.typed(definition, schemas, node)))
        } else if !node.awaits.is_empty() {
            Self::Await
        } else if !node.cancel.is_empty() {
            Self::Cancel(node.cancel.iter().filter_map(|name| names.get(name.as_str()).copied()).collect())
        } else {
            Self::Value(payload_of(node.output.as_ref()))
        }
    }
}

/// A payload of a definition. Every string of a validated definition is a template; one that is not yields nothing.
pub(crate) fn payload_of(value: Option<&Value>) -> Payload {
    value.and_then(|value| Payload::parse(value).ok()).unwrap_or_else(Payload::null)
}

impl Request {
    /// What it is held to if it is a typed call, question or start.
    fn typed(self, definition: &Definition, schemas: &Schemas, node: &Node) -> Self {
        let Some(Value::Object(payload)) = &node.payload else { return self };
        let named = |key: &str, with: &str| payload.get(with).and(payload.get(key)).and_then(constant);
        match &*self.topic {
            topics::DISPATCH => match named("name", "args").and_then(|name| definition.tools.get_key_value(&name)) {
                Some((name, tool)) => Self {
                    timeout: self.timeout.or_else(|| answer_timeout(tool)),
                    retry: self.retry.clone().or_else(|| tool.retry.clone()),
                    approval: tool.approval.as_ref().map(|approval| (name.clone(), approval.clone())),
                    ..self.held(schemas, "tools", name, "args")
                },
                None => self,
            },
            topics::ASK => match named("agent", "args").and_then(|name| definition.agents.get_key_value(&name)) {
                Some((name, agent)) => {
                    let prompt = agent.prompt.as_ref().and_then(|name| definition.prompts.get_key_value(name));
                    let dynamic = prompt.filter(|(_, prompt)| prompt.tier == Tier::Dynamic);
                    let hydration = dynamic.map(|(name, _)| (name.clone(), schemas.id(&pointer("prompts", name, "hydrates"))));
                    Self { hydration, ..self.held(schemas, "agents", name, "args") }
                }
                None => self,
            },
            topics::START => match named("workflow", "input").filter(|name| definition.workflows.contains_key(name)) {
                Some(name) => self.held(schemas, "workflows", &name, "input"),
                None => self,
            },
            _ => self,
        }
    }

    fn held(self, schemas: &Schemas, part: &str, name: &str, key: &'static str) -> Self {
        let output = schemas.id(&pointer(part, name, "output"));
        let answers = self.answers.iter().map(|(topic, _)| (Arc::clone(topic), output)).collect();
        let typed = schemas.id(&pointer(part, name, "input")).map(|input| (key, input));
        Self { answers, typed, ..self }
    }

    pub(crate) fn accepts(&self, topic: &str) -> bool {
        self.answers.iter().any(|(answer, _)| **answer == *topic)
    }

    pub(crate) fn schema_of(&self, answer: &str) -> Option<SchemaId> {
        self.answers.iter().find(|(topic, _)| **topic == *answer)?.1
    }
}

/// How long the answer of a tool may take. The `timeout` of a deferred tool bounds its acknowledgement, which its host watches.
fn answer_timeout(tool: &Tool) -> Option<Duration> {
    tool.deferred.as_ref().map_or(tool.timeout, |deferred| deferred.deadline)
}

/// What a template says in which nothing is filled in.
fn constant(value: &Value) -> Option<String> {
    let template = Template::parse(value.as_str()?).ok()?;
    if template.placeholders().next().is_some() {
        return None;
    }
    Some(template.parts.into_iter().map(|part| if let weave_ir::TemplatePart::Text(text) = part { text } else { String::new() }).collect())
}
