//! Who does the work.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;
use weave_drive::{Ask, Drive, Key, Outcome};
use weave_ir::{Definition, Tool};
use weave_runner::Event;
use weave_scroll::Time;

use crate::watch::{Notice, Watch};

/// What is computed elsewhere.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Who does the work of runs.
#[derive(Clone)]
pub struct Peers {
    /// Models.
    pub models: Arc<dyn Models>,
    /// Tools and hydrators.
    pub tools: Arc<dyn Tools>,
    /// People.
    pub people: Arc<dyn People>,
    /// Events that are made up while a run waits for them.
    pub outside: Option<Arc<dyn Outside>>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who watches.
    pub watch: Arc<dyn Watch>,
}

/// Where in which run something is done.
#[derive(Clone)]
pub struct Context {
    /// The run.
    pub run: String,
    /// What it is there. [`Key::name`] is the key of idempotency, the same for all attempts.
    pub key: Key,
    /// How often it was marked as sent; 0 for what may be repeated.
    pub sending: u32,
    /// The definition of the run.
    pub definition: Arc<Definition>,
    pub(crate) watch: Arc<dyn Watch>,
}

impl Context {
    /// Tells those who watch how far it is. It is not kept.
    pub fn progress(&self, data: &Value) {
        self.watch.notice(&Notice::Progress { run: &self.run, key: &self.key, data });
    }

    /// The node of the workflow that it is done for.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        crate::watch::node_of(&self.run, &self.key.id)
    }
}

/// A call of a tool.
#[derive(Clone, Copy)]
pub struct ToolCall<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// The tool; none: a dispatch that was written out, and names no declared tool.
    pub tool: Option<&'a Tool>,
    /// The arguments.
    pub args: &'a Value,
    /// The data of the dispatch.
    pub data: &'a Value,
}

/// A question to a person or another system.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The topic: `tool.approval.requested`, `tool.dispatch` of an interaction, or a topic of the program.
    pub topic: &'a str,
    /// The tool, or the topic.
    pub name: &'a str,
    /// Its payload.
    pub data: &'a Value,
    /// The topics that answer it.
    pub answers: &'a [String],
}

/// One turn of a model at a time.
pub trait Models: Send + Sync {
    /// Asks a model for one turn: [`Outcome::Turn`], or why there is none. It never loops, and never calls a tool.
    fn turn<'a>(&'a self, ask: &'a Ask, context: &'a Context) -> Pending<'a, Outcome>;
}

/// Tools and hydrators.
pub trait Tools: Send + Sync {
    /// Calls a tool once. No layer below may repeat a call of a once-only tool. The future is dropped when nothing waits for the
    /// answer any more.
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome>;

    /// Finds what a prompt is filled in with.
    fn hydrate<'a>(&'a self, prompt: &'a str, args: &'a Value, context: &'a Context) -> Pending<'a, Outcome>;
}

/// People.
pub trait People: Send + Sync {
    /// Asks a person who is there: [`Outcome::Answer`] or [`Outcome::Data`], or [`Outcome::Unserved`] if there is none; then the question
    /// stays open for an answer from elsewhere.
    fn ask<'a>(&'a self, question: Question<'a>, context: &'a Context) -> Pending<'a, Outcome>;
}

/// Events that are made up while a run waits for them.
pub trait Outside: Send + Sync {
    /// The next event for a run in which nothing is under way; none: time passes until its next timer.
    fn event(&self, run: &Drive) -> Option<Event>;
}

/// The time.
pub trait Clock: Send + Sync {
    /// What time it is.
    fn now(&self) -> Time;

    /// Whether time passes only while nothing is under way, and then at once.
    fn is_virtual(&self) -> bool;

    /// Waits until it is that time.
    fn wait(&self, until: Time) -> Pending<'_, ()>;
}
