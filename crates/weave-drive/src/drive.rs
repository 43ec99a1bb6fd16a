//! One run: its state, and how inputs change it.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::{Event, Prepared, Runner};
use weave_scroll::{NewRun, NodeId, RowState, Shard, Time};

use crate::agent::Loop;
use crate::io::{Input, Outcome, Output, Snapshot};
use crate::item::{Item, ItemKind};
use crate::key::Key;
use crate::put::Draft;
use crate::rules::{Rule, Rules};

/// The name and attempt of a loop: those of its request, or of the call to its agent.
pub(crate) type LoopName = (String, u32);

/// One run: what it is, what is to be done in it, and what is under way.
///
/// It does nothing itself. [`step`](Self::step) takes what happened and the time, and gives what the host has to do: append, mark,
/// send, abort. The host brings the results back as further inputs, in any order and as late as it likes; it may also lose them,
/// as a crash does.
#[derive(Clone)]
pub struct Drive {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) place: Place,
    pub(crate) settings: Settings,
    pub(crate) rules: Rules,
    /// Some node continues the exchanges of earlier requests, so closed loops are needed.
    pub(crate) keeps_exchanges: bool,
    pub(crate) memory: Memory,
    /// What this process has sent and has no answer to; the number counts the sendings.
    pub(crate) ours: BTreeMap<Key, u32>,
    /// Rows whose mark is under way. Until its reply comes, nobody knows whether they are marked.
    pub(crate) marking: BTreeSet<Key>,
    /// Answers that are not on the scroll yet, in the order in which they came.
    pub(crate) outcomes: VecDeque<(Key, Outcome)>,
    pub(crate) phase: Phase,
    pub(crate) draft: Option<Draft>,
    pub(crate) out: Vec<Output>,
}

/// Where a run is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The id of the run.
    pub run: String,
    /// The process that drives it, which owns its shard.
    pub node: NodeId,
    /// Its shard, which its children share.
    pub shard: Shard,
    /// The revision of the runner's semantics of this process.
    pub revision: u32,
}

/// What a host decides about its runs.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Tools whose calls with an unknown outcome fail with `unknown_outcome` at once, without asking a person.
    pub unknown_fails: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It was never loaded by this process.
    Fresh,
    /// The host was asked to load it again.
    Stale,
    /// It knows what the store knows, and what is under way.
    Loaded,
}

/// What a run knows from the store. It is thrown away when an append did not go as expected.
#[derive(Clone)]
pub(crate) struct Memory {
    pub(crate) runner: Runner,
    /// How many events the scroll has, those of an append under way included.
    pub(crate) head: u64,
    pub(crate) parent: Option<Parent>,
    /// The data of `workflow.done`.
    pub(crate) done: Option<Value>,
    pub(crate) items: BTreeMap<Key, Item>,
    /// The places inside loops, by their names.
    pub(crate) parts: HashMap<String, Key>,
    pub(crate) loops: BTreeMap<LoopName, Loop>,
    /// The closed loops of requests, by their ids.
    pub(crate) exchanges: HashMap<String, Loop>,
    /// Calls that were sent by a process that is gone.
    pub(crate) lost: BTreeSet<Key>,
    /// The run that this process starts, and its first event.
    pub(crate) start: Option<(Box<NewRun>, Box<Event>)>,
    /// Posted events, in the order in which they were acknowledged.
    pub(crate) inbox: VecDeque<(u64, Event)>,
    /// The append under way. There is one at a time.
    pub(crate) appending: Option<Pending>,
}

/// What happens when an append is durable.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The append took the outcome at the front.
    pub(crate) outcome: Option<Key>,
    pub(crate) took: Option<u64>,
    pub(crate) added: Vec<Key>,
    pub(crate) aborts: Vec<Key>,
    pub(crate) recorded: Vec<Event>,
    pub(crate) done: Option<Value>,
}

/// The request of another run that started this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) run: String,
    /// The id of the request, or of the call inside a loop.
    pub(crate) re: String,
    pub(crate) attempt: u32,
    /// The topic of the answer, which is not that of a request inside a loop.
    pub(crate) topic: String,
}

impl Parent {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let attempt = value.get("attempt").and_then(Value::as_u64).and_then(|attempt| u32::try_from(attempt).ok()).unwrap_or(1);
        Some(Self { run: text("run")?, re: text("re")?, attempt, topic: text("topic")? })
    }

    pub(crate) fn written(&self) -> Value {
        json!({ "run": self.run, "re": self.re, "attempt": self.attempt, "topic": self.topic })
    }
}

impl Memory {
    fn new(prepared: &Arc<Prepared>) -> Self {
        Self {
            runner: Runner::new(Arc::clone(prepared)),
            head: 0,
            parent: None,
            done: None,
            items: BTreeMap::new(),
            parts: HashMap::new(),
            loops: BTreeMap::new(),
            exchanges: HashMap::new(),
            lost: BTreeSet::new(),
            start: None,
            inbox: VecDeque::new(),
            appending: None,
        }
    }
}

impl Drive {
    /// A run that has not been loaded. The first input is [`Input::Loaded`].
    #[must_use]
    pub fn new(place: Place, prepared: Arc<Prepared>, settings: Settings) -> Self {
        let keeps_exchanges = prepared.definition().nodes.iter().any(|node| !node.history.is_empty());
        Self {
            memory: Memory::new(&prepared),
            prepared,
            place,
            settings,
            rules: Rules::default(),
            keeps_exchanges,
            ours: BTreeMap::new(),
            marking: BTreeSet::new(),
            outcomes: VecDeque::new(),
            phase: Phase::Fresh,
            draft: None,
            out: Vec::new(),
        }
    }

    /// A run as the store has it, to look at: nothing is to be done, and what a dead process has sent is unknown already.
    #[must_use]
    pub fn observed(place: Place, prepared: Arc<Prepared>, snapshot: Snapshot) -> Self {
        let mut drive = Self::new(place, prepared, Settings::default());
        drive.load(snapshot, 0);
        drive.out.clear();
        let definition = drive.definition();
        for key in std::mem::take(&mut drive.memory.lost) {
            if let Some(item) = drive.memory.items.get_mut(&key) {
                item.state = if item.is_once_only(&definition) { RowState::Unknown } else { RowState::Ready };
            }
        }
        drive
    }

    /// Takes what happened, and gives what is to be done now, in this order.
    pub fn step(&mut self, input: Input, now: Time) -> Vec<Output> {
        match input {
            Input::Loaded(snapshot) => self.load(snapshot, now),
            Input::Start(new, event) => {
                self.phase = Phase::Loaded;
                self.memory.start = Some((new, event));
            }
            Input::Posted(posts) => self.posted(posts),
            Input::Appended(true) if self.phase == Phase::Loaded => self.appended(),
            Input::Appended(_) => {
                self.memory.appending = None;
                self.reload();
            }
            Input::Marked { key, done } => self.marked(&key, done),
            Input::Lost { key } => {
                if self.phase == Phase::Loaded && !self.ours.contains_key(&key) {
                    self.memory.lost.insert(key);
                }
            }
            Input::Changed { key, done } => self.changed(&key, done),
            Input::Outcome { key, outcome } => self.outcome(key, outcome, now),
            Input::Time => {}
        }
        self.pump(now);
        std::mem::take(&mut self.out)
    }

    /// The id of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.place.run
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> Arc<Definition> {
        Arc::clone(self.prepared.definition())
    }

    /// The data of `workflow.done`, once the run is over.
    #[must_use]
    pub fn done(&self) -> Option<&Value> {
        self.memory.done.as_ref()
    }

    /// What is to be done, or waited for: the rows of the outbox.
    pub fn items(&self) -> impl Iterator<Item = (&Key, &Item)> {
        self.memory.items.iter()
    }

    /// What the run waits for outside the outbox, and what answers would fit.
    #[must_use]
    pub fn runner(&self) -> &Runner {
        &self.memory.runner
    }

    /// Whether nothing is under way: no append, no operation on a row, no call.
    ///
    /// A drive that is idle may be dropped and loaded again. One that is not must stay, because a fresh one takes the calls of this
    /// process for lost.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Loaded
            && self.memory.appending.is_none()
            && self.outcomes.is_empty()
            && self.ours.is_empty()
            && self.marking.is_empty()
            && self.memory.inbox.is_empty()
            && self.memory.items.values().all(|item| !item.busy)
    }

    /// When something is due next; none: nothing happens before an input comes.
    #[must_use]
    pub fn next_due(&self) -> Option<Time> {
        let waiting = |(key, item): &(&Key, &Item)| {
            let never = item.asked || matches!(item.kind, ItemKind::Question | ItemKind::Child);
            let under_way = item.busy || !item.durable || self.ours.contains_key(*key) || self.marking.contains(*key);
            item.state == RowState::Ready && !never && !under_way && !self.is_muted(key, item)
        };
        self.memory.items.iter().filter(waiting).map(|(_, item)| item.due).min()
    }

    fn load(&mut self, snapshot: Snapshot, now: Time) {
        let fresh = self.phase == Phase::Fresh;
        self.memory = Memory::new(&self.prepared);
        for external in &snapshot.externals {
            let derived = self.memory.runner.feed(external);
            self.memory.head += 1 + derived.len() as u64;
            self.absorb(external, &derived, now);
        }
        for item in self.memory.items.values_mut() {
            item.durable = true;
        }
        for row in snapshot.rows {
            let key = Key::of_row(&row.key);
            let Some(item) = self.memory.items.get_mut(&key) else { continue };
            (item.state, item.sendings, item.due) = (row.state, row.sendings, row.due);
            if self.marking.contains(&key) {
                item.busy = true;
                continue;
            }
            if row.state != RowState::Sent || self.ours.contains_key(&key) {
                continue;
            }
            let mine = row.process == Some(self.place.node);
            if mine && !fresh {
                // This process marked it, and has not sent it.
                item.busy = true;
                self.out.push(Output::Release { key, sendings: row.sendings, sent: true, due: row.due });
            } else if mine || row.process.is_none_or(|process| !snapshot.living.contains(&process)) {
                self.memory.lost.insert(key);
            }
        }
        self.memory.inbox = snapshot.inbox.into();
        self.phase = Phase::Loaded;
    }

    fn posted(&mut self, posts: Vec<(u64, Event)>) {
        if self.phase != Phase::Loaded {
            return;
        }
        let last = self.memory.inbox.back().map(|(pos, _)| *pos).max(self.memory.appending.as_ref().and_then(|pending| pending.took));
        let new = posts.into_iter().filter(|(pos, _)| last.is_none_or(|last| *pos > last));
        self.memory.inbox.extend(new);
    }

    /// Throws the memory away and asks for what the store knows.
    pub(crate) fn reload(&mut self) {
        if !self.rules.hold(Rule::Rebuild) {
            self.memory.appending = None;
            return;
        }
        self.phase = Phase::Stale;
        // The reply to an append under way must not be taken for that to the next one.
        if self.memory.appending.is_none() {
            self.memory = Memory::new(&self.prepared);
            self.out.push(Output::Load);
        }
    }

    fn appended(&mut self) {
        let Some(pending) = self.memory.appending.take() else { return };
        if let Some(key) = pending.outcome {
            self.outcomes.pop_front();
            self.ours.remove(&key);
        }
        for key in &pending.added {
            if let Some(item) = self.memory.items.get_mut(key) {
                item.durable = true;
            }
        }
        self.out.push(Output::Recorded(pending.recorded));
        for key in pending.aborts {
            if self.ours.remove(&key).is_some() {
                self.outcomes.retain(|(other, _)| *other != key);
                self.out.push(Output::Abort { key });
            }
        }
        if let Some(done) = pending.done {
            self.out.push(Output::Ended(done));
        }
    }

    fn marked(&mut self, key: &Key, done: bool) {
        self.marking.remove(key);
        if self.phase != Phase::Loaded {
            return;
        }
        let Some(item) = self.memory.items.get_mut(key) else { return };
        item.busy = false;
        if done {
            if item.state != RowState::Sent {
                (item.state, item.sendings) = (RowState::Sent, item.sendings.saturating_add(1));
            }
            self.send(key);
        } else {
            // The row is gone, or another process has it.
            self.reload();
        }
    }

    fn changed(&mut self, key: &Key, done: bool) {
        match self.memory.items.get_mut(key) {
            Some(item) if done && self.phase == Phase::Loaded => {
                item.busy = false;
                if item.state == RowState::Sent && !self.ours.contains_key(key) {
                    item.state = RowState::Ready;
                }
            }
            Some(_) if self.phase == Phase::Loaded => self.reload(),
            _ => {}
        }
    }
}
