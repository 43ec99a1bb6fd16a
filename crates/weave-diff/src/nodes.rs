//! Nodes: what came, went and was renamed, what they listen to, and what they do.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weave_diagnostics::Severity;
use weave_ir::{Condition, Definition, Node};

use crate::codes::{behaviour as codes, texts};
use crate::documents::Pair;
use crate::renames;
use crate::triggers::{action_text, callee, condition_text, items, listed, same_condition, trigger_text, value_text};
use crate::{Change, Kind, Spot};

/// Under which names the nodes of the old version are looked for in the new one.
#[derive(Debug, Default)]
pub(crate) struct Renamed<'d> {
    /// The new names by the old ones, for those that have another one.
    pub(crate) names: BTreeMap<&'d str, &'d str>,
}

impl<'d> Renamed<'d> {
    /// A node is renamed if another one does the same on the same triggers.
    pub(crate) fn of(pair: &Pair<'d>) -> Self {
        let apart = |some: &'d Definition, others: &'d Definition| -> Vec<(&'d str, &'d Node)> {
            let others: BTreeSet<&str> = others.nodes.iter().map(|node| node.id.as_str()).collect();
            some.nodes.iter().filter(|node| !others.contains(node.id.as_str())).map(|node| (node.id.as_str(), node)).collect()
        };
        let (gone, fresh) = (apart(pair.old, pair.new), apart(pair.new, pair.old));
        let does_same = |one: &Node, other: &Node| {
            one.emit == other.emit
                && one.payload == other.payload
                && one.awaits == other.awaits
                && one.cancel == other.cancel
                && one.output == other.output
                && (one.terminal, one.outcome) == (other.terminal, other.outcome)
                && one.on == other.on
        };
        let is_telling = |node: &Node| !node.terminal && (node.emit.is_some() || !node.awaits.is_empty());
        Self { names: renames::find(&gone, &fresh, does_same, is_telling).into_iter().collect() }
    }

    /// The name in the new version.
    pub(crate) fn new_name<'a>(&self, old: &'a str) -> &'a str
    where
        'd: 'a,
    {
        self.names.get(old).copied().unwrap_or(old)
    }
}

/// The nodes of a definition by their names, each with its pointer.
pub(crate) fn by_name(definition: &Definition) -> BTreeMap<&str, (String, &Node)> {
    definition.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), (format!("/nodes/{index}"), node))).collect()
}

/// A node in both versions.
struct Both<'d> {
    pair: &'d Pair<'d>,
    /// Its name in the new version, behind that of the workflow.
    item: String,
    old: (String, Node),
    new: (String, &'d Node),
}

impl Both<'_> {
    fn change(&self, kind: &'static Kind, key: &str, said: impl AsRef<str>) -> Change {
        let message = format!("`{}` {}", self.item, said.as_ref());
        let spot = |workflow: &str, pointer: &str| Spot::new(workflow, format!("{pointer}{key}"));
        let change = Change::new(kind, self.item.clone(), message).at_new(spot(&self.pair.new.workflow, &self.new.0), "now");
        change.at_old(spot(&self.pair.old.workflow, &self.old.0), "before")
    }
}

pub(crate) fn changes(pair: &Pair<'_>, renamed: &Renamed<'_>) -> Vec<Change> {
    let (old, new) = (by_name(pair.old), by_name(pair.new));
    let workflow = &pair.new.workflow;
    let mut changes = Vec::new();
    for (name, (pointer, node)) in &old {
        let after = renamed.new_name(name);
        let item = format!("{workflow}.{after}");
        let Some((place, found)) = new.get(after) else {
            let message = format!("the node `{name}` of `{workflow}` was removed");
            changes.push(
                Change::new(&codes::NODE_REMOVED, format!("{workflow}.{name}"), message)
                    .at_new(Spot::new(workflow, "/workflow"), format!("no longer has the node `{name}`"))
                    .at_old(Spot::new(&pair.old.workflow, pointer.as_str()), "was here"),
            );
            continue;
        };
        if after != *name {
            let message = format!("the node `{name}` of `{workflow}` was probably renamed to `{after}`");
            changes.push(
                Change::new(&codes::NODE_RENAMED, format!("{workflow}.{name}"), message)
                    .at_new(Spot::new(workflow, format!("{place}/id")), "new name")
                    .at_old(Spot::new(&pair.old.workflow, format!("{pointer}/id")), "old name"),
            );
        }
        let before = translated(node, renamed);
        if before != **found {
            node_changes(&Both { pair, item, old: (pointer.clone(), before), new: (place.clone(), found) }, &mut changes);
        }
    }
    let known: BTreeSet<&str> = old.keys().map(|name| renamed.new_name(name)).collect();
    for (name, (pointer, node)) in new.iter().filter(|(name, _)| !known.contains(*name)) {
        let message = format!("`{workflow}` has a new node `{name}`, which {}", action_text(node));
        let change = Change::new(&codes::NODE_ADDED, format!("{workflow}.{name}"), message);
        changes.push(change.at_new(Spot::new(workflow, format!("{pointer}/id")), "new"));
    }
    changes.extend(order(pair, renamed));
    changes
}

/// What the texts in a part of a node are.
#[derive(Clone, Copy)]
enum Texts {
    /// Names of nodes.
    Names,
    /// What a guard is made of: only the first segments of its paths are names.
    Guard,
    /// Templates, which read nodes; whatever else they say is said to somebody outside.
    Templates,
}

/// A node with the new names of the others in it.
pub(crate) fn translated(node: &Node, renamed: &Renamed<'_>) -> Node {
    let mut node = node.clone();
    if renamed.names.is_empty() {
        return node;
    }
    node.id = renamed.new_name(&node.id).to_owned();
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&node) else { return node };
    let texts = |key: &str| match key {
        "on" | "cancel" | "history" => Some(Texts::Names),
        "when" | "match" => Some(Texts::Guard),
        "each" | "payload" | "output" | "message" => Some(Texts::Templates),
        _ => None,
    };
    let mut open: Vec<(&mut Value, Texts)> = fields.iter_mut().filter_map(|(key, it)| Some((it, texts(key)?))).collect();
    while let Some((value, texts)) = open.pop() {
        match (value, texts) {
            (Value::String(text), Texts::Names) => {
                if let Some(new) = renamed.names.get(text.as_str()) {
                    *text = (*new).to_owned();
                }
            }
            (Value::String(text), Texts::Templates) => translate(text, renamed),
            (Value::Array(items), texts) => open.extend(items.iter_mut().map(|item| (item, texts))),
            (Value::Object(entries), texts) => {
                for (key, it) in entries {
                    match (texts, key.as_str()) {
                        (Texts::Templates, _) => open.push((it, Texts::Templates)),
                        (Texts::Names, "when") => open.push((it, Texts::Guard)),
                        (Texts::Names, "topic" | "tool") | (Texts::Guard, "const" | "cel") => {}
                        (Texts::Names, _) => open.push((it, Texts::Names)),
                        (Texts::Guard, "path") => {
                            let first = it.as_array_mut().and_then(|path| path.first_mut());
                            open.extend(first.map(|name| (name, Texts::Names)));
                        }
                        (Texts::Guard, _) => open.push((it, Texts::Guard)),
                    }
                }
            }
            _ => {}
        }
    }
    serde_json::from_value(Value::Object(fields)).unwrap_or(node)
}

/// A template that reads nodes.
fn translate(text: &mut String, renamed: &Renamed<'_>) {
    let mut written = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("{{.") {
        let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
        let (name, after) = behind.split_at(end);
        written.push_str(before);
        written.push_str("{{.");
        written.push_str(renamed.names.get(name).copied().unwrap_or(name));
        rest = after;
    }
    written.push_str(rest);
    *text = written;
}

fn node_changes(both: &Both<'_>, changes: &mut Vec<Change>) {
    triggers(both, changes);
    let (old, new) = (&both.old.1, both.new.1);
    if act_alike(old, new) {
        sent(both, changes);
    } else {
        let said = match (action_text(old), action_text(new)) {
            (before, after) if before == after => "takes other events from its mailbox".to_owned(),
            (before, after) => format!("now {after}; previously {}", past(&before)),
        };
        changes.push(both.change(&codes::ACTION_CHANGED, "", said));
    }
    if old.limit != new.limit {
        let times = |limit: Option<u32>| limit.map_or_else(|| "without limit".to_owned(), |limit| format!("at most {limit} times"));
        let said = format!("now fires {}; previously fired {}", times(new.limit), times(old.limit));
        changes.push(both.change(&codes::LIMIT_CHANGED, "/limit", said));
    }
    if old.timeout != new.timeout {
        let text =
            |length: Option<weave_ir::Duration>| length.map_or_else(|| "no timeout".to_owned(), |it| format!("the timeout {}", it.words()));
        let said = format!("now has {}; previously had {}", text(new.timeout), text(old.timeout));
        changes.push(both.change(&codes::TIMEOUT_CHANGED, "/timeout", said));
    }
    if old.retry != new.retry {
        let times = |retry: &Option<weave_ir::Retry>| retry.as_ref().map_or(0, |retry| retry.max);
        let said = match (times(&old.retry), times(&new.retry)) {
            (before, after) if before == after => "is retried differently".to_owned(),
            (before, after) => format!("is now retried {after} times; previously {before} times"),
        };
        changes.push(both.change(&codes::RETRY_CHANGED, "/retry", said));
    }
    if old.each != new.each {
        let said = match (&old.each, &new.each) {
            (None, Some(_)) => "now acts once for each element of a list",
            (Some(_), None) => "now acts once; previously acted once for each element of a list",
            _ => "processes its list differently",
        };
        changes.push(both.change(&codes::FAN_OUT_CHANGED, "/each", said));
    }
    if old.description != new.description {
        changes.push(both.change(&texts::TEXT_CHANGED, "/id", "has another description").level(Severity::Note));
    }
}

fn triggers(both: &Both<'_>, changes: &mut Vec<Change>) {
    let (old, new) = (items(&both.old.1), items(both.new.1));
    let (before, after): (Vec<_>, Vec<_>) =
        (old.iter().map(|item| &item.trigger).collect(), new.iter().map(|item| &item.trigger).collect());
    if before != after {
        let text = |triggers: &[&weave_ir::Trigger]| triggers.iter().map(|trigger| trigger_text(trigger)).collect::<Vec<_>>().join(" | ");
        let said = match (text(&before), text(&after)) {
            (before, after) if before == after => format!("now waits for `{after}` from another node"),
            (before, after) => format!("now listens to `{after}`; previously listened to `{before}`"),
        };
        changes.push(both.change(&codes::TRIGGER_CHANGED, "/on", said));
    }
    let several = new.len() > 1;
    for item in &new {
        let Some(known) = old.iter().find(|known| known.trigger == item.trigger) else { continue };
        if same_condition(&known.condition, &item.condition) {
            continue;
        }
        let on = if several { format!(" on `{}`", trigger_text(&item.trigger)) } else { String::new() };
        let before = match &known.condition {
            Condition::Always => "always fired".to_owned(),
            other => format!("fired {}", condition_text(other)),
        };
        let said = match &item.condition {
            Condition::Always => format!("now always fires{on}; previously {before}"),
            other => format!("now fires {}{on}; previously {before}", condition_text(other)),
        };
        changes.push(both.change(&codes::GUARD_CHANGED, if several { "/on" } else { "/when" }, said));
    }
}

/// Whether two nodes do the same, whatever they send.
fn act_alike(one: &Node, other: &Node) -> bool {
    let is_value = |node: &Node| node.output.is_some() && !node.terminal;
    let matches = |node: &Node| node.matches.as_ref().map(|guard| guard.expr.clone());
    one.emit == other.emit
        && callee(one) == callee(other)
        && one.awaits == other.awaits
        && one.cancel == other.cancel
        && matches(one) == matches(other)
        && (is_value(one), one.terminal, one.outcome) == (is_value(other), other.terminal, other.outcome)
}

/// What a node sends, answers or ends with.
fn sent(both: &Both<'_>, changes: &mut Vec<Change>) {
    let (old, new) = (&both.old.1, both.new.1);
    if new.emit.as_deref() == Some("timer.set") && old.payload != new.payload {
        let length = |node: &Node| node.payload.as_ref().and_then(|it| it.get("after").or_else(|| it.get("at"))).and_then(value_text);
        let said = match (length(old), length(new)) {
            (Some(before), Some(after)) => format!("now waits {after}; previously waited {before}"),
            _ => "waits differently".to_owned(),
        };
        changes.push(both.change(&codes::TIMEOUT_CHANGED, "/payload", said));
        return;
    }
    let parts = [
        ("/payload", "sends", without_digest(old.payload.as_ref()), without_digest(new.payload.as_ref())),
        ("/output", if new.terminal { "ends with" } else { "is" }, old.output.clone(), new.output.clone()),
        ("/message", "fails with", old.message.clone().map(Value::String), new.message.clone().map(Value::String)),
    ];
    for (key, verb, before, after) in parts {
        if before == after {
            continue;
        }
        let found = differences(before.as_ref().unwrap_or(&Value::Null), after.as_ref().unwrap_or(&Value::Null));
        let (said, place) = match found.as_slice() {
            [one] => (one.said(verb), one.pointer.clone()),
            several => {
                let names: Vec<String> = several.iter().take(MOST_NAMED).map(|it| format!("`{}`", it.name())).collect();
                let more = if several.len() > MOST_NAMED { format!(" and {} more", several.len() - MOST_NAMED) } else { String::new() };
                (format!("{verb} a different payload as {}{more}", listed(&names)), String::new())
            }
        };
        changes.push(both.change(&codes::PAYLOAD_CHANGED, &format!("{key}{place}"), said));
    }
    if old.history != new.history {
        changes.push(both.change(&codes::PAYLOAD_CHANGED, "/history", "continues the exchanges of other steps"));
    }
}

/// More parts of a payload are counted, but not named.
const MOST_NAMED: usize = 3;

/// The digest of a child follows from the child.
fn without_digest(payload: Option<&Value>) -> Option<Value> {
    let mut payload = payload?.clone();
    if let Some(entries) = payload.as_object_mut().filter(|entries| entries.contains_key("workflow")) {
        entries.shift_remove("digest");
    }
    Some(payload)
}

/// A part of a value that is another one.
struct Difference {
    pointer: String,
    old: Option<Value>,
    new: Option<Value>,
}

impl Difference {
    /// The names on the way to the part; what is around the arguments of a call is of no interest.
    fn name(&self) -> String {
        let path = self.pointer.trim_start_matches('/').replace('/', ".");
        let path = ["args.", "input."].iter().find_map(|around| path.strip_prefix(around)).unwrap_or(&path).to_owned();
        if path.is_empty() { "its value".to_owned() } else { path }
    }

    fn said(&self, verb: &str) -> String {
        let of = if self.pointer.is_empty() { String::new() } else { format!(" as `{}`", self.name()) };
        let text = |value: &Option<Value>| value.as_ref().map_or_else(|| Some("nothing".to_owned()), value_text);
        match (text(&self.old), text(&self.new)) {
            (Some(old), Some(new)) => format!("now {verb} {new}{of}; previously {old}"),
            _ => format!("{verb} something else{of}"),
        }
    }
}

/// The innermost parts in which two values differ, in the order of the text.
fn differences(old: &Value, new: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), Some(old), Some(new))];
    while let Some((pointer, old, new)) = open.pop() {
        match (old, new) {
            (old, new) if old == new => {}
            (Some(Value::Object(before)), Some(Value::Object(after))) => {
                let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
                let deeper = keys.into_iter().rev();
                open.extend(deeper.map(|key| (crate::schema::child(&pointer, key), before.get(key), after.get(key))));
            }
            (Some(Value::Array(before)), Some(Value::Array(after))) if before.len() == after.len() => {
                let deeper = before.iter().zip(after).enumerate().rev();
                open.extend(deeper.map(|(index, (old, new))| (format!("{pointer}/{index}"), Some(old), Some(new))));
            }
            (old, new) => found.push(Difference { pointer, old: old.cloned(), new: new.cloned() }),
        }
    }
    found
}

/// `calls` in the past.
fn past(action: &str) -> String {
    let words =
        [("calls", "called"), ("asks", "asked"), ("runs", "ran"), ("emits", "emitted"), ("waits", "waited"), ("cancels", "cancelled")];
    let more = [("is a value", "was a value"), ("ends", "ended"), ("fails", "failed")];
    let found = words.iter().chain(&more).find_map(|(now, before)| action.strip_prefix(now).map(|rest| format!("{before}{rest}")));
    found.unwrap_or_else(|| action.to_owned())
}

/// Whether nodes stand in another order, which decides between them.
fn order(pair: &Pair<'_>, renamed: &Renamed<'_>) -> Vec<Change> {
    let (old, new) = (by_name(pair.old), by_name(pair.new));
    let before: Vec<&str> = pair.old.nodes.iter().map(|node| renamed.new_name(&node.id)).filter(|name| new.contains_key(name)).collect();
    let known: BTreeSet<&str> = old.keys().map(|name| renamed.new_name(name)).collect();
    let after: Vec<&str> = pair.new.nodes.iter().map(|node| node.id.as_str()).filter(|name| known.contains(name)).collect();
    if before == after {
        return Vec::new();
    }
    let places: BTreeMap<&str, usize> = before.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut changes = Vec::new();
    for (trigger, names) in choices(pair.new) {
        let names: Vec<&str> = names.into_iter().filter(|name| places.contains_key(name)).collect();
        let moved = names.iter().zip(names.iter().skip(1)).find(|(one, other)| places.get(*one) > places.get(*other));
        if let Some((first, second)) = moved {
            let item = format!("{}.{first}", pair.new.workflow);
            let message = format!("`{item}` is now evaluated before `{second}` on `{trigger}`; it was evaluated after it");
            changes.push(at_node(pair, &codes::NODE_ORDER_CHANGED, &item, message, first, &old, &new));
        }
    }
    if changes.is_empty()
        && let Some((first, _)) = after.iter().zip(&before).find(|(one, other)| one != other)
    {
        let item = format!("{}.{first}", pair.new.workflow);
        let message = format!("`{item}` moved among the nodes; no choice changed");
        changes.push(at_node(pair, &codes::NODE_ORDER_CHANGED, &item, message, first, &old, &new).level(Severity::Note));
    }
    changes
}

fn at_node(
    pair: &Pair<'_>,
    kind: &'static Kind,
    item: &str,
    message: String,
    name: &str,
    old: &BTreeMap<&str, (String, &Node)>,
    new: &BTreeMap<&str, (String, &Node)>,
) -> Change {
    let mut change = Change::new(kind, item, message);
    if let Some((pointer, _)) = new.get(name) {
        change = change.at_new(Spot::new(&pair.new.workflow, format!("{pointer}/id")), "now");
    }
    if let Some((pointer, _)) = old.get(name) {
        change = change.at_old(Spot::new(&pair.old.workflow, format!("{pointer}/id")), "before");
    }
    change
}

/// The members of the choice on each trigger, in their order.
fn choices(definition: &Definition) -> BTreeMap<String, Vec<&str>> {
    let mut choices: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for node in &definition.nodes {
        for item in items(node) {
            if matches!(item.condition, Condition::When(_)) {
                choices.entry(trigger_text(&item.trigger)).or_default().push(&node.id);
            }
        }
    }
    choices
}
