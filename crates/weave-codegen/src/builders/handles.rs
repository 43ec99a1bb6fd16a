//! What programs name parts by.

use std::collections::BTreeMap;

use weave_ir::package::{About, Builders, Names, Package, Part, PartKey, PartKind};

use crate::scope::Scope;

/// A name for a part.
pub(crate) struct Handle<'a> {
    /// The part.
    pub(crate) key: PartKey,
    /// What is known of it.
    pub(crate) part: &'a Part,
    /// What it is called among those of its kind.
    pub(crate) name: String,
    /// What is said about it.
    pub(crate) about: &'a About,
}

/// The kinds of parts that nodes name.
pub(crate) const KINDS: [PartKind; 6] =
    [PartKind::Agent, PartKind::Error, PartKind::Event, PartKind::Tool, PartKind::Type, PartKind::Workflow];

/// What nodes can name of a package, kind by kind. What something is called in the language is said by `of`, with the kind and its names.
pub(crate) fn handles<'a>(
    builders: &'a Builders,
    package: &'a Package,
    scope: &Scope,
    of: impl Fn(PartKind, &Names, &str) -> String,
) -> BTreeMap<PartKind, Vec<Handle<'a>>> {
    let mut found = BTreeMap::new();
    for kind in KINDS {
        let mut scope = scope.clone();
        let handle = |(wire, names, about): (&'a str, &'a Names, &'a About)| {
            let key = PartKey { package: Some(package.name.clone()), kind, name: wire.to_owned() };
            let part = builders.parts.get(&key)?;
            Some(Handle { name: scope.claim(&of(kind, names, wire)), key, part, about })
        };
        let handles: Vec<Handle<'_>> = declared(package, kind).into_iter().filter_map(handle).collect();
        if !handles.is_empty() {
            found.insert(kind, handles);
        }
    }
    found
}

/// The declarations of one kind: their names, and what is said about them.
fn declared(package: &Package, kind: PartKind) -> Vec<(&str, &Names, &About)> {
    match kind {
        PartKind::Agent => package.agents.iter().map(|it| (it.name.as_str(), &it.names, &it.about)).collect(),
        PartKind::Event => package.events.iter().map(|it| (it.topic.as_str(), &it.names, &it.about)).collect(),
        PartKind::Tool => package.tools.iter().map(|it| (it.name.as_str(), &it.names, &it.about)).collect(),
        PartKind::Workflow => package.workflows.iter().map(|it| (it.name.as_str(), &it.names, &it.about)).collect(),
        PartKind::Type | PartKind::Error => package.types.iter().map(|it| (it.name.as_str(), &it.names, &it.about)).collect(),
        PartKind::Prompt | PartKind::Toolkit => Vec::new(),
    }
}

/// Where parts of one kind stand together.
pub(crate) struct Section {
    /// What they are called together.
    pub(crate) name: &'static str,
    /// What each of them is in the library.
    pub(crate) class: &'static str,
    /// What is said about them.
    pub(crate) about: &'static str,
}

/// Where the parts of a kind stand.
pub(crate) const fn section(kind: PartKind) -> Section {
    let (name, class, about) = match kind {
        PartKind::Agent => ("Agents", "AgentPart", "The agents."),
        PartKind::Error => ("Errors", "ErrorPart", "The declared errors."),
        PartKind::Event => ("Topics", "EventPart", "The events, by which nodes emit and listen to them."),
        PartKind::Tool => ("Tools", "ToolPart", "The tools."),
        PartKind::Workflow => ("Workflows", "WorkflowPart", "The workflows, as others run them."),
        PartKind::Type | PartKind::Prompt | PartKind::Toolkit => ("Types", "TypePart", "The declared types."),
    };
    Section { name, class, about }
}

/// The parameters of a tool, an agent or a workflow: the name of each, and whether it may be left out.
pub(crate) fn parameters(part: &Part) -> Vec<(&str, bool)> {
    let input = part.entry.get("input");
    let required: Vec<&str> =
        input.and_then(|input| input.get("required")?.as_array()).into_iter().flatten().filter_map(serde_json::Value::as_str).collect();
    let properties = input.and_then(|input| input.get("properties")?.as_object());
    properties.into_iter().flatten().map(|(name, _)| (name.as_str(), !required.contains(&name.as_str()))).collect()
}
