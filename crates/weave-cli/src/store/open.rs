//! What can be answered in a run.

use serde_json::Value;
use weave_host::{ItemKind, Key};
use weave_ir::Schema;
use weave_scroll::{RowState, Time};

use super::view::View;

/// An open request.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The run that asks.
    pub(super) run: String,
    /// What the answer names in `re`.
    pub(super) re: String,
    pub(super) attempt: u32,
    /// The step that waits.
    pub(super) node: String,
    /// The topic of the request.
    pub(super) topic: String,
    /// The tool, agent, prompt, workflow or topic.
    pub(super) name: String,
    /// The payload of the request, where the outbox has it.
    pub(super) data: Value,
    /// The topics that answer it, each with the schema of its payload, if there is one.
    pub(super) answers: Vec<(String, Option<Schema>)>,
    /// It is a call whose outcome is unknown; the number of the sending.
    pub(super) unknown: Option<u32>,
    /// When the step gives up waiting.
    pub(super) until: Option<Time>,
}

impl Open {
    /// Whether it waits for a person: an approval, a question, or what became of a call.
    pub(super) fn asks_people(&self) -> bool {
        self.unknown.is_some() || !matches!(self.topic.as_str(), "ai.request" | "prompt.hydrate.request" | "tool.dispatch")
    }
}

/// What can be answered in a run, in the order of the steps.
pub(super) fn requests(view: &View) -> Vec<Open> {
    let definition = view.definition();
    let run = &view.row.id;
    let mut open = Vec::new();
    for request in view.drive.runner().open_requests() {
        if matches!(request.topic, "timer.set" | "workflow.start") {
            continue;
        }
        let item = view.drive.items().find(|(key, _)| key.part.is_empty() && key.id == request.id && key.attempt == request.attempt);
        open.push(Open {
            run: run.clone(),
            attempt: request.attempt,
            node: request.node.unwrap_or_default().to_owned(),
            topic: request.topic.to_owned(),
            name: item.map(|(_, item)| item.name.clone()).unwrap_or_default(),
            data: item.map(|(_, item)| item.data.clone()).unwrap_or_default(),
            answers: request.answers.iter().map(|(topic, schema)| ((*topic).to_owned(), schema.cloned())).collect(),
            unknown: item.filter(|(_, item)| item.state == RowState::Unknown).map(|(_, item)| item.sendings),
            until: until(view, &request.id),
            re: request.id,
        });
    }
    // What an agent asks for inside its loop.
    for (key, item) in view.drive.items().filter(|(key, _)| !key.part.is_empty()) {
        let tool = definition.tools.get(&item.name);
        let answers = match (item.kind, item.topic.as_str()) {
            (ItemKind::Question, "tool.approval.requested") => {
                let topic = "tool.approval.decided";
                vec![(topic.to_owned(), definition.events.get(topic).map(|event| event.payload.clone()))]
            }
            (ItemKind::Question | ItemKind::Call, _) => vec![("tool.result".to_owned(), tool.map(|tool| tool.output.clone()))],
            _ => continue,
        };
        open.push(Open {
            run: run.clone(),
            re: key.name(),
            attempt: key.attempt,
            node: node_of(run, key),
            topic: item.topic.clone(),
            name: item.name.clone(),
            data: item.data.clone(),
            answers,
            unknown: Some(item.sendings).filter(|_| item.state == RowState::Unknown),
            until: until(view, &key.id),
        });
    }
    open
}

/// When the step of a request gives up waiting: its first timer.
fn until(view: &View, request: &str) -> Option<Time> {
    let firing = request.split('@').next().unwrap_or(request);
    let own = |key: &Key| key.id.strip_prefix(firing).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'));
    let timers = view.drive.items().filter(|(key, item)| item.kind == ItemKind::Timer && own(key));
    timers.map(|(_, item)| item.due).min()
}

fn node_of(run: &str, key: &Key) -> String {
    let place = key.id.strip_prefix(run).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&key.id);
    place.split(['#', '@']).next().unwrap_or(place).to_owned()
}
