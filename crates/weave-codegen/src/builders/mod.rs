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
use code::Statement;
use program::{Named, Program};

/// A workflow as a program: a function that makes it and gives it back.
pub(crate) struct Written<'a> {
    /// What the function is called.
    pub(crate) function: String,
    /// The workflow.
    pub(crate) workflow: &'a PackageWorkflow,
    /// What makes the workflow, which is called `flow` there, and its nodes.
    pub(crate) statements: Vec<Statement>,
}

/// How a language names what stands in programs.
pub(crate) struct Naming {
    /// The names that functions may not have.
    pub(crate) functions: Scope,
    /// The names that variables may not have.
    pub(crate) variables: Scope,
    /// The name of the function of a workflow.
    pub(crate) function: fn(&PackageWorkflow) -> String,
    /// The name of the variable of a node.
    pub(crate) variable: fn(&str) -> String,
}

/// Writes the workflows of a package as programs, those that are among the builders.
pub(crate) fn written<'a>(builders: &Builders, package: &'a Package, mut naming: Naming) -> Vec<Written<'a>> {
    let mut programs = Vec::new();
    for workflow in &package.workflows {
        let function = naming.functions.claim(&(naming.function)(workflow));
        let mut scope = naming.variables.clone();
        scope.claim("flow");
        scope.claim(&function);
        let Some(built) = builders.workflows.get(&(package.name.clone(), workflow.name.clone())) else { continue };
        let Ok(definition) = serde_json::from_value::<Definition>(workflow.definition.clone()) else { continue };
        let variables: BTreeMap<String, String> =
            definition.nodes.iter().map(|node| (node.id.clone(), scope.claim(&(naming.variable)(&node.id)))).collect();
        let named = Named::new(built, &builders.parts);
        let mut program = Program { named, definition: &definition, guards: built.guards.iter(), variables };
        let mut statements = vec![Statement::Let("flow".to_owned(), program.head())];
        statements.extend(program.nodes());
        programs.push(Written { function, workflow, statements });
    }
    programs
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
