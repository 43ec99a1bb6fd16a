//! The two sets of definitions, and the workflows that belong together.

use std::collections::{BTreeMap, BTreeSet};

use weave_diagnostics::Severity;
use weave_ir::{Definition, OfferedTool};

use crate::codes::wire as codes;
use crate::renames;
use crate::{Change, Party, Spot};

/// Two definitions of one workflow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'d> {
    pub(crate) old: &'d Definition,
    pub(crate) new: &'d Definition,
}

/// Two sets of definitions.
#[derive(Debug)]
pub(crate) struct Documents<'d> {
    pub(crate) old: &'d [&'d Definition],
    pub(crate) new: &'d [&'d Definition],
    /// The workflows that are in both, by the order of the new ones.
    pub(crate) pairs: Vec<Pair<'d>>,
    /// The agents and workflows that some model is offered as a tool, in either version.
    pub(crate) offered: BTreeSet<&'d str>,
    /// The workflows whose definitions are in either set.
    pub(crate) known: BTreeSet<&'d str>,
}

impl<'d> Documents<'d> {
    /// Finds the pairs, and says which workflows have none.
    pub(crate) fn new(old: &'d [&'d Definition], new: &'d [&'d Definition]) -> (Self, Vec<Change>) {
        let by_name = |definitions: &'d [&'d Definition]| -> BTreeMap<&'d str, &'d Definition> {
            definitions.iter().map(|definition| (definition.workflow.as_str(), *definition)).collect()
        };
        let (before, after) = (by_name(old), by_name(new));
        let gone: Vec<(&str, &Definition)> =
            before.iter().filter(|(name, _)| !after.contains_key(*name)).map(|(name, it)| (*name, *it)).collect();
        let fresh: Vec<(&str, &Definition)> =
            after.iter().filter(|(name, _)| !before.contains_key(*name)).map(|(name, it)| (*name, *it)).collect();
        let renamed = renames::find(&gone, &fresh, |one, other| one.nodes == other.nodes && one.input == other.input, |_| true);
        let mut changes = Vec::new();
        let mut pairs = Vec::new();
        for (name, definition) in &after {
            if let Some(old) = before.get(name) {
                pairs.push(Pair { old, new: definition });
            } else if let Some((old_name, _)) = renamed.iter().find(|(_, new_name)| new_name == name) {
                pairs.extend(before.get(old_name).map(|old| Pair { old, new: definition }));
                changes.push(workflow_renamed(old_name, name));
            } else {
                let change = Change::new(&codes::WORKFLOW_ADDED, *name, format!("the workflow `{name}` was added")).level(Severity::Note);
                changes.push(change.at_new(Spot::new(name, "/workflow"), "new"));
            }
        }
        for (name, _) in gone.iter().filter(|(name, _)| !renamed.iter().any(|(old, _)| old == name)) {
            changes.push(
                Change::new(&codes::WORKFLOW_REMOVED, *name, format!("the workflow `{name}` was removed"))
                    .breaks(Party::Producers)
                    .breaks(Party::Runs)
                    .at_old(Spot::new(name, "/workflow"), "was here"),
            );
        }
        let all = || old.iter().chain(new);
        let offered = all().flat_map(|it| it.agents.values()).flat_map(|agent| agent.tools.iter()).filter_map(|tool| match tool {
            OfferedTool::Agent { agent, .. } => Some(agent.as_str()),
            OfferedTool::Workflow { workflow, .. } => Some(workflow.as_str()),
            OfferedTool::Tool { .. } => None,
        });
        let offered = offered.collect();
        let known = before.keys().chain(after.keys()).copied().collect();
        (Self { old, new, pairs, offered, known }, changes)
    }
}

fn workflow_renamed(old: &str, new: &str) -> Change {
    Change::new(&codes::WORKFLOW_RENAMED, old, format!("the workflow `{old}` was probably renamed to `{new}`"))
        .breaks(Party::Producers)
        .breaks(Party::Runs)
        .at_new(Spot::new(new, "/workflow"), "new name")
        .at_old(Spot::new(old, "/workflow"), "old name")
        .help("its callers and its runs in flight use the old name")
}
