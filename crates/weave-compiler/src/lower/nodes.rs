//! The nodes of a workflow.

use serde_json::{Map, Value as Json, json};
use weave_analysis::model::declarations::Retry;
use weave_analysis::model::value::{PathValue, ResolvedPath, Value};
use weave_analysis::model::workflow::{Action, Node, Time};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_ir::{Duration, Each, Outcome};

use super::built_in::{ASK, CALL, RUN, TIMER};
use super::children::Digests;
use super::guard::guard;
use super::parts::{duration, retry, said};
use super::places::Places;
use super::triggers::Triggers;
use super::values::{child, small, template, value, whole};

/// Lowers the nodes of one workflow.
pub(super) struct Nodes<'a> {
    pub(super) model: &'a Model,
    pub(super) triggers: Triggers<'a>,
    pub(super) digests: &'a Digests,
}

/// A path that stands alone.
fn placeholder(path: &ResolvedPath) -> Json {
    whole(&PathValue { path: path.clone(), default: None }).into()
}

impl Nodes<'_> {
    /// The node with the index `index`.
    pub(super) fn lower(&self, index: usize, node: &Node, places: &mut Places) -> weave_ir::Node {
        let pointer = format!("/nodes/{index}");
        places.node(&node.name, node.place);
        places.add(pointer.clone(), node.place);
        places.add(format!("{pointer}/id"), node.name_place);
        let mut target = weave_ir::Node::new(&*node.name);
        target.description = node.docs.as_deref().map(str::to_owned);
        self.triggers.lower(node, &mut target, &pointer, places);
        target.limit = node.limit.map(small);
        if let Some(each) = &node.each
            && let Some(list) = &each.list
        {
            places.add(format!("{pointer}/each"), list.place);
            target.each = Some(Each {
                list: whole(&PathValue { path: list.clone(), default: None }),
                variable: each.variable.to_string(),
                parallel: each.parallel.map(small),
                min: each.min.map(small),
            });
        }
        self.action(node, &mut target, &pointer, places);
        let (timeout, again) = self.callee_settings(node);
        target.timeout = duration(node.timeout.or(timeout));
        target.retry = node.retry.as_ref().or(again).map(|it| retry(self.model, it));
        target.history = node.history.iter().map(|step| self.triggers.step(step.node)).collect();
        target
    }

    /// What an agent says about its requests, where the step says nothing. (A tool says it in its own part of the definition.)
    fn callee_settings(&self, node: &Node) -> (Option<u64>, Option<&Retry>) {
        let Action::Ask { agent, .. } = &node.action else { return (None, None) };
        match self.model.get(*agent).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Agent(agent)) => (agent.timeout, said(agent.retry.as_ref())),
            _ => (None, None),
        }
    }

    fn action(&self, node: &Node, target: &mut weave_ir::Node, pointer: &str, places: &mut Places) {
        match &node.action {
            Action::Ask { agent: callee, arguments }
            | Action::Call { tool: callee, arguments }
            | Action::Run { workflow: callee, arguments } => {
                self.invoke(*callee, arguments, target, pointer, places);
            }
            Action::Emit { event, payload } => {
                target.emit = self.model.get(*event).map(|declaration| declaration.name.to_string());
                target.payload = Some(value(payload, &child(pointer, "payload"), places));
            }
            Action::WaitFor(time) => self.timer("after", after(time), target),
            Action::WaitUntil(at) => {
                let at = value(at, &format!("{pointer}/payload/at"), places);
                self.timer("at", at, target);
            }
            Action::WaitTopics { topics, guard: condition } => {
                target.awaits = topics.iter().filter_map(|topic| self.model.get(*topic)).map(|topic| topic.name.to_string()).collect();
                if let Some(condition) = condition {
                    places.add(format!("{pointer}/match"), condition.place);
                    target.matches = Some(guard(self.model, condition));
                }
            }
            Action::Cancel(steps) => target.cancel = steps.iter().map(|step| self.triggers.step(step.node)).collect(),
            Action::Value(output) => target.output = Some(value(output, &child(pointer, "output"), places)),
            Action::End(output) => {
                target.terminal = true;
                target.output = output.as_ref().map(|output| value(output, &child(pointer, "output"), places));
            }
            Action::Fail(message) => {
                target.terminal = true;
                target.outcome = Some(Outcome::Failed);
                if let Some(message) = message {
                    places.add(format!("{pointer}/message"), message.place);
                    target.message = Some(template(message));
                }
            }
            Action::Unknown => {}
        }
    }

    /// `ask`, `call` and `run` are emitted as their topics; what is called decides which.
    fn invoke(&self, callee: DeclarationId, arguments: &Value, target: &mut weave_ir::Node, pointer: &str, places: &mut Places) {
        let Some(declaration) = self.model.get(callee) else { return };
        let mut payload = Map::new();
        let (topic, key, arguments_key) = match declaration.kind {
            DeclarationKind::Agent(_) => (ASK, "agent", "args"),
            DeclarationKind::Workflow(_) => (RUN, "workflow", "input"),
            _ => (CALL, "name", "args"),
        };
        payload.insert(key.to_owned(), (&*declaration.name).into());
        if let DeclarationKind::Workflow(_) = declaration.kind {
            payload.insert("digest".to_owned(), self.digests.get(&callee).map(String::as_str).unwrap_or_default().into());
        }
        payload.insert(arguments_key.to_owned(), value(arguments, &format!("{pointer}/payload/{arguments_key}"), places));
        target.emit = Some(topic.to_owned());
        target.payload = Some(Json::Object(payload));
    }

    fn timer(&self, key: &str, value: Json, target: &mut weave_ir::Node) {
        target.emit = Some(TIMER.to_owned());
        target.payload = Some(json!({ key: value }));
    }
}

fn after(time: &Time) -> Json {
    match time {
        Time::Constant(milliseconds) => Duration::from_milliseconds(*milliseconds).to_string().into(),
        Time::Path(path) => placeholder(path),
        Time::Unknown => Json::Null,
    }
}
