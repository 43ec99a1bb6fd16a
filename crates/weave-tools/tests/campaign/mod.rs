//! The runs of the campaign, the process that drives them, and the person beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use weave_host::{Ask, Clock, Context, Engine, Models, Notice, Outcome, Peers, Pending, People, Question, Settings, Stopped, Until, Watch};
use weave_ir::Definition;
use weave_runner::{Event, Prepared, Runner};
use weave_scroll::{Kind, OutboxRow, Post, Posted, RowFilter, RowState, Status, Store};
use weave_sqlite::{Options, SqliteStore};
use weave_tools::{Command, Handler, Handlers};

/// So many runs at once.
pub(crate) const RUNS: usize = 32;

/// SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % count
    }
}

fn definition() -> Arc<Definition> {
    let tool = |hints: &[&str]| json!({ "kind": "local", "mode": "feedback", "strict": true, "input": {}, "output": {}, "hints": hints });
    let call =
        |id: &str, on: &str, tool: &str| json!({ "id": id, "on": on, "emit": "tool.dispatch", "payload": { "name": tool, "args": {} } });
    let event = |external: bool, answers: &[&str]| json!({ "external": external, "payload": {}, "answers": answers });
    Arc::new(
        serde_json::from_value(json!({
            "weave": "1", "workflow": "order", "input": {}, "output": {},
            "nodes": [
                call("find", "start", "find"),
                call("charge", "find", "charge"),
                call("stock", "find", "find"),
                { "id": "approve", "on": "charge", "emit": "approval.requested", "payload": {} },
                call("ship", "approve", "ship"),
                { "id": "pause", "on": "ship", "emit": "timer.set", "payload": { "after": "PT0.05S" } },
                call("book", "pause", "charge"),
                { "id": "done", "on": { "settled": ["book", "stock"] }, "output": "done", "terminal": true },
            ],
            "tools": { "find": tool(&["read_only"]), "charge": tool(&[]), "ship": tool(&["idempotent"]) },
            "events": {
                "approval.requested": event(false, &["approval.granted"]),
                "approval.granted": event(true, &[]),
            },
        }))
        .unwrap(),
    )
}

fn run_id(number: usize) -> String {
    format!("order-{number}")
}

/// What a command answers: the tool's name.
fn answer(tool: &str) -> Value {
    json!({ "tool": tool })
}

/// A command that logs the key of its call durably, and then answers.
fn command(folder: &Path, tool: &str) -> Command {
    let script = "key=$(sed 's/.*\"key\":\"\\([^\"]*\\)\".*/\\1/'); printf '%s %s\\n' \"$TOOL\" \"$key\" >> \"$LOG\"; sync \"$LOG\"; printf '{\"tool\":\"%s\"}' \"$TOOL\"";
    let mut command = Command::new("/bin/sh", vec!["-c".to_owned(), script.to_owned()]);
    let environment = [("PATH", "/usr/bin:/bin".to_owned()), ("TOOL", tool.to_owned()), ("LOG", log(folder).display().to_string())];
    command.environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    command
}

fn log(folder: &Path) -> PathBuf {
    folder.join("calls.log")
}

fn store(folder: &Path) -> SqliteStore {
    SqliteStore::open(&folder.join("runs.db"), &Options::default()).unwrap()
}

/// Everything but tools: no model, no person here, and the clock of the machine.
struct World;

fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

impl Models for World {
    fn turn<'a>(&'a self, _: &'a Ask, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

impl People for World {
    fn ask<'a>(&'a self, _: Question<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

impl Clock for World {
    fn now(&self) -> i64 {
        now()
    }

    fn is_virtual(&self) -> bool {
        false
    }

    fn wait(&self, until: i64) -> Pending<'_, ()> {
        Box::pin(tokio::time::sleep(Duration::from_millis(u64::try_from(until - now()).unwrap_or(0))))
    }
}

impl Watch for World {
    fn notice(&self, _: &Notice<'_>) {}
}

/// Drives all runs to their end: starts those that are not there, and goes on with the others.
pub(crate) fn drive(folder: &Path) {
    let store: Arc<dyn Store> = Arc::new(store(folder));
    let world = Arc::new(World);
    let tools = ["find", "charge", "ship"].map(|tool| (tool.to_owned(), command(folder, tool)));
    let peers = Peers {
        models: Arc::clone(&world) as _,
        tools: Arc::new(Handlers::new(tools.into_iter().map(|(name, command)| (name, Handler::Command(command))).collect()).unwrap()),
        people: Arc::clone(&world) as _,
        outside: None,
        clock: Arc::clone(&world) as _,
        watch: world,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut engine = Engine::new(Arc::clone(&store), peers, Settings::default(), &std::process::id().to_string()).unwrap();
        let digest = engine.define(definition(), None).unwrap();
        // A run that was computed when three processes were killed one after another is set aside; a person lets it go on.
        store.bury().unwrap();
        let known = store.runs(&weave_scroll::RunFilter::default()).unwrap();
        for row in known.iter().filter(|row| row.held.is_some() || row.crashes > 0) {
            store.hold(&row.id, None).unwrap();
        }
        if let Some(row) = known.first() {
            engine.resume(&row.id).unwrap();
        }
        let mut open = Vec::new();
        for id in (0..RUNS).map(run_id) {
            match known.iter().find(|row| row.id == id) {
                Some(row) if row.state.status != Status::Open => {}
                Some(_) => open.push(id),
                None => {
                    engine.start(&id, "order", &digest, json!({})).unwrap();
                    open.push(id);
                }
            }
        }
        println!("ready");
        for id in open {
            let stopped = engine.work(&Until::Ended(id)).await.unwrap();
            assert!(matches!(stopped, Stopped::Ended(_)));
        }
        engine.leave().unwrap();
    });
}

/// What all batches came to.
#[derive(Default)]
pub(crate) struct Sums {
    pub(crate) calls: usize,
    pub(crate) once_only: usize,
    pub(crate) unknown: usize,
    pub(crate) again: usize,
    pub(crate) acknowledged: usize,
}

/// A person at a second terminal: grants approvals, and decides about unknown outcomes by what the log of the tools says.
pub(crate) struct Operator {
    folder: PathBuf,
    store: Option<SqliteStore>,
    /// The acknowledged events, by run.
    acknowledged: BTreeSet<(String, String)>,
    /// What was decided: the key, the attempt and the sending.
    decided: BTreeSet<(String, u32, u32)>,
    /// How often a call may be made beyond the first time.
    again: BTreeMap<String, usize>,
    /// The calls that were marked as sent and not answered when a process died.
    died: BTreeSet<(String, u32, u32)>,
}

impl Operator {
    pub(crate) fn new(folder: &Path) -> Self {
        let (acknowledged, decided) = (BTreeSet::new(), BTreeSet::new());
        Self { folder: folder.to_owned(), store: None, acknowledged, decided, again: BTreeMap::new(), died: BTreeSet::new() }
    }

    /// Opens the store beside the process that drives it.
    pub(crate) fn open(&mut self) {
        self.store = Some(store(&self.folder));
    }

    fn store(&self) -> &SqliteStore {
        self.store.as_ref().unwrap()
    }

    fn rows(&self, filter: &RowFilter) -> Vec<OutboxRow> {
        self.store().rows(filter).unwrap()
    }

    pub(crate) fn state(&self) -> String {
        format!("{:?}", self.rows(&RowFilter::default()))
    }

    /// How often each key was logged.
    fn calls(&self) -> BTreeMap<String, Vec<String>> {
        let text = std::fs::read_to_string(log(&self.folder)).unwrap_or_default();
        let mut calls: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (tool, key) in text.lines().filter_map(|line| line.split_once(' ')) {
            calls.entry(key.to_owned()).or_default().push(tool.to_owned());
        }
        calls
    }

    fn post(&mut self, run: &str, event: &Event) {
        let post = Post { run: run.to_owned(), id: event.id.clone(), event: serde_json::to_string(event).unwrap(), at: now() };
        assert!(matches!(self.store().post(post).unwrap(), Posted::Posted(_) | Posted::Known));
        self.acknowledged.insert((run.to_owned(), event.id.clone()));
    }

    /// Answers some of what is open.
    pub(crate) fn work(&mut self, dice: &mut Dice) {
        for row in self.rows(&RowFilter { kind: Some(Kind::Question), ..RowFilter::default() }) {
            let id = format!("granted {}", row.key.id);
            if dice.below(3) == 0 && !self.acknowledged.contains(&(row.key.run.clone(), id.clone())) {
                let run = row.key.run.clone();
                self.post(&run, &Event::answer(id, "approval.granted", row.key.id, json!({})));
            }
        }
        for row in self.rows(&RowFilter { state: Some(RowState::Unknown), ..RowFilter::default() }) {
            let seen = (row.key.id.clone(), row.key.attempt, row.sendings);
            if !self.decided.insert(seen) {
                continue;
            }
            let carried_out = self.calls().get(&row.key.id).map_or(0, Vec::len) > self.again.get(&row.key.id).copied().unwrap_or(0);
            let (id, re, attempt, sending) =
                (format!("decided {} {}", row.key.id, row.sendings), row.key.id.clone(), row.key.attempt, row.sendings);
            let event = if carried_out {
                let meta = Map::from_iter([("sending".to_owned(), json!(sending))]);
                Event { meta: Some(meta), ..Event::answer(id, "tool.result", re, answer(&row.name)) }
            } else {
                *self.again.entry(row.key.id.clone()).or_default() += 1;
                Event { re: Some(re), ..Event::external(id, "tool.again", json!({ "attempt": attempt, "sending": sending })) }
            };
            let run = row.key.run.clone();
            self.post(&run, &event.with_attempt(attempt));
        }
    }

    /// Notes which calls the dead process had marked as sent and not answered.
    pub(crate) fn after_a_kill(&mut self) {
        // A command that was being started holds the locks of the dead process for the moment between fork and exec.
        let end = Instant::now() + Duration::from_secs(10);
        while self.store().nodes().unwrap().iter().any(|node| node.alive) {
            assert!(Instant::now() < end, "a dead process holds its lock");
            std::thread::sleep(Duration::from_millis(2));
        }
        for row in self.rows(&RowFilter { state: Some(RowState::Sent), ..RowFilter::default() }) {
            assert!(row.once_only, "{row:?}");
            self.died.insert((row.key.id, row.key.attempt, row.sendings));
        }
        self.store = None;
    }

    /// Checks all runs after their end.
    pub(crate) fn check(&mut self, sums: &mut Sums) {
        let prepared = Prepared::new(definition());
        let calls = self.calls();
        let (mut unknown, mut on_scrolls) = (BTreeSet::new(), BTreeSet::new());
        for id in (0..RUNS).map(run_id) {
            let row = self.store().run(&id).unwrap().unwrap_or_else(|| panic!("{id} is lost"));
            assert_eq!(row.state.status, Status::Succeeded, "{id}");
            let turns = self.store().read(&id, 0, 0).unwrap();
            let events: Vec<_> = turns.iter().flat_map(|turn| turn.events().unwrap()).collect();
            assert_eq!(events.len() as u64, row.head, "{id} has a gap");
            assert_eq!(weave_runner::next(&prepared, &events).unwrap(), [], "{id} is not the scroll of a run");
            assert_eq!(ended(&events), simulated(&prepared, &id), "{id} ended otherwise than its simulation");
            for event in &events {
                on_scrolls.insert((id.clone(), event.id.clone()));
                if event.topic == "tool.unknown" {
                    let sending = event.data().unwrap()["sending"].as_u64().unwrap();
                    unknown.insert((event.re.clone().unwrap(), event.attempt, u32::try_from(sending).unwrap()));
                }
            }
            for (step, tool, once_only) in [
                ("find", "find", false),
                ("stock", "find", false),
                ("charge", "charge", true),
                ("ship", "ship", false),
                ("book", "charge", true),
            ] {
                let key = format!("{id}/{step}#1");
                let made = calls.get(&key).map_or(&[][..], Vec::as_slice);
                assert!(made.iter().all(|made| made == tool), "{key}: {made:?}");
                let most = if once_only { 1 + self.again.get(&key).copied().unwrap_or(0) } else { usize::MAX };
                assert!(!made.is_empty() && made.len() <= most, "{key} was called {} times, and {most} were allowed", made.len());
                sums.calls += made.len();
                sums.once_only += if once_only { made.len() } else { 0 };
            }
        }
        assert_eq!(unknown, self.died, "a person is asked exactly where a process died between the mark and the answer");
        let lost: Vec<_> = self.acknowledged.difference(&on_scrolls).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        assert!(self.rows(&RowFilter::default()).is_empty(), "something is to be done for runs that have ended");
        sums.unknown += unknown.len();
        sums.again += self.again.values().sum::<usize>();
        sums.acknowledged += self.acknowledged.len();
        self.store = None;
    }
}

/// The steps that fired, and how the run ended.
fn ended(events: &[Event]) -> (BTreeSet<String>, Value) {
    let steps = events.iter().filter(|event| event.topic == "workflow.step").map(|event| event.id.clone()).collect();
    let done = events.iter().find(|event| event.topic == "workflow.done").and_then(|event| event.data()).cloned().unwrap_or_default();
    (steps, done)
}

/// The same run without crashes.
fn simulated(prepared: &Arc<Prepared>, id: &str) -> (BTreeSet<String>, Value) {
    let mut runner = Runner::new(Arc::clone(prepared));
    let start = Event::start(id, "order", prepared.digest().unwrap(), json!({}));
    let mut events = runner.feed(&start);
    while let Some(request) =
        runner.open_requests().into_iter().next().map(|request| (request.id, request.topic.to_owned(), request.attempt))
    {
        let (re, topic, attempt) = request;
        let asked = events.iter().find(|event| event.id == re).and_then(|event| event.data()).cloned().unwrap_or_default();
        let (answer_topic, data) = match topic.as_str() {
            "tool.dispatch" => ("tool.result", answer(asked["name"].as_str().unwrap())),
            "timer.set" => ("timer.fired", Value::Null),
            _ => ("approval.granted", json!({})),
        };
        let event = Event::answer(format!("{re}/{attempt}@answer"), answer_topic, re, data).with_attempt(attempt);
        events.extend(runner.feed(&event));
    }
    ended(&events)
}
