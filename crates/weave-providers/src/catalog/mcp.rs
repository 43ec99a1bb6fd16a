//! Tools of the Model Context Protocol, as `tools/list` has them.

use serde_json::{Map, Value, json};
use weave_ir::{Activation, Hint, Tool, ToolKind, ToolMode};

use super::{Callable, Catalog, CatalogEntry, output, put};
use crate::project::bundle;

/// The key in `_meta` below which everything stands that the protocol has no word for.
const OURS: &str = "x-weave";

pub(super) fn tool(catalog: &Catalog, entry: &CatalogEntry) -> Value {
    let tool = &entry.tool;
    let mut made = Map::new();
    put(&mut made, "name", Some(entry.name.as_str()));
    put(&mut made, "title", tool.title.as_deref());
    put(&mut made, "description", tool.description.as_deref());
    put(&mut made, "inputSchema", Some(bundle(&tool.input, &catalog.defs)));
    put(&mut made, "outputSchema", output(catalog, tool));
    put(&mut made, "annotations", tool.hints.as_ref().map(annotations));
    let mut meta: Map<String, Value> = tool.meta.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    meta.insert(OURS.to_owned(), ours(entry, tool));
    made.insert("_meta".to_owned(), meta.into());
    made.into()
}

/// All four, where something is known: the protocol takes a tool for destructive that does not say otherwise.
fn annotations(hints: &std::collections::BTreeSet<Hint>) -> Value {
    json!({
        "readOnlyHint": hints.contains(&Hint::ReadOnly),
        "destructiveHint": hints.contains(&Hint::Destructive),
        "idempotentHint": hints.contains(&Hint::Idempotent),
        "openWorldHint": hints.contains(&Hint::OpenWorld),
    })
}

fn ours(entry: &CatalogEntry, tool: &Tool) -> Value {
    let mut made = Map::new();
    put(&mut made, "kind", Some(kind(entry)));
    put(&mut made, "id", Some(tool.id.as_deref().unwrap_or(&entry.declared_name)));
    put(&mut made, "version", tool.version.as_deref());
    put(&mut made, "deprecated", tool.deprecated.as_deref());
    put(&mut made, "mode", (tool.mode == ToolMode::Silent).then_some("silent"));
    put(&mut made, "activation", (tool.activation == Some(Activation::Deferred)).then_some("deferred"));
    put(&mut made, "approval", tool.approval.is_some().then_some(true));
    put(&mut made, "deferred", tool.deferred.is_some().then_some(true));
    let fails: Vec<&str> = tool.fails.iter().map(String::as_str).collect();
    put(&mut made, "fails", (!fails.is_empty()).then_some(fails));
    made.into()
}

fn kind(entry: &CatalogEntry) -> &'static str {
    match (entry.declared, entry.tool.kind) {
        (Callable::Agent, _) => "agent",
        (Callable::Workflow, _) => "workflow",
        (_, ToolKind::Local) => "local",
        (_, ToolKind::Remote) => "remote",
        (_, ToolKind::Provider) => "provider",
        (_, ToolKind::Signal) => "signal",
        (_, ToolKind::Interaction) => "interaction",
    }
}
