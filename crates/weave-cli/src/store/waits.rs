//! What a run waits for, in words and as JSON. A run is never just "running".

use serde_json::{Value, json};
use weave_host::ItemKind;
use weave_scroll::{RowState, Time};

use super::open::{Open, requests};
use super::view::View;
use super::words::length;

/// Something that a run waits for.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    /// What kind of thing it is, for programs.
    pub(super) kind: &'static str,
    /// In words.
    pub(super) words: String,
    /// Its step.
    pub(super) node: String,
    /// The tool, agent, topic or run.
    pub(super) name: String,
    /// The request.
    pub(super) re: Option<String>,
    /// When it is over, at the latest; of a timer, when it fires.
    pub(super) until: Option<Time>,
    rank: u8,
}

impl Wait {
    pub(super) fn json(&self) -> Value {
        let until = self.until.map(weave_expr::timestamp);
        json!({ "for": self.kind, "node": self.node, "name": self.name, "re": self.re, "until": until })
    }

    /// In words, with the time that is left.
    pub(super) fn line(&self, now: Time) -> String {
        match self.until {
            Some(until) if self.kind == "timer" && until > now => format!("wakes up in {}", length(until - now)),
            Some(_) if self.kind == "timer" => "a timer is due".to_owned(),
            Some(until) if until > now => format!("{}, {} left", self.words, length(until - now)),
            Some(_) => format!("{}, its time is over", self.words),
            None => self.words.clone(),
        }
    }
}

/// What a run waits for, the most urgent first: people, then events from outside, then others, then time.
pub(super) fn waits(view: &View, now: Time) -> Vec<Wait> {
    let open = requests(view);
    let mut waits: Vec<_> = open.iter().map(|open| asked(view, open, now)).collect();
    // The time that is left is said with what waits for it.
    let said =
        |id: &str| open.iter().any(|open| open.until.is_some() && id.strip_prefix(&open.re).is_some_and(|rest| rest.starts_with('@')));
    for mailbox in view.drive.runner().mailboxes() {
        let topics = mailbox.topics.iter().map(|topic| format!("`{topic}`")).collect::<Vec<_>>().join(" or ");
        waits.push(Wait {
            kind: "event",
            words: format!("waits for {topics}"),
            node: mailbox.node.to_owned(),
            name: mailbox.topics.join(" "),
            re: None,
            until: None,
            rank: 2,
        });
    }
    for (key, item) in view.drive.items() {
        let (kind, words, rank) = match item.kind {
            ItemKind::Child => ("run", format!("waits for the run of `{}`", item.name), 4),
            ItemKind::Timer if key.part.is_empty() && !said(&key.id) => ("timer", String::new(), 5),
            _ => continue,
        };
        let re = Some(key.name());
        waits.push(Wait {
            kind,
            words,
            node: String::new(),
            name: item.name.clone(),
            re,
            until: Some(item.due).filter(|_| rank == 5),
            rank,
        });
    }
    waits.sort_by_key(|wait| (wait.rank, wait.until.unwrap_or(Time::MAX)));
    waits
}

fn asked(view: &View, open: &Open, now: Time) -> Wait {
    let item = view.drive.items().find(|(key, _)| key.name() == open.re && key.attempt == open.attempt).map(|(_, item)| item);
    let (state, due) = item.map_or((RowState::Ready, 0), |item| (item.state, item.due));
    let name = if open.name.is_empty() { &open.topic } else { &open.name };
    let (kind, words, rank) = match open.topic.as_str() {
        _ if open.unknown.is_some() => ("unknown", format!("did `{name}` happen?"), 0),
        "tool.approval.requested" => ("approval", format!("waits for an approval of `{name}`"), 1),
        "tool.dispatch" if state == RowState::Accepted => ("call", format!("waits for `{name}`, which answers later"), 3),
        "tool.dispatch" if item.is_some_and(|item| item.kind == ItemKind::Question) => {
            ("question", format!("waits for an answer to `{name}`"), 1)
        }
        "tool.dispatch" if due > now => ("call", format!("tries `{name}` again in {}", length(due - now)), 3),
        "tool.dispatch" if view.is_driven() => ("call", format!("calls `{name}`"), 3),
        "tool.dispatch" => ("call", format!("is to call `{name}`"), 3),
        "ai.request" => ("model", format!("{} the model of `{}`", if view.is_driven() { "asks" } else { "is to ask" }, open.node), 3),
        "prompt.hydrate.request" => ("hydration", "looks up what a prompt needs".to_owned(), 3),
        topic => ("question", format!("waits for an answer to `{topic}`"), 1),
    };
    Wait { kind, words, node: open.node.clone(), name: name.clone(), re: Some(open.re.clone()), until: open.until, rank }
}
