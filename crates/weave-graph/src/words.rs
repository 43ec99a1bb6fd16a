//! What is written in a node: what it does and its settings, in the words of the language or of the author.

use serde_json::Value;
use weave_ir::{Backoff, Definition, Duration, Guard, Node, OfferedTool, Outcome, SourceMap, Template};

use crate::read::plain;
use crate::text::{one_line, written_duration};
use crate::{GraphNode, NodeKind};

/// The program that a definition was made from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The source map of the definition.
    pub map: &'a SourceMap,
    /// The text of the file that declares the workflow.
    pub text: &'a str,
}

/// How the parts of one definition are written.
pub(crate) struct Words<'a> {
    definition: &'a Definition,
    source: Option<Source<'a>>,
    /// The index of the file of the workflow in the source map.
    home: Option<u32>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(definition: &'a Definition, source: Option<Source<'a>>) -> Self {
        let home = source.and_then(|source| source.map.nodes.values().next()).map(|range| range.source);
        Self { definition, source, home }
    }

    /// What the author wrote at this place of the definition; nothing if that is in another file.
    fn slice(&self, pointer: &str) -> Option<&'a str> {
        let source = self.source?;
        let range = source.map.paths.get(pointer).filter(|range| Some(range.source) == self.home)?;
        source.text.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
    }

    /// A duration in the units of the author, if they are found at one of these places.
    pub(crate) fn duration(&self, length: Duration, pointers: &[&str]) -> String {
        let mut slices = pointers.iter().filter_map(|pointer| self.slice(pointer));
        slices.find_map(|slice| written_duration(slice, length)).map_or_else(|| length.words(), str::to_owned)
    }

    pub(crate) fn guard(&self, guard: &Guard, pointer: &str) -> String {
        self.slice(pointer).map_or_else(|| guard.text(), one_line)
    }

    /// A node of the workflow, which has this place in the definition.
    pub(crate) fn node(&self, node: &Node, pointer: &str) -> GraphNode {
        let (kind, title) = self.action(node, pointer);
        GraphNode {
            notes: self.notes(node, kind, pointer),
            output: self.output(node, pointer),
            description: node.description.clone(),
            ..plain(&node.id, kind, title)
        }
    }

    /// What a node does.
    fn action(&self, node: &Node, pointer: &str) -> (NodeKind, String) {
        if node.terminal {
            return if node.outcome == Some(Outcome::Failed) { (NodeKind::Fail, "fail".into()) } else { (NodeKind::End, "end".into()) };
        }
        if let Some(topic) = &node.emit {
            return self.emission(topic, node.payload.as_ref(), pointer);
        }
        if !node.awaits.is_empty() {
            let topics = node.awaits.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
            return (NodeKind::Mailbox, format!("wait {topics}"));
        }
        if !node.cancel.is_empty() {
            return (NodeKind::Cancel, format!("cancel {}", node.cancel.join(", ")));
        }
        (NodeKind::Value, "value".into())
    }

    fn emission(&self, topic: &str, payload: Option<&Value>, pointer: &str) -> (NodeKind, String) {
        let field = |key: &str| payload.and_then(|payload| payload.get(key)).and_then(Value::as_str);
        match topic {
            "ai.request" => {
                if let Some(agent) = agent(self.definition, topic, payload) {
                    return (NodeKind::Ask, format!("ask {agent}"));
                }
            }
            "tool.dispatch" if has_arguments(payload) => {
                if let Some(tool) = field("name").filter(|tool| self.definition.tools.contains_key(*tool)) {
                    return (NodeKind::Call, format!("call {tool}"));
                }
            }
            "workflow.start" => {
                if let Some(workflow) = field("workflow") {
                    return (NodeKind::Run, format!("run {workflow}"));
                }
            }
            "timer.set" => {
                if let Some(after) = field("after") {
                    let after = after.parse().map_or_else(|_| whole(after), |length| self.duration(length, &[pointer]));
                    return (NodeKind::Wait, format!("wait {after}"));
                }
                if let Some(at) = field("at") {
                    return (NodeKind::Wait, format!("wait until {}", whole(at)));
                }
            }
            _ => {}
        }
        (NodeKind::Emit, format!("emit {topic}"))
    }

    /// The settings of a node, one a line; of an `ask` also those of its agent that decide what happens.
    fn notes(&self, node: &Node, kind: NodeKind, pointer: &str) -> Vec<String> {
        let mut notes = Vec::new();
        let name = node.emit.as_deref().filter(|_| kind == NodeKind::Ask);
        let name = name.and_then(|topic| agent(self.definition, topic, node.payload.as_ref()));
        if let Some(agent) = name.and_then(|name| self.definition.agents.get(name)) {
            notes.extend(agent.model.as_ref().map(|model| format!("model {model}")));
            let tools = agent.tools.iter().map(declared).collect::<Vec<_>>();
            notes.extend((!tools.is_empty()).then(|| format!("tools {}", tools.join(", "))));
        }
        if let Some(each) = &node.each {
            notes.push(format!("each {} in {}", each.variable, whole(&each.list)));
            let parallel = each.parallel.map(|parallel| format!("{parallel} at a time"));
            let least = each.min.map(|least| format!("min {least}"));
            notes.extend(joined(parallel.into_iter().chain(least)));
        }
        if let Some(guard) = &node.matches {
            notes.push(format!("when {}", self.guard(guard, &format!("{pointer}/match"))));
        }
        let limit = node.limit.map(|limit| format!("limit {limit}"));
        let declared = name.map(|name| format!("/agents/{name}")).unwrap_or_default();
        let timeout = node.timeout.map(|timeout| format!("timeout {}", self.duration(timeout, &[pointer, &declared])));
        let retry = node.retry.as_ref().map(|retry| match retry.backoff {
            Some(Backoff::Exponential) => format!("retry {} exponential", retry.max),
            Some(Backoff::Linear) => format!("retry {} linear", retry.max),
            None => format!("retry {}", retry.max),
        });
        notes.extend(joined(limit.into_iter().chain(timeout).chain(retry)));
        if !node.history.is_empty() {
            notes.push(format!("history {}", node.history.join(", ")));
        }
        notes
    }

    /// What an end or a value gives, or the message of a failed end.
    fn output(&self, node: &Node, pointer: &str) -> Option<String> {
        let (key, value) = match (&node.output, &node.message) {
            (Some(output), _) => ("output", literal(output)),
            (None, Some(message)) => ("message", literal(&Value::String(message.clone()))),
            (None, None) => return None,
        };
        // A value over several lines has line breaks where one line needs commas.
        let written = self.slice(&format!("{pointer}/{key}")).filter(|written| !written.contains('\n'));
        Some(written.map_or(value, one_line))
    }
}

/// Whether a payload was made by `ask` or `call`, and not written by hand.
fn has_arguments(payload: Option<&Value>) -> bool {
    payload.is_some_and(|payload| payload.get("args").is_some())
}

/// The agent that an emission asks.
fn agent<'n>(definition: &Definition, topic: &str, payload: Option<&'n Value>) -> Option<&'n str> {
    let name = payload.filter(|_| topic == "ai.request" && has_arguments(payload))?.get("agent")?.as_str()?;
    definition.agents.contains_key(name).then_some(name)
}

/// The declared name of what an agent may use.
fn declared(offered: &OfferedTool) -> &str {
    match offered {
        OfferedTool::Tool { tool: name, .. } | OfferedTool::Agent { agent: name, .. } | OfferedTool::Workflow { workflow: name, .. } => {
            name
        }
    }
}

/// The path of a template that is one placeholder; any other text is itself.
fn whole(text: &str) -> String {
    path(text).unwrap_or_else(|| text.to_owned())
}

fn path(text: &str) -> Option<String> {
    let template = Template::parse(text).ok()?;
    let placeholder = template.whole()?;
    let default = placeholder.default.as_ref().map(|default| format!(" ?? {default}")).unwrap_or_default();
    Some(format!("{}{default}", placeholder.path))
}

/// A value of the definition as the language writes it: `{ status: "paid", id: .pay.id }`.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => path(text).unwrap_or_else(|| Value::String(text.clone()).to_string()),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let name = |key: &str| {
                let plain = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                    && key.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
                if plain { key.to_owned() } else { Value::String(key.to_owned()).to_string() }
            };
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", name(key), literal(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Short settings share a line.
fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let line = parts.collect::<Vec<_>>().join(" · ");
    (!line.is_empty()).then_some(line)
}
