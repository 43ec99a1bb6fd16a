//! What the rules about the graph of a workflow have in common.

use std::sync::Arc;

use weave_analysis::model::workflow::Trigger;
use weave_diagnostics::{Place, Span};

use crate::project::WorkflowView;

/// The name of a node.
pub(crate) fn name<'a>(view: &WorkflowView<'a>, node: u32) -> &'a str {
    view.body.nodes.get(node as usize).map_or("", |node| &node.name)
}

/// Where the name of a node is written.
pub(crate) fn name_place(view: &WorkflowView<'_>, node: u32) -> Place {
    view.body.nodes.get(node as usize).map_or(view.declaration.declaration.place, |node| node.name_place)
}

/// A trigger of a node.
pub(crate) fn trigger<'a>(view: &WorkflowView<'a>, node: u32, trigger: u32) -> Option<&'a Trigger> {
    view.body.nodes.get(node as usize)?.triggers.get(trigger as usize)
}

/// Right after a place.
pub(crate) const fn after(place: Place) -> Place {
    Place::new(place.file, Span::at(place.span.end))
}

/// A guard that is true once so many of some steps cannot answer any more that fewer than `count` will: "!has(.a) && !has(.b)". Of a large join it would be very
/// long, so there is none.
pub(crate) fn too_few(names: &[&str], count: u64) -> Option<String> {
    const MOST_CASES: usize = 4;
    let missing = names.len().checked_sub(usize::try_from(count).ok()?)? + 1;
    let all = |names: &[&str]| names.iter().map(|name| format!("!has(.{name})")).collect::<Vec<_>>().join(" && ");
    if missing == names.len() {
        return (missing <= MOST_CASES).then(|| all(names));
    }
    if missing != 2 {
        return None;
    }
    let pairs =
        names.iter().enumerate().flat_map(|(at, one)| names.iter().skip(at + 1).map(move |other| format!("({})", all(&[one, other]))));
    let pairs: Vec<String> = pairs.collect();
    (pairs.len() <= MOST_CASES).then(|| pairs.join(" || "))
}

/// The names of some steps.
pub(crate) fn names<'a>(view: &WorkflowView<'a>, steps: &[u32]) -> Vec<&'a str> {
    steps.iter().map(|step| name(view, *step)).collect()
}

/// "a → b → a"
pub(crate) fn cycle_text(view: &WorkflowView<'_>, cycle: &[u32]) -> String {
    let mut names = names(view, cycle);
    names.extend(names.first().copied());
    names.join(" → ")
}

/// A name that no node of a workflow has.
pub(crate) fn free_name(view: &WorkflowView<'_>, wanted: &str) -> String {
    let is_taken = |name: &str| view.body.nodes.iter().any(|node| *node.name == *name);
    let numbered = (2_u32..).map(|number| format!("{wanted}_{number}"));
    let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
    candidates.find(|name| !is_taken(name)).unwrap_or_else(|| wanted.to_owned())
}

/// The name of what a declaration is called, for messages.
pub(crate) fn declared(view: &WorkflowView<'_>, id: weave_analysis::model::DeclarationId) -> Arc<str> {
    view.declaration.project.model.get(id).map(|declaration| Arc::clone(&declaration.name)).unwrap_or_default()
}
