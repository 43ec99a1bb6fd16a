//! What leaves, and when.

use serde_json::Value;
use weave_scroll::{RowState, Time};

use crate::agent::ask;
use crate::drive::Drive;
use crate::io::{Output, Send, Work};
use crate::item::ItemKind;
use crate::key::Key;
use crate::rules::Rule;
use crate::topics;

impl Drive {
    /// Sends what is due, or marks it first.
    pub(crate) fn dispatch(&mut self, now: Time) {
        let durable_first = self.rules.hold(Rule::DurableFirst);
        let due = self.memory.items.iter().filter(|(key, item)| {
            let waits = matches!(item.kind, ItemKind::Timer | ItemKind::Child);
            let ready = item.is_due(now) || !durable_first && !item.busy && item.state == RowState::Ready;
            ready && !waits && !item.asked && !self.marking.contains(*key) && !self.ours.contains_key(key)
        });
        let due: Vec<_> = due.map(|(key, _)| key.clone()).collect();
        for key in due {
            let definition = self.definition();
            let Some(item) = self.memory.items.get_mut(&key) else { continue };
            if item.is_once_only(&definition) && self.rules.hold(Rule::MarkFirst) {
                item.busy = true;
                let sendings = item.sendings;
                self.marking.insert(key.clone());
                self.out.push(Output::Mark { key, sendings });
            } else {
                self.send(&key);
            }
        }
    }

    /// Sends what may leave now.
    pub(crate) fn send(&mut self, key: &Key) {
        let Some(item) = self.memory.items.get(key) else { return };
        let field = |name: &str| item.data.get(name).cloned().unwrap_or_default();
        let work = match item.kind {
            ItemKind::Call => Work::Call { tool: item.name.clone(), args: field("args"), data: item.data.clone() },
            ItemKind::Hydration => Work::Hydration { prompt: item.name.clone(), args: field("args") },
            ItemKind::Question => {
                let answers = crate::item::answers(self.prepared.definition(), &item.topic);
                Work::Question { topic: item.topic.clone(), name: item.name.clone(), data: item.data.clone(), answers }
            }
            ItemKind::Model => match self.ask(key) {
                Some(ask) => Work::Turn(Box::new(ask)),
                None => return,
            },
            ItemKind::Timer | ItemKind::Child => return,
        };
        let sending = item.sendings;
        self.ours.insert(key.clone(), sending);
        self.out.push(Output::Send(Box::new(Send { key: key.clone(), sending, work })));
    }

    fn ask(&self, key: &Key) -> Option<crate::agent::Ask> {
        let above = key.above()?;
        let of = self.memory.loops.get(&(above.name(), above.attempt))?;
        let (turn, _) = crate::agent::numbers(&key.part)?;
        let history = of.data.get("history").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let histories: Vec<_> = history.filter_map(|id| self.memory.exchanges.get(id)).collect();
        Some(ask(of, &histories, &self.prepared, u32::try_from(turn).ok()?))
    }

    /// What the run waits for, in short: the first thing that somebody outside has to do, else the first timer.
    pub(crate) fn waiting(&self) -> Option<String> {
        let rank = |kind: ItemKind, state: RowState| match (kind, state) {
            (_, RowState::Unknown) => 0,
            (ItemKind::Question, _) => 1,
            (ItemKind::Call | ItemKind::Model | ItemKind::Hydration, _) => 2,
            (ItemKind::Child, _) => 3,
            (ItemKind::Timer, _) => 4,
        };
        let (key, item) = self.memory.items.iter().min_by_key(|(key, item)| (rank(item.kind, item.state), item.due, *key))?;
        let what = match (item.kind, item.state) {
            (_, RowState::Unknown) => "unknown",
            (ItemKind::Question, _) if item.topic == topics::APPROVAL => "approval",
            (ItemKind::Question, _) => "question",
            (ItemKind::Call, _) => "call",
            (ItemKind::Model, _) => "model",
            (ItemKind::Hydration, _) => "hydration",
            (ItemKind::Child, _) => "run",
            (ItemKind::Timer, _) => "timer",
        };
        let due = (item.kind == ItemKind::Timer).then_some(item.due);
        Some(serde_json::json!({ "for": what, "name": item.name, "re": key.name(), "until": due }).to_string())
    }
}
