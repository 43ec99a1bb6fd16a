//! All changes between two sets of definitions.

use std::collections::BTreeMap;

use weave_diagnostics::Severity;
use weave_ir::Definition;

use crate::codes::texts as codes;
use crate::documents::{Documents, Pair};
use crate::nodes::Renamed;
use crate::{Change, Spot, declarations, flight, nodes, parts, wire};

/// What changed between two sets of definitions, each thing once, in the order of its item and id. Workflows, nodes, tools, topics and types are known by
/// their names; of several definitions of one workflow in a set the last one counts.
#[must_use]
pub fn diff(old: &[&Definition], new: &[&Definition]) -> Vec<Change> {
    let (documents, mut changes) = Documents::new(old, new);
    changes.extend(declarations::changes(&documents));
    let (mut contexts, of_others) = wire::contexts(&documents);
    changes.extend(of_others);
    for (pair, context) in documents.pairs.iter().zip(&mut contexts) {
        if pair.old == pair.new {
            continue;
        }
        let renamed = Renamed::of(pair);
        let mut found = context.changes();
        found.extend(nodes::changes(pair, &renamed));
        found.extend(parts::changes(pair, &documents));
        found.extend(flight::changes(pair, &renamed, context));
        let is_told = pair.old.workflow != pair.new.workflow || runs_changed_children(pair, &documents);
        if found.is_empty() && !is_told {
            found.push(unnamed(pair));
        }
        changes.extend(found);
    }
    merged(changes)
}

/// Whether the pair differs in what its child workflows are, which is told of them.
fn runs_changed_children(pair: &Pair<'_>, documents: &Documents<'_>) -> bool {
    let differs = |(name, child): (&String, &weave_ir::ChildWorkflow)| {
        documents.known.contains(name.as_str()) && pair.new.workflows.get(name).is_some_and(|new| new.digest != child.digest)
    };
    pair.old.workflows.iter().any(differs)
}

/// Something that no other kind of change tells.
fn unnamed(pair: &Pair<'_>) -> Change {
    let name = &pair.new.workflow;
    Change::new(&codes::DEFINITION_CHANGED, name, format!("the definition of `{name}` has changed, but not its behavior or its interface"))
        .level(Severity::Note)
        .at_new(Spot::new(name, "/workflow"), "has another digest")
        .at_old(Spot::new(&pair.old.workflow, "/workflow"), "")
}

/// What several definitions share is told once, as bad as it is for the worst of them.
fn merged(changes: Vec<Change>) -> Vec<Change> {
    let mut by_key: BTreeMap<(String, &'static str, String), Change> = BTreeMap::new();
    for change in changes {
        let key = (change.item.clone(), change.id(), change.message.clone());
        match by_key.get_mut(&key) {
            None => _ = by_key.insert(key, change),
            Some(known) => {
                if change.level < known.level {
                    known.level = change.level;
                    known.notes = change.notes;
                    known.help = change.help;
                }
                known.breaks.extend(change.breaks);
            }
        }
    }
    by_key.into_values().collect()
}
