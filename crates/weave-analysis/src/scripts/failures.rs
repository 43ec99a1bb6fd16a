//! Failures that happen in a test, or are expected.

use std::sync::Arc;

use weave_syntax::ast::{Expr, Given, LiteralKind, Name};
use weave_syntax::text;

use super::Checker;
use crate::expression::{Environment, check_script_arguments};
use crate::messages::scripts as message;
use crate::model::declarations::{FAILURE_KINDS, FailureName};
use crate::model::script::Failure;
use crate::model::workflow::{Action, Node};
use crate::model::{DeclarationKind, Lookup};

/// The kinds with which an `ask`, a `call` or a request of its own can fail, whatever it declares.
const OF_REQUESTS: [&str; 7] = ["execution_error", "timeout", "denied", "cancelled", "unavailable", "invalid_output", "unknown_outcome"];

/// What failures a step can have.
pub(super) struct Possible {
    kinds: Vec<&'static str>,
    /// Declared errors, by name.
    errors: Vec<Arc<str>>,
    /// The `fail` nodes of a child.
    codes: Vec<Arc<str>>,
}

impl Possible {
    /// All of them, declared errors first.
    pub(super) fn names(&self) -> Vec<Arc<str>> {
        let kinds = self.kinds.iter().map(|kind| Arc::from(*kind));
        self.errors.iter().chain(&self.codes).cloned().chain(kinds).collect()
    }
}

impl Checker<'_> {
    /// The failures that a step can have; nothing if it cannot fail.
    pub(super) fn possible(&self, node: &Node) -> Option<Possible> {
        let kinds = |more: &[&'static str]| OF_REQUESTS.iter().chain(more).copied().collect();
        let none = |kinds| Possible { kinds, errors: Vec::new(), codes: Vec::new() };
        Some(match &node.action {
            Action::Ask { .. } => none(kinds(&["max_turns", "invalid_input", "unknown_tool", "non_local_tool"])),
            Action::Call { .. } => {
                let (tool, _) = self.tool_of(node)?;
                let errors = tool.fails.iter().filter_map(|name| match name {
                    FailureName::Error(id) => self.model.get(*id).map(|it| Arc::clone(&it.name)),
                    FailureName::Kind(_) => None,
                });
                Possible { kinds: kinds(&["invalid_input", "unknown_tool", "non_local_tool"]), errors: errors.collect(), codes: Vec::new() }
            }
            Action::Run { workflow, .. } => {
                let DeclarationKind::Workflow(child) = &self.model.get(*workflow)?.kind else { return None };
                Possible { kinds: FAILURE_KINDS.to_vec(), errors: Vec::new(), codes: child.failures.to_vec() }
            }
            Action::Emit { event, .. } => {
                let (event, declaration) = self.event(*event)?;
                if event.answers.is_empty() {
                    return None;
                }
                // A request that is written out may be any question or call.
                let is_plain = super::lines::PLAIN_REQUESTS.contains(&&*declaration.name);
                none(if is_plain { kinds(&["max_turns", "invalid_input", "unknown_tool", "non_local_tool"]) } else { kinds(&[]) })
            }
            _ => return None,
        })
    }

    /// The failures that the whole run can have.
    pub(super) fn possible_of_run(&self) -> Possible {
        let mut all = Possible { kinds: FAILURE_KINDS.to_vec(), errors: Vec::new(), codes: Vec::new() };
        for possible in self.nodes.iter().filter_map(|node| self.possible(node)) {
            all.errors.extend(possible.errors);
            all.codes.extend(possible.codes);
        }
        all
    }

    /// A failure that a line names; `who` is the step, for messages.
    pub(super) fn failure(&self, kind: Name, payload: Option<&Given>, possible: &Possible, who: Option<&str>) -> Option<Failure> {
        if kind.is_missing() {
            return None;
        }
        let (word, place) = (self.text(kind.span), self.place(kind.span));
        let is_error = possible.errors.iter().any(|name| **name == *word);
        let is_code = possible.codes.iter().any(|name| **name == *word);
        if is_error {
            let data = self.data_of(word, kind, payload)?;
            return Some(Failure {
                kind: Arc::from("execution_error"),
                code: Some(Arc::from(word)),
                kind_place: place,
                message: None,
                data,
            });
        }
        if !is_code && !possible.kinds.contains(&word) {
            let declared = match self.scope.lookup(word, false) {
                Lookup::Found(id) => self.model.get(id).filter(|found| matches!(found.kind, DeclarationKind::Error(_))),
                _ => None,
            };
            self.report(message::impossible_failure(word, who, &possible.names(), place, declared.map(|found| found.place)));
            return None;
        }
        let message = match payload.map(|given| &given.value) {
            None => None,
            Some(Expr::Literal(literal)) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) => {
                Some((Arc::from(&*text::literal_value(self.item.text, *literal)), self.place(literal.span)))
            }
            Some(other) => {
                self.report(message::message_wanted(word, self.place(other.span())));
                return None;
            }
        };
        let (kind, code) = if is_code { ("execution_error", Some(Arc::from(word))) } else { (word, None) };
        Some(Failure { kind: Arc::from(kind), code, kind_place: place, message, data: None })
    }

    /// The data of a declared error. It has to be there if the error has fields that must be.
    fn data_of(&self, word: &str, kind: Name, payload: Option<&Given>) -> Option<Option<crate::model::value::Value>> {
        let Lookup::Found(id) = self.scope.lookup(word, false) else { return Some(None) };
        let Some(DeclarationKind::Error(record)) = self.model.get(id).map(|found| &found.kind) else { return Some(None) };
        if let Some(given) = payload {
            let env = Environment::new(self.model, self.item, &(), self.sink);
            return Some(Some(check_script_arguments(&env, &given.value, record, word)));
        }
        let needed: Vec<&str> = record.fields.iter().filter(|field| !field.may_be_left_out()).map(|field| &*field.name).collect();
        if needed.is_empty() {
            return Some(None);
        }
        self.report(message::data_is_missing(word, &needed, self.place(kind.span)));
        None
    }

    /// Whether what fails in this way is tried again.
    pub(super) fn is_retried(&self, node: &Node, failure: &Failure) -> bool {
        let of_callee = match &node.action {
            Action::Call { .. } => self.tool_of(node).and_then(|(tool, _)| tool.retry.as_ref()),
            Action::Ask { agent, .. } => match self.model.get(*agent).map(|it| &it.kind) {
                Some(DeclarationKind::Agent(agent)) => agent.retry.as_ref(),
                _ => None,
            },
            _ => None,
        };
        let Some(retry) = node.retry.as_ref().or(of_callee) else { return false };
        let name = failure.code.as_ref().unwrap_or(&failure.kind);
        let is_it = |on: &FailureName| match on {
            FailureName::Kind(kind) => kind == name,
            FailureName::Error(id) => self.model.get(*id).is_some_and(|error| error.name == *name),
        };
        retry.max > 0 && (retry.on.is_empty() || retry.on.iter().any(is_it))
    }
}
