//! What programs name parts by.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::package::{About, Builders, Definitions, Field, Names, Package, Part, PartKey, PartKind, Shape, TypeReference, TypeUse};

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
    /// What it is given where a node names it: its arguments, or the fields of its payload. Nothing if that is no closed record.
    pub(crate) given: Option<&'a [Field]>,
    /// What the type of that is called after.
    pub(crate) type_names: &'a Names,
}

/// The kinds of parts that nodes name.
pub(crate) const KINDS: [PartKind; 6] =
    [PartKind::Agent, PartKind::Error, PartKind::Event, PartKind::Tool, PartKind::Type, PartKind::Workflow];

/// What nodes can name of a package, kind by kind. What something is called in the language is said by `of`, with the kind and its names.
pub(crate) fn handles<'a>(
    builders: &'a Builders,
    definitions: &Definitions<'a>,
    package: &'a Package,
    scope: &Scope,
    of: impl Fn(PartKind, &Names, &str) -> String,
) -> BTreeMap<PartKind, Vec<Handle<'a>>> {
    let mut found = BTreeMap::new();
    for kind in KINDS {
        let mut scope = scope.clone();
        let handle = |(wire, [names, type_names], about, takes): Declared<'a>| {
            let key = PartKey { package: Some(package.name.clone()), kind, name: wire.to_owned() };
            let part = builders.parts.get(&key)?;
            let given = takes.and_then(|takes| fields(definitions, &package.name, takes));
            Some(Handle { name: scope.claim(&of(kind, names, wire)), key, part, about, given, type_names })
        };
        let handles: Vec<Handle<'_>> = declared(package, kind).into_iter().filter_map(handle).collect();
        if !handles.is_empty() {
            found.insert(kind, handles);
        }
    }
    found
}

/// A declaration that nodes can name: what it is in the program, what it and its types are called, what is said about it, and the type of
/// what it is given.
type Declared<'a> = (&'a str, [&'a Names; 2], &'a About, Option<&'a TypeReference>);

/// The declarations of one kind.
fn declared(package: &Package, kind: PartKind) -> Vec<Declared<'_>> {
    match kind {
        PartKind::Agent => {
            package.agents.iter().map(|it| (it.name.as_str(), [&it.names, &it.type_names], &it.about, Some(&it.input))).collect()
        }
        PartKind::Event => {
            package.events.iter().map(|it| (it.topic.as_str(), [&it.names, &it.names], &it.about, Some(&it.payload))).collect()
        }
        PartKind::Tool => {
            package.tools.iter().map(|it| (it.name.as_str(), [&it.names, &it.type_names], &it.about, Some(&it.input))).collect()
        }
        PartKind::Workflow => {
            package.workflows.iter().map(|it| (it.name.as_str(), [&it.names, &it.type_names], &it.about, Some(&it.input))).collect()
        }
        PartKind::Type | PartKind::Error => {
            package.types.iter().map(|it| (it.name.as_str(), [&it.names, &it.names], &it.about, None)).collect()
        }
        PartKind::Prompt | PartKind::Toolkit => Vec::new(),
    }
}

/// The fields of a type, if it is a closed record or another name of one.
fn fields<'a>(definitions: &Definitions<'a>, home: &'a str, reference: &'a TypeReference) -> Option<&'a [Field]> {
    let (mut home, mut reference) = (home, reference);
    let mut seen = BTreeSet::new();
    while seen.insert((home, reference.name.as_str())) {
        let (package, declaration) = definitions.get(home, reference)?;
        match &declaration.shape {
            Shape::Record(record) if !record.open => return Some(&record.fields),
            Shape::Alias(TypeUse::Named(next)) => (home, reference) = (package, next),
            _ => return None,
        }
    }
    None
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

/// Whether a writer may leave out a field of what is given.
pub(crate) const fn may_be_left_out(field: &Field) -> bool {
    field.optional || field.default.is_some()
}
