//! Tools as lash has them: `ToolDefinition` of its crate `lash-sansio`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use weave_ir::{Duration, Hint, Retry, Tool};

use super::{Catalog, CatalogEntry, output, put};
use crate::project::bundle;

/// The key of the binding under which lash's language finds a tool.
const BINDING: &str = "lashlang.tool";
/// The host's name in `binding lash { … }`.
const HOST: &str = "lash";
/// The module of a tool without a namespace.
const MODULE: &str = "tools";

pub(super) fn tool(catalog: &Catalog, entry: &CatalogEntry, names_of_ids: &BTreeMap<&str, usize>) -> Value {
    let tool = &entry.tool;
    let binding = Binding::of(entry);
    let mut made = Map::new();
    put(&mut made, "id", Some(id(entry, names_of_ids)));
    put(&mut made, "name", Some(entry.name.as_str()));
    put(&mut made, "description", tool.description.as_deref());
    put(&mut made, "argument_projection", binding.preserved.clone());
    put(&mut made, "retry_policy", tool.retry.as_ref().map(|retry| retry_policy(tool, retry)));
    put(&mut made, "input_schema", Some(json!({ "canonical": bundle(&tool.input, &catalog.defs) })));
    let answer = output(catalog, tool).unwrap_or_else(|| json!({ "type": "null" }));
    put(&mut made, "output_schema", Some(json!({ "canonical": answer })));
    let examples: Vec<String> = tool.examples.iter().map(|example| binding.call(&example.input)).collect();
    put(&mut made, "examples", (!examples.is_empty()).then_some(examples));
    put(&mut made, "bindings", Some(json!({ BINDING: binding.json })));
    made.into()
}

/// What identifies the tool: one that is offered under several names is several tools for lash.
fn id(entry: &CatalogEntry, names_of_ids: &BTreeMap<&str, usize>) -> String {
    let Some(id) = entry.tool.id.as_deref() else { return entry.name.clone() };
    let is_shared = names_of_ids.get(id).is_some_and(|names| *names > 1);
    if is_shared { format!("{id}:{}", entry.name) } else { id.to_owned() }
}

/// lash doubles its pauses; the pauses of a policy that says otherwise are as long at first, and grow.
fn retry_policy(tool: &Tool, retry: &Retry) -> Value {
    let is_idempotent = tool.hints.as_ref().is_some_and(|hints| hints.contains(&Hint::Idempotent));
    json!({
        "type": if is_idempotent { "idempotent" } else { "safe" },
        "max_attempts": retry.max.saturating_add(1),
        "base_delay_ms": retry.base.map_or(0, Duration::milliseconds),
        "max_delay_ms": retry.cap.map_or(0, Duration::milliseconds),
    })
}

/// Where lash's language finds a tool.
struct Binding {
    path: Vec<String>,
    operation: String,
    /// What is written.
    json: Value,
    /// The field whose references are kept as they are.
    preserved: Option<Value>,
}

impl Binding {
    /// What the author says in `binding lash { … }`; else namespaces are modules.
    fn of(entry: &CatalogEntry) -> Self {
        let mut said = entry.tool.binding.get(HOST).and_then(Value::as_object).cloned().unwrap_or_default();
        let mut names: Vec<String> = entry.name.split("__").map(str::to_owned).collect();
        let last = names.pop().unwrap_or_default();
        if names.is_empty() {
            names.push(MODULE.to_owned());
        }
        let path = match said.shift_remove("module") {
            Some(Value::String(module)) => module.split('.').map(str::to_owned).collect(),
            _ => names,
        };
        let operation = said.shift_remove("operation").and_then(|it| it.as_str().map(str::to_owned)).unwrap_or(last);
        let preserved = said.shift_remove("preserve_refs");
        let preserved = preserved.map(|field| json!({ "kind": "preserve_projected_refs_in_field", "field": field }));
        let mut json = Map::new();
        put(&mut json, "module_path", Some(path.clone()));
        put(&mut json, "operation", Some(operation.as_str()));
        put(&mut json, "authority_type", said.shift_remove("authority"));
        json.extend(said);
        Self { path, operation, json: json.into(), preserved }
    }

    /// A call in lash's language.
    fn call(&self, input: &Value) -> String {
        format!("await {}.{}({input})?", self.path.join("."), self.operation)
    }
}
