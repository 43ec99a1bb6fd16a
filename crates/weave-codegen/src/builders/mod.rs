//! Builders: programs that put the definitions of workflows together, and what they put together.

pub(crate) mod code;
mod guards;
pub(crate) mod handles;
mod program;
mod schemas;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use weave_ir::Definition;
use weave_ir::package::{Builders, Package, PackageWorkflow, Part, PartKey};

use crate::scope::Scope;
use code::{Code, Statement};
use program::{Named, Program};

/// A workflow as a program.
pub(crate) struct Written {
    /// What makes it.
    pub(crate) head: Code,
    /// Its nodes.
    pub(crate) nodes: Vec<Statement>,
}

/// Writes a workflow of a package; nothing if it is not among the builders. Variables are given the names of `scope`, in which those of
/// modules are taken, after `called` has made them of the names of nodes.
pub(crate) fn written(
    builders: &Builders,
    package: &Package,
    workflow: &PackageWorkflow,
    mut scope: Scope,
    called: fn(&str) -> String,
) -> Option<Written> {
    let built = builders.workflows.get(&(package.name.clone(), workflow.name.clone()))?;
    let definition: Definition = serde_json::from_value(workflow.definition.clone()).ok()?;
    let variables: BTreeMap<String, String> =
        definition.nodes.iter().map(|node| (node.id.clone(), scope.claim(&called(&node.id)))).collect();
    let named = Named::new(built, &builders.parts);
    let mut program = Program { named, definition: &definition, guards: built.guards.iter(), variables };
    let head = program.head();
    Some(Written { head, nodes: program.nodes() })
}

/// What identifies a part in the data of builders: `PACKAGE/SECTION/NAME`, without the package for what is built in.
pub(crate) fn key(key: &PartKey) -> String {
    let package = key.package.as_ref().map(|package| format!("{package}/")).unwrap_or_default();
    format!("{package}{}/{}", key.kind.key(), key.name)
}

/// The data of a part.
pub(crate) fn data(part: &Part) -> Value {
    let mut data = Map::new();
    data.insert("name".to_owned(), part.name.as_str().into());
    data.insert("entry".to_owned(), part.entry.clone());
    if !part.uses.is_empty() {
        data.insert("uses".to_owned(), part.uses.iter().map(key).collect());
    }
    for (name, projections) in [("projections", &part.projections), ("offered", &part.offered)] {
        if !projections.is_null() {
            data.insert(name.to_owned(), projections.clone());
        }
    }
    let mut settings = Map::new();
    settings.extend(part.timeout.map(|timeout| ("timeout".to_owned(), timeout.to_string().into())));
    settings.extend(part.retry.as_ref().map(|retry| ("retry".to_owned(), json!(retry))));
    if !settings.is_empty() {
        data.insert("settings".to_owned(), Value::Object(settings));
    }
    Value::Object(data)
}
