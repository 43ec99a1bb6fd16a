//! Tools and topics that come and go.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weave_diagnostics::Severity;
use weave_ir::{Definition, Event, Schema, Tool};

use crate::codes::wire as codes;
use crate::documents::Documents;
use crate::schema::child;
use crate::{Change, Kind, Party, Spot, renames};

/// The topics that every program has; which of them a definition names follows from what its nodes do.
const BUILT_IN: [&str; 15] = [
    "ai.request",
    "ai.response",
    "prompt.hydrate.request",
    "prompt.hydrate.result",
    "timer.fired",
    "timer.set",
    "tool.approval.decided",
    "tool.approval.requested",
    "tool.dispatch",
    "tool.progress",
    "tool.result",
    "workflow.cancel",
    "workflow.done",
    "workflow.start",
    "workflow.step",
];

/// What only one of the versions has, of one kind of declaration, each with the workflow of the old and of the new version that it belongs to.
struct Apart<'d, T> {
    gone: Vec<(&'d str, (&'d T, &'d Definition, &'d Definition))>,
    fresh: Vec<(&'d str, (&'d T, &'d Definition, &'d Definition))>,
}

impl<'d, T> Apart<'d, T> {
    /// Finds it. What came or went with a whole workflow is told by that.
    fn of(documents: &Documents<'d>, all: impl Fn(&'d Definition) -> &'d BTreeMap<String, T>) -> Self {
        let names = |definitions: &'d [&'d Definition]| -> BTreeSet<&'d str> {
            definitions.iter().flat_map(|definition| all(definition).keys()).map(String::as_str).collect()
        };
        let (before, after) = (names(documents.old), names(documents.new));
        let (mut gone, mut fresh) = (BTreeMap::new(), BTreeMap::new());
        for pair in &documents.pairs {
            for (name, it) in all(pair.old).iter().filter(|(name, _)| !after.contains(name.as_str())) {
                gone.entry(name.as_str()).or_insert((it, pair.old, pair.new));
            }
            for (name, it) in all(pair.new).iter().filter(|(name, _)| !before.contains(name.as_str())) {
                fresh.entry(name.as_str()).or_insert((it, pair.old, pair.new));
            }
        }
        Self { gone: gone.into_iter().collect(), fresh: fresh.into_iter().collect() }
    }
}

pub(crate) fn changes(documents: &Documents<'_>) -> Vec<Change> {
    let mut changes = tools(documents);
    changes.extend(topics(documents));
    changes
}

fn tools(documents: &Documents<'_>) -> Vec<Change> {
    let apart = Apart::<Tool>::of(documents, |definition| &definition.tools);
    let same_id = |one: &Tool, other: &Tool| one.id.is_some() && one.id == other.id;
    let is_same = |(one, ..): (&Tool, _, _), (other, ..): (&Tool, _, _)| {
        same_id(one, other) || (one.kind == other.kind && one.input == other.input && one.output == other.output)
    };
    let renamed = renames::find(&apart.gone, &apart.fresh, is_same, |(tool, ..)| tool.id.is_some() || is_telling(&tool.input));
    let said =
        Said { noun: "tool", part: "tools", added: &codes::TOOL_ADDED, removed: &codes::TOOL_REMOVED, renamed: &codes::TOOL_RENAMED };
    said.changes(&apart, &renamed, |_| vec![Party::Models])
}

fn topics(documents: &Documents<'_>) -> Vec<Change> {
    let mut apart = Apart::<Event>::of(documents, |definition| &definition.events);
    apart.gone.retain(|(topic, _)| !BUILT_IN.contains(topic));
    apart.fresh.retain(|(topic, _)| !BUILT_IN.contains(topic));
    let is_same = |(one, ..): (&Event, _, _), (other, ..): (&Event, _, _)| one.external == other.external && one.payload == other.payload;
    let renamed = renames::find(&apart.gone, &apart.fresh, is_same, |(event, ..)| is_telling(&event.payload));
    let said =
        Said { noun: "topic", part: "events", added: &codes::TOPIC_ADDED, removed: &codes::TOPIC_REMOVED, renamed: &codes::TOPIC_RENAMED };
    said.changes(&apart, &renamed, |event| vec![if event.external { Party::Producers } else { Party::Consumers }])
}

/// Whether a schema is rare enough to tell what has it.
fn is_telling(schema: &Schema) -> bool {
    let schema = schema.as_value();
    schema.get("$ref").is_some() || schema.get("properties").and_then(Value::as_object).is_some_and(|fields| fields.len() > 1)
}

/// How a kind of declaration is spoken of.
struct Said {
    noun: &'static str,
    part: &'static str,
    added: &'static Kind,
    removed: &'static Kind,
    renamed: &'static Kind,
}

impl Said {
    fn changes<T>(&self, apart: &Apart<'_, T>, renamed: &[(&str, &str)], parties: impl Fn(&T) -> Vec<Party>) -> Vec<Change> {
        let noun = self.noun;
        let spot = |definition: &Definition, name: &str| Spot::new(&definition.workflow, child(&child("", self.part), name));
        let mut changes = Vec::new();
        for (name, (it, old, new)) in &apart.gone {
            let change = match renamed.iter().find(|(before, _)| before == name) {
                Some((_, after)) => {
                    let place = apart.fresh.iter().find(|(fresh, _)| fresh == after).map_or(*new, |(_, (_, _, new))| *new);
                    Change::new(self.renamed, *name, format!("the {noun} `{name}` was probably renamed to `{after}`"))
                        .at_new(spot(place, after), "new name")
                        .at_old(spot(old, name), "old name")
                }
                None => Change::new(self.removed, *name, format!("the {noun} `{name}` was removed"))
                    .at_new(Spot::new(&new.workflow, "/workflow"), format!("no longer has the {noun} `{name}`"))
                    .at_old(spot(old, name), "was here"),
            };
            changes.push(parties(it).into_iter().fold(change, Change::breaks));
        }
        for (name, (_, _, new)) in apart.fresh.iter().filter(|(name, _)| !renamed.iter().any(|(_, after)| after == name)) {
            let change = Change::new(self.added, *name, format!("the {noun} `{name}` was added")).level(Severity::Note);
            changes.push(change.at_new(spot(new, name), "new"));
        }
        changes
    }
}
