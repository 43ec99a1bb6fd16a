//! Which part of a definition says what happens, as a JSON pointer.

use serde_json::Value;
use weave_ir::{Condition, Definition, Duration, On, Trigger};
use weave_runner::Event;

use crate::pairs::node_of;
use crate::replay::Player;

/// How deep a difference, or what does not fit, is looked for.
const DEEPEST: usize = 32;

/// A guard: `/nodes/1/when`, `/nodes/2/on/any/0/when`.
pub(crate) fn of_guard(player: &Player, node: &str, item: Option<usize>) -> String {
    let definition = player.runner.definition();
    let pointer = of_node(definition, node);
    let several = definition.node(node).is_some_and(|node| matches!(node.on, Some(On::Any(_))));
    match item {
        None => format!("{pointer}/match"),
        Some(item) if several => format!("{pointer}/on/any/{item}/when"),
        Some(_) => format!("{pointer}/when"),
    }
}

/// Whether a definition has a guard there.
pub(crate) fn has_guard(player: &Player, node: &str, item: Option<usize>) -> bool {
    let Some(node) = player.runner.definition().node(node) else { return false };
    match (item, &node.on) {
        (None, _) => node.matches.is_some(),
        (Some(item), Some(On::Any(any))) => {
            any.any.get(item).is_some_and(|item| matches!(item.condition, Condition::When(_) | Condition::Also(_)))
        }
        (Some(_), _) => node.when.is_some(),
    }
}

/// What makes a derived event follow: the trigger of a firing, the payload of a request, the timeout of a timer.
pub(crate) fn of_event(player: &Player, event: &Event) -> String {
    let definition = player.runner.definition();
    let Some(node) = node_of(&event.id) else { return String::new() };
    let pointer = of_node(definition, node);
    match event.topic.as_str() {
        "workflow.step" => {
            let item = player.watch.chosen.iter().rev().find(|(chosen, _)| chosen == node).map_or(0, |(_, item)| *item);
            format!("{pointer}{}", of_trigger(definition, node, item))
        }
        "timer.set" => of_timer(definition, node, event).unwrap_or(pointer),
        _ if event.attempt > 1 => of_setting(definition, node, "retry").unwrap_or(pointer),
        "workflow.cancel" => pointer,
        _ => format!("{pointer}/payload"),
    }
}

/// What keeps a node from doing what it did.
pub(crate) fn of_absent(player: &Player, node: &str, event: Option<&Event>) -> String {
    let definition = player.runner.definition();
    if definition.node(node).is_none() {
        return String::new();
    }
    if let Some(seen) = player.watch.of(node).filter(|seen| !seen.result) {
        return of_guard(player, node, seen.item);
    }
    match event {
        Some(event) if event.topic == "workflow.step" => format!("{}{}", of_node(definition, node), of_trigger(definition, node, 0)),
        Some(event) => of_event(player, event),
        None => of_node(definition, node),
    }
}

/// The output of the node that ended the run, and the field below it.
pub(crate) fn of_end(player: &Player, events: &[Event], below: &str) -> String {
    let definition = player.runner.definition();
    let fired = events.iter().rev().filter(|event| event.topic == "workflow.step").find_map(|event| node_of(&event.id));
    let Some(node) = fired.filter(|node| definition.node(node).is_some_and(|node| node.terminal)) else { return String::new() };
    let below = below.strip_prefix("/failure").or_else(|| below.strip_prefix("/output")).unwrap_or_default();
    let part =
        if below.starts_with("/message") || definition.node(node).is_some_and(|node| node.output.is_none()) { "" } else { "/output" };
    format!("{}{part}{below}", of_node(definition, node))
}

/// The schema that an answer, or the input, does not fit, and the part of the schema that it fitted before.
pub(crate) fn of_misfit(definition: &Definition, node: Option<&str>, event: &Event) -> (String, String) {
    let (pointer, value) = match node.and_then(|node| definition.node(node)) {
        None => ("/input".to_owned(), event.data().and_then(|data| data.get("input"))),
        Some(node) => {
            let named = |key: &str| node.payload.as_ref().and_then(|payload| payload.get(key)).and_then(Value::as_str);
            let pointer = match (node.emit.as_deref(), named("name"), named("agent"), named("workflow")) {
                (Some("tool.dispatch"), Some(tool), _, _) => format!("/tools/{}/output", escape(tool)),
                (Some("ai.request"), _, Some(agent), _) => format!("/agents/{}/output", escape(agent)),
                (Some("workflow.start"), _, _, Some(child)) => format!("/workflows/{}/output", escape(child)),
                _ => format!("/events/{}/payload", escape(&event.topic)),
            };
            (pointer, event.data())
        }
    };
    match (serde_json::to_value(definition), value) {
        (Ok(document), Some(value)) => of_refusal(&document, pointer, value),
        _ => (pointer.clone(), pointer),
    }
}

/// The innermost part of a schema that refuses a value, or part of one.
///
/// Of a field that is gone, the second is where it was.
fn of_refusal(document: &Value, mut pointer: String, value: &Value) -> (String, String) {
    let mut value = value;
    for _ in 0..DEEPEST {
        let Some(schema) = document.pointer(&pointer) else { break };
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#')) {
            reference.clone_into(&mut pointer);
            continue;
        }
        let refused = |below: &Value, value: &Value| {
            let mut alone = below.clone();
            if let (Some(entries), Some(types)) = (alone.as_object_mut(), document.get("$defs")) {
                entries.insert("$defs".to_owned(), types.clone());
            }
            weave_runner::validator(&alone).is_some_and(|validator| !validator.is_valid(value))
        };
        let inner = match value {
            Value::Object(entries) => entries.iter().find_map(|(key, value)| {
                let below = schema.get("properties")?.get(key)?;
                refused(below, value).then(|| (format!("{pointer}/properties/{}", escape(key)), value))
            }),
            Value::Array(items) => schema.get("items").and_then(|below| {
                let value = items.iter().find(|value| refused(below, value))?;
                Some((format!("{pointer}/items"), value))
            }),
            _ => None,
        };
        // A field that is missing is what the schema wants.
        let missing = value.as_object().and_then(|entries| {
            let required = schema.get("required")?.as_array()?;
            let name = required.iter().filter_map(Value::as_str).find(|name| !entries.contains_key(*name))?;
            Some(format!("{pointer}/properties/{}", escape(name)))
        });
        match (inner, missing) {
            (Some((below, part)), _) => (pointer, value) = (below, part),
            (None, Some(below)) => return (below.clone(), below),
            (None, None) => break,
        }
    }
    let properties = document.pointer(&pointer).and_then(|schema| schema.get("properties"));
    let is_extra = |key: &&String| properties.is_some_and(|properties| properties.get(key.as_str()).is_none());
    let extra = value.as_object().and_then(|entries| entries.keys().find(is_extra));
    let then = extra.map_or_else(|| pointer.clone(), |key| format!("{pointer}/properties/{}", escape(key)));
    (pointer, then)
}

/// Where two values differ first, as a JSON pointer.
pub(crate) fn first_difference(one: Option<&Value>, other: Option<&Value>) -> String {
    let mut pointer = String::new();
    let (Some(mut one), Some(mut other)) = (one, other) else { return pointer };
    for _ in 0..DEEPEST {
        let inner = match (one, other) {
            (Value::Object(then), Value::Object(now)) => {
                let keys = now.keys().chain(then.keys().filter(|key| !now.contains_key(*key)));
                let key = keys.into_iter().find(|key| then.get(*key) != now.get(*key));
                key.map(|key| (escape(key), then.get(key), now.get(key)))
            }
            (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
                let place = then.iter().zip(now).position(|(one, other)| one != other);
                place.map(|place| (place.to_string(), then.get(place), now.get(place)))
            }
            _ => None,
        };
        let Some((key, then, now)) = inner else { break };
        pointer += &format!("/{key}");
        match (then, now) {
            (Some(then), Some(now)) => (one, other) = (then, now),
            _ => break,
        }
    }
    pointer
}

pub(crate) fn of_node(definition: &Definition, node: &str) -> String {
    let place = definition.nodes.iter().position(|it| it.id == node);
    place.map_or_else(String::new, |place| format!("/nodes/{place}"))
}

fn of_trigger(definition: &Definition, node: &str, item: usize) -> String {
    match definition.node(node).map(|node| &node.on) {
        Some(Some(On::Any(_))) => format!("/on/any/{item}"),
        Some(Some(On::One(_))) => "/on".to_owned(),
        _ => String::new(),
    }
}

/// Who sets a timer of a step: a trigger that listens to its timeout, its own timeout, or that of its tool.
fn of_timer(definition: &Definition, node: &str, event: &Event) -> Option<String> {
    let suffix = event.id.rsplit_once('@').map(|(_, suffix)| suffix);
    if suffix == Some("retry") {
        return of_setting(definition, node, "retry");
    }
    let Some(after) = suffix.and_then(|suffix| suffix.parse::<Duration>().ok()) else {
        return Some(format!("{}/payload", of_node(definition, node)));
    };
    let waits = |trigger: &Trigger| matches!(trigger, Trigger::Timeout { after: length, from } if *length == after && from.as_deref() == Some(node));
    let listener = definition.nodes.iter().enumerate().find_map(|(place, listener)| match &listener.on {
        Some(On::One(trigger)) => waits(trigger).then(|| format!("/nodes/{place}/on")),
        Some(On::Any(any)) => {
            let item = any.any.iter().position(|item| waits(&item.trigger))?;
            Some(format!("/nodes/{place}/on/any/{item}"))
        }
        None => None,
    });
    listener.or_else(|| of_setting(definition, node, "timeout"))
}

/// Where a setting of a step is: on the step, or on its tool.
fn of_setting(definition: &Definition, node: &str, setting: &str) -> Option<String> {
    let pointer = of_node(definition, node);
    let written = serde_json::to_value(definition.node(node)?).ok()?;
    if written.get(setting).is_some() {
        return Some(format!("{pointer}/{setting}"));
    }
    let tool = written.get("payload")?.get("name")?.as_str()?;
    Some(format!("/tools/{}/{setting}", escape(tool)))
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
