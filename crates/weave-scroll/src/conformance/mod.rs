//! One suite for all stores: each case is a sentence of the contract.
//!
//! A store's tests implement [`World`] and assert that [`all`] finds nothing.

mod calls;
mod inbox;
mod nodes;
mod scroll;
mod whole;

use std::fmt;
use std::sync::Arc;

use serde_json::json;
use weave_runner::Event;

use crate::{Append, Effect, NewRun, NodeId, Outcome, Post, RunState, Shard, Store, StoreError, Time, Turn, Worker};

/// A new store, and the processes that work on it.
pub trait World {
    /// The store as another process sees it. The first call gives the first process.
    fn process(&self) -> Arc<dyn Store>;

    /// The process that joined as this node dies, without a word.
    fn kill(&self, node: NodeId);

    /// All processes die; gives the store as a new process sees it.
    fn restart(&self) -> Arc<dyn Store>;
}

/// Why a case failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self(format!("unexpected error: {error}"))
    }
}

type Checked = Result<(), Failed>;
type Case = (&'static str, fn(&dyn World) -> Checked);

/// Runs all cases, each on a new world, and gives those that failed, with the reason.
pub fn all<W: World>(new: impl Fn() -> W) -> Vec<String> {
    let cases = [scroll::CASES, inbox::CASES, calls::CASES, nodes::CASES, whole::CASES].concat();
    let failed = cases.into_iter().filter_map(|(name, case)| Some(format!("{name}: {}", case(&new()).err()?)));
    failed.collect()
}

/// Fails the case unless the two are equal.
macro_rules! same {
    ($left:expr, $right:expr) => {
        match (&$left, &$right) {
            (left, right) if left == right => {}
            (left, right) => return Err($crate::conformance::Failed(format!("line {}: {left:?} is not {right:?}", line!()))),
        }
    };
}
pub(crate) use same;

/// Fails the case unless this is so.
macro_rules! holds {
    ($condition:expr, $($why:tt)+) => {
        if !$condition {
            return Err($crate::conformance::Failed(format!("line {}: {}", line!(), format!($($why)+))));
        }
    };
}
pub(crate) use holds;

/// A process with a shard of its own.
struct Process {
    store: Arc<dyn Store>,
    node: NodeId,
    shard: Shard,
}

impl Process {
    fn new(world: &dyn World) -> Result<Self, Failed> {
        Self::with(world.process(), 1)
    }

    fn with(store: Arc<dyn Store>, revision: u32) -> Result<Self, Failed> {
        let node = store.join(&Worker { process: "4711".to_owned(), revision })?;
        let shard = store.own_shard(node)?;
        Ok(Self { store, node, shard })
    }

    /// A run of this process, with its first turn: two events.
    fn run(&self, id: &str) -> Result<(), Failed> {
        let append = Append { create: Some(Box::new(new_run(id, self.shard))), ..self.append(id, 0, id) };
        self.must(append)
    }

    /// An append of one turn: an external event and a derived one.
    fn append(&self, run: &str, expected: u64, id: &str) -> Append {
        Append {
            node: self.node,
            run: run.to_owned(),
            create: None,
            expected,
            turns: vec![turn(id)],
            took: None,
            require: Vec::new(),
            effects: Vec::new(),
            state: RunState::open(),
        }
    }

    /// Appends a turn with these effects at the head.
    fn does(&self, run: &str, id: &str, effects: Vec<Effect>) -> Result<Vec<crate::Applied>, Failed> {
        let head = self.head(run)?;
        match self.store.append(Append { effects, ..self.append(run, head, id) })? {
            Outcome::Appended { effects, .. } => Ok(effects),
            other => Err(Failed(format!("`{id}` was not appended: {other:?}"))),
        }
    }

    fn must(&self, append: Append) -> Result<(), Failed> {
        match self.store.append(append)? {
            Outcome::Appended { .. } => Ok(()),
            other => Err(Failed(format!("not appended: {other:?}"))),
        }
    }

    fn head(&self, run: &str) -> Result<u64, Failed> {
        Ok(self.store.run(run)?.map_or(0, |run| run.head))
    }

    /// Everything that the store says of these runs.
    fn picture(&self, runs: &[&str]) -> Result<String, Failed> {
        let mut picture = String::new();
        for run in runs {
            let row = self.store.run(run)?.map(|row| crate::RunRow { owner: None, ..row });
            let rows = self.store.rows(&crate::RowFilter { run: Some((*run).to_owned()), ..Default::default() })?;
            picture += &format!("{row:?}\n{:?}\n{:?}\n{rows:?}\n", self.store.read(run, 0, 0)?, self.store.inbox(run, 0)?);
        }
        Ok(picture)
    }
}

const NOW: Time = 1_800_000_000_000;

fn new_run(id: &str, shard: Shard) -> NewRun {
    NewRun {
        id: id.to_owned(),
        workflow: "support".to_owned(),
        digest: "sha256:d1".to_owned(),
        digest_given: false,
        input_digest: "sha256:i1".to_owned(),
        revision: 1,
        parent: None,
        shard,
        event: event(id, "workflow.start"),
        at: NOW,
    }
}

fn event(id: &str, topic: &str) -> String {
    serde_json::to_string(&Event::external(id, topic, json!({ "of": id }))).unwrap_or_default()
}

fn turn(id: &str) -> Turn {
    let derived = format!(r#"[{{"seq":1,"id":"{id}/d","topic":"workflow.step","kind":"derived","data":{{"n":1}}}}]"#);
    Turn { id: id.to_owned(), events: 2, at: NOW, external: event(id, "order.paid"), derived }
}

fn post(run: &str, id: &str) -> Post {
    Post { run: run.to_owned(), id: id.to_owned(), event: event(id, "order.paid"), at: NOW }
}

/// The ids of the first events of a run's turns.
fn ids(store: &dyn Store, run: &str) -> Result<Vec<String>, Failed> {
    Ok(store.read(run, 0, 0)?.into_iter().map(|turn| turn.turn.id).collect())
}
