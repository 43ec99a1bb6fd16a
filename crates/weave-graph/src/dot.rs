//! The graph in the language of Graphviz.

use crate::text::shortened;
use crate::{EdgeCondition, Graph, GraphNode, NodeKind, TriggerKind};

/// Longer lines are cut.
const LONGEST_LINE: usize = 60;

/// Workflows as text for Graphviz: several are clusters of one graph.
#[must_use]
pub fn dot(graphs: &[Graph]) -> String {
    let name = graphs.first().filter(|_| graphs.len() == 1).map_or("workflows", |only| only.workflow.as_str());
    let mut text = format!("digraph {} {{\n", quoted(name));
    text.push_str("  node [fontname=\"Helvetica\", fontsize=11, style=\"filled\"]\n  edge [fontname=\"Helvetica\", fontsize=10]\n");
    match graphs {
        [only] => text.push_str(&only.cluster("  ", "")),
        several => {
            for (index, graph) in several.iter().enumerate() {
                let label = quoted(&graph.workflow);
                let statements = graph.cluster("    ", &format!("{index}/"));
                text.push_str(&format!("  subgraph \"cluster_{index}\" {{\n    label={label}\n{statements}  }}\n"));
            }
        }
    }
    text.push_str("}\n");
    text
}

impl Graph {
    /// The graph as text for Graphviz: `dot -Tsvg`.
    #[must_use]
    pub fn dot(&self) -> String {
        dot(std::slice::from_ref(self))
    }

    /// Its nodes and edges; each name begins with the prefix.
    fn cluster(&self, indent: &str, prefix: &str) -> String {
        let mut text = String::new();
        let quoted = |id: &str| quoted(&format!("{prefix}{id}"));
        for node in &self.nodes {
            text.push_str(&format!("{indent}{} [label={}, {}]\n", quoted(&node.id), label(&lines(node)), look(node)));
        }
        for edge in &self.edges {
            let mut settings = Vec::new();
            let caption = edge.caption();
            if !caption.is_empty() {
                settings.push(format!("label={}", label(&caption)));
            }
            match &edge.trigger {
                TriggerKind::Failure => settings.push("style=dashed, color=\"#dc2626\"".to_owned()),
                TriggerKind::Timeout(_) => settings.push("style=dotted".to_owned()),
                _ if matches!(edge.condition, EdgeCondition::Also(_)) => settings.push("style=bold".to_owned()),
                _ => {}
            }
            let settings = if settings.is_empty() { String::new() } else { format!(" [{}]", settings.join(", ")) };
            text.push_str(&format!("{indent}{} -> {}{settings}\n", quoted(&edge.from), quoted(&edge.to)));
        }
        text
    }
}

fn lines(node: &GraphNode) -> Vec<String> {
    let problems = node.problems.iter().map(|problem| format!("⚠ {problem}"));
    node.lines().into_iter().chain(problems).collect()
}

fn look(node: &GraphNode) -> String {
    let (shape, fill) = match node.kind {
        NodeKind::Start => ("oval", "#e2e8f0"),
        NodeKind::Ask => ("box", "#ede9fe"),
        NodeKind::Call => ("component", "#dbeafe"),
        NodeKind::Run => ("box3d", "#cffafe"),
        NodeKind::Emit => ("cds", "#fef3c7"),
        NodeKind::Mailbox => ("folder", "#fef3c7"),
        NodeKind::Wait => ("box", "#f1f5f9"),
        NodeKind::Cancel => ("octagon", "#f1f5f9"),
        NodeKind::Value => ("note", "#f1f5f9"),
        NodeKind::End => ("oval", "#dcfce7"),
        NodeKind::Fail => ("oval", "#fee2e2"),
        NodeKind::Event => ("cds", "#fffbeb"),
        NodeKind::Join => ("hexagon", "#f8fafc"),
        NodeKind::Failure => ("oval", "#fee2e2"),
    };
    let border = match node.kind {
        _ if !node.problems.is_empty() => ", color=\"#dc2626\", penwidth=3",
        NodeKind::End | NodeKind::Fail => ", peripheries=2",
        NodeKind::Event | NodeKind::Failure => ", style=\"filled,dashed\"",
        _ => "",
    };
    format!("shape={shape}, fillcolor=\"{fill}\"{border}")
}

/// A quoted name.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A quoted label of lines.
fn label(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| escaped(&shortened(line, LONGEST_LINE)));
    format!("\"{}\"", lines.collect::<Vec<_>>().join("\\n"))
}

/// Between quotes only `"` ends the text; a backslash begins one of Graphviz's escapes, and `&` an entity.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '&' => escaped.push_str("&amp;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
