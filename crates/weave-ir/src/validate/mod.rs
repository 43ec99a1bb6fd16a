//! Whether what a definition says holds together, beyond its shape.
//!
//! These are the checks that a reader needs so that it can run the definition without asking again. What makes a *good* program
//! (reachable nodes, bounded loops, types of payloads) is the compiler's business and needs the source.

mod expressions;
mod nodes;
mod parts;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::problem::child;
use crate::wire::is_name;
use crate::{Definition, FORMAT_VERSION, Problem};

/// The names that a workflow reads beside its nodes, so that no node with an answer may have them.
const RESERVED: [&str; 6] = ["start", "event", "failure", "input", "response", "result"];

/// The kinds of failure that need no declaration.
pub const FAILURE_KINDS: [&str; 14] = [
    "execution_error",
    "invalid_input",
    "invalid_output",
    "timeout",
    "denied",
    "cancelled",
    "unavailable",
    "unknown_tool",
    "non_local_tool",
    "unknown_outcome",
    "max_turns",
    "elements",
    "stalled",
    "runaway",
];

/// One pass over a definition.
struct Check<'d> {
    definition: &'d Definition,
    ids: BTreeSet<&'d str>,
    problems: Vec<Problem>,
}

impl Definition {
    /// What is wrong with the definition: with its nodes, with what stands beside them, with references in schemas; empty if it is sound.
    #[must_use]
    pub fn validate(&self) -> Vec<Problem> {
        let ids = self.nodes.iter().map(|node| node.id.as_str()).collect();
        let mut check = Check { definition: self, ids, problems: Vec::new() };
        if self.weave != FORMAT_VERSION {
            check.report("/weave", format!("the version of the format is `{FORMAT_VERSION}`"));
        }
        if !is_name(&self.workflow) {
            check.report("/workflow", format!("`{}` is not a name", self.workflow));
        }
        check.nodes();
        check.parts();
        for (pointer, schema) in self.schemas() {
            check.schema(pointer, schema);
        }
        check.problems
    }
}

impl<'d> Check<'d> {
    fn report(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(pointer, message));
    }

    /// Demands that `name` is declared; `what` says as what.
    fn known(&mut self, pointer: &str, name: &str, known: bool, what: &str) {
        if !known {
            self.report(pointer, format!("`{name}` is not {what}"));
        }
    }

    fn known_node(&mut self, pointer: &str, id: &str) {
        let known = self.ids.contains(id);
        self.known(pointer, id, known, "a node of this workflow");
    }

    fn known_topic(&mut self, pointer: &str, topic: &str) {
        let known = self.definition.events.contains_key(topic);
        self.known(pointer, topic, known, "a topic in `events`");
    }

    /// Demands that each `#/$defs/NAME` in a schema is there.
    fn schema(&mut self, pointer: String, schema: &'d crate::Schema) {
        let mut open = vec![(pointer, schema.as_value())];
        while let Some((pointer, value)) = open.pop() {
            match value {
                Value::Object(entries) => {
                    if let Some(Value::String(reference)) = entries.get("$ref") {
                        self.reference(&pointer, reference);
                    }
                    // What stands under these keys is data and may look like anything.
                    let schemas = entries.iter().filter(|(key, _)| !matches!(key.as_str(), "const" | "enum" | "default" | "examples"));
                    let deeper: Vec<_> = schemas.map(|(key, value)| (child(&pointer, key), value)).collect();
                    open.extend(deeper.into_iter().rev());
                }
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().rev().map(|(index, item)| (child(&pointer, index), item)));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }

    fn reference(&mut self, pointer: &str, reference: &str) {
        let name = reference.strip_prefix("#/$defs/").map(|name| name.replace("~1", "/").replace("~0", "~"));
        let known = name.is_some_and(|name| self.definition.defs.contains_key(&name));
        self.known(&child(pointer, "$ref"), reference, known, "a schema in `$defs`");
    }
}
