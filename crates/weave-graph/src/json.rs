//! The graph as JSON, for programs that draw it themselves.

use serde_json::{Map, Value, json};

use crate::{Edge, EdgeCondition, Graph, GraphNode, Join, TriggerKind};

/// The version of the JSON form; it grows when a reader has to change.
pub const JSON_VERSION: &str = "2";

/// Workflows as one JSON document, with everything in full; `docs/graph.md` describes it.
#[must_use]
pub fn json(graphs: &[Graph]) -> String {
    let graph = |graph: &Graph| {
        json!({
            "workflow": graph.workflow,
            "nodes": graph.nodes.iter().map(node).collect::<Vec<_>>(),
            "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
        })
    };
    let document = json!({ "version": JSON_VERSION, "workflows": graphs.iter().map(graph).collect::<Vec<_>>() });
    format!("{document:#}\n")
}

impl Graph {
    /// The graph as a JSON document, as [`json()`].
    #[must_use]
    pub fn json(&self) -> String {
        json(std::slice::from_ref(self))
    }
}

fn node(node: &GraphNode) -> Value {
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(node.id));
    object.insert("kind".to_owned(), json!(node.kind.name()));
    object.insert("title".to_owned(), json!(node.title));
    for (key, list) in [("notes", &node.notes), ("problems", &node.problems)] {
        if !list.is_empty() {
            object.insert(key.to_owned(), json!(list));
        }
    }
    for (key, text) in [("output", &node.output), ("description", &node.description)] {
        if let Some(text) = text {
            object.insert(key.to_owned(), json!(text));
        }
    }
    Value::Object(object)
}

fn edge(edge: &Edge) -> Value {
    let mut object = Map::new();
    object.insert("from".to_owned(), json!(edge.from));
    object.insert("to".to_owned(), json!(edge.to));
    object.insert("trigger".to_owned(), json!(edge.trigger.name()));
    match &edge.trigger {
        TriggerKind::Topic(name) => object.insert("topic".to_owned(), json!(name)),
        TriggerKind::Tool(name) => object.insert("tool".to_owned(), json!(name)),
        TriggerKind::Timeout(after) => object.insert("after".to_owned(), json!(after)),
        TriggerKind::Join(Join::Count(count)) => object.insert("count".to_owned(), json!(count)),
        _ => None,
    };
    match &edge.condition {
        EdgeCondition::Always => {}
        EdgeCondition::When(guard) => {
            object.insert("when".to_owned(), json!(guard));
        }
        EdgeCondition::Also(guard) => {
            object.insert("when".to_owned(), json!(guard));
            object.insert("also".to_owned(), json!(true));
        }
        EdgeCondition::Else => {
            object.insert("else".to_owned(), json!(true));
        }
    }
    Value::Object(object)
}
