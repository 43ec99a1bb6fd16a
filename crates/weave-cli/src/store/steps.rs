//! The steps of a run, from its scroll.

use std::collections::HashMap;

use serde_json::{Value, json};
use weave_runner::{Body, Event, EventKind, FiringOutcome};
use weave_scroll::Time;

use super::secrets::Secrets;
use super::view::View;
use super::words::cut;

/// How much of a result is shown.
const RESULT: usize = 60;

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Done,
    Waits,
    Failed,
    Closed,
    End,
}

impl Mark {
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Done => "✓",
            Self::Waits => "◔",
            Self::Failed => "✗",
            Self::Closed => "–",
            Self::End => "■",
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Done => "answered",
            Self::Waits => "waits",
            Self::Failed => "failed",
            Self::Closed => "cancelled",
            Self::End => "end",
        }
    }
}

/// One firing of a node.
pub(super) struct Step {
    /// The node, with the number of the firing from the second on.
    pub(super) name: String,
    pub(super) node: String,
    pub(super) mark: Mark,
    /// What it does, with its key argument.
    pub(super) action: String,
    pub(super) since: Time,
    pub(super) until: Option<Time>,
    pub(super) attempts: u32,
    /// Of a fan-out: how many elements are answered, of how many.
    pub(super) fan: Option<(usize, usize)>,
    pub(super) tokens: u64,
    /// Its answer or failure, in short.
    pub(super) result: String,
}

impl Step {
    pub(super) fn json(&self) -> Value {
        let until = self.until.map(weave_expr::timestamp);
        json!({
            "step": self.node,
            "name": self.name,
            "state": self.mark.word(),
            "action": self.action,
            "started": weave_expr::timestamp(self.since),
            "ended": until,
            "attempts": self.attempts,
            "tokens": (self.tokens > 0).then_some(self.tokens),
        })
    }
}

/// What is known of a firing besides its outcome.
#[derive(Default)]
struct Known {
    since: Time,
    /// When something about it was said last.
    last: Time,
    action: String,
    attempts: u32,
    tokens: u64,
    failure: String,
}

/// The steps in the order in which they fired.
pub(super) fn steps(view: &View, events: &[(i64, Event)], secrets: &Secrets) -> Vec<Step> {
    let run = &view.row.id;
    let definition = view.definition();
    let mut known: HashMap<&str, Known> = HashMap::new();
    for (at, event) in events {
        let about = event.within.as_deref().or(event.re.as_deref()).unwrap_or(&event.id);
        let Some(firing) = firing_of(run, about) else { continue };
        if event.topic == "workflow.step" {
            continue;
        }
        let known = known.entry(firing).or_insert_with(|| Known { since: *at, attempts: 1, ..Known::default() });
        known.last = *at;
        if let (Some(_), "ai.turn", Some(data)) = (&event.within, event.topic.as_str(), event.data()) {
            let count = |key: &str| data.get(key).and_then(Value::as_u64).unwrap_or(0);
            known.tokens += count("input_tokens") + count("output_tokens");
        }
        if event.within.is_some() {
            continue;
        }
        known.attempts = known.attempts.max(event.attempt);
        match (&event.body, event.kind) {
            (Body::Failure(failure), _) => known.failure = format!("{}: {}", failure.code_or_kind(), failure.message),
            (Body::Data(data), EventKind::Derived) if known.action.is_empty() && event.topic != "timer.set" => {
                known.action = action(&event.topic, data);
            }
            _ => {}
        }
    }
    let fired = fired(run, events);
    let describe = |firing: weave_runner::FiringView<'_>| {
        let known = known.remove(firing.id).unwrap_or_default();
        let node = definition.node(firing.node);
        let terminal = node.is_some_and(|node| node.terminal);
        let (mark, result) = match firing.outcome {
            _ if terminal => (Mark::End, String::new()),
            FiringOutcome::Open => (Mark::Waits, String::new()),
            FiringOutcome::Answered(value) => (Mark::Done, short(&secrets.value(value))),
            FiringOutcome::Failed => (Mark::Failed, secrets.text(&known.failure)),
            FiringOutcome::Closed => (Mark::Closed, String::new()),
        };
        let action = if known.action.is_empty() {
            node.map(|node| node.awaits.iter().cloned().collect::<Vec<_>>().join(" | "))
                .filter(|topics| !topics.is_empty())
                .map(|topics| format!("wait {topics}"))
                .unwrap_or_default()
        } else {
            secrets.text(&known.action)
        };
        let since = fired.get(firing.id).copied().unwrap_or(known.since);
        let came = match firing.outcome {
            FiringOutcome::Answered(value) if known.last < since => came(events, node, value, since),
            _ => None,
        };
        let name = firing.id.strip_prefix(run.as_str()).and_then(|name| name.strip_prefix('/')).unwrap_or(firing.id);
        Step {
            name: name.strip_suffix("#1").unwrap_or(name).to_owned(),
            node: firing.node.to_owned(),
            mark,
            action,
            since,
            until: (!matches!(mark, Mark::Waits)).then_some(came.unwrap_or(known.last).max(since)),
            attempts: known.attempts.max(1),
            fan: firing.elements.map(|elements| (elements.iter().filter(|element| element.is_some()).count(), elements.len())),
            tokens: known.tokens,
            result,
        }
    };
    view.drive.runner().firings().map(describe).collect()
}

/// When the event came that a step waited for: such an event names no request.
fn came(events: &[(i64, Event)], node: Option<&weave_ir::Node>, value: &Value, since: Time) -> Option<Time> {
    let node = node?;
    let fits = |event: &Event| event.re.is_none() && node.awaits.contains(&event.topic) && event.data() == Some(value);
    events.iter().find(|(at, event)| *at >= since && fits(event)).map(|(at, _)| *at)
}

/// When each firing began.
fn fired<'e>(run: &str, events: &'e [(i64, Event)]) -> HashMap<String, Time> {
    let steps = events.iter().filter(|(_, event): &&'e (i64, Event)| event.topic == "workflow.step");
    let firing = |event: &Event| {
        let data = event.data()?;
        Some(format!("{run}/{}#{}", data.get("id")?.as_str()?, data.get("n")?.as_u64()?))
    };
    steps.filter_map(|(at, event)| Some((firing(event)?, *at))).collect()
}

/// The firing that an id is about: `RUN/node#n`, without element, attempt and what follows.
fn firing_of<'i>(run: &str, id: &'i str) -> Option<&'i str> {
    let place = id.strip_prefix(run)?.strip_prefix('/')?;
    let end = place.find('#')?;
    let digits = place.get(end + 1..)?.bytes().take_while(u8::is_ascii_digit).count();
    id.get(..id.len() - place.len() + end + 1 + digits)
}

/// What a request does, with its key argument.
fn action(topic: &str, data: &Value) -> String {
    let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default();
    let first = || {
        let args = data.get("args").and_then(Value::as_object);
        let key = args.and_then(|args| args.values().find(|value| value.is_string() || value.is_number()));
        key.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).unwrap_or_default()
    };
    let action = match topic {
        "ai.request" if data.get("agent").is_some() => format!("ask {}", text("agent")),
        "tool.dispatch" => format!("{} {}", text("name"), first()),
        "tool.approval.requested" => format!("approval of {}", text("name")),
        "workflow.start" => format!("run {}", text("workflow")),
        "timer.set" => format!("wait {}{}", text("after"), text("at")),
        "prompt.hydrate.request" => format!("hydrate {}", text("prompt")),
        topic => topic.to_owned(),
    };
    action.trim_end().to_owned()
}

/// A value in short.
pub(super) fn short(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Object(entries) => {
            let scalars = entries.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
            scalars.map(|(name, value)| format!("{name} {}", short(value))).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => weave_diagnostics::counted(items.len(), "item"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    cut(&text, RESULT)
}
