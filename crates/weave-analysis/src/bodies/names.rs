//! The names of nodes.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use weave_syntax::ast::{Name, NodeKind};

use super::Body;
use crate::messages::bodies as message;

/// What a step cannot be called, because a path or a trigger of this name means something else.
pub(super) const RESERVED: [&str; 6] = ["start", "event", "failure", "input", "response", "result"];

impl Body<'_> {
    /// Puts the nodes into their order: those of the model first, behind them those whose name is taken.
    pub(super) fn name_nodes(&mut self) {
        let mut taken = Vec::new();
        for node in &self.owner.written.nodes {
            let name = node.name.text(self.item.text);
            if !name.is_empty() {
                match self.by_name.entry(name) {
                    Entry::Vacant(entry) => {
                        entry.insert(self.nodes.len() as u32);
                    }
                    Entry::Occupied(entry) => {
                        if let Some(first) = self.nodes.get(*entry.get() as usize) {
                            self.sink.report(message::duplicate_node(
                                name,
                                self.item.place(node.name.span),
                                self.item.place(first.name.span),
                            ));
                        }
                        taken.push(node);
                        continue;
                    }
                }
                if node.kind == NodeKind::Step && RESERVED.contains(&name) {
                    self.sink.report(message::reserved_step_name(name, self.item.place(node.name.span)));
                }
            }
            self.nodes.push(node);
        }
        self.kept = self.nodes.len();
        self.nodes.extend(taken);
        self.names = self.nodes.iter().map(|node| Arc::from(node.name.text(self.item.text))).collect();
    }

    /// The nodes that are not in the model because their name is taken, each with the node that has it.
    pub(super) fn lost(&self) -> Vec<(u32, NodeKind)> {
        let lost = self.nodes.iter().skip(self.kept);
        lost.filter_map(|node| Some((*self.by_name.get(node.name.text(self.item.text))?, node.kind))).collect()
    }

    /// The step of this name; nothing if there is none, which is reported.
    pub(super) fn step(&self, name: Name) -> Option<u32> {
        if name.is_missing() {
            return None;
        }
        let word = self.text(name.span);
        match self.by_name.get(word) {
            Some(index) if self.kind(*index) == Some(NodeKind::Step) => Some(*index),
            Some(index) => {
                self.report(message::not_a_step(word, self.node_noun(*index), self.place(name.span), self.name_place(*index)));
                None
            }
            None => {
                let names = self.sink.worth_a_suggestion().then(|| self.step_names());
                self.report(message::unknown_step(word, names.as_deref(), self.place(name.span)));
                None
            }
        }
    }

    /// All of these steps; nothing if one of them is none, which is reported.
    pub(super) fn steps(&self, names: &[Name]) -> Option<Box<[u32]>> {
        let found = names.iter().map(|name| self.step(*name)).collect::<Vec<_>>();
        found.into_iter().collect::<Option<Vec<_>>>().filter(|steps| !steps.is_empty()).map(Vec::into_boxed_slice)
    }

    /// The steps of a join, in the order in which they are declared: joins of the same steps are the same trigger, however they are written.
    pub(super) fn joined(&self, names: &[Name]) -> Option<Box<[u32]>> {
        let mut steps = self.steps(names)?;
        steps.sort_unstable();
        Some(steps)
    }

    /// The names of the steps.
    pub(super) fn step_names(&self) -> Vec<Arc<str>> {
        let steps = self.nodes.iter().zip(&self.names).take(self.kept);
        steps.filter(|(node, name)| node.kind == NodeKind::Step && !name.is_empty()).map(|(_, name)| Arc::clone(name)).collect()
    }

    /// What a node is, with its article.
    pub(super) fn node_noun(&self, index: u32) -> &'static str {
        match self.kind(index) {
            Some(NodeKind::End) => "an `end`",
            Some(NodeKind::Fail) => "a `fail`",
            _ => "a step",
        }
    }

    /// Where the name of a node stands.
    pub(super) fn name_place(&self, index: u32) -> weave_diagnostics::Place {
        self.place(self.nodes.get(index as usize).map(|node| node.name.span).unwrap_or_default())
    }
}
