//! A workflow as a picture.
//!
//! [`Graph::of`] reads from a definition what follows what: the nodes of the workflow, what they listen to, and under which condition.
//! It adds what a node list leaves unsaid: the start of the run, the events that come from outside, and a small node for each join. The
//! graph is plain data in a fixed order, and has four forms: [`mermaid()`], [`dot()`], [`json()`] and [`svg()`], each for one workflow or for
//! several. [`Graph::written`] uses the words of the author, who may have written `30d` where the definition says `PT720H`.

mod dot;
mod graph;
mod json;
mod layout;
mod mermaid;
mod read;
mod svg;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use dot::dot;
pub use graph::{Edge, EdgeCondition, Graph, GraphNode, Join, NodeKind, TriggerKind};
pub use json::{JSON_VERSION, json};
pub use mermaid::mermaid;
pub use svg::svg;
pub use words::Source;
