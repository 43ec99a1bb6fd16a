//! The loop: one task that owns the runs of this process.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use weave_drive::{Drive, Input, Key, Place, REVISION, Settings, Snapshot};
use weave_ir::{Definition, sha256};
use weave_runner::{Event, Prepared};
use weave_scroll::{NewRun, NodeId, Outcome as Appended, RunFilter, RunRow, Shard, Status, Store, StoreError, Taken, Time, Worker};

use crate::peers::Peers;
use crate::{load, watch::Notice};

/// So often a run may end the process that computes it; then it is set aside.
const MOST_CRASHES: u32 = 3;

/// Why an engine cannot go on. The runs are as the store has them; a new engine goes on with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The store cannot be read or written.
    Store(StoreError),
    /// Another process owns the run.
    Held {
        /// The run.
        run: String,
        /// How people know the process.
        process: String,
    },
    /// There is no such run.
    NoRun(String),
    /// There is a run of this id with another workflow, input or digest.
    Differs(String),
    /// A run of this id was pruned.
    Pruned(String),
    /// The run was set aside after it had ended the process several times.
    Poisoned {
        /// The run.
        run: String,
        /// Why.
        reason: String,
    },
    /// A definition cannot be written as JSON.
    Definition(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(out),
            Self::Held { run, process } => write!(out, "the run `{run}` is driven by another process ({process})"),
            Self::NoRun(run) => write!(out, "there is no run `{run}`"),
            Self::Differs(run) => write!(out, "there is a run `{run}` with another workflow or input"),
            Self::Pruned(run) => write!(out, "the run `{run}` was pruned, and ids are not used again"),
            Self::Poisoned { run, reason } => write!(out, "the run `{run}` is set aside: {reason}"),
            Self::Definition(why) => write!(out, "the definition cannot be written: {why}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// How long an engine works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until this run is over.
    Ended(String),
    /// Until this run is over, or nothing can happen without somebody outside, or without time passing.
    Waiting(String),
}

/// Why an engine stopped working.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// The run is over; the data of its `workflow.done`.
    Ended(Value),
    /// Nothing is under way.
    Waiting,
    /// It was stopped by its handle. Calls under way are abandoned: what is once-only is unknown then.
    Stopped,
}

/// What a start came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// The run is new.
    New,
    /// The run was started before, with the same workflow and input.
    Known,
}

/// What reaches an engine from other tasks and threads.
pub(crate) enum Arrival {
    /// For a run; from a task or write that was under way.
    Input(String, Input),
    /// An append is durable or not; the runs to which it posted.
    Appended(String, Result<Appended, StoreError>, Vec<String>),
    /// A run was read.
    Loaded(String, Result<(Arc<Prepared>, Snapshot), StoreError>),
    /// An inbox was read.
    Inbox(String, Result<Vec<(u64, Event)>, StoreError>),
    /// A task ended without an outcome.
    Ended(String, Key),
    /// The store failed.
    Failed(StoreError),
    /// The store may have changed, or a second has passed.
    Sweep,
    /// Stop.
    Stop,
}

/// A way to an engine from elsewhere.
#[derive(Clone)]
pub struct Handle(UnboundedSender<Arrival>);

impl Handle {
    /// Stops the engine: what is on the scroll stays, and what is under way is abandoned.
    pub fn stop(&self) {
        // An engine that is gone needs no stopping.
        drop(self.0.send(Arrival::Stop));
    }

    /// Says that something was posted to the store by other means. Without it, a sweep finds it within a second.
    pub fn wake(&self) {
        drop(self.0.send(Arrival::Sweep));
    }
}

/// The runs of one process.
pub struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) node: NodeId,
    shard: Option<Shard>,
    pub(crate) peers: Peers,
    settings: Settings,
    /// What the first event of each run that is started says in `meta`.
    notes: Option<serde_json::Map<String, Value>>,
    prepared: HashMap<String, Arc<Prepared>>,
    pub(crate) runs: HashMap<String, Running>,
    /// When runs have something due.
    due: BTreeSet<(Time, String)>,
    pub(crate) sender: UnboundedSender<Arrival>,
    arrivals: UnboundedReceiver<Arrival>,
    /// Writes, reads and tasks that have not come back.
    pub(crate) under_way: usize,
    /// A sweep is asked for and has not come.
    swept: Arc<AtomicBool>,
    /// A thread watches the store: one, however often it works.
    looks_out: bool,
}

/// A run that this process drives.
pub(crate) struct Running {
    pub(crate) row: RunRow,
    /// None: it is being read.
    pub(crate) drive: Option<Drive>,
    /// How its tasks are stopped.
    pub(crate) tasks: HashMap<Key, tokio::task::AbortHandle>,
    due: Option<Time>,
}

impl Engine {
    /// An engine on a store. `process` is how people know it, its process id for example.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn new(store: Arc<dyn Store>, peers: Peers, settings: Settings, process: &str) -> Result<Self, EngineError> {
        let node = store.join(&Worker { process: process.to_owned(), revision: REVISION })?;
        let (sender, arrivals) = unbounded_channel();
        Ok(Self {
            store,
            node,
            shard: None,
            peers,
            settings,
            notes: None,
            prepared: HashMap::new(),
            runs: HashMap::new(),
            due: BTreeSet::new(),
            sender,
            arrivals,
            under_way: 0,
            swept: Arc::new(AtomicBool::new(false)),
            looks_out: false,
        })
    }

    /// A way to this engine from elsewhere.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle(self.sender.clone())
    }

    /// Keeps a definition, with its source map if there is one, and gives its digest. A run needs its own and those of its children.
    ///
    /// # Errors
    ///
    /// If the definition or the store cannot be written.
    pub fn define(&mut self, definition: Arc<Definition>, map: Option<String>) -> Result<String, EngineError> {
        let wrong = |error: weave_ir::Error| EngineError::Definition(error.to_string());
        let (digest, json) = (definition.digest().map_err(wrong)?, definition.to_json_compact().map_err(wrong)?);
        self.store.define(&weave_scroll::Definition { digest: digest.clone(), json, map })?;
        self.prepared.entry(digest.clone()).or_insert_with(|| Prepared::new(definition));
        Ok(digest)
    }

    /// Writes this to `meta` of the first event of each run that is started from now on. The run does not see it.
    pub fn note(&mut self, meta: serde_json::Map<String, Value>) {
        self.notes = Some(meta);
    }

    /// Starts a run of a definition that was [defined](Self::define), in a shard of this process.
    ///
    /// # Errors
    ///
    /// If a run of this id exists with another workflow or input, or was pruned, or the store cannot be written.
    pub fn start(&mut self, id: &str, workflow: &str, digest: &str, input: Value) -> Result<Started, EngineError> {
        if self.store.pruned(id)? {
            return Err(EngineError::Pruned(id.to_owned()));
        }
        let input_digest = sha256(input.to_string().as_bytes());
        if let Some(row) = self.store.run(id)? {
            let same = row.workflow == workflow && row.input_digest == input_digest && row.parent.is_none();
            return if same { self.resume(id).map(|()| Started::Known) } else { Err(EngineError::Differs(id.to_owned())) };
        }
        let Some(prepared) = self.prepared.get(digest).map(Arc::clone) else {
            return Err(EngineError::Definition(format!("{digest} is not defined")));
        };
        let shard = match self.shard {
            Some(shard) => shard,
            None => *self.shard.insert(self.store.own_shard(self.node)?),
        };
        let now = self.peers.clock.now();
        let mut event = Event::start(id, workflow, digest, input);
        event.meta.clone_from(&self.notes);
        let new = NewRun {
            id: id.to_owned(),
            workflow: workflow.to_owned(),
            digest: digest.to_owned(),
            digest_given: false,
            input_digest,
            revision: REVISION,
            parent: None,
            shard,
            event: serde_json::to_string(&event).map_err(|error| EngineError::Definition(error.to_string()))?,
            at: now,
        };
        let row = row_of(&new);
        let drive = Drive::new(self.place(&row), prepared, self.settings.clone());
        self.runs.insert(id.to_owned(), Running { row, drive: Some(drive), tasks: HashMap::new(), due: None });
        self.input(id, Input::Start(Box::new(new), Box::new(event)));
        Ok(Started::New)
    }

    /// Takes a run over, with all runs of its shard, and goes on with them.
    ///
    /// # Errors
    ///
    /// If there is no such run, or another process drives it, or the store cannot be read.
    pub fn resume(&mut self, id: &str) -> Result<(), EngineError> {
        self.store.bury()?;
        let row = match self.store.run(id)? {
            Some(row) => row,
            None if self.store.pruned(id)? => return Err(EngineError::Pruned(id.to_owned())),
            None => return Err(EngineError::NoRun(id.to_owned())),
        };
        if let Some(reason) = self.set_aside(&row)? {
            return Err(EngineError::Poisoned { run: id.to_owned(), reason });
        }
        if let Taken::Held(holder) = self.store.take_shard(self.node, row.shard)? {
            return Err(EngineError::Held { run: id.to_owned(), process: holder.worker.process });
        }
        self.shard = Some(row.shard);
        let open = RunFilter { status: Some(Status::Open), node: Some(self.node), ..RunFilter::default() };
        for row in self.store.runs(&open)? {
            self.wake(&row.id);
        }
        self.wake(id);
        Ok(())
    }

    /// Why a run is not driven: it ended the processes that computed it.
    fn set_aside(&self, row: &RunRow) -> Result<Option<String>, EngineError> {
        if row.held.is_some() || row.crashes < MOST_CRASHES {
            return Ok(row.held.clone());
        }
        let reason = format!("{} processes ended while they computed it", row.crashes);
        self.store.hold(&row.id, Some(&reason))?;
        Ok(Some(reason))
    }

    /// Works until something is so.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written any more.
    pub async fn work(&mut self, until: &Until) -> Result<Stopped, EngineError> {
        if !self.peers.clock.is_virtual() && !std::mem::replace(&mut self.looks_out, true) {
            self.look_out();
        }
        let (Until::Ended(run) | Until::Waiting(run)) = until;
        loop {
            while let Ok(arrival) = self.arrivals.try_recv() {
                if self.arrive(arrival)? {
                    return Ok(Stopped::Stopped);
                }
            }
            if let Some(done) = self.outcome(run)? {
                return Ok(Stopped::Ended(done));
            }
            let quiet = self.under_way == 0 && self.runs.values().all(|running| running.drive.as_ref().is_some_and(Drive::is_idle));
            if quiet && self.make_up() {
                continue;
            }
            if quiet && matches!(until, Until::Waiting(_)) && self.next_due().is_none_or(|due| due > self.peers.clock.now()) {
                return Ok(Stopped::Waiting);
            }
            let clock = Arc::clone(&self.peers.clock);
            let due = self.next_due().filter(|_| quiet || !clock.is_virtual());
            let arrival = tokio::select! {
                arrival = self.arrivals.recv() => arrival,
                () = wait(&*clock, due) => None,
            };
            match arrival {
                Some(arrival) => {
                    if self.arrive(arrival)? {
                        return Ok(Stopped::Stopped);
                    }
                }
                None => self.fire(),
            }
        }
    }

    /// Ends this process's part in the store: its shards are free, and what it sent and has no answer to is unknown.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn leave(self) -> Result<(), EngineError> {
        Ok(self.store.leave(self.node)?)
    }

    /// What the runs of this process are doing, by their ids.
    pub fn drives(&self) -> impl Iterator<Item = &Drive> {
        self.runs.values().filter_map(|running| running.drive.as_ref())
    }

    /// How a run ended, once the store and nothing else has it.
    fn outcome(&self, run: &str) -> Result<Option<Value>, EngineError> {
        let Some(running) = self.runs.get(run) else { return Ok(None) };
        let Some(drive) = &running.drive else { return Ok(None) };
        let others = self.runs.values().filter_map(|running| running.drive.as_ref()).all(|drive| drive.is_idle() && drive.done().is_some());
        Ok(drive.done().filter(|_| drive.is_idle() && self.under_way == 0 && (others || !self.has_open_children())).cloned())
    }

    /// Whether a run that another one started has not ended: a cancelled child is on its way to its end.
    fn has_open_children(&self) -> bool {
        self.runs.values().any(|running| running.row.parent.is_some() && running.drive.as_ref().is_none_or(|drive| drive.done().is_none()))
    }

    fn next_due(&self) -> Option<Time> {
        self.due.first().map(|(due, _)| *due)
    }

    /// Lets the runs know that time has passed.
    fn fire(&mut self) {
        let now = self.peers.clock.now();
        let due: Vec<_> = self.due.iter().take_while(|(due, _)| *due <= now).map(|(_, run)| run.clone()).collect();
        for run in due {
            self.input(&run, Input::Time);
        }
    }

    /// Makes an event up for a run that waits for one. Whether there was one.
    fn make_up(&mut self) -> bool {
        let Some(outside) = &self.peers.outside else { return false };
        let mut ids: Vec<_> = self.runs.keys().cloned().collect();
        ids.sort_unstable();
        let made = ids.into_iter().find_map(|id| {
            let drive = self.runs.get(&id)?.drive.as_ref().filter(|drive| drive.done().is_none())?;
            Some((id, outside.event(drive)?))
        });
        let Some((run, event)) = made else { return false };
        self.post(&run, &event);
        true
    }

    /// Takes an arrival. Whether the engine is to stop.
    fn arrive(&mut self, arrival: Arrival) -> Result<bool, EngineError> {
        match arrival {
            Arrival::Stop => return Ok(true),
            Arrival::Failed(error) => return Err(error.into()),
            Arrival::Input(run, input) => {
                self.under_way -= 1;
                if let Input::Outcome { key, .. } = &input
                    && let Some(running) = self.runs.get_mut(&run)
                {
                    running.tasks.remove(key);
                }
                self.input(&run, input);
            }
            Arrival::Ended(run, key) => {
                self.under_way -= 1;
                if let Some(running) = self.runs.get_mut(&run) {
                    running.tasks.remove(&key);
                }
            }
            Arrival::Appended(run, result, posted) => {
                self.under_way -= 1;
                match result? {
                    Appended::Appended { .. } => self.input(&run, Input::Appended(true)),
                    Appended::Duplicate { .. } | Appended::Conflict { .. } | Appended::Unmet(_) => self.input(&run, Input::Appended(false)),
                    // Another process has taken the shard over, or the run is gone: it is not ours any more.
                    Appended::Fenced { .. } | Appended::NoRun | Appended::Pruned => self.forget(&run),
                }
                posted.iter().for_each(|run| self.wake(run));
            }
            Arrival::Loaded(run, result) => {
                self.under_way -= 1;
                let (prepared, snapshot) = result?;
                self.loaded(&run, prepared, snapshot);
            }
            Arrival::Inbox(run, result) => {
                self.under_way -= 1;
                self.input(&run, Input::Posted(result?));
            }
            Arrival::Sweep => {
                self.swept.store(false, Ordering::Release);
                self.sweep()?;
            }
        }
        Ok(false)
    }

    /// Tells a run what happened, and does what it wants done.
    pub(crate) fn input(&mut self, run: &str, input: Input) {
        let now = self.peers.clock.now();
        let Some(running) = self.runs.get_mut(run) else { return };
        let Some(drive) = &mut running.drive else { return };
        // What aborts the process from here on, a stack that is too deep or memory that runs out, counts against this run.
        let noted = self.store.computing(self.node, run);
        let outputs = drive.step(input, now);
        if let Err(error) = noted.and_then(|()| self.store.computed(self.node, run)) {
            drop(self.sender.send(Arrival::Failed(error)));
        }
        let due = drive.next_due();
        if due != running.due {
            if let Some(old) = std::mem::replace(&mut running.due, due) {
                self.due.remove(&(old, run.to_owned()));
            }
            self.due.extend(due.map(|due| (due, run.to_owned())));
        }
        for output in outputs {
            self.perform(run, output);
        }
    }

    fn loaded(&mut self, run: &str, prepared: Arc<Prepared>, snapshot: Snapshot) {
        let Some(running) = self.runs.get_mut(run) else { return };
        self.prepared.entry(running.row.digest.clone()).or_insert_with(|| Arc::clone(&prepared));
        if running.drive.is_none() {
            let place = Place { run: run.to_owned(), node: self.node, shard: running.row.shard, revision: REVISION };
            running.drive = Some(Drive::new(place, prepared, self.settings.clone()));
            let parent = running.row.parent.clone();
            let mut events = Vec::new();
            let mut runner = running.drive.as_ref().map(|drive| drive.runner().clone());
            for external in &snapshot.externals {
                events.push(external.clone());
                events.extend(runner.as_mut().map(|runner| runner.feed(external)).unwrap_or_default());
            }
            let watch = &self.peers.watch;
            watch.notice(&Notice::Loaded { run, parent: parent.as_deref(), events: events.len() as u64 });
            watch.notice(&Notice::Recorded { run, parent: parent.as_deref(), events: &events });
        }
        self.input(run, Input::Loaded(snapshot));
    }

    /// Looks after a run to which something was posted.
    pub(crate) fn wake(&mut self, run: &str) {
        let (id, store, sender) = (run.to_owned(), Arc::clone(&self.store), self.sender.clone());
        match self.runs.get(run) {
            // What it is read with is newer.
            Some(Running { drive: None, .. }) => {}
            Some(_) => {
                self.under_way += 1;
                tokio::task::spawn_blocking(move || {
                    let inbox = load::inbox(&*store, &id);
                    drop(sender.send(Arrival::Inbox(id, inbox)));
                });
            }
            None => self.load_new(run),
        }
    }

    fn load_new(&mut self, run: &str) {
        let row = match self.store.run(run) {
            Ok(Some(row)) if row.owner == Some(self.node) && matches!(self.set_aside(&row), Ok(None)) => row,
            Ok(_) => return,
            Err(error) => return drop(self.sender.send(Arrival::Failed(error))),
        };
        self.runs.insert(run.to_owned(), Running { row, drive: None, tasks: HashMap::new(), due: None });
        self.load(run);
    }

    /// Reads a run.
    pub(crate) fn load(&mut self, run: &str) {
        let Some(row) = self.runs.get(run).map(|running| running.row.clone()) else { return };
        let known = self.prepared.get(&row.digest).map(Arc::clone);
        let (store, sender) = (Arc::clone(&self.store), self.sender.clone());
        self.under_way += 1;
        tokio::task::spawn_blocking(move || {
            let read = || {
                let prepared = known.map_or_else(|| load::prepared(&*store, &row), Ok)?;
                Ok((prepared, load::snapshot(&*store, &row.id)?))
            };
            let result = read();
            drop(sender.send(Arrival::Loaded(row.id, result)));
        });
    }

    fn forget(&mut self, run: &str) {
        if let Some(running) = self.runs.remove(run) {
            running.tasks.values().for_each(tokio::task::AbortHandle::abort);
            if let Some(due) = running.due {
                self.due.remove(&(due, run.to_owned()));
            }
        }
    }

    /// Finds what other processes posted, and whose calls are lost.
    fn sweep(&mut self) -> Result<(), EngineError> {
        for (_, run) in self.store.waiting(self.node, 0, 0)? {
            self.wake(&run);
        }
        for row in self.store.lost(self.node)? {
            self.input(&row.key.run.clone(), Input::Lost { key: Key::of_row(&row.key) });
        }
        if !self.store.renew(self.node)? {
            let stopped = "another process has taken this one for dead".to_owned();
            return Err(StoreError::Stopped(stopped).into());
        }
        Ok(())
    }

    /// Watches the store for what other processes write.
    fn look_out(&self) {
        let (store, sender, swept) = (Arc::clone(&self.store), self.sender.clone(), Arc::clone(&self.swept));
        tokio::task::spawn_blocking(move || {
            let mut seen = match store.version() {
                Ok(version) => version,
                Err(error) => return drop(sender.send(Arrival::Failed(error))),
            };
            while !sender.is_closed() {
                match store.changed(seen, Duration::from_secs(1)) {
                    Ok(version) => seen = version,
                    Err(error) => return drop(sender.send(Arrival::Failed(error))),
                }
                if !swept.swap(true, Ordering::AcqRel) && sender.send(Arrival::Sweep).is_err() {
                    return;
                }
            }
        });
    }

    fn place(&self, row: &RunRow) -> Place {
        Place { run: row.id.clone(), node: self.node, shard: row.shard, revision: REVISION }
    }
}

/// The row of a run that is about to be created.
fn row_of(new: &NewRun) -> RunRow {
    RunRow {
        no: 0,
        id: new.id.clone(),
        workflow: new.workflow.clone(),
        digest: new.digest.clone(),
        input_digest: new.input_digest.clone(),
        revision: new.revision,
        head: 0,
        state: weave_scroll::RunState::open(),
        parent: new.parent.clone(),
        shard: new.shard,
        started: new.at,
        crashes: 0,
        held: None,
        owner: None,
    }
}

async fn wait(clock: &dyn crate::peers::Clock, due: Option<Time>) {
    match due {
        Some(due) => clock.wait(due).await,
        None => std::future::pending().await,
    }
}
