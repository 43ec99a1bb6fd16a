//! What a leading dot names in a node.

use std::sync::Arc;

use weave_syntax::ast::NodeKind;

use super::Body;
use super::events::Raw;
use super::names::RESERVED;
use crate::expression::{Lookup, Unreadable, Values, Variable};
use crate::messages::bodies as message;
use crate::model::types::Type;
use crate::model::value::PathRoot;
use crate::model::workflow::Source;

/// The values of a node, or of one of its triggers.
pub(super) struct NodeValues<'b, 'a> {
    body: &'b Body<'a>,
    /// What fires it.
    sources: &'b [Source],
    /// The variable of `each` and the type of an element.
    pub(super) variable: Option<(Arc<str>, Type)>,
}

impl<'b, 'a> NodeValues<'b, 'a> {
    pub(super) const fn new(body: &'b Body<'a>, sources: &'b [Source]) -> Self {
        Self { body, sources, variable: None }
    }

    fn event(&self) -> Result<Type, Unreadable> {
        self.body.event(self.sources)
    }

    fn step(&self, name: &str) -> Lookup {
        let body = self.body;
        let Some(index) = body.by_name.get(name).copied() else { return Lookup::Unknown };
        match body.kind(index) {
            Some(NodeKind::Step) => {
                let root = PathRoot::Step { node: index, name: body.name(index) };
                found(root, body.answer(index))
            }
            _ => Lookup::Unreadable(message::not_a_value(name, body.node_noun(index))),
        }
    }
}

fn found(root: PathRoot, ty: Type) -> Lookup {
    Lookup::Found(Variable { root, ty, absent: None })
}

fn readable(root: PathRoot, ty: Result<Type, Unreadable>) -> Lookup {
    match ty {
        Ok(ty) => found(root, ty),
        Err(why) => Lookup::Unreadable(why),
    }
}

impl Values for NodeValues<'_, '_> {
    fn lookup(&self, name: &str) -> Lookup {
        if let Some((variable, ty)) = &self.variable
            && **variable == *name
        {
            return found(PathRoot::Variable(Arc::clone(variable)), ty.clone());
        }
        // A step that is called like something built in has been reported; what is meant by the name nobody knows.
        if RESERVED.contains(&name)
            && let Some(node) = self.body.by_name.get(name).copied()
            && self.body.kind(node) == Some(NodeKind::Step)
        {
            return found(PathRoot::Step { node, name: Arc::from(name) }, Type::Unknown);
        }
        match name {
            "input" => found(PathRoot::Input, Type::Record(Arc::clone(&self.body.owner.signature.input))),
            "event" => readable(PathRoot::Event, self.event()),
            "failure" => readable(PathRoot::Failure, self.body.failure(self.sources)),
            "response" => readable(PathRoot::Response, self.body.raw_event(Raw::Response, self.sources)),
            "result" => readable(PathRoot::Result, self.body.raw_event(Raw::Result, self.sources)),
            "start" => Lookup::Unreadable(message::start_is_no_value()),
            _ => self.step(name),
        }
    }

    fn names(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        names.extend(self.variable.iter().map(|(name, _)| Arc::clone(name)));
        names.push(Arc::from("input"));
        if self.event().is_ok() {
            names.push(Arc::from("event"));
        }
        if self.body.failure(self.sources).is_ok() {
            names.push(Arc::from("failure"));
        }
        for (name, raw) in [("response", Raw::Response), ("result", Raw::Result)] {
            if self.body.raw_event(raw, self.sources).is_ok() {
                names.push(Arc::from(name));
            }
        }
        names.extend(self.body.step_names());
        names
    }
}

/// What the guard of a mailbox can read: all that its node can, with `.event` for what lies in the mailbox.
pub(super) struct MailboxValues<'v> {
    /// What the node can read.
    pub(super) node: &'v dyn Values,
    /// The type of the events in the mailbox.
    pub(super) event: Type,
}

impl Values for MailboxValues<'_> {
    fn lookup(&self, name: &str) -> Lookup {
        if name == "event" { found(PathRoot::Event, self.event.clone()) } else { self.node.lookup(name) }
    }

    fn names(&self) -> Vec<Arc<str>> {
        let mut names = self.node.names();
        if names.iter().all(|name| **name != *"event") {
            names.push(Arc::from("event"));
        }
        names
    }
}
