//! The states of a case and the steps between them.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde_json::{Value, json};
use weave_runner::{Event, Prepared, next};
use weave_scroll::{
    Applied, Change, Kind, NewRun, NodeId, OutboxRow, Outcome as Appended, Post, RowFilter, RowState, Shard, Started, StoredTurn, Tables,
    Time, To, When, Worker,
};

use crate::drive::{Drive, Place, Settings};
use crate::io::{Input, Outcome, Output, Snapshot, Work};
use crate::key::Key;
use crate::rules::Rules;
use crate::{ModelTurn, REVISION};

const RUN: &str = "r";

/// What is checked.
pub(crate) struct Case {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) rules: Rules,
    /// How often a process may crash, an answer may get lost, and a call be refused.
    pub(crate) faults: u8,
    /// The turns of the model, in order.
    pub(crate) turns: Vec<ModelTurn>,
    /// An event that somebody posts at any moment: its topic, what it answers, its data.
    pub(crate) post: Option<(&'static str, &'static str, Value)>,
    /// The callees carry nothing out, so only time helps.
    pub(crate) silent: bool,
    /// The only faults are that answers get lost, and people only decide to send again.
    pub(crate) only_lost: bool,
    /// How many people decide about a call with an unknown outcome at the same time.
    pub(crate) people: u8,
}

/// Something that may happen next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The process does the first thing that its drive wants done.
    Perform,
    /// The store does the oldest write that it was given.
    Write,
    /// The oldest reply of the store reaches the drive.
    Reply,
    /// A callee carries out what reached it.
    CarryOut(usize),
    /// The answer of a callee reaches the process.
    Answer(usize),
    /// The answer gets lost, or the connection breaks.
    Lose(usize),
    /// The callee is busy.
    Refuse(usize),
    /// The process stops.
    Crash,
    /// Another process takes the run over.
    Restart,
    /// It is the time of the next timer.
    Tick,
    /// An event is posted and acknowledged.
    Post,
    /// A person who looked at an unknown call decides: send again.
    Again(u32),
    /// A person who looked at an unknown call decides: it happened.
    Happened(u32),
    /// The process looks into its inbox.
    Look,
}

impl Step {
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self, Self::Lose(_) | Self::Refuse(_) | Self::Crash)
    }
}

/// Something on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sent {
    key: Key,
    node: NodeId,
    once_only: bool,
    turn: bool,
    done: bool,
}

#[derive(Clone)]
pub(crate) struct World<'c> {
    case: &'c Case,
    tables: Tables,
    now: Time,
    node: NodeId,
    shard: Shard,
    drive: Option<Drive>,
    wanted: VecDeque<Output>,
    /// Writes that the store was given and has not done.
    writes: VecDeque<Output>,
    replies: VecDeque<Input>,
    net: Vec<Sent>,
    faults: u8,
    posted: Option<Time>,
    /// When the timer of the approval is due.
    approval_due: Option<Time>,
    /// How often a once-only call was carried out, and how often it may be.
    carried: BTreeMap<String, (u32, u32)>,
    /// What people saw and have not decided yet.
    looking: BTreeSet<(String, u32, u32)>,
    /// The sendings that people have looked at.
    seen: BTreeSet<(String, u32)>,
    people: u8,
    violation: Option<String>,
}

impl<'c> World<'c> {
    pub(crate) fn new(case: &'c Case) -> Self {
        let mut tables = Tables::default();
        let node = tables.join(&Worker { process: "1".to_owned(), revision: REVISION });
        let shard = tables.own_shard(node);
        let digest = case.prepared.digest().unwrap().to_owned();
        let event = Event::start(RUN, &case.prepared.definition().workflow, &digest, json!({}));
        let new = NewRun {
            id: RUN.to_owned(),
            workflow: case.prepared.definition().workflow.clone(),
            digest,
            digest_given: true,
            input_digest: String::new(),
            revision: REVISION,
            parent: None,
            shard,
            event: serde_json::to_string(&event).unwrap(),
            at: 0,
        };
        assert_eq!(tables.start(new), Ok(Started::Started));
        let mut world = Self {
            case,
            tables,
            now: 0,
            node,
            shard,
            drive: None,
            wanted: VecDeque::new(),
            writes: VecDeque::new(),
            replies: VecDeque::new(),
            net: Vec::new(),
            faults: case.faults,
            posted: None,
            approval_due: None,
            carried: BTreeMap::new(),
            looking: BTreeSet::new(),
            seen: BTreeSet::new(),
            people: 0,
            violation: None,
        };
        world.open();
        world
    }

    fn open(&mut self) {
        let place = Place { run: RUN.to_owned(), node: self.node, shard: self.shard, revision: REVISION };
        let mut drive = Drive::new(place, Arc::clone(&self.case.prepared), Settings::default());
        drive.rules = self.case.rules;
        self.drive = Some(drive);
        let snapshot = self.snapshot();
        self.tell(Input::Loaded(snapshot));
    }

    fn tell(&mut self, input: Input) {
        if let Some(drive) = &mut self.drive {
            let told = |output: &Output| matches!(output, Output::Abort { .. } | Output::Recorded(_) | Output::Ended(_));
            self.wanted.extend(drive.step(input, self.now).into_iter().filter(|output| !told(output)));
        }
    }

    fn events(&self) -> Vec<Event> {
        self.tables.read(RUN, 0, 0).iter().flat_map(|turn: &StoredTurn| turn.events().unwrap()).collect()
    }

    fn inbox(&self) -> Vec<(u64, Event)> {
        self.tables.inbox(RUN, 0).iter().map(|row| (row.pos, serde_json::from_str(&row.post.event).unwrap())).collect()
    }

    fn snapshot(&self) -> Snapshot {
        let externals = self.tables.read(RUN, 0, 0).iter().map(|turn| turn.external().unwrap()).collect();
        let rows = self.tables.rows(&RowFilter::default());
        let living = self.tables.nodes().into_iter().filter(|node| node.alive).map(|node| node.id).collect();
        Snapshot { externals, rows, inbox: self.inbox(), living }
    }

    pub(crate) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.drive.is_none() {
            steps.push(Step::Restart);
        } else {
            steps.extend((!self.wanted.is_empty()).then_some(Step::Perform));
            steps.extend((!self.writes.is_empty()).then_some(Step::Write));
            steps.extend((!self.replies.is_empty()).then_some(Step::Reply));
            steps.extend((self.faults > 0 && !self.case.only_lost).then_some(Step::Crash));
            let due = self.drive.as_ref().and_then(Drive::next_due);
            steps.extend(due.filter(|due| *due > self.now).map(|_| Step::Tick));
            let seen = self.drive.as_ref().and_then(|drive| drive.memory.inbox.back().map(|(pos, _)| *pos));
            let taken = self.drive.as_ref().and_then(|drive| drive.memory.appending.as_ref().and_then(|pending| pending.took));
            let new = self.inbox().last().is_some_and(|(pos, _)| Some(*pos) > seen.max(taken));
            steps.extend(new.then_some(Step::Look));
        }
        for (place, sent) in self.net.iter().enumerate() {
            let here = sent.node == self.node && self.drive.is_some();
            if !sent.done {
                steps.extend((!self.case.silent).then_some(Step::CarryOut(place)));
                steps.extend((here && self.faults > 0 && !self.case.only_lost && !self.case.silent).then_some(Step::Refuse(place)));
            } else if here {
                steps.push(Step::Answer(place));
            }
            let may_be_lost = here && self.faults > 0 && !self.case.silent && (sent.done || !self.case.only_lost);
            steps.extend(may_be_lost.then_some(Step::Lose(place)));
        }
        let asked = |re: &str| self.tables.rows(&RowFilter::default()).iter().any(|row| row.key.id == re);
        let may_post = self.posted.is_none() && self.case.post.as_ref().is_some_and(|(_, re, _)| asked(re));
        steps.extend(may_post.then_some(Step::Post));
        for (_, _, person) in &self.looking {
            steps.push(Step::Again(*person));
            steps.extend((!self.case.only_lost).then_some(Step::Happened(*person)));
        }
        steps
    }

    pub(crate) fn take(&mut self, step: &Step) {
        match step {
            Step::Perform => match self.wanted.pop_front() {
                Some(Output::Send(send)) => self.send(&send),
                Some(write) => self.writes.push_back(write),
                None => {}
            },
            Step::Write => {
                if let Some(write) = self.writes.pop_front() {
                    self.write(write);
                }
            }
            Step::Reply => {
                if let Some(input) = self.replies.pop_front() {
                    self.tell(input);
                }
            }
            Step::CarryOut(place) => {
                let sent = &mut self.net[*place];
                sent.done = true;
                if sent.once_only {
                    let name = sent.key.event("");
                    let (carried, allowed) = self.carried.entry(name).or_insert((0, 1));
                    *carried += 1;
                    if carried > allowed {
                        self.violation = Some(format!("a once-only tool was called {carried} times, and {allowed} were allowed"));
                    }
                }
            }
            Step::Answer(place) => {
                let sent = self.net.remove(*place);
                let outcome = if sent.turn { self.turn(&sent.key) } else { Outcome::Data(json!({})) };
                self.tell(Input::Outcome { key: sent.key, outcome });
            }
            Step::Lose(place) => {
                self.faults -= 1;
                // Bytes that left may still arrive.
                let sent = self.net[*place].clone();
                if sent.done {
                    self.net.remove(*place);
                } else {
                    self.net[*place].node = NodeId(u64::MAX);
                }
                self.tell(Input::Outcome { key: sent.key, outcome: Outcome::Lost { message: "broken".to_owned() } });
            }
            Step::Refuse(place) => {
                self.faults -= 1;
                let sent = self.net.remove(*place);
                self.tell(Input::Outcome { key: sent.key, outcome: Outcome::Refused { after: Some(0), message: "busy".to_owned() } });
            }
            Step::Crash => {
                self.faults -= 1;
                self.drive = None;
                self.wanted.clear();
                self.writes.clear();
                self.replies.clear();
                self.tables.kill(self.node);
            }
            Step::Restart => {
                self.node = self.tables.join(&Worker { process: "next".to_owned(), revision: REVISION });
                self.tables.bury();
                self.tables.take_shard(self.node, self.shard).unwrap();
                self.open();
            }
            Step::Tick => {
                if let Some(due) = self.drive.as_ref().and_then(Drive::next_due) {
                    self.now = due;
                    self.tell(Input::Time);
                }
            }
            Step::Post => {
                let Some((topic, re, data)) = &self.case.post else { return };
                self.posted = Some(self.now);
                self.post(&Event::answer("outside", *topic, *re, data.clone()));
            }
            Step::Again(person) => self.decide(*person, true),
            Step::Happened(person) => self.decide(*person, false),
            Step::Look => {
                let inbox = self.inbox();
                self.tell(Input::Posted(inbox));
            }
        }
        let timer = self.tables.rows(&RowFilter::default()).into_iter().find(|row| row.key.id == "r/approve#1@PT24H");
        self.approval_due = timer.map(|row| row.due).or(self.approval_due);
        self.look_at_unknown();
    }

    /// People look at each unknown call once, and decide about what they saw.
    fn look_at_unknown(&mut self) {
        for row in self.unknown() {
            let name = Key::of_row(&row.key).event("");
            if self.seen.insert((name.clone(), row.sendings)) {
                for _ in 0..self.case.people {
                    self.people += 1;
                    self.looking.insert((name.clone(), row.sendings, u32::from(self.people)));
                }
            }
        }
    }

    /// The calls whose outcome is unknown, also those of a process that died and that no other has taken over yet.
    fn unknown(&self) -> Vec<OutboxRow> {
        let living: BTreeSet<_> = self.tables.nodes().into_iter().filter(|node| node.alive).map(|node| node.id).collect();
        let lost = |row: &OutboxRow| row.state == RowState::Sent && row.process.is_none_or(|process| !living.contains(&process));
        let rows = self.tables.rows(&RowFilter::default()).into_iter();
        rows.filter(|row| row.state == RowState::Unknown || row.once_only && lost(row)).collect()
    }

    fn decide(&mut self, person: u32, again: bool) {
        let Some(seen) = self.looking.iter().find(|(.., other)| *other == person).cloned() else { return };
        self.looking.remove(&seen);
        let unknown = self.unknown();
        let row = unknown.iter().find(|row| Key::of_row(&row.key).event("") == seen.0 && row.sendings == seen.1);
        let Some((id, attempt)) = self.tables.rows(&RowFilter::default()).iter().find_map(|row| {
            let key = Key::of_row(&row.key);
            (key.event("") == seen.0).then(|| (key.name(), key.attempt))
        }) else {
            return;
        };
        if again && row.is_some() {
            self.carried.entry(seen.0.clone()).or_insert((0, 1)).1 += 1;
        }
        let event = if again {
            let data = json!({ "attempt": attempt, "sending": seen.1 });
            Event { re: Some(id), ..Event::external(format!("person-{}-{person}", seen.1), "tool.again", data) }
        } else {
            let meta = serde_json::Map::from_iter([("sending".to_owned(), json!(seen.1))]);
            Event { meta: Some(meta), ..Event::answer(format!("person-{}-{person}", seen.1), "tool.result", id, json!({})) }
        };
        self.post(&event.with_attempt(attempt));
    }

    fn post(&mut self, event: &Event) {
        let event = Post { run: RUN.to_owned(), id: event.id.clone(), event: serde_json::to_string(event).unwrap(), at: self.now };
        self.tables.post(event).unwrap();
    }

    fn turn(&self, key: &Key) -> Outcome {
        let number = key.part.strip_prefix("turn").and_then(|number| number.parse::<usize>().ok()).unwrap_or(1);
        Outcome::Turn(Box::new(self.case.turns.get(number - 1).cloned().unwrap_or_default()))
    }

    fn write(&mut self, write: Output) {
        match write {
            Output::Load => {
                let snapshot = self.snapshot();
                self.replies.push_back(Input::Loaded(snapshot));
            }
            Output::Append(append) => {
                let expected = append.expected;
                let appended = self.tables.append(*append).unwrap();
                if matches!(appended, Appended::Conflict { head } if head < expected) {
                    self.violation =
                        Some(format!("a turn was tried at {expected}, and the scroll has another head: an earlier one is lost"));
                    return;
                }
                self.replies.push_back(Input::Appended(matches!(appended, Appended::Appended { .. })));
                self.check_scroll();
            }
            Output::Mark { key, sendings } => {
                let when = When { state: RowState::Ready, sendings: Some(sendings) };
                let done = self.change(&key, when, To::Sent { process: self.node });
                self.replies.push_back(Input::Marked { key, done });
            }
            Output::Release { key, sendings, sent, due } => {
                let when = When { state: if sent { RowState::Sent } else { RowState::Ready }, sendings: Some(sendings) };
                let done = self.change(&key, when, To::Ready { due });
                self.replies.push_back(Input::Changed { key, done });
            }
            Output::Accept { key, sent, handle } => {
                let when = When { state: if sent { RowState::Sent } else { RowState::Ready }, sendings: None };
                let done = self.change(&key, when, To::Accepted { detail: handle });
                self.replies.push_back(Input::Changed { key, done });
            }
            Output::Send(_) | Output::Abort { .. } | Output::Recorded(_) | Output::Ended(_) => {}
        }
    }

    fn change(&mut self, key: &Key, when: When, to: To) -> bool {
        self.tables.change(&Change { key: key.row(RUN), when, to, reserve: None }) == Applied::Yes
    }

    fn send(&mut self, send: &crate::Send) {
        let (once_only, turn) = match &send.work {
            Work::Call { tool, .. } => (!self.case.prepared.definition().tools.get(tool).is_some_and(crate::is_repeatable), false),
            Work::Turn(_) => (false, true),
            Work::Hydration { .. } => (false, false),
            // People answer by posts.
            Work::Question { .. } => return self.tell(Input::Outcome { key: send.key.clone(), outcome: Outcome::Unserved }),
        };
        if self.tables.row(&send.key.row(RUN)).is_none() && self.violation.is_none() {
            let open = self.events().iter().any(|event| event.id == send.key.name());
            if !open {
                self.violation = Some(format!("{} was sent and is not on the scroll", send.key));
            }
        }
        self.net.push(Sent { key: send.key.clone(), node: self.node, once_only, turn, done: false });
        self.net.sort_by(|one, other| (&one.key, one.node, one.done).cmp(&(&other.key, other.node, other.done)));
    }

    /// The scroll is what the runner makes of its external events, and the outbox is what is open on it.
    fn check_scroll(&mut self) {
        let events = self.events();
        if next(&self.case.prepared, &events).as_ref().map(Vec::len) != Ok(0) {
            self.violation = Some("the scroll is not that of a run".to_owned());
            return;
        }
        let place = Place { run: RUN.to_owned(), node: self.node, shard: self.shard, revision: REVISION };
        let mut fresh = Drive::new(place, Arc::clone(&self.case.prepared), Settings::default());
        let snapshot = Snapshot { inbox: Vec::new(), rows: Vec::new(), ..self.snapshot() };
        fresh.step(Input::Loaded(snapshot), self.now);
        let expected: BTreeSet<_> = fresh.items().map(|(key, _)| key.clone()).collect();
        let found: BTreeSet<_> = self.tables.rows(&RowFilter::default()).iter().map(|row| Key::of_row(&row.key)).collect();
        if expected != found {
            self.violation = Some(format!("the outbox has {found:?}, and open are {expected:?}"));
        }
        let fired = events
            .iter()
            .find(|event| event.topic == "timer.fired" && event.re.as_deref() == self.case.post.as_ref().map(|_| "r/approve#1@PT24H"));
        let due = fired.is_some().then_some(self.approval_due).flatten();
        if let (Some(due), Some(at)) = (due, self.posted)
            && at < due
            && !events.iter().any(|event| event.id == "outside")
        {
            self.violation = Some("an acknowledged answer was lost to a later timer".to_owned());
        }
    }

    pub(crate) fn violation(&self) -> Option<String> {
        self.violation.clone()
    }

    pub(crate) fn is_goal(&self) -> bool {
        self.tables.run(RUN).is_some_and(|run| run.state.ended.is_some())
            && self.tables.rows(&RowFilter { kind: Some(Kind::Call), ..RowFilter::default() }).is_empty()
    }

    pub(crate) fn fingerprint(&self) -> (u64, u64) {
        let volatile = self.drive.as_ref().map(|drive| {
            let memory = &drive.memory;
            format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                memory.head,
                memory.items,
                memory.lost,
                memory.inbox,
                memory.loops,
                drive.ours,
                (&drive.marking, &drive.outcomes),
                drive.phase
            ) + &memory
                .appending
                .iter()
                .map(|pending| format!("{:?}{:?}{:?}", pending.outcome, pending.took, pending.added))
                .collect::<String>()
        });
        let text = format!(
            "{volatile:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            self.wanted.iter().chain(&self.writes).map(wanted).collect::<Vec<_>>(),
            self.writes.len(),
            self.replies.iter().map(reply).collect::<Vec<_>>(),
            self.net,
            self.faults,
            self.posted,
            self.carried,
            self.looking,
            self.node,
            self.violation
        );
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, &text, &self.tables, self.now).hash(&mut hasher);
            hasher.finish()
        };
        (hash(1), hash(2))
    }
}

/// What an output is known by. The texts of what is sent are those of the scroll.
fn wanted(output: &Output) -> String {
    match output {
        Output::Append(append) => {
            let mut hasher = DefaultHasher::new();
            append.hash(&mut hasher);
            format!("append {}", hasher.finish())
        }
        Output::Send(send) => format!("send {} {}", send.key, send.sending),
        other => format!("{other:?}"),
    }
}

fn reply(input: &Input) -> String {
    match input {
        Input::Loaded(snapshot) => {
            let inbox: Vec<_> = snapshot.inbox.iter().map(|(pos, _)| *pos).collect();
            format!("loaded {} {:?} {inbox:?} {:?}", snapshot.externals.len(), snapshot.rows, snapshot.living)
        }
        other => format!("{other:?}"),
    }
}
