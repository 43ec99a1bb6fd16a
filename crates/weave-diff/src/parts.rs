//! What stands beside the nodes: tools, agents, prompts, toolkits, and the head of the workflow.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};
use weave_diagnostics::Severity;
use weave_ir::{Agent, ErrorType, Event, OfferedTool, Tool};

use crate::codes::{behaviour, texts, wire};
use crate::documents::{Documents, Pair};
use crate::schema::{Comparison, child};
use crate::triggers::{listed, value_text};
use crate::{Change, Kind, Party, Spot};

/// Keys that people and models read.
const TEXTS: [&str; 6] = ["title", "description", "deprecated", "version", "examples", "meta"];

/// Schemas, which are compared as such.
const SCHEMAS: [&str; 7] = ["input", "output", "progress", "artifacts", "hydrates", "payload", "data"];

/// A declaration in both versions.
struct Both<'d> {
    pair: &'d Pair<'d>,
    /// What it is called in messages and items.
    name: &'d str,
    pointer: String,
    old: Map<String, Value>,
    new: Map<String, Value>,
}

impl<'d> Both<'d> {
    fn new<T: Serialize>(pair: &'d Pair<'d>, part: &str, name: &'d str, old: &T, new: &T) -> Self {
        let entries = |value: &T| match serde_json::to_value(value) {
            Ok(Value::Object(entries)) => entries,
            _ => Map::new(),
        };
        let pointer = if part.is_empty() { String::new() } else { child(&child("", part), name) };
        Self { pair, name, pointer, old: entries(old), new: entries(new) }
    }

    /// The keys that have another value, schemas and texts left out.
    fn keys(&self) -> Vec<String> {
        let keys: BTreeSet<&String> = self.old.keys().chain(self.new.keys()).collect();
        let differs = |key: &&&String| self.old.get(**key) != self.new.get(**key);
        let is_told = |key: &&&String| !(TEXTS.contains(&key.as_str()) || SCHEMAS.contains(&key.as_str()) && self.stays(key));
        keys.iter().filter(differs).filter(is_told).map(|key| (*key).clone()).collect()
    }

    /// Whether a key is there in both.
    fn stays(&self, key: &str) -> bool {
        self.old.contains_key(key) && self.new.contains_key(key)
    }

    /// A change of one key, at its place.
    fn change(&self, kind: &'static Kind, key: &str, message: String) -> Change {
        let item = format!("{}.{key}", self.name);
        let pointer = child(&self.pointer, key);
        let change = Change::new(kind, item, message).at_new(Spot::new(&self.pair.new.workflow, pointer.as_str()), "changed");
        change.at_old(Spot::new(&self.pair.old.workflow, pointer), "as before")
    }

    /// A change of one key that says both values.
    fn of_key(&self, kind: &'static Kind, key: &str) -> Change {
        self.change(kind, key, format!("`{}.{key}` {}", self.name, became(self.old.get(key), self.new.get(key))))
    }

    /// What only people and models read.
    fn texts(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let place = |change: Change| {
            let change = change.at_new(Spot::new(&self.pair.new.workflow, self.pointer.as_str()), "");
            change.at_old(Spot::new(&self.pair.old.workflow, self.pointer.as_str()), "")
        };
        let newly = self.new.get("deprecated").filter(|_| !self.old.contains_key("deprecated")).and_then(Value::as_str);
        if let Some(reason) = newly {
            let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            changes.push(place(Change::new(&texts::NEWLY_DEPRECATED, self.name, format!("`{}` is deprecated{reason}", self.name))));
        }
        let differs = |key: &&&str| self.old.get(**key) != self.new.get(**key) && !(**key == "deprecated" && newly.is_some());
        let keys: Vec<&str> = TEXTS.iter().filter(differs).copied().collect();
        if !keys.is_empty() {
            let message = format!("`{}` changed in its {}", self.name, listed(&keys));
            changes.push(place(Change::new(&texts::TEXT_CHANGED, self.name, message)));
        }
        changes
    }
}

/// `is X now, and was Y`.
fn became(old: Option<&Value>, new: Option<&Value>) -> String {
    match (old, new) {
        (Some(old), Some(new)) => match (value_text(old), value_text(new)) {
            (Some(old), Some(new)) => format!("is now {new}; previously {old}"),
            _ => "changed".to_owned(),
        },
        (None, Some(new)) => value_text(new).map_or_else(|| "is new".to_owned(), |new| format!("is now {new}; previously not set")),
        (Some(old), None) => value_text(old).map_or_else(|| "was removed".to_owned(), |old| format!("is no longer set; previously {old}")),
        (None, None) => "changed".to_owned(),
    }
}

pub(crate) fn tool(name: &str, old: &Tool, new: &Tool, pair: &Pair<'_>) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let both = Both::new(pair, "tools", name, old, new);
    let mut changes = both.texts();
    for key in both.keys() {
        changes.push(match key.as_str() {
            "id" => both.of_key(&wire::TOOL_ID_CHANGED, "id").breaks(Party::Consumers),
            "strict" => both.of_key(&wire::STRICT_CHANGED, "strict"),
            "timeout" => both.of_key(&behaviour::TIMEOUT_CHANGED, "timeout"),
            "retry" => both.of_key(&behaviour::RETRY_CHANGED, "retry"),
            "fails" => continue,
            key => both.of_key(&behaviour::TOOL_CHANGED, key),
        });
    }
    for code in new.fails.difference(&old.fails) {
        let message = format!("`{name}` may now fail with `{code}`");
        changes.push(both.change(&wire::FAILURE_CODE_ADDED, "fails", message));
    }
    for code in old.fails.difference(&new.fails) {
        let message = format!("`{name}` no longer fails with `{code}`");
        changes.push(both.change(&wire::FAILURE_CODE_REMOVED, "fails", message));
    }
    changes
}

pub(crate) fn event(name: &str, old: &Event, new: &Event, pair: &Pair<'_>) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let both = Both::new(pair, "events", name, old, new);
    let mut changes = both.texts();
    if old.external != new.external {
        let (now, before) = if new.external { ("is external", "was emitted") } else { ("is emitted", "was external") };
        let change = both.change(&wire::TOPIC_SOURCE_CHANGED, "external", format!("`{name}` now {now}; previously it {before}"));
        changes.push(change.breaks(if new.external { Party::Consumers } else { Party::Producers }));
    }
    for topic in old.answers.difference(&new.answers) {
        let message = format!("`{topic}` no longer answers `{name}`");
        changes.push(both.change(&wire::ANSWER_REMOVED, "answers", message).breaks(Party::Producers));
    }
    for topic in new.answers.difference(&old.answers) {
        changes.push(both.change(&wire::ANSWER_ADDED, "answers", format!("`{topic}` may now answer `{name}`")));
    }
    changes
}

pub(crate) fn error(name: &str, old: &ErrorType, new: &ErrorType, pair: &Pair<'_>) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let both = Both::new(pair, "errors", name, old, new);
    let mut changes = both.texts();
    changes.extend(both.keys().iter().map(|key| both.of_key(&wire::ERROR_CHANGED, key)));
    changes
}

/// What changed beside the nodes and the wire.
pub(crate) fn changes(pair: &Pair<'_>, documents: &Documents<'_>) -> Vec<Change> {
    let (old, new) = (pair.old, pair.new);
    let mut changes = head(pair);
    for (name, after) in &new.agents {
        if let Some(before) = old.agents.get(name).filter(|before| *before != after) {
            changes.extend(agent(name, before, after, pair));
        }
    }
    for (name, after) in &new.prompts {
        if let Some(before) = old.prompts.get(name).filter(|before| *before != after) {
            let both = Both::new(pair, "prompts", name, before, after);
            changes.extend(both.texts());
            changes.extend(both.keys().iter().map(|key| match key.as_str() {
                "text" => both.change(&behaviour::PROMPT_CHANGED, key, format!("the text of the prompt `{name}` changed")),
                key => both.of_key(&behaviour::PROMPT_CHANGED, key),
            }));
        }
    }
    for (name, after) in &new.toolkits {
        if let Some(before) = old.toolkits.get(name).filter(|before| *before != after) {
            let both = Both::new(pair, "toolkits", name, before, after);
            changes.extend(both.texts());
            changes.extend(both.keys().iter().map(|key| both.change(&texts::TOOLKIT_CHANGED, key, format!("`{name}.{key}` changed"))));
        }
    }
    for (name, after) in &new.workflows {
        let Some(before) = old.workflows.get(name).filter(|before| *before != after) else { continue };
        let both = Both::new(pair, "workflows", name, before, after);
        if before.digest != after.digest && !documents.known.contains(name.as_str()) {
            let message = format!("`{}` runs another version of `{name}`", new.workflow);
            changes.push(both.change(&behaviour::CHILD_CHANGED, "digest", message));
        }
        if !documents.known.contains(name.as_str()) {
            changes.extend(both.texts());
        }
    }
    changes
}

/// The workflow itself.
fn head(pair: &Pair<'_>) -> Vec<Change> {
    let bare = |definition: &weave_ir::Definition| {
        let mut head = weave_ir::Definition::new("", definition.input.clone(), definition.output.clone());
        head.title.clone_from(&definition.title);
        head.description.clone_from(&definition.description);
        head.deprecated.clone_from(&definition.deprecated);
        head.version.clone_from(&definition.version);
        head.timeout = definition.timeout;
        head.meta.clone_from(&definition.meta);
        head
    };
    let both = Both::new(pair, "", &pair.new.workflow, &bare(pair.old), &bare(pair.new));
    let mut changes = both.texts();
    if pair.old.timeout != pair.new.timeout {
        changes.push(both.of_key(&behaviour::TIMEOUT_CHANGED, "timeout"));
    }
    changes
}

fn agent(name: &str, old: &Agent, new: &Agent, pair: &Pair<'_>) -> Vec<Change> {
    let both = Both::new(pair, "agents", name, old, new);
    let mut changes = both.texts();
    for key in both.keys() {
        changes.push(match key.as_str() {
            "tools" => both.change(&behaviour::OFFERED_TOOLS_CHANGED, "tools", offered(name, &old.tools, &new.tools)),
            "system" if both.stays("system") => both.change(&behaviour::AGENT_CHANGED, "system", format!("`{name}.system` changed")),
            key => both.of_key(&behaviour::AGENT_CHANGED, key),
        });
    }
    changes
}

/// What became of the list of tools that an agent is offered.
fn offered(name: &str, old: &[OfferedTool], new: &[OfferedTool]) -> String {
    let names = |tools: &'_ [OfferedTool]| -> Vec<String> { tools.iter().map(|tool| tool.name().to_owned()).collect() };
    let (before, after) = (names(old), names(new));
    let apart = |some: &[String], others: &[String]| -> Vec<String> {
        let others: BTreeSet<&String> = others.iter().collect();
        some.iter().filter(|name| !others.contains(name)).map(|name| format!("`{name}`")).collect()
    };
    let (gone, fresh) = (apart(&before, &after), apart(&after, &before));
    match (fresh.is_empty(), gone.is_empty()) {
        (true, true) if before != after => format!("the tools of `{name}` are in a different order"),
        (true, true) => format!("the tools of `{name}` are offered differently"),
        (false, true) => format!("`{name}` now also has {}", listed(&fresh)),
        (true, false) => format!("`{name}` no longer has {}", listed(&gone)),
        (false, false) => format!("`{name}` now has {}, and no longer has {}", listed(&fresh), listed(&gone)),
    }
}

/// Descriptions and names in types.
pub(crate) fn texts_of_types(comparison: &Comparison<'_>, pair: &Pair<'_>) -> Vec<Change> {
    let with_texts = comparison.units.iter().filter(|unit| !unit.texts.is_empty());
    let said = with_texts.map(|unit| {
        let of = match unit.texts.as_slice() {
            [path] => format!("`{}{path}`", unit.owner),
            several => format!("{} parts of `{}`", several.len(), unit.owner),
        };
        let item = match unit.texts.as_slice() {
            [path] => format!("{}{path}", unit.owner),
            _ => unit.owner.clone(),
        };
        let change = Change::new(&texts::TEXT_CHANGED, item, format!("the description of {of} changed")).level(Severity::Note);
        let pointer = unit.place.as_str();
        change.at_new(Spot::new(&pair.new.workflow, pointer), "").at_old(Spot::new(&pair.old.workflow, pointer), "")
    });
    said.collect()
}
