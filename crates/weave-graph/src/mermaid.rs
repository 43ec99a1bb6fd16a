//! The graph as a flowchart for Mermaid.

use std::collections::BTreeMap;

use crate::text::shortened;
use crate::{EdgeCondition, Graph, GraphNode, NodeKind, TriggerKind};

/// Longer lines are cut: Mermaid wraps nothing by itself in a predictable way.
const LONGEST_LINE: usize = 60;

/// Workflows as one flowchart for Mermaid: several are subgraphs.
#[must_use]
pub fn mermaid(graphs: &[Graph]) -> String {
    let mut text = String::from("flowchart TD\n");
    match graphs {
        [only] => text.push_str(&only.statements("  ", "")),
        several => {
            for (index, graph) in several.iter().enumerate() {
                let label = label(std::slice::from_ref(&graph.workflow));
                let statements = graph.statements("    ", &format!("w{index}_"));
                text.push_str(&format!("  subgraph w{index}[\"{label}\"]\n{statements}  end\n"));
            }
        }
    }
    text.push_str(&styles(graphs));
    for (index, graph) in graphs.iter().enumerate() {
        let prefix = if graphs.len() == 1 { String::new() } else { format!("w{index}_") };
        for (_, id) in graph.nodes.iter().zip(graph.identifiers(&prefix)).filter(|(node, _)| !node.problems.is_empty()) {
            text.push_str(&format!("  class {id} problem\n"));
        }
    }
    text
}

impl Graph {
    /// The graph as text for Mermaid, which draws it in Markdown on many sites.
    #[must_use]
    pub fn mermaid(&self) -> String {
        mermaid(std::slice::from_ref(self))
    }

    /// Names that Mermaid cannot take for words of its own, such as `end`: `s_` for a node of the workflow, else a letter and a number.
    fn identifiers(&self, prefix: &str) -> impl Iterator<Item = String> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(move |(index, node)| if node.is_own() { format!("{prefix}s_{}", node.id) } else { format!("{prefix}n{index}") })
    }

    /// Its nodes and edges; each name begins with the prefix.
    fn statements(&self, indent: &str, prefix: &str) -> String {
        let ids = self.nodes.iter().zip(self.identifiers(prefix)).map(|(node, id)| (node.id.as_str(), id)).collect::<BTreeMap<_, _>>();
        let mut text = String::new();
        for node in &self.nodes {
            let Some(id) = ids.get(node.id.as_str()) else { continue };
            let (open, close) = shape(node.kind);
            text.push_str(&format!("{indent}{id}{open}\"{}\"{close}:::kind_{}\n", label(&lines(node)), node.kind.name()));
        }
        for edge in &self.edges {
            // A trigger over a step that is not there is left out; a definition without errors has none.
            let (Some(from), Some(to)) = (ids.get(edge.from.as_str()), ids.get(edge.to.as_str())) else { continue };
            let arrow = match (&edge.trigger, &edge.condition) {
                (TriggerKind::Failure | TriggerKind::Timeout(_), _) => "-.->",
                (_, EdgeCondition::Also(_)) => "==>",
                _ => "-->",
            };
            let caption = edge.caption();
            let caption = if caption.is_empty() { String::new() } else { format!("|\"{}\"|", label(&caption)) };
            text.push_str(&format!("{indent}{from} {arrow}{caption} {to}\n"));
        }
        text
    }
}

fn lines(node: &GraphNode) -> Vec<String> {
    let problems = node.problems.iter().map(|problem| format!("⚠ {problem}"));
    node.lines().into_iter().chain(problems).collect()
}

const fn shape(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Start | NodeKind::Failure => ("([", "])"),
        NodeKind::End | NodeKind::Fail => ("([", "])"),
        NodeKind::Event => (">", "]"),
        NodeKind::Join => ("{{", "}}"),
        NodeKind::Emit | NodeKind::Mailbox => ("[/", "/]"),
        NodeKind::Run => ("[[", "]]"),
        NodeKind::Ask => ("(", ")"),
        NodeKind::Call | NodeKind::Wait | NodeKind::Cancel | NodeKind::Value => ("[", "]"),
    }
}

/// Text between quotes: what Mermaid or HTML would read as more than text is written by its number.
fn label(lines: &[String]) -> String {
    let escaped = lines.iter().map(|line| {
        let line = shortened(line, LONGEST_LINE);
        let mut text = String::new();
        let mut rest = line.chars().peekable();
        while let Some(character) = rest.next() {
            let entity = character == '&' && rest.peek().is_some_and(|next| next.is_alphanumeric() || *next == '#');
            match character {
                '\n' | '\r' | '\t' => text.push(' '),
                '"' | '#' | '<' | '`' | '\\' => text.push_str(&format!("#{};", u32::from(character))),
                '&' if entity => text.push_str("#38;"),
                _ => text.push(character),
            }
        }
        text
    });
    escaped.collect::<Vec<_>>().join("<br/>")
}

/// Colours that read on light and on dark pages: each class has its own text colour.
fn styles(graphs: &[Graph]) -> String {
    let nodes = || graphs.iter().flat_map(|graph| &graph.nodes);
    let style = |kind| match kind {
        NodeKind::Start => "fill:#e2e8f0,stroke:#475569,color:#0f172a",
        NodeKind::Ask => "fill:#ede9fe,stroke:#7c3aed,color:#1e1b4b",
        NodeKind::Call => "fill:#dbeafe,stroke:#2563eb,color:#172554",
        NodeKind::Run => "fill:#cffafe,stroke:#0891b2,color:#083344",
        NodeKind::Emit | NodeKind::Mailbox => "fill:#fef3c7,stroke:#d97706,color:#451a03",
        NodeKind::Wait | NodeKind::Cancel | NodeKind::Value => "fill:#f1f5f9,stroke:#64748b,color:#0f172a",
        NodeKind::End => "fill:#dcfce7,stroke:#16a34a,color:#052e16",
        NodeKind::Fail | NodeKind::Failure => "fill:#fee2e2,stroke:#dc2626,color:#450a0a",
        NodeKind::Event => "fill:#fffbeb,stroke:#d97706,stroke-dasharray:4 3,color:#451a03",
        NodeKind::Join => "fill:#f8fafc,stroke:#475569,color:#0f172a",
    };
    let used = NodeKind::ALL.into_iter().filter(|kind| nodes().any(|node| node.kind == *kind));
    let mut text = used.map(|kind| format!("  classDef kind_{} {}\n", kind.name(), style(kind))).collect::<String>();
    if nodes().any(|node| !node.problems.is_empty()) {
        text.push_str("  classDef problem stroke:#dc2626,stroke-width:3px\n");
    }
    text
}
